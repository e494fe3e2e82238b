//! For authors of solvers: what the core's own solvers share.
//!
//! A simple solver implements [`Solver`](super::Solver) directly, with a [`Workspace`](super::Workspace) and
//! [`Residual::measured`](super::Residual::measured). A solver that implements [`Engine`] instead, and calls [`solve`] and
//! [`prepare`] of this module, gives goals the same meaning as the core's solvers do:
//!
//! - targets are moved by their weight;
//! - poles without a direction are dropped;
//! - each joint has one owner, and goals that share no joint are solved apart;
//! - priorities are strict;
//! - the solve can start at rest;
//! - chains turn to their poles;
//! - a pose that meets all goals stays as it is.
//!
//! The engine then only moves joints and calls [`report`] for each goal that it acts on. `sinew_arm::Serial` is written
//! this way.

pub use super::orient::turned;
pub use super::problem::scope::length;
pub use super::problem::{Engine, prepare, solve};
pub use super::report::{Miss, report};
pub use super::seen::Seen;
pub use super::target::TargetInModel;
pub use crate::linear::ldl;
