//! Rotations from directions: shortest arcs, frames and blends, without trigonometry.
//!
//! Half turns have a defined answer: `arc` turns about the given fallback axis.

use glam::{DMat3, DQuat, DVec3};

use super::ops;

/// Below this cosine's distance from -1 two directions count as opposite and the fallback decides.
const OPPOSITE: f64 = 1e-15;
/// Squared length of their sum below which two directions are nearly opposite.
const NEARLY_OPPOSITE: f64 = 1e-6;
/// Squared sine of the angle from which the part across an axis is perpendicular to it at once.
const CLEAR: f64 = 0.1;

/// `v / |v|`, or `None` where the length is zero, not finite or lost to underflow.
#[inline(always)]
pub fn unit(v: DVec3) -> Option<DVec3> {
    let length_squared = v.dot(v);
    if length_squared > 1e-280 && length_squared < 1e280 {
        return Some(v / ops::sqrt(length_squared));
    }
    rescaled_unit(v)
}

/// `unit` for lengths whose square leaves the range of `f64`.
#[cold]
fn rescaled_unit(v: DVec3) -> Option<DVec3> {
    let largest = v.x.abs().max(v.y.abs()).max(v.z.abs());
    if !(largest > 1e-300 && v.is_finite()) {
        return None;
    }
    let scaled = v / largest;
    Some(scaled / ops::sqrt(scaled.dot(scaled)))
}

/// Two vectors, or their directions where the square of a product of both leaves the range of `f64`; `None` where one has none.
pub fn comparable(a: DVec3, b: DVec3) -> Option<[DVec3; 2]> {
    let squares = a.dot(a) * b.dot(b);
    if squares > 1e-280 && squares < 1e280 {
        return Some([a, b]);
    }
    Some([unit(a)?, unit(b)?])
}

/// The part of `v` perpendicular to the unit vector `axis`.
#[inline]
pub fn reject(v: DVec3, axis: DVec3) -> DVec3 {
    v - axis * axis.dot(v)
}

/// Unit part of `v` perpendicular to the unit vector `axis`; `None` where less than `threshold`
/// (a sine) of `v` is left. Rejected twice, so that the result is perpendicular to 1e-16.
#[inline]
pub fn unit_reject(v: DVec3, axis: DVec3, threshold: f64) -> Option<DVec3> {
    let direction = unit(v)?;
    let rest = reject(direction, axis);
    if rest.dot(rest) <= threshold * threshold {
        return None;
    }
    unit(reject(unit(rest)?, axis))
}

/// The same, in one step where a good part of `v` is left: then once is enough.
#[inline(always)]
pub fn unit_across(v: DVec3, axis: DVec3, threshold: f64) -> Option<DVec3> {
    let rest = reject(v, axis);
    let (square, whole) = (rest.dot(rest), v.dot(v));
    if square > CLEAR * whole && square > 1e-250 && whole < 1e250 {
        return Some(rest * (1.0 / ops::sqrt(square)));
    }
    unit_reject(v, axis, threshold)
}

/// Any unit vector perpendicular to the unit vector `axis`: from the coordinate axis least along
/// it, lowest index first, so the choice is the frame's own and always the same.
pub fn any_perpendicular(axis: DVec3) -> DVec3 {
    let a = axis.abs();
    let pick = if a.x <= a.y && a.x <= a.z {
        DVec3::X
    } else if a.y <= a.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    unit(reject(pick, axis)).unwrap_or(DVec3::X)
}

/// Shortest rotation that takes the unit vector `from` to the unit vector `to`; a half turn turns
/// about `fallback` (any vector; made perpendicular to `from`).
pub fn arc(from: DVec3, to: DVec3, fallback: DVec3) -> DQuat {
    arc_or(from, to, || fallback)
}

/// `arc` whose fallback is computed only where it may count.
#[inline]
pub(crate) fn arc_or(from: DVec3, to: DVec3, fallback: impl FnOnce() -> DVec3) -> DQuat {
    let sum = from + to;
    let sum_squared = sum.dot(sum);
    if sum_squared < NEARLY_OPPOSITE {
        nearly_half_turn(from, to, sum_squared, fallback())
    } else {
        plain_arc(from, to)
    }
}

/// `arc` for directions that are not nearly opposite, in half-angle form:
/// `w = |from + to| / 2`, `v = (from × to) / |from + to|`.
#[inline]
fn plain_arc(from: DVec3, to: DVec3) -> DQuat {
    let length = length(from + to);
    let v = from.cross(to) / length;
    normalize(DQuat::from_xyzw(v.x, v.y, v.z, 0.5 * length))
}

/// `arc` where `from × to` keeps few digits: half a turn about the axis as far as it is known, then
/// the little that is left, so that `to` is met all the same.
#[cold]
fn nearly_half_turn(from: DVec3, to: DVec3, sum_squared: f64, fallback: DVec3) -> DQuat {
    let axis = if sum_squared <= 4.0 * OPPOSITE { fallback } else { from.cross(to) };
    let axis = unit_reject(axis, from, 1e-9).unwrap_or_else(|| any_perpendicular(from));
    normalize(plain_arc(-from, to) * DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0))
}

/// Rotation whose columns are the orthonormal `x`, `y` and `x × y`.
#[inline]
pub fn from_frame(x: DVec3, y: DVec3) -> DQuat {
    from_matrix(&DMat3::from_cols(x, y, x.cross(y)))
}

/// Length of a vector; its square must be in the range of `f64`.
#[inline(always)]
pub fn length(v: DVec3) -> f64 {
    ops::sqrt(v.dot(v))
}

/// The product of two rotations, as `a * b`, but always inlined: calls of it would take a tenth of a limb's time.
#[inline(always)]
pub fn product(a: DQuat, b: DQuat) -> DQuat {
    DQuat::from_xyzw(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    )
}

/// Rotation that takes the orthonormal pair `x0`, `y0` to `x1`, `y1`.
#[inline(always)]
pub fn between_frames(x0: DVec3, y0: DVec3, x1: DVec3, y1: DVec3) -> DQuat {
    let (z0, z1) = (x0.cross(y0), x1.cross(y1));
    // Columns of [x1 y1 z1] [x0 y0 z0]ᵀ.
    let (x, y, z) = ((x0.x, y0.x, z0.x), (x0.y, y0.y, z0.y), (x0.z, y0.z, z0.z));
    from_matrix(&DMat3::from_cols(
        x1 * x.0 + y1 * x.1 + z1 * x.2,
        x1 * y.0 + y1 * y.1 + z1 * y.2,
        x1 * z.0 + y1 * z.1 + z1 * z.2,
    ))
}

/// Quaternion of a rotation matrix (Shepperd 1978: the largest component first, so no quotient is
/// ever by a small number). The matrix must be orthonormal with determinant +1.
#[inline(always)]
pub fn from_matrix(m: &DMat3) -> DQuat {
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    if z.z <= 0.0 {
        let difference = y.y - x.x;
        let sum = 1.0 - z.z;
        if difference <= 0.0 {
            let four = sum - difference;
            let s = 0.5 / ops::sqrt(four);
            DQuat::from_xyzw(four * s, (x.y + y.x) * s, (x.z + z.x) * s, (y.z - z.y) * s)
        } else {
            let four = sum + difference;
            let s = 0.5 / ops::sqrt(four);
            DQuat::from_xyzw((x.y + y.x) * s, four * s, (y.z + z.y) * s, (z.x - x.z) * s)
        }
    } else {
        let sum = x.x + y.y;
        let difference = 1.0 + z.z;
        if sum <= 0.0 {
            let four = difference - sum;
            let s = 0.5 / ops::sqrt(four);
            DQuat::from_xyzw((x.z + z.x) * s, (y.z + z.y) * s, four * s, (x.y - y.x) * s)
        } else {
            let four = difference + sum;
            let s = 0.5 / ops::sqrt(four);
            DQuat::from_xyzw((y.z - z.y) * s, (z.x - x.z) * s, (x.y - y.x) * s, four * s)
        }
    }
}

/// `q / |q|`. The quaternion must not be zero.
#[inline]
pub fn normalize(q: DQuat) -> DQuat {
    q * (1.0 / ops::sqrt(q.dot(q)))
}

/// From one rotation part of the shortest way to another, at even speed.
pub fn part_of_turn(from: DQuat, to: DQuat, share: f64) -> DQuat {
    let vector = rotation_vector(normalize(to * from.conjugate()));
    unit(vector).map_or(from, |axis| normalize(axis_angle(axis, length(vector) * share) * from))
}

/// Normalised linear blend along the short arc: `from` at 0 and `to` at 1, bit for bit.
pub fn nlerp(from: DQuat, to: DQuat, weight: f64) -> DQuat {
    if weight <= 0.0 {
        return from;
    }
    if weight >= 1.0 {
        return to;
    }
    let signed = if from.dot(to) < 0.0 { -to } else { to };
    let blend = from * (1.0 - weight) + signed * weight;
    if blend.dot(blend) > 1e-20 { normalize(blend) } else { from }
}

/// Rotation by `angle` radians about the unit vector `axis`.
pub fn axis_angle(axis: DVec3, angle: f64) -> DQuat {
    let (s, c) = ops::sin_cos(0.5 * angle);
    DQuat::from_xyzw(axis.x * s, axis.y * s, axis.z * s, c)
}

/// Turn of `q` about the unit vector `axis` in radians, in `[-π, π]`; 0 where `q` is a half turn
/// about an axis perpendicular to it (the swing-twist singularity).
pub fn twist_angle(q: DQuat, axis: DVec3) -> f64 {
    let along = axis.dot(DVec3::new(q.x, q.y, q.z));
    if along * along + q.w * q.w < 1e-30 {
        return 0.0;
    }
    let angle = 2.0 * ops::atan2(along, q.w);
    ops::nearest_turn(angle, 0.0)
}

/// Rotation vector (axis times angle, radians, at most π long) of the rotation `q`.
pub fn rotation_vector(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let sine = ops::sqrt(v.dot(v));
    // 2 atan2(s, w) / s -> 2 / w as s -> 0; the branch guards only the exact zero.
    if sine < 1e-150 { v * 2.0 } else { v * (2.0 * ops::atan2(sine, q.w) / sine) }
}

/// The rotation whose [`rotation_vector`] this is; longer vectors turn more than half round.
pub fn turn_by(vector: DVec3) -> DQuat {
    unit(vector).map_or(DQuat::IDENTITY, |axis| axis_angle(axis, length(vector)))
}

/// Proper rotation nearest to the linear map `m`, as engines report a node's rotation: where `m`
/// mirrors, the x axis is taken to carry the mirror. Shear is removed by polar decomposition
/// (Higham 1986). `None` where `m` is singular or not finite.
pub fn rotation_of(m: &DMat3) -> Option<DQuat> {
    let (x, y, z) = (unit(m.x_axis)?, unit(m.y_axis)?, unit(m.z_axis)?);
    let mut q = DMat3::from_cols(x, y, z);
    let volume = x.dot(y.cross(z));
    if volume.abs() < 1e-12 {
        return None;
    }
    if volume < 0.0 {
        q.x_axis = -q.x_axis;
    }
    for _ in 0..60 {
        let skew = q.x_axis.dot(q.y_axis).abs() + q.y_axis.dot(q.z_axis).abs() + q.z_axis.dot(q.x_axis).abs();
        let stretch = (q.x_axis.dot(q.x_axis) - 1.0).abs() + (q.y_axis.dot(q.y_axis) - 1.0).abs();
        if skew + stretch < 2e-15 {
            break;
        }
        q = (q + q.transpose().inverse()) * 0.5;
    }
    Some(normalize(from_matrix(&q)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn direction() -> impl Strategy<Value = DVec3> {
        (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_filter_map("short", |(x, y, z)| {
            let v = DVec3::new(x, y, z);
            (v.length_squared() > 1e-3).then(|| unit(v).unwrap())
        })
    }

    proptest! {
        #[test]
        fn arc_takes_from_to_to_at_any_angle(a in direction(), b in direction(), exponent in -18.0..0.0_f64, sign in prop::bool::ANY) {
            // Near zero and near half turns as well as anywhere.
            let near = unit(a * if sign { 1.0 } else { -1.0 } + b * libm::pow(10.0, exponent)).unwrap();
            for to in [b, near] {
                let q = arc(a, to, b);
                prop_assert!((q * a - to).length() < 1e-13);
                prop_assert!((q.length() - 1.0).abs() < 1e-15);
            }
        }

        #[test]
        fn from_matrix_agrees_with_glam(a in direction(), b in direction()) {
            prop_assume!(a.cross(b).length() > 1e-3);
            let y = unit_reject(b, a, 0.0).unwrap();
            let q = from_frame(a, y);
            prop_assert!((q * DVec3::X - a).length() < 1e-14);
            prop_assert!((q * DVec3::Y - y).length() < 1e-14);
            let oracle = DQuat::from_mat3(&DMat3::from_cols(a, y, a.cross(y)));
            prop_assert!(q.dot(oracle).abs() > 1.0 - 1e-14);
        }

        #[test]
        fn rotation_of_undoes_scale_mirror_and_reports_the_rotation(a in direction(), b in direction(), s in 0.1..10.0_f64, mirror in prop::bool::ANY) {
            prop_assume!(a.cross(b).length() > 1e-3);
            let q = from_frame(a, unit_reject(b, a, 0.0).unwrap());
            let scale = DVec3::new(if mirror { -s } else { s }, 2.0, 0.5);
            let m = DMat3::from_quat(q) * DMat3::from_diagonal(scale);
            prop_assert!(rotation_of(&m).unwrap().dot(q).abs() > 1.0 - 1e-14);
        }
    }

    #[test]
    fn half_turn_uses_the_fallback() {
        let q = arc(DVec3::X, DVec3::NEG_X, DVec3::new(5.0, 0.0, 1.0));
        assert!((q * DVec3::X - DVec3::NEG_X).length() < 1e-15);
        assert!((q * DVec3::Z - DVec3::Z).length() < 1e-15);
    }

    #[test]
    fn rotation_vector_at_zero_and_beside_it() {
        assert_eq!(rotation_vector(DQuat::IDENTITY), DVec3::ZERO);
        for angle in [1e-200, 1e-150, 1e-100, 1e-16, 1e-8, 1e-3, 1.0, 3.1] {
            let v = rotation_vector(axis_angle(DVec3::Y, angle));
            assert!((v.y / angle - 1.0).abs() < 1e-14, "{angle}: {v}");
        }
    }
}
