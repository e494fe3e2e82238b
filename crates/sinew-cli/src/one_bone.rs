//! A limb of one bone, such as a puppet's arm: it points its end at the target, and nothing above it moves.

use sinew::{Ccd, Goal, Joint, Outcome, Pose, Skeleton, Solver, Workspace};

/// A limb of one bone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneBone {
    /// The joint that turns.
    pub(crate) root: Joint,
    /// The end of its bone.
    pub(crate) tip: Joint,
}

impl Solver for OneBone {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let mine = |goal: &Goal| if self.serves(skeleton, goal) { goal.base(self.root) } else { goal.weight(0.0) };
        let goals: Vec<Goal> = goals.iter().map(mine).collect();
        Ccd::default().solve(skeleton, &goals, pose, work)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        goal.joint == self.tip && Ccd::default().serves(skeleton, goal)
    }
}
