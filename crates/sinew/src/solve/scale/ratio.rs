//! The ratio of local scales to rest scales along a chain, and what is left of a goal for it.

use glam::DVec3;

use crate::goal::{Goal, Target};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::problem::scope::chain;

/// How far from a goal, as a share of it, its product may be and count as met.
const MET: f64 = 1e-12;

/// Whether what is left of a goal along one axis is rounding.
pub(super) fn is_met(goal: f64, left: f64) -> bool {
    left.abs() <= MET * goal.abs() + f64::MIN_POSITIVE
}

/// Whether what is left of a goal's scale is rounding; other goals have none.
pub(in crate::solve) fn is_scaled(goal: &Goal, left: DVec3) -> bool {
    let Target::Scale(wanted) = goal.target else { return true };
    (0..3).all(|axis| is_met(wanted[axis], left[axis]))
}

/// A joint's local scale over its rest scale; not finite where that is zero.
pub(super) fn ratio(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> DVec3 {
    pose.local(joint).scale / skeleton.rest(joint).scale
}

/// Goal minus product, along the goal's axes; zero along those where a rest scale of zero leaves no ratio.
pub(in crate::solve) fn scale_left(skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> DVec3 {
    let left = left(skeleton, goal, pose);
    DVec3::select(left.is_finite_mask(), left, DVec3::ZERO)
}

/// Whether there is a ratio along all axes of a goal.
pub(in crate::solve) fn has_ratio(skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> bool {
    left(skeleton, goal, pose).is_finite()
}

fn left(skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> DVec3 {
    let Target::Scale(wanted) = goal.target else { return DVec3::ZERO };
    let product = chain(skeleton, goal).fold(DVec3::ONE, |product, joint| product * ratio(skeleton, pose, joint));
    DVec3::select(goal.mask.scale, wanted - product, DVec3::ZERO)
}
