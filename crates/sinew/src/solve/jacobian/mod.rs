//! All joints at once, down the gradient of the goals' errors.
//!
//! With `e` what is left of the goals and `J` how the joints' motions shrink it, a step solves
//! `J y = e` as far as that is wise: [`Method`] says how. Rows come from [`Task`]s, the kinds of goal
//! among them; columns are one cross product a joint. Limits are part of every step: what one blocks
//! leaves the system and the rest is solved again. Levels of priority are solved one in what the other
//! leaves free, and a [`Posture`] in what all leave free.
//!
//! Sources: Buss, *Introduction to Inverse Kinematics with Jacobian Transpose, Pseudoinverse and Damped
//! Least Squares Methods* (2004), and those named at each method. Departures: balls are three freedoms
//! about axes that turn with what their limit blocks; stationary poses are tried again from beside.

mod active;
mod angles;
mod basis;
mod body;
mod carry;
mod curvature;
mod descend;
pub(super) mod goal_task;
mod gram;
mod held;
mod levels;
pub(super) mod mass;
mod method;
mod motion;
mod mover;
pub(super) mod perturb;
mod plan;
pub(super) mod posture;
mod report;
mod score;
mod settings;
mod solver;
pub(super) mod starts;
mod system;
mod task;
pub(super) mod unit;
pub(super) mod valley;

pub use goal_task::GoalTask;
pub use method::Method;
pub use motion::Motion;
pub use posture::Posture;
pub use settings::Jacobian;
pub use task::{Columns, Task, derivative};
