//! FABRIK: reaching forward and backward, over points and over bodies.
//!
//! A backward pass lays the bones from the goals to the root, each along the line to where its joint was; a
//! forward pass lays them from the root out again (Aristidou and Lasenby 2011; Aristidou, Chrysanthou and
//! Lasenby 2016). Here a joint with several children is a rigid body that takes the best fit to all of
//! them, limits are projections inside the forward pass, and what few passes leave is closed exactly, so
//! that a tight tolerance costs no more than a loose one.
//!
//! - [`solve_points`]: points and lengths of a free chain of an engine's own;
//! - [`Fabrik`]: the [`Solver`](crate::Solver) on a pose: trees, several goals, rotations, aims that a whole
//!   spine shares, hinges, limits, loops, weights.

mod body;
mod bones;
mod curl;
mod effector;
mod even;
mod gather;
mod lean;
mod limb;
mod newton;
mod parts;
mod passes;
mod perturb;
mod points;
mod ray;
mod report;
mod restart;
mod search;
mod settings;
mod solver;
mod space;
mod system;
mod tree;
mod untwist;

pub use points::{Options, Solved, solve_points};
pub use settings::{Fabrik, Twist};
