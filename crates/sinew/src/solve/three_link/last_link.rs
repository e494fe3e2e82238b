//! The last link, as it hangs on its joint, and that joint turned so that the link points along a direction.

use glam::{DQuat, DVec3};

use super::settings::ThreeLink;
use crate::math::affine::inverse;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::point;
use crate::transform::Transform;

/// The tip's point in the frame of the last link's joint.
pub(super) fn link_of(limb: &ThreeLink, skeleton: &Skeleton, pose: &Pose, offset: DVec3) -> Option<DVec3> {
    let mut place = offset;
    let mut at = Some(limb.tip);
    while let Some(joint) = at.filter(|&joint| joint != limb.low) {
        place = pose.local(joint).to_affine().transform_point3(place);
        at = skeleton.parent(joint);
    }
    (place != DVec3::ZERO && place.is_finite()).then_some(place)
}

/// The rotation of the last link's joint from which it is turned: that at rest, at weights below one part of the way there.
pub(super) fn before_pointing(limb: &ThreeLink, skeleton: &Skeleton, weight: f64, pose: &Pose) -> DQuat {
    let rest = skeleton.rest(limb.low).rotation;
    if weight < 1.0 { arc::part_of_turn(pose.local(limb.low).rotation, rest, weight) } else { rest }
}

/// Turns the last link's joint, from a rotation of it, so that the link points along `direction` (model space), as far as
/// it may.
pub(super) fn point_last(
    limb: &ThreeLink,
    skeleton: &Skeleton,
    pose: &mut Pose,
    from: DQuat,
    (link, direction): (DVec3, DVec3),
    blocked: &mut dyn FnMut(Joint),
) {
    let low = limb.low;
    let local = *pose.local(low);
    let from = Transform { rotation: from, ..local };
    let Some(into) = skeleton.parent(low).and_then(|parent| inverse(pose.model(parent))) else { return };
    let near = pose.value(skeleton, low);
    let turned = point::toward(skeleton, low, &from, near, local.scale * link, into.transform_vector3(direction));
    pose.edit(skeleton).local(low, turned);
    if !points(limb, pose, link, direction) {
        blocked(low);
    }
}

/// Whether the last link points along a direction in model space.
pub(super) fn points(limb: &ThreeLink, pose: &Pose, link: DVec3, direction: DVec3) -> bool {
    let now = arc::unit(pose.model(limb.low).transform_vector3(link));
    now.zip(arc::unit(direction)).is_none_or(|(now, wanted)| arc::length(now - wanted) < 1e-9)
}
