//! One joint, one turn: closed forms on a place, a rotation and a ray.

use glam::{DQuat, DVec3};

use crate::math::{arc, ops};
use crate::solve::Status;

/// Sine below which an up lies along the line of sight and settles nothing.
const PARALLEL: f64 = 1e-5;

/// A joint and the ray it aims. The joint's place and rotation are in any one space; the ray is in the
/// joint's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Barrel {
    /// Place of the joint, about which it turns (metres).
    pub origin: DVec3,
    /// Rotation of the joint (a unit quaternion).
    pub rotation: DQuat,
    /// Direction of the ray in the joint's frame (any length but zero).
    pub axis: DVec3,
    /// Start of the ray, the muzzle, in the joint's frame (metres); zero for eyes and cameras.
    pub offset: DVec3,
}

/// What is aimed at, in the space of the joint's place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// The ray goes through a point.
    Point(DVec3),
    /// The ray goes along a direction (any length but zero), wherever it starts.
    Direction(DVec3),
}

/// What becomes of the roll about the line of sight, from the joint's place to the point, or along the
/// direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Roll {
    /// The shortest turn from where the joint is; the default.
    #[default]
    Shortest,
    /// An axis of the joint as near to a direction as a roll brings it. Where either lies along the
    /// line of sight, the shortest turn.
    Up {
        /// Axis in the joint's frame (any length).
        axis: DVec3,
        /// Where it should point (any length), in the space of the joint's place.
        direction: DVec3,
        /// Roll from there about the line of sight (radians).
        twist: f64,
    },
    /// The shortest turn from a rotation that is always the same, whatever the joint's own.
    Rest {
        /// Rotation of the joint at rest.
        rotation: DQuat,
        /// Roll from there about the line of sight (radians).
        twist: f64,
    },
}

/// How to turn the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The turn in the space of the joint's place: the new rotation is `turn * rotation`.
    pub turn: DQuat,
    /// `Reached`; `TooClose` where the ray cannot pass through the point (it then passes as near as it
    /// may), where the point is behind the muzzle (it is on the line all the same), or at the joint's
    /// place (no turn); `Singular` without an axis or direction (no turn); `Invalid` for input that is
    /// no number (no turn).
    pub status: Status,
}

/// The turn that brings a joint's ray through the mark. Half turns are about the coordinate axis of
/// the joint that is least along the ray.
pub fn turn(barrel: &Barrel, mark: Mark, roll: Roll) -> Turn {
    let none = |status| Turn { turn: DQuat::IDENTITY, status };
    if !(barrel.is_finite() && mark.is_finite() && roll.is_finite()) {
        return none(Status::Invalid);
    }
    let sight = match barrel.sight(mark) {
        Ok(sight) => sight,
        Err(status) => return none(status),
    };
    let turn = match roll {
        Roll::Shortest => sight.turn(barrel.rotation, None),
        Roll::Up { axis, direction, twist } => {
            sight.turn(barrel.rotation, Some((sight.untwisted(axis, twist), direction)))
        }
        Roll::Rest { rotation, twist } => {
            let rested = arc::axis_angle(sight.to, twist) * sight.turn(rotation, None) * rotation;
            arc::normalize(rested * barrel.rotation.conjugate())
        }
    };
    Turn { turn, status: sight.status }
}

impl Barrel {
    fn is_finite(&self) -> bool {
        self.origin.is_finite() && self.rotation.is_finite() && self.axis.is_finite() && self.offset.is_finite()
    }

    /// The point of the ray that must lie on the line of sight; `Err` where there is no such line.
    pub(super) fn sight(&self, mark: Mark) -> Result<Sight, Status> {
        let axis = arc::unit(self.axis).ok_or(Status::Singular)?;
        let line = match mark {
            Mark::Direction(direction) => {
                let to = arc::unit(direction).ok_or(Status::Singular)?;
                return Ok(Sight { held: axis, to, status: Status::Reached });
            }
            Mark::Point(point) => point - self.origin,
        };
        let to = arc::unit(line).ok_or(Status::TooClose)?;
        // In units of the distance, so that no square overflows.
        let offset = self.offset / to.dot(line);
        let across = arc::reject(offset, axis);
        let sine_squared = across.dot(across);
        let ahead = ops::sqrt_clamped(1.0 - sine_squared);
        let held = arc::unit(across + axis * ahead).ok_or(Status::TooClose)?;
        let met = sine_squared < 1.0 && ahead > axis.dot(offset);
        Ok(Sight { held, to, status: if met { Status::Reached } else { Status::TooClose } })
    }
}

impl Mark {
    fn is_finite(self) -> bool {
        match self {
            Self::Point(v) | Self::Direction(v) => v.is_finite(),
        }
    }
}

impl Roll {
    fn is_finite(self) -> bool {
        match self {
            Self::Shortest => true,
            Self::Up { axis, direction, twist } => axis.is_finite() && direction.is_finite() && twist.is_finite(),
            Self::Rest { rotation, twist } => rotation.is_finite() && twist.is_finite(),
        }
    }
}

/// Which direction of the joint goes where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    /// Unit direction in the joint's frame.
    pub(super) held: DVec3,
    /// Unit direction in the space of the joint's place.
    pub(super) to: DVec3,
    pub(super) status: Status,
}

impl Sight {
    /// The turn from `rotation`; of `up`, the axis is in the joint's frame.
    pub(super) fn turn(&self, rotation: DQuat, up: Option<(DVec3, DVec3)>) -> DQuat {
        let from = arc::unit(rotation * self.held).unwrap_or(self.held);
        let upright = up.and_then(|(axis, direction)| {
            let now = arc::unit_reject(rotation * axis, from, PARALLEL)?;
            Some((now, arc::unit_reject(direction, self.to, PARALLEL)?))
        });
        match upright {
            Some((now, wanted)) => arc::between_frames(from, now, self.to, wanted),
            None => arc::arc(from, self.to, rotation * arc::any_perpendicular(self.held)),
        }
    }

    /// The axis that stands where `axis` would without the twist.
    pub(super) fn untwisted(&self, axis: DVec3, twist: f64) -> DVec3 {
        if twist == 0.0 { axis } else { arc::axis_angle(self.held, -twist) * axis }
    }
}
