//! Solvers, and the [`Solver`] trait that they share; each has a module with its pure functions and settings.
//!
//! Begin with [`Auto`], which chooses among them. [`author`] has what you need to write your own.

pub mod aim;
pub mod author;
mod auto;
mod bend;
mod budget;
pub mod ccd;
mod extent;
pub mod fabrik;
pub mod follow;
mod invalid;
mod inverse;
pub mod jacobian;
mod limited;
pub mod mass_spring;
mod orient;
mod outcome;
mod point;
mod problem;
mod pulls;
pub(crate) mod report;
pub mod scale;
mod seen;
mod sequence;
mod solver;
mod start;
mod target;
pub mod three_link;
pub mod two_bone;
mod workspace;

pub use aim::Aim;
pub use auto::Auto;
pub use bend::Bend;
pub use ccd::Ccd;
pub use fabrik::Fabrik;
pub use follow::{Follow, FollowState};
pub use jacobian::Jacobian;
pub use mass_spring::MassSpring;
pub use orient::Orient;
pub use outcome::{Outcome, Residual, Status, TaskResidual};
pub use scale::ScaleTarget;
pub use sequence::Sequence;
pub use solver::Solver;
pub use start::Start;
pub(crate) use target::{Sight, TargetInModel, carried, in_model, not_too_far, place_left, size};
pub use three_link::ThreeLink;
pub use two_bone::TwoBone;
pub use workspace::Workspace;
