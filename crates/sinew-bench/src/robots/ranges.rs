//! Ranges of an arm's coordinates, and values in them.

use std::f64::consts::TAU;

use fastrand::Rng;
use sinew::limit::Range;

use crate::judge::arm::ArmJudge;

/// Ranges with ends: half a turn (or so many metres) either way where a coordinate has none.
pub(super) fn ranges(arm: &ArmJudge<'_>) -> Vec<Range> {
    let ends = |range: Range| {
        let low = if range.min.is_finite() { range.min } else { range.max.min(0.5 * TAU) - TAU };
        Range::new(low, if range.max.is_finite() { range.max } else { low + TAU })
    };
    arm.ranges().map(ends).collect()
}

/// Any values in the ranges.
pub(super) fn anywhere(ranges: &[Range], rng: &mut Rng) -> Vec<f64> {
    ranges.iter().map(|range| range.min + (range.max - range.min) * rng.f64()).collect()
}

/// The middles of the ranges.
pub(super) fn middle(ranges: &[Range]) -> Vec<f64> {
    ranges.iter().map(|range| 0.5 * (range.min + range.max)).collect()
}
