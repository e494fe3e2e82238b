//! Joints between those of a limb: which are reset so that they can share a twist.

use glam::DQuat;

use super::settings::TwoBone;
use crate::pose::Edit;
use crate::skeleton::{Joint, Skeleton};

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
