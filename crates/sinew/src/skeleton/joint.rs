//! One joint of a skeleton: its handle, its mass, and what the skeleton knows of it.

use alloc::string::String;

use glam::{DQuat, DVec3};

use super::kind::{Drive, Kind};
use crate::limit::Range;
use crate::transform::Transform;

/// No joint.
pub(super) const NONE: u32 = u32::MAX;

/// A joint of one skeleton: a handle that is cheap to copy and knows its skeleton, so that a joint of another skeleton
/// is noticed. Skeletons built from the same input share handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[doc(alias = "bone")]
#[doc(alias = "link")]
pub struct Joint {
    pub(super) index: u32,
    pub(super) skeleton: u32,
}

impl Joint {
    /// Index in depth-first order.
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// In debug builds, that the handle is of the skeleton with this fingerprint.
    #[inline]
    pub(crate) fn assert_of(self, skeleton: u32) {
        debug_assert!(self.skeleton == skeleton, "the joint belongs to another skeleton");
    }
}

/// Mass of a joint's rigid body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mass {
    /// Kilograms, not negative.
    pub mass: f64,
    /// Centre of mass in the joint's frame (metres).
    pub center: DVec3,
}

/// What a skeleton knows of one joint.
#[derive(Clone, Debug)]
pub(super) struct JointData {
    pub(super) parent: u32,
    pub(super) subtree_end: u32,
    /// Ordinal of the root above (index into `bases`).
    pub(super) root: u32,
    pub(super) caller: u32,
    pub(super) rest: Transform,
    pub(super) zero: Transform,
    pub(super) kind: Kind,
    pub(super) drive: Option<Drive>,
    /// What followers leave of a hinge's or slide's own range.
    pub(super) range: Range,
    pub(super) stiffness: f64,
    pub(super) bend: Option<DVec3>,
    pub(super) mass: Mass,
    pub(super) name: Option<String>,
}

/// Rotation of a hinge at `value` radians.
pub(crate) fn hinge_rotation(zero: &Transform, axis: DVec3, value: f64) -> DQuat {
    zero.rotation * crate::math::arc::axis_angle(axis, value)
}

/// Value of a slide in the given local transform (metres).
pub(crate) fn slide_value(zero: &Transform, axis: DVec3, local: &Transform) -> f64 {
    (zero.rotation * axis).dot(local.translation - zero.translation)
}
