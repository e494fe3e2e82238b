//! Laws about doing it again: stillness, no growth, the same bits.

use alloc::format;
use alloc::vec::Vec;

use fastrand::Rng;

use super::{Case, Verdict, ensure, largest_change};
use crate::goal::Goal;
use crate::solve::Workspace;

impl Case<'_> {
    pub(super) fn solving_again_is_still(&self, rng: &mut Rng, seed: u64) -> Verdict {
        let skeleton = &self.rig.skeleton;
        let goals = if rng.bool() { self.any_goals(rng) } else { alloc::vec![self.reachable_goal(rng).0] };
        let (mut pose, _) = self.solved(&goals);
        let mut work = Workspace::default();
        let first = pose.clone();
        let mut walked = 0.0;
        let mut last = first.clone();
        for _ in 0..if seed.is_multiple_of(50) { self.subject.frames } else { 20 } {
            let _ = self.solver.solve(skeleton, &goals, &mut pose, &mut work);
            walked += largest_change(skeleton, &last, &pose);
            last.clone_from(&pose);
        }
        ensure(walked < 1e-9, || format!("it moved by {walked} rad, {goals:?}"))
    }

    /// The part of law 9 that needs no allocator: see the `no_alloc` test for the rest.
    pub(super) fn settles(&self, rng: &mut Rng) -> Verdict {
        let goal = self.any_goal(rng);
        let (mut pose, mut work) = (self.rig.skeleton.neutral_pose(), Workspace::default());
        let _ = self.solver.solve(&self.rig.skeleton, &[goal], &mut pose, &mut work);
        ensure(work.residuals().len() == 1, || "one goal leaves one residual".into())
    }

    pub(super) fn same_bits(&self, rng: &mut Rng) -> Verdict {
        let mut goals: Vec<Goal> = (0..4).map(|_| self.any_goal(rng).pull(rng.f64())).collect();
        goals.extend(self.any_goals(rng).into_iter().skip(1));
        let (pose, outcome) = self.solved(&goals);
        let (again, outcome_again) = self.solved(&goals);
        ensure(pose == again && outcome == outcome_again, || "a second run differs".into())?;
        let mut shuffled = goals.clone();
        rng.shuffle(&mut shuffled);
        let (pose_shuffled, _) = self.solved(&shuffled);
        ensure(pose == pose_shuffled, || "another order of goals differs".into())?;
        // A workspace that has seen other work.
        let mut work = Workspace::default();
        let mut other = self.rig.skeleton.neutral_pose();
        let _ = self.solver.solve(&self.rig.skeleton, &goals[..1], &mut other, &mut work);
        other.reset(&self.rig.skeleton);
        other = self.rig.skeleton.neutral_pose();
        let _ = self.solver.solve(&self.rig.skeleton, &goals, &mut other, &mut work);
        ensure(pose == other, || "a used workspace differs".into())
    }
}
