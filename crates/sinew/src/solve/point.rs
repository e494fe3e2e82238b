//! One joint turns so that a vector of its frame points along a direction, as nearly as its kind and
//! limit allow.

use glam::DVec3;

use crate::math::{arc, ops};
use crate::skeleton::{Joint, Skeleton};
use crate::transform::Transform;

/// Rounds of turning and projecting, where a limit leaves the turn about the direction free.
const ROUNDS: u32 = 12;
/// Sine below which the vector has arrived.
const ARRIVED: f64 = 1e-12;

/// The local transform, from `local` on, at which `vector` (in the joint's frame, scale included) points
/// along `wanted` (in its parent's). A ball turns by the shortest arc, a hinge (now at the value `near`) by
/// the best angle; where a limit is in the way, as nearly as it allows. A vector or direction of zero leaves
/// `local`, inside its limit.
pub(super) fn toward(
    skeleton: &Skeleton,
    joint: Joint,
    local: &Transform,
    near: f64,
    vector: DVec3,
    wanted: DVec3,
) -> Transform {
    if let Some((axis, range)) = skeleton.hinge(joint) {
        let zero = skeleton.zero(joint).rotation;
        let target = zero.conjugate() * wanted;
        // The angle itself, the joint's own turn left out.
        let sine = axis.dot(vector.cross(target));
        let cosine = vector.dot(target) - axis.dot(vector) * axis.dot(target);
        if sine == 0.0 && cosine == 0.0 {
            return skeleton.nearest_allowed(joint, local, near);
        }
        let turn = arc::axis_angle(axis, range.clamp_angle(ops::atan2(sine, cosine), near));
        return Transform { rotation: zero * turn, ..*local };
    }
    let (Some(vector), Some(wanted)) = (arc::unit(vector), arc::unit(wanted)) else {
        return skeleton.nearest_allowed(joint, local, near);
    };
    let mut turned = *local;
    for _ in 0..ROUNDS {
        let from = turned.rotation * vector;
        let turn = arc::arc(from, wanted, turned.rotation * arc::any_perpendicular(vector));
        let whole = Transform { rotation: arc::normalize(turn * turned.rotation), ..turned };
        let allowed = skeleton.nearest_allowed(joint, &whole, near);
        let before = turned;
        turned = allowed;
        let arrived = arc::length((turned.rotation * vector).cross(wanted)) < ARRIVED;
        if allowed == whole || arrived || before == turned {
            break;
        }
    }
    turned
}
