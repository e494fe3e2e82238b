//! Staying in the valley: from the pose given downhill in short steps, with the curvature, to where nothing is gained, and
//! by no other way.
//!
//! What is nearest to goals that cannot be met then moves with them as long as the valley lasts that it lies in. It ends
//! where a fold opens to the other side, or where a joint comes off its limit.

use alloc::vec::Vec;

use super::descend::{HELD, History, Run};
use super::perturb::perturb;
use super::plan::Plan;
use super::score::LOWER;
use super::settings::Jacobian;
use super::strict::more_or_less;
use super::system::System;
use crate::goal::{Goal, Target};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::Workspace;
use crate::solve::workspace::Near;

/// Largest turn of a freedom in a step (radians).
const SHORT: f64 = 0.1;
/// Turn of each joint (radians) that is beside a pose: little against the width of a valley.
const BESIDE: f64 = 1e-2;
/// Turn (radians) that is far for a joint.
pub(super) const FAR: f64 = 0.1;
/// Share of what is left that a step must gain. Beside a curved limit steps creep, and what they gain in the end is worth
/// no motion: another solve would go on with it.
const GAIN: f64 = 1e-6;
/// What is near enough (lengths of the chain, radians) for the solvers that go on from here.
const FINE: f64 = 1e-10;
/// Share of the last step's length below which a step converges so quickly that any gain will do.
const QUICK: f64 = 0.3;
/// Growth of the extra damping after a step that does not help, and where it ends.
const CALMER: f64 = 8.0;
const CALMEST: f64 = 1e9;

/// What the descent works with, and the pose from which it starts.
#[derive(Debug, Default)]
pub(in crate::solve) struct Valley {
    pub(in crate::solve) given: Pose,
    jacobian: Jacobian,
    goals: Vec<Goal>,
    plan: Plan,
    system: System,
    history: History,
    /// Joints of the skeleton and goals for which there is memory.
    seen: (usize, usize),
}

impl Valley {
    /// Whether a solve of this size would grow the memory: then settle in no steps, so that a later frame does not allocate.
    pub(in crate::solve) fn is_new(&self, skeleton: &Skeleton, goals: &[Goal]) -> bool {
        self.seen.0 < skeleton.len() || self.seen.1 < goals.len()
    }

    /// Whether some joint is turned far from the pose given.
    pub(in crate::solve) fn is_far(&self, skeleton: &Skeleton, pose: &Pose) -> bool {
        is_far(skeleton, &self.given, pose)
    }

    /// Moves these joints from the pose given, in so many steps at most, for goals that all count alike; the steps made.
    pub(in crate::solve) fn settle(
        &mut self,
        skeleton: &Skeleton,
        joints: impl Iterator<Item = Joint>,
        goals: impl Iterator<Item = Goal>,
        steps: u32,
        pose: &mut Pose,
        work: &mut Workspace,
    ) -> u32 {
        let Self { given, jacobian, plan, system, history, .. } = self;
        (jacobian.position_tolerance, jacobian.rotation_tolerance) = (FINE, FINE);
        let list = jacobian.joints.get_or_insert_default();
        list.clear();
        list.extend(joints);
        self.goals.clear();
        self.goals.extend(goals.map(|goal| Goal { priority: 0, target: plain(goal.target), ..goal }));
        self.seen = (self.seen.0.max(skeleton.len()), self.seen.1.max(self.goals.len()));
        plan.make(jacobian, skeleton, &self.goals, given, work);
        let curvature = system.curvature.take();
        history.keep(curvature);
        history.fit(pose, plan, jacobian.method);
        system.fit(plan, jacobian.method);
        if steps == 0 {
            return 0;
        }
        pose.clone_from(given);
        core::mem::swap(system.budget(), work.budget());
        let mut run = Run {
            solver: jacobian,
            skeleton,
            plan,
            system,
            history,
            all: steps,
            left: steps,
            is_part: false,
            near: Near::No,
        };
        run.stay_in_valley(pose);
        let made = steps - run.left;
        core::mem::swap(system.budget(), work.budget());
        made
    }
}

/// Whether some joint is turned far from where it is in another pose.
pub(in crate::solve) fn is_far(skeleton: &Skeleton, from: &Pose, to: &Pose) -> bool {
    is_turned(skeleton, from, to, FAR)
}

/// Whether some joint is turned by more than a small angle (radians) from where it is in another pose.
pub(in crate::solve) fn is_turned(skeleton: &Skeleton, from: &Pose, to: &Pose, angle: f64) -> bool {
    turned(skeleton, from, to) > angle * angle
}

/// The square of the farthest turn of a joint from where it is in another pose (radians), to the fourth order.
pub(super) fn turned(skeleton: &Skeleton, from: &Pose, to: &Pose) -> f64 {
    let cosine = |joint| to.local(joint).rotation.dot(from.local(joint).rotation).abs();
    8.0 * skeleton.iter().map(|joint| 1.0 - cosine(joint)).fold(0.0, f64::max)
}

/// A target without its up.
pub(in crate::solve) fn plain(target: Target) -> Target {
    match target {
        Target::Aim { axis, point, .. } => Target::Aim { axis, point, up: None },
        Target::Axis { axis, direction, .. } => Target::Axis { axis, direction, up: None },
        target => target,
    }
}

impl Run<'_> {
    /// Moves the pose to the floor of its valley.
    fn stay_in_valley(&mut self, pose: &mut Pose) {
        self.measure(pose);
        if self.plan.freedoms == 0 || self.is_done() {
            return;
        }
        self.plan.begin(self.skeleton, pose);
        let steps = self.left;
        self.stay(pose, usize::MAX);
        if steps - self.left == 1 && !self.is_done() {
            self.stay_beside(pose);
        }
    }

    /// The same from a little beside a pose from which no step leads, which may be a pass and no valley: a straight chain with
    /// its target on its line. Out of a valley this leads back, and nothing is moved.
    fn stay_beside(&mut self, pose: &mut Pose) {
        self.history.given.clone_from(pose);
        self.history.given_score.copy(&self.history.now);
        self.derive(pose);
        perturb(self.plan, self.system, self.skeleton, pose, BESIDE);
        // The upper joints first make good what that moved, so that no other straightens again.
        self.stay(pose, self.plan.upper_freedoms());
        if !self.history.now.is_worth(&self.history.given_score, LOWER) {
            core::mem::swap(&mut self.history.given, pose);
        }
    }

    /// Short steps, each of which must gain; in the end the step is tried once more as another solve from there would try it,
    /// so that solving again moves nothing.
    /// Only the freedoms below `held` move in the first of them.
    fn stay(&mut self, pose: &mut Pose, held: usize) {
        self.measure(pose);
        (self.system.ease, self.system.firm, self.system.longest) = (1.0, 1, SHORT);
        self.bend(self.plan.levels.len() == 1);
        let (mut extra_damping, mut fresh, mut anew, mut length) = (1.0, true, true, 0.0);
        let mut steps = 0;
        while self.has_steps() && !self.is_done() {
            self.left -= 1;
            steps += 1;
            if fresh {
                self.derive(pose);
            }
            let moves = self.step(pose, extra_damping, if steps <= HELD { held } else { usize::MAX });
            let next = self.system.step.iter().fold(0.0_f64, |longest, y| longest.max(y.abs()));
            let share = if next < QUICK * length { 0.0 } else { GAIN };
            fresh = moves && self.history.next.beats(&self.history.now, share, 0.0);
            if fresh {
                let gained = self.history.now.first_square() - self.history.next.first_square();
                extra_damping = more_or_less(extra_damping, gained / self.history.expected);
                (anew, length) = (false, next);
                core::mem::swap(&mut self.history.now, &mut self.history.next);
                continue;
            }
            if moves {
                core::mem::swap(&mut self.history.before, pose);
                self.measure_errors(pose);
                extra_damping *= CALMER;
            }
            if !moves || extra_damping > CALMEST {
                if anew {
                    break;
                }
                (extra_damping, anew, length) = (1.0, true, 0.0);
            }
        }
    }
}
