//! What is wrong with a goal that no solver takes.

use core::fmt;

use super::{Goal, Pole};
use crate::skeleton::{Joint, Skeleton};

/// Why a goal is [`Invalid`](crate::Status::Invalid); the first reason that holds, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GoalError {
    /// The joint, its base, or a joint that the target or pole is relative to does not belong to the skeleton.
    UnknownJoint(Joint),
    /// The target has a component that is not a finite number, or a rotation or axis of length zero.
    Target,
    /// The offset has a component that is not a finite number.
    Offset,
    /// The pole, or the swivel to carry along, has a component that is not a finite number.
    Pole,
    /// The tolerance is negative or not a number.
    Tolerance,
    /// The slack is negative or not a number.
    Slack,
    /// The weight is not between 0 and 1.
    Weight,
    /// The pull is negative or not a finite number.
    Pull,
}

impl fmt::Display for GoalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownJoint(joint) => {
                return write!(
                    f,
                    "joint {} is not one of this skeleton; look it up in the skeleton solved for",
                    joint.index()
                );
            }
            Self::Target => "its target is not made of finite numbers, or has a rotation of length 0",
            Self::Offset => "its offset is not made of finite numbers",
            Self::Pole => "its pole or swivel is not made of finite numbers",
            Self::Tolerance => "its tolerance is negative or not a number",
            Self::Slack => "its slack is negative or not a number",
            Self::Weight => "its weight is not between 0 and 1",
            Self::Pull => "its pull is negative or not a finite number",
        })
    }
}

impl core::error::Error for GoalError {}

impl Goal {
    /// Whether a solver accepts the goal for this skeleton, and if not, why: every joint must belong to the skeleton, and
    /// every number must be finite and in its range.
    pub fn check(&self, skeleton: &Skeleton) -> Result<(), GoalError> {
        let known = |joint: Joint| if skeleton.contains(joint) { Ok(()) } else { Err(GoalError::UnknownJoint(joint)) };
        known(self.joint)?;
        self.base.map_or(Ok(()), known)?;
        self.relative_to.map_or(Ok(()), known)?;
        self.pole_relative_to.map_or(Ok(()), known)?;
        self.check_numbers()
    }

    /// The same of the numbers alone.
    pub(crate) fn check_numbers(&self) -> Result<(), GoalError> {
        let pole = self.pole.is_none_or(|pole| match pole {
            Pole::Point(v) | Pole::Direction(v) => v.is_finite(),
        });
        let swivel = self
            .swivel
            .is_none_or(|s| s.target.is_finite() && s.bend.is_finite() && s.mid.is_finite() && s.turn.is_finite());
        let require = |holds: bool, error: GoalError| if holds { Ok(()) } else { Err(error) };
        require(self.target.is_finite(), GoalError::Target)?;
        require(self.offset.is_finite(), GoalError::Offset)?;
        require(pole && swivel, GoalError::Pole)?;
        require(self.tolerance.is_none_or(|t| t.position >= 0.0 && t.rotation >= 0.0), GoalError::Tolerance)?;
        require(self.slack.is_valid(), GoalError::Slack)?;
        require((0.0..=1.0).contains(&self.weight), GoalError::Weight)?;
        require(self.pull >= 0.0 && self.pull.is_finite(), GoalError::Pull)
    }

    /// Whether a solver takes the goal for this skeleton: [`check`](Self::check) without the reason.
    pub fn is_valid(&self, skeleton: &Skeleton) -> bool {
        self.check(skeleton).is_ok()
    }
}
