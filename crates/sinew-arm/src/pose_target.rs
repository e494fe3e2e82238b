//! Where the tip should be.

use sinew::glam::{BVec3, DQuat, DVec3};
use sinew::math::arc;
use sinew::solve::author::TargetInModel;
use sinew::{Goal, Mask, Pose, Residual, Rotation, Slack, Status, Target, Tolerance};

/// A frame that the tip of an [`Arm`](crate::Arm) should take, in that of the arm's base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseTarget {
    /// Where the tip should be (metres).
    pub position: DVec3,
    /// How the tip should stand, a unit quaternion.
    pub rotation: DQuat,
    /// The tip's own axis about which it may turn freely (any length but zero): five axes of six. None by default.
    pub free_about: Option<DVec3>,
    /// Which components count, along and about the base's axes.
    pub mask: Mask,
    /// How far each component may stay from the target; nothing by default.
    pub slack: Slack,
    /// How near is near enough.
    pub tolerance: Tolerance,
}

impl PoseTarget {
    /// The whole frame, within 1e-6 m and 1e-6 rad.
    pub fn frame(position: impl Into<DVec3>, rotation: impl Into<Rotation>) -> Self {
        let tolerance = Tolerance { position: 1e-6, rotation: 1e-6 };
        Self {
            position: position.into(),
            rotation: rotation.into().quaternion(),
            free_about: None,
            mask: Mask::default(),
            slack: Slack::default(),
            tolerance,
        }
    }

    /// The position alone, within 1e-6 m.
    pub fn position(position: impl Into<DVec3>) -> Self {
        let mask = Mask { position: BVec3::TRUE, rotation: BVec3::FALSE, ..Mask::default() };
        Self { mask, ..Self::frame(position, Rotation::IDENTITY) }
    }

    /// The tip's `axis` along a direction in the frame of the base (any lengths but zero), within 1e-6 rad, at any
    /// position.
    pub fn axis(axis: impl Into<DVec3>, direction: impl Into<DVec3>) -> Self {
        let mask = Mask { position: BVec3::FALSE, ..Mask::default() };
        Self { mask, ..Self::five_axes(DVec3::ZERO, axis, direction) }
    }

    /// The position, and the tip's `axis` along a direction in the frame of the base (any lengths but zero), within
    /// 1e-6 m and 1e-6 rad: what a drill, a torch or a suction cup needs.
    pub fn five_axes(position: impl Into<DVec3>, axis: impl Into<DVec3>, direction: impl Into<DVec3>) -> Self {
        let (axis, direction) = (axis.into(), direction.into());
        let turn = match (arc::unit(axis), arc::unit(direction)) {
            (Some(axis), Some(direction)) => arc::arc(axis, direction, arc::any_perpendicular(axis)),
            // Invalid, as what it is made of.
            _ => DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0),
        };
        Self { rotation: turn, free_about: Some(axis), ..Self::frame(position, Rotation::IDENTITY) }
    }

    /// Sets how far each component may stay from the target.
    pub fn slack(self, slack: Slack) -> Self {
        Self { slack, ..self }
    }

    /// Sets how near is near enough.
    pub fn tolerance(self, tolerance: Tolerance) -> Self {
        Self { tolerance, ..self }
    }

    /// Whether everything is a number, the rotation is one, the free axis has a length, and slack and tolerances are not
    /// negative.
    pub fn is_valid(&self) -> bool {
        let (turn, near) = (self.rotation, self.tolerance);
        self.position.is_finite()
            && (turn.dot(turn) - 1.0).abs() < 1e-6
            && self.free_about.is_none_or(|axis| arc::unit(axis).is_some())
            && self.slack.is_valid()
            && near.position >= 0.0
            && near.rotation >= 0.0
    }

    /// Nothing at all.
    pub(crate) fn nothing() -> Self {
        let mask = Mask { position: BVec3::FALSE, rotation: BVec3::FALSE, ..Mask::default() };
        Self { mask, ..Self::frame(DVec3::ZERO, Rotation::IDENTITY) }
    }

    /// Adds what a goal asks, in model space.
    pub(crate) fn add(&mut self, goal: &Goal, pose: &Pose, near: Tolerance) {
        let target = TargetInModel::of(goal, pose);
        if let Some(position) = target.position {
            (self.position, self.mask.position) = (position, goal.mask.position);
            (self.slack.position, self.tolerance.position) = (goal.slack.position, near.position);
        }
        if let Some(rotation) = target.rotation {
            (self.rotation, self.mask.rotation) = (arc::normalize(rotation), goal.mask.rotation);
            (self.slack.rotation, self.tolerance.rotation) = (goal.slack.rotation, near.rotation);
        }
        let left = || Residual::measured(goal, pose, Status::Ignored).rotation;
        if let (Target::Axis { axis, .. }, Some(left)) = (goal.target, left()) {
            self.free_about = Some(axis);
            self.rotation = arc::normalize(left * pose.rotation(goal.joint));
            (self.mask.rotation, self.tolerance.rotation) = (BVec3::TRUE, near.rotation);
        }
    }
}
