//! Goals of solvers that point the tip, and what is left of them.

use alloc::format;

use fastrand::Rng;
use glam::{DAffine3, DVec3};

use super::goals::TRIES;
use super::rigs::direction;
use super::{Case, Verdict, ensure};
use crate::goal::{Goal, Target};
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::Joint;
use crate::solve::Status;

impl Case<'_> {
    /// An axis of the tip at a random point or along a direction, half of the time with an up.
    pub(super) fn any_aim(&self, rng: &mut Rng) -> Goal {
        let (axis, way) = (direction(rng), direction(rng));
        let from = self.rig.skeleton.rest_pose().position(self.rig.tip);
        let point = from + way * self.rig.length() * (2.0 + 8.0 * rng.f64());
        let bone = arc::length(self.rig.skeleton.rest(self.rig.tip).translation);
        let goal = if rng.bool() {
            Goal::aim(self.rig.tip, axis, point).offset(direction(rng) * 0.3 * bone)
        } else {
            Goal::axis(self.rig.tip, axis, way)
        };
        let goal = if rng.bool() { goal.offset(DVec3::ZERO) } else { goal };
        if rng.bool() { goal.up(direction(rng)) } else { goal }
    }

    /// An aim that the pose meets, whatever its up.
    pub(super) fn aim_met_by(&self, pose: &Pose, rng: &mut Rng) -> Goal {
        let axis = direction(rng);
        let along = pose.model(self.rig.tip).transform_vector3(axis);
        let goal = if rng.bool() {
            let far = self.rig.length() * (0.5 + 9.0 * rng.f64()) / arc::length(along);
            Goal::aim(self.rig.tip, axis, pose.position(self.rig.tip) + along * far)
        } else {
            Goal::axis(self.rig.tip, axis, along)
        };
        if rng.bool() { goal.up(direction(rng)) } else { goal }
    }

    /// An aim that limits forbid ends no farther off than random allowed poses.
    pub(super) fn limited_aim_is_nearest(&self, rng: &mut Rng) -> Verdict {
        let goal = self.any_aim(rng).offset(DVec3::ZERO);
        let (pose, outcome) = self.solved(&[goal]);
        let left = angle_left(&goal, &pose);
        ensure((left - outcome.rotation_error).abs() < 1e-9, || "the error reported is wrong".into())?;
        ensure((left <= 1e-9) == (outcome.status == Status::Reached), || format!("it says {}", outcome.status))?;
        let best = (0..TRIES).map(|_| angle_left(&goal, &self.rig.allowed_pose(rng))).fold(f64::INFINITY, f64::min);
        ensure(left <= best + self.subject.slack + 1e-9, || format!("{left} rad left, of a random pose {best}"))
    }

    /// Aims without a direction, at the joints' own places, along half turns, with useless ups.
    pub(super) fn degenerate_aims(&self, rng: &mut Rng) -> [Goal; 9] {
        let tip = self.rig.tip;
        let rest = self.rig.skeleton.rest_pose();
        let (place, axis) = (rest.position(tip), direction(rng));
        let along = rest.model(tip).transform_vector3(axis);
        [
            Goal::aim(tip, DVec3::ZERO, place + along),
            Goal::axis(tip, axis, DVec3::ZERO),
            Goal::aim(tip, axis, place),
            Goal::aim(tip, axis, rest.position(self.rig.root)),
            Goal::aim(tip, axis, place + along).offset(direction(rng) * 1e9),
            Goal::axis(tip, axis, -along),
            Goal::axis(tip, axis, -along).up(along),
            Goal::axis(tip, axis, along).up(DVec3::ZERO),
            Goal::aim(tip, axis, place + along * 1e-300).up(direction(rng)),
        ]
    }
}

/// Angle (radians) between the aimed axis and where it should point.
pub(super) fn angle_left(goal: &Goal, pose: &Pose) -> f64 {
    let model = pose.model(goal.joint);
    let (axis, to) = match goal.target {
        Target::Aim { axis, point, .. } => (axis, point - model.transform_point3(goal.offset)),
        Target::Axis { axis, direction, .. } => (axis, direction),
        _ => return 0.0,
    };
    let now = model.transform_vector3(axis);
    ops::atan2(arc::length(now.cross(to)), now.dot(to))
}

/// An aim carried by a map to the joint of a carried rig; `None` for other goals.
pub(super) fn carried(goal: &Goal, map: &DAffine3, joint: Joint) -> Option<Goal> {
    let (moved, up) = match goal.target {
        Target::Aim { axis, point, up } => (Goal::aim(joint, axis, map.transform_point3(point)), up),
        Target::Axis { axis, direction, up } => (Goal::axis(joint, axis, map.transform_vector3(direction)), up),
        _ => return None,
    };
    let moved = moved.offset(goal.offset);
    Some(up.map_or(moved, |up| moved.up(map.transform_vector3(up))))
}
