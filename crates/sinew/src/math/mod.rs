//! Rotations and elementary functions with the same bits on every machine, each with its degenerate cases defined.
//!
//! Public for those who build beside the solvers and want their answers to repeat as well: readers of files, gaits, crowds,
//! solvers of their own.

pub(crate) mod affine;
pub mod arc;
pub(crate) mod fit;
pub mod ops;
pub(crate) mod smooth;
