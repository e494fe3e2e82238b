//! Soft reach: the limb solves for `f(d)` instead of the target's distance `d`, so that the elbow never
//! runs away from the target near full stretch or full fold.
//!
//! An elbow of interior angle `φ` moves at most `1 / sin φ` times as fast as its tip, in whichever
//! direction that goes: `v(d)² + (l1 / d)² = (2 l1 l2)² / S`, `v` for motion along the line and `l1 / d`
//! across it. Near full stretch the band begins where that is the allowed ratio, in closed form. Near the
//! root `l1 / d` is nobody's choice, so there the band begins where `v` alone is the ratio.

use crate::math::ops;

/// Width below which a band is rounding, relative to the limb's length.
const NARROW: f64 = 1e-13;

/// Distances from the rims of the reach at which softening begins (metres).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bands {
    /// Below full stretch. At full stretch the tip is half of it short.
    pub outer: f64,
    /// Above the fullest fold; 0 for equal bones, which fold without speeding up.
    pub inner: f64,
}

/// A limb's bones and how near and far its tip can be; with hinges askew that is less than the
/// triangle's own `|l1 - l2|` to `l1 + l2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bones {
    pub(super) l1: f64,
    pub(super) l2: f64,
    pub(super) shortest: f64,
    pub(super) longest: f64,
}

impl Bones {
    pub(super) fn new(l1: f64, l2: f64) -> Self {
        Self { l1, l2, shortest: (l1 - l2).abs(), longest: l1 + l2 }
    }

    /// Distance at which the elbow is a right angle, and moves as fast as the tip at most.
    pub(super) fn right_angled(&self) -> f64 {
        ops::sqrt(self.l1 * self.l1 + self.l2 * self.l2)
    }

    /// Elbow speed over the tip's, for a tip that moves along the line from the root, at so much more
    /// than the shortest distance.
    fn speed(&self, above: f64) -> f64 {
        let (outer, inner, distance) = (self.l1 + self.l2, (self.l1 - self.l2).abs(), self.shortest + above);
        // Rounding may have put the shortest distance inside the fold.
        let s = (outer - distance) * (outer + distance) * ((distance - inner).max(above) * (distance + inner));
        let across = distance * distance - (self.l1 - self.l2) * outer;
        self.l1 * across.abs() / (distance * ops::sqrt_clamped(s))
    }
}

impl Bands {
    /// The bands that keep the elbow of bones `l1` and `l2` at most `ratio` times as fast as the target;
    /// ratios below 1 count as 1, an infinite one needs no bands.
    pub fn new(ratio: f64, l1: f64, l2: f64) -> Self {
        let bones = Bones::new(l1, l2);
        Self { outer: outer(ratio, &bones), inner: inner(ratio, &bones) }
    }

    /// The distance to solve for, where the target is at `distance`: itself between the bands. Once
    /// differentiable.
    pub(super) fn soften(&self, bones: &Bones, distance: f64) -> f64 {
        let (s, si) = (self.outer, self.inner);
        let (from_outer, from_inner) = (distance - (bones.longest - s), bones.shortest + si - distance);
        if from_outer > 0.0 && s > 0.0 {
            bones.longest - s * (s / (from_outer + s))
        } else if from_inner > 0.0 && si > 0.0 {
            bones.shortest + si * (si / (from_inner + si))
        } else {
            distance
        }
    }
}

/// Width of the outer band: from where `sin φ` is one over the ratio, past a right angle.
pub(super) fn outer(ratio: f64, bones: &Bones) -> f64 {
    let (l1, l2) = (bones.l1, bones.l2);
    let sine = 1.0 / ratio.max(1.0);
    let cosine = ops::sqrt((1.0 - sine) * (1.0 + sine));
    let begins = ops::sqrt(l1 * l1 + l2 * l2 + 2.0 * l1 * l2 * cosine);
    let straight = l1 + l2;
    if straight <= 0.0 {
        return 0.0;
    }
    // The difference of squares keeps its digits for large ratios.
    let width = 2.0 * l1 * l2 * (sine * sine / (1.0 + cosine)) / (straight + begins);
    (width - (straight - bones.longest)).max(0.0)
}

/// The same for a target at a distance, 0 where that is out of the band: which is 1.23 times as wide as where
/// the speed is the ratio, at most, so that at half the way in, one look is enough.
pub(super) fn inner_near(ratio: f64, bones: &Bones, distance: f64) -> f64 {
    let above = distance - bones.shortest;
    if above > 0.0 && (distance >= bones.right_angled() || bones.speed(0.5 * above) <= ratio.max(1.0)) {
        return 0.0;
    }
    inner(ratio, bones)
}

/// Width of the inner band: from where the speed is the ratio, or more where bones are nearly equal,
/// which are at their worst inside the band.
pub(super) fn inner(ratio: f64, bones: &Bones) -> f64 {
    let (ratio, widest) = (ratio.max(1.0), bones.right_angled() - bones.shortest);
    let (mut low, mut high) = (0.0, widest);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if bones.speed(middle) > ratio { low = middle } else { high = middle }
    }
    if high <= NARROW * bones.longest {
        return 0.0;
    }
    // In the band the elbow's speed is `(e / width)² v`, `e` above the fold; that has one peak.
    let peak = |e: f64| e * e * bones.speed(e);
    let (mut low, mut high, top) = (0.0, high, high);
    for _ in 0..40 {
        let (a, b) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
        if peak(a) < peak(b) { low = a } else { high = b }
    }
    top.max(ops::sqrt(peak(0.5 * (low + high)) / ratio)).min(widest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Coordinates of the elbow along and across the line, by the law of cosines.
    fn elbow(d: f64, l1: f64, l2: f64) -> (f64, f64) {
        let cosine = (l1 * l1 + d * d - l2 * l2) / (2.0 * l1 * d);
        (l1 * cosine, l1 * ops::sqrt_clamped(1.0 - cosine * cosine))
    }

    proptest! {
        #[test]
        fn the_ratio_is_never_exceeded(l1 in 0.1..1.0_f64, part in 0.0..1.0_f64, near in 0..5_i32, exponent in -2.0..1.0_f64, angle in -3.2..3.2_f64, at in 0.0..1.0_f64) {
            // Unequal, and equal but for 1e-1 to 1e-4.
            let l2 = if near == 0 { 0.1 + part } else { l1 * (1.0 + (part - 0.5) * libm::pow(10.0, -f64::from(near))) };
            let ratio = 1.0 + libm::pow(10.0, exponent);
            let (bones, bands) = (Bones::new(l1, l2), Bands::new(ratio, l1, l2));
            let step = 1e-7 * bones.longest;
            let speed = |d: f64, angle: f64| {
                // The target moves by `step` at an angle to the line: the elbow turns with the line.
                let (across, along) = ops::sin_cos(angle);
                let (along, across) = (along * step, across * step);
                let d2 = libm::hypot(d + along, across);
                let (before, after) = (elbow(bands.soften(&bones, d), l1, l2), elbow(bands.soften(&bones, d2), l1, l2));
                let (s, c) = ops::sin_cos(ops::atan2(across, d + along));
                let turned = (after.0 * c - after.1 * s, after.0 * s + after.1 * c);
                libm::hypot(turned.0 - before.0, turned.1 - before.1) / step
            };
            // Beyond a right angle, in every direction.
            let far = bones.right_angled() + at * (1.3 * bones.longest - bones.right_angled());
            prop_assert!(speed(far, angle) <= ratio * (1.0 + 1e-4), "{} at {far}, {angle}", speed(far, angle));
            // Nearer than that, along the line.
            let close = at * bones.right_angled();
            prop_assume!(close > 1e-4 * bones.longest);
            prop_assert!(speed(close, 0.0) <= ratio * (1.0 + 1e-3), "{} at {close}", speed(close, 0.0));
            // And across it `l1 / d` is added in quadrature, no more.
            let bound = libm::hypot(ratio, l1 / close);
            prop_assert!(speed(close, angle) <= bound * (1.0 + 1e-3), "{} at {close}, {angle}", speed(close, angle));
        }

        #[test]
        fn one_look_tells_whether_a_target_is_in_the_band(l1 in 0.1..1.0_f64, part in -0.5..0.5_f64, near in 0.0..9.0_f64, exponent in -5.0..2.0_f64, at in 0.0..1.3_f64) {
            let l2 = l1 * (1.0 + part * libm::pow(10.0, -near));
            let ratio = 1.0 + libm::pow(10.0, exponent);
            let (bones, bands) = (Bones::new(l1, l2), Bands::new(ratio, l1, l2));
            for distance in [at * bones.longest, bones.shortest + at * 2.0 * bands.inner] {
                let near = Bands { inner: inner_near(ratio, &bones, distance), ..bands };
                prop_assert_eq!(near.soften(&bones, distance), bands.soften(&bones, distance));
            }
        }

        #[test]
        fn bands_begin_where_the_ratio_is_met(l1 in 0.1..1.0_f64, l2 in 0.1..1.0_f64, ratio in 1.01..50.0_f64) {
            let (bones, bands) = (Bones::new(l1, l2), Bands::new(ratio, l1, l2));
            let seam = bones.longest - bands.outer;
            prop_assert!((libm::hypot(bones.speed(seam - bones.shortest), l1 / seam) / ratio - 1.0).abs() < 1e-6);
            let seam = bones.shortest + bands.inner;
            prop_assert!(bones.speed(bands.inner.max(1e-9)) <= ratio * (1.0 + 1e-9));
            // Continuous at the seams, half a band short at the rim, never beyond it.
            for (d, f) in [(bones.longest, bones.longest - 0.5 * bands.outer), (bones.longest * 1e3, bones.longest), (seam, seam)] {
                prop_assert!((bands.soften(&bones, d) - f).abs() < 1e-3 * bands.outer + 1e-12, "{d}");
            }
        }
    }

    #[test]
    fn known_bands() {
        // Equal bones: sin φ = 1/3 at 0.98563 of the length, and folding needs no band.
        let bands = Bands::new(3.0, 0.5, 0.5);
        assert!((1.0 - bands.outer - ops::sqrt(0.5 * (1.0 + ops::sqrt(8.0) / 3.0))).abs() < 1e-15);
        assert_eq!(bands.inner, 0.0);
        for (l1, l2) in [(0.0, 1.0), (1.0, 0.0), (0.0, 0.0)] {
            let bands = Bands::new(3.0, l1, l2);
            assert!(bands.outer.abs() < 1e-15 && bands.inner.abs() < 1e-15, "{l1} {l2}: {bands:?}");
        }
        for (ratio, wide) in [(f64::INFINITY, 0.0), (f64::NAN, 0.29), (0.0, 0.29), (1.0, 0.29)] {
            assert!((Bands::new(ratio, 0.5, 0.5).outer - wide).abs() < 0.01, "{ratio}");
        }
    }
}
