//! The damped least squares of one step within ranges and cones, solved to its end.
//!
//! What is sought is the `y` with the least `|J y - e|² + λ |y - d|²` of which every joint's part lies in a convex set of its own: a
//! range, or what walls leave of a ball's turn (`limited::kept`). With `w = (e - J y) / λ`, a number for each row, it is
//! `y = P(d + Jᵀ w)`, where `P` takes the nearest in every set, and `w` is where a convex function is least. Newton's steps to it set
//! what holds and what comes back all at once; one that overshoots is shortened. So the step goes evenly with errors and pose.
//!
//! Sources: Qi & Sun, *A nonsmooth version of Newton's method* (1993); Hintermüller, Ito & Kunisch, *The primal-dual active set strategy
//! as a semismooth Newton method* (2003).

use alloc::vec::Vec;

use glam::DMat3;

use super::gram::Matrix;
use super::level::{add, dot};
use super::mover::{Mover, MoverKind, along};
use super::plan::Plan;
use super::system::System;
use crate::linear::ldl;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::limited::{Turning, Walls};
use crate::solve::seen::make_room;

/// Newton's steps at most, and how often the length of one is changed.
const ROUNDS: u32 = 30;
const SHORTER: u32 = 40;
/// Share of the slope at first that a step may end with, and share of what is between two lengths that another keeps from both.
const STILL: f64 = 0.3;
const EDGE: f64 = 0.05;
/// Share of the errors that the gradient may have at the end: the step is about that many radians off at most.
const ENOUGH: f64 = 1e-7;
/// Price of looking whether a joint is blocked, and more of it for a ball with a limit.
pub(super) const MOVER: usize = 25;
pub(super) const BALL: usize = 250;
/// Price of the nearest turn inside the walls of a ball.
const WALLS: usize = 70;
/// Turn (radians) by which what presses on a limit is found.
pub(super) const PRESS: f64 = 1e-7;
/// How often errors are asked for anew of which less is asked, so that no joint turns too far.
const ASKED: u32 = 3;

/// What such steps are made in.
#[derive(Debug, Default)]
pub(super) struct Within {
    /// By row: what is left over the damping, first as the step before had it; where that is tried next, and how far the one is from the other.
    dual: Vec<f64>,
    tried: Vec<f64>,
    way: Vec<f64>,
    /// By row: the gradient of what is least.
    slope: Vec<f64>,
    /// By mover: how its part goes with what is wanted, and the same in the matrix that Newton's steps are made with.
    shares: Vec<DMat3>,
    known: Vec<DMat3>,
    /// By mover: what its limit leaves.
    walls: Vec<Option<Walls>>,
    factors: Vec<f64>,
}

impl Within {
    /// Grows the buffers at once.
    pub(super) fn fit(&mut self, plan: &Plan) {
        for buffer in [&mut self.dual, &mut self.tried, &mut self.way, &mut self.slope] {
            make_room(buffer, plan.rows);
        }
        make_room(&mut self.factors, plan.rows * plan.rows);
        make_room(&mut self.shares, plan.movers.len());
        make_room(&mut self.known, plan.movers.len());
        make_room(&mut self.walls, plan.movers.len());
        self.forget();
    }

    /// The next step is another descent's: what the last one came to is no guess at it.
    pub(super) fn forget(&mut self) {
        self.dual.clear();
    }
}

/// What the function to be made least goes by.
struct Place<'a> {
    plan: &'a Plan,
    pose: &'a Pose,
    damping: f64,
}

impl Place<'_> {
    /// Brings a mover's part of the step to the nearest that its limit leaves; how that goes with what it was.
    fn keep(&self, mover: &Mover, walls: Option<&Walls>, step: &mut [f64]) -> DMat3 {
        match (mover.kind, walls) {
            (MoverKind::Coordinate { index, range, scale, .. }, _) => {
                let q = self.pose.coordinates()[index];
                let wanted = q + step[0] * scale;
                let allowed = range.clamp(wanted);
                if allowed != wanted {
                    step[0] = (allowed - q) / scale;
                    return DMat3::ZERO;
                }
            }
            (MoverKind::Ball { scale, .. }, Some(walls)) => {
                let kept = walls.nearest(along(&DMat3::IDENTITY, step) * scale);
                if kept.share != DMat3::IDENTITY {
                    step.copy_from_slice(&(kept.turn / scale).to_array());
                    return kept.share;
                }
            }
            _ => {}
        }
        DMat3::IDENTITY
    }
}

impl System {
    /// Writes the step of one level, as far as the longest turn lets it go.
    pub(super) fn least_within(&mut self, plan: &Plan, (skeleton, pose): (&Skeleton, &Pose), damping: f64) {
        let at = Place { plan, pose, damping };
        let mut own = core::mem::take(&mut self.within);
        self.look_around(&mut own, plan, skeleton, pose);
        self.ask = 1.0;
        own.dual.resize(self.height, 0.0);
        for round in 1..=ASKED {
            self.least(&mut own, &at);
            let most = self.longest_turn(plan);
            self.most = most.min(self.longest);
            if most <= self.longest {
                break;
            }
            let share = self.longest / most;
            self.ask *= share;
            if round == ASKED || own.shares.iter().all(|share| *share == DMat3::IDENTITY) {
                self.step.iter_mut().for_each(|y| *y *= share);
                break;
            }
            own.dual.iter_mut().for_each(|w| *w *= share);
        }
        self.within = own;
    }

    /// Writes the last step as it would be without limits.
    pub(super) fn want_within(&mut self) {
        let rows = Matrix { entries: &self.matrix, height: self.height, spans: &self.spans };
        for (place, y) in self.step.iter_mut().enumerate() {
            *y = rows.wide_dot(place, &self.within.dual);
        }
    }

    /// Finds the walls around every ball.
    fn look_around(&mut self, own: &mut Within, plan: &Plan, skeleton: &Skeleton, pose: &Pose) {
        self.scratch.budget.spend(BALL * plan.limited);
        own.walls.clear();
        own.walls.extend(plan.movers.iter().map(|mover| match mover.kind {
            MoverKind::Ball { held: Some(_), .. } => {
                Walls::around(&Turning::inside(skeleton, mover.joint, pose.local(mover.joint).rotation, 0.0))
            }
            _ => None,
        }));
    }

    /// Largest turn of a freedom in the step (radians).
    pub(super) fn longest_turn(&self, plan: &Plan) -> f64 {
        plan.movers.iter().fold(0.0, |most, mover| {
            let (count, scale) = match mover.kind {
                // Slides and shifts are straight, however far they go.
                MoverKind::Coordinate { turns, scale, .. } => (usize::from(turns), scale),
                MoverKind::Ball { scale, .. } | MoverKind::Free { scale, .. } => (3, scale),
            };
            self.step[mover.first..mover.first + count].iter().map(|y| (y * scale).abs()).fold(most, f64::max)
        })
    }

    /// Goes to where the function is least, from `dual`; the step is what belongs to it.
    fn least(&mut self, own: &mut Within, at: &Place<'_>) {
        self.step.clear();
        self.step.resize(at.plan.freedoms, 0.0);
        let square = self.square();
        if !(square.is_finite() && (square > 0.0 || self.leans)) {
            return;
        }
        self.begin_gram(own, at.plan);
        if self.leans || own.dual.iter().any(|&w| w != 0.0) {
            own.tried.clone_from(&own.dual);
            self.look(own, at);
        } else {
            self.set_out(own, at);
        }
        let enough = ENOUGH * ENOUGH * square * self.ask * self.ask;
        for _ in 0..ROUNDS {
            if !self.find_way(own, at) {
                self.step.fill(0.0);
                return;
            }
            self.go(own, at, enough);
            own.dual.clone_from(&own.tried);
            if dot(&own.slope, &own.slope) <= enough || self.scratch.budget.is_spent() {
                return;
            }
        }
    }

    /// Looks where nothing moves. What a little way along the errors presses on a limit is held at first.
    fn set_out(&mut self, own: &mut Within, at: &Place<'_>) {
        let rows = Matrix { entries: &self.matrix, height: self.height, spans: &self.spans };
        for (place, y) in self.step.iter_mut().enumerate() {
            *y = rows.wide_dot(place, &self.error);
        }
        let most = self.step.iter().fold(0.0_f64, |most, y| most.max(y.abs()));
        let little = if most > 0.0 { PRESS / most } else { 0.0 };
        self.step.iter_mut().for_each(|y| *y *= little);
        own.shares.clear();
        for (mover, walls) in at.plan.movers.iter().zip(&own.walls) {
            own.shares.push(at.keep(mover, walls.as_ref(), &mut self.step[mover.freedoms()]));
        }
        self.step.fill(0.0);
        own.slope.clear();
        own.slope.extend(self.error.iter().map(|e| -e * self.ask));
    }

    /// Goes the way found: the function is convex along it, and its slope says whether it was passed where it is least.
    fn go(&mut self, own: &mut Within, at: &Place<'_>, enough: f64) {
        let falls = dot(&own.slope, &own.way);
        let (mut low, mut high, mut length) = ((0.0, falls), None, 1.0);
        for _ in 0..SHORTER {
            own.tried.clone_from(&own.dual);
            add(&mut own.tried, &own.way, length);
            self.look(own, at);
            let slope = dot(&own.slope, &own.way);
            if slope.abs() <= STILL * -falls || dot(&own.slope, &own.slope) <= enough {
                return;
            }
            if slope > 0.0 {
                high = Some((length, slope));
            } else {
                low = (length, slope);
            }
            // It may fall on beyond the whole way.
            let Some((end, rises)) = high else { return };
            length = low.0 + (end - low.0) * (low.1 / (low.1 - rises)).clamp(EDGE, 1.0 - EDGE);
        }
    }

    /// Writes Newton's step from where the function was looked at last; `false` where its matrix is not definite.
    fn find_way(&mut self, own: &mut Within, at: &Place<'_>) -> bool {
        let size = self.height;
        self.renew_gram(own, at.plan);
        own.factors.clone_from(self.gram.free());
        (0..size).for_each(|i| own.factors[i * size + i] += at.damping);
        self.scratch.budget.spend(ldl::price(size));
        own.way.clear();
        own.way.extend(own.slope.iter().map(|x| -x));
        let is_definite = ldl::factor(&mut own.factors, size);
        if is_definite {
            ldl::solve(&own.factors, size, &mut own.way);
        }
        is_definite
    }

    /// Writes the function's gradient where it is tried, and the step that belongs to it.
    fn look(&mut self, own: &mut Within, at: &Place<'_>) {
        let rows = Matrix { entries: &self.matrix, height: self.height, spans: &self.spans };
        self.scratch.budget.spend(MOVER * at.plan.movers.len() + WALLS * at.plan.limited + self.matrix.len() / 2);
        own.slope.clear();
        own.slope.extend(own.tried.iter().zip(&self.error).map(|(w, e)| w * at.damping - e * self.ask));
        own.shares.clear();
        for (mover, walls) in at.plan.movers.iter().zip(&own.walls) {
            let freedoms = mover.freedoms();
            for place in freedoms.clone() {
                let drawn = self.posture_step.as_ref().filter(|_| self.leans).map_or(0.0, |to| to[place] * self.ask);
                self.step[place] = rows.wide_dot(place, &own.tried) + drawn;
            }
            own.shares.push(at.keep(mover, walls.as_ref(), &mut self.step[freedoms.clone()]));
            freedoms.for_each(|place| rows.add_to(place, self.step[place], &mut own.slope));
        }
    }

    /// The rows' own matrix of all freedoms.
    fn begin_gram(&mut self, own: &mut Within, plan: &Plan) {
        let rows = Matrix { entries: &self.matrix, height: self.height, spans: &self.spans };
        self.gram.begin(rows, plan.freedoms, &mut self.scratch.budget);
        own.known.clear();
        own.known.resize(plan.movers.len(), DMat3::IDENTITY);
    }

    /// Brings it to what the movers' shares leave of their columns.
    fn renew_gram(&mut self, own: &mut Within, plan: &Plan) {
        let rows = Matrix { entries: &self.matrix, height: self.height, spans: &self.spans };
        for ((mover, share), known) in plan.movers.iter().zip(&own.shares).zip(&mut own.known) {
            let change = *share - core::mem::replace(known, *share);
            if change == DMat3::ZERO {
                continue;
            }
            let reached = self.spans[mover.first].len();
            self.scratch.budget.spend(reached * reached);
            if let MoverKind::Ball { .. } = mover.kind {
                self.gram.add_ball(rows, mover.first, &change);
            } else {
                mover.freedoms().for_each(|place| self.gram.add(rows, place, change.x_axis.x));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use glam::{DQuat, DVec3};

    use super::*;
    use crate::goal::Goal;
    use crate::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};
    use crate::skeleton::{BallLimit, JointSpec, Kind, SkeletonBuilder};
    use crate::solve::Workspace;
    use crate::solve::jacobian::method::Method;
    use crate::solve::jacobian::settings::Jacobian;
    use crate::transform::Transform;

    /// Two arms on one trunk, of every kind of limit.
    fn arms() -> Skeleton {
        let range = |size: f64| Range::new(-size, 0.7 * size);
        let ellipse = EllipticSwing::new(DVec3::Y, DVec3::X, [0.7, 0.3], range(0.4)).unwrap();
        let cone = SwingTwist::new(DVec3::Y, 0.5, range(0.3)).unwrap();
        let turns = EulerRanges::new(EulerOrder::Xyz, range(0.9), range(0.5), range(0.7)).unwrap();
        let mut builder = SkeletonBuilder::new();
        let bone = |kind: Kind| JointSpec::default().translation(DVec3::new(0.1, 0.4, 0.0)).kind(kind);
        let hips = builder.add(bone(Kind::BALL));
        let trunk = builder.add(bone(Kind::Ball(BallLimit::EllipticSwing(ellipse))).child_of(hips));
        for _ in 0..2 {
            let mut joint = trunk;
            for kind in [
                Kind::Ball(BallLimit::SwingTwist(cone)),
                Kind::hinge(DVec3::X).within(-0.2, 1.0),
                Kind::Ball(BallLimit::Euler(turns)),
                Kind::Fixed,
            ] {
                joint = builder.add(bone(kind).child_of(joint));
            }
        }
        builder.build().unwrap()
    }

    /// A pose with many joints at the ends of what they may.
    fn pose(skeleton: &Skeleton, rng: &mut Rng) -> Pose {
        let mut pose = skeleton.neutral_pose();
        let number = |rng: &mut Rng| 2.0 * rng.f64() - 1.0;
        for joint in skeleton.iter() {
            if let Some(drive) = skeleton.drive(joint) {
                pose.edit(skeleton).coordinate(drive.coordinate, (0.4 + number(rng)).clamp(-0.2, 1.0));
            } else {
                let turn = DVec3::new(number(rng), number(rng), number(rng));
                let wanted = Transform { rotation: DQuat::from_scaled_axis(turn), ..*pose.local(joint) };
                pose.edit(skeleton).local(joint, skeleton.nearest_allowed(joint, &wanted, 0.0));
            }
        }
        pose
    }

    #[test]
    fn no_step_inside_the_limits_is_better() {
        let (skeleton, rng) = (arms(), &mut Rng::with_seed(1));
        let (mut plan, mut system, mut work) = (Plan::default(), System::default(), Workspace::default());
        let solver = Jacobian { method: Method::Continuous, ..Jacobian::default() };
        let (mut held, mut missed) = (0, 0);
        for case in 0..400 {
            let pose = pose(&skeleton, rng);
            let goals = [5, 9].map(|tip| {
                let joint = skeleton.at(tip).unwrap();
                Goal::position(joint, pose.position(joint) * (1.0 + rng.f64()) + DVec3::X * 0.1)
            });
            work.begin(&goals);
            plan.make(&solver, &skeleton, &goals, &pose, &work);
            system.fit(&plan, solver.method);
            system.measure(&plan, &solver, &skeleton, &pose);
            system.derive(&mut plan, &solver, &skeleton, &pose);
            system.longest = f64::INFINITY;
            system.budget().fill(1);
            let damping = if rng.bool() { 1e-3 } else { 0.3 };
            // On a long lever a little more force turns a joint from one end of its range to the other; the step before left a large one.
            let lever = if case < 200 { 1.0 } else { 1e3 };
            if lever > 1.0 {
                system.matrix.iter_mut().for_each(|entry| *entry *= lever);
                system.within.dual = system.error.iter().map(|_| 10.0 * rng.f64() - 5.0).collect();
            }
            system.release(&mut plan, usize::MAX);
            system.least_within(&plan, (&skeleton, &pose), damping);
            let found = system.step.clone();
            // The gradient and the projection again, in small steps: slow, and simple.
            let at = Place { plan: &plan, pose: &pose, damping };
            let rows = Matrix { entries: &system.matrix, height: system.height, spans: &system.spans };
            let mut left = system.error.clone();
            found.iter().enumerate().for_each(|(place, y)| rows.add_to(place, -y, &mut left));
            let mut next = found.clone();
            let rate = 0.02 / (lever * lever);
            next.iter_mut().enumerate().for_each(|(place, y)| *y += rate * (rows.dot(place, &left) - damping * *y));
            for (mover, walls) in plan.movers.iter().zip(&system.within.walls) {
                let share = at.keep(mover, walls.as_ref(), &mut next[mover.freedoms()]);
                held += u32::from(share != DMat3::IDENTITY);
            }
            let moved = found.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let is_best = moved < 1e-2 * rate;
            assert!(moved < 1e-8 || lever > 1.0, "{moved}: {found:?}");
            missed += u32::from(!is_best);
        }
        assert!(held > 500 && missed < 4, "{held} {missed}");
    }
}
