//! Vectors and rotations whose components are lanes.

use core::ops::{Add, Mul, Neg, Sub};

use crate::block::Line;
use crate::number::Lanes;

/// A vector a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector<L>(pub(crate) L, pub(crate) L, pub(crate) L);

/// A rotation a lane: a unit quaternion `xyzw`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<L> {
    pub(crate) v: Vector<L>,
    pub(crate) w: L,
}

impl<L: Lanes> Add for Vector<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(self.0 + o.0, self.1 + o.1, self.2 + o.2)
    }
}

impl<L: Lanes> Sub for Vector<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(self.0 - o.0, self.1 - o.1, self.2 - o.2)
    }
}

impl<L: Lanes> Mul<L> for Vector<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: L) -> Self {
        Self(self.0 * s, self.1 * s, self.2 * s)
    }
}

impl<L: Lanes> Neg for Vector<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1, -self.2)
    }
}

impl<L: Lanes> Vector<L> {
    /// The same vector in every lane.
    #[inline(always)]
    pub(crate) fn of(like: L, v: [f32; 3]) -> Self {
        Self(like.of(v[0]), like.of(v[1]), like.of(v[2]))
    }

    /// From three lines, at a lane.
    #[inline(always)]
    pub(crate) fn load(like: L, lines: &[Line], at: usize) -> Self {
        Self(like.load(&lines[0].0[at..]), like.load(&lines[1].0[at..]), like.load(&lines[2].0[at..]))
    }

    /// To three lines, at a lane.
    #[inline(always)]
    pub(crate) fn store(self, lines: &mut [Line], at: usize) {
        self.0.store(&mut lines[0].0[at..]);
        self.1.store(&mut lines[1].0[at..]);
        self.2.store(&mut lines[2].0[at..]);
    }

    #[inline(always)]
    pub(crate) fn dot(self, o: Self) -> L {
        self.0 * o.0 + self.1 * o.1 + self.2 * o.2
    }

    #[inline(always)]
    pub(crate) fn cross(self, o: Self) -> Self {
        Self(self.1 * o.2 - self.2 * o.1, self.2 * o.0 - self.0 * o.2, self.0 * o.1 - self.1 * o.0)
    }

    #[inline(always)]
    pub(crate) fn length(self) -> L {
        self.dot(self).sqrt()
    }

    /// Without its part along a unit vector.
    #[inline(always)]
    pub(crate) fn reject(self, axis: Self) -> Self {
        self - axis * axis.dot(self)
    }

    /// With length 1, of a vector that rounding alone has put off it, as [`Turn::renormalized`].
    #[inline(always)]
    pub(crate) fn renormalized(self) -> Self {
        self * (self.0.of(1.5) - self.0.of(0.5) * self.dot(self))
    }

    #[inline(always)]
    pub(crate) fn select(mask: L::Mask, yes: Self, no: Self) -> Self {
        Self(L::select(mask, yes.0, no.0), L::select(mask, yes.1, no.1), L::select(mask, yes.2, no.2))
    }

    /// `self / |self|`; `other` in lanes where the length is at most `least`, or no number.
    #[inline(always)]
    pub(crate) fn unit_or(self, least: L, other: Self) -> Self {
        let length = self.length();
        let unit = self * (length.of(1.0) / length);
        Self::select(least.is_less(length) & length.is_finite(), unit, other)
    }

    /// A unit vector perpendicular to this unit vector: from the coordinate axis least along it, lowest index first.
    #[inline(always)]
    pub(crate) fn any_perpendicular(self) -> Self {
        let (x, y, z) = (self.0.abs(), self.1.abs(), self.2.abs());
        let like = self.0;
        let pick = Self::select(y.is_at_most(z), Self::of(like, [0.0, 1.0, 0.0]), Self::of(like, [0.0, 0.0, 1.0]));
        let pick = Self::select(x.is_at_most(y) & x.is_at_most(z), Self::of(like, [1.0, 0.0, 0.0]), pick);
        pick.reject(self).unit_or(like.of(0.0), Self::of(like, [1.0, 0.0, 0.0]))
    }

    /// The direction of the part of `self` perpendicular to a unit axis, and where the sine that is left is above `least`, so
    /// that there is one.
    #[inline(always)]
    pub(crate) fn unit_reject(self, axis: Self, least: f32) -> (Self, L::Mask) {
        let like = self.0;
        // Twice, so that nothing along the axis is left by rounding.
        let rest = self.reject(axis).reject(axis);
        let square = rest.dot(rest);
        let clear = (self.dot(self) * like.of(least * least)).is_less(square) & like.of(1e-36).is_less(square);
        (rest * (like.of(1.0) / square.sqrt()), clear)
    }

    /// The same; `other` where there is no such direction.
    #[inline(always)]
    pub(crate) fn unit_reject_or(self, axis: Self, least: f32, other: Self) -> Self {
        let (unit, clear) = self.unit_reject(axis, least);
        Self::select(clear, unit, other)
    }
}

impl<L: Lanes> Turn<L> {
    /// The same rotation in every lane.
    #[inline(always)]
    pub(crate) fn of(like: L, q: [f32; 4]) -> Self {
        Self { v: Vector::of(like, [q[0], q[1], q[2]]), w: like.of(q[3]) }
    }

    #[inline(always)]
    pub(crate) fn load(like: L, lines: &[Line], at: usize) -> Self {
        Self { v: Vector::load(like, lines, at), w: like.load(&lines[3].0[at..]) }
    }

    #[inline(always)]
    pub(crate) fn store(self, lines: &mut [Line], at: usize) {
        self.v.store(lines, at);
        self.w.store(&mut lines[3].0[at..]);
    }

    #[inline(always)]
    pub(crate) fn conjugate(self) -> Self {
        Self { v: -self.v, w: self.w }
    }

    /// Of its numbers: none where one of them is none.
    #[inline(always)]
    pub(crate) fn sum(self) -> L {
        self.v.0 + self.v.1 + self.v.2 + self.w
    }

    /// First `o`, then `self`.
    #[inline(always)]
    pub(crate) fn then_after(self, o: Self) -> Self {
        let v = o.v * self.w + self.v * o.w + self.v.cross(o.v);
        Self { v, w: self.w * o.w - self.v.dot(o.v) }
    }

    #[inline(always)]
    pub(crate) fn rotate(self, v: Vector<L>) -> Vector<L> {
        let t = self.v.cross(v);
        let t = t + t;
        v + t * self.w + self.v.cross(t)
    }

    #[inline(always)]
    pub(crate) fn normalized(self) -> Self {
        let one = self.w.of(1.0);
        let scale = one / (self.v.dot(self.v) + self.w * self.w).sqrt();
        Self { v: self.v * scale, w: self.w * scale }
    }

    /// The same with length 1, of a rotation that rounding alone has put off it: one Newton step, which leaves the square of
    /// what was off.
    #[inline(always)]
    pub(crate) fn renormalized(self) -> Self {
        let square = self.v.dot(self.v) + self.w * self.w;
        let scale = self.w.of(1.5) - self.w.of(0.5) * square;
        Self { v: self.v * scale, w: self.w * scale }
    }

    #[inline(always)]
    pub(crate) fn select(mask: L::Mask, yes: Self, no: Self) -> Self {
        Self { v: Vector::select(mask, yes.v, no.v), w: L::select(mask, yes.w, no.w) }
    }

    /// Shortest rotation from one unit vector to another; a half turn is about `fallback`, a unit vector across `from`.
    #[inline(always)]
    pub(crate) fn arc(from: Vector<L>, to: Vector<L>, fallback: Vector<L>) -> Self {
        let (sum, like) = (from + to, from.0);
        // Nearly half a turn: a half turn about the axis as far as it is known, then the little that is left.
        let far = sum.dot(sum).is_less(like.of(1e-3));
        let start = Vector::select(far, -from, from);
        let sum = start + to;
        let length = sum.length();
        let plain = Self { v: start.cross(to) * (like.of(1.0) / length), w: like.of(0.5) * length }.renormalized();
        if !L::any(far) {
            return plain;
        }
        let axis = from.cross(to).unit_or(like.of(1e-6), fallback);
        let axis = axis.reject(from).unit_or(like.of(0.0), fallback);
        Self::select(far, plain.then_after(Self { v: axis, w: like.of(0.0) }), plain)
    }

    /// Shortest rotation from the direction of one vector to that of another, `size` being the product of their lengths, nearly; none
    /// where they are opposite, or one has no length.
    #[inline(always)]
    pub(crate) fn swing(from: Vector<L>, to: Vector<L>, size: L) -> Self {
        let like = from.0;
        let (v, mut w) = (from.cross(to), size + from.dot(to));
        // Near half a turn hardly anything is left of it, so that the product must be what the vectors say.
        let far = w.is_less(size * like.of(0.05));
        if L::any(far) {
            w = L::select(far, (from.dot(from) * to.dot(to)).sqrt() + from.dot(to), w);
        }
        let clear = (size * like.of(1e-6)).is_less(w);
        let scale = like.of(1.0) / (v.dot(v) + w * w).sqrt();
        let none = Self::of(like, [0.0, 0.0, 0.0, 1.0]);
        Self::select(clear & scale.is_finite(), Self { v: v * scale, w: w * scale }, none)
    }

    /// Rotation that takes the orthonormal pair `x0`, `y0` to `x1`, `y1` ; of length 1 up to
    /// rounding.
    #[inline(always)]
    pub(crate) fn between_frames(x0: Vector<L>, y0: Vector<L>, x1: Vector<L>, y1: Vector<L>) -> Self {
        let (z0, z1) = (x0.cross(y0), x1.cross(y1));
        let x = x1 * x0.0 + y1 * y0.0 + z1 * z0.0;
        let y = x1 * x0.1 + y1 * y0.1 + z1 * z0.1;
        let z = x1 * x0.2 + y1 * y0.2 + z1 * z0.2;
        Self::of_axes(x, y, z)
    }

    /// Rotation that takes the axes to these unit vectors, perpendicular to one another (Shepperd 1978: the largest component first);
    /// of length 1 up to rounding.
    #[inline(always)]
    pub(crate) fn of_axes(x: Vector<L>, y: Vector<L>, z: Vector<L>) -> Self {
        let (zero, one) = (x.0.of(0.0), x.0.of(1.0));
        let (low, second) = (z.2.is_at_most(zero), (y.1 - x.0).is_at_most(zero));
        let third = (x.0 + y.1).is_at_most(zero);
        let (sum, difference) = (x.0 + y.1, y.1 - x.0);
        let size = L::select(low, one - z.2, one + z.2);
        let part = L::select(low, difference, sum);
        let four = L::select((low & second) | (!low & third), size - part, size + part);
        let s = one.of(0.5) / four.or_more(one.of(0.25)).sqrt();
        let (xy, xz, yz) = (x.1 + y.0, x.2 + z.0, y.2 + z.1);
        let (wx, wy, wz) = (y.2 - z.1, z.0 - x.2, x.1 - y.0);
        let which = [low, second, third];
        let v =
            Vector(pick(which, [four, xy, xz, wx]), pick(which, [xy, four, yz, wy]), pick(which, [xz, yz, four, wz]));
        Self { v: v * s, w: pick(which, [wx, wy, wz, four]) * s }
    }

    /// Turn about a unit axis by an angle given by its cosine and sine; of length 1 up to rounding.
    #[inline(always)]
    pub(crate) fn about(axis: Vector<L>, cosine: L, sine: L) -> Self {
        let [s, c] = half(cosine, sine);
        Self { v: axis * s, w: c }
    }
}

/// One of four.
#[inline(always)]
fn pick<L: Lanes>([low, second, third]: [L::Mask; 3], [a, b, c, d]: [L; 4]) -> L {
    L::select(low, L::select(second, a, b), L::select(third, c, d))
}

/// Sine and cosine of half an angle in `(-π, π]`, given by its cosine and sine.
#[inline(always)]
pub(crate) fn half<L: Lanes>(cosine: L, sine: L) -> [L; 2] {
    let (half, zero) = (cosine.of(0.5), cosine.of(0.0));
    let blunt = cosine.is_less(zero);
    let large = ((cosine.of(1.0) + cosine.abs()) * half).sqrt_clamped();
    let small = sine.abs() * half / large;
    let s = L::select(blunt, large, small);
    [L::select(sine.is_less(zero), -s, s), L::select(blunt, small, large)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::glam::{DVec3, Quat, Vec3};

    fn lanes(v: Vec3) -> Vector<f32> {
        Vector(v.x, v.y, v.z)
    }

    #[test]
    fn arcs_near_half_turns_arrive() {
        let random = &mut fastrand::Rng::with_seed(4);
        let mut unit = || Vec3::new(random.f32() - 0.5, random.f32() - 0.5, random.f32() - 0.5).normalize();
        for round in 0..2000 {
            let (from, side) = (unit(), unit());
            let across = from.cross(side).normalize();
            // From far off half a turn to exactly there.
            let short = [0.5, 0.1, 3e-2, 3e-3, 1e-4, 1e-6, 1e-8, 0.0][round % 8];
            let to = (across * f32::sin(short) - from * f32::cos(short)).normalize();
            let fallback = from.cross(unit()).normalize();
            let arc = Turn::arc(lanes(from), lanes(to), lanes(fallback));
            let q = Quat::from_xyzw(arc.v.0, arc.v.1, arc.v.2, arc.w);
            assert!((q.length() - 1.0).abs() < 1e-6, "{short} {q}");
            assert!((q * from - to).length() < 2e-6, "{short} {from} {to}: {}", q * from);
            if short == 0.0 && to == -from {
                assert!(q.xyz().normalize().dot(fallback).abs() > 1.0 - 1e-5, "{q} {fallback}");
            }
            // The axis is the core's as far as f32 knows it.
            if short > 1e-2 {
                let wide = |v: Vec3| DVec3::from(v.as_dvec3().to_array());
                let core = sinew::math::arc::arc(wide(from), wide(to), wide(fallback));
                assert!(core.as_quat().dot(q).abs() > 1.0 - 1e-5, "{short} {core} {q}");
            }
        }
    }
}
