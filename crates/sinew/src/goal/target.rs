//! The kinds of target.

use glam::{DQuat, DVec3};

/// The kinds of target.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
#[non_exhaustive]
pub enum Target {
    /// The joint's (offset) point at a position.
    Position(DVec3),
    /// The joint's rotation.
    Rotation(DQuat),
    /// Both.
    Frame {
        /// Place of the joint's (offset) point.
        position: DVec3,
        /// Rotation of the joint.
        rotation: DQuat,
    },
    /// An axis of the joint at a point.
    Aim {
        /// Axis in the joint's frame.
        axis: DVec3,
        /// The point looked at.
        point: DVec3,
        /// Direction that the joint's up should lean to, as far as goals and limits let it: the goal is met without.
        up: Option<DVec3>,
    },
    /// An axis of the joint along a direction.
    Axis {
        /// Axis in the joint's frame.
        axis: DVec3,
        /// The direction.
        direction: DVec3,
        /// Direction that the joint's up should lean to, as far as goals and limits let it: the goal is met without.
        up: Option<DVec3>,
    },
    /// The joint's scale, as a ratio to its rest: the product of local ratios from the goal's base (or the root) on,
    /// along each joint's own axes.
    Scale(DVec3),
    /// The centre of mass of the joint and all below it.
    CenterOfMass(DVec3),
}

impl Target {
    /// Rank among the kinds, for the order in which goals are solved.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::Position(_) => 0,
            Self::Rotation(_) => 1,
            Self::Frame { .. } => 2,
            Self::Aim { .. } => 3,
            Self::Axis { .. } => 4,
            Self::Scale(_) => 5,
            Self::CenterOfMass(_) => 6,
        }
    }

    /// The numbers, for order: unused places are zero.
    pub(super) fn numbers(&self) -> [f64; 9] {
        let mut all = [0.0; 9];
        let mut at = 0;
        let mut put = |values: &[f64]| {
            all[at..at + values.len()].copy_from_slice(values);
            at += values.len();
        };
        match self {
            Self::Position(v) | Self::Scale(v) | Self::CenterOfMass(v) => put(&v.to_array()),
            Self::Rotation(q) => put(&q.to_array()),
            Self::Frame { position, rotation } => {
                put(&position.to_array());
                put(&rotation.to_array());
            }
            Self::Aim { axis, point, up } => {
                put(&axis.to_array());
                put(&point.to_array());
                put(&up.unwrap_or(DVec3::ZERO).to_array());
            }
            Self::Axis { axis, direction, up } => {
                put(&axis.to_array());
                put(&direction.to_array());
                put(&up.unwrap_or(DVec3::ZERO).to_array());
            }
        }
        all
    }

    /// Whether every number is one.
    pub(crate) fn is_finite(&self) -> bool {
        match self {
            Self::Position(v) | Self::Scale(v) | Self::CenterOfMass(v) => v.is_finite(),
            Self::Rotation(q) => q.is_finite(),
            Self::Frame { position, rotation } => position.is_finite() && rotation.is_finite(),
            Self::Aim { axis, point: to, up } | Self::Axis { axis, direction: to, up } => {
                axis.is_finite() && to.is_finite() && up.is_none_or(DVec3::is_finite)
            }
        }
    }

    /// The position, where the target has one.
    pub fn position(&self) -> Option<DVec3> {
        match *self {
            Self::Position(position) | Self::Frame { position, .. } => Some(position),
            _ => None,
        }
    }

    /// Where the target is a rotation, that rotation.
    pub fn rotation(&self) -> Option<DQuat> {
        match *self {
            Self::Rotation(rotation) | Self::Frame { rotation, .. } => Some(rotation),
            _ => None,
        }
    }

    /// Whether an axis of it leans to an up.
    pub(crate) fn has_up(&self) -> bool {
        matches!(self, Self::Aim { up: Some(_), .. } | Self::Axis { up: Some(_), .. })
    }
}
