//! Limits inside the step: what a limit stops is locked where it lets through, and the rest is solved again, until
//! nothing new is stopped. Then the step is written to the pose.

use glam::{DQuat, DVec3};

use super::ask::Rows;
use super::body::{MassBody, Shift, TurnKind};
use super::plan::BalancePlan;
use super::row::Row;
use super::settle::Context;
use super::system::{LOCKS, StepOptions, System, attachment, grip};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::transform::Transform;

/// Rounds of locking and solving.
const ROUNDS: u32 = 12;
/// Turn (radians), and slide relative to the chain, that counts as stopped.
const STOPPED: f64 = 1e-9;
/// Turn (radians) by which a limit's surface is felt, what counts as no way along it, and the cosine of one direction.
const TRIAL: f64 = 1e-5;
const FLAT: f64 = 0.05;
const SAME: f64 = 0.9;
/// Price of looking whether a body's limit stops it, and of feeling its surface.
const LOOK: usize = 120;
const FEEL: usize = 1200;

impl System {
    /// Solves for the step that every limit lets through, and the share of it to take. `None` where there is none.
    pub(super) fn solve_within(
        &mut self,
        context: &mut Context<'_>,
        (plan, rows): (&BalancePlan, &mut Rows),
        pose: &Pose,
        options: StepOptions,
    ) -> Option<f64> {
        let (solver, skeleton, budget) = (context.solver, context.skeleton, context.work.budget());
        self.share(plan);
        self.locks.clear();
        self.locked.clear();
        let mut share = 1.0;
        for round in 0..ROUNDS {
            if !self.solve(plan, rows, options, budget) {
                return None;
            }
            share = (options.longest / self.longest(plan)).min(1.0);
            let mut stopped = false;
            budget.spend(LOOK * plan.bodies.len());
            for place in 0..plan.bodies.len() {
                if self.lock(plan, place, skeleton, pose, share) {
                    budget.spend(FEEL);
                    stopped = true;
                }
            }
            // The centre of mass begins to hold only where a step would take it off the polygon.
            let holds = plan.balances && round == 0 && rows.balance == DVec3::ZERO;
            if let Some(balance) = solver.balance.as_ref().filter(|_| holds) {
                stopped |= rows.keep_balance(plan, balance, &self.net, skeleton, pose);
            }
            if !stopped || budget.is_spent() {
                break;
            }
        }
        Some(share)
    }

    /// Largest turn or shift of a body on the one above.
    pub(super) fn longest(&self, plan: &BalancePlan) -> f64 {
        let turn = |body: &MassBody| {
            let above = body.above.map(|above| plan.bodies[above].turned);
            arc::length(self.net.step(Some(body.turned)) - self.net.step(above))
        };
        plan.bodies.iter().map(turn).fold(1e-300, f64::max)
    }

    /// Locks what a body's limit stops; whether that is new.
    fn lock(&mut self, plan: &BalancePlan, place: usize, skeleton: &Skeleton, pose: &Pose, share: f64) -> bool {
        let body = &plan.bodies[place];
        if let Some(driven) = body.driven {
            let q = pose.coordinates()[driven.index];
            let wanted = q + self.coordinate_step(plan, body) * share;
            let allowed = driven.range.clamp(wanted);
            if (allowed - wanted).abs() <= STOPPED || self.locked.contains(&place) {
                return false;
            }
            let row = grip(plan, &Row::new((allowed - q) * driven.multiplier, 1.0), place, 1.0);
            self.add_lock(place, &row);
            return true;
        }
        let (TurnKind::Ball { limited: true }, Some(axial)) = (body.turn, body.axial) else { return false };
        let taken = self.locked.iter().filter(|&&locked| locked == place).count();
        if taken >= LOCKS {
            return false;
        }
        let local = *pose.local(body.joint);
        let wanted = Transform { rotation: self.turned(plan, body, &local, share), ..local };
        let allowed = skeleton.nearest_allowed(body.joint, &wanted, 0.0);
        let away = chord(wanted.rotation * allowed.rotation.conjugate());
        let Some(outwards) = arc::unit(away).filter(|_| arc::length(away) > STOPPED) else { return false };
        let through = chord(allowed.rotation * local.rotation.conjugate());
        let beyond = slightly(outwards * (10.0 * TRIAL), &wanted);
        let mut new = false;
        for normal in normals(|turn| skeleton.nearest_allowed(body.joint, &slightly(turn, &beyond), 0.0).rotation) {
            let direction = axial * normal;
            let known =
                |(row, &locked): (&Row, &usize)| locked == place && row.grips()[0].twist.dot(direction).abs() > SAME;
            if normal == DVec3::ZERO || self.locks.iter().zip(&self.locked).any(known) {
                continue;
            }
            let row = Row::new(through.dot(normal), 1.0).grip(Some(place), DVec3::ZERO, DVec3::ZERO, direction);
            self.add_lock(place, &row.grip(body.above, DVec3::ZERO, DVec3::ZERO, -direction));
            new = true;
        }
        new
    }

    fn add_lock(&mut self, place: usize, row: &Row) {
        self.locks.push(*row);
        self.locked.push(place);
    }

    /// A body's local rotation after a share of the step.
    fn turned(&self, plan: &BalancePlan, body: &MassBody, local: &Transform, share: f64) -> DQuat {
        self.turn_in_parent(plan, body, share).map_or(local.rotation, |turn| arc::normalize(turn * local.rotation))
    }

    /// The turn of a body on the one above in a share of the step, in its parent's space.
    fn turn_in_parent(&self, plan: &BalancePlan, body: &MassBody, share: f64) -> Option<DQuat> {
        let axial = body.axial?;
        let small = |variable: Option<usize>| {
            let half = self.net.step(variable) * (0.5 * share);
            DQuat::from_xyzw(half.x, half.y, half.z, 1.0)
        };
        let above = small(body.above.map(|above| plan.bodies[above].turned));
        let turn = above.conjugate() * small(Some(body.turned));
        let vector = axial.transpose() * DVec3::new(turn.x, turn.y, turn.z);
        Some(arc::normalize(DQuat::from_xyzw(vector.x, vector.y, vector.z, turn.w)))
    }

    /// By how much the step changes the coordinate of a body, as far as that body says.
    fn coordinate_step(&self, plan: &BalancePlan, body: &MassBody) -> f64 {
        let Some(driven) = body.driven else { return 0.0 };
        let step = if let Some((along, size)) = body.slide() {
            self.net.step_of(&attachment(plan, body)).dot(along) / size
        } else if let TurnKind::About(axis) = body.turn {
            self.turn_in_parent(plan, body, 1.0).map_or(0.0, |turn| arc::twist_angle(turn, axis))
        } else {
            0.0
        };
        step / driven.multiplier
    }

    /// Moves the pose by a share of the step, inside the limits.
    pub(super) fn apply(&self, plan: &BalancePlan, skeleton: &Skeleton, pose: &mut Pose, share: f64) {
        for body in &plan.bodies {
            let Some(driven) = body.driven else { continue };
            // The first of those that share a coordinate moves them all.
            if plan.bodies.iter().any(|b| b.joint < body.joint && b.driven.is_some_and(|d| d.index == driven.index)) {
                continue;
            }
            let q = pose.coordinates()[driven.index];
            let to = driven.range.clamp(q + self.coordinate_step(plan, body) * share);
            if to != q {
                pose.edit(skeleton).coordinate(driven.index, to);
            }
        }
        let mut edit = pose.edit(skeleton);
        for body in &plan.bodies {
            let mut local = *edit.pose().local(body.joint);
            if let TurnKind::Ball { limited } = body.turn {
                local.rotation = self.turned(plan, body, &local, share);
                if limited {
                    local = skeleton.nearest_allowed(body.joint, &local, 0.0);
                }
            }
            if let Shift::Anywhere { .. } = body.shift {
                let inverse = body.linear.inverse();
                let shift = inverse * self.net.step_of(&attachment(plan, body)) * share;
                if shift.is_finite() {
                    local.translation += shift;
                }
            }
            match (body.driven, body.shift) {
                (None, _) => edit.local(body.joint, local),
                (Some(_), Shift::Anywhere { .. }) => edit.translation(body.joint, local.translation),
                _ => continue,
            };
        }
    }
}

/// Unit normals, in the parent's space, of the limit's surface where `allowed` brings turns from beyond it: a limit
/// need not push back square to its surface. Zero where there are fewer than three.
fn normals(allowed: impl Fn(DVec3) -> DQuat) -> [DVec3; 3] {
    let base = allowed(DVec3::ZERO).conjugate();
    let [x, y, z] = DVec3::AXES.map(|axis| chord(allowed(axis * TRIAL) * base) / TRIAL);
    let longer = |a: DVec3, b: DVec3| if b.dot(b) > a.dot(a) { b } else { a };
    let square = longer(longer(x.cross(y), y.cross(z)), z.cross(x));
    if let Some(normal) = arc::unit(square).filter(|_| arc::length(square) > FLAT) {
        return [normal, DVec3::ZERO, DVec3::ZERO];
    }
    let along = longer(longer(x, y), z);
    match arc::unit(along).filter(|_| arc::length(along) > FLAT) {
        Some(way) => {
            let across = arc::any_perpendicular(way);
            [across, way.cross(across), DVec3::ZERO]
        }
        None => DVec3::AXES,
    }
}

/// A local transform turned by a small vector in its parent's space.
fn slightly(turn: DVec3, local: &Transform) -> Transform {
    let half = turn * 0.5;
    let turn = DQuat::from_xyzw(half.x, half.y, half.z, 1.0);
    Transform { rotation: arc::normalize(turn * local.rotation), ..*local }
}

/// Twice the vector part of the shorter of the rotation's quaternions: its rotation vector to second order.
fn chord(turn: DQuat) -> DVec3 {
    DVec3::new(turn.x, turn.y, turn.z) * if turn.w < 0.0 { -2.0 } else { 2.0 }
}
