//! Joints between those of a limb: which of a path bend, and which are reset so that they can share a twist.

use glam::DQuat;

use super::solver::TwoBone;
use crate::chain::Chain;
use crate::pose::Edit;
use crate::skeleton::{Joint, Skeleton};

/// Whether a joint is called a twist bone.
fn is_twist(skeleton: &Skeleton, joint: Joint) -> bool {
    skeleton.name(joint).is_some_and(|name| {
        let name = name.to_lowercase();
        name.contains("twist") || name.contains("roll")
    })
}

/// Joints of a path that can bend, tip first: those that turn, are not called twist, and have a bone of
/// some length.
pub(in crate::solve) fn bends<'a>(skeleton: &'a Skeleton, path: &'a Chain) -> impl Iterator<Item = Joint> + 'a {
    let rest = skeleton.rest_pose();
    let mut below = path.tip();
    let place = |joint: Joint| rest.position(joint);
    let size = path.joints().iter().map(|&joint| place(joint).distance(place(below))).fold(0.0, f64::max);
    path.joints().iter().rev().skip(1).copied().filter(move |&joint| {
        let bone = rest.position(joint).distance(rest.position(below));
        let bends = skeleton.kind(joint).turns() && bone > 1e-6 * size && !is_twist(skeleton, joint);
        below = if bends { joint } else { below };
        bends
    })
}

/// Whether a joint between starts each solve anew: one that turns, and neither follows another joint nor is
/// followed.
pub(super) fn is_reset(skeleton: &Skeleton, joint: Joint) -> bool {
    let alone = skeleton.drive(joint).is_none_or(|drive| skeleton.driven(drive.coordinate).nth(1).is_none());
    skeleton.kind(joint).turns() && alone
}

/// The rotation from which its share is measured: the rest's, or the nearest to it that is allowed.
pub(super) fn reset(skeleton: &Skeleton, joint: Joint) -> DQuat {
    skeleton.nearest_allowed(joint, skeleton.rest(joint), 0.0).rotation
}

/// Resets the joints between.
pub(super) fn reset_all(limb: &TwoBone, skeleton: &Skeleton, edit: &mut Edit<'_>) {
    for (above, below) in [(limb.root, limb.mid), (limb.mid, limb.tip)] {
        for joint in between(skeleton, above, below).filter(|&joint| is_reset(skeleton, joint)) {
            edit.rotation(joint, reset(skeleton, joint));
        }
    }
}

/// The joints strictly between, from below.
pub(super) fn between(skeleton: &Skeleton, above: Joint, below: Joint) -> impl Iterator<Item = Joint> + '_ {
    core::iter::successors(skeleton.parent(below), |&joint| skeleton.parent(joint))
        .take_while(move |&joint| joint != above)
}
