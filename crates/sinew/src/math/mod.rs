//! The little mathematics that solvers share, each with its degenerate cases defined.

pub(crate) mod affine;
pub mod arc;
pub(crate) mod fit;
pub mod ops;
