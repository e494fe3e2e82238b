//! Closing a limb: the bodies that only one goal moves, from its effector up to the first that others
//! move, too. Free balls are a chain of points and are closed exactly (`points.rs`); where a limit, a hinge
//! or a rotation stands in the way, Newton's step of least turn takes what is left.

use glam::{DQuat, DVec3};

use super::body::{Motion, NONE};
use super::fit::Pair;
use super::points::{Options, solve_points};
use super::tree::Tree;
use crate::goal::Goal;
use crate::math::arc;
use crate::skeleton::Skeleton;
use crate::solve::Status;

/// Share of the limb's length below which it stays as it is.
const STILL: f64 = 1e-11;

impl Tree {
    /// Lists the bodies that only this effector moves, its own last; whether all are free balls.
    pub(super) fn limb(&mut self, effector: usize) -> bool {
        self.path.clear();
        let (mut at, mut free) = (self.effectors[effector].body, true);
        while at != NONE {
            let others = (0..self.effectors.len()).any(|e| e != effector && self.acts(at, e));
            if others || !self.acts(at, effector) || self.bodies[at].travels {
                break;
            }
            free &= self.bodies[at].motion == Motion::Free;
            self.path.push(at);
            at = self.bodies[at].above;
        }
        self.path.reverse();
        free && !self.path.is_empty()
    }

    /// Whether the limb just listed is all that the effector moves.
    pub(super) fn is_whole_limb(&self, effector: usize) -> bool {
        let count = (0..self.bodies.len()).filter(|&body| self.acts(body, effector)).count();
        count == self.path.len()
    }

    /// Closes a limb of free balls; the status, or `None` where it is none.
    pub(super) fn close_free(&mut self, skeleton: &Skeleton, goals: &[Goal], effector: usize) -> Option<Status> {
        if !self.limb(effector) {
            return None;
        }
        self.refresh(goals);
        let end = self.effectors[effector];
        let last = *self.path.last()?;
        let (target, placed) = match (end.target, end.turn) {
            (Some(target), Some(turn)) => (target - turn * end.point, self.path.len() - 1),
            (Some(target), None) => (target, self.path.len()),
            (None, _) => return None,
        };
        let mut status = Status::Reached;
        if placed > 0 {
            status = self.close_points(effector, target, placed, skeleton)?;
            self.lay_along(skeleton, placed);
        }
        if let Some(turn) = end.turn {
            let above = self.above(last);
            self.bodies[last].place = self.placed(last);
            self.bodies[last].turn_to(skeleton, above, turn);
        }
        let first = self.path[0];
        self.update(goals, first);
        Some(status)
    }

    /// Lays a limb with limits straight towards a target beyond its bones; whether that brings the point as
    /// near as can be.
    pub(super) fn stretch(&mut self, skeleton: &Skeleton, goals: &[Goal], effector: usize) -> bool {
        let end = self.effectors[effector];
        let far = |target: DVec3, tree: &Self| arc::length(target - tree.bodies[tree.path[0]].place) > end.reach;
        self.limb(effector);
        if self.path.first() != Some(&end.top) || end.turn.is_some() {
            return false;
        }
        let Some(target) = end.target.filter(|&target| far(target, self)) else { return false };
        let root = self.bodies[self.path[0]].place;
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
        let done = self.effectors[effector].is_done(&self.bodies);
        if !done {
            self.go_back(goals);
        }
        done
    }

    /// Solves the limb's first `placed` bodies as points.
    fn close_points(&mut self, effector: usize, target: DVec3, placed: usize, skeleton: &Skeleton) -> Option<Status> {
        let end = self.effectors[effector];
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
        let options = Options { tolerance: STILL, bend, whole: self.whole, ..Options::default() };
        let solved = solve_points(&mut self.points, &self.lengths, target, &options);
        (solved.status != Status::Singular && solved.status != Status::Invalid).then_some(solved.status)
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
            let held = self.path.get(at + 1).map(|&next| self.bodies[next].offset);
            let held = held.unwrap_or_else(|| self.own_point(body));
            let body = &mut self.bodies[body];
            body.place = place;
            let carried: DQuat = body.carried(above, body.local);
            if arc::length(carried * held - arm) <= STILL * arc::length(arm) {
                body.turn = carried;
            } else {
                body.fit(skeleton, above, &[Pair { arm: held, to: arm, weight: 1.0 }]);
            }
        }
    }

    /// The point of the goal that ends at a body.
    fn own_point(&self, body: usize) -> DVec3 {
        let own = self.effectors.iter().enumerate().find(|(e, each)| each.body == body && self.acts(body, *e));
        own.map_or(DVec3::ZERO, |(_, effector)| effector.point)
    }
}
