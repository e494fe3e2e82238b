//! The natural three links by angles, for motors: a heading and a roll of the base, then three joints that
//! turn in one plane.
//!
//! Right-handed, +Y up, links along +Z when unturned; [`angles_in`] takes any other base frame. With `P = E - O - l3 u`, `q` its direction, `a` and
//! `ext >= 0` the interior root angle and the exterior elbow angle of the first two links: heading
//! `atan2(x, z)`, elevation `atan2(y, hypot(x, z))`, root = elevation + `a`, mid = `-ext`. The base rolls
//! about `q`, by the angle from "up" to the side on which `u` lies; last = `γ - a - mid`, `γ` from `q` to `u`
//! on that side. `(-a, roll + π)` is the same pose: there are two solutions, one a side.

use core::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};

use super::direction::{Last, Options, Plane};
use super::planar;
use super::spatial::{Solution, solve};
use crate::math::{arc, ops};
use crate::solve::Status;

/// Angles of one solution (radians).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Angles {
    /// Turn of the base about +Y.
    pub heading: f64,
    /// Turn of the base about the line to the last link's start, after the heading.
    pub roll: f64,
    /// Elevation of the first link above the ground plane, before the roll.
    pub root: f64,
    /// Elevation of the second link against the first.
    pub mid: f64,
    /// Elevation of the last link against the second.
    pub last: f64,
    /// Elevation of the line to the last link's start: not a joint's, but the axis of the roll needs it.
    pub line: f64,
}

impl Angles {
    /// Rotations of the base and of the three links, each relative to the one before.
    pub fn rotations(self) -> [DQuat; 4] {
        let heading = arc::axis_angle(DVec3::Y, self.heading);
        let line = heading * arc::axis_angle(DVec3::X, -self.line) * DVec3::Z;
        let pitch = |angle: f64| arc::axis_angle(DVec3::X, -angle);
        [arc::axis_angle(line, self.roll) * heading, pitch(self.root), pitch(self.mid), pitch(self.last)]
    }

    /// The same from the base frame of [`angles_in`].
    pub fn positions_in(self, root: DVec3, axes: DMat3, lengths: [f64; 3]) -> [DVec3; 3] {
        self.positions(DVec3::ZERO, lengths).map(|place| root + axes * place)
    }

    /// Positions of the two inner joints and the tip for a root at `root`.
    pub fn positions(self, root: DVec3, lengths: [f64; 3]) -> [DVec3; 3] {
        let [base, first, second, third] = self.rotations();
        let (mut at, mut turn) = (root, base);
        let mut links = [first, second, third].into_iter();
        lengths.map(|length| {
            turn *= links.next().unwrap_or(DQuat::IDENTITY);
            at += turn * (DVec3::Z * length);
            at
        })
    }
}

/// Joint angles as [`angles`], in a base frame such as that of a motor. Its origin is at `root`. The columns of `axes`,
/// perpendicular and of length one, are its X, Y (up) and Z (along unturned links); mirrored frames are allowed.
///
/// The angles and their [rotations](Angles::rotations) are in that frame. [`Angles::positions_in`] carries them to the
/// space of root and target, which is also the space of `last`.
///
/// ```
/// use sinew::glam::{DMat3, DVec3};
/// use sinew::solve::three_link::{Last, Options, angles};
///
/// // A leg that hangs from a hip: its first link points down (-Y) when unturned, and its up is forward (+Z).
/// let hip = DMat3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y);
/// let (root, foot, lengths) = (DVec3::Y, DVec3::new(0.0, 0.1, 0.1), [0.45, 0.45, 0.2]);
/// let leg = angles::angles_in(root, hip, foot, lengths, Last::Direction(DVec3::NEG_Y), Options::default());
/// let [_knee, _heel, toes] = leg.elbows[0].positions_in(root, hip, lengths);
/// assert!(toes.distance(foot) < 1e-12 && leg.elbows[0].heading.abs() < 1e-12);
/// ```
pub fn angles_in(
    root: DVec3,
    axes: DMat3,
    target: DVec3,
    lengths: [f64; 3],
    last: Last,
    options: Options,
) -> Solution<Angles> {
    let into = axes.transpose();
    let last = match last {
        Last::Direction(direction) => Last::Direction(into * direction),
        Last::Toward(place) => Last::Toward(into * (place - root)),
        Last::Angle(angle) => Last::Angle(angle),
    };
    angles(DVec3::ZERO, into * (target - root), lengths, last, options)
}

/// Joint angles for a target, both sides: the one that bends to where the last link points first, then the
/// other. [`Options::plane`] does not count, and a limb with [`Last::Angle`] stays in the plane that holds
/// +Y: above the line first, then below.
///
/// When the last link starts straight above or below the root, the heading is 0 and the roll takes the rest. When the last
/// link lies along the line, the roll is 0, so that the limb bends upward. Input that is not finite is `Invalid`, with
/// every angle zero.
pub fn angles(root: DVec3, target: DVec3, lengths: [f64; 3], last: Last, options: Options) -> Solution<Angles> {
    let options = Options { plane: Plane::Natural { side: 1.0 }, ..options };
    let Some(solved) = solve(target - root, lengths, last.seen_from(target), DVec3::Y, options) else {
        return Solution { elbows: [Angles::default(); 2], status: Status::Invalid, stretch: 1.0 };
    };
    let mut side = -1.0;
    let [above, below] = solved.in_plane();
    let elbows = [above, below].map(|plane| {
        side = -side;
        let line = solved.line;
        let (heading, line) =
            (ops::atan2(line.x, line.z), ops::atan2(line.y, ops::sqrt(line.x * line.x + line.z * line.z)));
        match solved.u {
            // The other side is the same elbow, rolled over.
            Some(u) => Angles::natural(heading, line, solved.line, u, side, above),
            None => Angles { heading, roll: 0.0, root: line + plane.root, mid: plane.mid, last: plane.last, line },
        }
    });
    Solution { elbows, status: solved.status, stretch: solved.stretch }
}

impl Angles {
    /// The roll and the last joint's angle for a last link along `u`; `plane` holds the first two joints'
    /// angles from the line, elbow up.
    fn natural(heading: f64, elevation: f64, q: DVec3, u: DVec3, side: f64, plane: planar::Angles) -> Self {
        let ((sy, cy), (se, ce)) = (ops::sin_cos(heading), ops::sin_cos(elevation));
        let level = DVec3::new(cy, 0.0, -sy);
        let up = DVec3::new(-se * sy, ce, -se * cy);
        let (across, above) = (u.dot(level), u.dot(up));
        let off = ops::sqrt(across * across + above * above);
        let roll = if off > 1e-10 {
            ops::atan2(-side * across, side * above)
        } else if side > 0.0 {
            0.0
        } else {
            PI
        };
        let to_last = ops::atan2(side * off, u.dot(q));
        let last = to_last - plane.root - plane.mid;
        Self { heading, roll, root: elevation + plane.root, mid: plane.mid, last, line: elevation }
    }
}

#[cfg(test)]
mod tests {
    use super::super::spatial::positions;
    use super::*;
    use crate::solve::three_link::Yields;
    use proptest::prelude::*;

    fn vector(size: f64) -> impl Strategy<Value = DVec3> {
        (-size..size, -size..size, -size..size).prop_map(DVec3::from)
    }

    proptest! {
        #[test]
        fn positions_rotations_and_angles_agree(root in vector(1.0), e in vector(1.5), lengths in (0.1..1.0_f64, 0.1..1.0_f64, 0.1..1.0_f64), u in vector(1.0), vertical in 0..4_i32, yields in prop::bool::ANY, exponent in -4..=4_i32) {
            prop_assume!(u.length() > 1e-2);
            let unit = libm::pow(10.0, f64::from(exponent));
            let lengths = [lengths.0, lengths.1, lengths.2].map(|l| l * unit);
            let (u, l) = (u.normalize(), lengths.iter().sum::<f64>());
            // The last link's start straight above or below the root, exactly, in half of the cases.
            let e = match vertical { 0 => DVec3::Y * e.y * unit + u * lengths[2], 1 => DVec3::Y * e.y * unit, _ => e * unit };
            let root = root * unit;
            let options = Options { plane: Plane::Natural { side: 1.0 }, yields: if yields { Yields::Direction } else { Yields::Position }, ..Options::default() };
            let by_vectors = positions(root, root + e, lengths, Last::Direction(u), DVec3::Y, options);
            let by_angles = angles(root, root + e, lengths, Last::Direction(u), options);
            prop_assert_eq!(by_vectors.status, by_angles.status);
            let size = l + root.length() + e.length();
            for (joints, angles) in by_vectors.elbows.into_iter().zip(by_angles.elbows) {
                let from_angles = angles.positions(root, lengths);
                let off = (joints[1] - root).try_normalize().map_or(0.0, |line| u.reject_from(line).length()).min(0.1) * 10.0;
                for (a, b) in joints.into_iter().zip(from_angles) {
                    // Where the last link is along the line the plane goes with its digits.
                    prop_assert!(a.distance(b) < 1e-12 * size / off.max(1e-9), "{a} {b} {off}");
                }
                // The other form of base and first joint: a roll about Z after the pitch.
                let [base, first, ..] = angles.rotations();
                let pitch = |angle: f64| arc::axis_angle(DVec3::X, -angle);
                let other = arc::axis_angle(DVec3::Y, angles.heading) * pitch(angles.line) * arc::axis_angle(DVec3::Z, angles.roll) * pitch(angles.root - angles.line);
                prop_assert!((base * first).dot(other).abs() > 1.0 - 1e-13);
            }
        }

        #[test]
        fn any_base_frame_agrees_with_the_positions(root in vector(1.0), e in vector(1.5), lengths in (0.1..1.0_f64, 0.1..1.0_f64, 0.1..1.0_f64), u in vector(1.0), x in vector(1.0), y in vector(1.0), mirrored in prop::bool::ANY, toward in prop::bool::ANY) {
            let lengths = [lengths.0, lengths.1, lengths.2];
            prop_assume!(u.length() > 1e-2 && x.length() > 1e-2 && y.reject_from(x).length() > 1e-2);
            let (x, y) = (x.normalize(), y.reject_from(x).normalize());
            let axes = DMat3::from_cols(x, y, x.cross(y) * if mirrored { -1.0 } else { 1.0 });
            let last = if toward { Last::Toward(u) } else { Last::Direction(u) };
            let options = Options { plane: Plane::Natural { side: 1.0 }, yields: Yields::Direction, ..Options::default() };
            let by_vectors = positions(root, root + e, lengths, last, y, options);
            let by_angles = angles_in(root, axes, root + e, lengths, last, options);
            prop_assert_eq!(by_vectors.status, by_angles.status);
            for (joints, angles) in by_vectors.elbows.into_iter().zip(by_angles.elbows) {
                // Where the last link is along the line the plane goes with its digits, and where the first two are
                // straight their height does.
                let (line, link) = (joints[1] - root, joints[2] - joints[1]);
                let off = line.try_normalize().zip(link.try_normalize()).map_or(0.0, |(line, link)| link.reject_from(line).length());
                let off = off.min(ops::sin_cos(angles.mid).0.abs());
                for (a, b) in joints.into_iter().zip(angles.positions_in(root, axes, lengths)) {
                    prop_assert!(a.distance(b) < 1e-12 / off.clamp(1e-9, 0.1), "{a} {b} {off}");
                }
            }
        }

        #[test]
        fn kept_angles_agree_too(e in vector(1.2), lengths in (0.1..1.0_f64, 0.1..1.0_f64, 0.1..1.0_f64), angle in -2.5..2.5_f64) {
            let lengths = [lengths.0, lengths.1, lengths.2];
            prop_assume!(e.reject_from(DVec3::Y).length() > 1e-2);
            let by_vectors = positions(DVec3::ZERO, e, lengths, Last::Angle(angle), DVec3::Y, Options::default());
            let by_angles = angles(DVec3::ZERO, e, lengths, Last::Angle(angle), Options::default());
            for (joints, angles) in by_vectors.elbows.into_iter().zip(by_angles.elbows) {
                for (a, b) in joints.into_iter().zip(angles.positions(DVec3::ZERO, lengths)) {
                    prop_assert!(a.distance(b) < 1e-7, "{a} {b}");
                }
                prop_assert!((ops::nearest_turn(angles.last.abs() - angle.abs(), 0.0)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_level_limb_by_hand() {
        // P = (0, 0, 1), bones 1 and 1, the last link straight up: an equilateral triangle, elbow up.
        let target = DVec3::new(0.0, 0.5, 1.0);
        let solved = angles(DVec3::ZERO, target, [1.0, 1.0, 0.5], Last::Direction(DVec3::Y), Options::default());
        let third = PI / 3.0;
        let [up, down] = solved.elbows;
        let wanted =
            [(up.heading, 0.0), (up.roll, 0.0), (up.root, third), (up.mid, -2.0 * third), (up.last, PI / 2.0 + third)];
        assert!(wanted.iter().all(|(got, wanted)| (got - wanted).abs() < 1e-15), "{up:?}");
        // The other side: rolled over, so that "up" is down and the last link bends back.
        assert!((down.roll.abs() - PI).abs() < 1e-15 && (down.last - (third - PI / 2.0)).abs() < 1e-15, "{down:?}");
        let low = down.positions(DVec3::ZERO, [1.0, 1.0, 0.5]);
        assert!(low[0].y < -0.8 && low[2].distance(target) < 1e-15);
    }
}
