//! An arm or a leg in closed form, bent towards a direction.

use glam::{DQuat, DVec3};
use sinew::math::{arc, ops};

/// Part of the whole length by which a limb never is straight or folded flat: there its plane is no more told by its joints.
const ROUNDING: f64 = 1e-12;
/// Below this sine a direction lies along the limb and says nothing.
const FLAT: f64 = 1e-6;

/// A limb in the T-pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bones {
    /// From shoulder to elbow, or from hip to knee.
    pub(super) upper: DVec3,
    /// From elbow to hand, or from knee to foot.
    pub(super) lower: DVec3,
    /// To where it folds: forearms ahead, shins back.
    pub(super) fold: DVec3,
}

/// A limb that is placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) middle: DVec3,
    pub(super) end: DVec3,
    /// Rotations against the T-pose.
    pub(super) upper: DQuat,
    pub(super) lower: DQuat,
}

impl Bones {
    pub(super) fn reach(&self) -> f64 {
        arc::length(self.upper) + arc::length(self.lower)
    }

    /// Brings the limb's end from `start` to `end`, or as near as its lengths allow, with its middle towards `bend`.
    /// `None` where a bone has no length.
    pub(super) fn place(&self, start: DVec3, end: DVec3, bend: DVec3) -> Option<Placed> {
        let (a, b) = (arc::length(self.upper), arc::length(self.lower));
        let line = arc::unit(end - start).unwrap_or(-DVec3::Y);
        let whole = a + b;
        let nearest = (a - b).abs() + ROUNDING * whole;
        let far = arc::length(end - start).clamp(nearest, (whole * (1.0 - ROUNDING)).max(nearest));
        let along = (a * a + far * far - b * b) / (2.0 * far);
        let across = ops::sqrt_clamped(a * a - along * along);
        let bend = arc::unit_reject(bend, line, FLAT).unwrap_or_else(|| arc::any_perpendicular(line));
        let middle = start + line * along + bend * across;
        let end = start + line * far;
        let hinge = bend.cross(line);
        Some(Placed {
            middle,
            end,
            upper: self.turned(self.upper, middle - start, hinge)?,
            lower: self.turned(self.lower, end - middle, hinge)?,
        })
    }

    /// From a bone of the T-pose to where it lies, folding about `hinge`.
    fn turned(&self, from: DVec3, to: DVec3, hinge: DVec3) -> Option<DQuat> {
        let (from, to) = (arc::unit(from)?, arc::unit(to)?);
        let own = arc::unit_reject(from.cross(self.fold), from, FLAT).unwrap_or_else(|| arc::any_perpendicular(from));
        let hinge = arc::unit_reject(hinge, to, FLAT).unwrap_or_else(|| arc::any_perpendicular(to));
        Some(arc::normalize(arc::between_frames(from, own, to, hinge)))
    }
}
