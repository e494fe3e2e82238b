//! Laws about doing it again: stillness, no growth, the same bits.

use alloc::format;
use alloc::vec::Vec;

use fastrand::Rng;
use glam::{BVec3, DVec3};

use super::rigs::direction;
use super::{Case, Verdict, ensure, largest_change};
use crate::goal::{Goal, Mask, Pole, Slack, Tolerance};
use crate::solve::Workspace;

/// Frames of standing still; every rig gets some, every fiftieth all of them.
const FRAMES: u32 = 10_000;

impl Case<'_> {
    pub(super) fn solving_again_is_still(&self, rng: &mut Rng, seed: u64) -> Verdict {
        let skeleton = &self.rig.skeleton;
        let goal = if rng.bool() { self.any_goal(rng) } else { self.reachable_goal(rng).0 };
        let (mut pose, _) = self.solved(&[goal]);
        let mut work = Workspace::default();
        let first = pose.clone();
        let mut walked = 0.0;
        let mut last = first.clone();
        for _ in 0..if seed.is_multiple_of(50) { FRAMES } else { 20 } {
            let _ = self.solver.solve(skeleton, &[goal], &mut pose, &mut work);
            walked += largest_change(skeleton, &last, &pose);
            last.clone_from(&pose);
        }
        ensure(walked < 1e-9, || format!("it moved by {walked} rad, {goal:?}"))
    }

    /// The part of law 9 that needs no allocator: see the `no_alloc` test for the rest.
    pub(super) fn settles(&self, rng: &mut Rng) -> Verdict {
        let goal = self.any_goal(rng);
        let (mut pose, mut work) = (self.rig.skeleton.neutral_pose(), Workspace::default());
        let _ = self.solver.solve(&self.rig.skeleton, &[goal], &mut pose, &mut work);
        ensure(work.residuals().len() == 1, || "one goal leaves one residual".into())
    }

    pub(super) fn same_bits(&self, rng: &mut Rng) -> Verdict {
        let goals: Vec<Goal> = (0..4).map(|_| self.any_goal(rng).pull(rng.f64())).collect();
        let (pose, outcome) = self.solved(&goals);
        let (again, outcome_again) = self.solved(&goals);
        ensure(pose == again && outcome == outcome_again, || "a second run differs".into())?;
        let mut shuffled = goals.clone();
        rng.shuffle(&mut shuffled);
        let (pose_shuffled, _) = self.solved(&shuffled);
        ensure(pose == pose_shuffled, || "another order of goals differs".into())?;
        self.any_order_is_the_same(rng)?;
        // A workspace that has seen other work.
        let mut work = Workspace::default();
        let mut other = self.rig.skeleton.neutral_pose();
        let _ = self.solver.solve(&self.rig.skeleton, &goals[..1], &mut other, &mut work);
        other.reset(&self.rig.skeleton);
        other = self.rig.skeleton.neutral_pose();
        let _ = self.solver.solve(&self.rig.skeleton, &goals, &mut other, &mut work);
        ensure(pose == other, || "a used workspace differs".into())
    }

    /// Goals that differ in no more than a pole, a base or what they are measured by, in either order.
    fn any_order_is_the_same(&self, rng: &mut Rng) -> Verdict {
        let rig = self.rig;
        let goal = Goal { pole: None, ..self.any_goal(rng) };
        let alike = [
            goal,
            goal.pole(Pole::Direction(direction(rng))),
            goal.pole(Pole::Direction(direction(rng))),
            goal.pole(direction(rng) * rig.length()),
            goal.pole_of(rig.root, direction(rng) * rig.length()),
            goal.base(rig.root),
            goal.base(rig.mid),
            goal.relative_to(rig.root),
            goal.relative_to(rig.mid),
            goal.tolerance(Tolerance { position: 0.1 * rig.length(), rotation: 0.1 }),
            goal.mask(Mask { position: BVec3::new(true, true, false), ..Mask::default() }),
            goal.slack(Slack { position: DVec3::splat(0.1 * rig.length()), ..Slack::NONE }),
        ];
        for _ in 0..4 {
            let mut pair = [(); 2].map(|()| alike[rng.u64(0..alike.len() as u64) as usize]);
            let (pose, _) = self.solved(&pair);
            pair.reverse();
            ensure(pose == self.solved(&pair).0, || format!("another order of {pair:?} differs"))?;
        }
        Ok(())
    }
}
