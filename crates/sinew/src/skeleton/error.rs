//! Why joints cannot make a skeleton. `joint` has its index in the order added.

use alloc::string::String;
use core::fmt;

use super::joint::NONE;
use super::{NamedJoint, ParentRef};

/// Why joints make no skeleton. `joint` has its index in the order added.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkeletonError {
    /// No joint was added.
    Empty,
    /// More joints than a 32-bit index can tell apart.
    TooMany,
    /// A parent that does not exist.
    UnknownParent {
        /// The child.
        joint: NamedJoint,
        /// The parent asked for.
        parent: ParentRef,
    },
    /// A parent's name that several joints have.
    AmbiguousParent {
        /// The child.
        joint: NamedJoint,
        /// The name.
        name: String,
    },
    /// Parents that lead back to the joint.
    Cycle {
        /// One joint of the cycle.
        joint: NamedJoint,
    },
    /// NaN, infinity, a zero quaternion, or an axis without direction.
    Invalid {
        /// The joint.
        joint: NamedJoint,
        /// What is wrong, in a few words.
        what: &'static str,
    },
    /// A mimic whose coordinate does not exist, is ambiguous, or leads back to itself.
    Mimic {
        /// The follower.
        joint: NamedJoint,
        /// The coordinate asked for.
        of: String,
    },
    /// Joints that share a coordinate whose ranges exclude one another.
    EmptyRange {
        /// A joint of the coordinate.
        joint: NamedJoint,
    },
}

impl fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "a skeleton needs at least one joint"),
            Self::TooMany => write!(f, "a skeleton holds at most {} joints", NONE - 1),
            Self::UnknownParent { joint, parent: ParentRef::Index(i) } => {
                write!(f, "{joint}: its parent {i} does not exist")
            }
            Self::UnknownParent { joint, parent: ParentRef::Name(name) } => {
                write!(f, "{joint}: no joint is called '{name}', its parent")
            }
            Self::AmbiguousParent { joint, name } => {
                write!(f, "{joint}: several joints are called '{name}'; give its parent by index")
            }
            Self::Cycle { joint } => write!(f, "{joint} is its own ancestor"),
            Self::Invalid { joint, what } => write!(f, "{joint}: {what}"),
            Self::Mimic { joint, of } => {
                write!(f, "{joint} mimics '{of}', which is missing, ambiguous or mimics it in turn")
            }
            Self::EmptyRange { joint } => write!(f, "{joint}: its range holds no value"),
        }
    }
}

impl core::error::Error for SkeletonError {}
