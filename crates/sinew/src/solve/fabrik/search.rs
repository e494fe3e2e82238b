//! The search from one start: passes as long as they gain, and the best state on the way.

use super::tree::{BodyTree, Kept};
use crate::goal::Goal;
use crate::skeleton::Skeleton;
use crate::solve::budget::Budget;

/// Share of the cost that a pass must gain to count, and share left after which another kind of pass is tried.
pub(super) const GAIN: f64 = 5e-3;
const SLOW: f64 = 0.5;
/// Passes without gain before a start is given up.
const PATIENCE: u32 = 3;

/// The best state so far, with its cost and the share of it at which another wins.
#[derive(Debug)]
pub(super) struct Search<'a> {
    pub(super) best: Kept,
    pub(super) least: f64,
    pub(super) share: f64,
    pub(super) passes: u32,
    pub(super) gained: bool,
    pub(super) budget: &'a mut Budget,
}

impl Search<'_> {
    /// Keeps the tree's state if it is better; whether it is.
    fn offer(&mut self, tree: &BodyTree, cost: f64) -> bool {
        let is_better = cost < self.least * self.share || (cost < self.least && tree.is_met());
        if is_better {
            (self.least, self.share, self.gained) = (cost, 1.0 - GAIN, true);
            tree.save(&mut self.best);
        }
        is_better
    }

    /// Passes from where the tree is, as long as they gain; ends with the best so far.
    pub(super) fn descend(
        &mut self,
        skeleton: &Skeleton,
        goals: &[Goal],
        tree: &mut BodyTree,
        most: u32,
        steps_first: bool,
    ) {
        let (mut passes, mut stuck, mut floor, mut is_best) = (0, 0, f64::INFINITY, false);
        while passes < most && stuck < PATIENCE && !self.budget.is_spent() && !(passes > 0 && tree.is_done()) {
            if steps_first && passes == 0 {
                tree.turn_tops(skeleton, goals);
                tree.step_all(skeleton, goals, self.budget);
            } else {
                pass(skeleton, goals, tree, self.budget);
            }
            passes += 1;
            self.budget.spend(tree.prices.pass);
            let cost = tree.cost();
            stuck = if cost > floor * (1.0 - GAIN) { stuck + 1 } else { 0 };
            floor = floor.min(cost);
            is_best = self.offer(tree, cost);
        }
        self.passes += passes;
        if !is_best {
            tree.restore(&self.best, goals);
        }
    }
}

/// Back and forth once, a turning pass where that gains little, and steps of least turn for the rest.
fn pass(skeleton: &Skeleton, goals: &[Goal], tree: &mut BodyTree, budget: &mut Budget) {
    let before = tree.cost();
    // What has one goal may be closed at once.
    if tree.effectors.len() == 1 && tree.limb() {
        if tree.close_free(skeleton, goals) || tree.stretch(skeleton, goals) {
            return;
        }
        if tree.bend_within(skeleton, goals) {
            tree.step_all(skeleton, goals, budget);
            if tree.is_met() {
                return;
            }
        }
    }
    tree.back(skeleton);
    tree.forth(skeleton, goals);
    // All joints share a look before any takes it alone.
    if tree.effectors.iter().any(|effector| effector.ray.is_some() && !effector.is_met()) {
        tree.step_all(skeleton, goals, budget);
    }
    if tree.cost() > SLOW * before {
        tree.turn_all(skeleton, goals);
    }
    if !tree.is_met() {
        tree.perturb(skeleton, goals);
        tree.step_all(skeleton, goals, budget);
    }
}
