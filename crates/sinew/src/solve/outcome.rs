//! What a solve says: of all goals, and of each.

use core::fmt;

use glam::{DQuat, DVec3};

use super::target::{Sight, TargetInModel, place_left, size};
use crate::goal::{Goal, Slack, Swivel, Tolerance};
use crate::math::arc;
use crate::pose::Pose;

/// How a goal ended in the pose left, best to worst.
///
/// When a goal was missed for several reasons, the first of this list is reported: singular; too close, out of reach or
/// held, as lengths alone show; softened; limited; out of iterations; stalled.
#[doc(alias = "convergence")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Status {
    /// Met, within the goal's tolerance or else the solver's. The solver's is a share of the chain's length (of the longest
    /// chain, if the solver says so): the shorter of its lengths in the pose given and in the answer.
    #[default]
    Reached,
    /// Not a goal that this solver serves, or of weight zero, or left alone because another goal is
    /// [`Invalid`](Self::Invalid).
    Ignored,
    /// Short of a reachable goal on purpose (soft reach, weight below one).
    Softened,
    /// Out of reach, and the pose was left as it was on purpose.
    Held,
    /// Nearer than the limb can fold.
    TooClose,
    /// Farther than the limb can stretch, or than a body whose feet stay can bend and lean.
    OutOfReach,
    /// A joint's limit stands in the way.
    Limited,
    /// The geometry leaves no answer (a scale of zero, no length).
    Singular,
    /// No further progress.
    Stalled,
    /// The allowed iterations are spent, or the allowed [work](crate::Workspace::patience).
    OutOfIterations,
    /// A goal of another skeleton, or with numbers that are not finite: [`Goal::check`] says why. All goals are invalid
    /// when the pose belongs to another skeleton or the solver's settings cannot be used.
    Invalid,
}

impl Status {
    /// The word used in reports: `reached`, `out_of_reach`, …
    pub fn name(self) -> &'static str {
        match self {
            Self::Reached => "reached",
            Self::Ignored => "ignored",
            Self::Softened => "softened",
            Self::Held => "held",
            Self::TooClose => "too_close",
            Self::OutOfReach => "out_of_reach",
            Self::Limited => "limited",
            Self::Singular => "singular",
            Self::Stalled => "stalled",
            Self::OutOfIterations => "out_of_iterations",
            Self::Invalid => "invalid",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a solve achieved as a whole.
#[must_use = "the outcome says whether the goals were reached"]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Outcome {
    /// The worst status of any goal.
    pub status: Status,
    /// Passes over the skeleton; 1 for a closed form that moved something, 0 where nothing was done.
    pub iterations: u32,
    /// Largest distance of a goal's point from its target (metres, model space).
    pub position_error: f64,
    /// Largest angle of a goal's rotation from its target (radians).
    pub rotation_error: f64,
    /// Largest difference of a goal's scale ratio from its target.
    pub scale_error: f64,
}

/// How one goal ended. [`Workspace::residuals`](super::Workspace::residuals) lends them in the caller's order.
#[doc(alias = "error")]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Residual {
    /// How it ended.
    pub status: Status,
    /// Target minus the goal's point, in model space (metres); zero without a position target.
    pub position: DVec3,
    /// Rotation left to the target, applied in model space. `None` without a rotation target, and when a scale of zero
    /// leaves the joint no rotation. For an aim or axis, the shortest turn of the axis; its up does not count.
    pub rotation: Option<DQuat>,
    /// Target minus the product of scale ratios from the goal's base (or the root) to its joint, along their own
    /// axes; zero without a scale target.
    pub scale: DVec3,
    /// The limb's bend plane, for [`Goal::swivel`]; `None` unless a limb solver served the goal.
    pub swivel: Option<Swivel>,
    /// The tolerance used: the goal's, else the solver's in metres and radians. `None` when no solver served the goal, or
    /// when the solver does not report it.
    pub tolerance: Option<Tolerance>,
}

/// How one [task](super::jacobian::Task) of a user's own ended. [`Workspace::tasks`](super::Workspace::tasks) lends them in the order in
/// which the solver has them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct TaskResidual {
    /// How it ended; [`Ignored`](Status::Ignored) of a task that does not pull.
    pub status: Status,
    /// Length of its error over all rows, in the task's own unit.
    pub error: f64,
    /// What counted as met: the task's tolerance.
    pub tolerance: f64,
}

impl Residual {
    /// Distance left (metres).
    pub fn position_error(&self) -> f64 {
        size(self.position)
    }

    /// Rotation left as a rotation vector in model space (radians).
    pub fn rotation_vector(&self) -> DVec3 {
        self.rotation.map_or(DVec3::ZERO, arc::rotation_vector)
    }

    /// Angle left (radians).
    pub fn rotation_error(&self) -> f64 {
        self.rotation.map_or(0.0, |left| arc::length(arc::rotation_vector(left)))
    }

    /// Largest difference of scale ratios left.
    pub fn scale_error(&self) -> f64 {
        self.scale.abs().max_element()
    }

    /// Measures what is left of `goal` in `pose`, with the given status. Scales and centres of mass cannot be measured from
    /// the pose alone, and are zero here.
    #[inline]
    pub fn measured(goal: &Goal, pose: &Pose, status: Status) -> Self {
        Self {
            status,
            position: place_left(goal, pose),
            rotation: TargetInModel::rotation_of(goal, pose).map_or_else(
                || Sight::of(goal, pose).map(|sight| arc::arc(sight.now, sight.wanted, sight.across)),
                |target| {
                    let now = arc::rotation_of(&pose.model(goal.joint).matrix3)?;
                    let left = arc::normalize(target * now.conjugate());
                    if goal.mask.rotation.all() && goal.slack == Slack::NONE {
                        return Some(left);
                    }
                    let v = goal.turn_left(arc::rotation_vector(left));
                    Some(arc::unit(v).map_or(DQuat::IDENTITY, |axis| arc::axis_angle(axis, arc::length(v))))
                },
            ),
            scale: DVec3::ZERO,
            swivel: None,
            tolerance: goal.tolerance,
        }
    }
}
