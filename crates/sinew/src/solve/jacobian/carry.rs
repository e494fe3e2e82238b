//! The body first: where several points ask for a root that turns freely to turn far, it is turned at once, so that they
//! come nearest together, and steps do the rest. Short steps would drive the joints below into their limits on the way.
//!
//! The turn is Horn's best fit of the points as they lie to where they should be. A little one is left to the steps, and
//! how much of a larger one is taken grows with its angle: near targets turn the root alike.

use alloc::vec::Vec;

use glam::{DMat3, DQuat, DVec3};

use super::goal_task::{GoalPart, GoalTask};
use super::mover::{Mover, MoverKind};
use super::plan::{Block, Plan, RowsFor};
use crate::goal::Slack;
use crate::math::arc;
use crate::math::fit::{Pair, fitted};
use crate::math::smooth::smooth;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::TargetInModel;

/// Points that settle how a body is turned.
const POINTS: usize = 3;
/// Turns (radians) up to which nothing is taken, and from which all is.
const FAR: (f64, f64) = (0.4, 0.8);
/// How often the fit is made anew from its own answer: half a turn takes a few.
const AGAIN: u32 = 4;
/// Deviation from unit axes, square to each other, that is shear.
const SHEAR: f64 = 1e-9;

/// Turns the root that the points hang on, and brings one that travels along; whether it moved.
pub(super) fn carry(plan: &Plan, skeleton: &Skeleton, pose: &mut Pose, pairs: &mut Vec<Pair>) -> bool {
    let Some((root, travels, ease)) = free_root(plan) else { return false };
    let Some((axes, size)) = space_above(plan, travels) else { return false };
    pairs.clear();
    pairs.extend(plan.blocks.iter().filter_map(|block| asked(plan, block, pose)));
    if pairs.len() < POINTS {
        return false;
    }
    let place = pose.position(root.joint);
    let (now, wanted) = if travels { centres(pairs) } else { (place, place) };
    for pair in pairs.iter_mut() {
        (pair.arm, pair.to) = (pair.arm - now, pair.to - wanted);
    }
    let turn = (0..AGAIN).fold(DQuat::IDENTITY, |turn, _| fitted(turn, pairs));
    let vector = arc::rotation_vector(turn);
    let share = smooth(arc::length(vector), FAR) * ease;
    let (Some(axis), true) = (arc::unit(axes.transpose() * vector), share > 0.0) else { return false };
    let mut local = *pose.local(root.joint);
    local.rotation = arc::normalize(arc::axis_angle(axis, arc::length(vector) * share) * local.rotation);
    if travels {
        let turned = now + arc::axis_angle(vector / arc::length(vector), arc::length(vector) * share) * (place - now);
        local.translation += axes.transpose() * (turned - place + (wanted - now) * share) / size;
    }
    pose.edit(skeleton).local(root.joint, local);
    true
}

/// The uppermost mover, if it turns freely; whether it travels, and the share that its stiffness leaves of a turn.
fn free_root(plan: &Plan) -> Option<(&Mover, bool, f64)> {
    let root = plan.movers.first()?;
    match root.kind {
        MoverKind::Ball { held: None, scale, .. } => Some((root, false, (scale * scale).min(1.0))),
        MoverKind::Free { scale, .. } => Some((root, true, (scale * scale).min(1.0))),
        _ => None,
    }
}

/// How the space above the root is turned, and its size; `None` where it is sheared.
fn space_above(plan: &Plan, travels: bool) -> Option<(DMat3, f64)> {
    let axes = DMat3::from_cols(plan.motions[0].angular(), plan.motions[1].angular(), plan.motions[2].angular());
    let off = axes.transpose() * axes - DMat3::IDENTITY;
    let even = [off.x_axis, off.y_axis, off.z_axis].iter().all(|column| column.abs().max_element() <= SHEAR);
    let size = if travels { plan.motions[3].velocity(DVec3::ZERO).dot(axes.x_axis) } else { 1.0 };
    (even && size != 0.0 && size.is_finite()).then_some((axes, size))
}

/// Where a block's point is and should be, if it asks for a whole place in space and hangs on the root.
fn asked(plan: &Plan, block: &Block, pose: &Pose) -> Option<Pair> {
    let RowsFor::Goal(task @ GoalTask { goal, part: GoalPart::Point }) = &block.asked else { return None };
    let hangs = plan.used[block.used.clone()].iter().any(|&at| plan.motions[at as usize].freedom == 0);
    let whole = goal.mask.position.all() && goal.slack == Slack::NONE && goal.relative_to.is_none();
    let to = TargetInModel::of(goal, pose).position.filter(|_| hangs && whole)?;
    Some(Pair { arm: task.point(pose), to, weight: block.weight * block.weight })
}

/// The centres of the points and of their targets.
fn centres(pairs: &[Pair]) -> (DVec3, DVec3) {
    let mass: f64 = pairs.iter().map(|pair| pair.weight).sum();
    let sum = |of: fn(&Pair) -> DVec3| pairs.iter().map(|pair| of(pair) * pair.weight).sum::<DVec3>() / mass;
    (sum(|pair| pair.arm), sum(|pair| pair.to))
}
