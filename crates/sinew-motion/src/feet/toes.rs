//! Toes that bend up where the ground is in their way.

use glam::{DAffine3, DVec3};
use sinew::math::{arc, ops};
use sinew::{Joint, Pose, Skeleton};

use super::leg::turn_to;
use crate::ground::Ground;
use crate::least_jerk::{rounded, smooth};

/// How far toes bend up at most (radians).
pub(super) const MOST_BEND: f64 = 1.2;
/// How far bent toes rise, as a share of their length.
const RISE: f64 = 0.7;
/// Toes that point down so that less than this share of their length is along the ground bend less: they would have to turn far to rise.
const AHEAD: f64 = 0.5;
/// Share of their length above the ground at which toes begin to bend.
const BAND: f64 = 0.03;

/// The toes of one foot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Toes {
    foot: Joint,
    /// The ball of the foot.
    ball: Joint,
    /// The tip of the toes' sole in its frame.
    tip: DVec3,
    /// About what they bend up, in the frame of the foot.
    axis: DVec3,
    /// From how high above its tip the ground is looked for.
    above: f64,
}

impl Toes {
    /// From the ball to a tip (model space) in a stance; `None` where that is no direction along the ground.
    pub(super) fn new(foot: Joint, ball: Joint, tip: DVec3, stance: &Pose, up: DVec3, above: f64) -> Option<Self> {
        let axis = stance.rotation(foot).conjugate() * arc::unit((tip - stance.position(ball)).cross(up))?;
        let tip = stance.model(ball).inverse().transform_point3(tip);
        tip.is_finite().then_some(Self { foot, ball, tip, axis, above })
    }

    /// Their tip, at the sole (model space).
    pub(super) fn tip(&self, pose: &Pose) -> DVec3 {
        pose.model(self.ball).transform_point3(self.tip)
    }

    /// How deep they are in the ground below what they can bend, of a foot that moves so; negative over it.
    pub(super) fn stuck(&self, pose: &Pose, motion: &DAffine3, ground: &(impl Ground + ?Sized), up: DVec3) -> f64 {
        let [ball, out, axis] = self.lie(pose);
        let rises = most_rise(motion.matrix3 * out, motion.matrix3 * axis, up);
        self.depth(motion.transform_point3(ball + out), ground, up) - rises
    }

    /// How deep a tip is in the ground; negative over it.
    fn depth(&self, tip: DVec3, ground: &(impl Ground + ?Sized), up: DVec3) -> f64 {
        let below = ground.below(tip + up * self.above, up);
        below.map_or(f64::NEG_INFINITY, |below| (below.position - tip).dot(up))
    }

    /// Their ball, from there to their tip, and about what they bend up.
    fn lie(&self, pose: &Pose) -> [DVec3; 3] {
        let ball = pose.position(self.ball);
        [ball, self.tip(pose) - ball, pose.rotation(self.foot) * self.axis]
    }

    /// How deep they are in the ground when they are bent up by an angle; negative over it.
    pub(super) fn deep(&self, pose: &Pose, angle: f64, ground: &(impl Ground + ?Sized), up: DVec3) -> f64 {
        let [ball, out, axis] = self.lie(pose);
        self.depth(ball + arc::axis_angle(axis, angle) * out, ground, up)
    }

    /// How far they bend up to be out of the ground (radians).
    pub(super) fn needed(&self, pose: &Pose, ground: &(impl Ground + ?Sized), up: DVec3) -> f64 {
        let [ball, out, axis] = self.lie(pose);
        let band = BAND * arc::length(out);
        let mut angle = 0.0;
        // Bent toes are elsewhere over the ground.
        for _ in 0..2 {
            let out = arc::axis_angle(axis, angle) * out;
            let deep = self.depth(ball + out, ground, up);
            let rises = if deep.is_finite() { rounded(deep + 0.25 * band, band) } else { 0.0 };
            let rises = rises.min(most_rise(out, axis, up));
            if rises <= 1e-3 * band {
                break;
            }
            // The tip's height as they turn: `level + down cos + ahead sin`.
            let (down, ahead) = (out.dot(up) - out.dot(axis) * axis.dot(up), axis.cross(out).dot(up));
            let share = ((down + rises) / ops::sqrt(down * down + ahead * ahead).max(1e-12)).clamp(-1.0, 1.0);
            let more = ops::atan2(ahead, down) - ops::atan2(ops::sqrt_clamped(1.0 - share * share), share);
            angle += more.clamp(0.0, MOST_BEND);
        }
        // Toes beside an edge stay there.
        let over = |angle: f64| self.depth(ball + arc::axis_angle(axis, angle) * out, ground, up);
        if angle > 0.0 && over(angle) > over(0.0).max(0.0) { 0.0 } else { angle }
    }

    /// Bends them up.
    pub(super) fn bend(&self, skeleton: &Skeleton, pose: &mut Pose, angle: f64) {
        if angle > 0.0 {
            let axis = pose.rotation(self.foot) * self.axis;
            turn_to(skeleton, pose, self.ball, arc::axis_angle(axis, angle) * pose.rotation(self.ball));
        }
    }
}

/// How far up toes bend that point so.
fn most_rise(out: DVec3, axis: DVec3, up: DVec3) -> f64 {
    let long = arc::length(out);
    RISE * long * smooth(axis.cross(out).dot(up) / (AHEAD * long).max(1e-12))
}
