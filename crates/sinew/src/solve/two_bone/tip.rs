//! The tip's rotation: where a goal or the caller's choice of end fixes it in model space.

use glam::{DMat3, DQuat, DVec3};

use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::Status;
use crate::transform::Transform;

/// Angle (radians) below which a rotation is met.
const MET: f64 = 1e-9;
/// Angle below which it is left as it is.
const STILL: f64 = 1e-10;

/// Turns a joint to a rotation in model space, as far as its limit allows.
pub(super) fn turn(
    skeleton: &Skeleton,
    pose: &mut Pose,
    tip: Joint,
    to: Option<DQuat>,
    blocked: &mut impl FnMut(Joint),
) -> Status {
    let Some(to) = to else { return Status::Reached };
    // One round is exact unless scale above is not uniform.
    for _ in 0..8 {
        let Some(now) = arc::rotation_of(&pose.model(tip).matrix3) else { return Status::Singular };
        let turn = to * now.conjugate();
        if arc::length(DVec3::new(turn.x, turn.y, turn.z)) < 0.5 * STILL {
            break;
        }
        let parent = skeleton.parent(tip).map_or(DMat3::IDENTITY, |parent| pose.model(parent).matrix3);
        let Some(in_parent) = arc::rotation_of(&(parent.inverse() * DMat3::from_quat(turn) * parent)) else {
            return Status::Singular;
        };
        let local = pose.local(tip);
        let wanted = Transform { rotation: arc::normalize(in_parent * local.rotation), ..*local };
        let allowed = skeleton.nearest_allowed(tip, &wanted, pose.value(skeleton, tip));
        pose.edit(skeleton).local(tip, allowed);
        if allowed != wanted {
            let left = arc::rotation_vector(wanted.rotation * allowed.rotation.conjugate());
            if arc::length(left) > MET {
                blocked(tip);
                return Status::Limited;
            }
        }
    }
    Status::Reached
}
