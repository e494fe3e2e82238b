//! Sweeps until every goal is met, nothing is gained any more, or the allowed ones are spent.

use super::ahead::History;
use super::part::{Freedom, Part};
use super::restart::Restart;
use super::settings::{Ccd, Order};
use super::step::Limits;
use super::tree::{PartTree, State};
use crate::goal::Goal;
use crate::pose::Pose;
use crate::skeleton::{BallLimit, Skeleton};
use crate::solve::budget::Budget;

/// Share of the cost that a sweep must take off to count.
const GAIN: f64 = 1e-6;
/// The same, below which restarts are tried early: beside a straight chain gains are small at first.
const CREEP: f64 = 1e-2;
/// Escapes that are tried early.
const EARLY: u32 = 4;
/// The same for a restart, which moves the pose a long way.
const WORTH: f64 = 1e-3;
/// Sweeps after a restart, at most.
const ATTEMPT: u32 = 40;
/// Sweeps of restarts that led nowhere, at most, for each restart allowed.
const TRIES: u32 = 4 * ATTEMPT;
/// Price of a step of a joint for a goal, and of one of a ball inside a limit.
const STEP: usize = 80;
const BALL: usize = 480;
/// Price of the turn of a free ball that fits several goals.
const TURN: usize = 700;
/// Price of reading targets again that move with the pose, for each joint.
const FOLLOW: usize = 400;

/// Why a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Every goal is as near as it should be.
    Met,
    /// A sweep gains next to nothing.
    Stuck,
    /// No more sweeps are allowed.
    Spent,
}

/// A solve in progress.
#[derive(Debug)]
pub(super) struct Descent<'a> {
    pub(super) ccd: &'a Ccd,
    pub(super) skeleton: &'a Skeleton,
    pub(super) goals: &'a [Goal],
    pub(super) limits: Limits,
    pub(super) order: Order,
    /// Sweeps made so far.
    pub(super) sweeps: u32,
    /// Sweeps made in vain.
    pub(super) tried: u32,
    /// Price of a sweep.
    pub(super) price: usize,
    pub(super) budget: &'a mut Budget,
    /// Whether targets must be read again after each sweep.
    pub(super) live: bool,
}

/// States kept on the way.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Before the last sweep.
    before: State,
    /// The best before a restart.
    best: State,
    history: History,
    /// The pose that sweeps came to.
    pub(super) swept: Pose,
    /// The pose given, where targets move with the pose.
    given: Pose,
}

impl Kept {
    /// Grows the buffers at once, so that a later solve that needs more of them does not allocate.
    pub(super) fn fit(&mut self, tree: &PartTree, pose: &Pose) {
        self.before.clone_from(&tree.state);
        self.best.clone_from(&tree.state);
        self.history.fit(tree);
        self.given.clone_from(pose);
        self.swept.clone_from(pose);
    }
}

impl Descent<'_> {
    /// Descends until that creeps, and where `restarts` are wanted with them to the end; leaves the tree at the best state
    /// found, and the pose with it.
    pub(super) fn run(&mut self, tree: &mut PartTree, kept: &mut Kept, pose: &mut Pose, restarts: bool) -> Stop {
        self.live = tree.effectors.iter().any(|effector| effector.live);
        self.price = price_of_sweep(tree);
        if self.live {
            kept.given.clone_from(pose);
        }
        tree.up(None);
        self.follow(tree, &kept.given, pose);
        let stop = self.search(tree, kept, pose, restarts);
        if self.live {
            pose.clone_from(&kept.given);
        }
        tree.write(self.skeleton, pose);
        stop
    }

    fn search(&mut self, tree: &mut PartTree, kept: &mut Kept, pose: &mut Pose, restarts: bool) -> Stop {
        let beyond = self.ccd.iterations > 0 && self.limits.largest.is_none() && start_straight(tree, kept);
        let mut stop = self.descend(tree, kept, (self.ccd.iterations, CREEP), pose);
        if !restarts && !beyond {
            return stop;
        }
        let restarts = if beyond { self.ccd.restarts.min(EARLY) } else { self.ccd.restarts };
        if stop == Stop::Stuck {
            self.restart(tree, kept, restarts.min(EARLY), pose);
            stop = self.descend(tree, kept, (self.ccd.iterations, GAIN), pose);
        }
        while stop == Stop::Stuck && self.restart(tree, kept, restarts, pose) {
            stop = self.descend(tree, kept, (self.ccd.iterations, GAIN), pose);
        }
        stop
    }

    /// Restarts until one helps; whether one does. Else the tree is as it was.
    fn restart(&mut self, tree: &mut PartTree, kept: &mut Kept, restarts: u32, pose: &mut Pose) -> bool {
        let (cost, sweeps) = (tree.cost(), self.sweeps);
        let last = self.ccd.iterations.min(sweeps.saturating_add(ATTEMPT));
        kept.best.clone_from(&tree.state);
        for next in 0..restarts {
            if self.tried > self.ccd.restarts.saturating_mul(TRIES) || sweeps >= last || self.budget.is_spent() {
                break;
            }
            let restart = Restart { next };
            self.order = restart.order(self.ccd.order);
            restart.perturb(self.skeleton, tree);
            tree.up(None);
            self.follow(tree, &kept.given, pose);
            let ended = self.descend(tree, kept, (last, CREEP), pose);
            self.order = self.ccd.order;
            if ended == Stop::Met || has_gained(tree.cost(), cost, WORTH) {
                return true;
            }
            self.tried += self.sweeps - sweeps;
            self.sweeps = sweeps;
            tree.state.clone_from(&kept.best);
            tree.up(None);
            self.follow(tree, &kept.given, pose);
        }
        false
    }

    /// Sweeps up to the `last` one; a sweep that gains less than the share given is taken back.
    fn descend(&mut self, tree: &mut PartTree, kept: &mut Kept, (last, gain): (u32, f64), pose: &mut Pose) -> Stop {
        let mut cost = tree.cost();
        kept.history.begin(tree);
        loop {
            if tree.is_met() {
                return Stop::Met;
            }
            if self.sweeps >= last || self.budget.is_spent() {
                return Stop::Spent;
            }
            kept.before.clone_from(&tree.state);
            self.budget.spend(self.price);
            tree.sweep(self.order, &self.limits);
            self.sweeps += 1;
            self.follow(tree, &kept.given, pose);
            let next = tree.cost();
            if !has_gained(next, cost, gain) {
                tree.state.clone_from(&kept.before);
                tree.up(None);
                self.follow(tree, &kept.given, pose);
                return Stop::Stuck;
            }
            cost = if self.ccd.ahead && !self.live { kept.history.step_ahead(tree, next) } else { next };
        }
    }

    /// Reads targets that move with the pose, or count in part, again.
    fn follow(&mut self, tree: &mut PartTree, given: &Pose, pose: &mut Pose) {
        if !self.live {
            return;
        }
        self.budget.spend(FOLLOW * self.skeleton.len());
        pose.clone_from(given);
        tree.write(self.skeleton, pose);
        for at in 0..tree.effectors.len() {
            let goal = &self.goals[tree.effectors[at].place];
            if tree.effectors[at].live && tree.effectors[at].aim_at(goal, pose).is_some() {
                tree.set_targets(at);
            }
        }
    }
}

fn price_of_sweep(tree: &PartTree) -> usize {
    let of = |part: &Part| {
        let goals = (part.end - part.first) as usize;
        match part.motion {
            Freedom::Ball { limit, .. } if limit != BallLimit::Free => goals * BALL,
            Freedom::Ball { .. } if goals > 1 => goals * STEP + TURN,
            _ => goals * STEP,
        }
    };
    tree.parts.iter().filter(|part| part.moves).map(of).sum()
}

/// Whether a cost is lower by a share; not where it is not finite.
fn has_gained(cost: f64, before: f64, share: f64) -> bool {
    cost < before * (1.0 - share)
}

/// Starts from the chain laid straight where its goal is beyond reach, if that is better; whether it is
/// beyond.
fn start_straight(tree: &mut PartTree, kept: &mut Kept) -> bool {
    let cost = tree.cost();
    kept.before.clone_from(&tree.state);
    tree.down(None);
    let beyond = tree.straighten();
    if beyond && !has_gained(tree.cost(), cost, GAIN) {
        tree.state.clone_from(&kept.before);
        tree.up(None);
    }
    beyond
}
