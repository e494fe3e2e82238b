//! What can be set of FABRIK on a pose, and which joints move for a goal.

use crate::goal::{Goal, Target};
use crate::skeleton::{Joint, Skeleton};
use crate::solve::two_bone::Reach;
use crate::solve::{Start, Workspace};

/// Where the twist of a free ball about its bone is measured from, and which joints take the twist of a rotation goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Twist {
    /// From the pose given; the default.
    #[default]
    Given,
    /// From the rest pose: the shortest turn from there, so that twist does not drift from frame to frame. The joint of a
    /// rotation goal takes the goal's twist, the others the least.
    Rest,
    /// From the rest pose. Every free ball above a rotation goal, up to the first branch, limit or other goal, turns about
    /// its bone as the goal does: the uppermost takes the twist, the others follow.
    Goal,
    /// As [`Twist::Goal`], but these joints and the goal's joint take equal shares. A goal twisted by more than half a turn
    /// from rest is shared in the other direction, so the shares jump there.
    Shared,
}

/// Forward and backward reaching on the whole body or a part of it.
///
/// Serves position, rotation and frame goals, and aims and axes without an up. The joints from the base of an aim on share
/// its turn, as evenly as limits and other goals allow. Every joint that can turn between a goal's joint and its base (or
/// [`Fabrik::base`], or else the root) takes part. Joints that several goals share move for all of them, by `pull`. A goal
/// with a base owns its joints. A chain with one goal is turned to its pole; swivels are ignored. Slides and fixed joints
/// stay as they are. Roots are pinned, unless they are [`Kind::Free`](crate::Kind::Free).
#[doc(alias = "FABRIK")]
#[doc(alias = "chain IK")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Fabrik {
    /// Uppermost joint that may move, where a goal names none; the roots by default.
    pub base: Option<Joint>,
    /// Largest number of passes from one start; 32 by default. Free chains need one. A solve begins anew from its own
    /// answer as long as it gains, for several goals until it has made twice as many.
    pub iterations: u32,
    /// Distance that is near enough, as a share of the length from the uppermost joint to the goal's, where a goal has no
    /// tolerance of its own; 1e-9 by default, since the last step is exact.
    pub position_tolerance: f64,
    /// Angle (radians) that is near enough; 1e-9 by default.
    pub rotation_tolerance: f64,
    /// How many other starts to try when limits keep the first one from the goals; 8 by default, always the same ones. They
    /// are taken only if they are clearly better, but then the pose may jump. Several goals of one priority that are still not all met
    /// are then approached by continuous steps from the pose given, as [`Jacobian`](crate::Jacobian) does; their answer is taken unless
    /// the other is nearer by 0.003 of the longest chain, in units of each goal's own reach. Not with fewer than 6
    /// [`iterations`](Self::iterations).
    ///
    /// With 0 no other solution is tried, even one that would meet the goals. Several goals that cannot all be met
    /// are then approached downhill from the pose given, in short steps, which takes longer. The pose moves with its
    /// targets, also when they leave reach. It still jumps when the local minimum in which it lies ends: a fold opens to
    /// the other side, or a joint leaves its limit.
    pub restarts: u32,
    /// The pose to start from.
    pub start: Start,
    /// What a chain does with a target near and beyond its full stretch; [`Reach::Clamp`] by default.
    pub reach: Reach,
    /// Where the twist of free balls is measured from, and which joints take a goal's twist; [`Twist::Given`] by default.
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
        self.reaches(skeleton, goal, joint) && Self::turns(skeleton, goal, joint, work)
    }

    /// Whether a joint that a goal reaches turns, and belongs to no other joint's goal.
    pub(super) fn turns(skeleton: &Skeleton, goal: &Goal, joint: Joint, work: &Workspace) -> bool {
        skeleton.kind(joint).turns() && !work.is_owned(skeleton, joint, goal.joint)
    }

    /// Whether goals that cannot be met may not make the pose jump.
    pub(super) fn stays(&self) -> bool {
        self.restarts == 0 && self.start == Start::Given
    }
}
