//! Aiming: an axis of a joint at a point or along a direction. Heads, eyes, spines, guns, turrets,
//! cameras.
//!
//! The joint's place `O`, the target `T`, the axis `a` and an offset `o` in the joint's frame. The ray
//! from `o` along `a` meets the sphere of radius `r = |T - O|` at `m = p + a sqrt(r² - p²)`, with `p`
//! the part of `o` across `a`: turn `m` onto `T - O`. What is left free is a roll about `T - O`, which
//! an up hint, or a rest rotation and a twist, settles without trigonometry.
//!
//! - [`turn`]: the turn for a joint of an engine's own skeleton;
//! - [`Aim`]: the [`Solver`](crate::Solver) on a pose: one joint or a chain by shares, hinges, limits,
//!   weights.

mod kernel;
mod left;
mod part;
mod rounds;
mod solver;
mod view;
mod walk;

pub use kernel::{AimSource, AimTarget, Roll, Turn, turn};
pub use solver::{Aim, Share};
