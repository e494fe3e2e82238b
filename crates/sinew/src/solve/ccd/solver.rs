//! The solver on a pose.

use super::descent::{Descent, Kept, Stop};
use super::report::report_all;
use super::step::Limits;
use super::tree::Tree;
use super::wish::{self, length_of};
use crate::goal::{Goal, Slack, Target, Tolerance};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::jacobian::valley::Valley;
use crate::solve::problem::{self, Engine};
use crate::solve::seen::Seen;
use crate::solve::two_bone::Reach;
use crate::solve::{Outcome, Solver, Start, Workspace};

/// The order in which joints take their steps in a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// From the root down, each with all above it already turned: what is near the root turns most. The
    /// default, since it takes fewer sweeps.
    #[default]
    RootToTip,
    /// From the tips up, each with all below it already turned: what is near the tip turns most, and long
    /// free chains curl.
    TipToRoot,
}

/// How balls take their steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Balls {
    /// The whole rotation at once: the shortest arc, or the best fit of several pairs.
    #[default]
    Whole,
    /// Turns about x, y and z of the joint's zero, one after another, the middle one kept a degree off a
    /// quarter turn.
    PerAxis,
}

/// Cyclic coordinate descent for any number of goals on any joints of a tree: places, rotations, frames,
/// aims and axes, with weight, pull, base and mask, in model space or relative to a joint.
///
/// Every joint on the way from a goal's joint up to its base, or else to the root, may turn (slide, move);
/// a goal relative to a joint moves only those below what it has in common with it. Each takes the best
/// step for all goals below it by pull. A goal with a base owns the joints from there to its tip: goals
/// after it in solving order leave them alone. Followers move with their coordinate. The up of aims is not
/// looked at. A lone goal's chain is turned to its pole.
///
/// Ends at the best pose found. What it cannot meet is [`TooClose`](crate::Status::TooClose) or
/// [`OutOfReach`](crate::Status::OutOfReach) by the lengths, [`Limited`](crate::Status::Limited) where
/// limits stand in the way, else [`Stalled`](crate::Status::Stalled) or
/// [`OutOfIterations`](crate::Status::OutOfIterations).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ccd {
    /// Sweeps at most, those of restarts that lead nowhere not counted; 1 a frame tracks a target that moves.
    pub iterations: u32,
    /// Distance that is near enough, as a share of the chain's length, where a goal has no tolerance of its own; 1e-6 by
    /// default.
    pub position_tolerance: f64,
    /// Angle (radians) that is near enough; 1e-6 by default.
    pub rotation_tolerance: f64,
    /// The uppermost joint that may move for goals that name no base; the root by default. Goals of joints
    /// that are not below it are ignored.
    pub base: Option<Joint>,
    /// Which joints go first.
    pub order: Order,
    /// Largest turn of a joint in one step (radians); none by default.
    pub damping: f64,
    /// The pose to start from.
    pub start: Start,
    /// What a chain does with a target near and beyond its full stretch; [`Reach::Clamp`] by default. Soft reach moves the
    /// target alone: this method turns some joints fast also far from there.
    pub reach: Reach,
    /// How balls take their steps.
    pub balls: Balls,
    /// Whether sweeps that creep one way are helped by a longer step along it, where that is better.
    pub ahead: bool,
    /// Other starts that are tried, one after another, where limits or a straight chain stop the descent; 16 by default. The
    /// pose they lead to may be far from the one given, and is only taken where it is clearly better. With 0, goals
    /// that cannot all be met are come to downhill from the pose started from, in short steps: the pose moves with its targets,
    /// also where they leave reach, and jumps only where the valley ends in which it lies: where a fold opens to the
    /// other side, a joint comes off its limit, or goals come back into reach in another valley. That takes longer.
    pub restarts: u32,
}

impl Default for Ccd {
    fn default() -> Self {
        Self {
            iterations: 400,
            position_tolerance: 1e-6,
            rotation_tolerance: 1e-6,
            base: None,
            order: Order::RootToTip,
            damping: f64::INFINITY,
            start: Start::Given,
            reach: Reach::Clamp,
            balls: Balls::Whole,
            ahead: true,
            restarts: 16,
        }
    }
}

/// What a solve keeps.
#[derive(Debug, Default)]
struct Scratch {
    tree: Tree,
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
        (tree, valley): (&Tree, &mut Valley),
        steps: u32,
        (pose, work): (&mut Pose, &Workspace),
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
        kind && goal.slack == Slack::NONE && wish::top(skeleton, goal, self.base).is_some()
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
        let length = wish::top(skeleton, goal, self.base).map_or(0.0, |top| length_of(skeleton, goal, top, pose));
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
        if stays {
            valley.given.clone_from(pose);
        }
        tree.gather(self, skeleton, goals, pose, work);
        let (mut sweeps, mut stop) = (0, Stop::Stuck);
        if !tree.wishes.is_empty() {
            let limits = Limits::of(self);
            let mut descent =
                Descent { ccd: self, skeleton, goals, limits, order: self.order, sweeps: 0, tried: 0, live: false };
            stop = descent.run(tree, kept, pose);
            sweeps = descent.sweeps + descent.tried;
            if stays && stop != Stop::Met {
                let made = self.settle_near(skeleton, goals, (tree, valley), self.iterations, (pose, work));
                tree.gather(self, skeleton, goals, pose, work);
                tree.up(None);
                sweeps += made;
                stop = match () {
                    () if tree.is_met() => Stop::Met,
                    () if made >= self.iterations => Stop::Spent,
                    () => Stop::Stuck,
                };
            } else if stays && valley.is_new(skeleton, goals) {
                self.settle_near(skeleton, goals, (tree, valley), 0, (pose, work));
            }
        }
        report_all(self, skeleton, goals, tree, stop, pose, work);
        work.put(scratch);
        work.outcome(sweeps)
    }
}
