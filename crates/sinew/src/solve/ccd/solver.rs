//! The solver on a pose.

use super::descent::{Descent, Kept, Stop};
use super::effector::{self, length_of};
use super::report::report_all;
use super::settings::Ccd;
use super::step::Limits;
use super::tree::PartTree;
use crate::goal::{Goal, Slack, Target, Tolerance};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::jacobian::valley::Valley;
use crate::solve::problem::{self, Engine};
use crate::solve::seen::Seen;
use crate::solve::two_bone::Reach;
use crate::solve::{Outcome, Solver, Start, Workspace};

/// What a solve keeps.
#[derive(Debug, Default)]
struct Scratch {
    tree: PartTree,
    kept: Kept,
    valley: Valley,
    seen: Seen,
}

impl Ccd {
    /// Goes from the pose given to what is nearest to all goals in its valley; the steps made.
    fn settle_near(
        &self,
        skeleton: &Skeleton,
        goals: &[Goal],
        (tree, valley): (&PartTree, &mut Valley),
        steps: u32,
        (pose, work): (&mut Pose, &mut Workspace),
    ) -> u32 {
        let served = |goal: &Goal| self.acts_on(skeleton, goal);
        let full = goals.iter().map(|goal| Goal { weight: if served(goal) { goal.weight } else { 0.0 }, ..*goal });
        let joints = tree.parts.iter().filter(|part| part.moves).map(|part| part.joint);
        valley.settle(skeleton, joints, full, steps, pose, work)
    }
}

impl Solver for Ccd {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        problem::solve(self, skeleton, goals, pose, work)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        let kind = !matches!(goal.target, Target::Scale(_) | Target::CenterOfMass(_));
        kind && goal.slack == Slack::NONE && effector::top(skeleton, goal, self.base).is_some()
    }

    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        problem::prepare(self, skeleton, goals, pose, work);
    }
}

impl Engine for Ccd {
    fn acts_on(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        goal.weight > 0.0 && self.serves(skeleton, goal)
    }

    fn is_usable(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose) -> bool {
        let finite = |goal: &Goal| pose.model(goal.joint).is_finite();
        let known = self.base.is_none_or(|base| skeleton.contains(base));
        let settings = known && self.position_tolerance >= 0.0 && self.rotation_tolerance >= 0.0 && self.damping >= 0.0;
        settings && goals.iter().all(finite)
    }

    fn make_room(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        let mut scratch = work.take::<Scratch>();
        let Scratch { tree, kept, seen, .. } = &mut *scratch;
        if let Some(whole) = seen.new_ones(skeleton, goals) {
            work.begin(whole);
            tree.gather(self, skeleton, whole, pose, work);
            kept.fit(tree, pose);
        }
        work.put(scratch);
    }

    fn tolerance(&self, skeleton: &Skeleton, _: &[Goal], goal: &Goal, pose: &Pose) -> Tolerance {
        let length = effector::top(skeleton, goal, self.base).map_or(0.0, |top| length_of(skeleton, goal, top, pose));
        Tolerance { position: self.position_tolerance * length, rotation: self.rotation_tolerance }
    }

    fn starts_at_rest(&self) -> bool {
        self.start == Start::Rest
    }

    fn reads_up(&self) -> bool {
        false
    }

    fn reach(&self) -> Reach {
        self.reach
    }

    fn in_scope(&self, skeleton: &Skeleton, goal: &Goal, joint: Joint) -> bool {
        goal.base.or(self.base).is_none_or(|base| skeleton.is_below(joint, base))
    }

    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let mut scratch = work.take::<Scratch>();
        let Scratch { tree, kept, valley, .. } = &mut *scratch;
        let stays = self.restarts == 0;
        let is_soft = matches!(self.reach, Reach::Soft { .. });
        if stays || is_soft {
            valley.given.clone_from(pose);
        }
        tree.gather(self, skeleton, goals, pose, work);
        let (mut sweeps, mut stop) = (0, Stop::Stuck);
        if is_soft && tree.effectors.len() == 1 {
            // Sweeps bend a nearly straight chain unevenly: its joints would go many times as fast as the target.
            sweeps = self.settle_near(skeleton, goals, (tree, valley), self.iterations, (pose, work));
            tree.gather(self, skeleton, goals, pose, work);
            tree.up(None);
        }
        if !tree.effectors.is_empty() {
            let limits = Limits::of(self);
            let mut descent = Descent {
                ccd: self,
                skeleton,
                goals,
                limits,
                order: self.order,
                sweeps: 0,
                tried: 0,
                price: 0,
                budget: work.budget(),
                live: false,
            };
            stop = descent.run(tree, kept, pose);
            sweeps += descent.sweeps + descent.tried;
            if stays && stop != Stop::Met {
                let made = self.settle_near(skeleton, goals, (tree, valley), self.iterations, (pose, work));
                tree.gather(self, skeleton, goals, pose, work);
                tree.up(None);
                sweeps += made;
                stop = match () {
                    () if tree.is_met() => Stop::Met,
                    () if made >= self.iterations || work.budget().is_spent() => Stop::Spent,
                    () => Stop::Stuck,
                };
            } else if (stays || is_soft) && valley.is_new(skeleton, goals) {
                self.settle_near(skeleton, goals, (tree, valley), 0, (pose, work));
            }
        }
        report_all(self, skeleton, goals, tree, stop, pose, work);
        work.put(scratch);
        work.outcome(sweeps)
    }
}
