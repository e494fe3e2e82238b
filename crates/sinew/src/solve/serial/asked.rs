//! Where the tip should be.

use glam::{BVec3, DQuat, DVec3};

use crate::goal::{Mask, Tolerance};
use crate::transform::Rotation;

/// A frame that the tip of an [`Arm`](super::Arm) should take, in that of the arm's base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// Where the tip should be (metres).
    pub position: DVec3,
    /// How the tip should stand, a unit quaternion.
    pub rotation: DQuat,
    /// Which components count, along and about the base's axes.
    pub mask: Mask,
    /// How near is near enough.
    pub tolerance: Tolerance,
}

impl Asked {
    /// The whole frame, within 1e-6 m and 1e-6 rad.
    pub fn frame(position: impl Into<DVec3>, rotation: impl Into<Rotation>) -> Self {
        let tolerance = Tolerance { position: 1e-6, rotation: 1e-6 };
        Self { position: position.into(), rotation: rotation.into().0, mask: Mask::default(), tolerance }
    }

    /// The place alone, within 1e-6 m.
    pub fn position(position: impl Into<DVec3>) -> Self {
        let mask = Mask { position: BVec3::TRUE, rotation: BVec3::FALSE, ..Mask::default() };
        Self { mask, ..Self::frame(position, Rotation::IDENTITY) }
    }

    /// Sets how near is near enough.
    pub fn tolerance(self, tolerance: Tolerance) -> Self {
        Self { tolerance, ..self }
    }

    /// Whether everything is a number, the rotation is one, and tolerances are not negative.
    pub fn is_valid(&self) -> bool {
        let (turn, near) = (self.rotation, self.tolerance);
        self.position.is_finite() && (turn.dot(turn) - 1.0).abs() < 1e-6 && near.position >= 0.0 && near.rotation >= 0.0
    }
}
