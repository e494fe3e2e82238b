//! Random problems: a skeleton, a pose to begin with, goals and a solver; the same for the same seed everywhere.

mod goals;
mod kinds;
mod random;
mod skeleton;
mod solvers;
mod springs;

use fastrand::Rng;
use sinew::{Goal, Pose, Skeleton};

use crate::mood::Mood;
pub(crate) use goals::is_invalid;
pub(crate) use skeleton::extent;
pub(crate) use solvers::{Made, SOLVERS, SPRINGS};
pub(crate) use springs::Swing;

/// A skeleton with the pose given and the goals.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) skeleton: Skeleton,
    pub(crate) before: Pose,
    pub(crate) goals: Vec<Goal>,
}

impl Problem {
    /// The problem of a seed; `None` where the builder refuses the joints, as it may.
    pub(crate) fn of(seed: u64, mood: &Mood) -> Option<Self> {
        let mut rng = Rng::with_seed(seed);
        let skeleton = skeleton::random(&mut rng, mood)?;
        let before = skeleton::pose(&mut rng, &skeleton);
        let goals = goals::random(&mut rng, mood, &skeleton, &before);
        Some(Self { skeleton, before, goals })
    }

    /// A solver of this kind (a place in [`SOLVERS`]) with random settings; `None` where none fits the skeleton.
    pub(crate) fn solver(&self, seed: u64, kind: usize) -> Option<Made> {
        let mut rng = Rng::with_seed(seed ^ ((kind as u64 + 1) << 40));
        solvers::random(&mut rng, kind, self, 0)
    }
}
