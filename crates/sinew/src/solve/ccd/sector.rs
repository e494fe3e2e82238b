//! A hinge's range on the unit circle.

use crate::limit::Range;
use crate::math::ops;

/// Slack on a sector's edge (in cosine), so that an end is inside.
const SLACK: f64 = 4e-16;

/// A hinge's range as directions on the unit circle: clamping needs no angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sector {
    range: Range,
    /// `(cos, sin)` of the middle and of either end.
    pub(super) middle: (f64, f64),
    low: (f64, f64),
    high: (f64, f64),
    /// Cosine of half the width; below -1 where every angle is allowed.
    width: f64,
}

impl Sector {
    pub(super) fn new(range: Range) -> Self {
        let direction = |angle: f64| {
            let (sine, cosine) = ops::sin_cos(angle);
            (cosine, sine)
        };
        let width = range.max - range.min;
        if width.is_nan() || width >= core::f64::consts::TAU {
            return Self { range, middle: (1.0, 0.0), low: (1.0, 0.0), high: (1.0, 0.0), width: -2.0 };
        }
        // Either end is the middle turned by half the width.
        let (middle, half) = (direction(0.5 * (range.min + range.max)), direction(0.5 * width));
        let (along, across) = ((middle.0 * half.0, middle.1 * half.0), (middle.1 * half.1, middle.0 * half.1));
        Self {
            range,
            middle,
            low: (along.0 + across.0, along.1 - across.1),
            high: (along.0 - across.0, along.1 + across.1),
            width: half.0,
        }
    }

    /// Whether any angle is allowed.
    pub(super) fn is_free(&self) -> bool {
        self.width < -1.0
    }

    /// The allowed direction nearest to the unit vector; opposite the middle the lower end.
    #[inline(always)]
    pub(super) fn clamp(&self, to: (f64, f64)) -> (f64, f64) {
        let along = |end: (f64, f64)| to.0 * end.0 + to.1 * end.1;
        if along(self.middle) >= self.width - SLACK {
            return to;
        }
        if along(self.high) > along(self.low) { self.high } else { self.low }
    }

    /// The direction a share of the way from one allowed direction to another: the short way where any angle is allowed,
    /// else the one that does not leave the range.
    pub(super) fn between(&self, from: (f64, f64), to: (f64, f64), share: f64) -> (f64, f64) {
        let angle = |a: (f64, f64), b: (f64, f64)| ops::atan2(a.0 * b.1 - a.1 * b.0, a.0 * b.0 + a.1 * b.1);
        let way = if self.is_free() { angle(from, to) } else { angle(self.middle, to) - angle(self.middle, from) };
        let (sine, cosine) = ops::sin_cos(way * share);
        self.clamp((from.0 * cosine - from.1 * sine, from.1 * cosine + from.0 * sine))
    }

    /// The direction so far (0 to 1) through the range, through a whole turn where there is none.
    pub(super) fn within(&self, share: f64) -> (f64, f64) {
        let (low, wide) = if self.is_free() {
            (-core::f64::consts::PI, core::f64::consts::TAU)
        } else {
            (self.range.min, self.range.max - self.range.min)
        };
        let (sine, cosine) = ops::sin_cos(low + wide * share);
        self.clamp((cosine, sine))
    }

    /// The angle (radians) of an allowed direction, the turn nearest to `near`.
    pub(super) fn angle(&self, to: (f64, f64), near: f64) -> f64 {
        match to {
            _ if !self.is_free() && to == self.low => self.range.min,
            _ if !self.is_free() && to == self.high => self.range.max,
            _ => self.range.clamp_angle(ops::atan2(to.1, to.0), near),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_clamp_as_ranges_do() {
        for (low, high) in [
            (-0.5, 0.3),
            (0.2, 3.0),
            (2.0, 6.0),
            (-9.0, -8.5),
            (-0.1, 6.1),
            (-7.0, 7.0),
            (1.0, 1.0),
            (f64::NEG_INFINITY, 0.3),
            (7.0, 14.0),
        ] {
            let range = Range::new(low, high);
            let sector = Sector::new(range);
            for step in 0..1000 {
                let angle = -7.0 + 0.014 * f64::from(step);
                let (sine, cosine) = ops::sin_cos(angle);
                let got = sector.angle(sector.clamp((cosine, sine)), 0.0);
                let circle = |a: f64| ops::nearest_turn(a - angle, 0.0).abs();
                assert!(range.contains(got));
                assert!(circle(got) <= circle(range.clamp_angle(angle, angle)) + 1e-7, "{low} {high} {angle}: {got}");
            }
        }
    }
}
