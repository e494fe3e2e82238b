//! Poses to start again from: spread evenly over what the joints may do, always the same.
//!
//! Source: Roberts, *The Unreasonable Effectiveness of Quasirandom Sequences* (2018); Shoemake,
//! *Uniform Random Rotations* (1992).

use core::f64::consts::{PI, TAU};

use glam::DQuat;

use super::mover::{Mover, MoverKind};
use super::plan::Plan;
use crate::limit::Range;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Kind, Skeleton};
use crate::transform::Transform;

/// Moves movers, but for those that are held, to their places in the `number`-th start (from 1 on).
pub(super) fn set(plan: &Plan, held: &[bool], skeleton: &Skeleton, number: u32, pose: &mut Pose) {
    let step = golden(plan.freedoms.max(1));
    let mut edit = pose.edit(skeleton);
    for (mover, _) in plan.movers.iter().zip(held).filter(|(_, held)| !**held) {
        let mut power = step;
        for _ in 0..mover.first {
            power *= step;
        }
        let mut next = || {
            let t = 0.5 + power * f64::from(number);
            power *= step;
            t - libm::floor(t)
        };
        match mover.kind {
            MoverKind::Coordinate { index, range, scale, .. } => {
                let (low, high) = ends(mover, skeleton, range, scale);
                edit.coordinate(index, range.clamp(low + (high - low) * next()));
            }
            MoverKind::Ball { .. } | MoverKind::Free { .. } => {
                let rotation = even_rotation([next(), next(), next()]);
                let wanted = Transform { rotation, ..*edit.pose().local(mover.joint) };
                edit.local(mover.joint, skeleton.nearest_allowed(mover.joint, &wanted, 0.0));
            }
        }
    }
}

/// The range of a start's values: half a turn, or a chain's length of a slide, either way where it has no
/// end.
fn ends(mover: &Mover, skeleton: &Skeleton, range: Range, scale: f64) -> (f64, f64) {
    let far = if matches!(skeleton.kind(mover.joint), Kind::Slide { .. }) { scale } else { PI * scale };
    match (range.min.is_finite(), range.max.is_finite()) {
        (true, true) => (range.min, range.max),
        (true, false) => (range.min, range.min + 2.0 * far),
        (false, true) => (range.max - 2.0 * far, range.max),
        (false, false) => (-far, far),
    }
}

/// One over the root of `x^(d + 1) = x + 1`: the golden ratio's kin for `d` numbers.
pub(in crate::solve) fn golden(d: usize) -> f64 {
    let mut x = 1.5;
    for _ in 0..60 {
        let mut power = x;
        (0..d).for_each(|_| power *= x);
        // Newton: f = x^(d+1) - x - 1.
        x -= (power - x - 1.0) / ((d as f64 + 1.0) * power / x - 1.0);
    }
    1.0 / x
}

/// Even numbers in the unit cube to even rotations.
fn even_rotation([u, v, w]: [f64; 3]) -> DQuat {
    let (a, b) = (ops::sqrt_clamped(1.0 - u), ops::sqrt_clamped(u));
    let ((s1, c1), (s2, c2)) = (ops::sin_cos(TAU * v), ops::sin_cos(TAU * w));
    arc::normalize(DQuat::from_xyzw(a * s1, a * c1, b * s2, b * c2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_kin_is_golden() {
        assert!((golden(1) - 0.618_033_988_749_894_9).abs() < 1e-15);
        // The plastic number.
        assert!((golden(2) - 0.754_877_666_246_692_7).abs() < 1e-15);
    }
}
