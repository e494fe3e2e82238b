//! A body of springs that goals pull: every joint bends as little as it can, the stiff ones least, so that hips
//! and spine follow hands and feet.
//!
//! Bones are rigid, joints are springs that rest where the solve begins, goals pull at their points. The pose in
//! which all is in balance meets the goals and bends the springs least. It is found by Newton's steps on points and
//! turns of all bodies at once, whose system is as sparse as the tree (see `springs::net`): a step costs as much as
//! the body has joints. The same constraints, with time and masses, are [`Springs`](crate::springs).
//!
//! - [`MassSpring`]: the [`Solver`](crate::Solver);
//! - [`support`]: the polygon that a body stands on, as pure functions, and [`Balance`], which keeps a body over it.

mod ask;
mod body;
mod limits;
mod plan;
mod report;
mod row;
mod settings;
mod settle;
mod solver;
pub mod support;
mod system;

pub use settings::{MassSpring, Root};
pub use support::Balance;
