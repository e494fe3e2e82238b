//! Scale: a longer limb or a larger head, by a goal scale that a chain of joints shares.
//!
//! **For** proportions. It runs before the solvers that position and rotate, in a [`Sequence`](crate::Sequence). **Take
//! another** for a limb that stretches only to reach its target: that is
//! [`Reach::Stretch`](crate::solve::two_bone::Reach::Stretch).
//!
//! # The idea
//!
//! A joint's *ratio* is its local scale over its rest scale, along each of its own axes. The product of the
//! ratios from a goal's base (or the root) down to its joint is brought to the goal: axis by axis, so where joints
//! are turned it is no scale along one direction of the model. What a joint's limits refuse, those further down
//! take; out of limits the nearest product is left. Closed forms, whatever the pose given. They are our own.
//!
//! # What is here
//!
//! - [`distribute`]: one axis, on plain numbers, for engines with skeletons of their own;
//! - [`ScaleTarget`]: the [`Solver`](crate::Solver) on a pose, with an example.

mod distribute;
mod ratio;
mod solver;

pub use distribute::{Distribution, distribute};
pub(super) use ratio::{has_ratio, is_scaled, scale_left};
pub use solver::{Limit, ScaleTarget};
