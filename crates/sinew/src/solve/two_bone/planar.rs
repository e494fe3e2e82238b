//! Two links in a plane, for sprites and motors: by angles and by vectors, both elbows.
//!
//! Angles are in radians, counter-clockwise from the x axis of the plane. A plane in space is given
//! by its two axes; [`lift`] carries a result there.

use glam::{DQuat, DVec2, DVec3};

use super::reach::{Reach, Span};
use crate::math::{arc, ops};
use crate::solve::Status;

/// Between these squares, and squares of squares, numbers keep their digits.
const SMALL: f64 = 1e-250;
const LARGE: f64 = 1e250;

/// Joint angles of one solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Angles {
    /// Direction of the first bone.
    pub root: f64,
    /// Turn of the second bone against the first.
    pub mid: f64,
}

impl Angles {
    /// Rotations about the plane's normal (+Z) of the two bones, where both bones point along
    /// `rest` (an angle; π/2 for bones along +Y) when unturned; the second is relative to the first.
    pub fn rotations(self, rest: f64) -> [DQuat; 2] {
        [arc::axis_angle(DVec3::Z, self.root - rest), arc::axis_angle(DVec3::Z, self.mid)]
    }

    /// Positions of the middle joint and the tip for a root at `root`.
    pub fn positions(self, root: DVec2, l1: f64, l2: f64) -> [DVec2; 2] {
        let direction = |angle: f64| {
            let (s, c) = ops::sin_cos(angle);
            DVec2::new(c, s)
        };
        let mid = root + direction(self.root) * l1;
        [mid, mid + direction(self.root + self.mid) * l2]
    }
}

/// Both elbows of a planar limb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution<T> {
    /// The elbow counter-clockwise of the line from root to target first (root angle `+a`, so the
    /// second bone turns clockwise), then its mirror image.
    pub elbows: [T; 2],
    /// How the target was met; `Invalid` for input that is not finite (all values are then zero).
    pub status: Status,
    /// Factor on both bones, 1 unless stretched.
    pub stretch: f64,
}

/// Joint angles for a target at `target - root`, which keeps its direction when out of reach. A
/// target on the root is reached along the x axis. Under [`Reach::Hold`] the status is `Held` and
/// the values are those of clamping, for the caller to drop.
pub fn angles(root: DVec2, target: DVec2, l1: f64, l2: f64, reach: Reach) -> Solution<Angles> {
    let p = target - root;
    let Some((span, l1, l2)) = spanned(p, l1, l2, reach) else {
        return Solution { elbows: [Angles::default(); 2], status: Status::Invalid, stretch: 1.0 };
    };
    let h = span.distance * span.distance;
    let s = root_of_s(span.distance, l1, l2);
    // Without a first bone any root angle does: point the second along the target.
    let a = if l1 == 0.0 { 0.0 } else { ops::atan2(s, h + (l1 - l2) * (l1 + l2)) };
    let exterior = ops::atan2(s, h - l1 * l1 - l2 * l2);
    let exterior = if l1 == 0.0 || l2 == 0.0 { 0.0 } else { exterior };
    // On the root itself the elbow still folds: w = 0 there, a = atan2(0, 0) = 0.
    let target_angle = ops::atan2(p.y, p.x);
    let elbow = |sign: f64| Angles { root: target_angle + sign * a, mid: -sign * exterior };
    Solution { elbows: [elbow(1.0), elbow(-1.0)], status: span.status, stretch: span.stretch }
}

/// Positions of the middle joint and the tip, without trigonometry: one square root and one division where the target is in
/// reach and reach is not soft.
#[inline]
pub fn positions(root: DVec2, target: DVec2, l1: f64, l2: f64, reach: Reach) -> Solution<[DVec2; 2]> {
    let p = target - root;
    let h = p.dot(p);
    let (sum, difference) = (l1 + l2, l1 - l2);
    let s = (sum * sum - h) * (h - difference * difference);
    // The comparisons fail for numbers that are not finite, too.
    let is_within = s > SMALL && s < LARGE && h > SMALL && l1 >= 0.0 && l2 >= 0.0;
    if is_within && !matches!(reach, Reach::Soft { .. }) {
        let half = 0.5 / h;
        let (along, across) = (p * ((h + sum * difference) * half), p.perp() * (ops::sqrt(s) * half));
        let elbows = [[root + along + across, target], [root + along - across, target]];
        return Solution { elbows, status: Status::Reached, stretch: 1.0 };
    }
    at_the_rim(root, target, l1, l2, reach)
}

#[cold]
fn at_the_rim(root: DVec2, target: DVec2, l1: f64, l2: f64, reach: Reach) -> Solution<[DVec2; 2]> {
    let p = target - root;
    let Some((span, l1, l2)) = spanned(p, l1, l2, reach) else {
        return Solution { elbows: [[DVec2::ZERO; 2]; 2], status: Status::Invalid, stretch: 1.0 };
    };
    let length = ops::sqrt(p.dot(p));
    let direction = if length > 0.0 { p / length } else { DVec2::X };
    let d = span.distance;
    let tip = root + direction * d;
    let (along, across) = if d > 0.0 {
        let w = d * d + (l1 - l2) * (l1 + l2);
        (w / (2.0 * d), root_of_s(d, l1, l2) / (2.0 * d))
    } else {
        (l1, 0.0)
    };
    let elbow = |sign: f64| [root + direction * along + direction.perp() * (sign * across), tip];
    Solution { elbows: [elbow(1.0), elbow(-1.0)], status: span.status, stretch: span.stretch }
}

/// A point of the plane through `origin` with unit, perpendicular axes `x` and `y`, in space.
pub fn lift(origin: DVec3, x: DVec3, y: DVec3, point: DVec2) -> DVec3 {
    origin + x * point.x + y * point.y
}

/// `None` for input that is not finite or a negative length.
fn spanned(p: DVec2, l1: f64, l2: f64, reach: Reach) -> Option<(Span, f64, f64)> {
    let valid = p.is_finite() && l1.is_finite() && l2.is_finite() && l1 >= 0.0 && l2 >= 0.0;
    let span = valid.then(|| reach.span(ops::sqrt(p.dot(p)), l1, l2))?;
    Some((span, l1 * span.stretch, l2 * span.stretch))
}

/// `sqrt(S)`, from factors that keep their digits at the rims.
fn root_of_s(d: f64, l1: f64, l2: f64) -> f64 {
    let (outer, inner) = (l1 + l2, (l1 - l2).abs());
    ops::sqrt_clamped((outer - d) * (outer + d)) * ops::sqrt_clamped((d - inner) * (d + inner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::{FRAC_PI_2, PI};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn angles_and_vectors_agree_and_reach(x in -2.0..2.0_f64, y in -2.0..2.0_f64, l1 in 0.1..1.0_f64, l2 in 0.1..1.0_f64, ox in -1.0..1.0_f64) {
            let (root, l) = (DVec2::new(ox, 0.5), l1 + l2);
            let target = root + DVec2::new(x, y);
            let by_angles = angles(root, target, l1, l2, Reach::Clamp);
            let by_vectors = positions(root, target, l1, l2, Reach::Clamp);
            let d = DVec2::new(x, y).length();
            let nearest = d - d.clamp((l1 - l2).abs(), l);
            for (angles, vectors) in by_angles.elbows.iter().zip(by_vectors.elbows) {
                let [mid, tip] = angles.positions(root, l1, l2);
                prop_assert!((mid - vectors[0]).length() < 1e-7 * l);
                prop_assert!((tip - vectors[1]).length() < 1e-12 * l);
                prop_assert!(((vectors[0] - root).length() - l1).abs() < 1e-12 * l);
                prop_assert!(((vectors[1] - vectors[0]).length() - l2).abs() < 1e-12 * l);
                prop_assert!(((tip - target).length() - nearest.abs()).abs() < 1e-12 * l);
                // As rotations of bones that rest along +Y.
                let [first, second] = angles.rotations(FRAC_PI_2);
                let turned = first * (DVec3::Y * l1 + second * (DVec3::Y * l2));
                prop_assert!((turned - (tip - root).extend(0.0)).length() < 1e-12 * l);
            }
            prop_assert_eq!(by_angles.status, by_vectors.status);
            // The first elbow is counter-clockwise of the line.
            let across = DVec2::new(x, y).perp_dot(by_vectors.elbows[0][0] - root);
            prop_assert!(across >= -1e-12);
        }

        #[test]
        fn stretch_arrives_and_keeps_the_ratio(d in 2.0..3.0_f64, l1 in 0.5..0.9_f64) {
            let solution = positions(DVec2::ZERO, DVec2::new(0.0, d), l1, 1.0, Reach::Stretch { limit: 2.5 });
            prop_assert!((solution.elbows[0][1].y - d.min(2.5 * (l1 + 1.0))).abs() < 1e-12);
            prop_assert!((solution.elbows[0][0].y / (solution.stretch * l1) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn degenerate_limbs_have_defined_answers() {
        for (target, l1, l2, status) in [
            (DVec2::ZERO, 1.0, 1.0, Status::Reached),
            (DVec2::ZERO, 1.0, 0.5, Status::TooClose),
            (DVec2::X, 0.0, 1.0, Status::Reached),
            (DVec2::X, 1.0, 0.0, Status::Reached),
            (DVec2::X, 0.0, 0.0, Status::OutOfReach),
            (DVec2::new(3.0, 0.0), 1.0, 1.0, Status::OutOfReach),
            (DVec2::new(f64::NAN, 0.0), 1.0, 1.0, Status::Invalid),
            (DVec2::X, f64::INFINITY, 1.0, Status::Invalid),
            (DVec2::X, -1.0, 1.0, Status::Invalid),
        ] {
            let (by_angles, by_vectors) = (
                angles(DVec2::ZERO, target, l1, l2, Reach::Clamp),
                positions(DVec2::ZERO, target, l1, l2, Reach::Clamp),
            );
            assert_eq!((by_angles.status, by_vectors.status), (status, status), "{target} {l1} {l2}");
            for i in 0..2 {
                assert!(by_angles.elbows[i].root.is_finite() && by_angles.elbows[i].mid.is_finite());
                assert!(by_vectors.elbows[i].iter().all(|v| v.is_finite()));
                if status == Status::Reached {
                    assert!((by_angles.elbows[i].positions(DVec2::ZERO, l1, l2)[1] - target).length() < 1e-12);
                }
            }
        }
        assert_eq!(angles(DVec2::ZERO, DVec2::X * 9.0, 1.0, 1.0, Reach::Hold).status, Status::Held);
        // Fully folded, shorter first bone: it points away from the target.
        let folded = angles(DVec2::ZERO, DVec2::X * 0.1, 0.5, 1.0, Reach::Clamp).elbows[0];
        assert!((folded.root - PI).abs() < 1e-7 && (folded.mid.abs() - PI).abs() < 1e-7);
    }
}
