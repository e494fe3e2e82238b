//! The sizes of a solve: lengths of the longest chain.

use crate::goal::{Goal, Target};
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};

/// Sizes of a solve (metres, model space).
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solve) struct Sizes {
    /// Length of the longest path from a joint that may move to a goal's point; where nothing has a length, the farthest
    /// target's distance, else one.
    pub(in crate::solve) unit: f64,
    /// What tolerances are a share of: the same path as it lies in the pose, else all bones together; wherever the targets are.
    pub(in crate::solve) length: f64,
}

pub(in crate::solve) fn sizes<'a>(
    may_move: impl Fn(Joint) -> bool,
    skeleton: &Skeleton,
    pose: &Pose,
    goals: impl Iterator<Item = &'a Goal>,
) -> Sizes {
    let (mut longest, mut farthest, mut length) = (0.0_f64, 0.0_f64, 0.0_f64);
    for goal in goals {
        let place = pose.position(goal.joint);
        longest = longest.max(path_length(&may_move, skeleton, pose, goal));
        length = length.max(length_in_pose(&may_move, skeleton, pose, goal));
        if let Some(target) = goal.target.position() {
            farthest = farthest.max(arc::length(target - place));
        }
    }
    let is_length = |length: &f64| *length > 1e-150 && *length < 1e150;
    let bones = || skeleton.iter().map(|joint| bone(skeleton, pose, joint)).sum();
    Sizes {
        unit: [longest, farthest].into_iter().find(is_length).unwrap_or(1.0),
        length: if is_length(&length) { length } else { bones() },
    }
}

/// From a joint's parent to the joint (metres, model space).
fn bone(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> f64 {
    skeleton.parent(joint).map_or(0.0, |parent| arc::length(pose.position(joint) - pose.position(parent)))
}

/// From the uppermost joint that may move for a goal to its point, along the joints as they lie.
fn length_in_pose(may_move: &impl Fn(Joint) -> bool, skeleton: &Skeleton, pose: &Pose, goal: &Goal) -> f64 {
    let mut walked = arc::length(pose.model(goal.joint).transform_vector3(goal.offset));
    if let Target::CenterOfMass(_) = goal.target {
        let below = skeleton.subtree(goal.joint).skip(1).filter_map(|index| skeleton.at(index));
        walked += below.map(|joint| bone(skeleton, pose, joint)).sum::<f64>();
    }
    let (mut length, mut at) = (walked, goal.joint);
    while let Some(parent) = skeleton.parent(at) {
        walked += bone(skeleton, pose, at);
        if moves_for(may_move, skeleton, goal, parent) {
            length = walked;
        }
        at = parent;
    }
    length
}

fn moves_for(may_move: &impl Fn(Joint) -> bool, skeleton: &Skeleton, goal: &Goal, joint: Joint) -> bool {
    skeleton.kind(joint) != Kind::Fixed
        && may_move(joint)
        && goal.base.is_none_or(|base| skeleton.is_below(joint, base))
}

/// From the uppermost joint that may move for a goal to its point, along the joints: from translations and
/// scales alone, so that no rotation changes a bit of it.
fn path_length(may_move: &impl Fn(Joint) -> bool, skeleton: &Skeleton, pose: &Pose, goal: &Goal) -> f64 {
    let size = |joint: Joint| pose.local(joint).scale.abs().element_sum() / 3.0;
    let mut walked = arc::length(goal.offset);
    if let Target::CenterOfMass(_) = goal.target {
        let below = skeleton.subtree(goal.joint).skip(1).filter_map(|index| skeleton.at(index));
        walked += below.map(|joint| arc::length(pose.local(joint).translation)).sum::<f64>();
    }
    let (mut length, mut at) = (walked * size(goal.joint), goal.joint);
    walked = length;
    while let Some(parent) = skeleton.parent(at) {
        walked = (walked + arc::length(pose.local(at).translation)) * size(parent);
        length = if moves_for(may_move, skeleton, goal, parent) { walked } else { length * size(parent) };
        at = parent;
    }
    let base = &skeleton.base(at).matrix3;
    let square = [base.x_axis, base.y_axis, base.z_axis].into_iter().map(|axis| axis.dot(axis)).sum::<f64>();
    length * ops::sqrt(square / 3.0)
}
