//! An arm or a leg in closed form, bent towards a direction.

use glam::{DQuat, DVec3};
use sinew::math::{arc, ops};

use super::hinge::Hinge;

/// Part of the whole length by which a limb never is straight or folded flat: there its plane is no more told by its joints.
const ROUNDING: f64 = 1e-12;
/// Below this sine a direction lies along the limb and says nothing.
const FLAT: f64 = 1e-6;

/// In a limb that is nearly straight a middle that is told may lie on any side: the nearer it is to the line between the ends, from this
/// share of the limb's length on, the more counts what is natural.
pub(super) const SHOWS: f64 = 0.06;
/// How much more what is natural counts than a middle that is nearer to the line than the limb's lengths let it be, by what it is nearer.
const DISAGREES: f64 = 3.0;

/// Which way a limb bends, both from its start: to where its middle is told to be, if it is, and as people bend it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bend {
    pub(super) told: Option<DVec3>,
    pub(super) natural: DVec3,
}

/// A limb in the T-pose.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bones {
    /// From shoulder to elbow, or from hip to knee.
    pub(super) upper: DVec3,
    /// From elbow to hand, or from knee to foot.
    pub(super) lower: DVec3,
    /// To where it folds: forearms ahead, shins back.
    pub(super) fold: DVec3,
    /// Between them, where it is one.
    pub(super) hinge: Option<Hinge>,
    /// The distance that they span at most.
    pub(super) reach: f64,
}

/// A limb that is placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) middle: DVec3,
    pub(super) end: DVec3,
    /// Rotations against the T-pose.
    pub(super) upper: DQuat,
    pub(super) lower: DQuat,
    /// By how much the range of its hinge keeps the end from its target (radians).
    pub(super) outside: f64,
}

impl Bones {
    pub(super) fn of([upper, lower]: [DVec3; 2], fold: DVec3, hinge: Option<Hinge>) -> Self {
        let reach = match hinge {
            Some(hinge) => hinge.reach(upper, lower),
            None => arc::length(upper) + arc::length(lower),
        };
        Self { upper, lower, fold, hinge, reach }
    }

    /// Brings the limb's end from `start` to `end`, or as near as its lengths allow, with its middle towards `bend`.
    /// `None` where a bone has no length.
    pub(super) fn place(&self, start: DVec3, end: DVec3, bend: Bend) -> Option<Placed> {
        if let Some(hinge) = &self.hinge {
            return self.fold(hinge, start, end, bend);
        }
        let bend = bend.told.unwrap_or(bend.natural);
        let (a, b) = (arc::length(self.upper), arc::length(self.lower));
        let line = arc::unit(end - start).unwrap_or(-DVec3::Y);
        let whole = a + b;
        let nearest = (a - b).abs() + ROUNDING * whole;
        let far = arc::length(end - start).clamp(nearest, (whole * (1.0 - ROUNDING)).max(nearest));
        let along = (a * a + far * far - b * b) / (2.0 * far);
        let across = ops::sqrt_clamped(a * a - along * along);
        let bend = arc::unit_across(bend, line, FLAT).unwrap_or_else(|| arc::any_perpendicular(line));
        let middle = start + line * along + bend * across;
        let end = start + line * far;
        let hinge = bend.cross(line);
        Some(Placed {
            middle,
            end,
            upper: self.turned(self.upper, middle - start, hinge)?,
            lower: self.turned(self.lower, end - middle, hinge)?,
            outside: 0.0,
        })
    }

    /// The axis about which a limb folds whose upper bone is turned so and whose ends are so far apart; not of unit length.
    pub(super) fn folds_about(&self, upper: DQuat, far: f64) -> DVec3 {
        upper
            * match &self.hinge {
                Some(hinge) => hinge.fold(self.upper, self.lower, far).hinge,
                None => self.upper.cross(self.fold),
            }
    }

    /// The same about a hinge.
    fn fold(&self, hinge: &Hinge, start: DVec3, end: DVec3, bend: Bend) -> Option<Placed> {
        let line = arc::unit(end - start).unwrap_or(-DVec3::Y);
        let far = arc::length(end - start);
        let (folded, bend) = match bend.told {
            Some(told) => {
                let (told, natural) = (arc::reject(told, line), arc::reject(bend.natural, line));
                let is_behind = told.dot(natural) < 0.0;
                let stretched = || hinge.stretch(self.upper, self.lower, far).map(|folded| (folded, -told));
                let (folded, told) = is_behind
                    .then(stretched)
                    .flatten()
                    .unwrap_or_else(|| (hinge.fold(self.upper, self.lower, far), told));
                let (off, least) = (arc::length(told), SHOWS * self.reach);
                let untold = DISAGREES * (self.across(far) - off).max(0.0) + 0.5 * (least - off).max(0.0);
                (folded, told + natural * untold)
            }
            None => (hinge.fold(self.upper, self.lower, far), bend.natural),
        };
        let own = arc::unit(folded.end)?;
        let across = arc::unit_across(folded.hinge, own, 1e-12).unwrap_or_else(|| arc::any_perpendicular(own));
        let bend = arc::unit_across(bend, line, FLAT).unwrap_or_else(|| arc::any_perpendicular(line));
        let upper = arc::normalize(arc::between_frames(own, across, line, bend.cross(line)));
        Some(Placed {
            middle: start + upper * self.upper,
            end: start + upper * folded.end,
            upper,
            lower: arc::normalize(upper * folded.lower),
            outside: folded.outside,
        })
    }

    /// How far the middle is from the line between ends so far apart.
    fn across(&self, far: f64) -> f64 {
        let (a, b) = (arc::length(self.upper), arc::length(self.lower));
        let along = (a * a + far * far - b * b) / (2.0 * far.max(f64::MIN_POSITIVE));
        ops::sqrt_clamped(a * a - along * along)
    }

    /// From a bone of the T-pose to where it lies, folding about `hinge`.
    fn turned(&self, from: DVec3, to: DVec3, hinge: DVec3) -> Option<DQuat> {
        let (from, to) = (arc::unit(from)?, arc::unit(to)?);
        let own = arc::unit_across(from.cross(self.fold), from, FLAT).unwrap_or_else(|| arc::any_perpendicular(from));
        let hinge = arc::unit_across(hinge, to, FLAT).unwrap_or_else(|| arc::any_perpendicular(to));
        Some(arc::normalize(arc::between_frames(from, own, to, hinge)))
    }
}
