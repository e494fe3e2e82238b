//! The best turn or shift of one joint, on points: what each step of the solver does.

use glam::{DQuat, DVec3};

use super::fit;
use crate::limit::Range;
use crate::math::{arc, ops};

/// A point (or direction) that moves with a joint, and where it should be. Both are measured from the joint's origin, in a
/// frame that does not turn with the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Where it is. For a hinge or slide, without the joint's own motion; for a ball, in its present pose.
    pub from: DVec3,
    /// Where it should be.
    pub to: DVec3,
    /// How much it counts; not negative.
    pub weight: f64,
}

impl Pair {
    /// A pair of weight 1.
    pub fn new(from: impl Into<DVec3>, to: impl Into<DVec3>) -> Self {
        Self { from: from.into(), to: to.into(), weight: 1.0 }
    }
}

/// Weighted sums of a hinge's pairs: the best angle's sine and cosine times a common length².
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Circle {
    pub(super) sine: f64,
    pub(super) cosine: f64,
}

impl Circle {
    /// Adds a pair turned about the unit vector `axis`.
    #[inline(always)]
    pub(super) fn add(&mut self, axis: DVec3, from: DVec3, to: DVec3, weight: f64) {
        self.sine += weight * axis.dot(from.cross(to));
        self.cosine += weight * (from.dot(to) - axis.dot(from) * axis.dot(to));
    }
}

/// The angle in `range` (radians) of a hinge about the unit vector `axis` that brings the pairs nearest to
/// where they should be, in the sum of weighted squares; of equal angles the turn nearest to `near`.
///
/// Outside the range the end nearest on the circle. `None` where every angle is as good: pairs on the
/// axis, or none.
///
/// ```
/// use core::f64::consts::FRAC_PI_2;
/// use sinew::glam::DVec3;
/// use sinew::limit::Range;
/// use sinew::solve::ccd::{Pair, hinge_angle};
///
/// let pairs = [Pair::new(DVec3::X, DVec3::Y * 3.0)];
/// assert_eq!(hinge_angle(DVec3::Z, &pairs, Range::FREE, 0.0), Some(FRAC_PI_2));
/// assert_eq!(hinge_angle(DVec3::Z, &pairs, Range::new(-1.0, 1.0), 0.0), Some(1.0));
/// ```
pub fn hinge_angle(axis: DVec3, pairs: &[Pair], range: Range, near: f64) -> Option<f64> {
    let mut circle = Circle::default();
    for pair in pairs {
        circle.add(axis, pair.from, pair.to, pair.weight);
    }
    let Circle { sine, cosine } = circle;
    let defined = (sine != 0.0 || cosine != 0.0) && sine.is_finite() && cosine.is_finite();
    defined.then(|| range.clamp_angle(ops::atan2(sine, cosine), near))
}

/// The shift in `range` (metres) of a slide along the unit vector `axis` that brings the pairs nearest to their targets;
/// `None` when all weights are 0.
pub fn slide_value(axis: DVec3, pairs: &[Pair], range: Range) -> Option<f64> {
    let weight: f64 = pairs.iter().map(|pair| pair.weight).sum();
    let along: f64 = pairs.iter().map(|pair| pair.weight * axis.dot(pair.to - pair.from)).sum();
    (weight > 0.0 && along.is_finite()).then(|| range.clamp(along / weight))
}

/// The turn of a ball from its present rotation that brings the pairs nearest to their targets: the shortest arc for one
/// pair, the best-fit rotation for several, and the smallest of equally good ones. Half turns are about an axis of the
/// joint's own. Identity when every turn is equally good.
pub fn ball_turn(pairs: &[Pair]) -> DQuat {
    if let [pair] = pairs {
        return one_turn(pair.from, pair.to, None);
    }
    let mut moments = fit::Moments::default();
    for pair in pairs {
        moments.add(pair.from, pair.to, pair.weight);
    }
    moments.turn()
}

/// The shortest arc between two directions of any length; a half turn goes about `across`.
#[inline]
pub(super) fn one_turn(from: DVec3, to: DVec3, across: Option<DVec3>) -> DQuat {
    match (arc::unit(from), arc::unit(to)) {
        (Some(from), Some(to)) => arc::arc(from, to, across.unwrap_or_else(|| arc::any_perpendicular(from))),
        _ => DQuat::IDENTITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    fn vector() -> impl Strategy<Value = DVec3> {
        (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(DVec3::from)
    }

    fn pairs() -> impl Strategy<Value = Vec<Pair>> {
        prop::collection::vec(
            (vector(), vector(), 0.0..2.0).prop_map(|(from, to, weight)| Pair { from, to, weight }),
            1..5,
        )
    }

    fn miss(pairs: &[Pair], place: impl Fn(DVec3) -> DVec3) -> f64 {
        pairs.iter().map(|pair| pair.weight * (place(pair.from) - pair.to).length_squared()).sum()
    }

    proptest! {
        #[test]
        fn no_angle_in_range_is_better(pairs in pairs(), axis in vector(), ends in (-4.0..4.0, 0.0..6.0)) {
            prop_assume!(axis.length() > 0.1);
            let axis = arc::unit(axis).unwrap();
            let range = Range::new(ends.0, ends.0 + ends.1);
            let Some(best) = hinge_angle(axis, &pairs, range, 0.3) else { return Ok(()) };
            prop_assert!(range.contains(best));
            let at = |angle: f64| miss(&pairs, |e| arc::axis_angle(axis, angle) * e);
            for step in 0..=300 {
                let other = at(range.min + (range.max - range.min) * f64::from(step) / 300.0);
                prop_assert!(at(best) <= other + 1e-12, "{} at {best}, {other}", at(best));
            }
        }

        #[test]
        fn no_shift_in_range_is_better(pairs in pairs(), axis in vector(), ends in (-1.0..1.0, 0.0..1.0)) {
            prop_assume!(axis.length() > 0.1);
            let axis = arc::unit(axis).unwrap();
            let range = Range::new(ends.0, ends.0 + ends.1);
            let best = slide_value(axis, &pairs, range).unwrap();
            let at = |shift: f64| miss(&pairs, |e| e + axis * shift);
            for step in 0..=300 {
                prop_assert!(at(best) <= at(range.min + ends.1 * f64::from(step) / 300.0) + 1e-12);
            }
        }

        #[test]
        fn no_turn_is_better(pairs in pairs(), others in prop::collection::vec((vector(), -3.2..3.2), 200)) {
            let turn = ball_turn(&pairs);
            prop_assert!((turn.length() - 1.0).abs() < 1e-14);
            let best = miss(&pairs, |e| turn * e);
            for (axis, angle) in others {
                let Some(axis) = arc::unit(axis) else { continue };
                // Anywhere, and beside the answer.
                for other in [arc::axis_angle(axis, angle), arc::axis_angle(axis, 1e-3 * angle) * turn] {
                    prop_assert!(best <= miss(&pairs, |e| other * e) + 1e-12);
                }
            }
        }

        #[test]
        fn one_pair_written_twice_is_still_the_shortest_arc(from in vector(), to in vector()) {
            prop_assume!(from.length() > 0.1 && to.length() > 0.1 && from.angle_between(to) < 3.0);
            let pair = Pair::new(from, to);
            let (once, twice) = (ball_turn(&[pair]), ball_turn(&[pair, pair]));
            let left = twice * arc::unit(from).unwrap() - arc::unit(to).unwrap();
            prop_assert!(left.length() < 1e-9, "{left}");
            // What decides among turns that are as good is a preference of 1e-10, which rounding blurs towards half turns.
            let apart = arc::length((once.conjugate() * twice).xyz());
            prop_assert!(apart < 2e-5 / (once.w * once.w), "{apart}: {once} {twice}");
        }
    }

    #[test]
    fn nothing_to_do_is_said() {
        assert_eq!(hinge_angle(DVec3::Z, &[], Range::FREE, 0.0), None);
        assert_eq!(hinge_angle(DVec3::Z, &[Pair::new(DVec3::Z, DVec3::X)], Range::FREE, 0.0), None);
        assert_eq!(slide_value(DVec3::Z, &[], Range::FREE), None);
        assert_eq!(ball_turn(&[]), DQuat::IDENTITY);
        assert_eq!(ball_turn(&[Pair::new(DVec3::ZERO, DVec3::X)]), DQuat::IDENTITY);
        let half = ball_turn(&[Pair::new(DVec3::X, DVec3::NEG_X)]);
        assert!((half * DVec3::X - DVec3::NEG_X).length() < 1e-15);
    }

    #[test]
    fn the_end_nearest_on_the_circle() {
        let degree = core::f64::consts::PI / 180.0;
        let (s, c) = ops::sin_cos(-179.0 * degree);
        let pair = Pair::new(DVec3::X, DVec3::new(c, s, 0.0));
        let range = Range::new(0.0, 170.0 * degree);
        assert_eq!(hinge_angle(DVec3::Z, &[pair], range, 0.0), Some(range.max));
    }
}
