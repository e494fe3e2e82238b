//! As many descents at once as this machine has lanes.

use alloc::vec::Vec;

use sinew::{Goal, Outcome, Pose, Skeleton, Solver, Workspace};

use crate::arm::Arm;
use crate::lanes::Set;
use crate::number::{Dispatch, Kernel, Scalar};
use crate::pose_target::PoseTarget;
use crate::search::{IkSolution, Room};
use crate::solver::Serial;

/// Solves with as many descents side by side as a vector register has lanes.
///
/// Every answer has the bits of [`Arm::solve`], whatever the width. A seed that leads to the target costs the same as
/// there. What takes many restarts is found sooner. Many targets for one arm cost half each in 4 lanes, a third in 8.
#[derive(Clone, Copy, Debug)]
pub struct Wide(Option<Set>);

impl Default for Wide {
    fn default() -> Self {
        Self::new()
    }
}

impl Wide {
    /// As wide as this machine can: 8 lanes with AVX-512, 4 with AVX2, else 1, which is [`Arm::solve`] itself. Always 1
    /// without the feature `std`, and with debug assertions, where the other widths would take minutes to compile.
    pub fn new() -> Self {
        Self(Set::all().last())
    }

    /// Every width that this machine can, narrowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        core::iter::once(Self(None)).chain(Set::all().map(|set| Self(Some(set))))
    }

    /// Descents that go side by side.
    pub fn lanes(self) -> usize {
        self.0.map_or(1, Set::lanes)
    }

    /// [`Arm::solve`] with restarts side by side.
    ///
    /// # Panics
    /// As that.
    pub fn solve(
        self,
        arm: &Arm,
        asked: &PoseTarget,
        seed: &[f64],
        settings: &Serial,
        answer: &mut [f64],
    ) -> IkSolution {
        arm.search(asked, (seed, Room::Limits), settings, answer, &self)
    }

    /// [`Arm::nearest`] with restarts side by side.
    ///
    /// # Panics
    /// As that.
    pub fn nearest(
        self,
        arm: &Arm,
        asked: &PoseTarget,
        (seed, within): (&[f64], &[f64]),
        settings: &Serial,
        answer: &mut [f64],
    ) -> IkSolution {
        arm.search_near(asked, (seed, within), settings, answer, &self)
    }

    /// [`Arm::solve`] for many targets, one a lane. `seeds` and `answers` hold as many numbers as the arm has coordinates
    /// for each target, one after another; `found` becomes one for each. Nothing is allocated where `found` has room.
    ///
    /// # Panics
    /// Where `seeds` or `answers` have another length.
    pub fn solve_many(
        self,
        arm: &Arm,
        asked: &[PoseTarget],
        seeds: &[f64],
        settings: &Serial,
        (answers, found): (&mut [f64], &mut Vec<IkSolution>),
    ) {
        arm.search_many(asked, seeds, settings, (answers, found), &self);
    }

    /// [`Serial`] with restarts side by side, as a solver of goals on a pose.
    pub fn solver(self, settings: Serial) -> WideSerial {
        WideSerial { settings, wide: self }
    }
}

impl Dispatch for Wide {
    #[inline(always)]
    fn dispatch<J: Kernel>(&self, job: J) -> J::Output {
        match self.0 {
            None => Scalar.dispatch(job),
            Some(set) => set.dispatch(job),
        }
    }
}

/// [`Serial`], with restarts side by side: the same poses, to the bit.
#[derive(Clone, Copy, Debug)]
pub struct WideSerial {
    /// How it searches.
    pub settings: Serial,
    /// How wide.
    pub wide: Wide,
}

impl Solver for WideSerial {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        self.settings.solve_by(skeleton, goals, pose, work, &self.wide)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        self.settings.serves(skeleton, goal)
    }
    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        self.settings.prepare(skeleton, goals, pose, work);
    }
}
