//! The immutable tree of joints that poses, goals and solvers refer to.
//!
//! Joints lie in strict depth-first order in flat arrays: a parent before its children, the subtree
//! of joint `i` in `i..subtree_end(i)`, so that "is j below i" is one interval test and a pass over
//! the tree is a loop. The spine, or else the longest chain, comes first among siblings.
//! [`SkeletonBuilder`] takes joints in any order and keeps a map back to the caller's.

mod builder;
mod coordinate;
mod error;
mod fingerprint;
mod joint;
mod kind;
mod name;
mod named;
mod order;
mod revise;
mod spec;
mod tree;

pub use builder::SkeletonBuilder;
pub use error::SkeletonError;
pub use joint::{Joint, Mass};
pub(crate) use joint::{hinge_rotation, slide_value};
pub use kind::{BallLimit, Coordinate, Drive, Kind};
pub use name::NameError;
pub use named::NamedJoint;
pub use spec::{JointSpec, Mimic, ParentRef};
pub use tree::Skeleton;
