//! People: how like the real person a body is that was solved from a few trackers, and the fit of what people do.
//!
//! `body-problems CLIP.bvh OUT.csv --trackers 3|6|11` writes what `shared/bench/body/check.py` judges; `body-fit FILE...` fits the
//! numbers of `sinew_rig::body` to motion capture.

pub mod admitted;
pub mod clip;
pub mod fit;
pub mod trackers;
