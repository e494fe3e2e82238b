//! Angles in lanes, by series: the same bits at every width.

use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// The unit direction that share of the turn from one to another, both perpendicular to the unit `axis`; at half a turn,
/// the positive way.
#[inline(always)]
pub(crate) fn part_of_turn<L: Lanes>(from: Vector<L>, to: Vector<L>, axis: Vector<L>, share: L) -> Vector<L> {
    turned(from, axis, turn_between(from, to, axis) * share)
}

/// The angle about a unit axis from one vector to another, both perpendicular to it, in `(-π, π]`.
#[inline(always)]
pub(crate) fn turn_between<L: Lanes>(from: Vector<L>, to: Vector<L>, axis: Vector<L>) -> L {
    atan2(axis.dot(from.cross(to)), from.dot(to))
}

/// A vector perpendicular to a unit axis, turned about it by an angle within `[-π, π]`.
#[inline(always)]
pub(crate) fn turned<L: Lanes>(from: Vector<L>, axis: Vector<L>, angle: L) -> Vector<L> {
    let (s, c) = sin_cos(angle);
    from * c + axis.cross(from) * s
}

/// `atan2` within 1e-6, in `(-π, π]`, by the series of `atan` below `tan(π/8)` (Cephes).
#[inline(always)]
pub(crate) fn atan2<L: Lanes>(y: L, x: L) -> L {
    let (ay, ax, zero, one) = (y.abs(), x.abs(), y.of(0.0), y.of(1.0));
    let steep = ax.is_less(ay);
    let t = L::select(steep, ax, ay) / L::select(steep, ay, ax).or_more(y.of(1e-30));
    let large = y.of(0.414_213_57).is_less(t);
    let u = L::select(large, (t - one) / (t + one), t);
    let z = u * u;
    let series = ((y.of(8.053_744_7e-2) * z - y.of(0.138_776_86)) * z + y.of(0.199_777_11)) * z - y.of(0.333_329_5);
    let angle = series * z * u + u + L::select(large, y.of(core::f32::consts::FRAC_PI_4), zero);
    let angle = L::select(steep, y.of(core::f32::consts::FRAC_PI_2) - angle, angle);
    let angle = L::select(x.is_less(zero), y.of(core::f32::consts::PI) - angle, angle);
    L::select(y.is_less(zero), -angle, angle)
}

/// Sine and cosine of an angle within `[-π, π]`, by their series for a quarter of it, doubled twice.
#[inline(always)]
pub(crate) fn sin_cos<L: Lanes>(angle: L) -> (L, L) {
    let (x, one) = (angle * angle.of(0.25), angle.of(1.0));
    let z = x * x;
    let s = x - x * z * (angle.of(1.0 / 6.0) - z * (angle.of(1.0 / 120.0) - z * angle.of(1.0 / 5040.0)));
    let c = one
        - z * (angle.of(0.5) - z * (angle.of(1.0 / 24.0) - z * (angle.of(1.0 / 720.0) - z * angle.of(1.0 / 40320.0))));
    let (s, c) = (angle.of(2.0) * s * c, c * c - s * s);
    (angle.of(2.0) * s * c, c * c - s * s)
}

impl<L: Lanes> Turn<L> {
    /// That share of the shortest turn from this rotation to another, after this one.
    #[inline(always)]
    pub(crate) fn part_to(self, other: Self, share: L) -> Self {
        let whole = other.then_after(self.conjugate());
        let back = whole.w.is_less(share.of(0.0));
        let (v, w) = (Vector::select(back, -whole.v, whole.v), L::select(back, -whole.w, whole.w));
        let sine = v.length();
        let (s, c) = sin_cos(atan2(sine, w) * share);
        let part = Self { v: v * (s / sine.or_more(share.of(1e-30))), w: c };
        part.then_after(self)
    }
}
