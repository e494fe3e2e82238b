//! What the middle joint does best for a root that stands: a hinge in closed form, a ball by its limit's projection.

use glam::{DMat3, DQuat, DVec2, DVec3};

use super::circle::Circle;
use super::fold;
use super::pointer::Pointer;
use super::stuck::Stuck;
use crate::limit::Range;
use crate::math::{arc, ops};

/// Relative difference between the two half axes of a hinge's circle of tips that is none.
const ROUND: f64 = 1e-9;
/// Turns of a joint towards a direction and back into its limit: to compare by, and to start from.
const ROUGH: u32 = 1;
const TURNS: u32 = 2;

/// The middle joint and what hangs on it, seen from a frame that turns with the root.
pub(super) struct Response<'a> {
    stuck: &'a Stuck<'a>,
    /// From the root joint's frame into that one.
    into: DQuat,
    circle: Circle,
    kind: Moves,
    pointer: Pointer<'a>,
}

enum Moves {
    /// A hinge: the tip goes round a circle, or along an arc of it.
    Arc { center: DVec3, frame: [DVec3; 3], radius: f64, arc: Option<([DVec2; 3], f64)>, range: Range },
    /// A ball: the middle joint's place, and the map from its parent's frame.
    Ball { mid: DVec3, link: DMat3, inverse: DMat3 },
}

impl<'a> Response<'a> {
    pub(super) fn of(stuck: &'a Stuck<'a>, into: DQuat) -> Self {
        let measured = stuck.measured;
        let (circle, range) = fold::circle(stuck.limb, stuck.skeleton, measured);
        let kind = if let Some(range) = range {
            let (center, [u, v]) = (circle.center(), circle.axes());
            let x = arc::unit(u).unwrap_or(DVec3::X);
            let y = arc::unit_reject(v, x, ROUND).unwrap_or_else(|| arc::any_perpendicular(x));
            let radius = 0.5 * (arc::length(u) + arc::length(v));
            let direction = |angle: f64| {
                let (sine, cosine) = ops::sin_cos(angle);
                DVec2::new(cosine, sine)
            };
            let Range { min, max } = range;
            let arc = (max - min < core::f64::consts::TAU)
                .then(|| ([0.5 * (min + max), min, max].map(direction), ops::sin_cos(0.5 * (max - min)).1));
            let frame = [x, y, x.cross(y)].map(|axis| into * axis);
            Moves::Arc { center: into * center, frame, radius, arc, range }
        } else {
            let link = DMat3::from_quat(into) * measured.link;
            Moves::Ball { mid: into * measured.a, link, inverse: link.inverse() }
        };
        Self { stuck, into, circle, kind, pointer: Pointer::of(stuck.skeleton, stuck.limb.mid) }
    }

    /// The square of the least miss for a target in the frame that turns with the root.
    pub(super) fn miss(&self, target: DVec3) -> f64 {
        match &self.kind {
            Moves::Arc { center, frame, radius, arc, .. } => {
                let [x, y, height] = frame.map(|axis| axis.dot(target - *center));
                let place = DVec2::new(x, y);
                let far = ops::sqrt(place.dot(place));
                let along = match arc {
                    Some(([middle, low, high], cosine)) if middle.dot(place) < cosine * far => {
                        low.dot(place).max(high.dot(place))
                    }
                    _ => far,
                };
                height * height + far * far + radius * (radius - 2.0 * along)
            }
            Moves::Ball { mid, link, .. } => {
                let left = target - *mid - *link * (self.ball(target, ROUGH) * self.stuck.measured.b);
                left.dot(left)
            }
        }
    }

    /// The rotation that misses least.
    pub(super) fn rotation(&self, target: DVec3) -> DQuat {
        match &self.kind {
            Moves::Arc { range, .. } => {
                let now = self.stuck.pose.value(self.stuck.skeleton, self.stuck.limb.mid);
                self.circle.rotation(range.clamp_angle(self.circle.nearest(self.into.conjugate() * target), now))
            }
            Moves::Ball { .. } => self.ball(target, TURNS),
        }
    }

    /// A ball's rotation that points its bone to the target, as nearly as its limit lets it.
    fn ball(&self, target: DVec3, turns: u32) -> DQuat {
        let measured = self.stuck.measured;
        let Moves::Ball { mid, inverse, .. } = &self.kind else { return measured.folds_from };
        let wanted = *inverse * (target - *mid);
        (0..turns).fold(measured.folds_from, |rotation, _| self.pointer.toward(rotation, measured.b, wanted))
    }
}

impl Response<'_> {
    /// A ball from `rotation` on.
    pub(super) fn toward(&self, rotation: DQuat, target: DVec3) -> DQuat {
        match &self.kind {
            Moves::Arc { .. } => self.rotation(target),
            Moves::Ball { mid, inverse, .. } => {
                self.pointer.toward(rotation, self.stuck.measured.b, *inverse * (target - *mid))
            }
        }
    }
}

/// What the root does best for a middle joint that stands.
pub(super) struct RootResponse<'a> {
    stuck: &'a Stuck<'a>,
    from: DQuat,
    pointer: Pointer<'a>,
}

impl<'a> RootResponse<'a> {
    pub(super) fn of(stuck: &'a Stuck<'a>) -> Self {
        let from = stuck.skeleton.rest(stuck.limb.root).rotation;
        Self { stuck, from, pointer: Pointer::of(stuck.skeleton, stuck.limb.root) }
    }

    /// The rotation that points the tip at the target, as nearly as the limit lets it.
    pub(super) fn rotation(&self, mid: DQuat) -> DQuat {
        let tip = self.stuck.measured.tip(mid);
        (0..TURNS).fold(self.from, |rotation, _| self.pointer.toward(rotation, tip, self.stuck.p))
    }

    /// The same from `rotation` on.
    pub(super) fn toward(&self, rotation: DQuat, mid: DQuat) -> DQuat {
        self.pointer.toward(rotation, self.stuck.measured.tip(mid), self.stuck.p)
    }

    /// The square of about the least miss.
    pub(super) fn miss(&self, mid: DQuat) -> f64 {
        let tip = self.stuck.measured.tip(mid);
        let left = self.stuck.p - self.pointer.toward(self.from, tip, self.stuck.p) * tip;
        left.dot(left)
    }
}
