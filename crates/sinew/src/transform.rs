//! Translation, rotation and scale, and rotations as users pass them.

use glam::{DAffine3, DQuat, DVec3, Quat};

use crate::math::arc;

/// A joint's transform relative to its parent: translation · rotation · scale, as in glTF.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Transform {
    /// Offset from the parent's origin, in the parent's axes (metres).
    pub translation: DVec3,
    /// Unit quaternion.
    pub rotation: DQuat,
    /// Factors along the joint's own axes; may be negative (mirrors) or zero (singular).
    pub scale: DVec3,
}

impl Transform {
    /// No translation, no rotation, scale one.
    pub const IDENTITY: Self = Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// A pure translation.
    pub fn from_translation(translation: impl Into<DVec3>) -> Self {
        Self { translation: translation.into(), ..Self::IDENTITY }
    }

    /// A pure rotation.
    pub fn from_rotation(rotation: impl Into<Rotation>) -> Self {
        Self { rotation: rotation.into().0, ..Self::IDENTITY }
    }

    /// The affine map `translation · rotation · scale`.
    pub fn to_affine(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// Whether no number is NaN or infinite.
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// A rotation as callers have it: from glam's `Quat` or `DQuat`, renormalised in `f64`.
///
/// A zero or non-finite quaternion is no rotation: it becomes NaN, which a builder answers with an
/// error and a solver with [`Status::Invalid`](crate::Status::Invalid).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation(pub(crate) DQuat);

impl Rotation {
    /// No rotation.
    pub const IDENTITY: Self = Self(DQuat::IDENTITY);

    /// Turn by `angle` radians about `axis` (any length but zero).
    pub fn about(axis: impl Into<DVec3>, angle: f64) -> Self {
        arc::unit(axis.into()).map_or(Self(DQuat::NAN), |axis| Self(arc::axis_angle(axis, angle)))
    }

    /// The unit quaternion.
    pub fn quaternion(self) -> DQuat {
        self.0
    }
}

impl From<DQuat> for Rotation {
    fn from(q: DQuat) -> Self {
        let length_squared = q.dot(q);
        // A unit quaternion is left bit for bit.
        if (length_squared - 1.0).abs() <= 4.0 * f64::EPSILON {
            Self(q)
        } else if length_squared > 1e-200 && length_squared.is_finite() {
            Self(arc::normalize(q))
        } else {
            Self(DQuat::NAN)
        }
    }
}

impl From<Quat> for Rotation {
    fn from(q: Quat) -> Self {
        Self::from(q.as_dquat())
    }
}

impl From<Rotation> for DQuat {
    fn from(r: Rotation) -> Self {
        r.0
    }
}

impl From<Rotation> for Quat {
    fn from(r: Rotation) -> Self {
        r.0.as_quat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_are_renormalised_in_f64() {
        let coarse = Quat::from_xyzw(0.1, 0.2, 0.3, 0.927_361_8);
        let q = Rotation::from(coarse).quaternion();
        assert!((q.length() - 1.0).abs() < 1e-15);
        assert!((Rotation::from(DQuat::from_xyzw(0.0, 0.0, 0.0, 5.0)).quaternion().w - 1.0).abs() < 1e-15);
    }

    #[test]
    fn what_is_no_rotation_becomes_nan() {
        for q in [DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::NAN, DQuat::from_xyzw(f64::INFINITY, 0.0, 0.0, 1.0)] {
            assert!(Rotation::from(q).quaternion().is_nan());
        }
        assert!(Rotation::about(DVec3::ZERO, 1.0).quaternion().is_nan());
    }
}
