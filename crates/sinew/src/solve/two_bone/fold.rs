//! The middle joint's fold: its rotation for a distance, within a hinge's range, and to which side the
//! limb then bulges.

use glam::{DQuat, DVec3};

use super::circle::Circle;
use super::measure::{Measured, STRAIGHT};
use super::solver::TwoBone;
use crate::limit::Range;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::Status;

/// Middle of the turn in which angles past straight are read (radians): folded flat is not quite its end.
const FLAT: f64 = 1e-6;

/// How the middle joint folds.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Fold {
    pub(in crate::solve) mid: DQuat,
    pub(super) value: Option<f64>,
    /// Unit direction of the tip with the root's rotation undone.
    pub(super) line: DVec3,
    /// Unit direction to which the limb bends, perpendicular to the tip's, the root undone.
    pub(super) bulge: DVec3,
    pub(in crate::solve) status: Status,
    pub(in crate::solve) stretch: f64,
}

impl Fold {
    /// Folds the middle joint so that the tip is at `distance` from the root, or as near as may be.
    pub(in crate::solve) fn new(
        limb: &TwoBone,
        skeleton: &Skeleton,
        pose: &Pose,
        measured: &Measured,
        distance: f64,
    ) -> Option<Self> {
        let (zero, axis, range) = axis(limb, skeleton, measured);
        let circle = Circle::new(measured.a, &measured.link, zero, axis, measured.b);
        let span = circle.span(distance, limb.reach);
        let angles = circle.angles(span.distance / span.stretch);
        let along = circle.normal().dot(limb.rest.axis) >= 0.0;
        let (angle, status) = match range {
            None => (angles[0], span.status),
            Some(range) => {
                let now = pose.value(skeleton, limb.mid);
                let chosen = allowed_angle(angles, range, now, along);
                chosen.map_or_else(
                    || (nearest_allowed(&circle, range, now, span.distance / span.stretch), Status::Limited),
                    |angle| (angle, span.status),
                )
            }
        };
        let tip = circle.tip(angle);
        let length = arc::length(measured.a).max(arc::length(tip));
        if length == 0.0 {
            return None;
        }
        // Past straight in the positive sense the limb bulges to tip × normal.
        // Folded flat either sense is as good: always the positive one.
        let past = ops::nearest_turn(angle - circle.straight(), FLAT);
        let normal = arc::unit(circle.normal()).unwrap_or(limb.rest.axis) * if past < 0.0 { -1.0 } else { 1.0 };
        let bulge = match arc::unit(tip).filter(|_| arc::length(tip) > 1e-12 * length) {
            Some(line) => arc::unit_reject(measured.a, line, STRAIGHT)
                .or_else(|| arc::unit_reject(line.cross(normal), line, 1e-9))
                .unwrap_or_else(|| arc::any_perpendicular(line)),
            None => arc::unit(measured.a)?,
        };
        let line = arc::unit(tip).filter(|_| arc::length(tip) > 1e-12 * length);
        let line = line.or_else(|| arc::unit(normal.cross(bulge))).unwrap_or_else(|| arc::any_perpendicular(bulge));
        let mid = zero * arc::axis_angle(axis, angle);
        Some(Self { mid, value: range.map(|_| angle), line, bulge, status, stretch: span.stretch })
    }
}

/// The middle joint's rotation at angle 0, its fold axis in that frame, and its range if it is a hinge.
fn axis(limb: &TwoBone, skeleton: &Skeleton, measured: &Measured) -> (DQuat, DVec3, Option<Range>) {
    match skeleton.hinge(limb.mid) {
        Some((axis, range)) => (skeleton.zero(limb.mid).rotation, axis, Some(range)),
        None => (measured.mid, ball_axis(limb, measured), None),
    }
}

/// How near and how far the tip can be from the root, hinges' ranges apart.
pub(in crate::solve) fn bounds(limb: &TwoBone, skeleton: &Skeleton, measured: &Measured) -> (f64, f64) {
    let (zero, axis, _) = axis(limb, skeleton, measured);
    Circle::new(measured.a, &measured.link, zero, axis, measured.b).bounds()
}

/// The axis, in its own frame, about which a ball joint folds: the present bend's, so that it turns
/// no more than it must, else the rest pose's.
fn ball_axis(limb: &TwoBone, measured: &Measured) -> DVec3 {
    let second = measured.link * (measured.mid * measured.b);
    let first = arc::unit(measured.a).or_else(|| arc::unit(second)).unwrap_or(DVec3::X);
    let bent = arc::unit_reject(second, first, STRAIGHT).map(|across| first.cross(across));
    let normal = bent.or_else(|| arc::unit_reject(limb.rest.axis, first, 1e-6));
    let normal = normal.unwrap_or_else(|| arc::any_perpendicular(first));
    // Normals are carried by the transpose; a mirror in between turns the sense of angles round.
    let axis = arc::unit(measured.mid.conjugate() * (measured.link.transpose() * normal)).unwrap_or(DVec3::X);
    let mirrored = measured.link.determinant() < 0.0;
    if mirrored { -axis } else { axis }
}

/// The angle within the range that is nearest to the present one; of two equally near ones that on
/// the side to which the rest pose bends (`along`: the positive one).
fn allowed_angle(angles: [f64; 2], range: Range, now: f64, along: bool) -> Option<f64> {
    let within = |angle: f64| {
        let allowed = range.clamp_angle(angle, now);
        (ops::nearest_turn(angle, allowed) - allowed).abs() < 1e-9
    };
    let order = if along { angles } else { [angles[1], angles[0]] };
    let [first, second] = order.map(|angle| within(angle).then(|| range.clamp_angle(angle, now)));
    match (first, second) {
        (Some(a), Some(b)) => Some(if (b - now).abs() < (a - now).abs() - 1e-9 { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// The allowed angle at which the limb's length is nearest to `distance`: an end of the range, or
/// straight or folded where they are inside it.
fn nearest_allowed(circle: &Circle, range: Range, now: f64, distance: f64) -> f64 {
    let extremes = [circle.straight(), circle.straight() + core::f64::consts::PI];
    let inside = extremes.map(|angle| range.clamp_angle(angle, now));
    let all = [range.min, range.max, inside[0], inside[1]];
    let miss = |angle: f64| (arc::length(circle.tip(angle)) - distance).abs();
    let finite = all.into_iter().filter(|angle| angle.is_finite());
    finite.min_by(|&a, &b| miss(a).total_cmp(&miss(b))).unwrap_or(now)
}
