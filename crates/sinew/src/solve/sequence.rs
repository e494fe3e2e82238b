//! Several solvers, one after another, on one pose: the whole body leans, then the foot locks.
//!
//! Weights refer to the pose that entered the sequence, residuals to the pose that leaves it.

use alloc::boxed::Box;
use alloc::vec::Vec;

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
        let mut iterations = 0;
        for solver in &self.solvers {
            iterations += solver.solve(skeleton, goals, pose, work).iterations;
            for (goal, residual) in work.residuals().iter().enumerate() {
                if residual.status != Status::Ignored {
                    kept.residuals[goal] = *residual;
                    kept.blocking.retain(|(g, _)| *g != goal);
                    kept.blocking.extend(work.blocking(goal).map(|joint| (goal, joint)));
                }
            }
        }
        report(goals, pose, &kept, work);
        if outermost && let Some(entry) = work.set_entry(None) {
            work.put(entry);
        }
        work.put(kept);
        work.outcome(iterations)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        self.solvers.iter().any(|solver| solver.serves(skeleton, goal))
    }
}

/// Errors measured on the final pose, with the status of the last solver that served the goal.
fn report(goals: &[Goal], pose: &Pose, kept: &Kept, work: &mut Workspace) {
    work.begin(goals);
    for (goal, before) in kept.residuals.iter().enumerate() {
        let measured = Residual::measured(&goals[goal], pose, before.status);
        work.residuals_mut()[goal] = Residual { swivel: before.swivel, ..measured };
    }
    kept.blocking.iter().for_each(|&(goal, joint)| work.block(goal, joint));
}
