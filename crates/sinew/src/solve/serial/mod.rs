//! Serial arms: one chain of hinges and slides whose tip takes a place, a rotation or a frame, in microseconds.
//!
//! An [`Arm`] is a chain with everything that never changes worked out. Steps are of third order far away and Newton's
//! near, damped by what is left; a joint that meets its limit leaves the system, and the rest is solved again. What one
//! start does not reach, [`Serial::restarts`] look for from others. [`Arm::nearest`] stays near the seed, and [`Arm::path`]
//! follows many frames without a jump; [`Arm::reach`] is all that the tip can get to. [`Serial`] is also a
//! [`Solver`](crate::Solver) of goals.
//!
//! Sources: Lloyd, Irani & Ahmadi, *Fast and Robust Inverse Kinematics of Serial Robots Using Halley's Method* (2022);
//! Chan & Lawrence (1988) and Sugihara (2011) for damping. Departures: ends of ranges are part of each step, and starts are
//! chosen by where their tips are.

mod aims;
mod angles;
mod arm;
mod asked;
mod descend;
mod frames;
mod groups;
pub mod lanes;
mod lay;
mod log;
mod many;
mod normal;
mod path;
mod reach;
mod restarts;
mod search;
mod settle;
mod solver;
mod starts;
mod step;
mod vector;

pub use arm::{Arm, ArmError};
pub use asked::Asked;
pub use path::{Followed, Following};
pub use reach::{Directions, Reach, ReachError, Reached, Reaching, Witness};
pub use search::Found;
pub use solver::Serial;
pub(crate) use solver::is_one_frame;
