//! The rotation vector between two frames, exact near none and near half a turn.

use core::f64::consts::PI;

use sinew::math::arc;

use crate::angles::{atan2, polynomial};
use crate::number::Lanes;
use crate::vector::{Frame, Vector};

/// Square of the sine up to which the series of `asin(s) / s` has all digits.
const SERIES: f64 = 0.01;
/// Cosine below which the sine's direction loses digits.
const HALF_TURN: f64 = -0.5;
/// Sine below which half a turn may go any way round.
const NO_WAY: f64 = 1e-12;

/// Rotation vector (radians, at most π long) that takes the frame `from` to `to`, both rotations, applied in the space
/// that both are given in.
#[inline(always)]
pub(crate) fn between<L: Lanes>(from: &Frame<L>, to: &Frame<L>) -> Vector<L> {
    let (x, y, z) = (from.x.cross(to.x), from.y.cross(to.y), from.z.cross(to.z));
    let (p, q, r) = (from.x.dot(to.x), from.y.dot(to.y), from.z.dot(to.z));
    let half = p.of(0.5);
    // Sine times axis, and the cosine.
    let (sine, cosine) = ((x + y + z) * half, (p + q + r - p.of(1.0)) * half);
    let square = sine.dot(sine);
    let is_small = p.of(0.0).is_less(cosine) & square.is_less(p.of(SERIES));
    let small = sine * asin_ratio(square);
    if !L::any(!is_small) {
        return small;
    }
    let size = square.sqrt();
    let turn = Vector::select(is_small, small, sine * (atan2(size, cosine) / size));
    let is_near = is_small | p.of(HALF_TURN).is_less(cosine);
    if !L::any(!is_near) {
        return turn;
    }
    Vector::select(is_near, turn, beyond(&from.way_to(to)))
}

/// The vector of a turn that is nearer to half a one than to none: by its quaternion (Shepperd 1978), as [`arc`] does.
#[inline(always)]
fn beyond<L: Lanes>(turn: &Frame<L>) -> Vector<L> {
    let Frame { x, y, z } = *turn;
    let (zero, one, half) = (x.x.of(0.0), x.x.of(1.0), x.x.of(0.5));
    let pick = L::select;
    // Whether the largest component is x or y, and then x; or else z.
    let is_flat = z.z.is_at_most(zero);
    let (difference, sum) = (y.y - x.x, x.x + y.y);
    let (is_x, is_z) = (difference.is_at_most(zero), sum.is_at_most(zero));
    let most = pick(
        is_flat,
        pick(is_x, (one - z.z) - difference, (one - z.z) + difference),
        pick(is_z, (one + z.z) - sum, (one + z.z) + sum),
    );
    let s = half / most.sqrt();
    let (xy, xz, yz) = (x.y + y.x, x.z + z.x, y.z + z.y);
    let (wx, wy, wz) = (y.z - z.y, z.x - x.z, x.y - y.x);
    let a = pick(is_flat, pick(is_x, most, xy), pick(is_z, xz, wx)) * s;
    let b = pick(is_flat, pick(is_x, xy, most), pick(is_z, yz, wy)) * s;
    let c = pick(is_flat, pick(is_x, xz, yz), pick(is_z, most, wz)) * s;
    let w = pick(is_flat, pick(is_x, wx, wy), pick(is_z, wz, most)) * s;
    let unit = one / (a * a + b * b + c * c + w * w).sqrt();
    let (v, w) = (Vector::new(a, b, c) * unit, w * unit);
    let is_back = w.is_less(zero);
    let (v, w) = (Vector::select(is_back, v * -one, v), pick(is_back, -w, w));
    let sine = v.dot(v).sqrt();
    v * (x.x.of(2.0) * atan2(sine, w) / sine)
}

/// Rotation vector (radians, at most π long) of the shortest turn that takes the unit vector `from` to `to`.
#[inline(always)]
pub(crate) fn swing<L: Lanes>(from: Vector<L>, to: Vector<L>) -> Vector<L> {
    let (sine, cosine) = (from.cross(to), from.dot(to));
    let square = sine.dot(sine);
    let is_small = cosine.of(0.0).is_less(cosine) & square.is_less(square.of(SERIES));
    let small = sine * asin_ratio(square);
    if !L::any(!is_small) {
        return small;
    }
    let size = square.sqrt();
    let mut turn = Vector::select(is_small, small, sine * (atan2(size, cosine) / size));
    let has_no_way = !(is_small | size.of(NO_WAY).is_less(size));
    if L::any(has_no_way) {
        for lane in (0..L::LANES).filter(|&lane| L::holds(has_no_way, lane)) {
            turn.set_lane(lane, arc::any_perpendicular(from.lane(lane)) * PI);
        }
    }
    turn
}

/// `asin(s) / s` of a small `s`, given its square: the binomial series.
#[inline(always)]
fn asin_ratio<L: Lanes>(z: L) -> L {
    polynomial(z, [1.0, 1.0 / 6.0, 3.0 / 40.0, 15.0 / 336.0, 105.0 / 3456.0, 945.0 / 42_240.0, 10_395.0 / 599_040.0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::glam::{DMat3, DQuat, DVec3};
    use sinew::math::ops;

    fn between(from: &DMat3, to: &DMat3) -> DVec3 {
        super::between(&Frame::of(0.0, from), &Frame::of(0.0, to)).lane(0)
    }

    fn swing(from: DVec3, to: DVec3) -> DVec3 {
        super::swing(Vector::of(0.0, from), Vector::of(0.0, to)).lane(0)
    }

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
    fn far_turns_have_the_bits_of_quaternions() {
        let mut far = 0;
        for i in 0..400_u32 {
            let number = |k: u32| f64::from((i * 7919 + k * 104_729) % 1009) / 504.5 - 1.0;
            let v = DVec3::new(number(1), number(2), number(3)) * 4.0;
            let frame = matrix(DVec3::new(number(4), number(5), number(6)));
            let (from, to) = (frame, matrix(v) * frame);
            let turn = to * from.transpose();
            let wanted = arc::rotation_vector(arc::normalize(arc::from_matrix(&turn)));
            if ops::sqrt(wanted.dot(wanted)) > 2.1 {
                far += 1;
                assert_eq!(between(&from, &to), wanted);
            }
        }
        assert!(far > 100, "{far}");
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
