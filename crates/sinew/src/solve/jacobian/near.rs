//! The answer near the pose given, where several goals are not all met.
//!
//! Joints have more freedom than goals ask for, so that many poses leave as much. Steps that are taken back, and other starts, come to
//! one of them by ways that fork: nearby targets get answers far apart. Where they have led far from the pose given and met not all,
//! [continuous](super::Method::Continuous) steps go from there anew. What they come to is the answer, unless the other is nearer by a
//! [margin](MARGIN).

use super::descend::Run;
use super::method::Method;
use super::valley::is_far;
use crate::math::ops;
use crate::pose::Pose;

/// Steps at most. HEURISTIC: of bodies out of reach inside limits nine in ten come within 1e-3 of the chain's length of the nearest pose.
pub(in crate::solve) const STEPS: u32 = 48;
/// Steps to an answer that need no others beside them, though it misses and is far. HEURISTIC: hardly any answer jumps that took as few.
pub(in crate::solve) const DIRECT: u32 = 5;
/// Length (of the chain, or radians) by which another answer must be nearer to be taken.
pub(in crate::solve) const MARGIN: f64 = 3e-3;

impl Run<'_> {
    /// Whether an answer that misses is looked for near the pose given, too: of several goals of one level, by the default method with
    /// as many steps at least. A posture says by itself which pose it is, and leads away from the one given in every frame.
    pub(super) fn looks_near(&self) -> bool {
        !self.is_tried
            && self.solver.restarts == 0
            && self.solver.posture.is_none()
            && self.solver.iterations >= STEPS
            && self.solver.method == Method::LevenbergMarquardt
            && self.is_strict()
            && self.plan.has_several()
    }

    /// Takes the answer near the pose given, which is in `history.first`, where the one found misses and is far from there. Its steps
    /// do not count, as those from other starts do not. What is left is in `history.given_score`.
    pub(super) fn keep_near(&mut self, pose: &mut Pose) {
        if self.history.given_score.is_enough() || !is_far(self.skeleton, &self.history.first, pose) {
            return;
        }
        self.history.winner.clone_from(pose);
        self.history.winner_score.copy(&self.history.given_score);
        core::mem::swap(&mut self.history.first, pose);
        self.measure(pose);
        let left = core::mem::replace(&mut self.left, STEPS);
        self.bend(false);
        self.system.evenly = true;
        self.descend_continuously(pose);
        self.system.evenly = false;
        self.left = left;
        let (near, found) = (&self.history.given_score, &self.history.winner_score);
        if ops::sqrt(near.first_square()) > ops::sqrt(found.first_square()) + MARGIN {
            core::mem::swap(&mut self.history.winner, pose);
            self.history.given_score.copy(&self.history.winner_score);
        }
    }
}
