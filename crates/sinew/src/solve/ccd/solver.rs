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
use crate::solve::problem::set_out::SetOut;
use crate::solve::problem::{self, Engine, near};
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

    /// Whether goals may be settled near the pose given.
    fn settles(&self, goals: &[Goal]) -> bool {
        self.restarts == 0 || self.is_soft() || goals.len() > 1
    }

    /// Whether a stretched chain first bends as a whole, which may turn joints by more than one step.
    fn sets_out(&self) -> bool {
        self.iterations > 0 && self.restarts > 0 && self.damping == f64::INFINITY
    }

    fn is_soft(&self) -> bool {
        matches!(self.reach, Reach::Soft { .. })
    }

    /// Reads the pose into the tree.
    fn read(&self, skeleton: &Skeleton, goals: &[Goal], tree: &mut PartTree, pose: &Pose, work: &Workspace) {
        tree.gather(self, skeleton, goals, pose, work);
        tree.up(None);
    }

    /// Sweeps, with other starts where they are allowed; how that ended, and the sweeps made.
    fn descend(
        &self,
        skeleton: &Skeleton,
        goals: &[Goal],
        (tree, kept): (&mut PartTree, &mut Kept),
        restarts: bool,
        (pose, work): (&mut Pose, &mut Workspace),
    ) -> (Stop, u32) {
        let mut descent = Descent {
            ccd: self,
            skeleton,
            goals,
            limits: Limits::of(self),
            order: self.order,
            sweeps: 0,
            tried: 0,
            price: 0,
            budget: work.budget(),
            live: false,
        };
        let stop = descent.run(tree, kept, pose, restarts);
        (stop, descent.sweeps + descent.tried)
    }

    /// Settles near the pose given, with no other start; how that ended, and the steps made.
    fn settle(
        &self,
        skeleton: &Skeleton,
        goals: &[Goal],
        (tree, valley): (&mut PartTree, &mut Valley),
        steps: u32,
        (pose, work): (&mut Pose, &mut Workspace),
    ) -> (Stop, u32) {
        let made = self.settle_near(skeleton, goals, (tree, valley), steps, (pose, work));
        self.read(skeleton, goals, tree, pose, work);
        let stop = match () {
            () if tree.is_met() => Stop::Met,
            () if made >= steps || work.budget().is_spent() => Stop::Spent,
            () => Stop::Stuck,
        };
        (stop, made)
    }

    /// Where sweeps for several goals creep: settles near the pose given, so that nearby targets have nearby answers. Other
    /// starts are tried only where that does not arrive, and the better answer is kept.
    fn settle_or_restart(
        &self,
        skeleton: &Skeleton,
        goals: &[Goal],
        (tree, kept, valley): (&mut PartTree, &mut Kept, &mut Valley),
        sweeps: u32,
        (pose, work): (&mut Pose, &mut Workspace),
    ) -> (Stop, u32) {
        kept.swept.clone_from(pose);
        let left = self.iterations.saturating_sub(sweeps);
        let (settled, steps) = self.settle(skeleton, goals, (tree, valley), left, (pose, work));
        if settled == Stop::Met {
            return (settled, steps);
        }
        let cost = tree.cost();
        core::mem::swap(pose, &mut kept.swept);
        self.read(skeleton, goals, tree, pose, work);
        let (stop, more) = self.descend(skeleton, goals, (tree, kept), true, (pose, work));
        if stop != Stop::Met && cost <= tree.cost() {
            pose.clone_from(&kept.swept);
            self.read(skeleton, goals, tree, pose, work);
        }
        (stop, steps + more)
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
        let Scratch { tree, kept, valley, seen } = &mut *scratch;
        if let Some(whole) = seen.new_ones(skeleton, goals) {
            work.begin(whole);
            tree.gather(self, skeleton, whole, pose, work);
            kept.fit(tree, pose);
            SetOut::make_room(skeleton, work);
            if self.settles(whole) {
                valley.given.clone_from(pose);
                self.settle_near(skeleton, whole, (tree, valley), 0, (&mut kept.swept, work));
            }
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

    fn looks_near(&self, _: &[Goal]) -> bool {
        self.restarts > 0 && self.iterations >= near::STEPS
    }

    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let mut scratch = work.take::<Scratch>();
        let Scratch { tree, kept, valley, .. } = &mut *scratch;
        if self.sets_out() {
            SetOut::run(self, skeleton, goals, pose, work);
        }
        let settles = self.settles(goals);
        if settles {
            valley.given.clone_from(pose);
        }
        tree.gather(self, skeleton, goals, pose, work);
        let (mut steps, mut stop) = (0, Stop::Stuck);
        if self.is_soft() && tree.effectors.len() == 1 {
            // Sweeps bend a nearly straight chain unevenly: its joints would go many times as fast as the target.
            steps = self.settle_near(skeleton, goals, (tree, valley), self.iterations, (pose, work));
            self.read(skeleton, goals, tree, pose, work);
        }
        if !tree.effectors.is_empty() {
            // Sweeps for one goal go on with other starts at once; those for several end where they creep.
            let several = goals.len() > 1;
            let (ended, made) =
                self.descend(skeleton, goals, (tree, kept), !several || self.restarts == 0, (pose, work));
            steps += made;
            let (ended, made) = match (ended, self.restarts) {
                (Stop::Stuck | Stop::Spent, 0) => {
                    self.settle(skeleton, goals, (tree, valley), self.iterations, (pose, work))
                }
                (Stop::Stuck, _) if several => {
                    self.settle_or_restart(skeleton, goals, (tree, kept, valley), steps, (pose, work))
                }
                // Room, so that no later solve allocates.
                _ if settles && valley.is_new(skeleton, goals) => {
                    (ended, self.settle_near(skeleton, goals, (tree, valley), 0, (pose, work)))
                }
                _ => (ended, 0),
            };
            (stop, steps) = (ended, steps + made);
        }
        report_all(self, skeleton, goals, tree, stop, pose, work);
        work.put(scratch);
        work.outcome(steps)
    }
}
