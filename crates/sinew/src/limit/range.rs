//! A closed interval of a coordinate: radians for hinges (turns count), metres for slides.

use core::f64::consts::TAU;

use crate::math::ops;

/// Angle (radians; times its size, where that is more than one) past an end that counts as rounding.
const ROUNDING: f64 = 4e-15;
/// The same of a turn that a search has brought to its limit.
const FOUND: f64 = 1e-9;

/// From `min` to `max`, both allowed; equal ends fix the coordinate. Infinite ends are no limit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Range {
    /// Lower end.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde::number::low"))]
    pub min: f64,
    /// Upper end, not below `min`.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde::number"))]
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

    /// The angle inside that is nearest to `angle` **on the circle**; of its whole turns the one nearest to `near`.
    /// Exactly opposite the middle of the range, the lower end.
    pub fn clamp_angle(self, angle: f64, near: f64) -> f64 {
        let turn = ops::nearest_turn(angle, near);
        if self.contains(turn) {
            return turn;
        }
        // The first turn inside, seen from there: up to rounding, which may leave an end just outside. It is counted
        // from that end, since a turn far away has few digits of its angle left.
        let end = self.clamp(turn);
        let slack = ROUNDING * end.abs().max(1.0);
        let inward = TAU.copysign(end - turn);
        let first = ops::nearest_turn(angle, end);
        let inside = if (first - end) * inward < -slack * TAU { first + inward } else { first };
        if self.min - slack <= inside && inside <= self.max + slack {
            return self.clamp(inside);
        }
        let to = |end: f64| (ops::nearest_turn(angle, end) - end).abs();
        if to(self.max) < to(self.min) { self.max } else { self.min }
    }

    /// The value of a hinge whose rotation is `angle`: the turn of it inside that is nearest to `near`, its value
    /// before; where none is inside, the nearest of all.
    pub(crate) fn turn_of(self, angle: f64, near: f64) -> f64 {
        let nearest = ops::nearest_turn(angle, near);
        if self.contains(nearest) {
            return nearest;
        }
        let allowed = self.clamp_angle(angle, near);
        let turn = ops::nearest_turn(angle, allowed);
        match (turn - allowed).abs() / allowed.abs().max(1.0) {
            off if off <= ROUNDING => allowed,
            off if off <= FOUND => turn,
            _ => nearest,
        }
    }

    /// The same range of `q` for the value `multiplier · q + offset`, as far as `own` has it: rounding on the way
    /// adds nothing to `own`.
    pub(crate) fn of_value(self, multiplier: f64, offset: f64, own: Self) -> Self {
        let (a, b) = (multiplier * self.min + offset, multiplier * self.max + offset);
        Self { min: own.clamp(a.min(b)), max: own.clamp(a.max(b)) }
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
        // One-sided ranges hold every angle, some turns away.
        let below = Range::new(f64::NEG_INFINITY, 0.3);
        assert!((below.clamp_angle(2.0, 0.0) - (2.0 - TAU)).abs() < 1e-15);
        assert!((Range::new(9.0, f64::INFINITY).clamp_angle(2.0, 0.0) - (2.0 + 2.0 * TAU)).abs() < 1e-14);
        // However far away the joint was.
        for near in [7e7, -7e7, 1e12] {
            assert!((far.clamp_angle(7.5 - TAU, near) - 7.5).abs() < 1e-14);
            assert_eq!((far.turn_of(8.0 - TAU, near), far.turn_of(7.0 - TAU, near)), (8.0, 7.0));
        }
    }

    #[test]
    fn a_rotation_is_the_turn_that_is_allowed() {
        let range = Range::new(-2.6, 0.0);
        assert_eq!(range.turn_of(-2.0, 3.0), -2.0);
        // Outside whichever turn it is: the one before counts.
        assert_eq!(range.turn_of(0.5 - TAU, 0.4), 0.5);
        // An end that rounding has moved is the end.
        assert_eq!(Range::new(7.0, 8.0).turn_of(8.0 - TAU + 1e-15, 0.0), 8.0);
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
