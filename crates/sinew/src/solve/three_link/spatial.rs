//! Three links in space by vectors: positions of the inner joints and the tip, both elbows.

use glam::{DVec2, DVec3};

use super::direction::{Last, Options, Plane, Yields, chord, opened, yielded};
use super::planar;
use crate::math::{arc, ops};
use crate::solve::Status;
use crate::solve::two_bone::Reach;
pub use crate::solve::two_bone::planar::Solution;
use crate::solve::two_bone::spatial::triangle;

/// A solved limb, before it is laid out for either elbow; vectors from the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solved {
    /// Unit direction to where the first two links (with a kept angle, all three) end.
    pub(super) line: DVec3,
    /// Unit direction, perpendicular to it, of the bend.
    pub(super) bend: DVec3,
    /// Direction of the last link, where it is not kept at an angle.
    pub(super) u: Option<DVec3>,
    /// Angle and length of the links that close the triangle.
    kept: (f64, f64),
    /// Distance to the end of the line.
    distance: f64,
    pub(super) lengths: [f64; 3],
    pub(super) stretch: f64,
    pub(super) status: Status,
}

/// Positions of the two inner joints and the tip, for a target and three lengths, all in one space.
///
/// `pole` is a direction of any length from the root. In [`Plane::Pole`] the first two links bend to it. In
/// [`Plane::Natural`] the last link's direction decides; `pole` is then the present bend, which stays when that direction
/// lies along the line from the root. A pole along the line bends to the coordinate axis least along it. The second elbow
/// is the mirror image of the first about the line: in a natural limb, the other side.
///
/// Out of reach, the last link keeps its direction and the first two do what [`Options::reach`] says
/// (stretch lengthens those two), or the direction yields: [`Yields`]. A direction of no length points
/// along the pole. Input that is not finite is `Invalid`, with every position at the root.
pub fn positions(
    root: DVec3,
    target: DVec3,
    lengths: [f64; 3],
    last: Last,
    pole: DVec3,
    options: Options,
) -> Solution<[DVec3; 3]> {
    let Some(solved) = solve(target - root, lengths, last.seen_from(target), pole, options) else {
        let root = if root.is_finite() { root } else { DVec3::ZERO };
        return Solution { elbows: [[root; 3]; 2], status: Status::Invalid, stretch: 1.0 };
    };
    let elbows = [1.0, -1.0].map(|side| solved.joints(side).map(|joint| root + joint));
    Solution { elbows, status: solved.status, stretch: solved.stretch }
}

/// Solves for a target at `e` from the root, a place given from the target; `None` for input that is no
/// number or a negative length.
pub(super) fn solve(e: DVec3, lengths: [f64; 3], last: Last, pole: DVec3, options: Options) -> Option<Solved> {
    let finite = e.is_finite() && pole.is_finite() && lengths.iter().all(|&l| l >= 0.0 && l.is_finite());
    let asked = match last {
        Last::Direction(direction) => direction,
        Last::Toward(place) => place,
        Last::Angle(angle) => DVec3::splat(angle),
    };
    if !(finite && asked.is_finite()) {
        return None;
    }
    let [l1, l2, l3] = lengths;
    if let Last::Angle(angle) = last {
        let distance = arc::unit(e).map_or(0.0, |line| line.dot(e));
        let angle = if options.yields == Yields::Direction { opened(lengths, angle, distance) } else { angle };
        let (length, _) = chord(l2, l3, angle);
        return Some(Solved::new(e, None, (angle, length), lengths, pole, options));
    }
    let fallback = arc::unit(pole).unwrap_or(DVec3::X);
    let u = arc::unit(asked).unwrap_or(fallback);
    let rims = ((l1 - l2).abs(), l1 + l2);
    let u = if options.yields == Yields::Direction { yielded(u, e, l3, rims, pole) } else { u };
    let pole = match options.plane {
        Plane::Pole => pole,
        Plane::Natural { side } => {
            let along = u * if side < 0.0 { -1.0 } else { 1.0 };
            let line = arc::unit(e - u * l3);
            if line.is_some_and(|line| arc::unit_reject(along, line, 1e-10).is_some()) { along } else { pole }
        }
    };
    Some(Solved::new(e - u * l3, Some(u), (0.0, l2), lengths, pole, options))
}

impl Solved {
    fn new(p: DVec3, u: Option<DVec3>, kept: (f64, f64), lengths: [f64; 3], pole: DVec3, options: Options) -> Self {
        let direction = arc::unit(p);
        let span = options.reach.span(direction.map_or(0.0, |line| line.dot(p)), lengths[0], kept.1);
        let line = direction.or_else(|| arc::unit(pole)).unwrap_or(DVec3::X);
        let bend = arc::unit_reject(pole, line, 1e-10).unwrap_or_else(|| arc::any_perpendicular(line));
        let k = span.stretch;
        // A direction leaves the last link as long as it is; kept at an angle it is stretched with the rest.
        let l3 = if u.is_some() { lengths[2] } else { lengths[2] * k };
        Self {
            line,
            bend,
            u,
            kept: (kept.0, kept.1 * k),
            distance: span.distance,
            lengths: [lengths[0] * k, lengths[1] * k, l3],
            stretch: k,
            status: span.status,
        }
    }

    /// Angles from the line in the plane of the limb, both elbows: the one bent to the bend first. The last
    /// joint's is 0 unless it is kept.
    pub(super) fn in_plane(&self) -> [planar::Angles; 2] {
        let last = if self.u.is_some() { 0.0 } else { self.kept.0 };
        let [l1, l2, l3] = self.lengths;
        let lengths = [l1, l2, if self.u.is_some() { 0.0 } else { l3 }];
        let target = DVec2::X * self.distance;
        let last = planar::Last::Angle(last);
        planar::angles(DVec2::ZERO, target, lengths, last, Yields::Position, Reach::Clamp).elbows
    }

    /// Inner joints and tip, from the root, bent to the bend (`side` +1) or to the other side (-1).
    pub(super) fn joints(&self, side: f64) -> [DVec3; 3] {
        let [l1, l2, l3] = self.lengths;
        let (along, across) = triangle(self.distance, l1, self.kept.1);
        let mid = self.line * along + self.bend * (across * side);
        let end = self.line * self.distance;
        if let Some(u) = self.u {
            return [mid, end, end + u * l3];
        }
        let (_, ahead) = chord(l2, l3, self.kept.0);
        let to = arc::unit(end - mid).unwrap_or(self.line);
        let (sine, cosine) = ops::sin_cos(ahead);
        // Back from the chord to the second link, against the sense in which the limb folds.
        let aside = (self.bend * side).cross(self.line).cross(to);
        [mid, mid + (to * cosine - aside * sine) * l2, end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(size: f64) -> impl Strategy<Value = DVec3> {
        (-size..size, -size..size, -size..size).prop_map(DVec3::from)
    }

    fn lengths() -> impl Strategy<Value = [f64; 3]> {
        (0.1..1.0_f64, 0.1..1.0_f64, 0.1..1.0_f64).prop_map(|(a, b, c)| [a, b, c])
    }

    fn lengths_hold(root: DVec3, joints: [DVec3; 3], lengths: [f64; 3]) -> bool {
        let [mid, low, tip] = joints;
        let l: f64 = lengths.iter().sum();
        [(root, mid), (mid, low), (low, tip)]
            .iter()
            .zip(lengths)
            .all(|((a, b), l1)| (a.distance(*b) - l1).abs() < 1e-12 * l)
    }

    proptest! {
        #[test]
        fn a_direction_is_exact_and_the_plane_is_the_one_asked_for(root in vector(1.0), e in vector(1.6), lengths in lengths(), u in vector(1.0), pole in vector(1.0), natural in 0..3_usize, exponent in -4..=4_i32) {
            prop_assume!(u.length() > 1e-3);
            let unit = libm::pow(10.0, f64::from(exponent));
            let (root, e, lengths) = (root * unit, e * unit, lengths.map(|l| l * unit));
            let l: f64 = lengths.iter().sum();
            let plane = [Plane::Pole, Plane::Natural { side: 1.0 }, Plane::Natural { side: -1.0 }][natural];
            let solved = positions(root, root + e, lengths, Last::Direction(u), pole, Options { plane, ..Options::default() });
            let u = u.normalize();
            let p = e - u * lengths[2];
            let nearest = p.length().clamp((lengths[0] - lengths[1]).abs(), lengths[0] + lengths[1]);
            let miss = (p.length() - nearest).abs();
            for [mid, low, tip] in solved.elbows {
                prop_assert!(lengths_hold(root, [mid, low, tip], lengths));
                prop_assert!((tip - low - u * lengths[2]).length() < 1e-12 * l);
                prop_assert!((tip.distance(root + e) - miss).abs() < 1e-12 * l);
            }
            let q = p.normalize();
            let toward = match plane { Plane::Pole => pole, Plane::Natural { side } => u * side };
            let (bend, wanted) = ((solved.elbows[0][0] - root).reject_from(q), toward.reject_from(q));
            if bend.length() > 1e-3 * l && wanted.length() > 1e-3 {
                prop_assert!(bend.normalize().distance(wanted.normalize()) < 1e-9);
            }
            // Mirror images about the line.
            prop_assert!((solved.elbows[0][0] + solved.elbows[1][0] - root * 2.0).reject_from(q).length() < 1e-12 * l);
        }

        #[test]
        fn a_direction_that_yields_turns_least(e in vector(1.5), lengths in lengths(), u in vector(1.0), pole in vector(1.0)) {
            prop_assume!(u.length() > 1e-3 && e.length() > 1e-3);
            let u = u.normalize();
            let options = Options { yields: Yields::Direction, ..Options::default() };
            let solved = positions(DVec3::ZERO, e, lengths, Last::Direction(u), pole, options);
            let [_, low, tip] = solved.elbows[0];
            let got = (tip - low).normalize();
            let (shortest, longest) = ((lengths[0] - lengths[1]).abs(), lengths[0] + lengths[1]);
            let reaches = |u: DVec3| { let d = (e - u * lengths[2]).length(); d >= shortest - 1e-9 && d <= longest + 1e-9 };
            // Directions all over the sphere: none that reaches is nearer to the one asked for.
            let golden = 2.399_963_229_728_653;
            let sphere = (0..4000).map(|i| {
                let z = 1.0 - (2.0 * f64::from(i) + 1.0) / 4000.0;
                let (s, c) = ops::sin_cos(golden * f64::from(i));
                DVec3::new(c, s, 0.0) * ops::sqrt(1.0 - z * z) + DVec3::Z * z
            });
            let best = sphere.filter(|&v| reaches(v)).map(|v| v.dot(u)).fold(-2.0, f64::max);
            if best > -2.0 {
                prop_assert!(got.dot(u) >= best - 1e-9, "{} {best}", got.dot(u));
                prop_assert!(tip.distance(e) < 1e-7, "{}", tip.distance(e));
            }
            prop_assert!(lengths_hold(DVec3::ZERO, solved.elbows[0], lengths));
        }

        #[test]
        fn a_last_link_points_at_a_place_or_keeps_its_angle(e in vector(1.2), lengths in lengths(), place in vector(2.0), pole in vector(1.0), angle in -2.5..2.5_f64) {
            let [mid, low, tip] = positions(DVec3::ZERO, e, lengths, Last::Toward(place), pole, Options::default()).elbows[0];
            prop_assert!(lengths_hold(DVec3::ZERO, [mid, low, tip], lengths));
            if tip.distance(e) < 1e-12 && e.distance(place) > 1e-2 {
                prop_assert!((tip - low).normalize().cross((place - low).normalize()).length() < 1e-9);
                prop_assert!((place - tip).dot(tip - low) > 0.0);
            }
            let kept = positions(DVec3::ZERO, e, lengths, Last::Angle(angle), pole, Options::default());
            for (side, joints) in [1.0, -1.0].into_iter().zip(kept.elbows) {
                let [mid, low, tip] = joints;
                prop_assert!(lengths_hold(DVec3::ZERO, joints, lengths));
                let (second, last) = ((low - mid).normalize(), (tip - low).normalize());
                prop_assert!((second.dot(last) - ops::sin_cos(angle).1).abs() < 1e-9);
                // In the plane of the pole, in the sense in which the limb folds: about bend × line.
                let line = tip.normalize();
                let axis = pole.reject_from(line).cross(line) * side;
                prop_assume!(axis.length() > 1e-3);
                prop_assert!((second.cross(last).dot(axis.normalize()) - ops::sin_cos(angle).0).abs() < 1e-9);
                prop_assert!((low - mid).dot(axis.normalize()).abs() < 1e-9);
                let (chord, _) = chord(lengths[1], lengths[2], angle);
                let d = e.length();
                prop_assert!((tip.distance(e) - (d - d.clamp((lengths[0] - chord).abs(), lengths[0] + chord)).abs()).abs() < 1e-9);
            }
        }

        #[test]
        fn rigid_motion_and_mirrors_carry_the_answer(e in vector(1.2), lengths in lengths(), u in vector(1.0), pole in vector(1.0), axis in vector(1.0), angle in -3.0..3.0_f64, mirror in prop::bool::ANY, natural in prop::bool::ANY) {
            prop_assume!(axis.length() > 1e-2 && u.length() > 1e-2 && pole.cross(e).length() > 1e-2 && u.cross(e).length() > 1e-2);
            let turn = arc::axis_angle(axis.normalize(), angle);
            let map = |v: DVec3| turn * if mirror { DVec3::new(-v.x, v.y, v.z) } else { v };
            let plane = if natural { Plane::Natural { side: -1.0 } } else { Plane::Pole };
            for (last, moved) in [(Last::Direction(u), Last::Direction(map(u))), (Last::Angle(0.7), Last::Angle(0.7))] {
                for yields in [Yields::Position, Yields::Direction] {
                    let options = Options { plane, yields, reach: Reach::Clamp };
                    let here = positions(DVec3::ZERO, e, lengths, last, pole, options).elbows[0];
                    let there = positions(DVec3::ZERO, map(e), lengths, moved, map(pole), options).elbows[0];
                    for (a, b) in here.into_iter().zip(there) {
                        prop_assert!(map(a).distance(b) < 1e-7);
                    }
                }
            }
        }
    }

    #[test]
    fn degenerate_input_is_finite_and_says_so() {
        let (o, x, y) = (DVec3::ZERO, DVec3::X, DVec3::Y);
        for plane in [Plane::Pole, Plane::Natural { side: 1.0 }] {
            for yields in [Yields::Position, Yields::Direction] {
                for (target, lengths, last, pole, status) in [
                    (o, [1.0, 1.0, 1.0], Last::Direction(y), y, Status::Reached),
                    (o, [1.0, 1.0, 0.0], Last::Direction(y), y, Status::Reached),
                    (x * 2.0, [1.0, 1.0, 1.0], Last::Direction(x), x, Status::Reached),
                    (x * 3.0, [1.0, 1.0, 1.0], Last::Direction(x), o, Status::Reached),
                    (x * 4.0, [1.0, 1.0, 1.0], Last::Direction(x), o, Status::OutOfReach),
                    (x, [0.0, 0.0, 1.0], Last::Direction(x), y, Status::Reached),
                    (x, [1.0, 1.0, 1.0], Last::Direction(o), y, Status::Reached),
                    (x, [1.0, 1.0, 1.0], Last::Toward(x), y, Status::Reached),
                    (o, [3.0, 1.0, 1.0], Last::Direction(x), y, Status::TooClose),
                    (o, [1.0, 1.0, 3.0], Last::Direction(x), y, Status::OutOfReach),
                    (x, [1.0, 1.0, 1.0], Last::Angle(0.0), x, Status::Reached),
                    (x * f64::NAN, [1.0, 1.0, 1.0], Last::Direction(x), y, Status::Invalid),
                    (x, [1.0, -1.0, 1.0], Last::Direction(x), y, Status::Invalid),
                    (x, [1.0, 1.0, 1.0], Last::Angle(f64::INFINITY), y, Status::Invalid),
                    (x, [1.0, 1.0, 1.0], Last::Toward(x / 0.0), y, Status::Invalid),
                ] {
                    let solved =
                        positions(o, target, lengths, last, pole, Options { plane, yields, reach: Reach::Clamp });
                    assert_eq!(solved.status, status, "{target} {lengths:?} {last:?} {plane:?} {yields:?}");
                    assert!(solved.elbows.iter().flatten().all(|joint| joint.is_finite()), "{solved:?}");
                    if status == Status::Reached {
                        assert!(
                            solved.elbows[0][2].distance(target) < 1e-12 && lengths_hold(o, solved.elbows[0], lengths)
                        );
                    }
                }
            }
        }
        let stretched = positions(
            o,
            x * 4.0,
            [1.0; 3],
            Last::Direction(y),
            y,
            Options { reach: Reach::Stretch { limit: 3.0 }, ..Options::default() },
        );
        let [_, low, tip] = stretched.elbows[0];
        assert!(
            stretched.status == Status::Reached && tip.distance(x * 4.0) < 1e-12 && (tip - low).distance(y) < 1e-12
        );
    }
}
