//! Rotations and elementary functions with the same bits on every machine, each with its degenerate cases defined.
//!
//! For the crates of this repository, and hidden from the documentation: it is no part of what other programs may rely on.

pub(crate) mod affine;
pub mod arc;
pub(crate) mod fit;
pub mod ops;
pub(crate) mod smooth;
