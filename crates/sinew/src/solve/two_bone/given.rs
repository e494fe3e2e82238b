//! The bend of the pose given: how a limb lies before it is solved, and what it prefers where that says little.
//!
//! Near straight the plane of a limb is noise: a middle joint that passes its line by a hair turns the plane by half
//! a turn. So the plane given counts by how far the middle joint is from the line, measured against how far the target
//! asks it to be, and the rest is what the limb prefers.
//!
//! The plane of a hinge is across its axis, also where it is straight: only the side is noise. A hinge that folds far to one side
//! alone takes the side of its fold, and the root does not roll.
//!
//! Vectors are in the frame of the root joint with its own rotation undone.

use core::f64::consts::PI;

use glam::{DQuat, DVec3};

use super::carry::turned_about;
use super::fold::{Fold, folds_either_way};
use super::geometry::Reference;
use super::measure::Measured;
use super::rest::STRAIGHT;
use super::settings::TwoBone;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Kind, Skeleton};

/// The plane given counts wholly where the middle joint is at least this share as far from the line as the target asks,
/// and in proportion below.
pub(super) const WHOLE: f64 = 1.0 / 8.0;
/// Angle (radians) within which two planes are opposite: then the turn from one to the other is always positive.
const OPPOSITE: f64 = 1e-6;

/// A limb as it lies in the pose given, and its fold for a target from there.
pub(super) struct Given {
    /// Line and bend, in the space of the root's parent.
    pub(super) stance: Reference,
    pub(super) fold: Fold,
}

impl Given {
    /// For a tip at `distance` from the root; `None` where the limb has no length.
    pub(super) fn of(
        limb: &TwoBone,
        skeleton: &Skeleton,
        pose: &Pose,
        measured: &Measured,
        distance: f64,
    ) -> Option<Self> {
        let mut measured = Measured { folds_from: measured.mid, ..*measured };
        let mut fold = Fold::new(limb, skeleton, pose, &measured, distance)?;
        let mut lies = Lies::of(limb, &measured);
        let asked = fold.stretch * measured.a.dot(fold.bulge);
        let is_hinge = matches!(skeleton.kind(limb.mid), Kind::Hinge { .. });
        if is_hinge && !folds_either_way(limb, skeleton, pose, &measured) {
            lies.bend = arc::arc(fold.line, lies.line, fold.bulge) * fold.bulge;
        } else if lies.off < WHOLE * asked {
            let share = lies.off / (WHOLE * asked);
            if is_hinge {
                lies.bend = between(lies.line, lies.preferred, lies.bend, share);
            } else if let Some(mid) = leaned(limb, &measured, share) {
                // A ball folds in the plane itself, so that the root need not roll.
                measured.folds_from = mid;
                fold = Fold::new(limb, skeleton, pose, &measured, distance)?;
                lies = Lies::of(limb, &measured);
            }
        }
        let stance = Reference { line: measured.root * lies.line, bend: measured.root * lies.bend };
        Some(Self { stance, fold })
    }
}

/// Where the limb's line and its middle joint are.
struct Lies {
    /// Unit direction of the tip.
    line: DVec3,
    /// Unit direction of the bend, perpendicular to it; the preferred one where the limb has none.
    bend: DVec3,
    /// To which side it prefers to bend.
    preferred: DVec3,
    /// How far the middle joint is from the line, 0 where that is rounding.
    off: f64,
}

impl Lies {
    fn of(limb: &TwoBone, measured: &Measured) -> Self {
        let (tip, axis) = (measured.tip(measured.folds_from), limb.rest.preferred);
        let line = arc::unit(tip).filter(|_| arc::length(tip) > STRAIGHT * measured.length);
        // With the tip on the root the middle joint alone has a direction, which is the bend.
        let line = line.unwrap_or_else(|| {
            let bend = arc::unit(measured.a).unwrap_or(DVec3::Y);
            arc::unit_reject(axis, bend, 1e-6).map_or_else(|| arc::any_perpendicular(bend), |axis| axis.cross(bend))
        });
        let preferred = arc::unit_reject(line.cross(axis), line, 1e-6);
        let preferred = preferred.unwrap_or_else(|| arc::any_perpendicular(line));
        let off = arc::length(arc::reject(measured.a, line));
        match arc::unit_reject(measured.a, line, STRAIGHT) {
            Some(bend) if off > STRAIGHT * measured.length => Self { line, bend, preferred, off },
            _ => Self { line, bend: preferred, preferred, off: 0.0 },
        }
    }
}

/// The direction that share of the way from one to another, both unit and perpendicular to the unit `line`.
fn between(line: DVec3, from: DVec3, to: DVec3, share: f64) -> DVec3 {
    turned_about(line, from, share * turn_between(line, from, to))
}

/// The turn about a unit `line` from one perpendicular direction to another (radians).
pub(super) fn turn_between(line: DVec3, from: DVec3, to: DVec3) -> f64 {
    let turn = ops::atan2(line.dot(from.cross(to)), from.dot(to));
    if turn < OPPOSITE - PI { turn + 2.0 * PI } else { turn }
}

/// The rotation of a ball in the middle at which the limb folds in a plane that share of the way from the preferred one
/// to its own; `None` where it has none.
fn leaned(limb: &TwoBone, measured: &Measured, share: f64) -> Option<DQuat> {
    let first = arc::unit(measured.a)?;
    let second = measured.link * (measured.mid * measured.b);
    let own = arc::unit_reject(second, first, STRAIGHT)?;
    let preferred = arc::unit_reject(limb.rest.preferred.cross(first), first, 1e-6)?;
    let turn = turn_between(first, own, preferred) * (1.0 - share);
    let along = first * first.dot(second);
    let wanted = along + turned_about(first, second - along, turn);
    let (from, to) = (arc::unit(measured.mid * measured.b)?, arc::unit(measured.link.inverse() * wanted)?);
    Some(arc::normalize(arc::arc(from, to, measured.mid * arc::any_perpendicular(from)) * measured.mid))
}
