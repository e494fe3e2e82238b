//! Rotation vectors and axes of rotations, in lanes.

use crate::angle::atan2;
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

impl<L: Lanes> Turn<L> {
    /// The turn by a rotation vector of up to a whole turn: series for an eighth of the angle, doubled twice.
    #[inline(always)]
    pub(crate) fn by(vector: Vector<L>) -> Self {
        let (like, one) = (vector.0, vector.0.of(1.0));
        let z = vector.dot(vector) * like.of(1.0 / 64.0);
        // Sine over angle, and cosine.
        let s = one - z * (like.of(1.0 / 6.0) - z * (like.of(1.0 / 120.0) - z * like.of(1.0 / 5040.0)));
        let c = one
            - z * (like.of(0.5) - z * (like.of(1.0 / 24.0) - z * (like.of(1.0 / 720.0) - z * like.of(1.0 / 40320.0))));
        let (s, square) = (s * c, s * s * z);
        let c = c * c - square;
        let whole = s * c;
        // Of a quarter and of half the angle: the sine is twice the product.
        let sine = like.of(2.0) * s;
        Self { v: vector * (like.of(0.5) * whole), w: c * c - sine * sine * z }
    }

    /// The rotation vector of the shorter way.
    #[inline(always)]
    pub(crate) fn vector(self) -> Vector<L> {
        let (like, zero) = (self.w, self.w.of(0.0));
        let back = self.w.is_less(zero);
        let (v, w) = (Vector::select(back, -self.v, self.v), self.w.abs());
        let sine = v.length();
        v * (like.of(2.0) * atan2(sine, w) / sine.or_more(like.of(1e-30)))
    }

    /// Where it takes the axes.
    #[inline(always)]
    pub(crate) fn axes(self) -> [Vector<L>; 3] {
        let Self { v: Vector(x, y, z), w } = self;
        let one = w.of(1.0);
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        [
            Vector(one - (yy + zz), xy + wz, xz - wy),
            Vector(xy - wz, one - (xx + zz), yz + wx),
            Vector(xz + wy, yz - wx, one - (xx + yy)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::glam::{DQuat, DVec3, Quat, Vec3};

    #[test]
    fn rotation_vectors_are_the_cores() {
        let random = &mut fastrand::Rng::with_seed(3);
        for round in 0..3000 {
            let mut number = || random.f64() - 0.5;
            let axis = DVec3::new(number(), number(), number()).normalize();
            let angle = [6.0, 3.0, 1.0, 1e-3, 1e-12, 0.0][round % 6] * random.f64();
            let core = sinew::math::arc::turn_by(axis * angle);
            let Vec3 { x, y, z } = (axis * angle).as_vec3();
            let turn = Turn::by(Vector(x, y, z));
            let q = Quat::from_xyzw(turn.v.0, turn.v.1, turn.v.2, turn.w);
            assert!((q.as_dquat() - core).length() < 2e-6, "{angle}: {q} {core}");
            let Vector(x, y, z) = turn.vector();
            let back = sinew::math::arc::rotation_vector(DQuat::from_xyzw(core.x, core.y, core.z, core.w));
            // Near half a turn both ways are as short.
            if (angle - core::f64::consts::PI).abs() > 1e-3 {
                assert!((Vec3::new(x, y, z).as_dvec3() - back).length() < 4e-6, "{angle}");
            }
            for (lanes, axis) in turn.axes().into_iter().zip(DVec3::AXES) {
                let lanes = Vec3::new(lanes.0, lanes.1, lanes.2).as_dvec3();
                assert!((lanes - core * axis).length() < 4e-6, "{angle} {axis}");
            }
        }
    }
}
