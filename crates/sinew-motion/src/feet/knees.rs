//! Legs that are bent to an angle of the knee, or moved, as they are.

use glam::DVec3;
use sinew::math::{arc, ops};
use sinew::{Goal, Pole, Pose, Skeleton, Solver, Status, Target, Workspace};

use super::leg::{Measured, put_apart, turn_to};

/// Steps of Newton's method for how far a heel rises, how far it does at most (radians), and the least lever with which it does, as a
/// share of the leg.
const STEPS: usize = 6;
const MOST_RISE: f64 = 0.4;
const LEVER: f64 = 1e-3;

impl Measured {
    /// The angle at the knee (radians); π where the leg is straight.
    pub(super) fn knee_angle(&self, pose: &Pose) -> f64 {
        let knee = pose.position(self.limb.mid);
        let [upper, lower] = [self.limb.root, self.limb.tip].map(|joint| pose.position(joint) - knee);
        ops::atan2(arc::length(upper.cross(lower)), upper.dot(lower))
    }

    /// From the line between hip and ankle to the knee.
    pub(super) fn knee_off(&self, pose: &Pose) -> DVec3 {
        let off = pose.position(self.limb.mid) - pose.position(self.limb.root);
        arc::unit(self.line(pose)).map_or(off, |line| arc::reject(off, line))
    }

    /// How far hip and ankle are apart when the knee is bent to an angle.
    fn long(&self, angle: f64) -> f64 {
        let [upper, lower] = self.parts;
        ops::sqrt_clamped(upper * upper + lower * lower - 2.0 * upper * lower * ops::sin_cos(angle).1)
    }

    /// Bends the knee to an angle; what is below goes along the line to the hip.
    pub(super) fn bend_to(&self, skeleton: &Skeleton, pose: &mut Pose, angle: f64, work: &mut Workspace) {
        let line = self.line(pose);
        let Some(way) = arc::unit(line) else { return };
        self.move_by(skeleton, pose, way * self.long(angle) - line, None, work);
    }

    /// Bends the knee more, to an angle, by the heel: it rises about the ball.
    pub(super) fn roll_to(&self, skeleton: &Skeleton, pose: &mut Pose, angle: f64, up: DVec3, work: &mut Workspace) {
        let [heel, ball] = self.soles.map(|sole| pose.model(self.foot).transform_point3(sole));
        let Some(axis) = arc::unit(up.cross(ball - heel)) else { return };
        let (line, long, arm) = (self.line(pose), self.long(angle), pose.position(self.ankle) - ball);
        let by = |turn: f64| arc::axis_angle(axis, turn) * arm - arm;
        let mut turn = 0.0;
        for _ in 0..STEPS {
            let now = line + by(turn);
            let lever = axis.cross(arm + by(turn)).dot(now) / arc::length(now).max(1e-9);
            if lever > -LEVER * self.length {
                break;
            }
            turn = (turn + (long - arc::length(now)) / lever).clamp(0.0, MOST_RISE);
        }
        let turned = arc::axis_angle(axis, turn);
        let rotation = turned * pose.rotation(self.ankle);
        let about = |joint| (joint, ball + turned * (pose.position(joint) - ball), turned * pose.rotation(joint));
        let apart = self.apart.map(about);
        self.move_by(skeleton, pose, by(turn), None, work);
        turn_to(skeleton, pose, self.ankle, rotation);
        put_apart(skeleton, pose, apart);
    }

    /// Moves the end of the bones that bend, and what is below it; the knee points as it does, or as is said.
    pub(super) fn move_by(
        &self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        by: DVec3,
        knee: Option<DVec3>,
        work: &mut Workspace,
    ) {
        let tip = self.limb.tip;
        let apart = self.apart.map(|joint| (joint, pose.position(joint) + by, pose.rotation(joint)));
        let mut goal = Goal::position(tip, DVec3::ZERO);
        goal.target = Target::Frame { position: self.tip(pose) + by, rotation: pose.rotation(tip) };
        goal.pole = arc::unit(knee.unwrap_or_else(|| self.knee_off(pose))).map(Pole::Direction);
        let _: Status = self.limb.solve(skeleton, &[goal], pose, work).status;
        put_apart(skeleton, pose, apart);
    }
}
