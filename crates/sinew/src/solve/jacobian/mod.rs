//! All joints at once, down the gradient of the goals' errors.
//!
//! **For** several goals that share joints, frames, aims, centres of mass, priorities, slack, [`Posture`]s and [`Task`]s of
//! your own, to the last digit. **Take another** for one arm or leg ([`TwoBone`](crate::TwoBone) is a formula), long free
//! chains ([`Fabrik`](crate::Fabrik)), bodies in balance ([`MassSpring`](crate::MassSpring)) and robot arms by the million
//! (`sinew_arm::Serial`).
//!
//! # The idea
//!
//! With `e` the error of the goals and `J` how the joints' motions shrink it, a step solves `J y = e`; [`Method`] says how.
//! Rows come from [`Task`]s, of which the kinds of goal are some. A column is one cross product of a joint. Limits are part
//! of every step: a joint that is blocked leaves the system, and the rest is solved again; steps of [`Method::Continuous`] are
//! the exact least squares inside limits. Each priority is solved in what the lower numbers leave free, and a [`Posture`] in
//! what all goals leave free.
//!
//! # Source
//!
//! Buss, *Introduction to Inverse Kinematics with Jacobian Transpose, Pseudoinverse and Damped
//! Least Squares Methods* (2004), and those named at each method. Departures: balls are three freedoms
//! about axes that turn with what their limit blocks; stationary poses are tried again from beside.
//!
//! ```
//! use sinew::glam::{DQuat, DVec3};
//! use sinew::{Goal, Jacobian, Skeleton, Solver, Status, Workspace};
//!
//! let arm = Skeleton::from_lengths(&[0.2; 5])?;
//! let [elbow, hand] = arm.joints(["joint_3", "joint_5"])?;
//! let goals = [
//!     Goal::frame(hand, DVec3::new(0.4, 0.4, 0.2), DQuat::from_rotation_z(1.0)),
//!     Goal::position(elbow, DVec3::new(0.2, 0.0, 0.2)).priority(1), // As near as the hand lets it.
//! ];
//! let (mut pose, mut work) = (arm.rest_pose(), Workspace::default());
//! let _ = Jacobian::default().solve(&arm, &goals, &mut pose, &mut work);
//! assert_eq!(work.residuals()[0].status, Status::Reached);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod active;
mod angles;
mod basis;
mod body;
mod carry;
mod continuous;
mod curvature;
mod derive;
mod descend;
pub(super) mod goal_task;
mod gram;
mod held;
mod level;
mod levels;
mod limb_turns;
mod limbs;
pub(super) mod mass;
mod method;
mod minimum;
mod motion;
mod mover;
mod newton;
mod pass;
pub(super) mod perturb;
mod plan;
pub(super) mod posture;
mod report;
mod score;
mod selective;
mod settings;
mod settle;
mod solver;
pub(super) mod starts;
mod step;
pub(super) mod strict;
mod system;
mod task;
pub(super) mod unit;
pub(super) mod valley;
mod within;

pub use goal_task::GoalTask;
pub use method::Method;
pub use motion::Motion;
pub use posture::Posture;
pub use settings::Jacobian;
pub use task::{Columns, Task, derivative};
