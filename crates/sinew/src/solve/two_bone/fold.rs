//! The middle joint's fold: its rotation for a distance, within a hinge's range, and to which side the
//! limb then bulges.

use core::f64::consts::FRAC_PI_2;

use glam::{DMat3, DQuat, DVec2, DVec3};

use super::circle::Circle;
use super::measure::Measured;
use super::reach::{Rim, Span};
use super::rest::STRAIGHT;
use super::settings::TwoBone;
use super::soft::Bones;
use super::spatial::triangle;
use crate::limit::Range;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::Status;

/// Middle of the turn in which angles past straight are read (radians): folded flat is not quite its end.
const FLAT: f64 = 1e-6;
/// Angle past straight (radians) that is none.
const LEVEL: f64 = 1e-9;
/// Length below which a bone has none (metres): its square loses its digits.
const SHORT: f64 = 1e-140;
/// Squared length of two unit directions' sum below which they are opposite.
const OPPOSITE: f64 = 1e-30;
/// Relative deviation from uniform scale that is none.
const UNIFORM: f64 = 1e-12;

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
        if let Some(fold) = Self::of_ball(limb, skeleton, measured, distance) {
            return Some(fold);
        }
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

    /// The fold of a ball between bones that have lengths, without an angle: the second bone turns in the limb's plane to where
    /// the triangle has it. `None` for hinges, and where scale between the bones is not uniform.
    fn of_ball(limb: &TwoBone, skeleton: &Skeleton, measured: &Measured, distance: f64) -> Option<Self> {
        let second = measured.link * (measured.folds_from * measured.b);
        let (l1, l2) = (arc::length(measured.a), arc::length(second));
        if !(l1 > SHORT && l2 > SHORT) || skeleton.hinge(limb.mid).is_some() || !is_similar(&measured.link) {
            return None;
        }
        let first = measured.a / l1;
        let side = arc::unit_across(second, first, STRAIGHT).unwrap_or_else(|| {
            let normal = arc::unit_reject(limb.rest.axis, first, 1e-6);
            normal.unwrap_or_else(|| arc::any_perpendicular(first)).cross(first)
        });
        let span = Rim::near(limb.reach, Bones::new(l1, l2), distance * distance).span(distance);
        let d = span.distance / span.stretch;
        // Folded flat onto the root, the first bone itself is the bend.
        let (along, across) = if d > 1e-12 * l1 { triangle(d, l1, l2) } else { (0.0, l1) };
        let (cosine, sine) = (along / l1, across / l1);
        // The second bone's direction in the plane of first bone and side, now and then.
        let now = DVec2::new(first.dot(second), side.dot(second)) / l2;
        let then = DVec2::new(d * cosine - l1, d * sine) / l2;
        // Seen from the middle joint, which scale and mirrors between leave alone.
        let into = measured.link.transpose();
        let normal = arc::unit((into * first).cross(into * side))?;
        Some(Self {
            mid: turn(normal, now, then) * measured.folds_from,
            value: None,
            line: first * cosine + side * sine,
            bulge: first * sine - side * cosine,
            status: span.status,
            stretch: span.stretch,
        })
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

/// The turn about a unit axis from one unit direction across it to another, both in coordinates of the plane.
#[inline(always)]
pub(super) fn turn(axis: DVec3, from: DVec2, to: DVec2) -> DQuat {
    let sum = from + to;
    // Half the angle: the sum's length is twice its cosine, and the cross product, four times both, over that its sine.
    let (sine, cosine) = match sum.dot(sum) {
        square if square > OPPOSITE => (from.perp_dot(to) / ops::sqrt(square), 0.5 * ops::sqrt(square)),
        _ => (1.0, 0.0),
    };
    let v = axis * sine;
    arc::normalize(DQuat::from_xyzw(v.x, v.y, v.z, cosine))
}

/// Whether a map scales all directions alike.
fn is_similar(map: &DMat3) -> bool {
    let (x, y, z) = (map.x_axis, map.y_axis, map.z_axis);
    let square = x.dot(x);
    let uneven = (square - y.dot(y)).abs() + (square - z.dot(z)).abs();
    uneven + x.dot(y).abs() + y.dot(z).abs() + z.dot(x).abs() <= UNIFORM * square
}

/// The middle joint's circle, and its range if it is a hinge.
pub(super) fn circle(limb: &TwoBone, skeleton: &Skeleton, measured: &Measured) -> (Circle, Option<Range>) {
    let (zero, axis, range) = axis(limb, skeleton, measured);
    (Circle::new(measured.a, &measured.link, zero, axis, measured.b), range)
}

/// Whether the middle joint is a hinge that may fold by a quarter of a turn to either side. One that may not turns less from one side
/// to the other than the root would roll to keep the bend where it is.
pub(super) fn folds_either_way(limb: &TwoBone, skeleton: &Skeleton, pose: &Pose, measured: &Measured) -> bool {
    let (circle, range) = circle(limb, skeleton, measured);
    let now = pose.value(skeleton, limb.mid);
    let quarters = [FRAC_PI_2, -FRAC_PI_2].map(|fold| circle.straight() + fold);
    range.is_some_and(|range| quarters.into_iter().all(|angle| is_within(range, angle, now)))
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
    let order = if along { angles } else { [angles[1], angles[0]] };
    let [first, second] = order.map(|angle| is_within(range, angle, now).then(|| range.clamp_angle(angle, now)));
    match (first, second) {
        (Some(a), Some(b)) if (b - now).abs() < (a - now).abs() - 1e-9 => [second, first],
        (None, _) => [second, None],
        _ => [first, second],
    }
}

/// Whether a range allows an angle, in any turn.
fn is_within(range: Range, angle: f64, now: f64) -> bool {
    let allowed = range.clamp_angle(angle, now);
    (ops::nearest_turn(angle, allowed) - allowed).abs() < 1e-9
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
