//! Three links: one more constraint fixes the last link, the direction `u` it must have. Subtract it,
//! `P = E - O - l3 u`, and solve two links to `P`.
//!
//! - [`ThreeLink`]: the [`Solver`](crate::Solver) on a pose: fingers, digitigrade legs, cranes.

mod direction;
mod place;
mod solver;
mod unfold;

pub use direction::{Last, Plane, Yields};
pub use solver::ThreeLink;
