//! What fixes the last of three links, and what gives where it cannot be had.

use glam::DVec3;

use crate::math::{arc, ops};

/// How the last link's direction is given.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Last {
    /// Along a direction (any length but zero).
    Direction(DVec3),
    /// Pointing at a place, seen from the tip's own.
    Toward(DVec3),
    /// At a fixed turn against the second link (radians), positive in the sense in which the middle joint
    /// folds; 0 is straight on.
    Angle(f64),
}

/// What gives way where the tip cannot be at its target with the last link as it should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Yields {
    /// The tip's place: the last link is exact, the first two do what [`Reach`](super::super::two_bone::Reach)
    /// says.
    #[default]
    Position,
    /// The last link, which turns as little as it can for the tip to arrive.
    Direction,
}

/// In which plane the first two links bend.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Plane {
    /// That of a pole, as a limb of two links; the last link just points along its direction.
    #[default]
    Pole,
    /// That of root, target and the last link's direction, so that all three links lie in one plane.
    Natural {
        /// +1 to bend to the side to which the last link points, -1 to the other.
        side: f64,
    },
}

/// The direction nearest to the unit `u` for which two links that reach from `shortest` to `longest` get
/// to the last one's start, for a tip at `e` from the root; `u` itself where it does.
pub(crate) fn yielded(u: DVec3, e: DVec3, l3: f64, shortest: f64, longest: f64) -> DVec3 {
    let Some(line) = arc::unit(e) else { return u };
    let k = line.dot(e);
    let p = e - u * l3;
    let distance = arc::length(p);
    if (shortest..=longest).contains(&distance) || l3 == 0.0 {
        return u;
    }
    // The cosine at which the distance is a given one.
    let cosine = |d: f64| ((k - d) * (k + d) + l3 * l3) / (2.0 * k * l3);
    let c = cosine(distance.clamp(shortest, longest)).clamp(-1.0, 1.0);
    let across = arc::unit_reject(u, line, 1e-12).unwrap_or_else(|| arc::any_perpendicular(line));
    line * c + across * ops::sqrt_clamped((1.0 - c) * (1.0 + c))
}
