//! Rotations and elementary functions with the same bits on every machine, each with its degenerate cases defined.
//!
//! Public for crates that work beside the solvers and want the same repeatable bits: loaders, gaits, crowds, your own
//! solvers.

pub(crate) mod affine;
pub mod arc;
pub(crate) mod fit;
pub mod ops;
pub(crate) mod smooth;
