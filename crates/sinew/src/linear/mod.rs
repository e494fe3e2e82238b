//! Small dense factorisations in the caller's memory: `+ - * / sqrt` in a fixed order, nothing
//! allocated.

pub mod blocks;
pub mod ldl;
pub mod orthogonal;
