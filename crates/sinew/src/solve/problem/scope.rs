//! Which joints a goal may move.

use crate::goal::{Goal, Target};
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};

/// Chord by which a joint may be outside its limit and counts as inside.
const INSIDE: f64 = 1e-9;

/// Whether a goal may move a joint: one between its base (or the root) and its own; above what it is measured from; and of
/// a centre of mass what hangs on its joint.
pub(in crate::solve) fn may_use(skeleton: &Skeleton, goal: &Goal, joint: Joint) -> bool {
    let below_base = goal.base.is_none_or(|base| skeleton.is_below(joint, base));
    let above =
        skeleton.is_below(goal.joint, joint) || goal.relative_to.is_some_and(|from| skeleton.is_below(from, joint));
    let weighs = matches!(goal.target, Target::CenterOfMass(_)) && skeleton.is_below(joint, goal.joint);
    below_base && (above || weighs)
}

/// The joints that a goal [may use](may_use), from its own up; some of them twice. A joint of another skeleton has none.
pub(in crate::solve) fn usable<'a>(skeleton: &'a Skeleton, goal: &'a Goal) -> impl Iterator<Item = Joint> + use<'a> {
    let own = |joint: &Joint| skeleton.contains(*joint);
    let up = move |joint: Joint| core::iter::successors(Some(joint).filter(own), |&joint| skeleton.parent(joint));
    let weighs = matches!(goal.target, Target::CenterOfMass(_)).then(|| skeleton.iter());
    let all = up(goal.joint).chain(goal.relative_to.into_iter().flat_map(up)).chain(weighs.into_iter().flatten());
    all.filter(|&joint| may_use(skeleton, goal, joint))
}

/// From a goal's joint up to its base, or to the root.
pub(in crate::solve) fn chain<'a>(
    skeleton: &'a Skeleton,
    goal: &Goal,
) -> impl Iterator<Item = Joint> + Clone + use<'a> {
    let base = goal.base;
    core::iter::successors(
        Some(goal.joint),
        move |&joint| {
            if Some(joint) == base { None } else { skeleton.parent(joint) }
        },
    )
}

/// Whether all joints that count between a goal's joint and its base are inside their limits.
pub(in crate::solve) fn is_inside(
    skeleton: &Skeleton,
    goal: &Goal,
    pose: &Pose,
    counts: impl Fn(&Joint) -> bool,
) -> bool {
    chain(skeleton, goal).filter(counts).all(|joint| match (skeleton.kind(joint), skeleton.drive(joint)) {
        (Kind::Fixed, _) => true,
        (_, Some(drive)) => {
            let range = skeleton.coordinates()[drive.coordinate].range;
            let q = pose.coordinates()[drive.coordinate];
            (range.clamp(q) - q).abs() <= INSIDE && !pose.is_off_value(skeleton, joint)
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
    let add = |(length, below), place| (length + arc::length(place - below), place);
    chain(skeleton, goal).map(|joint| pose.position(joint)).fold((0.0, point), add).0
}
