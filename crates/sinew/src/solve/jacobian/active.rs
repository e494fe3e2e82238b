//! Limits inside the step, by an active set in a few rounds. Continuous steps are solved to their end instead (see `within`): those that
//! may be taken back are no better for it (as many frames of a human are reached), and take up to three times as long out of reach.
//!
//! What a step would pass leaves the system at its bound and the rest is solved again; what the rest then draws back
//! inside comes back. The set begins with what the pose already presses on, so that a step along limits is solved at
//! once. A ball is held by walls across its turns (see `limited::walls`), and along them by their bend.
//!
//! Source: Hintermüller, Ito & Kunisch, *The primal-dual active set strategy as a semismooth Newton method* (2003).

use glam::{DMat3, DQuat, DVec3};

use super::descend::Run;
use super::held::Held;
use super::method::Method;
use super::mover::{Mover, MoverKind, along, turned};
use super::plan::Plan;
use super::system::System;
use super::within::{BALL, MOVER, PRESS};
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// Rounds in which something may come back; after them things only leave.
const SWAPS: u32 = 6;
/// Share below which a step is made anew for less.
const SHORTER: f64 = 0.9;

impl Run<'_> {
    /// Makes the step of the system's rows that every limit lets through; freedoms from `held` on stay.
    pub(super) fn step_within(&mut self, pose: &Pose, extra_damping: f64, held: usize) {
        let Self { plan, system, skeleton, .. } = self;
        let (method, at) = (self.solver.method, (*skeleton, pose));
        let damping = method
            .damping(system.square(), extra_damping)
            .map(|damping| if system.curvature.is_some() { damping + system.calm } else { damping })
            .filter(|_| plan.levels.len() == 1 && (system.posture_step.is_none() || system.leans));
        system.release(plan, held);
        let is_limited = || plan.movers.iter().any(Mover::is_limited);
        let is_whole = held >= plan.freedoms && system.is_quick(&plan.levels);
        let evenly = method == Method::Continuous || system.evenly;
        match damping.filter(|_| evenly && is_whole && is_limited()) {
            Some(damping) => system.least_within(plan, at, damping),
            None => step_in_rounds(plan, system, at, (method, extra_damping, damping), held),
        }
        // Bones that are nothing beside what is left make no step.
        if !system.step.iter().all(|y| y.is_finite()) {
            system.step.fill(0.0);
        }
    }
}

/// Solves and takes out what is in the way, until nothing is.
fn step_in_rounds(
    plan: &mut Plan,
    system: &mut System,
    at: (&Skeleton, &Pose),
    (method, extra_damping, damping): (Method, f64, Option<f64>),
    held: usize,
) {
    if damping.is_some() {
        press(plan, system, at, held);
    }
    // Every round but the last takes a freedom out, or is one of few.
    for round in 0..=plan.freedoms as u32 + SWAPS {
        system.solve(&plan.levels, method, extra_damping);
        let mut changed = false;
        if let Some(damping) = damping.filter(|_| round < SWAPS) {
            system.press(damping);
            changed |= let_go(plan, system, at.1, held);
        }
        changed |= shorten(plan, system);
        system.budget().spend(MOVER * plan.movers.len() + BALL * plan.limited);
        for place in 0..plan.movers.len() {
            changed |= block(plan, system, place, at, 1.0, held);
        }
        if !changed || system.budget().is_spent() {
            break;
        }
    }
}

/// Takes out what the gradient presses on a limit where it is.
fn press(plan: &mut Plan, system: &mut System, at: (&Skeleton, &Pose), held: usize) {
    let mut most = 0.0_f64;
    for place in 0..system.step.len() {
        let slope = system.slope(place);
        system.step[place] = slope;
        most = most.max(slope.abs());
    }
    if most > 0.0 {
        for place in 0..plan.movers.len() {
            block(plan, system, place, at, PRESS / most, held);
        }
    }
    // What is held for other reasons stays.
    let stays = held.min(system.step.len());
    system.step[stays..].fill(0.0);
}

/// Takes out what limits keep from going where the step found last, which was exact (see `within`), would go without them.
pub(super) fn press_within(plan: &mut Plan, system: &mut System, at: (&Skeleton, &Pose)) {
    system.want_within();
    for place in 0..plan.movers.len() {
        block(plan, system, place, at, 1.0, usize::MAX);
    }
}

/// Lets go of what would come back inside: the rest of the step no longer presses it on its limit.
fn let_go(plan: &mut Plan, system: &mut System, pose: &Pose, held: usize) -> bool {
    let mut changed = false;
    for mover in &mut plan.movers {
        match &mut mover.kind {
            MoverKind::Coordinate { index, range, scale, .. } => {
                let first = mover.first;
                if !system.fixed[first] || system.back[first] || first >= held || range.min >= range.max {
                    continue;
                }
                let there = pose.coordinates()[*index] + system.step[first] * *scale;
                let high = range.max - there < there - range.min;
                if if high { system.pressed[first] < 0.0 } else { system.pressed[first] > 0.0 } {
                    system.fixed[first] = false;
                    system.back[first] = true;
                    changed = true;
                }
            }
            MoverKind::Ball { held: Some(own), axes, .. } => changed |= Held::let_go(*own, system, axes),
            _ => {}
        }
    }
    changed
}

/// Shortens a step in which a joint turns too far to trust its linearisation: a share of the errors is asked for. Whether
/// what is fixed goes too far for the rest.
fn shorten(plan: &Plan, system: &mut System) -> bool {
    let most = system.longest_turn(plan);
    system.most = most.min(system.longest);
    if most <= system.longest {
        return false;
    }
    let share = system.longest / most;
    system.ask *= share;
    let mut moved = false;
    for (y, fixed) in system.step.iter_mut().zip(&system.fixed) {
        if *fixed {
            moved |= *y != 0.0;
        } else {
            *y *= share;
        }
    }
    moved && share < SHORTER
}

/// Takes out what this share of the step would carry past its limit.
fn block(
    plan: &mut Plan,
    system: &mut System,
    place: usize,
    (skeleton, pose): (&Skeleton, &Pose),
    share: f64,
    held: usize,
) -> bool {
    let mover = &mut plan.movers[place];
    if mover.first >= held {
        return false;
    }
    match &mut mover.kind {
        MoverKind::Coordinate { .. } => block_coordinate(mover, system, pose, share),
        MoverKind::Ball { held: Some(own), axes, .. } => {
            Held::block(*own, system, (skeleton, pose.local(mover.joint)), axes, share)
        }
        _ => false,
    }
}

/// Takes a coordinate out that would leave its range.
fn block_coordinate(mover: &Mover, system: &mut System, pose: &Pose, share: f64) -> bool {
    let MoverKind::Coordinate { index, range, scale, .. } = mover.kind else { return false };
    if system.fixed[mover.first] {
        return false;
    }
    let q = pose.coordinates()[index];
    let wanted = q + system.step[mover.first] * share * scale;
    let allowed = range.clamp(wanted);
    if allowed == wanted {
        return false;
    }
    system.step[mover.first] = (allowed - q) / scale;
    system.fixed[mover.first] = true;
    true
}

/// Moves the pose by the step, inside the limits.
pub(super) fn apply(plan: &Plan, system: &System, skeleton: &Skeleton, pose: &mut Pose) {
    let mut edit = pose.edit(skeleton);
    for mover in &plan.movers {
        let step = &system.step[mover.first..];
        match mover.kind {
            MoverKind::Coordinate { index, range, scale, .. } => {
                if step[0] != 0.0 {
                    let q = edit.pose().coordinates()[index];
                    edit.coordinate(index, range.clamp(q + step[0] * scale));
                }
            }
            MoverKind::Ball { axes, scale, held } => {
                if step[..3].iter().any(|&y| y != 0.0) {
                    let wanted = turned(edit.pose().local(mover.joint), along(&axes, step) * scale);
                    let allowed =
                        if held.is_some() { skeleton.nearest_allowed(mover.joint, &wanted, 0.0) } else { wanted };
                    edit.local(mover.joint, allowed);
                }
            }
            MoverKind::Free { scale, shift } => {
                if step[..6].iter().any(|&y| y != 0.0) {
                    let mut local = turned(edit.pose().local(mover.joint), along(&DMat3::IDENTITY, step) * scale);
                    local.translation += along(&DMat3::IDENTITY, &step[3..]) * shift;
                    edit.local(mover.joint, local);
                }
            }
        }
    }
}

/// Twice the vector part of the shorter of the rotation's two quaternions: its rotation vector to second
/// order.
pub(super) fn chord(turn: DQuat) -> DVec3 {
    let vector = DVec3::new(turn.x, turn.y, turn.z) * 2.0;
    if turn.w < 0.0 { -vector } else { vector }
}
