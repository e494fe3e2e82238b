//! Springs in balance: every joint is a spring that bends as little as the goals allow, the stiff ones least, so that hips
//! and spine follow hands and feet.
//!
//! **For** whole bodies with balance and masses, and poses in which nothing bends without need. **Take another** when time
//! counts ([`Auto`](crate::Auto) takes a fraction of it), and for a human posed as people hold themselves
//! (`sinew_rig::Body`). Springs that swing in time are [`Springs`](crate::springs::Springs).
//!
//! # The idea
//!
//! Bones are rigid, joints are springs that rest where the solve begins, goals pull at their points. The pose in
//! which all is in balance meets the goals and bends the springs least. It is found by Newton's steps on points and
//! turns of all bodies at once, whose system is as sparse as the tree: a step costs as much as
//! the body has joints. The same constraints, with time and masses, are [`springs`](crate::springs).
//!
//! # Source
//!
//! Macklin, Müller & Chentanez, *XPBD* (2016) for the constraints; Deul et al., *Direct position-based solver for stiff rods* (2018)
//! for solving them all at once.
//!
//! # What is here
//!
//! - [`MassSpring`]: the [`Solver`](crate::Solver);
//! - [`support`]: the polygon that a body stands on, as pure functions, and [`Balance`], which keeps a body over it.
//!
//! ```
//! use sinew::{Goal, MassSpring, Skeleton, Solver, Status, Workspace, glam::DVec3};
//!
//! let spine = Skeleton::from_lengths(&[0.2; 4])?;
//! let tip = spine.joint("joint_4")?;
//! let (mut pose, mut work) = (spine.rest_pose(), Workspace::default());
//! let goal = Goal::position(tip, DVec3::new(0.5, 0.3, 0.0));
//! let outcome = MassSpring::default().solve(&spine, &[goal], &mut pose, &mut work);
//! assert_eq!(outcome.status, Status::Reached);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ask;
mod body;
mod limits;
mod plan;
mod report;
mod retry;
mod row;
mod settings;
mod settle;
mod solver;
pub mod support;
mod system;

pub use settings::{MassSpring, Root};
pub use support::Balance;
