//! What can be set of FABRIK on a pose, and which joints move for a goal.

use crate::goal::{Goal, Target};
use crate::skeleton::{Joint, Skeleton};
use crate::solve::two_bone::Reach;
use crate::solve::{Start, Workspace};

/// From where the twist of a free ball about its bone is counted, and who takes that of a rotation goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Twist {
    /// From the pose given; the default.
    #[default]
    Given,
    /// From the rest pose: the shortest turn from there, so that twist does not drift from frame to frame.
    /// The goal's own joint takes what twist the goal asks for: the least elsewhere.
    Rest,
    /// From the rest pose, and every free ball above a rotation goal, up to the first branch, limit or other
    /// goal, turns about its bone as the goal does: the topmost takes the twist, the others follow.
    Goal,
    /// As [`Twist::Goal`], but each of them and the goal's joint take the same share. A goal twisted by more
    /// than half a turn from rest is shared in the other direction, so shares jump there.
    Shared,
}

/// Forward and backward reaching on the whole body or a part of it.
///
/// Serves position, rotation and frame goals, and aims and axes without an up: all joints from the goal's base
/// on share a look, as evenly as limits and other goals let them. Every joint that can turn between a goal's joint and its base (or
/// [`Fabrik::base`], or else the root) takes part; several goals share theirs, by `pull`. Goals with a
/// base own their joints: goals without one leave them alone. A lone goal's chain is turned to its pole; swivels are not
/// read. Slides and fixed joints stay as they are;
/// roots are pinned, unless they are [`Kind::Free`](crate::Kind::Free).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Fabrik {
    /// Uppermost joint that may move, where a goal names none; the roots by default.
    pub base: Option<Joint>,
    /// Passes at most from one start; 32 by default. Free chains need one.
    pub iterations: u32,
    /// Distance that is near enough, as a share of the length from the uppermost joint to the goal's, where a goal has no
    /// tolerance of its own; 1e-9 by default, since the last step is exact.
    pub position_tolerance: f64,
    /// Angle (radians) that is near enough; 1e-9 by default.
    pub rotation_tolerance: f64,
    /// Other starts tried where limits leave the first one short, in one solve and always the same; 8 by
    /// default. They only win clearly, but then the pose may jump. With 0, several goals that cannot all be met are come to downhill
    /// from the pose given, in short steps: the pose moves with its targets, also where they leave reach, and jumps only where
    /// the valley ends in which it lies: where a fold opens to the other side, or a joint comes off its limit. A pose in
    /// another valley is not taken, even where it meets the goals. That takes longer.
    pub restarts: u32,
    /// The pose to start from.
    pub start: Start,
    /// What a chain does with a target near and beyond its full stretch; [`Reach::Clamp`] by default.
    pub reach: Reach,
    /// What the twist of free balls is counted from, and who takes a goal's; as the pose has it by default.
    pub twist: Twist,
}

impl Default for Fabrik {
    fn default() -> Self {
        Self {
            base: None,
            iterations: 32,
            position_tolerance: 1e-9,
            rotation_tolerance: 1e-9,
            restarts: 8,
            start: Start::Given,
            reach: Reach::Clamp,
            twist: Twist::Given,
        }
    }
}

impl Fabrik {
    /// The default settings on the joints from `base` on.
    pub fn from_base(base: Joint) -> Self {
        Self { base: Some(base), ..Self::default() }
    }

    /// Whether a joint lies between the goal's joint and the uppermost one that may move for it.
    pub(super) fn reaches(&self, skeleton: &Skeleton, goal: &Goal, joint: Joint) -> bool {
        let below = |base: Option<Joint>| base.is_none_or(|base| skeleton.is_below(joint, base));
        skeleton.is_below(goal.joint, joint) && below(goal.base) && below(self.base)
    }

    /// Whether a goal is an aim or axis without an up.
    pub(super) fn is_aim(goal: &Goal) -> bool {
        matches!(goal.target, Target::Aim { up: None, .. } | Target::Axis { up: None, .. })
    }

    /// Whether a joint may turn for a goal.
    pub(super) fn moves(&self, skeleton: &Skeleton, goal: &Goal, joint: Joint, work: &Workspace) -> bool {
        self.reaches(skeleton, goal, joint)
            && skeleton.kind(joint).turns()
            && !work.is_owned(skeleton, joint, goal.joint)
    }

    /// Whether goals that cannot be met may not make the pose jump.
    pub(super) fn stays(&self) -> bool {
        self.restarts == 0 && self.start == Start::Given
    }
}
