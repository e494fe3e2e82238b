//! Several solvers, one after another, on one pose: the whole body leans, then the foot locks.
//!
//! Weights refer to the pose that entered the sequence, residuals to the pose that leaves it. A goal
//! with a base owns the joints from there to its tip: solvers that come after leave them alone. So a look
//! that comes before a reach keeps the spine from being twisted by the hand (`tests/spine.rs`). Solvers run
//! in the order given; within one, goals are in depth-first order: the head before the hands where
//! [`SkeletonBuilder::spine`](crate::SkeletonBuilder::spine) names it, else the longest chain first.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::report::again;
use super::{Outcome, Residual, Solver, Status, Workspace, is_usable, refuse};
use crate::goal::Goal;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};

/// Solvers in the order in which they run; every one sees every goal and acts on those it serves.
#[derive(Debug, Default)]
pub struct Sequence {
    /// The solvers, first to last.
    pub solvers: Vec<Box<dyn Solver>>,
}

/// What a sequence keeps between solvers.
#[derive(Debug, Default)]
struct Kept {
    residuals: Vec<Residual>,
    blocking: Vec<(usize, Joint)>,
}

/// Solvers that run one after another on one pose.
#[derive(Debug)]
pub(super) struct Turns {
    kept: Box<Kept>,
    outermost: bool,
    iterations: u32,
}

impl Turns {
    /// Before the first solver.
    pub(super) fn begin(goals: &[Goal], pose: &Pose, work: &mut Workspace) -> Self {
        // A sequence inside a sequence keeps the outer one's entry.
        let outermost = work.entry().is_none();
        if outermost {
            let mut entry = work.take::<Pose>();
            (*entry).clone_from(pose);
            work.set_entry(Some(entry));
        }
        let mut kept = work.take::<Kept>();
        kept.residuals.clear();
        kept.residuals.resize(goals.len(), Residual { status: Status::Ignored, ..Residual::default() });
        kept.blocking.clear();
        Self { kept, outermost, iterations: 0 }
    }

    /// One solver's turn.
    pub(super) fn take(
        &mut self,
        solver: &dyn Solver,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
    ) {
        self.iterations += solver.solve(skeleton, goals, pose, work).iterations;
        work.own_served(goals);
        for (goal, residual) in work.residuals().iter().enumerate() {
            if residual.status != Status::Ignored {
                self.kept.residuals[goal] = *residual;
                self.kept.blocking.retain(|(g, _)| *g != goal);
                self.kept.blocking.extend(work.blocking(goal).map(|joint| (goal, joint)));
            }
        }
    }

    /// After the last: the report on the final pose.
    pub(super) fn end(self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) -> Outcome {
        report(skeleton, goals, pose, &self.kept, work);
        if self.outermost
            && let Some(entry) = work.set_entry(None)
        {
            work.put(entry);
            work.disown();
        }
        work.put(self.kept);
        work.outcome(self.iterations)
    }
}

impl Sequence {
    /// An empty sequence, which ignores every goal.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a solver to the end.
    pub fn then(mut self, solver: impl Solver + 'static) -> Self {
        self.solvers.push(Box::new(solver));
        self
    }
}

impl Solver for Sequence {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        if !is_usable(skeleton, goals, pose) {
            return refuse(goals, work);
        }
        let mut turns = Turns::begin(goals, pose, work);
        for solver in &self.solvers {
            turns.take(&**solver, skeleton, goals, pose, work);
        }
        turns.end(skeleton, goals, pose, work)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        self.solvers.iter().any(|solver| solver.serves(skeleton, goal))
    }
}

/// What is left in the final pose, with the status of the last solver that served the goal where that still holds.
fn report(skeleton: &Skeleton, goals: &[Goal], pose: &Pose, kept: &Kept, work: &mut Workspace) {
    work.begin(goals);
    for (i, (goal, before)) in goals.iter().zip(&kept.residuals).enumerate() {
        work.residuals_mut()[i] = again(skeleton, goal, pose, before);
    }
    for &(goal, joint) in &kept.blocking {
        if work.residuals()[goal].status != Status::Reached {
            work.block(goal, joint);
        }
    }
}
