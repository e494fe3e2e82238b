//! Collinear joints: a straight chain with its target on the line feels no pull to either side. It is bent a
//! little, each joint its own way, before the next step; never in the answer.

use glam::DQuat;

use super::body::BodyMotion;
use super::tree::BodyTree;
use crate::goal::Goal;
use crate::math::arc;
use crate::skeleton::Skeleton;

/// Turn of each joint (radians).
const PERTURBATION: f64 = 0.25;
/// Share of its arm by which a joint must be able to move the goal's point for the chain not to be dead.
const DEAD: f64 = 1e-6;

impl BodyTree {
    /// Bends the way of every goal that pulls along its straight chain, towards its root.
    pub(super) fn perturb(&mut self, skeleton: &Skeleton, goals: &[Goal]) {
        let mut any = false;
        for e in 0..self.effectors.len() {
            if self.is_dead(skeleton, e) {
                any = true;
                for body in 0..self.bodies.len() {
                    if self.acts(body, e) {
                        self.bend_one(skeleton, body);
                    }
                }
            }
        }
        if any {
            self.update(goals, 0);
        }
    }

    /// Whether no joint can move the goal's point towards its target, which lies nearer than the point.
    fn is_dead(&self, skeleton: &Skeleton, e: usize) -> bool {
        let effector = &self.effectors[e];
        let Some(way) = arc::unit(effector.off()).filter(|_| !effector.is_met() && effector.turn.is_none()) else {
            return false;
        };
        let mut top = None;
        for body in (0..self.bodies.len()).filter(|&body| self.acts(body, e)) {
            let arm = effector.place - self.bodies[body].place;
            let lever = match self.bodies[body].motion {
                BodyMotion::Hinge { axis, .. } => {
                    self.bodies[body].axis(skeleton, self.above(body), axis).cross(arm).dot(way).abs()
                }
                _ => arc::length(arm.cross(way)),
            };
            if lever > DEAD * effector.reach {
                return false;
            }
            top = top.or(Some(arm));
        }
        top.is_some_and(|arm| arm.dot(way) < 0.0)
    }

    /// Bends one joint: a hinge into its range, a ball about the axis it prefers, or one of its own.
    fn bend_one(&mut self, skeleton: &Skeleton, body: usize) {
        let body = &mut self.bodies[body];
        if let BodyMotion::Hinge { axis, range } = body.motion {
            let middle = 0.5 * (range.min + range.max);
            let prefers = skeleton.bend(body.joint).map(|bend| bend.dot(axis));
            let into = if middle.is_finite() { middle - body.value } else { 0.0 };
            let sign = if prefers.unwrap_or(into) < 0.0 { -1.0 } else { 1.0 };
            body.set_value(skeleton, range.clamp(body.value + sign * PERTURBATION));
            return;
        }
        let axis = skeleton.bend(body.joint).unwrap_or_else(|| {
            // Across the bone, in the joint's own frame.
            let mut bones = skeleton.children(body.joint).map(|child| skeleton.rest(child).translation);
            bones.find_map(arc::unit).map_or(glam::DVec3::X, arc::any_perpendicular)
        });
        let turn: DQuat = arc::axis_angle(axis, PERTURBATION);
        (body.local, body.value) = body.nearest(skeleton, arc::normalize(body.local * turn));
    }
}
