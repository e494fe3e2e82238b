//! Whether the pose given already does what is asked: then it stays, bit for bit.

use super::{Engine, chain};
use crate::goal::{Goal, Target};
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Kind, Skeleton};
use crate::solve::report::{Miss, is_met, is_there, is_undefined, measured, report};
use crate::solve::{Outcome, Workspace, place_left};

/// Chord by which a joint may be outside its limit and counts as inside.
const INSIDE: f64 = 1e-9;

/// Whether the pose meets all goals that act, with the joints that may move for them inside their limits.
pub(super) fn all(engine: &impl Engine, skeleton: &Skeleton, goals: &[Goal], pose: &Pose) -> bool {
    let acting = || goals.iter().filter(|goal| engine.acts_on(skeleton, goal));
    acting().all(|goal| {
        // Of an up, only the solver can say.
        let upright = engine.reads_up()
            && matches!(goal.target, Target::Aim { up: Some(_), .. } | Target::Axis { up: Some(_), .. });
        !upright && {
            let near = goal.tolerance.unwrap_or_else(|| engine.tolerance(skeleton, goals, goal, pose));
            // The place alone shows most misses.
            is_there(goal, pose, place_left(goal, pose), near)
                && is_met(goal, pose, &measured(skeleton, goal, pose), near)
                && engine.may_stay(goal, pose)
        }
    }) && acting().all(|goal| !is_undefined(skeleton, goal, pose) && engine.is_inside(skeleton, goal, pose))
}

/// What is said where the pose stays.
pub(super) fn stay(
    engine: &impl Engine,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &Pose,
    work: &mut Workspace,
) -> Outcome {
    for (place, goal) in goals.iter().enumerate().filter(|(_, goal)| engine.acts_on(skeleton, goal)) {
        let own = engine.tolerance(skeleton, goals, goal, pose);
        report(skeleton, (place, goal), pose, own, work, |_| Miss::default());
    }
    work.outcome(0)
}

/// Whether all joints between a goal's joint and its base are inside their limits.
pub(in crate::solve) fn is_inside(skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> bool {
    chain(skeleton, goal).all(|joint| match (skeleton.kind(joint), skeleton.drive(joint)) {
        (Kind::Fixed, _) => true,
        (_, Some(drive)) => {
            let range = skeleton.coordinates()[drive.coordinate].range;
            let q = pose.coordinates()[drive.coordinate];
            (range.clamp(q) - q).abs() <= INSIDE && !pose.is_off_axis(skeleton, joint)
        }
        _ => {
            let local = pose.local(joint);
            let (now, nearest) = (local.rotation, skeleton.nearest_allowed(joint, local, 0.0).rotation);
            let off = if now.dot(nearest) < 0.0 { now + nearest } else { now - nearest };
            ops::sqrt(off.dot(off)) <= INSIDE
        }
    })
}

/// Length of the chain from a goal's base to its point (metres, model space).
pub fn length(skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> f64 {
    let point = pose.model(goal.joint).transform_point3(goal.offset);
    let places = chain(skeleton, goal).map(|joint| pose.position(joint));
    let before = core::iter::once(point).chain(places.clone());
    before.zip(places).map(|(from, to)| arc::length(to - from)).sum()
}
