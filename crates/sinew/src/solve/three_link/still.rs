//! A solved limb stands still: joints get their rotations back, bit for bit, where an answer says no more.

use glam::{DQuat, DVec3};

use super::settings::ThreeLink;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::two_bone::measure::STILL_ANGLE;
use crate::solve::two_bone::swivel::ALLOWED;
use crate::transform::Transform;

/// Turn (radians) within which searches for one answer end, and relative distance that is none.
const SEARCHED: f64 = 2e-6;
const ROUNDING: f64 = 1e-11;
/// Relative difference below which one of two misses is no better.
pub(super) const AS_GOOD: f64 = 1e-6;

/// Gives a joint its rotation back, bit for bit, where it only differs by rounding: a solved limb stands
/// still.
pub(super) fn stand(joint: Joint, given: &Transform, skeleton: &Skeleton, pose: &mut Pose) {
    if pose.local(joint) != given && near(given, pose.local(joint)) {
        pose.edit(skeleton).local(joint, *given);
    }
}

/// Gives the joints their rotations back, bit for bit, where the tip was as near, and they differ by no more than where
/// searches end: what is solved stays, though searches see it from another pose. A limb that keeps its bend stays inside
/// its limits, whatever the difference.
pub(super) fn stays(
    limb: &ThreeLink,
    skeleton: &Skeleton,
    (target, offset): (DVec3, DVec3),
    before: &[(Joint, Transform); 3],
    keeps: bool,
    pose: &mut Pose,
) -> bool {
    let now = before.map(|(joint, _)| (joint, *pose.local(joint)));
    let is_inside = |(joint, local): &(Joint, Transform)| pose.excess(skeleton, *joint, local) < ALLOWED;
    let is_same = || now.iter().zip(before).all(|((_, a), (_, b))| within(a, b, SEARCHED));
    if now == *before || !(is_same() || keeps && before.iter().all(is_inside)) {
        return false;
    }
    let off = |pose: &Pose| arc::length(target - pose.model(limb.tip).transform_point3(offset));
    let places = [limb.root, limb.mid, limb.low, limb.tip].map(|joint| pose.position(joint));
    let size: f64 = places.windows(2).map(|pair| arc::length(pair[1] - pair[0])).sum();
    let most = off(pose) * (1.0 + AS_GOOD) + ROUNDING * size;
    let set = |locals: &[(Joint, Transform); 3], pose: &mut Pose| {
        let mut edit = pose.edit(skeleton);
        for &(joint, local) in locals {
            edit.local(joint, local);
        }
    };
    set(before, pose);
    let stays = off(pose) <= most;
    if !stays {
        set(&now, pose);
    }
    stays
}

/// Whether two transforms differ by a turn that is rounding, and nothing else.
pub(super) fn near(a: &Transform, b: &Transform) -> bool {
    within(a, b, STILL_ANGLE)
}

/// Whether two transforms differ by a turn below an angle, and nothing else.
fn within(a: &Transform, b: &Transform, angle: f64) -> bool {
    let difference: DQuat =
        if a.rotation.dot(b.rotation) < 0.0 { a.rotation + b.rotation } else { a.rotation - b.rotation };
    difference.dot(difference) < 0.25 * angle * angle && a.translation == b.translation
}
