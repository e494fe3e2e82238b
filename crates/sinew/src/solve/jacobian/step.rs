//! One step of a descent: found from the columns derived, taken, corrected, kept where it gains.

use super::active::apply;
use super::descend::{GAIN, LONGEST, Run};
use crate::math::ops;
use crate::pose::Pose;

/// Step (radians, or lengths of the chain), as a share of what is left, that counts as none: what grows
/// from less is rounding, which must not choose the way a straight chain bends.
const STILL: f64 = 1e-6;
/// Price of a step at all, and of moving a pose and measuring it, for each joint.
const STEP: usize = 700;
const MOVE: usize = 60;

impl Run<'_> {
    /// Takes out what the bend of the way left in the goals that a step had met: where a goal stands at the end of its reach, a step
    /// gains there no more than it loses at all others. Source: the second-order correction of sequential quadratic programming,
    /// Nocedal & Wright, *Numerical Optimization* (2006), section 15.6. What hardly moves with the joints is left alone by a damping
    /// as large as what is left.
    pub(super) fn correct(&mut self, pose: &mut Pose, held: usize) {
        let (expected, most, square) = (self.history.expected, self.system.most, self.history.next.first_square());
        self.bend(false);
        self.derive(pose);
        self.find_step(pose, 2.0 / ops::sqrt(square), held);
        if self.take_step(pose) && self.history.next.first_square() >= square {
            pose.clone_from(&self.history.before);
            self.measure_errors(pose);
            self.history.next.add_up(self.plan, self.system);
        }
        self.bend(true);
        (self.history.expected, self.system.most) = (expected, most);
    }

    /// Takes the step that is left at a minimum, for the last digits.
    pub(super) fn polish(&mut self, pose: &mut Pose) {
        self.apply_step(pose);
        let _ = self.keep_best(pose, GAIN, 0.0);
    }

    /// Makes a step from the columns derived: the pose before is in `history.before`, what is left after in
    /// `history.next`. `false` where nothing would move.
    pub(super) fn step(&mut self, pose: &mut Pose, extra_damping: f64, held: usize) -> bool {
        self.find_step(pose, extra_damping, held);
        self.take_step(pose)
    }

    /// Finds a step from the columns derived, and what it promises.
    pub(super) fn find_step(&mut self, pose: &Pose, extra_damping: f64, held: usize) {
        self.step_within(pose, extra_damping, held);
        self.history.expected = self.system.expected();
    }

    /// The share of the square of what is left that a first step from the pose, whose errors are measured, would gain, were it as
    /// long as it would.
    pub(super) fn outlook(&mut self, pose: &Pose) -> f64 {
        (self.system.ease, self.system.firm, self.system.longest) = (1.0, 1, LONGEST.0);
        self.bend(false);
        self.derive(pose);
        self.find_step(pose, 1.0, usize::MAX);
        let left = 1.0 - self.system.ask;
        self.history.expected / (self.system.square() * (1.0 - left * left))
    }

    /// Takes the step found; `false` where nothing would move.
    pub(super) fn take_step(&mut self, pose: &mut Pose) -> bool {
        let still = STILL * self.history.now.least_unmet();
        if self.system.step.iter().all(|y| y.abs() <= still) {
            return false;
        }
        self.history.before.clone_from(pose);
        self.apply_step(pose);
        true
    }

    /// Moves the pose by the step; what is left is in `history.next`.
    pub(super) fn apply_step(&mut self, pose: &mut Pose) {
        self.system.budget().spend(STEP + MOVE * self.skeleton.len());
        apply(self.plan, self.system, self.skeleton, pose);
        self.measure_errors(pose);
        self.history.next.add_up(self.plan, self.system);
    }

    /// Takes `history.next` for what is left now, and the pose for the best where it is; whether it gained.
    pub(super) fn keep_best(&mut self, pose: &Pose, gain: f64, near: f64) -> bool {
        let gains = self.history.next.beats(&self.history.best_score, gain, near);
        if self.history.next.beats(&self.history.best_score, 0.0, near) {
            self.history.best.clone_from(pose);
            self.history.best_score.copy(&self.history.next);
        }
        core::mem::swap(&mut self.history.now, &mut self.history.next);
        gains
    }
}
