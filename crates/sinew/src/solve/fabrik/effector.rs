//! Goals as the solve sees them: points and rotations of bodies, with their targets in the solve's space.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::body::Body;
use super::ray::{Ray, RayTarget, carried};
use super::space::Space;
use crate::goal::Goal;
use crate::math::arc;

/// A goal of weight, hung on the body that carries its joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effector {
    /// Place among the caller's goals.
    pub(super) goal: usize,
    pub(super) body: usize,
    /// The goal's point in the body's frame.
    pub(super) point: DVec3,
    /// Where the point, and how the body, should be; refreshed before every pass.
    pub(super) target: Option<DVec3>,
    pub(super) turn: Option<DQuat>,
    /// The ray of an aim, whose turn is the shortest from where the body is.
    pub(super) ray: Option<Ray>,
    pub(super) pull: f64,
    /// Length of the bones between (the unit of its tolerance).
    pub(super) reach: f64,
    /// How near to the uppermost body the point can be brought; below zero where at all.
    pub(super) fold: f64,
    /// The uppermost body that moves for it.
    pub(super) top: usize,
    /// Near enough, in the solve's space and in radians.
    pub(super) near: (f64, f64),
    /// Where the point is now, and how the body is turned, in the course of a pass.
    pub(super) place: DVec3,
    pub(super) now: DQuat,
    /// The joint a target is measured from, if a body carries it: that body, and the joint's frame in its.
    pub(super) measured_from: Option<(usize, DAffine3)>,
    /// The target as given, in the solve's space or in the frame measured from.
    pub(super) given: (Option<DVec3>, Option<DQuat>),
    pub(super) space: usize,
}

/// Share of the reach by which a point may be off its nearest place.
const RIM: f64 = 1e-13;
/// Length that a radian of a rotation goal counts for, as a share of the reach.
const RADIAN: f64 = 0.3;

impl Effector {
    /// Takes in the target of another goal for the same point: both are nearest at their mean by pull.
    pub(super) fn share(&mut self, target: DVec3, pull: f64) {
        let sum = self.pull + pull;
        self.given.0 = self.given.0.map(|own| own + (target - own) * (pull / sum));
        self.pull = sum;
    }

    /// How far off the point is.
    pub(super) fn off(&self) -> DVec3 {
        self.target.map_or(DVec3::ZERO, |target| target - self.place)
    }

    /// The turn that is left, as a rotation vector.
    pub(super) fn turn_off(&self) -> DVec3 {
        self.turn.map_or(DVec3::ZERO, |turn| {
            let left = turn * self.now.conjugate();
            let sign = if left.w < 0.0 { -2.0 } else { 2.0 };
            DVec3::new(left.x, left.y, left.z) * sign
        })
    }

    /// Length that a radian counts for.
    pub(super) fn radian(&self) -> f64 {
        RADIAN * self.reach
    }

    pub(super) fn is_met(&self) -> bool {
        arc::length(self.off()) <= self.near.0 && arc::length(self.turn_off()) <= self.near.1
    }

    /// Whether it is met, or the bones are too short or too long to bring it nearer.
    pub(super) fn is_done(&self, bodies: &[Body]) -> bool {
        let rest = RIM * self.reach;
        self.is_met()
            || self.turn.is_none() && self.beyond(bodies).is_some_and(|beyond| arc::length(self.off()) <= beyond + rest)
    }

    /// How much farther the target is than the bones reach, or nearer than they fold.
    pub(super) fn beyond(&self, bodies: &[Body]) -> Option<f64> {
        let far = arc::length(self.target? - bodies.get(self.top)?.place);
        let beyond = (far - self.reach).max(self.fold - far);
        (beyond > 0.0 && !bodies[self.top].travels).then_some(beyond)
    }

    /// What is left, squared, in units of the reach.
    pub(super) fn cost(&self) -> f64 {
        let (off, turn) = (self.off() / self.reach, self.turn_off() * RADIAN);
        self.pull * (off.dot(off) + turn.dot(turn))
    }

    /// Takes place and rotation from the body.
    pub(super) fn ride(&mut self, bodies: &[Body]) {
        let body = &bodies[self.body];
        self.place = body.place + body.turn * self.point;
        self.now = body.turn;
    }

    /// Brings the targets up to date: what they are measured from may have moved, and masked components stay
    /// where the point is.
    pub(super) fn refresh(&mut self, goal: &Goal, bodies: &[Body], spaces: &[Space]) {
        self.ride(bodies);
        if self.ray.is_some() {
            return self.look(bodies, spaces);
        }
        let (mut target, mut turn) = self.given;
        if let Some((body, frame)) = self.measured_from {
            let body = &bodies[body];
            let (from, to) = (&spaces[body.space], &spaces[self.space]);
            let point = |p: DVec3| to.into.transform_point3(from.out.transform_point3(p));
            target = target.map(|t| point(body.place + body.turn * frame.transform_point3(t)));
            turn = turn.map(|q| body.turn * q);
        }
        let out = &spaces[self.space];
        if !goal.mask.position.all() {
            let now = out.out.transform_point3(self.place);
            let masked = |t: DVec3| DVec3::select(goal.mask.position, out.out.transform_point3(t), now);
            target = target.map(|t| out.into.transform_point3(masked(t)));
        }
        if !goal.mask.rotation.all() {
            turn = turn.map(|q| {
                let left = conjugated(&out.out, &out.into, q * self.now.conjugate());
                let v = DVec3::select(goal.mask.rotation, arc::rotation_vector(left), DVec3::ZERO);
                let left = arc::unit(v).map_or(DQuat::IDENTITY, |axis| arc::axis_angle(axis, arc::length(v)));
                arc::normalize(conjugated(&out.into, &out.out, left) * self.now)
            });
        }
        (self.target, self.turn) = (target, turn);
    }

    /// Brings an aim up to date with where the body is.
    fn look(&mut self, bodies: &[Body], spaces: &[Space]) {
        let Some(mut ray) = self.ray else { return };
        let mut mark: RayTarget = ray.given;
        if let Some((body, frame)) = self.measured_from {
            let body = &bodies[body];
            let (from, to) = (&spaces[body.space], &spaces[self.space]);
            let point = |v: DVec3| carried(&frame, (body.place, body.turn), v);
            mark = mark.through(|v| to.into.transform_point3(from.out.transform_point3(point(v))));
        }
        self.turn = Some(ray.look(mark, (self.place, self.now), self.reach));
        self.ray = Some(ray);
    }
}

/// A turn carried by a map, whose inverse is given: `map · turn · back`.
pub(super) fn conjugated(map: &DAffine3, back: &DAffine3, turn: DQuat) -> DQuat {
    arc::rotation_of(&(map.matrix3 * DMat3::from_quat(turn) * back.matrix3)).unwrap_or(turn)
}
