//! The law of poses that do already what is asked.

use alloc::format;
use alloc::vec::Vec;

use fastrand::Rng;

use super::{Case, Task, Verdict, ensure, largest_change};
use crate::goal::Goal;
use crate::pose::Pose;
use crate::solve::{Status, Workspace};

impl Case<'_> {
    pub(super) fn met_moves_nothing(&self, rng: &mut Rng) -> Verdict {
        let (goal, there) = self.reachable_goal(rng);
        let other = self.rig.other_tip.filter(|_| self.subject.task == Task::Reach);
        let both = [Some(goal), other.map(|tip| Goal::position(tip, there.position(tip)))];
        let served = |goal: &Goal| self.solver.serves(&self.rig.skeleton, goal);
        let goals: Vec<Goal> = both.into_iter().flatten().filter(served).collect();
        // A scale is not met there, and an up may not be.
        if self.subject.task != Task::Scale && !goals.iter().any(|goal| goal.target.has_up()) {
            self.stays(&goals, &there)?;
        }
        // So does what the solver reached by itself.
        let goals = self.any_goals(rng);
        let (reached, outcome) = self.solved(&goals);
        if outcome.status == Status::Reached { self.stays(&goals, &reached) } else { Ok(()) }
    }

    /// Whether a pose that meets all goals is left as it is.
    fn stays(&self, goals: &[Goal], met: &Pose) -> Verdict {
        let mut pose = met.clone();
        let outcome = self.solver.solve(&self.rig.skeleton, goals, &mut pose, &mut Workspace::default());
        let moved = largest_change(&self.rig.skeleton, met, &pose);
        ensure(outcome.status == Status::Reached, || format!("a goal that is met is {}, {goals:?}", outcome.status))?;
        ensure(pose == *met, || format!("what is met moves a joint by {moved}, {goals:?}"))?;
        // Of poles and ups only a pass can say.
        let plain = |goal: &Goal| goal.pole.is_none() && !goal.target.has_up();
        let worked = goals.iter().all(plain) && outcome.iterations > 0;
        ensure(!worked, || format!("{} iterations for what is met", outcome.iterations))
    }
}
