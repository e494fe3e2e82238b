//! The path from a base joint down to a tip.

use alloc::vec::Vec;
use core::fmt;

use crate::skeleton::{Joint, NamedJoint, Skeleton};

/// Joints from base to tip, each the parent of the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    joints: Vec<Joint>,
}

/// Why two joints cannot make a chain or limb.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChainError {
    /// A joint of another skeleton.
    Foreign,
    /// The tip does not lie below the base.
    NotBelow {
        /// The joint meant as base (or the upper of two).
        base: NamedJoint,
        /// The joint meant as tip (or the lower of two).
        tip: NamedJoint,
    },
    /// A limb needs two joints above the tip that can turn and have a length.
    TooShort {
        /// The joint meant as tip.
        tip: NamedJoint,
    },
    /// The joint cannot turn, so no limb bends there.
    Stiff {
        /// The fixed or sliding joint.
        joint: NamedJoint,
    },
}

impl fmt::Display for ChainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => write!(f, "the joint belongs to another skeleton"),
            Self::NotBelow { base, tip } => {
                write!(f, "{tip} does not lie below {base}")
            }
            Self::TooShort { tip } => {
                write!(
                    f,
                    "{tip} has fewer than two joints above it that can turn and have a length; name a joint further down"
                )
            }
            Self::Stiff { joint } => write!(f, "{joint} cannot turn; name one that can"),
        }
    }
}

impl core::error::Error for ChainError {}

impl ChainError {
    pub(crate) fn not_below(skeleton: &Skeleton, base: Joint, tip: Joint) -> Self {
        let [base, tip] = [base, tip].map(|joint| NamedJoint::of(skeleton, joint));
        Self::NotBelow { base, tip }
    }

    pub(crate) fn too_short(skeleton: &Skeleton, tip: Joint) -> Self {
        Self::TooShort { tip: NamedJoint::of(skeleton, tip) }
    }

    pub(crate) fn stiff(skeleton: &Skeleton, joint: Joint) -> Self {
        Self::Stiff { joint: NamedJoint::of(skeleton, joint) }
    }
}

impl Chain {
    /// The path from `base` to `tip`, both included; equal ones make a chain of one joint.
    pub fn new(skeleton: &Skeleton, base: Joint, tip: Joint) -> Result<Self, ChainError> {
        if !skeleton.contains(base) || !skeleton.contains(tip) {
            return Err(ChainError::Foreign);
        }
        if !skeleton.is_below(tip, base) {
            return Err(ChainError::not_below(skeleton, base, tip));
        }
        let mut joints = Vec::new();
        let mut at = Some(tip);
        while let Some(joint) = at {
            joints.push(joint);
            at = if joint == base { None } else { skeleton.parent(joint) };
        }
        joints.reverse();
        Ok(Self { joints })
    }

    /// The path from the root above `tip`.
    pub fn to_root(skeleton: &Skeleton, tip: Joint) -> Result<Self, ChainError> {
        if !skeleton.contains(tip) {
            return Err(ChainError::Foreign);
        }
        let mut base = tip;
        while let Some(parent) = skeleton.parent(base) {
            base = parent;
        }
        Self::new(skeleton, base, tip)
    }

    /// The joints, base first.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The uppermost joint.
    pub fn base(&self) -> Joint {
        self.joints[0]
    }

    /// The lowest joint.
    pub fn tip(&self) -> Joint {
        self.joints[self.joints.len() - 1]
    }

    /// Distance of each joint but the base from the one before it, in the rest pose's model space.
    pub fn rest_lengths(&self, skeleton: &Skeleton) -> Vec<f64> {
        let rest = skeleton.rest_pose();
        let positions = self.joints.iter().map(|&joint| rest.position(joint));
        positions.clone().skip(1).zip(positions).map(|(tip, base)| tip.distance(base)).collect()
    }
}
