//! One axis of a goal, shared out over the joints of a chain.

use super::ratio::is_met;
use crate::limit::Range;
use crate::math::ops;
use crate::solve::Status;

/// How a goal is shared among joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Distribution {
    /// From the base on, each joint takes the even root of what is left: what its limits refuse goes towards the tip.
    #[default]
    RootFirst,
    /// Every joint takes the same ratio, clamped to its limits.
    Even,
}

/// Fills `ratios`, base first, so that their product is `goal` or, where `ranges` forbid that, as near as they allow.
///
/// A range limits the size of a ratio, whatever its sign; ends of zero and infinity are no limits, and a joint without
/// a range is free. A goal that is not positive is reached by [`Distribution::RootFirst`] without limits in equal steps
/// of the product: for `n` joints none on the way is nearer to 0 than `1 / 2n`. Otherwise sizes are shared, and the
/// last joint takes the sign.
///
/// [`Status::Reached`] is to 1e-12 of the goal, and [`Status::Limited`] the nearest product. In all other cases every
/// ratio is 1: [`Status::Invalid`] when the goal is not finite, or a range is empty or has a negative finite end;
/// [`Status::Singular`] when a ratio overflows; [`Status::Stalled`] when there are no joints and the goal is not 1.
pub fn distribute(goal: f64, ranges: &[Range], distribution: Distribution, ratios: &mut [f64]) -> Status {
    let limits = Limits(&ranges[..ranges.len().min(ratios.len())]);
    if !goal.is_finite() || !limits.0.iter().all(is_of_sizes) {
        ratios.fill(1.0);
        return Status::Invalid;
    }
    if goal <= 0.0 && distribution == Distribution::RootFirst && limits.are_none() {
        by_steps(goal, ratios);
    } else {
        match distribution {
            Distribution::RootFirst => root_first(goal.abs(), limits, ratios),
            Distribution::Even => even(goal.abs(), limits, ratios),
        }
        if let (true, Some(last)) = (goal < 0.0, ratios.last_mut()) {
            *last = -*last;
        }
    }
    if !ratios.iter().all(|ratio| ratio.is_finite()) {
        ratios.fill(1.0);
        return Status::Singular;
    }
    if is_met(goal, goal - ratios.iter().product::<f64>()) {
        Status::Reached
    } else if ratios.is_empty() {
        Status::Stalled
    } else {
        Status::Limited
    }
}

/// Whether a range allows any size and its finite ends are not negative.
pub(super) fn is_of_sizes(range: &Range) -> bool {
    range.is_valid() && range.max > 0.0 && (range.min >= 0.0 || range.min == f64::NEG_INFINITY)
}

/// Ranges of the first joints; those after are free.
#[derive(Clone, Copy)]
struct Limits<'a>(&'a [Range]);

impl Limits<'_> {
    fn are_none(self) -> bool {
        self.0.iter().all(|range| range.min <= 0.0 && range.max == f64::INFINITY)
    }

    /// Least and largest size of a joint's ratio.
    fn ends(self, joint: usize) -> (f64, f64) {
        self.0.get(joint).map_or((0.0, f64::INFINITY), |range| (range.min.max(0.0), range.max))
    }

    /// Least and largest product of all joints after this one.
    fn ends_after(self, joint: usize, count: usize) -> (f64, f64) {
        (joint + 1..count).map(|j| self.ends(j)).fold((1.0, 1.0), |(low, high), (lo, hi)| (low * lo, high * hi))
    }

    fn clamp(self, joint: usize, ratio: f64) -> f64 {
        let (lo, hi) = self.ends(joint);
        ratio.max(lo).min(hi)
    }

    /// The product where every joint takes `ratio`, as far as it may.
    fn product_at(self, ratio: f64, count: usize) -> f64 {
        (0..count).fold(1.0, |product, joint| product * self.clamp(joint, ratio))
    }
}

/// The product goes from 1 to the goal in equal steps.
fn by_steps(goal: f64, ratios: &mut [f64]) {
    let count = ratios.len() as f64;
    let nearest = 0.5 / count;
    let last = ratios.len().saturating_sub(1);
    let mut before = 1.0;
    for (joint, ratio) in ratios.iter_mut().enumerate() {
        let even = 1.0 + (goal - 1.0) * ((joint + 1) as f64 / count);
        let even = if even.abs() < nearest { nearest.copysign(even) } else { even };
        let product = if joint == last { goal } else { even };
        *ratio = product / before;
        before = product;
    }
}

/// Each joint takes the even root of what is left, but for what those after it cannot make up for.
fn root_first(size: f64, limits: Limits<'_>, ratios: &mut [f64]) {
    let count = ratios.len();
    let mut left = size;
    for (joint, ratio) in ratios.iter_mut().enumerate() {
        let (low, high) = limits.ends_after(joint, count);
        let most = if low > 0.0 { left / low } else { f64::INFINITY };
        let even = ops::pow(left, 1.0 / (count - joint) as f64);
        *ratio = limits.clamp(joint, even.max(left / high).min(most));
        if *ratio > 0.0 {
            left /= *ratio;
        }
    }
}

/// One ratio for all, clamped: found between the two ends of ranges at which the product passes the size.
fn even(size: f64, limits: Limits<'_>, ratios: &mut [f64]) {
    let count = ratios.len();
    let (mut low, mut high) = (0.0_f64, f64::INFINITY);
    for (lo, hi) in (0..limits.0.len()).map(|joint| limits.ends(joint)) {
        for end in [lo, hi].into_iter().filter(|&end| end > 0.0 && end < f64::INFINITY) {
            if limits.product_at(end, count) <= size {
                low = low.max(end);
            } else {
                high = high.min(end);
            }
        }
    }
    let follows = |joint: usize| {
        let (lo, hi) = limits.ends(joint);
        lo <= low && high <= hi
    };
    let followers = (0..count).filter(|&joint| follows(joint)).count();
    let stopped = (0..count).filter(|&joint| !follows(joint)).map(|joint| limits.clamp(joint, low));
    let left = stopped.fold(size, |left, ratio| left / ratio);
    let shared = if followers == 0 { low } else { ops::pow(left, 1.0 / followers as f64).max(low).min(high) };
    ratios.iter_mut().enumerate().for_each(|(joint, ratio)| *ratio = limits.clamp(joint, shared));
    // The last that follows takes what rounding left.
    let product: f64 = ratios.iter().product();
    if let Some(last) = (0..count).rev().find(|&joint| follows(joint))
        && product > 0.0
        && product < f64::INFINITY
    {
        ratios[last] = limits.clamp(last, ratios[last] * (size / product));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    fn shared(goal: f64, ranges: &[Range], count: usize) -> Vec<f64> {
        let mut ratios = vec![0.0; count];
        let _ = distribute(goal, ranges, Distribution::RootFirst, &mut ratios);
        ratios
    }

    #[test]
    fn what_those_after_cannot_make_up_for_is_taken_at_once() {
        // The specification's example: without looking ahead the first would take 2 and the rest be lost.
        assert_eq!(shared(4.0, &[Range::new(1.0, 10.0), Range::new(1.0, 1.0)], 2), [4.0, 1.0]);
        assert_eq!(shared(8.0, &[], 3), [2.0, 2.0, 2.0]);
        assert_eq!(shared(8.0, &[Range::new(0.0, 1.0)], 2), [1.0, 8.0]);
    }

    #[test]
    fn steps_of_a_goal_that_is_not_positive_keep_off_zero() {
        // 1/2 and 0: and 0, 1/4 away, and -1.
        assert_eq!(shared(0.0, &[], 2), [0.5, 0.0]);
        assert_eq!(shared(-1.0, &[], 2), [0.25, -4.0]);
        assert_eq!(shared(-2.0, &[], 3), [1.0 / 6.0, -6.0, 2.0]);
    }
}
