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
    /// From the root down, each with all above it already turned: what is near the root turns most. The
    /// default, since it takes fewer sweeps.
    #[default]
    RootToTip,
    /// From the tips up, each with all below it already turned: what is near the tip turns most, and long
    /// free chains curl.
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
    /// Turns about x, y and z of the joint's zero, one after another, the middle one kept a degree off a
    /// quarter turn.
    PerAxis,
}

/// Cyclic coordinate descent for any number of goals on any joints of a tree: positions, rotations, frames,
/// aims and axes, with weight, pull, base and mask, in model space or relative to a joint.
///
/// Every joint from a goal's joint up to its base, or else to the root, may turn (slide, move);
/// a goal relative to a joint moves only those below what it has in common with it. Each takes the best
/// step for all goals below it by pull. A goal with a base owns the joints from there to its tip: goals
/// after it in solving order leave them alone. Followers move with their coordinate. The up of aims is not
/// looked at. A lone goal's chain is turned to its pole.
///
/// Ends at the best pose found. What it cannot meet is [`TooClose`](crate::Status::TooClose) or
/// [`OutOfReach`](crate::Status::OutOfReach) by the lengths, [`Limited`](crate::Status::Limited) where
/// limits stand in the way, else [`Stalled`](crate::Status::Stalled) or
/// [`OutOfIterations`](crate::Status::OutOfIterations).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Ccd {
    /// Sweeps at most, those of restarts that lead nowhere not counted; 1 a frame tracks a target that moves.
    pub iterations: u32,
    /// Distance that is near enough, as a share of the chain's length, where a goal has no tolerance of its own; 1e-6 by
    /// default.
    pub position_tolerance: f64,
    /// Angle (radians) that is near enough; 1e-6 by default.
    pub rotation_tolerance: f64,
    /// The uppermost joint that may move for goals that name no base; the root by default. Goals of joints
    /// that are not below it are ignored.
    pub base: Option<Joint>,
    /// Which joints go first.
    pub order: Order,
    /// Largest turn of a joint in one step (radians); none by default.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde::number"))]
    pub damping: f64,
    /// The pose to start from.
    pub start: Start,
    /// What a chain does with a target near and beyond its full stretch; [`Reach::Clamp`] by default. Soft reach moves the
    /// target alone: this method turns some joints fast also far from there.
    pub reach: Reach,
    /// How balls take their steps.
    pub balls: Balls,
    /// Whether sweeps that creep in one direction are helped by a longer step along it, where that is better.
    pub ahead: bool,
    /// Other starts that are tried, one after another, where limits or a straight chain stop the descent; 16 by default. The
    /// pose they lead to may be far from the one given, and is only taken where it is clearly better. With 0, goals
    /// that cannot all be met are come to downhill from the pose started from, in short steps: the pose moves with its targets,
    /// also where they leave reach, and jumps only where the valley ends in which it lies: where a fold opens to the
    /// other side, a joint comes off its limit, or goals come back into reach in another valley. That takes longer.
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
