//! What to do with a target that two bones cannot reach: the caller's choice, never a NaN.

use crate::solve::Status;

/// Answer to a target nearer than `D = |l1 - l2|` or farther than `L = l1 + l2`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Reach {
    /// Straight, or fully folded, toward the target; the default, since it is what eyes expect.
    #[default]
    Clamp,
    /// Lengthen both bones by one factor of at least 1 and at most `limit`; beyond it, and when too
    /// close, clamp. On a pose the factor multiplies the rest lengths.
    Stretch {
        /// Largest factor.
        limit: f64,
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
    /// `Reached`, `TooClose`, `OutOfReach` or `Held`.
    pub status: Status,
}

/// Relative slack of the reach: a target within rounding of the rim counts as reached.
const SLACK: f64 = 4.0 * f64::EPSILON;

impl Reach {
    /// The triangle for a target at `distance` and bones `l1`, `l2`, all in one unit.
    pub fn span(self, distance: f64, l1: f64, l2: f64) -> Span {
        self.span_between(distance, (l1 - l2).abs(), l1 + l2)
    }

    /// The same for a limb that reaches from `shortest` to `longest`.
    pub(super) fn span_between(self, distance: f64, shortest: f64, longest: f64) -> Span {
        let slack = SLACK * longest;
        let rim = |rim: f64, status: Status| {
            let near = (distance - rim).abs() <= slack;
            let status = if near { Status::Reached } else { status };
            let held = self == Self::Hold && !near;
            Span { distance: rim, stretch: 1.0, status: if held { Status::Held } else { status } }
        };
        match self {
            Self::Stretch { limit } if distance > longest && longest > 0.0 => {
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
}
