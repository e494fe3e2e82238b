//! Small dense factorisations in the caller's memory: `+ - * / sqrt` in a fixed order, nothing
//! allocated.

pub(crate) mod blocks;
pub mod ldl;
pub(crate) mod orthogonal;
