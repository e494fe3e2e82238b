//! What a joint may do: its kind, and the coordinate that drives a hinge or slide.

use alloc::string::String;
use alloc::vec::Vec;

use glam::{DQuat, DVec3};

use crate::limit::{EllipticSwing, EulerRanges, Range, SwingTwist};

/// How a joint may move, measured from its zero (by default its rest transform). Axes are unit vectors in the joint's
/// zero frame; the builder normalises them.
#[doc(alias = "joint type")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// Does not move against its parent.
    Fixed,
    /// Turns about one axis; the range is in radians, and turns count.
    #[doc(alias = "revolute")]
    Hinge {
        /// Axis of the turn.
        axis: DVec3,
        /// Range of the joint's value.
        range: Range,
    },
    /// Moves along one axis; the range is in metres.
    #[doc(alias = "prismatic")]
    Slide {
        /// Axis of the motion.
        axis: DVec3,
        /// Range of the joint's value.
        range: Range,
    },
    /// Turns freely or within a limit, about a point that stays in its parent.
    #[doc(alias = "spherical")]
    Ball(BallLimit),
    /// Turns and moves freely: the root of a body that may travel.
    Free,
}

impl Kind {
    /// A ball without limits: what a joint is when a file says nothing.
    pub const BALL: Self = Self::Ball(BallLimit::Free);

    /// A hinge about `axis` without limits.
    pub fn hinge(axis: impl Into<DVec3>) -> Self {
        Self::Hinge { axis: axis.into(), range: Range::FREE }
    }

    /// A slide along `axis` without limits.
    pub fn slide(axis: impl Into<DVec3>) -> Self {
        Self::Slide { axis: axis.into(), range: Range::FREE }
    }

    /// The same hinge or slide with a range; other kinds are returned as they are.
    pub fn within(self, min: f64, max: f64) -> Self {
        let range = Range::new(min, max);
        match self {
            Self::Hinge { axis, .. } => Self::Hinge { axis, range },
            Self::Slide { axis, .. } => Self::Slide { axis, range },
            other => other,
        }
    }

    /// The name of the kind: `fixed`, `hinge`, `slide`, `ball` or `free`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Hinge { .. } => "hinge",
            Self::Slide { .. } => "slide",
            Self::Ball(_) => "ball",
            Self::Free => "free",
        }
    }

    /// Whether the joint's rotation may change.
    pub fn turns(self) -> bool {
        matches!(self, Self::Hinge { .. } | Self::Ball(_) | Self::Free)
    }
}

/// How far a ball joint may turn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BallLimit {
    /// Anywhere.
    Free,
    /// Within a swing cone and a twist range.
    SwingTwist(SwingTwist),
    /// Within an elliptic swing, or one that differs to four sides, and a twist range.
    EllipticSwing(EllipticSwing),
    /// Within ranges about three axes in turn.
    Euler(EulerRanges),
}

impl BallLimit {
    /// The allowed rotation nearest to `q`, both measured from the joint's zero; `q` bit for bit
    /// where it is allowed.
    pub fn project(&self, q: DQuat) -> DQuat {
        match self {
            Self::Free => q,
            Self::SwingTwist(limit) => limit.project(q),
            Self::EllipticSwing(limit) => limit.project(q),
            Self::Euler(limit) => limit.project(q),
        }
    }
}

/// How a coordinate drives a hinge or slide: the joint's value is `multiplier · q + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive {
    /// Index into [`Skeleton::coordinates`](super::Skeleton::coordinates).
    pub coordinate: usize,
    /// Not zero.
    pub multiplier: f64,
    /// Radians or metres.
    pub offset: f64,
}

/// A number that drives one joint, or several that mimic one another.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinate {
    /// The coordinate's own name (by default its first joint's).
    pub name: Option<String>,
    /// Values at which every joint it drives is inside its range.
    pub range: Range,
    /// Depth-first indices of the joints it drives, ascending.
    pub(crate) joints: Vec<u32>,
}
