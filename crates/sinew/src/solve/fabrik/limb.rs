//! Closing a limb: the bodies of an only effector, where the uppermost stays in its place. Free balls are a
//! chain of points and are closed exactly (`points.rs`); others are laid straight towards a target beyond reach.

use glam::DVec3;

use super::body::{BodyMotion, NONE};
use super::effector::Effector;
use super::points::{Options, place};
use super::tree::BodyTree;
use crate::goal::Goal;
use crate::math::arc;
use crate::math::fit::Pair;
use crate::skeleton::Skeleton;
use crate::solve::Status;

/// Share of the limb's length below which it stays as it is.
const STILL: f64 = 1e-11;
/// The same of a limb that its limits turn aside anyway.
const ROUGH: f64 = 1e-6;

impl BodyTree {
    /// Lists the bodies of the only effector, its own last; whether they are one limb whose root stays.
    pub(super) fn limb(&mut self) -> bool {
        let Effector { body, top, .. } = self.effectors[0];
        self.path.clear();
        let mut at = body;
        while at != NONE && self.acts(at, 0) && !self.bodies[at].travels {
            self.path.push(at);
            at = self.bodies[at].above;
        }
        self.path.reverse();
        self.path.first() == Some(&top)
    }

    /// Closes the limb just listed, if all are free balls; whether it did.
    pub(super) fn close_free(&mut self, skeleton: &Skeleton, goals: &[Goal]) -> bool {
        let (end, count) = (self.effectors[0], self.path.len());
        let Some(target) = end.target else { return false };
        if self.path.iter().any(|&body| self.bodies[body].motion != BodyMotion::Free) {
            return false;
        }
        let (target, placed) = end.turn.map_or((target, count), |turn| (target - turn * end.point, count - 1));
        if placed > 0 {
            if !self.close_points(target, placed, skeleton, STILL) {
                return false;
            }
            self.lay_along(skeleton, placed);
        }
        if let Some(turn) = end.turn {
            let (above, place) = (self.above(end.body), self.placed(end.body));
            self.bodies[end.body].place = place;
            self.bodies[end.body].turn_to(skeleton, above, turn);
        }
        self.update(goals, self.path[0]);
        true
    }

    /// Bends the limb just listed, balls alone, as if they were free, as far as their limits let it; whether it is one.
    pub(super) fn bend_within(&mut self, skeleton: &Skeleton, goals: &[Goal]) -> bool {
        let Some(target) = self.effectors[0].target.filter(|_| self.effectors[0].turn.is_none()) else { return false };
        let is_hinge = |&body: &usize| matches!(self.bodies[body].motion, BodyMotion::Hinge { .. });
        if self.path.iter().any(is_hinge) || !self.close_points(target, self.path.len(), skeleton, ROUGH) {
            return false;
        }
        self.lay_along(skeleton, self.path.len());
        self.refresh(goals);
        true
    }

    /// Lays the limb just listed straight towards a target beyond its bones; whether that brings the point as
    /// near as can be.
    pub(super) fn stretch(&mut self, skeleton: &Skeleton, goals: &[Goal]) -> bool {
        let end = self.effectors[0];
        let root = self.bodies[end.top].place;
        let far = |target: &DVec3| arc::length(*target - root) > end.reach;
        let Some(target) = end.target.filter(|target| end.turn.is_none() && far(target)) else { return false };
        let Some(way) = arc::unit(target - root) else { return false };
        self.keep();
        let mut at = root;
        self.points.clear();
        self.points.push(at);
        for step in 0..self.path.len() {
            let arm = self.path.get(step + 1).map_or(end.point, |&next| self.bodies[next].offset);
            at += way * arc::length(arm);
            self.points.push(at);
        }
        self.lay_along(skeleton, self.path.len());
        self.update(goals, 0);
        let done = self.effectors[0].is_done(&self.bodies);
        if !done {
            self.go_back(goals);
        }
        done
    }

    /// Solves the limb's first `placed` bodies as points, to a share of their length; whether they have one.
    fn close_points(&mut self, target: DVec3, placed: usize, skeleton: &Skeleton, tolerance: f64) -> bool {
        let end = self.effectors[0];
        self.points.clear();
        self.lengths.clear();
        for (at, &body) in self.path[..placed].iter().enumerate() {
            let here = self.bodies[body].place;
            self.points.push(here);
            let arm = self.path.get(at + 1).map_or(end.point, |&next| self.bodies[next].offset);
            self.lengths.push(arc::length(arm));
        }
        self.points.push(self.path.get(placed).map_or(end.place, |&next| self.bodies[next].place));
        let bend = self.bend(skeleton, placed, target);
        let options = Options { tolerance, bend, whole: self.whole, ..Options::default() };
        let solved = place(&mut self.points, &self.lengths, target, &options, !self.is_sheared);
        solved.status != Status::Singular && solved.status != Status::Invalid
    }

    /// To which side the limb folds where it is straight: a joint's own preference, else a side of its own.
    fn bend(&self, skeleton: &Skeleton, placed: usize, target: DVec3) -> DVec3 {
        let first = &self.bodies[self.path[0]];
        let chord = self.points[placed] - self.points[0];
        let line = if chord == DVec3::ZERO { target - first.place } else { chord };
        let preferred = self.path[..placed].iter().skip(1).chain(self.path.first()).find_map(|&body| {
            let axis = skeleton.bend(self.bodies[body].joint)?;
            arc::unit(line.cross(self.bodies[body].turn * axis))
        });
        let length = arc::length(line);
        let side = |axis: DVec3| {
            let across = first.turn * axis;
            (length == 0.0 || arc::length(across.cross(line)) > 0.5 * length).then_some(across)
        };
        preferred.or_else(|| DVec3::AXES.into_iter().find_map(side)).unwrap_or(first.turn * DVec3::X)
    }

    /// Turns the limb's bodies along the points.
    fn lay_along(&mut self, skeleton: &Skeleton, placed: usize) {
        for at in 0..placed {
            let body = self.path[at];
            let (above, place) = (self.above(body), self.placed(body));
            let arm = self.points[at + 1] - self.points[at];
            let held = self.path.get(at + 1).map_or(self.effectors[0].point, |&next| self.bodies[next].offset);
            let body = &mut self.bodies[body];
            body.place = place;
            body.turn = body.carried(above, body.local);
            if arc::length(body.turn * held - arm) > STILL * arc::length(arm) {
                body.fit_turned(skeleton, above, &[Pair { arm: held, to: arm, weight: 1.0 }]);
            }
        }
    }
}
