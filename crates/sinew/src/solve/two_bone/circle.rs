//! How far the middle joint must turn about its axis for the tip to be at a given distance.
//!
//! The tip is at `c + cos θ u + sin θ v`. With uniform scale `u` and `v` are perpendicular and of
//! one length, and what lies in their plane is a triangle again, `h' = h - c⊥²`; with any other
//! linear map between the bones the distance has harmonics, and the angle is found by bisection.

use glam::{DMat3, DQuat, DVec3};

use super::reach::{Reach, Rim, Span};
use super::settings::TwoBone;
use super::soft::Bones;
use crate::math::{arc, ops};

/// Circle of tips about the middle joint's axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circle {
    /// The joint's rotation at angle 0, and its axis there.
    zero: DQuat,
    axis: DVec3,
    /// Where the middle joint is.
    mid: DVec3,
    center: DVec3,
    u: DVec3,
    v: DVec3,
    /// Part of the centre in the plane of the circle, and its square length across the plane.
    in_plane: f64,
    radius: f64,
    across: f64,
    /// Angle at which the limb is straightest.
    straight: f64,
    uniform: bool,
}

/// Steps around the circle before bisecting, where the distance has harmonics.
const STEPS: u32 = 64;

impl Circle {
    /// For the axis `axis` of a middle joint whose rotation is `zero` at angle 0.
    pub(super) fn new(a: DVec3, link: &DMat3, zero: DQuat, axis: DVec3, b: DVec3) -> Self {
        let along = axis * axis.dot(b);
        let center = a + *link * (zero * along);
        let u = *link * (zero * (b - along));
        let v = *link * (zero * axis.cross(b));
        let (uu, vv, uv) = (u.dot(u), v.dot(v), u.dot(v));
        let uniform = (uu - vv).abs() + uv.abs() <= 1e-12 * (uu + vv);
        let radius = ops::sqrt(uu);
        let (p, q) = if radius > 0.0 { (center.dot(u) / radius, center.dot(v) / radius) } else { (0.0, 0.0) };
        let in_plane = ops::sqrt(p * p + q * q);
        let normal = arc::unit(u.cross(v)).unwrap_or(DVec3::ZERO);
        let across = center.dot(normal);
        let straight = if in_plane > 0.0 { ops::atan2(q, p) } else { 0.0 };
        Self { zero, axis, mid: a, center, u, v, in_plane, radius, across: across * across, straight, uniform }
    }

    /// Tip at an angle.
    pub(super) fn tip(&self, angle: f64) -> DVec3 {
        let (s, c) = ops::sin_cos(angle);
        self.center + self.u * c + self.v * s
    }

    /// The centre of the circle, and the two half axes by cosine and sine of the angle.
    pub(super) fn center(&self) -> DVec3 {
        self.center
    }

    pub(super) fn axes(&self) -> [DVec3; 2] {
        [self.u, self.v]
    }

    /// Whether it is round.
    pub(super) fn is_uniform(&self) -> bool {
        self.uniform
    }

    /// The joint's rotation at an angle.
    pub(super) fn rotation(&self, angle: f64) -> DQuat {
        self.zero * arc::axis_angle(self.axis, angle)
    }

    /// Whether growing angles fold the limb the way it is folded at rest.
    pub(super) fn along(&self, limb: &TwoBone) -> bool {
        self.normal().dot(limb.rest.axis) >= 0.0
    }

    /// Normal about which growing angles turn the tip, of any length; zero for a bone of no length.
    pub(super) fn normal(&self) -> DVec3 {
        self.u.cross(self.v)
    }

    /// The angle at which the limb is straightest (or farthest).
    pub(super) fn straight(&self) -> f64 {
        self.straight
    }

    /// The nearest distance the limb can have to the one wanted, and how it is met.
    pub(super) fn span(&self, distance: f64, reach: Reach) -> Span {
        let (shortest, longest) = self.bounds();
        // Soft reach alone asks for the bones.
        let (l1, l2) = match reach {
            Reach::Soft { .. } => (arc::length(self.mid), arc::length(self.tip(self.straight) - self.mid)),
            _ => (0.0, 0.0),
        };
        Rim::near(reach, Bones { l1, l2, shortest, longest }, distance * distance).span(distance)
    }

    /// The shortest and the longest distance of the tip.
    pub(super) fn bounds(&self) -> (f64, f64) {
        if self.uniform {
            let (inner, outer) = (self.in_plane - self.radius, self.in_plane + self.radius);
            // Without an out-of-plane part the sums are exact where their squares' roots are not.
            let whole = |x: f64| if self.across > 0.0 { ops::sqrt(x * x + self.across) } else { x.abs() };
            return (whole(inner), whole(outer));
        }
        let samples = (0..STEPS).map(|i| self.distance(i));
        samples.fold((f64::INFINITY, 0.0_f64), |(low, high), d| (low.min(d), high.max(d)))
    }

    /// Both angles at which the tip is at `distance` (within the span): first the one past
    /// straight in the positive sense.
    pub(super) fn angles(&self, distance: f64) -> [f64; 2] {
        if !self.uniform {
            return self.searched(distance);
        }
        let h = (distance * distance - self.across).max(0.0);
        let d = ops::sqrt(h);
        let (outer, inner) = (self.in_plane + self.radius, (self.in_plane - self.radius).abs());
        let s = ops::sqrt_clamped((outer - d) * (outer + d));
        let c = ops::sqrt_clamped((d - inner) * (d + inner));
        // A jointless limb is at every angle equally far: keep it unturned.
        let fold = if self.in_plane > 0.0 && self.radius > 0.0 { 2.0 * ops::atan2(s, c) } else { 0.0 };
        [self.straight + fold, self.straight - fold]
    }

    /// The angle at which the tip is nearest to a point; exact where scale is uniform.
    pub(super) fn nearest(&self, point: DVec3) -> f64 {
        let from_center = point - self.center;
        ops::atan2(self.v.dot(from_center), self.u.dot(from_center))
    }

    fn distance(&self, step: u32) -> f64 {
        let angle = self.straight + core::f64::consts::TAU * f64::from(step) / f64::from(STEPS);
        arc::length(self.tip(angle))
    }

    /// Bisection on either side of straight, for scale that is not uniform.
    fn searched(&self, distance: f64) -> [f64; 2] {
        [1.0, -1.0].map(|sign| {
            let at = |turn: f64| arc::length(self.tip(self.straight + sign * turn)) - distance;
            let step = core::f64::consts::PI / f64::from(STEPS);
            let grid = |i: u32| f64::from(i) * step;
            let crossing = (0..STEPS).find(|&i| at(grid(i)) * at(grid(i + 1)) <= 0.0);
            let Some(i) = crossing else {
                let nearest = (0..=STEPS).min_by(|&i, &j| at(grid(i)).abs().total_cmp(&at(grid(j)).abs()));
                return self.straight + sign * grid(nearest.unwrap_or(0));
            };
            let (mut low, mut high) = (grid(i), grid(i + 1));
            let rising = at(high) > at(low);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if (at(middle) > 0.0) == rising { high = middle } else { low = middle }
            }
            self.straight + sign * 0.5 * (low + high)
        })
    }
}
