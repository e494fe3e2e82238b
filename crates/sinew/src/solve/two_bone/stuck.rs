//! A limb that limits keep from where it is to go.

use glam::{DQuat, DVec3};

use super::measure::Measured;
use super::settings::TwoBone;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::limited::Turning;
use crate::transform::Transform;

/// Root and middle joint, both allowed.
pub(super) type Pair = [Turning; 2];

/// A limb whose limits forbid its placement.
#[derive(Clone, Copy)]
pub(in crate::solve) struct Stuck<'a> {
    pub(in crate::solve) limb: &'a TwoBone,
    pub(in crate::solve) skeleton: &'a Skeleton,
    pub(in crate::solve) pose: &'a Pose,
    pub(in crate::solve) measured: &'a Measured,
    /// Target from the root.
    pub(in crate::solve) p: DVec3,
}

impl Stuck<'_> {
    /// The root at a rotation.
    pub(super) fn root(&self, rotation: DQuat) -> Turning {
        self.at(self.limb.root, rotation)
    }

    /// The middle joint at a rotation.
    pub(super) fn mid(&self, rotation: DQuat) -> Turning {
        self.at(self.limb.mid, rotation)
    }

    /// A joint at a rotation that is allowed.
    pub(super) fn inside(&self, joint: Joint, rotation: DQuat) -> Turning {
        Turning::inside(self.skeleton, joint, rotation, self.pose.value(self.skeleton, joint))
    }

    /// A joint at a rotation, brought inside its limit.
    pub(super) fn at(&self, joint: Joint, rotation: DQuat) -> Turning {
        let local = Transform { rotation, ..*self.pose.local(joint) };
        Turning::at(self.skeleton, joint, &local, self.pose.value(self.skeleton, joint))
    }
}
