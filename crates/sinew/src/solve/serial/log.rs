//! The rotation vector between two frames, exact near none and near half a turn.

use core::f64::consts::PI;

use glam::{DMat3, DVec3};

use crate::math::{arc, ops};

/// Square of the sine up to which the series of `asin(s) / s` has all digits.
const SERIES: f64 = 0.01;
/// Cosine below which the sine's direction loses digits.
const HALF_TURN: f64 = -0.5;
/// Sine below which half a turn may go any way round.
const NO_WAY: f64 = 1e-12;

/// Rotation vector (radians, at most π long) that takes the frame `from` to `to`, both rotations, applied in the space
/// that both are given in.
#[inline(always)]
pub(super) fn between(from: &DMat3, to: &DMat3) -> DVec3 {
    let pairs = [(from.x_axis, to.x_axis), (from.y_axis, to.y_axis), (from.z_axis, to.z_axis)];
    let [x, y, z] = pairs.map(|(a, b)| a.cross(b));
    let [p, q, r] = pairs.map(|(a, b)| a.dot(b));
    // Sine times axis, and the cosine.
    let (sine, cosine) = ((x + y + z) * 0.5, (p + q + r - 1.0) * 0.5);
    let square = sine.dot(sine);
    if cosine > 0.0 && square < SERIES {
        return sine * asin_ratio(square);
    }
    if cosine > HALF_TURN {
        let size = ops::sqrt(square);
        return sine * (ops::atan2(size, cosine) / size);
    }
    arc::rotation_vector(arc::normalize(arc::from_matrix(&(*to * from.transpose()))))
}

/// Rotation vector (radians, at most π long) of the shortest turn that takes the unit vector `from` to `to`.
#[inline(always)]
pub(super) fn swing(from: DVec3, to: DVec3) -> DVec3 {
    let (sine, cosine) = (from.cross(to), from.dot(to));
    let square = sine.dot(sine);
    if cosine > 0.0 && square < SERIES {
        return sine * asin_ratio(square);
    }
    let size = ops::sqrt(square);
    if size > NO_WAY { sine * (ops::atan2(size, cosine) / size) } else { arc::any_perpendicular(from) * PI }
}

/// `asin(s) / s` of a small `s`, given its square: the binomial series.
#[inline(always)]
fn asin_ratio(z: f64) -> f64 {
    1.0 + z
        * (1.0 / 6.0
            + z * (3.0 / 40.0
                + z * (15.0 / 336.0 + z * (105.0 / 3456.0 + z * (945.0 / 42_240.0 + z * (10_395.0 / 599_040.0))))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    fn matrix(v: DVec3) -> DMat3 {
        let angle = arc::length(v);
        DMat3::from_quat(arc::unit(v).map_or(DQuat::IDENTITY, |axis| arc::axis_angle(axis, angle)))
    }

    #[test]
    fn the_vector_comes_back_at_every_angle() {
        use core::f64::consts::PI;
        let frame = matrix(DVec3::new(0.3, -1.1, 0.7));
        let axis = DVec3::new(2.0, -1.0, 0.5);
        let axis = axis / arc::length(axis);
        // Both sides of each switch: sine 0.1, cosine -0.5, half a turn.
        for angle in [0.0, 1e-300, 1e-12, 1e-6, 0.01, 0.1001, 0.1002, 1.0, 2.0943, 2.0945, 3.0, 3.1, PI - 1e-9] {
            let v = axis * angle;
            let got = between(&frame, &(matrix(v) * frame));
            assert!(arc::length(got - v) <= 2e-15 * (1.0 + angle), "{angle}: {got} {v}");
        }
        let got = between(&frame, &(matrix(axis * PI) * frame));
        assert!((arc::length(got) - PI).abs() < 1e-15 && got.cross(axis).length() < 1e-14);
        assert_eq!(between(&frame, &frame), DVec3::ZERO);
    }
    #[test]
    fn the_shortest_turn_brings_one_direction_to_the_other() {
        let axis = DVec3::new(0.6, 0.0, 0.8);
        let across = DVec3::new(0.8, 0.0, -0.6);
        for angle in [0.0, 1e-300, 1e-9, 0.1001, 0.1002, 1.5, 1.6, 3.0, PI - 1e-9, PI - 1e-13, PI] {
            let to = matrix(across * angle) * axis;
            let got = swing(axis, to);
            let known = if angle < PI - NO_WAY { 5e-16 * (1.0 + angle) } else { NO_WAY };
            assert!((arc::length(got) - angle).abs() <= known, "{angle}: {got}");
            assert!(arc::length(matrix(got) * axis - to) <= 4e-16 + known, "{angle}: {got}");
            // Near half a turn the way round is known less and less well.
            assert!(got.dot(axis).abs() * (PI - angle).max(NO_WAY) < 1e-15, "{angle}: {got}");
        }
    }
}
