//! The general form: from four positions to three turns, for engines with their own skeletons.

use glam::{DQuat, DVec3};

use super::direction::{Last, Options};
use super::spatial::positions;
use crate::goal::Pole;
use crate::math::arc;
use crate::solve::Status;
use crate::solve::two_bone::pole_from;

/// Sine below which two links count as in line, and their plane as unknown.
const STRAIGHT: f64 = 1e-8;

/// Where a limb's joints are now, in any one space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limb {
    /// Hip, or knuckle.
    pub root: DVec3,
    /// Knee.
    pub mid: DVec3,
    /// Heel.
    pub low: DVec3,
    /// Toes, or fingertip.
    pub tip: DVec3,
}

/// Turns in the space of the limb's positions: the new rotation of the root joint is `root * old`, that of
/// the middle joint `mid * root * old`, that of the lower one `low * mid * root * old`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turns {
    /// Turn of the whole limb about its root.
    pub root: DQuat,
    /// Turn of the second and last links about the middle joint, after the first turn.
    pub mid: DQuat,
    /// Turn of the last link about the lower joint, after the first two.
    pub low: DQuat,
    /// How the target was met; `Invalid` (with identity turns) for input that is not finite.
    pub status: Status,
}

/// Turns that bring the tip to `target` with the last link as `last` says. [`Reach::Hold`] gives identity
/// turns out of reach; stretch, which turns cannot do, turns as if the links were long enough.
///
/// The plane of the first two links is carried to the new one, so nothing twists. Links in line have no plane, and turn by
/// the shortest arc. When the pole does not help (a pole on the line), the present bend stays.
///
/// [`Reach::Hold`]: crate::solve::two_bone::Reach::Hold
pub fn bend(limb: &Limb, target: DVec3, last: Last, pole: impl Into<Pole>, options: Options) -> Turns {
    let links = [limb.mid - limb.root, limb.low - limb.mid, limb.tip - limb.low];
    let status = |status: Status| Turns { root: DQuat::IDENTITY, mid: DQuat::IDENTITY, low: DQuat::IDENTITY, status };
    let pole = kept_pole(limb, target, pole_from(limb.root, pole.into()));
    let solved = positions(limb.root, target, links.map(arc::length), last, pole, options);
    if matches!(solved.status, Status::Invalid | Status::Held) {
        return status(solved.status);
    }
    let [mid, low, tip] = solved.elbows[0];
    let wanted = [mid - limb.root, low - mid, tip - low];
    let (Some(first), Some(to)) = (arc::unit(links[0]), arc::unit(wanted[0])) else { return status(Status::Singular) };
    let normal = plane(first, links[1]);
    let across = arc::any_perpendicular(to);
    let root = match (normal, plane(to, wanted[1])) {
        (Some(from), Some(onto)) => arc::between_frames(first, from, to, onto),
        _ => arc::arc(first, to, across),
    };
    let fallback = plane(to, wanted[1]).unwrap_or(across);
    let turn = |from: DVec3, to: DVec3| match (arc::unit(from), arc::unit(to)) {
        (Some(from), Some(to)) => arc::arc(from, to, fallback),
        _ => DQuat::IDENTITY,
    };
    let mid = turn(root * links[1], wanted[1]);
    let low = turn(mid * (root * links[2]), wanted[2]);
    Turns { root, mid, low, status: solved.status }
}

/// Unit normal of two links, the first a unit direction.
fn plane(first: DVec3, second: DVec3) -> Option<DVec3> {
    arc::unit_reject(second, first, STRAIGHT).map(|across| first.cross(across))
}

/// The pole, or where it says nothing the present bend, carried to the new line by the shortest arc.
fn kept_pole(limb: &Limb, target: DVec3, pole: DVec3) -> DVec3 {
    let (Some(line), Some(to)) = (arc::unit(limb.low - limb.root), arc::unit(target - limb.root)) else { return pole };
    if arc::unit_reject(pole, to, 1e-10).is_some() {
        return pole;
    }
    let bend = arc::unit_reject(limb.mid - limb.root, line, STRAIGHT).unwrap_or_else(|| arc::any_perpendicular(line));
    arc::arc(line, to, bend) * bend
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::three_link::{Plane, Yields};
    use proptest::prelude::*;

    fn vector(size: f64) -> impl Strategy<Value = DVec3> {
        (-size..size, -size..size, -size..size).prop_map(DVec3::from)
    }

    proptest! {
        #[test]
        fn the_turned_links_lie_on_the_solved_positions(root in vector(1.0), links in prop::array::uniform3(vector(1.0)), e in vector(2.0), u in vector(1.0), pole in vector(1.0), straight in prop::bool::ANY, natural in prop::bool::ANY, exponent in -4..=4_i32) {
            prop_assume!(links.iter().all(|l| l.length() > 0.1) && u.length() > 0.01 && pole.cross(e).length() > 0.01);
            let unit = libm::pow(10.0, f64::from(exponent));
            let links = if straight { links.map(|l| links[0] * l.length()) } else { links };
            let [a, b, c] = links.map(|l| l * unit);
            let limb = Limb { root, mid: root + a, low: root + a + b, tip: root + a + b + c };
            let options = Options {
                plane: if natural { Plane::Natural { side: -1.0 } } else { Plane::Pole },
                yields: Yields::Direction,
                ..Options::default()
            };
            let [a, b, c] = [limb.mid - limb.root, limb.low - limb.mid, limb.tip - limb.low];
            let size = a.length() + b.length() + c.length() + root.length();
            for last in [Last::Direction(u), Last::Angle(0.4)] {
                let target = root + e * unit;
                let turns = bend(&limb, target, last, Pole::Direction(pole), options);
                let [mid, low, tip] = positions(root, target, [a, b, c].map(arc::length), last, pole, options).elbows[0];
                let first = turns.root * a;
                let second = turns.mid * (turns.root * b);
                let third = turns.low * (turns.mid * (turns.root * c));
                prop_assert!((root + first).distance(mid) < 1e-12 * size);
                prop_assert!((root + first + second).distance(low) < 1e-12 * size);
                prop_assert!((root + first + second + third).distance(tip) < 1e-12 * size);
                // Nothing twists: the old plane lies on the new one.
                let (old, new) = (a.cross(b), (mid - root).cross(low - mid));
                if old.length() > 1e-3 * unit * unit && new.length() > 1e-3 * unit * unit {
                    prop_assert!((turns.root * old.normalize()).distance(new.normalize()) < 1e-6);
                }
            }
        }
    }

    #[test]
    fn a_pole_on_the_line_keeps_the_bend_and_bad_input_is_refused() {
        let limb = Limb { root: DVec3::ZERO, mid: DVec3::new(0.0, 1.0, 0.5), low: DVec3::Y * 2.0, tip: DVec3::Y * 3.0 };
        let turns =
            bend(&limb, DVec3::Y * 2.5, Last::Direction(DVec3::Y), Pole::Direction(DVec3::Y), Options::default());
        assert!((turns.root * limb.mid).z > 0.1 && turns.status == Status::Reached);
        for target in [DVec3::NAN, DVec3::INFINITY] {
            let turns = bend(&limb, target, Last::Angle(0.0), DVec3::X, Options::default());
            assert_eq!((turns.status, turns.root), (Status::Invalid, DQuat::IDENTITY));
        }
        let nothing = Limb { root: DVec3::ZERO, mid: DVec3::ZERO, low: DVec3::ZERO, tip: DVec3::ZERO };
        assert_eq!(bend(&nothing, DVec3::X, Last::Angle(0.0), DVec3::Y, Options::default()).status, Status::Singular);
    }
}
