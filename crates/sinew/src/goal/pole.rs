//! To which side a limb bends.

use glam::DVec3;

/// Where a limb's middle joint should point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[doc(alias = "hint")]
#[doc(alias = "pole vector")]
pub enum Pole {
    /// Towards a point.
    Point(DVec3),
    /// Along a direction of any length; one of no length asks for nothing.
    Direction(DVec3),
}

impl Pole {
    /// Whether it asks for a side at all.
    pub(crate) fn asks(&self) -> bool {
        *self != Self::Direction(DVec3::ZERO)
    }
}

impl From<DVec3> for Pole {
    fn from(point: DVec3) -> Self {
        Self::Point(point)
    }
}

impl From<glam::Vec3> for Pole {
    fn from(point: glam::Vec3) -> Self {
        Self::Point(point.as_dvec3())
    }
}

/// A limb's bend plane at the end of a solve, in the space of the parent of the limb's root. Passed back in the next
/// goal it carries the plane from frame to frame, so that the middle joint never jumps.
#[doc(alias = "swivel angle")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Swivel {
    /// From the root to the target (metres).
    pub target: DVec3,
    /// Unit direction, perpendicular to the line to the target, to which the middle joint bends.
    pub bend: DVec3,
    /// From the root to the middle joint (metres).
    pub mid: DVec3,
    /// Last turn of the bend about that line toward the pole (radians). Its sign decides the direction when both are
    /// equally far.
    pub turn: f64,
}
