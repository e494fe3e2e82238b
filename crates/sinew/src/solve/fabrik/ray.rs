//! Aims: a ray of a body that should go through a point or along a direction, wherever the body is.
//!
//! The body is not turned by itself: the steps of least turn (`newton.rs`) let all bodies from the goal's
//! base on share the look, and only what they leave is taken a body at a time.

use glam::{DAffine3, DQuat, DVec3};

use super::space::Space;
use crate::goal::{Goal, Target};
use crate::math::arc;
use crate::pose::Pose;

/// Share of the reach below which a point counts as no nearer, where a step asks how sight lines turn.
const NEAREST: f64 = 1e-3;

/// What is aimed at.
#[derive(Clone, Copy, Debug)]
pub(super) enum RayTarget {
    Point(DVec3),
    Direction(DVec3),
}

impl RayTarget {
    /// The mark carried by a map.
    pub(super) fn through(self, map: impl Fn(DVec3) -> DVec3) -> Self {
        match self {
            Self::Point(v) => Self::Point(map(v)),
            // Directions are differences of points.
            Self::Direction(v) => Self::Direction(map(v) - map(DVec3::ZERO)),
        }
    }
}

/// An aimed axis of a body, and its line of sight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    /// Unit axis in the body's frame, and a perpendicular for half turns.
    axis: DVec3,
    across: DVec3,
    /// As given: in the solve's space, or in the frame it is measured from.
    pub(super) given: RayTarget,
    /// In the solve's space; refreshed before every pass.
    mark: RayTarget,
    /// Unit line of sight, and how much it turns as the body travels (per length).
    line: DVec3,
    swing: f64,
}

impl Ray {
    /// The ray of an aim or axis goal; `None` of others, and where there is no axis or direction. `now` is
    /// the body's rotation; `measured` says that a body carries what the target is measured from.
    pub(super) fn of(goal: &Goal, pose: &Pose, space: &Space, now: DQuat, measured: bool) -> Option<Self> {
        let (axis, mark) = match goal.target {
            Target::Aim { axis, point, up: None } => (axis, RayTarget::Point(point)),
            Target::Axis { axis, direction, up: None } => (axis, RayTarget::Direction(direction)),
            _ => return None,
        };
        let into = |v: DVec3| arc::unit(space.into.matrix3 * pose.model(goal.joint).transform_vector3(v));
        let unit = arc::unit(axis)?;
        let line = into(unit)?;
        let across = arc::unit_reject(into(arc::any_perpendicular(unit))?, line, 1e-9);
        let across = across.unwrap_or_else(|| arc::any_perpendicular(line));
        let given = match goal.relative_to.filter(|_| !measured) {
            Some(from) => mark.through(|v| pose.model(from).transform_point3(v)),
            None => mark,
        };
        let given = if measured { given } else { given.through(|v| space.into.transform_point3(v)) };
        if let RayTarget::Direction(v) = given {
            arc::unit(v)?;
        }
        let (axis, across) = (now.conjugate() * line, now.conjugate() * across);
        Some(Self { axis, across, given, mark: given, line, swing: 0.0 })
    }

    /// Takes the mark, seen from the start of the ray, and says how the body should be turned: the shortest way.
    pub(super) fn look(&mut self, mark: RayTarget, (place, now): (DVec3, DQuat), reach: f64) -> DQuat {
        self.mark = mark;
        let Some(line) = self.line_from(place) else {
            (self.line, self.swing) = (now * self.axis, 0.0);
            return now;
        };
        self.swing = match mark {
            RayTarget::Point(point) => 1.0 / arc::length(point - place).max(NEAREST * reach),
            RayTarget::Direction(_) => 0.0,
        };
        self.line = line;
        arc::normalize(arc::arc(now * self.axis, self.line, now * self.across) * now)
    }

    /// The line of sight from a place.
    fn line_from(&self, place: DVec3) -> Option<DVec3> {
        match self.mark {
            RayTarget::Point(point) => arc::unit(point - place),
            RayTarget::Direction(direction) => arc::unit(direction),
        }
    }

    /// The ray as it is now, and as it should be from this place (unit).
    pub(super) fn pair(&self, (place, now): (DVec3, DQuat)) -> (DVec3, DVec3) {
        let along = now * self.axis;
        (along, self.line_from(place).unwrap_or(along))
    }

    /// What a turn about an axis that moves the start of the ray so takes off the turn that is left: roll is
    /// nothing, and the line of sight swings.
    pub(super) fn felt(&self, axis: DVec3, travel: DVec3) -> DVec3 {
        arc::reject(axis, self.line) + self.line.cross(travel) * self.swing
    }

    /// The transpose of [`felt`](Self::felt): the turn of a body, whose arm to the ray's start is given.
    pub(super) fn pulled(&self, right: DVec3, arm: DVec3) -> DVec3 {
        let right = arc::reject(right, self.line);
        right + arm.cross(right.cross(self.line)) * self.swing
    }
}

/// A point of a frame in a carrying body, carried into the solve's space.
pub(super) fn carried(frame: &DAffine3, (place, turn): (DVec3, DQuat), v: DVec3) -> DVec3 {
    place + turn * frame.transform_point3(v)
}
