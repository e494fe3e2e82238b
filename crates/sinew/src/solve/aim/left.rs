//! What is left of an aim, and when it is worth another pass.

use glam::{DQuat, DVec3};

use super::view::AimTask;
use crate::math::arc;
use crate::pose::Pose;

/// Angle (radians) below which a joint is left as it is.
pub(super) const STILL: f64 = 1e-10;
/// Angle below which an aim is met.
pub(super) const MET: f64 = 1e-9;
/// Angle of the aim, and of the turn with its up, that is worth a pass short of the goal.
const AIM_GAIN: f64 = 2e-5;
const ROLL_GAIN: f64 = 1e-2;

/// What is left in a pose, as the tail sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    /// Chord of the angle between the ray and the line of sight.
    pub(super) aim: f64,
    /// Chord of the turn left with the up (radians where it is small).
    pub(super) whole: f64,
}

impl Left {
    /// `None` where a scale of zero, or a mark without a direction, leaves no aim.
    pub(super) fn of(task: &AimTask<'_>, pose: &Pose) -> Option<Self> {
        let view = task.view(task.tail, pose)?;
        let sight = view.source.sight(view.mark).ok()?;
        let rotation = view.source.rotation;
        let aim = arc::length(rotation * sight.held - sight.to);
        Some(Self { aim, whole: size(sight.turn(rotation, view.up)) })
    }

    /// Whether there is nothing to do.
    pub(super) fn is_nothing(self) -> bool {
        self.whole < STILL
    }

    /// Whether this is nearer than `other`: by the aim, else by the up.
    pub(super) fn is_better(self, other: Self) -> bool {
        let aim = |left: Self| left.aim.max(MET);
        aim(self) < aim(other) || (aim(self) <= aim(other) && self.whole < other.whole)
    }

    /// Whether this is so much nearer than `other` that joints should move for it.
    pub(super) fn is_worth(self, other: Self) -> bool {
        let gained = (other.aim - AIM_GAIN).max(0.9 * other.aim);
        let aims = other.aim > MET && (self.aim < gained || self.aim <= MET);
        let rolls = self.aim <= MET && self.whole < other.whole - ROLL_GAIN;
        self.is_nothing() || aims || rolls
    }
}

/// Chord of a turn's angle (radians where it is small).
pub(super) fn size(turn: DQuat) -> f64 {
    2.0 * arc::length(DVec3::new(turn.x, turn.y, turn.z))
}
