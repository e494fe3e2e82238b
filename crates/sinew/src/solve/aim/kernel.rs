//! One joint, one turn: closed forms on a place, a rotation and a ray.

use glam::{DQuat, DVec3};

use crate::math::{arc, ops};
use crate::solve::Status;

/// Sine below which an up lies along the line of sight and settles nothing.
const PARALLEL: f64 = 1e-5;

/// A joint and the ray it aims. The joint's position and rotation are in one space of your choice; the ray is in the
/// joint's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimSource {
    /// Position of the joint, about which it turns (metres).
    pub origin: DVec3,
    /// Rotation of the joint (a unit quaternion).
    pub rotation: DQuat,
    /// Direction of the ray in the joint's frame (any length but zero).
    pub axis: DVec3,
    /// Start of the ray, the muzzle, in the joint's frame (metres); zero for eyes and cameras.
    pub offset: DVec3,
}

/// What is aimed at, in the space of the joint's position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AimTarget {
    /// The ray goes through a point.
    Point(DVec3),
    /// The ray goes along a direction (any length but zero), wherever it starts.
    Direction(DVec3),
}

/// How the roll about the line of sight is chosen. That line goes from the joint to the point, or along the direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Roll {
    /// The shortest turn from where the joint is; the default.
    #[default]
    Shortest,
    /// An axis of the joint, brought as near to a direction as a roll can. The shortest turn when either lies along the
    /// line of sight.
    Up {
        /// Axis in the joint's frame (any length).
        axis: DVec3,
        /// Where it should point (any length), in the space of the joint's place.
        direction: DVec3,
        /// Roll from there about the line of sight (radians).
        angle: f64,
    },
    /// The shortest turn from a rotation that is always the same, whatever the joint's own.
    Rest {
        /// Rotation of the joint at rest.
        rotation: DQuat,
        /// Roll from there about the line of sight (radians).
        angle: f64,
    },
}

/// How to turn the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The turn in the space of the joint's position: the new rotation is `turn * rotation`.
    pub turn: DQuat,
    /// - `Reached`.
    /// - `TooClose`: the ray cannot pass through the point, and passes as near as it can; or the point is behind the start
    ///   of the ray, on its line; or at the joint's position (no turn).
    /// - `Singular`: an axis or direction of length zero (no turn).
    /// - `Invalid`: input that is not finite (no turn).
    pub status: Status,
}

/// The turn that brings a joint's ray through the target. Half turns are about the coordinate axis of the joint that is
/// least along the ray.
pub fn turn(source: &AimSource, target: AimTarget, roll: Roll) -> Turn {
    let none = |status| Turn { turn: DQuat::IDENTITY, status };
    if !(source.is_finite() && target.is_finite() && roll.is_finite()) {
        return none(Status::Invalid);
    }
    let sight = match source.sight(target) {
        Ok(sight) => sight,
        Err(status) => return none(status),
    };
    let turn = match roll {
        Roll::Shortest => sight.turn(source.rotation, None),
        Roll::Up { axis, direction, angle } => {
            sight.turn(source.rotation, Some((sight.untwisted(axis, angle), direction)))
        }
        Roll::Rest { rotation, angle } => {
            let rested = arc::axis_angle(sight.to, angle) * sight.turn(rotation, None) * rotation;
            arc::normalize(rested * source.rotation.conjugate())
        }
    };
    Turn { turn, status: sight.status }
}

impl AimSource {
    fn is_finite(&self) -> bool {
        self.origin.is_finite() && self.rotation.is_finite() && self.axis.is_finite() && self.offset.is_finite()
    }

    /// The point of the ray that must lie on the line of sight; `Err` where there is no such line.
    pub(super) fn sight(&self, mark: AimTarget) -> Result<Sight, Status> {
        let axis = arc::unit(self.axis).ok_or(Status::Singular)?;
        let line = match mark {
            AimTarget::Direction(direction) => {
                let to = arc::unit(direction).ok_or(Status::Singular)?;
                return Ok(Sight { held: axis, to, status: Status::Reached });
            }
            AimTarget::Point(point) => point - self.origin,
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

impl AimTarget {
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
            Self::Up { axis, direction, angle } => axis.is_finite() && direction.is_finite() && angle.is_finite(),
            Self::Rest { rotation, angle } => rotation.is_finite() && angle.is_finite(),
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

    /// The axis that stands where `axis` would without the roll.
    pub(super) fn untwisted(&self, axis: DVec3, angle: f64) -> DVec3 {
        if angle == 0.0 { axis } else { arc::axis_angle(self.held, -angle) * axis }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::TAU;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = DVec3> {
        (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(DVec3::from).prop_filter("short", |v| v.length() > 0.1)
    }

    fn source() -> impl Strategy<Value = AimSource> {
        (vector(), vector(), -3.1..3.1_f64, vector(), vector()).prop_map(|(origin, about, angle, axis, offset)| {
            AimSource { origin, rotation: DQuat::from_axis_angle(about.normalize(), angle), axis, offset }
        })
    }

    fn angle(a: DVec3, b: DVec3) -> f64 {
        libm::atan2(a.cross(b).length(), a.dot(b))
    }

    /// Distance of a point from the turned ray's line, and how far ahead of the muzzle it lies.
    fn miss(source: &AimSource, turn: DQuat, point: DVec3) -> (f64, f64) {
        let along = (turn * source.rotation * source.axis).normalize();
        let to = point - (source.origin + turn * source.rotation * source.offset);
        (to.cross(along).length(), to.dot(along))
    }

    proptest! {
        #[test]
        fn the_ray_passes_through_the_point_or_as_near_as_may_be(source in source(), way in vector(), exponent in -6.0..6.0_f64, up in vector(), upright in prop::bool::ANY, angle in -3.0..3.0_f64) {
            let distance = libm::pow(10.0, exponent);
            let point = source.origin + way.normalize() * distance;
            let roll = if upright { Roll::Up { axis: up, direction: way.cross(up), angle } } else { Roll::Shortest };
            let got = turn(&source, AimTarget::Point(point), roll);
            let (off, ahead) = miss(&source, got.turn, point);
            let across = source.offset.reject_from(source.axis).length();
            prop_assert!((off - (across - distance).max(0.0)).abs() < 1e-10 * (1.0 + distance), "{off} {across} {got:?}");
            prop_assert_eq!(got.status == Status::Reached, ahead > 0.0 && distance > across);
            prop_assert!((got.turn.length() - 1.0).abs() < 1e-14);
        }

        #[test]
        fn no_roll_is_shorter_and_none_nearer_to_the_up(source in source(), way in vector(), own in vector(), up in vector()) {
            let point = source.origin + way * 40.0;
            let shortest = turn(&source, AimTarget::Point(point), Roll::Shortest).turn;
            let upright = turn(&source, AimTarget::Point(point), Roll::Up { axis: own, direction: up, angle: 0.0 }).turn;
            let lean = |turn: DQuat| angle(turn * source.rotation * own, up);
            for step in 0..360 {
                let roll = DQuat::from_axis_angle(way.normalize(), TAU / 360.0 * f64::from(step));
                prop_assert!((roll * shortest).w.abs() <= shortest.w.abs() + 1e-12);
                prop_assert!(lean(roll * upright) >= lean(upright) - 1e-6);
            }
        }

        #[test]
        fn a_roll_is_a_turn_and_rest_forgets_the_rotation(source in source(), other in source(), way in vector(), up in vector(), angle in -3.0..3.0_f64) {
            let along = AimTarget::Direction(way);
            let about = DQuat::from_axis_angle(way.normalize(), angle);
            let rest = other.rotation;
            for roll in [|rest: DQuat, _: DVec3, angle: f64| Roll::Rest { rotation: rest, angle }, |_: DQuat, up: DVec3, angle: f64| Roll::Up { axis: DVec3::X, direction: up, angle }] {
                prop_assume!(source.axis.normalize().cross(DVec3::X).length() > 1e-3 && way.normalize().cross(up.normalize()).length() > 1e-3);
                let without = turn(&source, along, roll(rest, up, 0.0)).turn;
                let with = turn(&source, along, roll(rest, up, angle)).turn;
                prop_assert!((about * without).dot(with).abs() > 1.0 - 1e-12);
            }
            let from = |rotation: DQuat| turn(&AimSource { rotation, ..source }, along, Roll::Rest { rotation: rest, angle }).turn * rotation;
            prop_assert!(from(source.rotation).dot(from(rest * DQuat::from_rotation_x(1.0))).abs() > 1.0 - 1e-12);
            // From rest itself it is the shortest turn.
            let shortest = turn(&AimSource { rotation: rest, ..source }, along, Roll::Shortest).turn;
            prop_assert!((about * shortest * rest).dot(from(rest)).abs() > 1.0 - 1e-12);
        }
    }

    #[test]
    fn degenerate_input_is_defined() {
        let gun = AimSource { origin: DVec3::ONE, rotation: DQuat::IDENTITY, axis: DVec3::Z, offset: DVec3::X };
        let aim = |gun: AimSource, mark: AimTarget, roll: Roll| turn(&gun, mark, roll);
        let stays = |got: Turn, status: Status| assert_eq!(got, Turn { turn: DQuat::IDENTITY, status });
        stays(aim(gun, AimTarget::Point(DVec3::ONE), Roll::Shortest), Status::TooClose);
        stays(aim(gun, AimTarget::Direction(DVec3::ZERO), Roll::Shortest), Status::Singular);
        stays(
            aim(AimSource { axis: DVec3::ZERO, ..gun }, AimTarget::Direction(DVec3::X), Roll::Shortest),
            Status::Singular,
        );
        stays(aim(gun, AimTarget::Point(DVec3::NAN), Roll::Shortest), Status::Invalid);
        stays(
            aim(AimSource { offset: DVec3::INFINITY, ..gun }, AimTarget::Point(DVec3::ZERO), Roll::Shortest),
            Status::Invalid,
        );
        stays(
            aim(gun, AimTarget::Direction(DVec3::X), Roll::Rest { rotation: DQuat::IDENTITY, angle: f64::NAN }),
            Status::Invalid,
        );
        // Already there, and half a turn away with and without an up.
        stays(aim(gun, AimTarget::Direction(DVec3::Z * 3.0), Roll::Shortest), Status::Reached);
        for roll in [Roll::Shortest, Roll::Up { axis: DVec3::Y, direction: DVec3::Y, angle: 0.0 }] {
            let half = aim(gun, AimTarget::Direction(DVec3::NEG_Z), roll);
            assert!((half.turn * DVec3::Z - DVec3::NEG_Z).length() < 1e-15, "{half:?}");
        }
        // An up along the line of sight rolls nothing.
        let plain = aim(gun, AimTarget::Direction(DVec3::X), Roll::Shortest);
        for (axis, direction) in [(DVec3::Y, DVec3::NEG_X), (DVec3::Z, DVec3::Y), (DVec3::ZERO, DVec3::Y)] {
            assert_eq!(aim(gun, AimTarget::Direction(DVec3::X), Roll::Up { axis, direction, angle: 0.0 }), plain);
        }
        // Far beyond where squares overflow.
        let far = aim(gun, AimTarget::Point(DVec3::new(0.0, 1e200, 1e200)), Roll::Shortest);
        assert!(far.status == Status::Reached && angle(far.turn * DVec3::Z, DVec3::new(0.0, 1.0, 1.0)) < 1e-15);
    }
}
