//! People: how like the real person a body is that was solved from a few trackers, and the fit of what people do.
//!
//! `body-problems CLIP.bvh OUT.csv --trackers 3|6|11` writes what `shared/bench/body/check.py` judges; `body-fit FILE...` fits the
//! numbers of `sinew_rig::body` to motion capture; `posture` measures how rigs hold themselves.

pub mod admitted;
pub mod clip;
pub mod film;
pub mod fit;
pub mod motions;
pub mod person;
pub mod posture;
pub mod trackers;
