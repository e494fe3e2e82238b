//! Two links in space, by joint positions and by angles, for engines without bones.

use glam::{DQuat, DVec3};

use super::planar;
use super::reach::Reach;
use crate::math::{arc, ops};
use crate::solve::Status;

/// Positions of the middle joint and the tip for a raw `pole` direction (any length; from the root, in the space of the
/// rest): the elbow on the pole's side first. One square root and one division where the target is in reach and reach is not
/// soft.
///
/// A pole along the line to the target, or none (zero), bends to the coordinate axis least along
/// it. A target on the root folds toward the pole; where the bones differ it is too close. Under [`Reach::Hold`] the values are
/// those of clamping, for the caller to drop. Of input that is not finite every position is the root, or the origin where
/// that is none.
#[inline]
pub fn positions(
    root: DVec3,
    target: DVec3,
    pole: DVec3,
    l1: f64,
    l2: f64,
    reach: Reach,
) -> planar::Solution<[DVec3; 2]> {
    let p = target - root;
    let h = p.dot(p);
    let (sum, difference) = (l1 + l2, l1 - l2);
    let s = (sum * sum - h) * (h - difference * difference);
    let n = pole * h - p * p.dot(pole);
    let nn = n.dot(n);
    let (product, square) = (h * nn, s * h * h);
    let is_plain = s > 0.0 && nn > 1e-6 * h * h * pole.dot(pole) && product > 1e-250 && product.max(square) < 1e250;
    if is_plain && !matches!(reach, Reach::Soft { .. }) {
        let i = 1.0 / product;
        let along = p * (0.5 * nn * i * (h + sum * difference));
        let across = n * (0.5 * nn * i * ops::sqrt(square * i));
        let elbows = [[root + along + across, target], [root + along - across, target]];
        return planar::Solution { elbows, status: Status::Reached, stretch: 1.0 };
    }
    at_the_rim(root, target, pole, l1, l2, reach)
}

#[cold]
fn at_the_rim(root: DVec3, target: DVec3, pole: DVec3, l1: f64, l2: f64, reach: Reach) -> planar::Solution<[DVec3; 2]> {
    let valid = root.is_finite() && target.is_finite() && pole.is_finite() && l1 >= 0.0 && l2 >= 0.0;
    if !(valid && l1.is_finite() && l2.is_finite()) {
        let root = if root.is_finite() { root } else { DVec3::ZERO };
        return planar::Solution { elbows: [[root; 2]; 2], status: Status::Invalid, stretch: 1.0 };
    }
    let p = target - root;
    let fold = arc::unit(pole).unwrap_or(DVec3::X);
    let direction = arc::unit(p);
    // On the root itself there is no line: fold along the pole.
    let line = direction.unwrap_or(fold);
    let bend = arc::unit_reject(pole, line, 1e-12).unwrap_or_else(|| arc::any_perpendicular(line));
    let distance = direction.map_or(0.0, |u| u.dot(p));
    let span = reach.span(distance, l1, l2);
    let (l1, l2, d) = (l1 * span.stretch, l2 * span.stretch, span.distance);
    let (along, across) = triangle(d, l1, l2);
    let elbow = |sign: f64| [root + line * along + bend * (sign * across), root + line * d];
    planar::Solution { elbows: [elbow(1.0), elbow(-1.0)], status: span.status, stretch: span.stretch }
}

/// Coordinates of the middle joint along and across the line from root to tip.
pub(in crate::solve) fn triangle(d: f64, l1: f64, l2: f64) -> (f64, f64) {
    if d <= 0.0 {
        return (l1, 0.0);
    }
    let (outer, inner) = (l1 + l2, (l1 - l2).abs());
    let s = ops::sqrt_clamped((outer - d) * (outer + d)) * ops::sqrt_clamped((d - inner) * (d + inner));
    (((d * d) + (l1 - l2) * (l1 + l2)) / (2.0 * d), s / (2.0 * d))
}

/// Joint angles of a limb that bends in a vertical plane: right-handed, +Y up, links along +Z when
/// unturned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Angles {
    /// Heading about +Y.
    pub heading: f64,
    /// Elevation of the first bone above the ground plane.
    pub root: f64,
    /// Elevation of the second bone against the first.
    pub mid: f64,
}

impl Angles {
    /// Rotation of the first bone, and of the second relative to it.
    pub fn rotations(self) -> [DQuat; 2] {
        let first = arc::axis_angle(DVec3::Y, self.heading) * arc::axis_angle(DVec3::X, -self.root);
        [first, arc::axis_angle(DVec3::X, -self.mid)]
    }
}

/// Joint angles for a target seen from the root, both elbows: the one above the line first. A
/// target straight above or below has heading 0.
pub fn angles(root: DVec3, target: DVec3, l1: f64, l2: f64, reach: Reach) -> planar::Solution<Angles> {
    let p = target - root;
    let level = ops::sqrt(p.x * p.x + p.z * p.z);
    let plane = planar::angles(glam::DVec2::ZERO, glam::DVec2::new(level, p.y), l1, l2, reach);
    let heading = if plane.status == Status::Invalid { 0.0 } else { ops::atan2(p.x, p.z) };
    let elbows = plane.elbows.map(|elbow| Angles { heading, root: elbow.root, mid: elbow.mid });
    planar::Solution { elbows, status: plane.status, stretch: plane.stretch }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(size: f64) -> impl Strategy<Value = DVec3> {
        (-size..size, -size..size, -size..size).prop_map(DVec3::from)
    }

    proptest! {
        #[test]
        fn positions_keep_lengths_reach_and_bend_to_the_pole(root in vector(1.0), p in vector(1.2), pole in vector(1.0), l1 in 0.2..1.0_f64, l2 in 0.2..1.0_f64, exponent in -4..=4) {
            let unit = libm::pow(10.0, f64::from(exponent));
            let (root, p, l1, l2) = (root * unit, p * unit, l1 * unit, l2 * unit);
            let l = l1 + l2;
            let fast = positions(root, root + p, pole, l1, l2, Reach::Clamp);
            let [mid, tip] = fast.elbows[0];
            let d = p.length().clamp((l1 - l2).abs(), l);
            prop_assert!((tip - (root + p / p.length() * d)).length() < 1e-12 * l);
            for [mid, end] in fast.elbows {
                prop_assert!(((mid - root).length() - l1).abs() < 1e-12 * l);
                prop_assert!(((end - mid).length() - l2).abs() < 1e-12 * l);
            }
            let slow = at_the_rim(root, root + p, pole, l1, l2, Reach::Clamp);
            prop_assert_eq!(fast.status, slow.status);
            // At the rim the middle joint is the root of a rounding error away.
            prop_assert!((mid - slow.elbows[0][0]).length() < 1e-7 * l);
            let bend = pole.reject_from(p);
            prop_assume!(bend.length() > 1e-3);
            prop_assert!((mid - root).dot(bend) >= -1e-12 * l);
            prop_assert!((mid - root).cross(p).dot(bend.normalize()).abs() < 1e-9 * unit * unit);
        }

        #[test]
        fn angles_agree_with_positions(root in vector(1.0), p in vector(1.2), l1 in 0.2..1.0_f64, l2 in 0.2..1.0_f64) {
            let l = l1 + l2;
            prop_assume!(DVec3::new(p.x, 0.0, p.z).length() > 1e-3);
            let by_angles = angles(root, root + p, l1, l2, Reach::Clamp);
            let by_vectors = positions(root, root + p, DVec3::Y, l1, l2, Reach::Clamp);
            for (angles, [mid, end]) in by_angles.elbows.iter().zip(by_vectors.elbows) {
                let [first, second] = angles.rotations();
                let elbow = root + first * (DVec3::Z * l1);
                let tip = elbow + first * second * (DVec3::Z * l2);
                prop_assert!((tip - end).length() < 1e-12 * l);
                prop_assert!((elbow - mid).length() < 1e-7 * l);
            }
        }
    }

    #[test]
    fn degenerate_input_is_finite_and_says_so() {
        let (o, x) = (DVec3::ZERO, DVec3::X);
        for (target, pole, l1, l2, status) in [
            (o, DVec3::Y, 1.0, 1.0, Status::Reached),
            (o, DVec3::Y, 1.0, 0.4, Status::TooClose),
            (o, o, 1.0, 1.0, Status::Reached),
            (x, x, 1.0, 1.0, Status::Reached),
            (x, o, 1.0, 1.0, Status::Reached),
            (x * 2.0, DVec3::Y, 1.0, 1.0, Status::Reached),
            (x * 0.5, DVec3::Y, 1.0, 0.5, Status::Reached),
            (x, DVec3::Y, 0.0, 1.0, Status::Reached),
            (x, DVec3::Y, 1.0, 0.0, Status::Reached),
            (x, DVec3::Y, 0.0, 0.0, Status::OutOfReach),
            (x * 1e-300, DVec3::Y, 1.0, 1.0, Status::Reached),
            (x * 1e300, DVec3::Y, 1.0, 1.0, Status::OutOfReach),
            (x, DVec3::Y * f64::NAN, 1.0, 1.0, Status::Invalid),
            (x / 0.0, DVec3::Y, 1.0, 1.0, Status::Invalid),
            (x, DVec3::Y, f64::NAN, 1.0, Status::Invalid),
        ] {
            let got = positions(o, target, pole, l1, l2, Reach::Clamp);
            let [mid, tip] = got.elbows[0];
            assert_eq!(got.status, status, "{target} {pole} {l1} {l2}");
            assert!(got.elbows.iter().flatten().all(|point| point.is_finite()), "{got:?}");
            if status == Status::Reached {
                assert!((tip - target).length() < 1e-12, "{target} {pole} {l1} {l2}: {got:?}");
                assert!((mid.length() - l1).abs() < 1e-12 && (mid.distance(tip) - l2).abs() < 1e-12);
            }
        }
    }
}
