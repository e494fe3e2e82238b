//! FABRIK on a pose: chains and trees, hinges and limits, several goals at once.

use super::body::Motion;
use super::report::report_all;
use super::search::{GAIN, Search};
use super::tree::Tree;
use crate::goal::{Goal, Slack, Target, Tolerance};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::jacobian::valley::Valley;
use crate::solve::problem::scope::length;
use crate::solve::problem::{self, Engine};
use crate::solve::two_bone::Reach;
use crate::solve::{Outcome, Solver, Start, Workspace};

/// Passes of another start, and the share of the cost at which it wins.
const HURRY: u32 = 4;
const CLEARLY: f64 = 0.9;
/// Rounds, each measured afresh from the pose, until one gains nothing; and where scale inside a chain makes
/// lengths depend on angles.
const ROUNDS: u32 = 16;
const SHEARED: u32 = 64;
/// Steps that stay near the pose given, at most, by one pass.
const STAY: u32 = 8;

/// From where the twist of a free ball about its bone is counted, and who takes that of a rotation goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Twist {
    /// From the pose given; the default.
    #[default]
    Given,
    /// From the rest pose: the shortest turn from there, so that twist does not drift from frame to frame.
    /// The goal's own joint takes what twist the goal asks for: the least elsewhere.
    Rest,
    /// From the rest pose, and every free ball above a rotation goal, up to the first branch, limit or other
    /// goal, turns about its bone as the goal does: the topmost takes the twist, the others follow.
    Goal,
    /// As [`Twist::Goal`], but each of them and the goal's joint take the same share. A goal twisted by more
    /// than half a turn from rest is shared the other way round, so shares jump there.
    Shared,
}

/// Forward and backward reaching on the whole body or a part of it.
///
/// Serves position, rotation and frame goals, and aims and axes without an up: all joints from the goal's base
/// on share a look, as evenly as limits and other goals let them. Every joint that can turn between a goal's joint and its base (or
/// [`Fabrik::base`], or else the root) takes part; several goals share theirs, by `pull`. Goals with a
/// base own their joints: goals without one leave them alone. A lone goal's chain is turned to its pole; swivels are not
/// read. Slides and fixed joints stay as they are;
/// roots are pinned, unless they are [`Kind::Free`](crate::Kind::Free).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabrik {
    /// Uppermost joint that may move, where a goal names none; the roots by default.
    pub base: Option<Joint>,
    /// Passes at most from one start; 32 by default. Free chains need one.
    pub iterations: u32,
    /// Distance that is near enough, as a share of the length from the uppermost joint to the goal's, where a goal has no
    /// tolerance of its own; 1e-9 by default, since the last step is exact.
    pub position_tolerance: f64,
    /// Angle (radians) that is near enough; 1e-9 by default.
    pub rotation_tolerance: f64,
    /// Other starts tried where limits leave the first one short, in one solve and always the same; 8 by
    /// default. They only win clearly, but then the pose may jump. With 0, several goals that cannot all be met are come to downhill
    /// from the pose given, in short steps: the pose moves with its targets, also where they leave reach, and jumps only where
    /// the valley ends in which it lies: where a fold opens to the other side, or a joint comes off its limit. A pose in
    /// another valley is not taken, even where it meets the goals. That takes longer.
    pub restarts: u32,
    /// The pose to start from.
    pub start: Start,
    /// What a chain does with a target near and beyond its full stretch; [`Reach::Clamp`] by default.
    pub reach: Reach,
    /// What the twist of free balls is counted from, and who takes a goal's; as the pose has it by default.
    pub twist: Twist,
}

impl Default for Fabrik {
    fn default() -> Self {
        Self {
            base: None,
            iterations: 32,
            position_tolerance: 1e-9,
            rotation_tolerance: 1e-9,
            restarts: 8,
            start: Start::Given,
            reach: Reach::Clamp,
            twist: Twist::Given,
        }
    }
}

impl Fabrik {
    /// The default settings on the joints from `base` on.
    pub fn from_base(base: Joint) -> Self {
        Self { base: Some(base), ..Self::default() }
    }

    /// Whether a joint lies between the goal's joint and the uppermost one that may move for it.
    pub(super) fn reaches(&self, skeleton: &Skeleton, goal: &Goal, joint: Joint) -> bool {
        let below = |base: Option<Joint>| base.is_none_or(|base| skeleton.is_below(joint, base));
        skeleton.is_below(goal.joint, joint) && below(goal.base) && below(self.base)
    }

    /// Whether a goal is an aim or axis without an up.
    pub(super) fn is_aim(goal: &Goal) -> bool {
        matches!(goal.target, Target::Aim { up: None, .. } | Target::Axis { up: None, .. })
    }

    /// Whether a joint may turn for a goal.
    pub(super) fn moves(&self, skeleton: &Skeleton, goal: &Goal, joint: Joint, work: &Workspace) -> bool {
        self.reaches(skeleton, goal, joint)
            && skeleton.kind(joint).turns()
            && !work.is_owned(skeleton, joint, goal.joint)
    }

    /// Whether goals that cannot be met may not make the pose jump.
    fn stays(&self) -> bool {
        self.restarts == 0 && self.start == Start::Given
    }

    /// Goes from the pose given to what is nearest to all goals in its valley; the steps made.
    fn settle_near(
        skeleton: &Skeleton,
        goals: &[Goal],
        (tree, valley): (&Tree, &mut Valley),
        steps: u32,
        (pose, work): (&mut Pose, &Workspace),
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
    fn place(&self, skeleton: &Skeleton, goals: &[Goal], tree: &mut Tree, first: bool) -> (u32, bool) {
        tree.update(goals, 0);
        if tree.is_done() && (self.start == Start::Given || !first) {
            return (0, false);
        }
        let mut best = core::mem::take(&mut tree.best);
        tree.save(&mut best);
        let mut search = Search { best, least: tree.cost(), share: 1.0 - GAIN, passes: 0, gained: false };
        search.descend(skeleton, goals, tree, self.iterations, false);
        let limited = tree.bodies.iter().any(|body| body.motion != Motion::Free);
        let restarts = if limited { self.restarts } else { self.restarts.min(1) };
        for number in 0..if first { restarts } else { 0 } {
            if tree.is_done() {
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
        let mut tree = work.take::<Tree>();
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

    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let (mut tree, mut valley) = (work.take::<Tree>(), work.take::<Valley>());
        if self.stays() {
            valley.given.clone_from(pose);
        }
        // Until another round gains nothing, so that solving again is solving once.
        let (mut passes, mut gained) = (0, true);
        for round in 0..SHEARED {
            tree.gather(self, skeleton, goals, pose, work);
            let made = self.place(skeleton, goals, &mut tree, round == 0);
            passes += made.0;
            gained = made.1;
            if gained {
                tree.write(skeleton, pose);
            }
            if !gained || !tree.is_sheared && (tree.is_done() || round + 1 == ROUNDS) {
                break;
            }
        }
        let stays = self.stays() && tree.effectors.len() > 1;
        // What meets the goals may lie in another valley.
        let leaps = stays && tree.is_done() && valley.is_far(skeleton, pose);
        if leaps || stays && !tree.is_done() {
            let steps = STAY * self.iterations;
            let made = Self::settle_near(skeleton, goals, (&tree, &mut valley), steps, (pose, work));
            (passes, gained) = (passes + made, made >= steps);
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
