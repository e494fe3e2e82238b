//! Springs in time: hair, tails, ears, cloth strips.
mod bone;
mod collider;
pub(crate) mod net;

pub use bone::{Bone, Link, Tail};
pub use collider::{Collider, Shape};
