//! Reading and writing (feature `serde`): what the derived forms leave open.

mod goal;
pub(crate) mod number;
mod pose;
pub(crate) mod vector;

pub use pose::{SavedPose, SavedPoseError};

/// What weight and pull are where they are left out.
pub(crate) fn one() -> f64 {
    1.0
}
