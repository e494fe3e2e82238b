//! A descent of which each step is taken, as long as the parabola through what is left before and after says: none is tried again, and all
//! are taken back only together. Each is the exact least squares within the limits (see `within`). So the answer goes evenly with the
//! targets, also where steps end before they have settled: the last ones are taken in part, the less of them, the less they promise.
//!
//! Source of the damping: Sugihara, *Solvability-Unconcerned Inverse Kinematics by the Levenberg–Marquardt Method* (2011).

use super::descend::{LONGEST, Run};
use crate::math::smooth::smooth;
use crate::pose::Pose;

/// Share of the square of what is left that a step must promise.
pub(super) const SETTLED: f64 = 1e-10;
/// The same where an answer near the pose given is all that is looked for: beside it, and farther away.
pub(super) const CALM: f64 = 2e-4;
pub(super) const FINE: f64 = 1e-8;
/// How many times as much a step promises of which all is taken.
const AMPLE: f64 = 4.0;
/// How many steps the parts that are left out may add up to: near a minimum steps would else grow smaller for as long as there are any.
const LEFT_OUT: f64 = 1.0;
/// Square of what is left (lengths of the chain, or radians) of goals that are nearly met, and the share of it that a slow step leaves.
pub(super) const CLOSE: f64 = 1e-7;
const SLOW: f64 = 0.5;

impl Run<'_> {
    /// Steps until everything is met, nothing moves, no step is left, or one promises less than this share of the square of what is left;
    /// all of them are taken back if the goals are farther off than they were. What is left is in `history.given_score`. What is measured
    /// must be the pose. They also end where less than the square `close` is left and they are slow. Whether columns and errors are those of
    /// the pose left.
    pub(super) fn descend_continuously(&mut self, pose: &mut Pose, least: f64, close: f64) -> bool {
        self.history.given.clone_from(pose);
        self.history.given_score.copy(&self.history.now);
        (self.system.ease, self.system.firm, self.system.longest) = (1.0, 1, LONGEST.0);
        self.system.within.forget();
        let (mut settles, mut spare) = (false, LEFT_OUT);
        let mut before = self.history.now.first_square();
        let mut now = before;
        while self.has_steps() && !self.is_settled(now, before) {
            self.left -= 1;
            self.derive(pose);
            self.find_step(pose, 1.0, usize::MAX);
            settles = self.is_strict() && !self.shorten(least, &mut spare);
            if settles || !self.take_as_worth(pose) {
                break;
            }
            core::mem::swap(&mut self.history.now, &mut self.history.next);
            (before, now) = (now, self.history.now.first_square());
            if now < close && now > SLOW * before {
                break;
            }
        }
        if self.history.given_score.beats(&self.history.now, 0.0, 0.0) {
            core::mem::swap(&mut self.history.given, pose);
            return false;
        }
        self.history.given_score.copy(&self.history.now);
        settles
    }

    /// Leaves a part of a step found that promises little more than this share of the square of what is left; whether any is left.
    fn shorten(&mut self, least: f64, spare: &mut f64) -> bool {
        let least = least * self.history.now.first_square();
        let promises = smooth(self.history.expected, (least, AMPLE * least));
        let share = promises * spare.min(1.0);
        *spare -= 1.0 - promises;
        if share < 1.0 {
            self.history.expected *= share;
            self.system.step.iter_mut().for_each(|y| *y *= share);
        }
        share > 0.0
    }

    /// Takes the step found, as far as it is worth; `false` where nothing would move.
    pub(super) fn take_as_worth(&mut self, pose: &mut Pose) -> bool {
        if !self.take_step(pose) {
            return false;
        }
        let share = if self.is_strict() { self.worth() } else { 1.0 };
        if share < 1.0 {
            self.system.step.iter_mut().for_each(|y| *y *= share);
            pose.clone_from(&self.history.before);
            self.apply_step(pose);
        }
        true
    }

    /// The share of the last step that leaves least: of the parabola through what is left before and after it that falls at first as much
    /// as the step promised; all of it where that falls to its end.
    fn worth(&self) -> f64 {
        let promised = self.history.expected;
        let lacks = promised + self.history.next.first_square() - self.history.now.first_square();
        if 2.0 * lacks > promised { (0.5 * promised / lacks).max(0.0) } else { 1.0 }
    }
}
