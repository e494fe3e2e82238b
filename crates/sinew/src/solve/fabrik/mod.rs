//! FABRIK: reaching forward and backward, over points and over bodies.
//!
//! **For** long chains, tentacles, spines and trees of balls, with positions, rotations and aims. **Take another** for
//! chains of hinges alone ([`Ccd`](crate::Ccd), [`Jacobian`](crate::Jacobian)), for slides (they do not move here), for
//! centres of mass and slack ([`Goal::slack`](crate::Goal::slack)), and when stiffness should do more than decide which
//! joint yields ([`Jacobian`](crate::Jacobian), [`MassSpring`](crate::MassSpring)).
//!
//! # The idea
//!
//! A backward pass lays the bones from the goals to the root, each along the line to where its joint was; a
//! forward pass lays them from the root out again. Here a joint with several children is a rigid body that takes the best fit to
//! all of them. Limits are projections inside the forward pass. What few passes leave is closed exactly by a step of least turn, so
//! that a tight tolerance costs no more than a loose one.
//!
//! # Source
//!
//! Aristidou and Lasenby, *FABRIK: a fast, iterative solver for the inverse kinematics problem* (2011); Aristidou, Chrysanthou and
//! Lasenby, *Extending FABRIK with model constraints* (2016). The closing step is our departure.
//!
//! # What is here
//!
//! - [`solve_points`]: points and lengths of a free chain of an engine's own;
//! - [`Fabrik`]: the [`Solver`](crate::Solver) on a pose: trees, several goals, rotations, aims that a whole
//!   spine shares, hinges, limits, loops, weights.
//!
//! ```
//! use sinew::{Fabrik, Goal, Skeleton, Solver, Status, Workspace, glam::Vec3};
//!
//! let tentacle = Skeleton::from_lengths(&[0.1; 12])?;
//! let tip = tentacle.joint("joint_12")?;
//! let (mut pose, mut work) = (tentacle.rest_pose(), Workspace::default());
//! let goal = Goal::position(tip, Vec3::new(0.4, 0.5, 0.3));
//! let outcome = Fabrik::default().solve(&tentacle, &[goal], &mut pose, &mut work);
//! assert_eq!(outcome.status, Status::Reached);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
mod price;
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

pub(super) use points::bring_near;
pub use points::{Options, Solved, solve_points};
pub use settings::{Fabrik, Twist};
