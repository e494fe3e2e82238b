//! Why a crowd does not take a skeleton or a solver.

use sinew::NamedJoint;

/// Why a skeleton or a solver does not do for a crowd.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// A crowd is of rigid bones: scale must be the same in all directions, and positive.
    #[error("{joint} scales its directions differently, or mirrors; a crowd needs even scale")]
    UnevenScale {
        /// The joint.
        joint: NamedJoint,
    },
    /// What turns keeps its limits, chains cones and hinges alone, each hinge on a coordinate of its own.
    #[error("{joint} {what}, which a crowd does not keep")]
    Limited {
        /// The joint.
        joint: NamedJoint,
        /// What it is.
        what: &'static str,
    },
    /// A setting that the lanes do not know.
    #[error("a crowd does not know {0}")]
    Unknown(&'static str),
}
