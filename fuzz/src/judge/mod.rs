//! Which promises one solve broke, judged without the engine's own mathematics.

mod again;
mod ball;
mod goals;
mod kinematics;
mod limits;
mod linear;
mod pose;
mod slow;
mod springs;

use std::fmt;
use std::time::Duration;

use cpu_time::ThreadTime;
use sinew::{Goal, Outcome, Pose, Residual, Skeleton, Status, Workspace};

use crate::make::{Made, Problem, extent, is_invalid};
pub(crate) use springs::judge as judge_springs;

/// A promise of the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Check {
    /// Nothing panics.
    Panic,
    /// A solve ends, within [`LONGEST`](crate::watch::LONGEST).
    Hang,
    /// A solve takes no more than 20 ms of the processor's time. Looked for where it is asked for.
    Slow,
    /// An invalid goal is refused.
    InvalidAccepted,
    /// A valid one is not.
    ValidRefused,
    /// A refused call leaves the pose.
    RefusedMoves,
    /// Finite input gives a finite pose, outcome and residuals.
    NotFinite,
    /// Rotations have length 1, and model transforms are what the local ones make.
    Transforms,
    /// Law 1: bones keep their length, fixed joints stay, nothing is scaled.
    Lengths,
    /// Law 2: moved joints end inside their limits.
    Limits,
    /// Law 12: joints above no goal, and above every goal's base, stay.
    Others,
    /// A goal of weight 0 is ignored.
    WeightZeroStatus,
    /// A residual is the target minus the point.
    Residual,
    /// What is called reached is.
    FalseReached,
    /// Law 10: a second run gives the same bits.
    Repeats,
    /// Law 10: also in a workspace that has seen other work.
    UsedWorkspace,
    /// Law 10: also with the goals in another order.
    OrderOfGoals,
    /// Law 5: solving again moves nothing, where all goals were reached.
    MetMoves,
    /// The same where a goal was missed.
    MissedMoves,
    /// Law 11: weight 0 returns the pose given, bit for bit.
    WeightZero,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A broken promise: how far off, and in which way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Broken {
    pub(crate) check: Check,
    /// Radians, a share of the skeleton's size, or seconds; 0 where there is no more or less.
    pub(crate) size: f64,
    pub(crate) how: &'static str,
}

/// The broken promises of a solve.
#[derive(Debug, Default)]
struct Findings(Vec<Broken>);

impl Findings {
    fn add(&mut self, check: Check, size: f64, how: &'static str) {
        self.0.push(Broken { check, size, how });
    }

    fn require(&mut self, holds: bool, check: Check, how: &'static str) {
        if !holds {
            self.add(check, 0.0, how);
        }
    }
}

/// What a solve leaves.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) pose: Pose,
    pub(crate) outcome: Outcome,
    pub(crate) residuals: Vec<Residual>,
    /// Processor time of this thread.
    took: Duration,
}

impl Answer {
    pub(crate) fn of(problem: &Problem, made: &Made, goals: &[Goal], from: &Pose, work: &mut Workspace) -> Self {
        let mut pose = from.clone();
        let begun = ThreadTime::now();
        let outcome = made.solver.solve(&problem.skeleton, goals, &mut pose, work);
        let took = begun.elapsed();
        Self { pose, outcome, residuals: work.residuals().to_vec(), took }
    }
}

/// Solves, and lists the promises that were broken; also how long it took where `slow`.
pub(crate) fn judge(problem: &Problem, made: &Made, seed: u64, slow: bool) -> Vec<Broken> {
    let mut found = Findings::default();
    let Problem { skeleton, before, goals } = problem;
    let mut work = Workspace::default();
    let answer = Answer::of(problem, made, goals, before, &mut work);
    if slow {
        slow::check(problem, made, &answer, &mut Workspace::default(), &mut found);
    }
    if !is_finite(skeleton, before) {
        return found.0;
    }
    if goals.iter().any(is_invalid) {
        found.require(answer.outcome.status == Status::Invalid, Check::InvalidAccepted, "");
        found.require(answer.pose == *before, Check::RefusedMoves, "");
        return found.0;
    }
    if answer.outcome.status == Status::Invalid {
        found.add(Check::ValidRefused, 0.0, "");
        return found.0;
    }
    if !is_finite(skeleton, &answer.pose) {
        found.add(Check::NotFinite, 0.0, "the pose");
        return found.0;
    }
    let maps = kinematics::forward(skeleton, &answer.pose);
    // Lengths of bones also as they are in model space, where scale may make them large.
    let size = extent(skeleton).max(bones(skeleton, before)).max(bones(skeleton, &answer.pose));
    pose::check(problem, made, &answer.pose, &maps, size, &mut found);
    goals::check(problem, &answer, &maps, size, &mut found);
    match seed % 4 {
        0 => again::repeats(problem, made, &answer, &mut work, &mut found),
        1 => again::stands_still(problem, made, &answer, &mut work, &mut found),
        2 => again::weight_zero(problem, made, &mut found),
        _ => {}
    }
    found.0
}

fn is_finite(skeleton: &Skeleton, pose: &Pose) -> bool {
    let joints = skeleton.iter().all(|joint| pose.local(joint).is_finite() && pose.model(joint).is_finite());
    joints && pose.coordinates().iter().all(|q| q.is_finite())
}

/// Sum of the bones' lengths in model space.
fn bones(skeleton: &Skeleton, pose: &Pose) -> f64 {
    let bone = |joint| skeleton.parent(joint).map_or(0.0, |above| pose.position(joint).distance(pose.position(above)));
    skeleton.iter().map(bone).sum()
}
