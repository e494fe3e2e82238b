//! The middle joint's fold: its rotation for a distance, within a hinge's range, and to which side the
//! limb then bulges.

use glam::{DQuat, DVec3};

use super::circle::Circle;
use super::measure::{Measured, STRAIGHT};
use super::reach::Span;
use super::solver::TwoBone;
use crate::limit::Range;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::Status;

/// Middle of the turn in which angles past straight are read (radians): folded flat is not quite its end.
const FLAT: f64 = 1e-6;
/// Angle past straight (radians) that is none.
const LEVEL: f64 = 1e-9;

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
        let (circle, range) = circle(limb, skeleton, measured);
        let span = circle.span(distance, limb.reach);
        let angles = circle.angles(span.distance / span.stretch);
        let Some(range) = range else { return Self::at(limb, measured, &circle, angles[0], span, None) };
        let now = pose.value(skeleton, limb.mid);
        if let Some(angle) = allowed_angles(angles, range, now, circle.along(limb))[0] {
            return Self::at(limb, measured, &circle, angle, span, Some(now));
        }
        let angle = nearest_allowed(&circle, range, now, span.distance / span.stretch);
        let span = Span { status: Status::Limited, ..span };
        Self::at(limb, measured, &circle, angle, span, Some(now))
    }

    /// The fold to the other side, where the middle joint is a hinge whose range allows it.
    pub(super) fn other(
        limb: &TwoBone,
        skeleton: &Skeleton,
        pose: &Pose,
        measured: &Measured,
        distance: f64,
    ) -> Option<Self> {
        let (circle, range) = circle(limb, skeleton, measured);
        let span = circle.span(distance, limb.reach);
        let angles = circle.angles(span.distance / span.stretch);
        let now = pose.value(skeleton, limb.mid);
        let angle = allowed_angles(angles, range?, now, circle.along(limb))[1]?;
        Self::at(limb, measured, &circle, angle, span, Some(now))
    }

    /// The fold at an angle of its circle; `now` is a hinge's angle in the pose given.
    fn at(
        limb: &TwoBone,
        measured: &Measured,
        circle: &Circle,
        angle: f64,
        span: Span,
        now: Option<f64>,
    ) -> Option<Self> {
        let tip = circle.tip(angle);
        let far = arc::length(tip);
        let length = arc::length(measured.a).max(far);
        if length == 0.0 {
            return None;
        }
        // Past straight in the positive sense the limb bulges to tip × normal.
        let normal = || {
            // Folded flat either sense is as good: always the positive one.
            let past = |angle: f64| ops::nearest_turn(angle - circle.straight(), FLAT);
            let past = match (past(angle), now.map(past)) {
                // Straight, a hinge bulges to the side from which it comes.
                (end, Some(now)) if end.abs() < LEVEL && now.abs() > LEVEL => now,
                (end, _) => end,
            };
            arc::unit(circle.normal()).unwrap_or(limb.rest.axis) * if past < 0.0 { -1.0 } else { 1.0 }
        };
        let line = arc::unit(tip).filter(|_| far > 1e-12 * length);
        let bulge = match line {
            Some(line) => arc::unit_reject(measured.a, line, STRAIGHT)
                .or_else(|| arc::unit_reject(line.cross(normal()), line, 1e-9))
                .unwrap_or_else(|| arc::any_perpendicular(line)),
            None => arc::unit(measured.a)?,
        };
        let line = line.or_else(|| arc::unit(normal().cross(bulge))).unwrap_or_else(|| arc::any_perpendicular(bulge));
        let value = now.map(|_| angle);
        Some(Self { mid: circle.rotation(angle), value, line, bulge, status: span.status, stretch: span.stretch })
    }
}

/// The middle joint's circle, and its range if it is a hinge.
pub(super) fn circle(limb: &TwoBone, skeleton: &Skeleton, measured: &Measured) -> (Circle, Option<Range>) {
    let (zero, axis, range) = axis(limb, skeleton, measured);
    (Circle::new(measured.a, &measured.link, zero, axis, measured.b), range)
}

/// The middle joint's rotation at angle 0, its fold axis in that frame, and its range if it is a hinge.
fn axis(limb: &TwoBone, skeleton: &Skeleton, measured: &Measured) -> (DQuat, DVec3, Option<Range>) {
    if let Some((axis, range)) = skeleton.hinge(limb.mid) {
        return (skeleton.zero(limb.mid).rotation, axis, Some(range));
    }
    let mid = measured.folds_from;
    (mid, ball_axis(limb, measured, mid), None)
}

/// How near and how far the tip can be from the root, hinges' ranges apart.
pub(in crate::solve) fn bounds(limb: &TwoBone, skeleton: &Skeleton, measured: &Measured) -> (f64, f64) {
    circle(limb, skeleton, measured).0.bounds()
}

/// The axis, in its own frame, about which a ball joint at `mid` folds: that of its bend there, so that it
/// turns no more than it must, else the rest pose's.
fn ball_axis(limb: &TwoBone, measured: &Measured, mid: DQuat) -> DVec3 {
    let second = measured.link * (mid * measured.b);
    let first = arc::unit(measured.a).or_else(|| arc::unit(second)).unwrap_or(DVec3::X);
    let bent = arc::unit_reject(second, first, STRAIGHT).map(|across| first.cross(across));
    let normal = bent.or_else(|| arc::unit_reject(limb.rest.axis, first, 1e-6));
    let normal = normal.unwrap_or_else(|| arc::any_perpendicular(first));
    // Normals are carried by the transpose; a mirror in between turns the sense of angles round.
    let axis = arc::unit(mid.conjugate() * (measured.link.transpose() * normal)).unwrap_or(DVec3::X);
    let mirrored = measured.link.determinant() < 0.0;
    if mirrored { -axis } else { axis }
}

/// The angles within the range, first the one nearest to the present angle; of two equally near ones that on
/// the side to which the rest pose bends (`along`: the positive one).
fn allowed_angles(angles: [f64; 2], range: Range, now: f64, along: bool) -> [Option<f64>; 2] {
    let within = |angle: f64| {
        let allowed = range.clamp_angle(angle, now);
        (ops::nearest_turn(angle, allowed) - allowed).abs() < 1e-9
    };
    let order = if along { angles } else { [angles[1], angles[0]] };
    let [first, second] = order.map(|angle| within(angle).then(|| range.clamp_angle(angle, now)));
    match (first, second) {
        (Some(a), Some(b)) if (b - now).abs() < (a - now).abs() - 1e-9 => [second, first],
        (None, _) => [second, None],
        _ => [first, second],
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
