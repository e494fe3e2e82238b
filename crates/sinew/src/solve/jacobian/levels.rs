//! Descent where goals come first and second: steps serve all levels at once, each in what those before
//! leave free, and are taken as they come.
//!
//! What is free is so to first order only, so the steps of lower levels are eased off where the first
//! one loses by them, and in the end the levels that were met but for that are met again alone.

use super::descend::{HELD, LONGER, LONGEST, Run};
use crate::pose::Pose;

/// Steps in a row that may gain too little.
const RESTLESS: u32 = 8;
/// Share of what is left that a step must gain, and error (lengths of the chain, or radians) below which a
/// level is as good as met on the way; without a posture, and with one: a posture found less exactly
/// depends on where the solve began, so that loops would drift.
const GAIN: (f64, f64) = (1e-3, 1e-6);
const NEAR: (f64, f64) = (1e-4, 1e-5);
/// Change of the ease after steps by which the first level lost, and after others.
const LOST: f64 = 0.1;
const KEPT: f64 = 1.2;
/// Steps at most to meet levels again.
const AGAIN: u32 = 12;

impl Run<'_> {
    /// The one or the other of a pair: without a posture, or with one.
    fn chosen(&self, (without, with): (f64, f64)) -> f64 {
        if self.system.posture_step.is_some() { with } else { without }
    }

    pub(super) fn descend_by_levels(&mut self, pose: &mut Pose, beside: bool) {
        let (gain, near) = (self.chosen(GAIN), self.chosen(NEAR));
        let (mut idle, mut steps) = (0, 0);
        while self.has_steps() && idle < RESTLESS && !self.is_done() {
            self.left -= 1;
            steps += 1;
            self.derive(pose);
            let held = if beside && steps <= HELD { self.plan.upper_freedoms() } else { usize::MAX };
            if !self.step(pose, 1.0, held) {
                break;
            }
            if !self.history.next.is_finite() {
                break;
            }
            self.ease_off();
            idle = if self.keep_best(pose, gain, near) { 0 } else { idle + 1 };
            self.system.longest = (self.system.longest * LONGER).min(LONGEST.1);
        }
        core::mem::swap(&mut self.history.best, pose);
        self.history.best.clone_from(pose);
        self.meet_again(pose);
        self.measure(pose);
        if self.history.best_score.beats(&self.history.now, 0.0, 0.0) {
            core::mem::swap(&mut self.history.best, pose);
        } else {
            self.history.best_score.copy(&self.history.now);
        }
    }

    /// Lets lower levels take less of their step where the first one lost by it more than can be made good in
    /// the end, else more again.
    fn ease_off(&mut self) {
        let near = self.chosen(NEAR);
        let (now, next) = (&self.history.now, &self.history.next);
        let lost = next.near_levels(near) == 0 && next.first_square() > now.first_square();
        self.system.ease = if lost { LOST * self.system.ease } else { (KEPT * self.system.ease).min(1.0) };
    }

    /// Steps for the levels alone that were as good as met, until they are.
    fn meet_again(&mut self, pose: &mut Pose) {
        let near = self.chosen(NEAR);
        for _ in 0..AGAIN {
            self.measure(pose);
            let firm = self.history.now.near_levels(near);
            if firm == 0 || self.history.now.near_levels(0.0) >= firm {
                return;
            }
            (self.system.ease, self.system.firm) = (0.0, firm);
            self.derive(pose);
            if !self.step(pose, 1.0, usize::MAX) {
                return;
            }
        }
    }
}
