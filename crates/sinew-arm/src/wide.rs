//! Which instructions there are, and the solver with them.

#[cfg(target_arch = "x86_64")]
use pulp::NullaryFnOnce;
#[cfg(target_arch = "x86_64")]
use pulp::x86::{V3, V4};
use sinew::solve::serial::lanes::{self, Alone, Dispatch, Job};
use sinew::solve::serial::{Arm, Asked, Found};
use sinew::{Goal, Outcome, Pose, Serial, Skeleton, Solver, Workspace};

#[cfg(target_arch = "x86_64")]
use crate::lanes::{Lanes, Register};

/// Solves with as many descents side by side as a vector register has lanes.
///
/// Every answer has the bits of the core's own, whatever the width. What the seed itself leads to costs the same, what
/// takes many restarts is found sooner, and many targets for one arm cost half each in 4 lanes, a third in 8.
#[derive(Clone, Copy, Debug)]
pub struct Wide(Set);

/// A set of instructions that this machine has.
#[derive(Clone, Copy, Debug)]
enum Set {
    /// One number at a time.
    One,
    /// Four, by AVX2.
    #[cfg(target_arch = "x86_64")]
    Four(V3),
    /// Eight, by AVX-512.
    #[cfg(target_arch = "x86_64")]
    Eight(V4),
}

impl Default for Wide {
    fn default() -> Self {
        Self::new()
    }
}

impl Wide {
    /// As wide as this machine can: 8 lanes with AVX-512, 4 with AVX2, else 1, which is the core's own solver.
    pub fn new() -> Self {
        Self::all().last().unwrap_or(Self(Set::One))
    }

    /// Every width that this machine can, narrowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let sets = [Some(Set::One), V3::try_new().map(Set::Four), V4::try_new().map(Set::Eight)];
        #[cfg(not(target_arch = "x86_64"))]
        let sets = [Some(Set::One)];
        sets.into_iter().flatten().map(Self)
    }

    /// Descents that go side by side.
    pub fn lanes(self) -> usize {
        match self.0 {
            Set::One => 1,
            #[cfg(target_arch = "x86_64")]
            Set::Four(_) => 4,
            #[cfg(target_arch = "x86_64")]
            Set::Eight(_) => 8,
        }
    }

    /// [`Arm::solve`] with restarts side by side.
    ///
    /// # Panics
    /// As that.
    pub fn solve(self, arm: &Arm, asked: &Asked, seed: &[f64], settings: &Serial, answer: &mut [f64]) -> Found {
        lanes::solve(arm, asked, seed, settings, answer, &self)
    }

    /// [`Arm::nearest`] with restarts side by side.
    ///
    /// # Panics
    /// As that.
    pub fn nearest(
        self,
        arm: &Arm,
        asked: &Asked,
        (seed, within): (&[f64], &[f64]),
        settings: &Serial,
        answer: &mut [f64],
    ) -> Found {
        lanes::nearest(arm, asked, (seed, within), settings, answer, &self)
    }

    /// [`Arm::solve`] for many targets, one a lane. `seeds` and `answers` hold as many numbers as the arm has coordinates
    /// for each target, one after another; `found` becomes one for each. Nothing is allocated where `found` has room.
    ///
    /// # Panics
    /// Where `seeds` or `answers` have another length.
    pub fn solve_many(
        self,
        arm: &Arm,
        asked: &[Asked],
        seeds: &[f64],
        settings: &Serial,
        (answers, found): (&mut [f64], &mut Vec<Found>),
    ) {
        lanes::solve_many(arm, asked, seeds, settings, (answers, found), &self);
    }

    /// [`Serial`] with restarts side by side, as a solver of goals on a pose.
    pub fn solver(self, settings: Serial) -> WideSerial {
        WideSerial { settings, wide: self }
    }
}

impl Dispatch for Wide {
    #[inline(always)]
    fn dispatch<J: Job>(&self, job: J) -> J::Output {
        match self.0 {
            Set::One => Alone.dispatch(job),
            #[cfg(target_arch = "x86_64")]
            Set::Four(simd) => simd.vectorize(With(simd, job)),
            #[cfg(target_arch = "x86_64")]
            Set::Eight(simd) => simd.vectorize(With(simd, job)),
        }
    }
}

/// A job with numbers as wide as a register.
#[cfg(target_arch = "x86_64")]
struct With<S, J>(S, J);

#[cfg(target_arch = "x86_64")]
impl<S: Register, J: Job> NullaryFnOnce for With<S, J> {
    type Output = J::Output;

    #[inline(always)]
    fn call(self) -> J::Output {
        self.1.run(Lanes::zero(self.0))
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
        lanes::solve_goals(&self.settings, skeleton, goals, (pose, work), &self.wide)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        self.settings.serves(skeleton, goal)
    }
}
