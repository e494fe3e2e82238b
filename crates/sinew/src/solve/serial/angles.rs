//! Sines and cosines of all joint angles at once, from `+ - *` alone, so that the compiler can do several side by side.
//!
//! Source: the polynomials of fdlibm's `__kernel_sin` and `__kernel_cos`, after Cody and Waite's reduction by quarter turns.

use core::f64::consts::FRAC_2_PI;

use crate::math::ops;

/// Adding this rounds to a whole number, whose last bits are then the sum's.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// A quarter turn in three parts, of which the first two leave room for a factor of 2^20.
const QUARTER: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];
/// Angles beyond are left to `libm`.
const FAR: f64 = 1e5;

/// Sines and cosines, to a unit or two in the last place.
#[inline(always)]
pub(super) fn sin_cos<const N: usize>(angles: &[f64; N]) -> ([f64; N], [f64; N]) {
    let (mut sines, mut cosines) = ([0.0; N], [0.0; N]);
    let mut farthest = 0.0_f64;
    for i in 0..N {
        (sines[i], cosines[i]) = one(angles[i]);
        farthest = farthest.max(angles[i].abs());
    }
    if farthest > FAR {
        for i in 0..N {
            (sines[i], cosines[i]) = ops::sin_cos(angles[i]);
        }
    }
    (sines, cosines)
}

#[inline(always)]
fn one(angle: f64) -> (f64, f64) {
    let shifted = angle * FRAC_2_PI + ROUND;
    let turns = shifted - ROUND;
    let x = ((angle - turns * QUARTER[0]) - turns * QUARTER[1]) - turns * QUARTER[2];
    let z = x * x;
    let sine = x + x
        * z
        * (-1.666_666_666_666_663_2e-1
            + z * (8.333_333_333_322_49e-3
                + z * (-1.984_126_982_985_795e-4
                    + z * (2.755_731_370_707_006_8e-6
                        + z * (-2.505_076_025_340_686_3e-8 + z * 1.589_690_995_211_55e-10)))));
    let tail = z
        * z
        * (4.166_666_666_666_66e-2
            + z * (-1.388_888_888_887_411e-3
                + z * (2.480_158_728_947_673e-5
                    + z * (-2.755_731_435_139_066_3e-7
                        + z * (2.087_572_321_298_175e-9 + z * -1.135_964_755_778_819_5e-11)))));
    let half = 0.5 * z;
    let near = 1.0 - half;
    let cosine = near + (((1.0 - near) - half) + tail);
    let quadrant = shifted.to_bits() & 3;
    let (s, c) = if quadrant & 1 == 0 { (sine, cosine) } else { (cosine, sine) };
    let negative = |flip: u64, x: f64| f64::from_bits(x.to_bits() ^ (flip << 63));
    (negative(quadrant >> 1, s), negative((quadrant >> 1) ^ (quadrant & 1), c))
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
}
