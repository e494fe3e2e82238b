//! A closed interval of a coordinate: radians for hinges (turns count), metres for slides.

use core::f64::consts::TAU;

use crate::math::ops;

/// From `min` to `max`, both allowed; equal ends fix the coordinate. Infinite ends are no limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Lower end.
    pub min: f64,
    /// Upper end, not below `min`.
    pub max: f64,
}

impl Range {
    /// No limit.
    pub const FREE: Self = Self { min: f64::NEG_INFINITY, max: f64::INFINITY };

    /// From `min` to `max`.
    pub const fn new(min: f64, max: f64) -> Self {
        Self { min, max }
    }

    /// Whether the ends are numbers in order.
    pub fn is_valid(self) -> bool {
        self.min <= self.max && self.min < f64::INFINITY && self.max > f64::NEG_INFINITY
    }

    /// Whether `value` lies inside.
    pub fn contains(self, value: f64) -> bool {
        self.min <= value && value <= self.max
    }

    /// The nearest value inside, on the line (slides, and hinges whose turns are kept).
    pub fn clamp(self, value: f64) -> f64 {
        value.max(self.min).min(self.max)
    }

    /// The angle inside that is nearest to `angle` **on the circle**; among turns of the same
    /// angle the one nearest to `near`. Opposite the middle of the range the lower end wins.
    pub fn clamp_angle(self, angle: f64, near: f64) -> f64 {
        let angle = ops::nearest_turn(angle, near);
        if self.contains(angle) {
            return angle;
        }
        // Representatives inside, if any: the first above `min` and the last below `max`.
        let above = lift(angle, self.min);
        if above <= self.max {
            return if angle < self.min { above } else { -lift(-angle, -self.max) };
        }
        let to = |end: f64| (ops::nearest_turn(angle, end) - end).abs();
        if to(self.max) < to(self.min) { self.max } else { self.min }
    }

    /// The same range for the value `multiplier · q + offset` expressed in `q`.
    pub(crate) fn through(self, multiplier: f64, offset: f64) -> Self {
        let (a, b) = ((self.min - offset) / multiplier, (self.max - offset) / multiplier);
        Self { min: a.min(b), max: a.max(b) }
    }

    /// What both ranges allow; may be invalid (empty).
    pub(crate) fn intersect(self, other: Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }
}

/// `angle` plus the whole turns that bring it to the first value at or above `floor`.
fn lift(angle: f64, floor: f64) -> f64 {
    let lifted = angle + libm::ceil((floor - angle) / TAU) * TAU;
    if lifted.is_finite() { lifted } else { angle }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::PI;

    const DEGREE: f64 = PI / 180.0;

    #[test]
    fn the_nearest_end_is_nearest_on_the_circle() {
        let range = Range::new(0.0, 170.0 * DEGREE);
        assert_eq!(range.clamp_angle(-179.0 * DEGREE, 0.0), range.max);
        assert_eq!(range.clamp_angle(-10.0 * DEGREE, 0.0), range.min);
        assert_eq!(range.clamp_angle(100.0 * DEGREE, 0.0), 100.0 * DEGREE);
        // Opposite the middle (85 - 180 degrees) the lower end wins.
        assert_eq!(Range::new(-1.0, 1.0).clamp_angle(PI, 0.0), -1.0);
    }

    #[test]
    fn turns_count_and_the_nearest_is_kept() {
        let range = Range::new(-TAU, TAU);
        // 0.5 and 0.5 - 2π are the same angle: the one nearest to where the joint was.
        assert!((range.clamp_angle(0.5 - TAU, 1.0) - 0.5).abs() < 1e-12);
        assert!((range.clamp_angle(0.5, -5.0) - (0.5 - TAU)).abs() < 1e-12);
        // A range that excludes zero and starts beyond a turn.
        let far = Range::new(7.0, 8.0);
        assert!((far.clamp_angle(7.5 - TAU, 0.0) - 7.5).abs() < 1e-12);
        assert_eq!(Range::new(2.0, 2.0).clamp_angle(0.3, 0.3), 2.0);
    }

    #[test]
    fn brute_force_agrees() {
        for (lo, hi) in [(-0.5, 0.3), (0.2, 3.0), (2.0, 6.0), (-9.0, -8.5), (-0.1, 6.1)] {
            let range = Range::new(lo, hi);
            for step in 0..1000 {
                let angle = -7.0 + 0.014 * f64::from(step);
                let circle = |a: f64| ops::nearest_turn(a - angle, 0.0).abs();
                let best = (0..=4000).map(|i| circle(lo + (hi - lo) * f64::from(i) / 4000.0)).fold(9.0, f64::min);
                let got = range.clamp_angle(angle, angle);
                assert!(range.contains(got) && circle(got) <= best + 2e-3, "{lo} {hi} {angle}: {got}");
            }
        }
    }
}
