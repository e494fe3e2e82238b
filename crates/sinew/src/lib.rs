//! Inverse kinematics.
#![no_std]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod limit;
pub mod math;
mod pose;
mod skeleton;
mod transform;

pub use skeleton::*;
pub use transform::*;
pub use pose::*;
