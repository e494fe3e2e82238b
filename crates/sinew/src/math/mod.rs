//! The little mathematics that solvers share, each with its degenerate cases defined.

pub mod arc;
pub mod ops;
