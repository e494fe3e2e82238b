//! FABRIK on a pose: chains and trees, hinges and limits, several goals at once.

use super::body::BodyMotion;
use super::report::report_all;
use super::search::{GAIN, Search};
use super::settings::Fabrik;
use super::tree::BodyTree;
use crate::goal::{Goal, Slack, Target, Tolerance};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::budget::Budget;
use crate::solve::jacobian::valley::Valley;
use crate::solve::problem::scope::length;
use crate::solve::problem::{self, Engine, near};
use crate::solve::two_bone::Reach;
use crate::solve::{Outcome, Solver, Start, Workspace};

/// Passes of another start, and the share of the cost at which it wins.
const HURRY: u32 = 4;
const CLEARLY: f64 = 0.9;
/// Rounds, each measured afresh from the pose, until one gains nothing; and where scale inside a chain makes
/// lengths depend on angles. Of several goals, whose steps are dear, so many times the passes of one start end all rounds.
const ROUNDS: u32 = 16;
const PASSES: u32 = 2;
const SHEARED: u32 = 64;
/// Steps that stay near the pose given, at most, by one pass.
const STAY: u32 = 8;

impl Fabrik {
    /// Goes from the pose given to what is nearest to all goals in its valley; the steps made.
    fn settle_near(
        skeleton: &Skeleton,
        goals: &[Goal],
        (tree, valley): (&BodyTree, &mut Valley),
        steps: u32,
        (pose, work): (&mut Pose, &mut Workspace),
    ) -> u32 {
        let turns = tree.bodies.iter().filter(|body| body.travels || skeleton.kind(body.joint) != Kind::Free);
        let longest = tree.effectors.iter().map(|effector| effector.reach).fold(0.0, f64::max);
        let full = goals.iter().enumerate().map(|(place, goal)| {
            let own = tree.effector_of(goals, place).map(|own| &tree.effectors[own]);
            // What is left counts in units of each goal's own reach.
            let share = own.map_or(0.0, |effector| if effector.reach > 0.0 { longest / effector.reach } else { 1.0 });
            let weight = if own.is_some() { 1.0 } else { 0.0 };
            Goal { weight, pull: goal.pull * share * share, ..*goal }
        });
        let joints = turns.map(|body| body.joint);
        valley.settle(skeleton, joints, full, steps, pose, work)
    }

    /// Solves on the tree at full weight: passes made, and whether they gained anything. Other starts are
    /// tried in the first round only.
    fn place(
        &self,
        skeleton: &Skeleton,
        goals: &[Goal],
        tree: &mut BodyTree,
        first: bool,
        budget: &mut Budget,
    ) -> (u32, bool) {
        tree.refresh(goals);
        if tree.is_done() && (self.start == Start::Given || !first) {
            return (0, false);
        }
        let mut best = core::mem::take(&mut tree.best);
        tree.save(&mut best);
        let mut search = Search { best, least: tree.cost(), share: 1.0 - GAIN, passes: 0, gained: false, budget };
        search.descend(skeleton, goals, tree, self.iterations, false);
        let limited = tree.bodies.iter().any(|body| body.motion != BodyMotion::Free);
        let restarts = if limited { self.restarts } else { self.restarts.min(1) };
        for number in 0..if first { restarts } else { 0 } {
            if tree.is_done() || search.budget.is_spent() {
                break;
            }
            tree.spread_out(skeleton, goals, number as usize);
            search.share = CLEARLY;
            search.descend(skeleton, goals, tree, self.iterations.min(HURRY), true);
        }
        tree.best = search.best;
        if search.gained {
            tree.twist(skeleton, goals, self.twist);
        }
        (search.passes, search.gained)
    }
}

impl Solver for Fabrik {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        problem::solve(self, skeleton, goals, pose, work)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        let kind = matches!(goal.target, Target::Position(_) | Target::Rotation(_) | Target::Frame { .. });
        let kind = kind || Self::is_aim(goal);
        let inside = |base: Option<Joint>| base.is_none_or(|base| skeleton.is_below(goal.joint, base));
        kind && goal.slack == Slack::NONE && inside(self.base) && inside(goal.base)
    }

    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        problem::prepare(self, skeleton, goals, pose, work);
    }
}

impl Engine for Fabrik {
    fn acts_on(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        goal.weight > 0.0 && self.serves(skeleton, goal)
    }

    fn is_usable(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose) -> bool {
        let ours = self.base.is_none_or(|base| skeleton.contains(base));
        let ours = ours && self.position_tolerance >= 0.0 && self.rotation_tolerance >= 0.0;
        ours && goals.iter().all(|goal| pose.model(goal.joint).is_finite())
    }

    fn make_room(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        let mut tree = work.take::<BodyTree>();
        let mut seen = core::mem::take(&mut tree.seen);
        if let Some(whole) = seen.new_ones(skeleton, goals) {
            work.begin(whole);
            tree.gather(self, skeleton, whole, pose, work);
            tree.fit();
            let valley = work.take::<Valley>();
            work.put(valley);
        }
        tree.seen = seen;
        work.put(tree);
    }

    fn tolerance(&self, skeleton: &Skeleton, _: &[Goal], goal: &Goal, pose: &Pose) -> Tolerance {
        let from_base = Goal { base: goal.base.or(self.base), ..*goal };
        let position = self.position_tolerance * length(skeleton, &from_base, pose);
        Tolerance { position, rotation: self.rotation_tolerance }
    }

    fn starts_at_rest(&self) -> bool {
        self.start == Start::Rest
    }

    fn reach(&self) -> Reach {
        self.reach
    }

    fn in_scope(&self, skeleton: &Skeleton, _: &Goal, joint: Joint) -> bool {
        self.base.is_none_or(|base| skeleton.is_below(joint, base)) && skeleton.kind(joint).turns()
    }

    fn unit(&self, skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> f64 {
        length(skeleton, &Goal { base: goal.base.or(self.base), ..*goal }, pose)
    }

    fn looks_near(&self, _: &[Goal]) -> bool {
        self.restarts > 0 && STAY.saturating_mul(self.iterations) >= near::STEPS
    }

    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let (mut tree, mut valley) = (work.take::<BodyTree>(), work.take::<Valley>());
        if self.stays() {
            valley.given.clone_from(pose);
        }
        // Until another round gains nothing, so that solving again is solving once.
        let (mut passes, mut gained) = (0, true);
        for round in 0..SHEARED {
            tree.gather(self, skeleton, goals, pose, work);
            work.budget().spend(tree.prices.gather);
            let made = self.place(skeleton, goals, &mut tree, round == 0, work.budget());
            passes += made.0;
            gained = made.1;
            if gained {
                tree.write(skeleton, pose);
            }
            let several = tree.effectors.len() > 1;
            let ends = round + 1 == ROUNDS || several && passes >= PASSES.saturating_mul(self.iterations);
            if !gained || work.budget().is_spent() || !tree.is_sheared && (tree.is_done() || ends) {
                break;
            }
        }
        let stays = self.stays() && tree.effectors.len() > 1;
        // What meets the goals may lie in another valley.
        let leaps = stays && tree.is_done() && valley.is_far(skeleton, pose);
        if leaps || stays && !tree.is_done() {
            let steps = STAY * self.iterations;
            let made = Self::settle_near(skeleton, goals, (&tree, &mut valley), steps, (pose, work));
            (passes, gained) = (passes + made, made >= steps || work.budget().is_spent());
            tree.gather(self, skeleton, goals, pose, work);
            tree.update(goals, 0);
        } else if stays && valley.is_new(skeleton, goals) {
            Self::settle_near(skeleton, goals, (&tree, &mut valley), 0, (pose, work));
        }
        work.put(valley);
        report_all(self, skeleton, goals, pose, &mut tree, gained, work);
        work.put(tree);
        work.outcome(passes)
    }
}
