//! What the solver is asked to be.

use crate::skeleton::Joint;
use crate::solve::Start;
use crate::solve::two_bone::Reach;

/// The order in which joints take their steps in a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Order {
    /// From the root down. The joints near the root turn most. The default, since it takes fewer sweeps.
    #[default]
    RootToTip,
    /// From the tips up. The joints near the tip turn most, and long free chains curl.
    TipToRoot,
}

/// How balls take their steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Balls {
    /// The whole rotation at once: the shortest arc, or the best fit of several pairs.
    #[default]
    Whole,
    /// Turns about x, y and z of the joint's zero frame, one after another. The middle angle stays a degree away from a
    /// quarter turn.
    PerAxis,
}

/// Cyclic coordinate descent for any number of goals on any joints of a tree: positions, rotations, frames,
/// aims and axes, with weight, pull, base and mask, in model space or relative to a joint.
///
/// Every joint from a goal's joint up to its base, or else to the root, may turn, slide or move. A goal relative to a joint
/// moves only the joints below their common ancestor. Each joint takes the best step for all goals below it, by pull. A
/// goal with a base owns the joints from there to its tip. Followers move with their coordinate. The up of aims is ignored.
/// A chain with one goal is turned to its pole.
///
/// Ends at the best pose found. A goal that is missed is [`TooClose`](crate::Status::TooClose) or
/// [`OutOfReach`](crate::Status::OutOfReach) when lengths alone show it, [`Limited`](crate::Status::Limited) when limits
/// stand in the way, else [`Stalled`](crate::Status::Stalled) or [`OutOfIterations`](crate::Status::OutOfIterations).
#[doc(alias = "CCD")]
#[doc(alias = "CCDIK")]
#[doc(alias = "cyclic coordinate descent")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Ccd {
    /// Largest number of sweeps, 400 by default; sweeps of restarts that lead nowhere do not count. One per frame is enough
    /// to follow a target that moves. All sweeps together, with those of restarts, take at most 100,000 steps, so that
    /// trees of many joints and goals end in time. Each joint takes one step for each goal below it; a frame counts as
    /// four, a ball inside a limit as six. When you ask for more sweeps than the default, this bound grows in proportion.
    pub iterations: u32,
    /// Distance that is near enough, as a share of the chain's length, where a goal has no tolerance of its own; 1e-6 by
    /// default.
    pub position_tolerance: f64,
    /// Angle (radians) that is near enough; 1e-6 by default.
    pub rotation_tolerance: f64,
    /// The uppermost joint that may move for goals without a base; the root by default. Goals of joints that are not below
    /// it are ignored.
    pub base: Option<Joint>,
    /// Which joints go first.
    pub order: Order,
    /// Largest turn of a joint in one step (radians); none by default. With one, a stretched chain of balls is not bent as a
    /// whole before its first sweep.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde::number"))]
    pub damping: f64,
    /// The pose to start from.
    pub start: Start,
    /// What a chain does with a target near and beyond its full stretch; [`Reach::Clamp`] by default. With soft reach a lone
    /// goal is approached downhill from the pose given, in short steps that turn all joints a little, and by sweeps only
    /// where these do not arrive: sweeps turn some joints many times as fast as the target.
    pub reach: Reach,
    /// How balls take their steps.
    pub balls: Balls,
    /// Whether sweeps that keep going slowly in one direction take a longer step along it, if that is better; `true` by
    /// default.
    pub ahead: bool,
    /// How many other starts to try when limits or a straight chain stop the descent; 16 by default. The pose they lead to
    /// may be far from the pose given, and is taken only if it is clearly better. Several goals whose sweeps gain little are
    /// first approached downhill from the pose given, in short steps; other starts are tried only where these do not arrive.
    /// Those of one priority that are still not all met are then approached by continuous steps from the pose given, as
    /// [`Jacobian`](crate::Jacobian) does; their answer is taken unless the other is nearer by 0.003 of the longest chain. Not with
    /// fewer than 48 [`iterations`](Self::iterations).
    ///
    /// With 0 no other solution is tried, and a stretched chain is not bent as a whole before its first sweep. Goals that cannot
    /// all be met are then approached downhill from the start, in short steps, which takes longer. The pose moves with its
    /// targets, also when they leave reach. It still jumps when the local minimum in which it lies ends: a fold opens to the
    /// other side, a joint leaves its limit, or the goals come back into reach elsewhere.
    pub restarts: u32,
}

impl Default for Ccd {
    fn default() -> Self {
        Self {
            iterations: 400,
            position_tolerance: 1e-6,
            rotation_tolerance: 1e-6,
            base: None,
            order: Order::RootToTip,
            damping: f64::INFINITY,
            start: Start::Given,
            reach: Reach::Clamp,
            balls: Balls::Whole,
            ahead: true,
            restarts: 16,
        }
    }
}
