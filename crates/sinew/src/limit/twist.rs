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
    /// Whether every twist is allowed.
    full: bool,
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
            full,
        }
    }

    /// Whether the twist whose half has this sine and cosine (of any length up to 1) is allowed, by the sines of
    /// half of what it is beyond the ends: a rotation and its negative are one.
    pub(super) fn allows(&self, (sine, cosine): (f64, f64)) -> bool {
        let sign = if sine * self.middle.0 + cosine * self.middle.1 < 0.0 { -1.0 } else { 1.0 };
        let above = (sine * self.lowest.1 - cosine * self.lowest.0) * sign;
        let below = (cosine * self.highest.0 - sine * self.highest.1) * sign;
        self.full || above.min(below) >= -4.0 * SLACK
    }

    /// Whether every twist is allowed.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// `(sin, cos)` of half the lowest and the highest twist.
    pub(super) fn ends(&self) -> [(f64, f64); 2] {
        [self.lowest, self.highest]
    }

    /// `(sin, cos)` of half the nearest allowed twist, and whether it is the rotation's own, but for rounding, which
    /// is the more of a twist the nearer the swing is to a half turn; `planar` is the length of the rotation's
    /// `(z, w)`.
    pub(super) fn nearest(&self, q: DQuat, planar: f64) -> ((f64, f64), bool) {
        let own = (q.z / planar, q.w / planar);
        if planar > 0.0 && self.allows(own) {
            return (own, true);
        }
        let along = |e: (f64, f64)| (q.z * e.0 + q.w * e.1).abs();
        let end = if along(self.highest) > along(self.lowest) { self.highest } else { self.lowest };
        (end, self.allows((q.z, q.w)))
    }
}
