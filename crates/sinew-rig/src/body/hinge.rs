//! An elbow or a knee that is a hinge, as limits make it one: how far it folds, and how the limb then lies, in closed form.

use glam::{DQuat, DVec3};
use sinew::limit::Range;
use sinew::math::{arc, ops};
use sinew::{Kind, Skeleton};

use super::layout::{Layout, Limb};
use super::seen::Seen;

/// How much the axis tells, beside the elbow's place, in which plane a limb bends: a nearly straight one does not show it.
pub const AXIS_TELLS: f64 = 0.02;

/// The hinge between the two bones of a limb.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hinge {
    /// From the lower bone's frame to the upper's where the hinge is at 0.
    zero: DQuat,
    /// In the lower bone's frame; a positive turn folds.
    axis: DVec3,
    range: Range,
}

/// A limb that is folded, in the frame of its upper bone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folded {
    /// From the root to the end.
    pub(super) end: DVec3,
    /// Rotation of the lower bone.
    pub(super) lower: DQuat,
    /// Square to the plane in which it bends, as far as that is told; not of unit length.
    pub(super) hinge: DVec3,
    /// By how much the range keeps it from the distance asked for (radians).
    pub(super) outside: f64,
}

impl Hinge {
    /// The limb's hinge, what lies between its joints held as it is.
    pub(super) fn of(skeleton: &Skeleton, layout: &Layout, seen: &Seen, limb: &Limb) -> Option<Self> {
        let Kind::Hinge { axis, range } = skeleton.kind(limb.lower) else { return None };
        let between = seen.turned(limb.upper).conjugate() * seen.turned(skeleton.parent(limb.lower)?);
        let (above, own) = (layout.own(limb.upper), layout.own(limb.lower));
        let zero = arc::normalize(above.conjugate() * between * skeleton.zero(limb.lower).rotation * own);
        Some(Self { zero, axis: own.conjugate() * axis, range })
    }

    /// What the bones' squared length is made of: a constant, and the cosine and sine of what hangs on the angle, by its amplitude.
    fn terms(&self, upper: DVec3, lower: DVec3) -> (f64, [f64; 2], f64) {
        let from = self.zero.conjugate() * upper;
        let along = from.dot(self.axis) * lower.dot(self.axis);
        let (cosine, sine) = (from.dot(lower) - along, from.dot(self.axis.cross(lower)));
        let amplitude = ops::sqrt(cosine * cosine + sine * sine);
        let square = upper.length_squared() + lower.length_squared() + 2.0 * along;
        (square, [cosine, sine], 2.0 * amplitude)
    }

    /// The distance that the bones span at most.
    pub(super) fn reach(&self, upper: DVec3, lower: DVec3) -> f64 {
        let (square, _, amplitude) = self.terms(upper, lower);
        ops::sqrt_clamped(square + amplitude)
    }

    /// Folds the bones until they span a distance, or come as near to it as the range lets them.
    pub(super) fn fold(&self, upper: DVec3, lower: DVec3, far: f64) -> Folded {
        let (straight, bent) = self.angles(upper, lower, far);
        self.folded(upper, lower, straight, bent)
    }

    /// The same with the bones bent beyond straight, where the range lets them span the distance so.
    pub(super) fn stretch(&self, upper: DVec3, lower: DVec3, far: f64) -> Option<Folded> {
        let (straight, bent) = self.angles(upper, lower, far);
        Some(self.folded(upper, lower, straight, -bent)).filter(|folded| folded.outside == 0.0)
    }

    /// The hinge's angle where the bones are straight, and how far from there they span a distance.
    fn angles(&self, upper: DVec3, lower: DVec3, far: f64) -> (f64, f64) {
        let (square, [along, across], amplitude) = self.terms(upper, lower);
        let cosine = ((far * far - square) / amplitude.max(f64::MIN_POSITIVE)).clamp(-1.0, 1.0);
        (ops::atan2(across, along), ops::atan2(ops::sqrt_clamped(1.0 - cosine * cosine), cosine))
    }

    /// The bones bent so far from straight.
    fn folded(&self, upper: DVec3, lower: DVec3, straight: f64, bent: f64) -> Folded {
        let folds_back = self.range.min + self.range.max < 2.0 * straight;
        let wanted = if folds_back { straight - bent } else { straight + bent };
        let angle = self.range.clamp_angle(wanted, 0.0);
        let outside = (angle - ops::nearest_turn(wanted, angle)).abs();
        let lower_turn = self.zero * arc::axis_angle(self.axis, angle);
        let end = upper + lower_turn * lower;
        let axis = self.zero * if folds_back { -self.axis } else { self.axis };
        let line = arc::unit(end).unwrap_or(DVec3::Y);
        let shown = upper.cross(line) / arc::length(upper).max(f64::MIN_POSITIVE);
        let shown = if bent < 0.0 { -shown } else { shown };
        Folded {
            end,
            lower: lower_turn,
            hinge: shown + arc::reject(axis, line) * AXIS_TELLS,
            outside: if outside > LEAST { outside } else { 0.0 },
        }
    }
}

/// A fold that is beyond the range by less is rounding (radians).
const LEAST: f64 = 1e-9;
