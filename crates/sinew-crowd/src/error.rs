//! Why a crowd does not take a skeleton or a solver.

use sinew::NamedJoint;

/// Why a skeleton or a solver cannot be used in a crowd.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// A crowd is of rigid bones: scale must be the same in all directions, and positive.
    #[error("{joint} has a non-uniform or mirrored scale; a crowd needs uniform positive scale")]
    UnevenScale {
        /// The joint.
        joint: NamedJoint,
    },
    /// What turns keeps its limits, chains cones and hinges alone, each hinge on a coordinate of its own.
    #[error("{joint} {what}, which a crowd does not support")]
    Limited {
        /// The joint.
        joint: NamedJoint,
        /// What it is.
        what: &'static str,
    },
    /// A setting that the lanes do not know.
    #[error("a crowd does not support {0}")]
    Unknown(&'static str),
}
