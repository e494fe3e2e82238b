//! Aiming: an axis of a joint at a point or along a direction.
//!
//! **For** heads, eyes, spines, guns, turrets, cameras. **Take another** for a joint that must also be at a position:
//! [`Jacobian`](crate::Jacobian) serves positions and aims together. [`Fabrik`](crate::Fabrik) shares an aim evenly over a
//! whole spine.
//!
//! # The idea
//!
//! The joint's position is `O`, the target `T`, the axis `a`, and an offset `o` in the joint's frame (a muzzle). The ray from `o`
//! along `a` meets the sphere of radius `r = |T - O|` at `m = p + a sqrt(r² - p²)`, with `p` the part of `o` across `a`. Turn `m`
//! onto `T - O`. What is left free is a roll about `T - O`, which an up hint, or a rest rotation and an angle, settles without
//! trigonometry. In a chain each joint takes its share of the turn, and the last takes what is left, so the aim is exact.
//!
//! # Source
//!
//! The construction is our own; the shortest arc between two directions is textbook (Shoemake 1985 gives the quaternions).
//!
//! # What is here
//!
//! - [`turn`]: the turn for a joint of an engine's own skeleton;
//! - [`Aim`]: the [`Solver`](crate::Solver) on a pose: one joint or a chain by shares, with hinges, limits and weights.
//!
//! ```
//! use sinew::{Aim, Goal, Skeleton, Solver, Status, Workspace, glam::DVec3};
//!
//! let neck = Skeleton::from_lengths(&[0.1, 0.1, 0.1])?;
//! let [base, head] = neck.joints(["joint_0", "joint_3"])?;
//! let (mut pose, mut work) = (neck.rest_pose(), Workspace::default());
//! let look = Goal::aim(head, DVec3::X, DVec3::new(1.0, 2.0, 0.5));
//! let outcome = Aim::over(&neck, base, head)?.solve(&neck, &[look], &mut pose, &mut work);
//! assert_eq!(outcome.status, Status::Reached);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod kernel;
mod left;
mod part;
mod rounds;
mod solver;
mod view;
mod walk;

pub use kernel::{AimSource, AimTarget, Roll, Turn, turn};
pub use solver::{Aim, Share};
