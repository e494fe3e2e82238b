//! Heels that rise for legs that reach no farther.

use glam::{DAffine3, DVec3};
use sinew::Pose;
use sinew::math::arc;

use super::foot::Footing;
use super::leg::{Measured, SOFT};
use crate::least_jerk::{rounded, smooth};

/// How far a heel rises at most for a leg that reaches no farther (radians).
const MOST_HEEL: f64 = 0.6;
/// Shares of the leg by which its hip is ahead of the ankle, and its ball above its heel, between which heels begin to rise.
const AHEAD: f64 = 0.15;
const PITCHED: f64 = 0.03;
/// Share of the sole's length along the ground below which its heel begins to rise less.
const LEVEL: f64 = 0.7;
/// Share of the leg of which a heel that rises lengthens it by less than half of what it would by its lever.
const SHORT_LEVER: f64 = 0.03;

/// How a heel rises: about the ball, and what share of the most it may.
struct Heel {
    ball: DVec3,
    axis: DVec3,
    share: f64,
    /// The same wherever the hip is.
    may: f64,
}

impl Measured {
    /// The line from the hip of a body that is moved so to the leg's end, with the heel raised as far as it goes.
    pub(super) fn longest(&self, pose: &Pose, foot: &Footing, way: DVec3, up: DVec3) -> DVec3 {
        let ankle = pose.position(self.ankle);
        let offset = foot.motion.transform_point3(ankle) - ankle;
        let line = self.line(pose) + offset - way;
        let Some(heel) = self.heel(pose, foot, way, up) else { return line };
        let arm = ankle + offset - heel.ball;
        line + arc::axis_angle(heel.axis, MOST_HEEL * heel.share) * arm - arm
    }

    /// How the heel of a foot may rise under a body that is moved so; `None` where it does not.
    fn heel(&self, pose: &Pose, foot: &Footing, way: DVec3, up: DVec3) -> Option<Heel> {
        if foot.load <= 0.0 {
            return None;
        }
        let soles = self.soles.map(|sole| foot.motion.transform_point3(pose.model(self.foot).transform_point3(sole)));
        let along = arc::unit(arc::reject(soles[1] - soles[0], up))?;
        let ankle = foot.motion.transform_point3(pose.position(self.ankle));
        let hip = pose.position(self.limb.root) + way;
        let behind = smooth((hip - ankle).dot(along) / (AHEAD * self.length));
        let flat = 1.0 - smooth((soles[1] - soles[0]).dot(up) / (PITCHED * self.length));
        // The heel of a foot that is upright is up.
        let level = arc::reject(soles[1] - soles[0], up).length() / arc::length(soles[1] - soles[0]).max(1e-9);
        let flat = flat * smooth(level / LEVEL);
        Some(Heel { ball: soles[1], axis: up.cross(along), share: behind * flat * foot.load, may: flat * foot.load })
    }

    /// The motion with the heel raised about the ball, as far as the leg needs it and the foot is asked to.
    pub(super) fn raised(&self, pose: &Pose, foot: &Footing, way: DVec3, up: DVec3, reach: f64) -> DAffine3 {
        let Some(heel) = self.heel(pose, foot, way, up) else { return foot.motion };
        let angle = self.needed(&heel, pose, foot, way, reach).max(foot.heel * heel.may);
        let turn = arc::axis_angle(heel.axis, angle);
        // It rolls on its heel until its ball is down.
        let [back, front] = self.soles.map(|sole| pose.model(self.foot).transform_point3(sole));
        let rolls = (angle * arc::length(front - back)).min((front - back).dot(up).max(0.0));
        DAffine3::from_rotation_translation(turn, heel.ball - turn * heel.ball - up * rolls) * foot.motion
    }

    /// How far the heel must rise (radians), as far as a leg that stays behind and bears so much needs it to reach; smooth.
    pub(super) fn heel_angle(&self, pose: &Pose, foot: &Footing, way: DVec3, up: DVec3, reach: f64) -> f64 {
        self.heel(pose, foot, way, up).map_or(0.0, |heel| self.needed(&heel, pose, foot, way, reach))
    }

    fn needed(&self, heel: &Heel, pose: &Pose, foot: &Footing, way: DVec3, reach: f64) -> f64 {
        let &Heel { ball, axis, share, .. } = heel;
        let hip = pose.position(self.limb.root) + way;
        let ankle = foot.motion.transform_point3(pose.position(self.ankle));
        let longest = self.span(pose, reach);
        // A leg as long as in the clip raises no heel.
        let stretched = |far: f64| rounded(far - longest, SOFT * self.bones);
        let own = stretched(arc::length(self.line(pose)).min(longest));
        // The ends of the bones that bend, carried along with the ankle.
        let tip = ankle + pose.position(self.limb.tip) - pose.position(self.ankle);
        let (mut angle, mut at) = (0.0, tip);
        for _ in 0..4 {
            let line = hip - at;
            let lever = axis.cross(ankle + (at - tip) - ball).dot(line) / arc::length(line).max(1e-9);
            let over = stretched(arc::length(line)) - own;
            // A heel that is above the ball already lengthens the leg no more.
            let flat = SHORT_LEVER * self.length;
            angle = (angle + over.max(0.0) * lever.max(0.0) / (lever * lever + flat * flat)).min(MOST_HEEL);
            at = tip + arc::axis_angle(axis, angle) * (ankle - ball) - (ankle - ball);
        }
        angle * share
    }
}
