//! Laws about doing it again: stillness, no growth, the same bits.

use alloc::format;
use alloc::vec::Vec;

use fastrand::Rng;
use glam::{BVec3, DVec3};

use super::rigs::direction;
use super::{Case, Verdict, ensure, largest_change};
use crate::goal::{Goal, Mask, Pole, Slack, Target, Tolerance};
use crate::pose::Pose;
use crate::solve::{Outcome, Workspace};

/// Threads that solve the same at a time.
#[cfg(feature = "std")]
const THREADS: usize = 3;

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

    /// One solve of each kind of goal that may allocate, then more of them from the answers that came before: in reach,
    /// out of reach, half followed.
    pub(super) fn allocates_nothing(&self, rng: &mut Rng) -> Verdict {
        let Some(count) = self.subject.allocations else { return Ok(()) };
        let skeleton = &self.rig.skeleton;
        let (mut pose, mut work) = (skeleton.neutral_pose(), Workspace::default());
        let mut seen = Vec::new();
        for frame in 0..12 {
            let goal = if rng.bool() { self.any_goal(rng) } else { self.reachable_goal(rng).0 };
            let goals = [if rng.bool() { goal } else { goal.weight(rng.f64()) }];
            let has_up = matches!(goal.target, Target::Aim { up: Some(_), .. } | Target::Axis { up: Some(_), .. });
            let kind = (goal.joint, core::mem::discriminant(&goal.target), has_up);
            let allocations = count(&mut || {
                let _ = self.solver.solve(skeleton, &goals, &mut pose, &mut work);
            });
            let is_new = !seen.contains(&kind);
            seen.push(kind);
            ensure(is_new || allocations == 0, || format!("frame {frame} allocates {allocations} times, {goals:?}"))?;
        }
        Ok(())
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
        self.any_order_is_the_same(rng)?;
        // A workspace that has seen other work.
        let mut work = Workspace::default();
        let mut other = self.rig.skeleton.neutral_pose();
        let _ = self.solver.solve(&self.rig.skeleton, &goals[..1], &mut other, &mut work);
        other = self.rig.skeleton.neutral_pose();
        let _ = self.solver.solve(&self.rig.skeleton, &goals, &mut other, &mut work);
        ensure(pose == other, || "a used workspace differs".into())?;
        ensure(self.on_threads(&goals).iter().all(|there| *there == (pose.clone(), outcome)), || {
            "another thread differs".into()
        })
    }

    /// The same solve on several threads at a time.
    #[cfg(feature = "std")]
    fn on_threads(&self, goals: &[Goal]) -> Vec<(Pose, Outcome)> {
        let (solver, skeleton) = (self.solver, &self.rig.skeleton);
        let solve = move || {
            let mut pose = skeleton.neutral_pose();
            let outcome = solver.solve(skeleton, goals, &mut pose, &mut Workspace::default());
            (pose, outcome)
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(solve)).collect();
            threads.into_iter().map(|thread| thread.join().expect("a solve does not panic")).collect()
        })
    }

    #[cfg(not(feature = "std"))]
    fn on_threads(&self, goals: &[Goal]) -> Vec<(Pose, Outcome)> {
        [self.solved(goals)].into()
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
