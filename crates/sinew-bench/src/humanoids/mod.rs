//! Hands, feet and head of whole bodies at once: positions that random allowed poses give, asked for from the
//! neutral pose, inside a human's limits.
//!
//! A [`Humanoid`] is a character recognised as one, with the human preset; what is no part of a human is held
//! still, the hips turn freely in their place. [`Humanoid::problem`] draws a pose and takes five positions from
//! it; [`run()`] solves many, and the [judge](crate::judge::humanoid) looks at each answer with a forward kinematics of its own.

mod body;
mod report;
mod run;
mod sample;

pub(crate) use body::HUMAN;
pub use body::{Humanoid, RATE};
pub use report::{Micros, Report};
pub use run::{Method, RunOptions, run};
