//! A range of twist about z, in half angles: which allowed twist is nearest to a rotation's own.

use core::f64::consts::{PI, TAU};

use glam::DQuat;

use super::Range;
use crate::math::ops;

/// Slack (in half-angle sine), so that a projection's own result is left bit for bit.
pub(super) const SLACK: f64 = 4e-16;

/// `(sin, cos)` of half of the lowest, highest and middle twist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TwistRange {
    lowest: (f64, f64),
    highest: (f64, f64),
    middle: (f64, f64),
    /// Cosine of a quarter of the range's width.
    width: f64,
}

impl TwistRange {
    /// The range must be valid; one of a turn or more allows every twist.
    pub(super) fn new(range: Range) -> Self {
        let full = range.max - range.min >= TAU;
        let (low, high) = if full { (-PI, PI) } else { (range.min, range.max) };
        Self {
            lowest: ops::sin_cos(0.5 * low),
            highest: ops::sin_cos(0.5 * high),
            middle: ops::sin_cos(0.25 * (low + high)),
            width: if full { 0.0 } else { ops::sin_cos(0.25 * (high - low)).1 },
        }
    }

    /// Whether the twist whose half has this sine and cosine is allowed.
    pub(super) fn allows(&self, half: (f64, f64)) -> bool {
        (half.0 * self.middle.0 + half.1 * self.middle.1).abs() >= self.width - SLACK
    }

    /// `(sin, cos)` of half the lowest and the highest twist.
    pub(super) fn ends(&self) -> [(f64, f64); 2] {
        [self.lowest, self.highest]
    }

    /// `(sin, cos)` of half the nearest allowed twist, and whether it is the rotation's own;
    /// `planar` is the length of the rotation's `(z, w)`.
    pub(super) fn nearest(&self, q: DQuat, planar: f64) -> ((f64, f64), bool) {
        let along = |e: (f64, f64)| (q.z * e.0 + q.w * e.1).abs();
        // Rounding in `z` and `w` does not shrink with them.
        if planar > 0.0 && along(self.middle) >= self.width * planar - SLACK {
            return ((q.z / planar, q.w / planar), true);
        }
        let end = if along(self.highest) > along(self.lowest) { self.highest } else { self.lowest };
        // With no twist of its own (a half-turn swing) any allowed twist is as near.
        (end, planar == 0.0 && self.width <= 0.0)
    }
}
