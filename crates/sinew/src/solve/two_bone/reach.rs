//! What to do with a target that two bones cannot reach: the caller's choice, never a NaN.

use super::soft::{self, Bands, Bones};
use crate::math::ops;
use crate::solve::Status;

/// What to do with a target nearer than `D = |l1 - l2|` or farther than `L = l1 + l2`. A chain counts as two bones: its
/// longest link and all others together, or two halves. Its bones are not lengthened when it shares joints with other
/// goals. When slides, a root that moves, or other goals move its first joint, it behaves as with `Clamp`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Reach {
    /// Straight, or fully folded, toward the target; the default, since it is what eyes expect.
    #[default]
    Clamp,
    /// Lengthen both bones by one factor of at least 1 and at most `limit`; beyond it, and when too close, clamp. On a
    /// pose the factor multiplies the rest lengths. A limb with a slide below its root keeps its lengths, since that of
    /// a slide is its coordinate.
    Stretch {
        /// Largest factor.
        #[cfg_attr(feature = "serde", serde(with = "crate::serde::number"))]
        limit: f64,
    },
    /// Slow down near full stretch and full fold, so that the middle joint never moves more than `ratio` times as fast
    /// as the target. The tip stays short of targets there, at most by half of what [`Bands`] says while they can be
    /// reached.
    ///
    /// When the middle joint is bent by less than a right angle, the ratio holds in whichever direction the target
    /// moves. Nearer to the root it holds along the line from the root; moving across it at a distance `d` adds `l1 /
    /// d` in quadrature, which no rule without state avoids.
    Soft {
        /// Largest speed of the middle joint over the target's; [`Reach::RATIO`] is a good one, ratios
        /// below 1 count as 1.
        #[cfg_attr(feature = "serde", serde(with = "crate::serde::number"))]
        ratio: f64,
        /// Largest factor by which both bones are lengthened to arrive all the same; 1 for none.
        #[cfg_attr(feature = "serde", serde(with = "crate::serde::number"))]
        stretch: f64,
    },
    /// Leave the limb as it is.
    Hold,
}

/// The triangle that a limb will make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Solved distance from root to tip.
    pub distance: f64,
    /// Factor on both bones, 1 unless stretched.
    pub stretch: f64,
    /// `Reached`, `Softened`, `TooClose`, `OutOfReach` or `Held`.
    pub status: Status,
}

/// Relative slack of the reach: a target within rounding of the rim counts as reached.
const SLACK: f64 = 4.0 * f64::EPSILON;

impl Reach {
    /// A ratio of speeds that is not noticed: 3.
    pub const RATIO: f64 = 3.0;

    /// Soft, without stretch, at [`Reach::RATIO`].
    pub const SOFT: Self = Self::Soft { ratio: Self::RATIO, stretch: 1.0 };

    /// The triangle for a target at `distance` and bones `l1`, `l2`, all in one unit.
    pub fn span(self, distance: f64, l1: f64, l2: f64) -> Span {
        Rim::near(self, Bones::new(l1, l2), distance * distance).span(distance)
    }

    /// Largest speed of the middle joint over the target's when a swivel carries the bend along.
    pub(crate) fn ratio(self) -> f64 {
        if let Self::Soft { ratio, .. } = self { ratio.max(1.0) } else { Self::RATIO }
    }

    /// The same without longer bones.
    pub(super) fn rigid(self) -> Self {
        match self {
            Self::Soft { ratio, .. } => Self::Soft { ratio, stretch: 1.0 },
            Self::Stretch { .. } => Self::Clamp,
            other => other,
        }
    }

    /// Whether bones may be lengthened.
    pub(crate) fn stretches(self) -> bool {
        match self {
            Self::Soft { stretch, .. } => stretch > 1.0,
            Self::Stretch { .. } => true,
            _ => false,
        }
    }
}

/// A way to answer, for bones that are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rim {
    reach: Reach,
    bones: Bones,
    bands: Bands,
}

impl Rim {
    pub(super) fn new(reach: Reach, bones: Bones) -> Self {
        let mut rim = Self::near(reach, bones, bones.longest * bones.longest);
        if let Reach::Soft { ratio, .. } = reach {
            rim.bands.inner = soft::inner(ratio, &bones);
        }
        rim
    }

    /// For a target at a distance, squared: the inner band takes a search, which far targets have no need of.
    #[inline(always)]
    pub(super) fn near(reach: Reach, bones: Bones, squared: f64) -> Self {
        let bands = match reach {
            Reach::Soft { ratio, .. } => Self::bands(ratio, &bones, squared),
            _ => Bands::default(),
        };
        Self { reach, bones, bands }
    }

    #[cold]
    #[inline(never)]
    fn bands(ratio: f64, bones: &Bones, squared: f64) -> Bands {
        Bands { outer: soft::outer(ratio, bones), inner: soft::inner_near(ratio, bones, ops::sqrt(squared)) }
    }

    /// Largest speed of the middle joint over the target's.
    pub(super) fn ratio(&self) -> f64 {
        self.reach.ratio()
    }

    /// Squares of the distances strictly between which the triangle is the target's own.
    pub(super) fn plain(&self) -> (f64, f64) {
        let (low, high) = (self.bones.shortest + self.bands.inner, self.bones.longest - self.bands.outer);
        (low * low, high * high)
    }

    pub(super) fn span(&self, distance: f64) -> Span {
        let Bones { shortest, longest, .. } = self.bones;
        let slack = SLACK * longest;
        let rim = |rim: f64, status: Status| {
            let near = (distance - rim).abs() <= slack;
            let status = if near { Status::Reached } else { status };
            let held = self.reach == Reach::Hold && !near;
            Span { distance: rim, stretch: 1.0, status: if held { Status::Held } else { status } }
        };
        match self.reach {
            Reach::Soft { stretch, .. } => self.softened(distance, stretch),
            Reach::Stretch { limit } if distance > longest && longest > 0.0 => {
                let factor = (distance / longest).min(limit.max(1.0));
                let reached = distance <= longest * factor + slack;
                let status = if reached { Status::Reached } else { Status::OutOfReach };
                Span { distance: longest * factor, stretch: factor, status }
            }
            _ if distance > longest => rim(longest, Status::OutOfReach),
            _ if distance < shortest => rim(shortest, Status::TooClose),
            _ => Span { distance, stretch: 1.0, status: Status::Reached },
        }
    }

    fn softened(&self, distance: f64, limit: f64) -> Span {
        let Bones { shortest, longest, .. } = self.bones;
        let f = self.bands.soften(&self.bones, distance).max(shortest).min(longest);
        let factor = if distance > f && f > 0.0 { (distance / f).min(limit.max(1.0)) } else { 1.0 };
        let status = match distance {
            d if (d - f * factor).abs() <= SLACK * longest => Status::Reached,
            d if d > longest => Status::OutOfReach,
            d if d < shortest => Status::TooClose,
            _ => Status::Softened,
        };
        Span { distance: f * factor, stretch: factor, status }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soft_says_what_it_did() {
        let (l1, l2) = (0.6, 0.4);
        let bands = Bands::new(3.0, l1, l2);
        let at = |distance: f64| Reach::SOFT.span(distance, l1, l2);
        for (distance, status) in [
            (0.5, Status::Reached),
            (1.0 - bands.outer, Status::Reached),
            (1.0 - 0.5 * bands.outer, Status::Softened),
            (1.0, Status::Softened),
            (1.1, Status::OutOfReach),
            (0.2 + bands.inner, Status::Reached),
            (0.2 + 0.5 * bands.inner, Status::Softened),
            (0.2, Status::Softened),
            (0.1, Status::TooClose),
            (0.0, Status::TooClose),
        ] {
            assert_eq!(at(distance).status, status, "{distance}: {:?}", at(distance));
        }
        assert!((at(1.0).distance - (1.0 - 0.5 * bands.outer)).abs() < 1e-15);
    }

    #[test]
    fn soft_with_stretch_arrives_within_its_limit() {
        let reach = Reach::Soft { ratio: 3.0, stretch: 1.2 };
        for distance in [0.7, 0.99, 1.0, 1.1, 1.19] {
            let span = reach.span(distance, 0.5, 0.5);
            assert_eq!(span.status, Status::Reached, "{distance}");
            assert!((span.distance - distance).abs() < 1e-15 && span.stretch <= 1.2);
        }
        let span = reach.span(1.5, 0.5, 0.5);
        assert!(span.status == Status::OutOfReach && span.stretch == 1.2 && span.distance < 1.2);
        assert!(reach.stretches() && !Reach::SOFT.stretches());
    }

    #[test]
    fn infinite_ratio_is_clamping() {
        let soft = Reach::Soft { ratio: f64::INFINITY, stretch: 1.0 };
        for distance in [0.0, 0.1, 0.2, 0.5, 1.0, 2.0] {
            assert_eq!(soft.span(distance, 0.6, 0.4), Reach::Clamp.span(distance, 0.6, 0.4));
        }
    }
}
