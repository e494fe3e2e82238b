//! How rotation errors shrink: derivatives of the rotation vector and of the turn between two
//! directions.
//!
//! Source: Barfoot, *State Estimation for Robotics* (2017), 7.1.5, for the Jacobians of the rotation
//! vector; the turn of directions is derived in [`AxisTurn`].

use glam::{DMat3, DVec3};

use super::motion::cross_matrix;
use crate::math::{arc, ops};

/// Angle below which series replace quotients.
const SMALL: f64 = 1e-2;
/// Sine below which two directions count as half a turn apart in derivatives. HEURISTIC: the axis of
/// the shortest turn spins without bound there.
const HALF_TURN: f64 = 1e-2;

/// Inverse Jacobians of the rotation vector `e`: how it answers to a turn applied before (right) and
/// after (left) its own.
pub(super) fn inverse_jacobians(e: DVec3) -> (DMat3, DMat3) {
    let square = e.dot(e);
    let cross = cross_matrix(e);
    let even = DMat3::IDENTITY + cross * cross * half_cotangent_rest(square);
    (even + cross * 0.5, even - cross * 0.5)
}

/// `(θ/2) cot(θ/2)` for the square of an angle.
pub(super) fn half_cotangent(square: f64) -> f64 {
    1.0 - half_cotangent_rest(square) * square
}

/// `(1 - (θ/2) cot(θ/2)) / θ²` for the square of an angle.
fn half_cotangent_rest(square: f64) -> f64 {
    if square < SMALL * SMALL {
        return 1.0 / 12.0 + square / 720.0;
    }
    let half = 0.5 * ops::sqrt(square);
    let (sine, cosine) = ops::sin_cos(half);
    (1.0 - half * cosine / sine) / square
}

/// The shortest turn from one unit direction to another, and its derivative.
///
/// With `k` its axis, `θ` its angle, `a = k × now` and `b = k × wanted`, an angular velocity `ω` of `now`
/// shrinks `θ k` by `k (k·ω) + (a·ω) (θ cot θ a - θ now)`, one of `wanted` grows it by
/// `k (k·ω) + (b·ω) (θ / sin θ) a`.
#[derive(Clone, Copy, Debug)]
pub(super) struct AxisTurn {
    pub(super) now: DVec3,
    pub(super) wanted: DVec3,
    axis: DVec3,
    angle: f64,
    cotangent: f64,
    cosecant: f64,
}

impl AxisTurn {
    /// Between unit directions; `across`, perpendicular to `now`, is the axis where they leave it open.
    pub(super) fn new(now: DVec3, wanted: DVec3, across: DVec3) -> Self {
        let cross = now.cross(wanted);
        let sine = arc::length(cross);
        let cosine = now.dot(wanted);
        // Near half turns the cross product keeps few digits: as `arc` has it.
        let axis = if cosine < 0.0 {
            arc::unit(arc::rotation_vector(arc::arc(now, wanted, across)))
        } else {
            arc::unit(cross)
        };
        let axis = axis.or_else(|| arc::unit_reject(across, now, 1e-9)).unwrap_or_else(|| arc::any_perpendicular(now));
        let angle = ops::atan2(sine, cosine);
        let (cotangent, cosecant) = if angle < SMALL {
            let square = angle * angle;
            (1.0 - square / 3.0 - square * square / 45.0, 1.0 + square / 6.0 + 7.0 * square * square / 360.0)
        } else {
            let sine = sine.max(HALF_TURN);
            (angle * cosine / sine, angle / sine)
        };
        Self { now, wanted, axis, angle, cotangent, cosecant }
    }

    /// The turn as a rotation vector.
    pub(super) fn vector(&self) -> DVec3 {
        self.axis * self.angle
    }

    /// How fast the vector shrinks where both directions move at these rates (perpendicular to them).
    pub(super) fn shrinks(&self, now_rate: DVec3, wanted_rate: DVec3) -> DVec3 {
        let across = self.axis.cross(self.now);
        let (by, to) = (self.now.cross(now_rate), self.wanted.cross(wanted_rate));
        let own = self.axis * self.axis.dot(by) + (across * self.cotangent - self.now * self.angle) * across.dot(by);
        own - self.axis * self.axis.dot(to) - across * (self.cosecant * self.axis.cross(self.wanted).dot(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    /// At zero, on both sides of the switch to series, anywhere, and near half turns.
    const ANGLES: [f64; 8] = [0.0, 1e-9, 0.999e-2, 1.001e-2, 0.3, 1.5, 2.5, 3.1];
    const STEP: f64 = 1e-6;

    fn turn(v: DVec3) -> DQuat {
        arc::unit(v).map_or(DQuat::IDENTITY, |axis| arc::axis_angle(axis, arc::length(v)))
    }

    #[test]
    fn the_rotation_vector_answers_as_its_jacobians_say() {
        let axis = arc::unit(DVec3::new(0.3, -0.5, 0.8)).unwrap();
        for angle in ANGLES {
            let (right, left) = inverse_jacobians(axis * angle);
            for w in DVec3::AXES {
                let of = |before: f64, after: f64| {
                    arc::rotation_vector(turn(w * after) * turn(axis * angle) * turn(w * before))
                };
                let difference = (of(STEP, 0.0) - of(-STEP, 0.0)) / (2.0 * STEP);
                assert!((difference - right * w).length() < 1e-8, "right, {angle}: {difference} {}", right * w);
                let difference = (of(0.0, STEP) - of(0.0, -STEP)) / (2.0 * STEP);
                assert!((difference - left * w).length() < 1e-8, "left, {angle}: {difference} {}", left * w);
            }
        }
    }

    #[test]
    fn the_turn_between_directions_shrinks_as_it_says() {
        let now = arc::unit(DVec3::new(0.3, -0.5, 0.8)).unwrap();
        let axis = arc::any_perpendicular(now);
        for angle in ANGLES {
            let wanted = arc::axis_angle(axis, angle) * now;
            let base = AxisTurn::new(now, wanted, axis);
            assert!((base.vector() - axis * angle).length() < 1e-12, "{angle}");
            for w in DVec3::AXES {
                let vector = |a: f64, b: f64| AxisTurn::new(turn(w * a) * now, turn(w * b) * wanted, axis).vector();
                let own = (vector(-STEP, 0.0) - vector(STEP, 0.0)) / (2.0 * STEP);
                assert!((own - base.shrinks(w.cross(now), DVec3::ZERO)).length() < 1e-6, "now, {angle}");
                let other = (vector(0.0, -STEP) - vector(0.0, STEP)) / (2.0 * STEP);
                assert!((other - base.shrinks(DVec3::ZERO, w.cross(wanted))).length() < 1e-6, "wanted, {angle}");
            }
        }
    }

    #[test]
    fn half_turns_have_an_axis() {
        let turn = AxisTurn::new(DVec3::X, DVec3::NEG_X, DVec3::Z);
        assert!((turn.vector() - DVec3::Z * core::f64::consts::PI).length() < 1e-12);
        assert!(turn.shrinks(DVec3::Y, DVec3::ZERO).is_finite());
    }
}
