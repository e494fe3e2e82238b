//! One joint of a solve: what never changes while it runs, and its present setting.

use glam::{DMat3, DQuat, DVec3};

use super::sector::Sector;
use crate::limit::Range;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{BallLimit, Drive, Joint, Kind, Skeleton};
use crate::transform::Transform;

/// How a joint may move in this solve; axes in its parent's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Freedom {
    Still,
    Hinge { axis: DVec3, sector: Sector },
    Slide { axis: DVec3, range: Range },
    Ball { limit: BallLimit, zero: DQuat },
    Free,
}

/// Where a joint is at present.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Setting {
    Still,
    /// `(cos, sin)` of a hinge's angle.
    Turned((f64, f64)),
    /// A slide's value (metres).
    Slid(f64),
    /// A ball's local rotation.
    Ball(DQuat),
    /// A free joint's local rotation and translation.
    Free(DQuat, DVec3),
}

/// A joint that is carried through, and perhaps moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) joint: Joint,
    pub(super) motion: Freedom,
    /// Origin in the parent's frame, its own shift left out.
    pub(super) origin: DVec3,
    /// From the joint's frame to its parent's axes, its own turn left out.
    pub(super) frame: DMat3,
    /// The way back.
    pub(super) inverse: DMat3,
    /// Entries of the goals at and below it.
    pub(super) first: u32,
    pub(super) end: u32,
    /// Place of its coordinate among those that drive several joints.
    pub(super) shared: Option<u32>,
    /// Whether a goal may move it.
    pub(super) moves: bool,
    /// Value in the pose given (radians or metres), to tell turns apart.
    pub(super) near: f64,
    pub(super) drive: Option<Drive>,
    /// Share of a step that it takes: the least stiffness of those that move over its own.
    pub(super) ease: f64,
    /// Axis across the bone below it, in its own frame: about which half turns go and straight chains bend.
    pub(super) bend: DVec3,
    /// Whether the pose given has the joint at the setting it starts from.
    pub(super) inside: bool,
}

impl Part {
    /// The joint as it stands, inside its limits.
    pub(super) fn of(skeleton: &Skeleton, pose: &Pose, joint: Joint, moves: bool) -> (Self, Setting) {
        let given = *pose.local(joint);
        let mut part = Self {
            joint,
            motion: Freedom::Still,
            origin: given.translation,
            frame: DMat3::from_diagonal(given.scale),
            inverse: DMat3::IDENTITY,
            first: 0,
            end: 0,
            shared: None,
            moves,
            near: pose.value(skeleton, joint),
            drive: skeleton.drive(joint),
            ease: 1.0,
            bend: if moves { bend_of(skeleton, joint) } else { DVec3::X },
            inside: true,
        };
        let setting = if moves { part.start(skeleton, &given) } else { Setting::Still };
        if setting == Setting::Still {
            part.frame = DMat3::from_quat(given.rotation) * part.frame;
        }
        let rigid = given.scale == DVec3::ONE;
        part.inverse = if rigid { part.frame.transpose() } else { part.frame.inverse() };
        (part, setting)
    }

    /// Fills in how a joint moves, and where it starts.
    fn start(&mut self, skeleton: &Skeleton, given: &Transform) -> Setting {
        let zero = skeleton.zero(self.joint);
        match skeleton.kind(self.joint) {
            Kind::Hinge { axis, .. } => {
                let range = skeleton.range(self.joint);
                let value = range.clamp_angle(self.near, self.near);
                self.inside = value == self.near && is_about(zero, axis, given);
                self.frame = DMat3::from_quat(zero.rotation) * self.frame;
                self.motion = Freedom::Hinge { axis: zero.rotation * axis, sector: Sector::new(range) };
                self.at(value)
            }
            Kind::Slide { axis, .. } => {
                let range = skeleton.range(self.joint);
                let axis = zero.rotation * axis;
                let value = range.clamp(axis.dot(given.translation - zero.translation));
                let off = given.translation - (zero.translation + axis * value);
                self.inside = off.dot(off) <= 1e-28 * given.translation.dot(given.translation);
                self.frame = DMat3::from_quat(given.rotation) * self.frame;
                self.origin = zero.translation;
                self.motion = Freedom::Slide { axis, range };
                Setting::Slid(value)
            }
            Kind::Ball(limit) => {
                let rotation = limited(&limit, zero.rotation, given.rotation);
                self.inside = rotation == given.rotation;
                self.motion = Freedom::Ball { limit, zero: zero.rotation };
                Setting::Ball(rotation)
            }
            Kind::Free => {
                self.inside = true;
                self.origin = DVec3::ZERO;
                self.motion = Freedom::Free;
                Setting::Free(given.rotation, given.translation)
            }
            Kind::Fixed => Setting::Still,
        }
    }

    /// A vector in the parent's axes, the joint's own turn put on.
    #[inline(always)]
    pub(super) fn turned(&self, setting: Setting, v: DVec3) -> DVec3 {
        match (setting, self.motion) {
            (Setting::Turned((cosine, sine)), Freedom::Hinge { axis, .. }) => about(axis, cosine, sine, v),
            (Setting::Ball(q) | Setting::Free(q, _), _) => q * v,
            _ => v,
        }
    }

    /// The same, taken off.
    #[inline(always)]
    pub(super) fn unturned(&self, setting: Setting, v: DVec3) -> DVec3 {
        match (setting, self.motion) {
            (Setting::Turned((cosine, sine)), Freedom::Hinge { axis, .. }) => about(axis, cosine, -sine, v),
            (Setting::Ball(q) | Setting::Free(q, _), _) => q.conjugate() * v,
            _ => v,
        }
    }

    /// Factor by which the joint scales every direction; `None` where that differs, so that the lengths of
    /// what hangs on it depend on its turn.
    pub(super) fn even_scale(&self) -> Option<f64> {
        let [x, y, z] = [self.frame.x_axis, self.frame.y_axis, self.frame.z_axis].map(arc::length);
        ((x - y).abs() + (y - z).abs() < 1e-9 * x).then_some(x)
    }

    /// The joint's origin in its parent's frame.
    #[inline(always)]
    pub(super) fn place(&self, setting: Setting) -> DVec3 {
        match (setting, self.motion) {
            (Setting::Slid(value), Freedom::Slide { axis, .. }) => self.origin + axis * value,
            (Setting::Free(_, place), _) => place,
            _ => self.origin,
        }
    }

    /// The hinge's or slide's value (radians or metres), the turn nearest to the one in the pose given.
    pub(super) fn value(&self, setting: Setting) -> f64 {
        match (setting, self.motion) {
            (Setting::Turned(direction), Freedom::Hinge { sector, .. }) => sector.angle(direction, self.near),
            (Setting::Slid(value), _) => value,
            _ => self.near,
        }
    }

    /// The setting of a hinge or slide at a value (radians or metres).
    pub(super) fn at(&self, value: f64) -> Setting {
        match self.motion {
            Freedom::Hinge { .. } => {
                let (sine, cosine) = ops::sin_cos(value);
                Setting::Turned((cosine, sine))
            }
            Freedom::Slide { .. } => Setting::Slid(value),
            _ => Setting::Still,
        }
    }
}

/// The rotation nearest to `q` that a ball's limit, measured from `zero`, allows; `q` bit for bit where it does.
pub(super) fn limited(limit: &BallLimit, zero: DQuat, q: DQuat) -> DQuat {
    if *limit == BallLimit::Free {
        return q;
    }
    let turn = zero.conjugate() * q;
    let nearest = limit.project(turn);
    if nearest == turn { q } else { zero * nearest }
}

/// The axis a joint prefers to bend about, else one across the bone to its first child at rest.
fn bend_of(skeleton: &Skeleton, joint: Joint) -> DVec3 {
    skeleton.bend(joint).unwrap_or_else(|| {
        let bone = skeleton.children(joint).find_map(|child| arc::unit(skeleton.rest(child).translation));
        arc::any_perpendicular(bone.unwrap_or(DVec3::Y))
    })
}

/// A vector turned about a unit axis (Rodrigues 1840).
#[inline(always)]
fn about(axis: DVec3, cosine: f64, sine: f64, v: DVec3) -> DVec3 {
    v * cosine + axis.cross(v) * sine + axis * (axis.dot(v) * (1.0 - cosine))
}

/// Whether a hinge's local rotation is a turn about its axis.
fn is_about(zero: &Transform, axis: DVec3, local: &Transform) -> bool {
    let turn = zero.rotation.conjugate() * local.rotation;
    let across = arc::reject(DVec3::new(turn.x, turn.y, turn.z), axis);
    across.dot(across) < 1e-24
}
