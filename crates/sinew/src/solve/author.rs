//! For authors of solvers: what lies between [`Solver`](super::Solver) and a method.
//!
//! A solver may do all by itself, with a [`Workspace`](super::Workspace) and
//! [`Residual::measured`](super::Residual::measured). One that is an [`Engine`], and whose `solve` and `prepare` are those of
//! this module, gives goals the meaning that they have for the core's own: targets eased by weight, joints with one owner,
//! goals solved apart where they share no joint, priorities, starts at rest, poles, and poses that stay where all goals are
//! met. What is left is to move joints and to [`report`] on each goal that acts. `sinew_arm::Serial` is made so.

pub use super::problem::scope::length;
pub use super::problem::{Engine, prepare, solve};
pub use super::report::{Miss, report};
pub use super::seen::Seen;
pub use super::target::TargetInModel;
pub use crate::linear::ldl;
