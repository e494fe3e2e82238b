//! What fixes the last of three links, and what gives where it cannot be had.

use glam::DVec3;

use crate::math::{arc, ops};
use crate::solve::two_bone::Reach;

/// Relative distance inside the rim.
const HAIR: f64 = 1e-13;

/// How the last link's direction is given.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
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

impl Last {
    /// The same with a place seen from the tip.
    pub(super) fn seen_from(self, tip: DVec3) -> Self {
        if let Self::Toward(place) = self { Self::Toward(place - tip) } else { self }
    }
}

/// What gives way when the tip cannot be at its target with the last link as it should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Yields {
    /// The tip's place: the last link is exact, the first two do what [`Reach`]
    /// says.
    #[default]
    Position,
    /// The last link, which turns as little as it can for the tip to arrive.
    Direction,
}

/// In which plane the first two links bend.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
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

/// How the pure forms solve; the default bends to the pole, lets the tip's place yield, and clamps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// In which plane the first two links bend.
    pub plane: Plane,
    /// What gives way.
    pub yields: Yields,
    /// What to do out of reach.
    pub reach: Reach,
}

/// The direction nearest to the unit `u` for which two links that reach from `shortest` to `longest` get
/// to the last one's start, for a tip at `e` from the root; `u` itself where it does. A `u` along the line
/// turns to the side of `aside`.
pub(super) fn yielded(u: DVec3, e: DVec3, l3: f64, (shortest, longest): (f64, f64), aside: DVec3) -> DVec3 {
    let Some(line) = arc::unit(e) else { return u };
    let k = line.dot(e);
    let p = e - u * l3;
    let distance = arc::length(p);
    if (shortest..=longest).contains(&distance) || l3 == 0.0 {
        return u;
    }
    // A hair inside the rim, so that rounding does not put the start out of reach.
    let hair = HAIR * longest;
    // The cosine at which the distance is a given one.
    let cosine = |d: f64| ((k - d) * (k + d) + l3 * l3) / (2.0 * k * l3);
    let c = cosine(distance.max(shortest + hair).min(longest - hair)).clamp(-1.0, 1.0);
    let across = arc::unit_reject(u, line, 1e-12).or_else(|| arc::unit_reject(aside, line, 1e-12));
    let across = across.unwrap_or_else(|| arc::any_perpendicular(line));
    line * c + across * ops::sqrt_clamped((1.0 - c) * (1.0 + c))
}

/// Length and angle (radians, from the second link) of the chord of links two and three, the third turned
/// by `angle` against the second.
pub(super) fn chord(l2: f64, l3: f64, angle: f64) -> (f64, f64) {
    let (sine, cosine) = ops::sin_cos(angle);
    let (along, across) = (l2 + l3 * cosine, l3 * sine);
    (ops::sqrt(along * along + across * across), ops::atan2(across, along))
}

/// The angle nearest to `angle` whose chord is within what closes a triangle with the first link and the
/// distance.
pub(super) fn opened([l1, l2, l3]: [f64; 3], angle: f64, distance: f64) -> f64 {
    let (now, _) = chord(l2, l3, angle);
    let wanted = now.max((distance - l1).abs()).min(distance + l1);
    if wanted == now || l2 * l3 == 0.0 {
        return angle;
    }
    let c = ((wanted * wanted - l2 * l2 - l3 * l3) / (2.0 * l2 * l3)).clamp(-1.0, 1.0);
    let open = ops::atan2(ops::sqrt((1.0 - c) * (1.0 + c)), c);
    let [plus, minus] = [open, -open].map(|open| ops::nearest_turn(open, angle));
    if (plus - angle).abs() <= (minus - angle).abs() { plus } else { minus }
}
