//! Laws about weights: none is none, little is little, and between 0 and 1 nothing jumps.

use alloc::format;

use fastrand::Rng;

use super::{Case, Verdict, ensure, largest_change, rigs};
use crate::goal::{Goal, Target};
use crate::math::arc;
use crate::pose::Pose;
use crate::solve::report::measured as left;
use crate::solve::{Status, Workspace};

/// A weight that is hardly any, and how far it may turn a joint (radians). A straight limb bends by the square root
/// of the way to its target.
const LITTLE: (f64, f64) = (1e-6, 5e-2);
/// Weights tried between 0 and 1, evenly.
const STEPS: u32 = 100;
/// What no halving of a step makes smaller is a jump (radians).
const JUMP: f64 = 1e-2;
/// How far from its share of the way the goal's point may be (lengths), and its turn (radians).
const EVEN: f64 = 1e-5;
/// How often a step that turns a joint by more than that is halved.
const HALVINGS: u32 = 40;

impl Case<'_> {
    pub(super) fn weight_zero_returns_the_pose(&self, rng: &mut Rng) -> Verdict {
        let skeleton = &self.rig.skeleton;
        let goal = self.any_goal(rng);
        // Also from a pose outside the limits.
        let mut outside = skeleton.rest_pose();
        outside.edit(skeleton).rotation(self.rig.mid, rigs::rotation(rng));
        let mut pose = outside.clone();
        let outcome = self.solver.solve(skeleton, &[goal.weight(0.0)], &mut pose, &mut Workspace::default());
        ensure(pose == outside, || "weight zero moved the pose".into())?;
        ensure(outcome.status == Status::Ignored, || format!("weight zero is {}", outcome.status))
    }

    pub(super) fn small_weights_move_little(&self, rng: &mut Rng) -> Verdict {
        let goal = self.any_goal(rng);
        let inside = self.rig.allowed_pose(rng);
        let (weight, most) = LITTLE;
        let turned = largest_change(&self.rig.skeleton, &inside, &self.weighted(&inside, &goal, weight));
        ensure(turned < most, || format!("weight {weight} turns a joint by {turned}, {goal:?}"))
    }

    pub(super) fn weight_is_continuous(&self, rng: &mut Rng) -> Verdict {
        let goal = self.any_goal(rng);
        let inside = self.rig.allowed_pose(rng);
        let mut last = inside.clone();
        for step in 1..=STEPS {
            let end = f64::from(step) / f64::from(STEPS);
            let next = self.weighted(&inside, &goal, end);
            self.without_a_jump(&inside, &goal, (end - 1.0 / f64::from(STEPS), &last), (end, &next))?;
            last = next;
        }
        Ok(())
    }

    /// Halves the step towards its larger change: a fast turn becomes slow, a jump stays.
    fn without_a_jump(&self, inside: &Pose, goal: &Goal, from: (f64, &Pose), to: (f64, &Pose)) -> Verdict {
        let skeleton = &self.rig.skeleton;
        let (mut low, mut high) = ((from.0, from.1.clone()), (to.0, to.1.clone()));
        for _ in 0..HALVINGS {
            if largest_change(skeleton, &low.1, &high.1) < JUMP {
                return Ok(());
            }
            let middle = 0.5 * (low.0 + high.0);
            let pose = self.weighted(inside, goal, middle);
            let first = largest_change(skeleton, &low.1, &pose);
            if first > largest_change(skeleton, &pose, &high.1) {
                high = (middle, pose);
            } else {
                low = (middle, pose);
            }
        }
        let jump = largest_change(skeleton, &low.1, &high.1);
        ensure(jump < JUMP, || format!("weight {} jumps by {jump}, {goal:?}", low.0))
    }

    pub(super) fn weight_moves_the_target(&self, rng: &mut Rng) -> Verdict {
        let (skeleton, length) = (&self.rig.skeleton, self.rig.length());
        let (goal, _) = self.reachable_goal(rng);
        let given = self.rig.allowed_pose(rng);
        // What is looked at from elsewhere is seen under another angle, and of scales each joint's goes its own share.
        if matches!(goal.target, Target::Aim { .. } | Target::Scale(_)) {
            return Ok(());
        }
        let weight = 0.1 + 0.8 * rng.f64();
        let mut work = Workspace::default();
        let before = left(skeleton, &goal, &given);
        let outcome = self.solver.solve(skeleton, &[goal.weight(weight)], &mut given.clone(), &mut work);
        // Limits or lengths may keep it from the way there.
        if outcome.status != Status::Softened {
            return Ok(());
        }
        let after = work.residuals()[0];
        let off = arc::length(after.position - before.position * (1.0 - weight)) / length;
        let turned = (after.rotation_error() - before.rotation_error() * (1.0 - weight)).abs();
        ensure(off < EVEN && turned < EVEN, || {
            format!("at weight {weight} it is {off} lengths and {turned} rad from its share of the way, {goal:?}")
        })
    }

    fn weighted(&self, from: &Pose, goal: &Goal, weight: f64) -> Pose {
        let mut pose = from.clone();
        let _ = self.solver.solve(&self.rig.skeleton, &[goal.weight(weight)], &mut pose, &mut Workspace::default());
        pose
    }
}
