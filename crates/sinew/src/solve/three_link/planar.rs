//! Three links in a plane, for sprites and motors: by angles and by vectors, both elbows.
//!
//! Angles are in radians, counter-clockwise from the x axis of the plane, as in the
//! [two-link forms](crate::solve::two_bone::planar), whose [`lift`](crate::solve::two_bone::planar::lift)
//! carries results into space.

use glam::{DQuat, DVec2, DVec3};

use super::direction::{Yields, chord, opened, yielded};
use crate::math::{arc, ops};
use crate::solve::Status;
use crate::solve::two_bone::Reach;
pub use crate::solve::two_bone::planar::Solution;
use crate::solve::two_bone::planar::{self as two, Angles as TwoAngles};

/// Joint angles of one solution, each link against the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Angles {
    /// Direction of the first link.
    pub root: f64,
    /// Turn of the second link against the first.
    pub mid: f64,
    /// Turn of the last link against the second.
    pub last: f64,
}

impl Angles {
    /// Directions of the three links.
    pub fn absolute(self) -> [f64; 3] {
        [self.root, self.root + self.mid, self.root + self.mid + self.last]
    }

    /// Rotations about the plane's normal (+Z) of the links, each relative to the one before, where all
    /// point along `rest` (an angle) when unturned.
    pub fn rotations(self, rest: f64) -> [DQuat; 3] {
        [self.root - rest, self.mid, self.last].map(|angle| arc::axis_angle(DVec3::Z, angle))
    }

    /// Positions of the two inner joints and the tip for a root at `root`.
    pub fn positions(self, root: DVec2, lengths: [f64; 3]) -> [DVec2; 3] {
        let mut at = root;
        let mut angles = self.absolute().into_iter();
        lengths.map(|length| {
            let (s, c) = ops::sin_cos(angles.next().unwrap_or_default());
            at += DVec2::new(c, s) * length;
            at
        })
    }
}

/// How the last link's direction is given in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Last {
    /// Along an angle (radians).
    Direction(f64),
    /// Pointing at a place, seen from the tip's own.
    Toward(DVec2),
    /// At a turn against the second link (radians), positive in the sense in which the limb folds.
    Angle(f64),
}

/// Joint angles for a target, which keeps its direction when out of reach. Both elbows: the one
/// counter-clockwise of the line to the last link's start first. A target on the root is reached along the
/// x axis; a last link that points nowhere (at the tip's own place) lies along the x axis.
pub fn angles(
    root: DVec2,
    target: DVec2,
    lengths: [f64; 3],
    last: Last,
    yields: Yields,
    reach: Reach,
) -> Solution<Angles> {
    let [l1, l2, l3] = lengths;
    let valid = lengths.iter().all(|&l| l >= 0.0 && l.is_finite()) && target.is_finite() && root.is_finite();
    let invalid = Solution { elbows: [Angles::default(); 2], status: Status::Invalid, stretch: 1.0 };
    let phi = match last {
        Last::Direction(phi) => phi,
        Last::Toward(place) => ops::atan2((place - target).y, (place - target).x),
        Last::Angle(angle) if valid && angle.is_finite() => return kept(root, target, lengths, angle, yields, reach),
        Last::Angle(_) => return invalid,
    };
    if !(valid && phi.is_finite()) {
        return invalid;
    }
    let e = target - root;
    let phi = if yields == Yields::Direction { turned(e, phi, lengths) } else { phi };
    let (s, c) = ops::sin_cos(phi);
    let start = two::angles(root, target - DVec2::new(c, s) * l3, l1, l2, reach);
    let with_last = |two: TwoAngles| Angles {
        root: two.root,
        mid: two.mid,
        last: ops::nearest_turn(phi - two.root - two.mid, 0.0),
    };
    if start.status == Status::Invalid { invalid } else { start_with(start, with_last) }
}

/// Positions of the two inner joints and the tip, from the same angles.
pub fn positions(
    root: DVec2,
    target: DVec2,
    lengths: [f64; 3],
    last: Last,
    yields: Yields,
    reach: Reach,
) -> Solution<[DVec2; 3]> {
    let solved = angles(root, target, lengths, last, yields, reach);
    if solved.status == Status::Invalid {
        let root = if root.is_finite() { root } else { DVec2::ZERO };
        return Solution { elbows: [[root; 3]; 2], status: solved.status, stretch: 1.0 };
    }
    let [l1, l2, l3] = lengths;
    // Under a kept angle the whole limb is stretched, else the first two links.
    let l3 = if matches!(last, Last::Angle(_)) { l3 * solved.stretch } else { l3 };
    let lengths = [l1 * solved.stretch, l2 * solved.stretch, l3];
    start_with(solved, |angles| angles.positions(root, lengths))
}

fn start_with<T: Copy, U>(from: Solution<T>, map: impl Fn(T) -> U) -> Solution<U> {
    Solution { elbows: from.elbows.map(map), status: from.status, stretch: from.stretch }
}

/// The angle nearest to `phi` at which the first two links reach the last one's start.
fn turned(e: DVec2, phi: f64, [l1, l2, l3]: [f64; 3]) -> f64 {
    let (s, c) = ops::sin_cos(phi);
    let u = DVec3::new(c, s, 0.0);
    let to = yielded(u, e.extend(0.0), l3, ((l1 - l2).abs(), l1 + l2), e.perp().extend(0.0));
    if to == u { phi } else { ops::atan2(to.y, to.x) }
}

/// The last link at a fixed turn: links two and three are one, of the length of their chord.
fn kept(root: DVec2, target: DVec2, lengths: [f64; 3], angle: f64, yields: Yields, reach: Reach) -> Solution<Angles> {
    let [l1, l2, l3] = lengths;
    let e = target - root;
    let angle = if yields == Yields::Direction { opened(lengths, angle, ops::sqrt(e.dot(e))) } else { angle };
    let (length, ahead) = chord(l2, l3, angle);
    let solved = two::angles(root, target, l1, length, reach);
    // The first elbow folds clockwise, the second counter-clockwise.
    let mut sense = 1.0;
    let elbows = solved.elbows.map(|two| {
        sense = -sense;
        Angles { root: two.root, mid: two.mid - sense * ahead, last: sense * angle }
    });
    Solution { elbows, status: solved.status, stretch: solved.stretch }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::{FRAC_PI_2, PI};
    use proptest::prelude::*;

    fn lengths() -> impl Strategy<Value = [f64; 3]> {
        (0.1..1.0_f64, 0.1..1.0_f64, 0.1..1.0_f64).prop_map(|(a, b, c)| [a, b, c])
    }

    proptest! {
        #[test]
        fn the_direction_is_exact_and_the_tip_as_near_as_may_be(x in -3.0..3.0_f64, y in -3.0..3.0_f64, lengths in lengths(), phi in -4.0..4.0_f64) {
            let (root, target) = (DVec2::new(0.3, -0.2), DVec2::new(x, y));
            let l: f64 = lengths.iter().sum();
            let solved = positions(root, target, lengths, Last::Direction(phi), Yields::Position, Reach::Clamp);
            let by_angles = angles(root, target, lengths, Last::Direction(phi), Yields::Position, Reach::Clamp);
            let u = DVec2::from_angle(phi);
            let p = target - root - u * lengths[2];
            let miss = (p.length() - p.length().clamp((lengths[0] - lengths[1]).abs(), lengths[0] + lengths[1])).abs();
            for ([mid, low, tip], angles) in solved.elbows.into_iter().zip(by_angles.elbows) {
                for (length, (from, to)) in lengths.into_iter().zip([(root, mid), (mid, low), (low, tip)]) {
                    prop_assert!((from.distance(to) - length).abs() < 1e-12 * l);
                }
                prop_assert!((tip - low).distance(u * lengths[2]) < 1e-12 * l);
                prop_assert!((tip.distance(target) - miss).abs() < 1e-12 * l);
                prop_assert!((angles.absolute()[2] - phi).rem_euclid(2.0 * PI).min((phi - angles.absolute()[2]).rem_euclid(2.0 * PI)) < 1e-12);
                // As rotations of links that rest along +Y.
                let [a, b, c] = angles.rotations(FRAC_PI_2);
                let turned = a * (DVec3::Y * lengths[0] + b * (DVec3::Y * lengths[1] + c * (DVec3::Y * lengths[2])));
                prop_assert!((turned - (tip - root).extend(0.0)).length() < 1e-12 * l);
            }
            // The first elbow is counter-clockwise of the line, the second its mirror image.
            let line = solved.elbows[0][1] - root;
            prop_assert!(line.perp_dot(solved.elbows[0][0] - root) >= -1e-9 && line.perp_dot(solved.elbows[1][0] - root) <= 1e-9);
        }

        #[test]
        fn a_direction_that_yields_turns_least_and_arrives(x in -2.5..2.5_f64, y in -2.5..2.5_f64, lengths in lengths(), phi in -3.1..3.1_f64) {
            let target = DVec2::new(x, y);
            let solved = angles(DVec2::ZERO, target, lengths, Last::Direction(phi), Yields::Direction, Reach::Clamp);
            let [_, _, got] = solved.elbows[0].absolute();
            let arrives = |phi: f64| {
                let p = (target - DVec2::from_angle(phi) * lengths[2]).length();
                p >= (lengths[0] - lengths[1]).abs() - 1e-12 && p <= lengths[0] + lengths[1] + 1e-12
            };
            let off = |angle: f64| ops::nearest_turn(angle - phi, 0.0).abs();
            let best = (0..7200).map(|i| f64::from(i) * PI / 3600.0).filter(|&a| arrives(a)).map(off).fold(f64::INFINITY, f64::min);
            if best.is_finite() {
                prop_assert!(off(got) <= best + 1e-9, "{} {best}", off(got));
                prop_assert!(solved.elbows[0].positions(DVec2::ZERO, lengths)[2].distance(target) < 1e-9);
            }
        }

        #[test]
        fn a_kept_angle_is_kept_until_it_must_open(x in -2.5..2.5_f64, y in -2.5..2.5_f64, lengths in lengths(), angle in -3.0..3.0_f64) {
            let target = DVec2::new(x, y);
            let d = target.length();
            let [l1, l2, l3] = lengths;
            let rigid = positions(DVec2::ZERO, target, lengths, Last::Angle(angle), Yields::Position, Reach::Clamp);
            let open = positions(DVec2::ZERO, target, lengths, Last::Angle(angle), Yields::Direction, Reach::Clamp);
            let turn = |[mid, low, tip]: [DVec2; 3]| (low - mid).angle_to(tip - low);
            for (i, (rigid, open)) in rigid.elbows.into_iter().zip(open.elbows).enumerate() {
                let sense = [-1.0, 1.0][i];
                prop_assert!((ops::nearest_turn(turn(rigid) - sense * angle, 0.0)).abs() < 1e-9);
                let longest = l1 + l2 + l3;
                let shortest = (2.0 * l1.max(l2).max(l3) - longest).max(0.0);
                let miss = (d - d.clamp(shortest, longest)).abs();
                prop_assert!((open[2].distance(target) - miss).abs() < 1e-7, "{} {miss}", open[2].distance(target));
                if rigid[2].distance(target) < 1e-12 {
                    prop_assert!(open[2].distance(rigid[2]) < 1e-12 && open[1].distance(rigid[1]) < 1e-12);
                }
            }
        }
    }

    #[test]
    fn degenerate_limbs_have_defined_answers() {
        let solve =
            |target, lengths, last| positions(DVec2::ZERO, target, lengths, last, Yields::Direction, Reach::Clamp);
        for (target, lengths, last, status) in [
            (DVec2::ZERO, [1.0, 1.0, 1.0], Last::Direction(0.3), Status::Reached),
            (DVec2::ZERO, [1.0, 0.2, 0.2], Last::Direction(0.3), Status::TooClose),
            (DVec2::X, [1.0, 1.0, 0.0], Last::Direction(0.3), Status::Reached),
            (DVec2::X, [0.0, 0.0, 1.0], Last::Direction(0.0), Status::Reached),
            (DVec2::X * 9.0, [1.0, 1.0, 1.0], Last::Direction(2.0), Status::OutOfReach),
            (DVec2::X, [1.0, 1.0, 1.0], Last::Toward(DVec2::X), Status::Reached),
            (DVec2::X, [1.0, 1.0, 1.0], Last::Angle(PI), Status::Reached),
            (DVec2::X, [1.0, 1.0, f64::NAN], Last::Angle(0.0), Status::Invalid),
            (DVec2::X, [1.0, 1.0, 1.0], Last::Angle(f64::NAN), Status::Invalid),
            (DVec2::X, [1.0, -1.0, 1.0], Last::Direction(0.0), Status::Invalid),
            (DVec2::NAN, [1.0, 1.0, 1.0], Last::Direction(0.0), Status::Invalid),
        ] {
            let solved = solve(target, lengths, last);
            assert_eq!(solved.status, status, "{target} {lengths:?} {last:?}");
            assert!(solved.elbows.iter().flatten().all(|point| point.is_finite()), "{solved:?}");
        }
    }
}
