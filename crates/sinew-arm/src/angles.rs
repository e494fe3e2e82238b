//! Sines, cosines and arc tangents from `+ - * /` alone, so that the compiler can do several side by side.
//!
//! Source: the polynomials of fdlibm's `__kernel_sin` and `__kernel_cos`, after Cody and Waite's reduction by quarter turns;
//! its `atan`, to the bit, with branches selected.

use core::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

use sinew::math::ops;

use crate::number::Lanes;

/// Adding this rounds to a whole number, whose last bits are then the sum's.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// A quarter turn in three parts, of which the first two leave room for a factor of 2^20.
const QUARTER: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];
/// Angles beyond are left to `libm`.
const FAR: f64 = 1e5;

const SINE: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];
const COSINE: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// Sines and cosines, to a unit or two in the last place.
#[inline(always)]
pub(crate) fn sin_cos<L: Lanes, const N: usize>(angles: &[L; N]) -> ([L; N], [L; N]) {
    let (mut sines, mut cosines) = (*angles, *angles);
    let mut farthest = angles[0].of(0.0);
    for i in 0..N {
        (sines[i], cosines[i]) = one(angles[i]);
        farthest = farthest.or_more(angles[i].abs());
    }
    let is_far = farthest.of(FAR).is_less(farthest);
    if L::any(is_far) {
        by_libm(angles, is_far, &mut sines, &mut cosines);
    }
    (sines, cosines)
}

/// Replaces the lanes that are far out.
#[cold]
fn by_libm<L: Lanes, const N: usize>(angles: &[L; N], far: L::Mask, sines: &mut [L; N], cosines: &mut [L; N]) {
    for lane in 0..L::LANES {
        for i in 0..N {
            if L::holds(far, lane) {
                let (sine, cosine) = ops::sin_cos(angles[i].lane(lane));
                sines[i].set_lane(lane, sine);
                cosines[i].set_lane(lane, cosine);
            }
        }
    }
}

/// A polynomial, its constant first.
#[inline(always)]
pub(crate) fn polynomial<L: Lanes, const N: usize>(x: L, factors: [f64; N]) -> L {
    let mut sum = x.of(factors[N - 1]);
    for i in (0..N - 1).rev() {
        sum = x.of(factors[i]) + x * sum;
    }
    sum
}

#[inline(always)]
fn one<L: Lanes>(angle: L) -> (L, L) {
    let round = angle.of(ROUND);
    let shifted = angle * angle.of(FRAC_2_PI) + round;
    let turns = shifted - round;
    let [a, b, c] = QUARTER;
    let x = ((angle - turns * turns.of(a)) - turns * turns.of(b)) - turns * turns.of(c);
    let z = x * x;
    let sine = x + x * z * polynomial(z, SINE);
    let tail = z * z * polynomial(z, COSINE);
    let half = z.of(0.5) * z;
    let near = z.of(1.0) - half;
    let cosine = near + (((z.of(1.0) - near) - half) + tail);
    let (is_odd, is_back) = (shifted.has_bit(0), shifted.has_bit(1));
    let (s, c) = (L::select(is_odd, cosine, sine), L::select(is_odd, sine, cosine));
    // Negative where the quadrant is the second or third, and the first or second.
    let s = L::select(is_back, -s, s);
    let c = L::select(is_odd, -c, c);
    (s, L::select(is_back, -c, c))
}

const ARC_HIGH: [f64; 4] = [4.636_476_090_008_061e-1, FRAC_PI_4, 9.827_937_232_473_29e-1, FRAC_PI_2];
const ARC_LOW: [f64; 4] =
    [2.269_877_745_296_168_7e-17, 3.061_616_997_868_383e-17, 1.390_331_103_123_099_8e-17, 6.123_233_995_736_766e-17];
const ARC_ODD: [f64; 6] = [
    3.333_333_333_333_293e-1,
    1.428_571_427_250_346_6e-1,
    9.090_887_133_436_507e-2,
    6.661_073_137_387_531e-2,
    4.976_877_994_615_932e-2,
    1.628_582_011_536_578_2e-2,
];
const ARC_EVEN: [f64; 5] = [
    -1.999_999_999_987_648_3e-1,
    -1.111_111_040_546_235_6e-1,
    -7.691_876_205_044_83e-2,
    -5.833_570_133_790_573_5e-2,
    -3.653_157_274_421_691_6e-2,
];
/// What `PI` falls short.
const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;
/// 2^-64: a share of `y` that an `x` needs to make a difference.
const NOTHING: f64 = 5.421_010_862_427_522e-20;

/// Angle of the point `(x, y)` from the x axis, in radians, `y` above zero: the bits of [`ops::atan2`].
#[inline(always)]
pub(crate) fn atan2<L: Lanes>(y: L, x: L) -> L {
    let (one, two, more) = (x.of(1.0), x.of(2.0), x.of(1.5));
    let t = (y / x).abs();
    let part = Part::of(t);
    let above = part.pick([t, two * t - one, t - one, t - more, -one]);
    let below = part.pick([one, two + t, t + one, one + more * t, t]);
    let t = above / below;
    let z = t * t;
    let w = z * z;
    let bend = t * (z * polynomial(w, ARC_ODD) + w * polynomial(w, ARC_EVEN));
    let angle = L::select(part.first, t - bend, part.number(t, ARC_HIGH) - (bend - part.number(t, ARC_LOW) - t));
    let is_behind = x.is_less(y * y.of(-NOTHING));
    L::select(is_behind, x.of(PI) - (angle - x.of(PI_LOW)), angle)
}

/// Which part of the arc tangent's range a number is in: below 7/16, 11/16, 19/16, 39/16, or above.
struct Part<L: Lanes> {
    first: L::Mask,
    second: L::Mask,
    third: L::Mask,
    fourth: L::Mask,
}

impl<L: Lanes> Part<L> {
    #[inline(always)]
    fn of(t: L) -> Self {
        let [a, b, c, d] = [t.of(0.4375), t.of(0.6875), t.of(1.1875), t.of(2.4375)];
        Self { first: t.is_less(a), second: t.is_less(b), third: t.is_less(c), fourth: t.is_less(d) }
    }

    #[inline(always)]
    fn pick(&self, [a, b, c, d, e]: [L; 5]) -> L {
        let outer = L::select(self.third, c, L::select(self.fourth, d, e));
        L::select(self.first, a, L::select(self.second, b, outer))
    }

    /// The number of each part but the first.
    #[inline(always)]
    fn number(&self, like: L, [b, c, d, e]: [f64; 4]) -> L {
        self.pick([like, like.of(b), like.of(c), like.of(d), like.of(e)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_those_of_libm() {
        let mut worst = 0.0_f64;
        for step in -20_000..=20_000 {
            let angle = f64::from(step) * 0.003_7;
            let ([s], [c]) = sin_cos(&[angle]);
            let (sine, cosine) = ops::sin_cos(angle);
            worst = worst.max((s - sine).abs()).max((c - cosine).abs());
        }
        assert!(worst < 2.5e-16, "{worst}");
        let exact = [0.0, 1e-300, 1e5, 3e9, 1e300].map(|angle| (sin_cos(&[angle]), ops::sin_cos(angle)));
        for (([s], [c]), (sine, cosine)) in exact {
            assert!((s - sine).abs() < 2.5e-16 && (c - cosine).abs() < 2.5e-16, "{s} {sine}");
        }
        assert!(sin_cos(&[f64::NAN]).0[0].is_nan());
    }

    #[test]
    fn arc_tangents_have_the_bits_of_libm() {
        let ends =
            [0.4375, 0.6875, 1.1875, 2.4375].into_iter().flat_map(|end: f64| [end.next_down(), end, end.next_up()]);
        let even = (0..=40_000).map(|step| f64::from(step) * 0.000_31);
        let wide = (-300..=300).map(|power| ops::pow(10.0, 0.1 * f64::from(power)));
        for y in ends.chain(even).chain(wide).filter(|&y| y > 0.0) {
            for x in [1.0, -1.0, 0.0, -0.0, 0.37, -2.9] {
                let (got, wanted) = (atan2(y, x), ops::atan2(y, x));
                assert_eq!(got.to_bits(), wanted.to_bits(), "{y} {x}: {got} {wanted}");
            }
        }
        assert!(atan2(f64::NAN, 1.0).is_nan());
    }
}
