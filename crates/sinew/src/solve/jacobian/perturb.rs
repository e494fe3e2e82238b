//! Off the line: a straight chain with its target on the line has no gradient to follow, so every
//! joint bends a little, the way it bends at rest or prefers to. What is solved from there counts only
//! where it ends nearer: straight is right at full reach.

use glam::DVec3;

use super::goal_task::{GoalPart, GoalTask};
use super::mover::{Mover, MoverKind};
use super::plan::{Plan, RowsFor};
use super::report::is_met;
use super::system::System;
use crate::goal::Slack;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::transform::Transform;

/// Turn of every joint (radians) before another descent.
pub(super) const BEND: f64 = 0.3;
/// Column below which a joint moves nothing (lengths of the chain, or radians).
const IDLE: f64 = 1e-9;
/// Sine between two bones below which a joint is straight at rest.
const STRAIGHT: f64 = 1e-5;

/// Bends every joint that moves a goal which is not met (by the columns of the pose) by a small turn, inside its limits.
pub(super) fn perturb(plan: &Plan, system: &System, skeleton: &Skeleton, pose: &mut Pose, bend: f64) {
    // From the tips up: what has been bent moves no joint above.
    for mover in plan.movers.iter().rev() {
        if !matters(plan, system, mover, pose) {
            continue;
        }
        match mover.kind {
            MoverKind::Coordinate { .. } => bend_hinge(mover, skeleton, pose, bend),
            MoverKind::Ball { .. } => {
                let Some(axis) = rest_bend(skeleton, mover.joint) else { continue };
                let local = *pose.local(mover.joint);
                let rotation = arc::normalize(local.rotation * arc::axis_angle(axis, bend));
                let allowed = skeleton.nearest_allowed(mover.joint, &Transform { rotation, ..local }, 0.0);
                pose.edit(skeleton).local(mover.joint, allowed);
            }
            MoverKind::Free { .. } => {}
        }
    }
}

/// Whether a joint moves a goal that is not met.
fn matters(plan: &Plan, system: &System, mover: &Mover, pose: &Pose) -> bool {
    let turns = if matches!(mover.kind, MoverKind::Coordinate { .. }) { 1 } else { 3 };
    let columns = &system.matrix[mover.first * system.height..(mover.first + turns) * system.height];
    let moves = columns.iter().any(|entry| entry.abs() > IDLE) || moves_unasked(plan, system, mover, pose);
    moves && plan.is_wanted(mover, |block| is_met(block, system))
}

/// Whether a joint moves the point of a goal that is not met along axes that are left out: the columns do not tell.
fn moves_unasked(plan: &Plan, system: &System, mover: &Mover, pose: &Pose) -> bool {
    plan.blocks.iter().any(|block| {
        let RowsFor::Goal(task @ GoalTask { part: GoalPart::Point, goal }) = &block.asked else { return false };
        let leaves_out = !goal.mask.position.all() || goal.slack != Slack::NONE;
        let rate = |&at: &u32| {
            let motion = &plan.motions[at as usize];
            let own = plan.mover_of(motion.freedom).is_some_and(|own| plan.movers[own].first == mover.first);
            if own { block.weight * arc::length(motion.velocity(task.point(pose))) } else { 0.0 }
        };
        leaves_out && !is_met(block, system) && plan.used[block.used.clone()].iter().any(|at| rate(at) > IDLE)
    })
}

/// Towards its rest, else the way it prefers; the other way where the range ends.
fn bend_hinge(mover: &Mover, skeleton: &Skeleton, pose: &mut Pose, bend: f64) {
    let MoverKind::Coordinate { index, range, scale, .. } = mover.kind else { return };
    let Kind::Hinge { axis, .. } = skeleton.kind(mover.joint) else { return };
    let q = pose.coordinates()[index];
    let multiplier = skeleton.drive(mover.joint).map_or(1.0, |drive| drive.multiplier);
    let turn = skeleton.zero(mover.joint).rotation.conjugate() * skeleton.rest(mover.joint).rotation;
    let off = arc::twist_angle(turn, axis) - pose.value(skeleton, mover.joint);
    let prefers = skeleton.bend(mover.joint).map_or(1.0, |bend| bend.dot(axis));
    let way = if off.abs() > STRAIGHT { off } else { prefers } * multiplier;
    let bend = bend * scale;
    let bent = |way: f64| range.clamp(if way < 0.0 { q - bend } else { q + bend });
    let first = bent(way);
    let value = if (first - q).abs() < 0.5 * bend { bent(-way) } else { first };
    pose.edit(skeleton).coordinate(index, value);
}

/// The axis, in the joint's frame, about which a ball folds at rest; `None` at a tip.
pub(in crate::solve) fn rest_bend(skeleton: &Skeleton, joint: Joint) -> Option<DVec3> {
    let child = skeleton.children(joint).next()?;
    if let Some(axis) = skeleton.bend(joint) {
        return Some(axis);
    }
    let rest = skeleton.rest(joint);
    let before = arc::unit(rest.rotation.conjugate() * rest.translation);
    let after = arc::unit(skeleton.rest(child).translation);
    let folds = before.zip(after).and_then(|(before, after)| {
        let across = arc::unit_reject(after, before, STRAIGHT)?;
        Some(before.cross(across))
    });
    folds.or_else(|| after.or(before).map(arc::any_perpendicular))
}
