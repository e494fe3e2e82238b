//! What its limit allows of one joint while the body is being placed.

use glam::{DQuat, DVec3};
use sinew::math::arc;
use sinew::{Joint, Kind, Skeleton, Transform};

use super::layout::Layout;
use super::place::ROUNDING;
use super::seen::{self, Frame, Seen};
use super::trunk::Trunk;

/// The limits of a body's joints, what lies between these held as in the pose given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowed<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) layout: &'a Layout,
    pub(super) seen: &'a Seen,
}

impl Allowed<'_> {
    /// Whether the joint has a limit at all.
    pub(super) fn is_limited(&self, joint: Joint) -> bool {
        !matches!(self.skeleton.kind(joint), Kind::BALL | Kind::Free)
    }

    /// Whether the joint never turns.
    pub(super) fn is_still(&self, joint: Joint) -> bool {
        self.skeleton.kind(joint) == Kind::Fixed
    }

    /// The joint's rotation as its limit has it nearest, on a joint of the body above it that is turned so.
    pub(super) fn nearest(&self, joint: Joint, above: (Joint, DQuat), rotation: DQuat) -> DQuat {
        if !self.is_limited(joint) {
            return rotation;
        }
        self.nearest_on(joint, self.carrier(joint, above), rotation)
    }

    /// How what carries the joint is turned, on a joint of the body above it that is turned so.
    pub(super) fn carrier(&self, joint: Joint, (above, turned): (Joint, DQuat)) -> DQuat {
        let frame = Frame { position: DVec3::ZERO, rotation: turned };
        let turned = seen::turned(self.layout, above, &frame);
        match self.skeleton.parent(joint) {
            Some(parent) if parent == above => turned,
            parent => {
                let parent = parent.map_or(self.layout.base, |parent| self.seen.turned(parent));
                turned * self.seen.turned(above).conjugate() * parent
            }
        }
    }

    /// The joint's rotation as its limit has it nearest, on a carrier that is turned so.
    pub(super) fn nearest_on(&self, joint: Joint, carrier: DQuat, rotation: DQuat) -> DQuat {
        if !self.is_limited(joint) {
            return rotation;
        }
        let frame = Frame { position: DVec3::ZERO, rotation };
        let local = arc::normalize(carrier.conjugate() * seen::turned(self.layout, joint, &frame));
        let wanted = Transform { rotation: local, ..*self.skeleton.rest(joint) };
        let allowed = self.skeleton.nearest_allowed(joint, &wanted, 0.0).rotation;
        if allowed == local {
            return rotation;
        }
        arc::normalize(carrier * allowed * self.layout.own(joint))
    }

    /// Lays joints of a trunk that never turn on what carries them, and has no step turn them.
    pub(super) fn stiffen(&self, trunk: &mut Trunk, hips: &Frame, mut above: (Joint, DQuat)) {
        let joints = self.layout.trunk.iter().zip(trunk.rotations.iter_mut().zip(&mut trunk.shares));
        for (&joint, (rotation, share)) in joints {
            if self.is_still(joint) {
                *rotation = arc::normalize(hips.rotation.conjugate() * self.nearest(joint, above, DQuat::IDENTITY));
                *share = 0.0;
            }
            above = (joint, hips.rotation * *rotation);
        }
    }

    /// Holds the joints of a trunk on hips, and on what carries both, inside their limits, each in turn; whether one was outside.
    pub(super) fn hold(&self, trunk: &mut Trunk, hips: &Frame, mut above: (Joint, DQuat), inside: &mut [bool]) -> bool {
        let mut is_held = false;
        for (&joint, rotation) in self.layout.trunk.iter().zip(&mut trunk.rotations) {
            let told = hips.rotation * *rotation;
            let nearest = self.nearest(joint, above, told);
            inside[joint.index()] = nearest == told;
            if nearest.dot(told).abs() < 1.0 - ROUNDING {
                is_held = true;
                *rotation = arc::normalize(hips.rotation.conjugate() * nearest);
                above = (joint, nearest);
            } else {
                above = (joint, told);
            }
        }
        is_held
    }
}
