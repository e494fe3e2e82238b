//! A joint's turn from its rest, in the axes of the model at rest: what joints whose own axes lie otherwise can share.

use glam::{DMat3, DQuat};
use sinew::{Joint, Pose, Rotation, Skeleton};

/// The turn that a local rotation is, of a joint with this rest relative to its parent and in the model.
pub(crate) fn turn_of(rest: DQuat, in_model: DQuat, local: DQuat) -> DQuat {
    in_model * (rest.conjugate() * local) * in_model.conjugate()
}

/// The local rotation that a turn makes of a joint.
pub(crate) fn turned_by(rest: DQuat, in_model: DQuat, turn: DQuat) -> DQuat {
    Rotation::from(rest * (in_model.conjugate() * turn * in_model)).quaternion()
}

/// The map of directions from the frame in which a joint's local transform is to the model, in a pose.
pub(crate) fn above(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> DMat3 {
    let frame = match skeleton.parent(joint) {
        Some(parent) => pose.model(parent),
        None => skeleton.base(joint),
    };
    frame.matrix3
}
