//! Where the limb goes: the middle joint's fold from the distance, the root's turn from line and
//! bend, and what gives way where a limit forbids that.

use glam::{DQuat, DVec3};

use super::fold::Circle;
use super::geometry::Reference;
use super::measure::{Measured, STRAIGHT};
use super::solver::{TwoBone, turned_about};
use crate::limit::Range;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::Status;
use crate::transform::Transform;

/// The limb's new rotations, in the space of the root's parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// Local rotations.
    pub(super) root: DQuat,
    pub(super) mid: DQuat,
    /// The hinge's value, where the middle joint is one.
    pub(super) mid_value: Option<f64>,
    /// Factor on rest translations.
    pub(super) stretch: f64,
    pub(super) status: Status,
    /// From the root to the point solved for.
    pub(super) reach: DVec3,
    /// Unit bend direction.
    pub(super) bend: DVec3,
}

/// How the middle joint folds.
#[derive(Clone, Copy, Debug)]
struct Fold {
    mid: DQuat,
    value: Option<f64>,
    /// Tip with the root's rotation undone.
    tip: DVec3,
    /// Its unit direction.
    line: DVec3,
    /// Unit direction to which the limb bends, perpendicular to the tip's, the root undone.
    bulge: DVec3,
    status: Status,
    stretch: f64,
}

/// Angles (in 1/36 of a half turn) tried to either side of the pole where the root's limit forbids it.
const SWIVELS: i32 = 36;
/// Rounds of giving way to limits.
const ROUNDS: u32 = 64;

/// The placement for a target at `p` from the root and a pole direction, both in the space of the
/// root's parent. `None` where the limb has no length.
pub(super) fn place(
    limb: &TwoBone,
    skeleton: &Skeleton,
    pose: &Pose,
    measured: &Measured,
    p: DVec3,
    pole: Option<DVec3>,
    blocked: &mut impl FnMut(Joint),
) -> Option<Placement> {
    let rest = Reference { line: limb.rest.line, bend: limb.rest.bend };
    let stance = measured.stance().unwrap_or(rest);
    let line = arc::unit(p).unwrap_or(stance.line);
    let distance = line.dot(p).max(0.0);
    let bend = match pole {
        Some(pole) => arc::unit_reject(pole, line, 1e-10).unwrap_or_else(|| stance.carried(line)),
        None if p == DVec3::ZERO => stance.carried(line),
        None => rest.carried(line),
    };
    let bend = turned_about(line, bend, limb.pole_angle);
    let fold = fold(limb, skeleton, pose, measured, distance)?;
    let reached = line * (arc::length(fold.tip) * fold.stretch);
    let placed = |bend: DVec3| arc::between_frames(fold.line, fold.bulge, line, bend);
    let root = Transform { rotation: placed(bend), ..*pose.local(limb.root) };
    let mid = Transform { rotation: fold.mid, ..*pose.local(limb.mid) };
    let allowed = |joint: Joint, local: &Transform| allows(skeleton, pose, joint, local);
    let mut placement = Placement {
        root: root.rotation,
        mid: fold.mid,
        mid_value: fold.value,
        stretch: fold.stretch,
        status: fold.status,
        reach: reached,
        bend,
    };
    let mid_free = allowed(limb.mid, &mid);
    if mid_free && allowed(limb.root, &root) {
        if fold.status == Status::Limited {
            blocked(limb.mid);
        }
        return Some(placement);
    }
    let turned = |angle: f64| Transform { rotation: placed(turned_about(line, bend, angle)), ..root };
    if mid_free && let Some(angle) = nearest_swivel(|angle| allowed(limb.root, &turned(angle))) {
        placement.root = turned(angle).rotation;
        placement.bend = turned_about(line, bend, angle);
        return Some(placement);
    }
    give_way(limb, skeleton, pose, measured, p, &mut placement, blocked);
    Some(placement)
}

/// Whether the joint may be so.
fn allows(skeleton: &Skeleton, pose: &Pose, joint: Joint, local: &Transform) -> bool {
    let nearest = skeleton.project(joint, local, pose.value(skeleton, joint));
    let q = nearest.rotation.dot(local.rotation).abs();
    // 1 - cos of half an angle of about 1e-9 is lost in rounding: compare the difference itself.
    let sign = if nearest.rotation.dot(local.rotation) < 0.0 { -1.0 } else { 1.0 };
    let difference = nearest.rotation * sign - local.rotation;
    q > 0.5 && difference.dot(difference) < 1e-22
}

/// Folds the middle joint so that the tip is at `distance` from the root, or as near as may be.
fn fold(limb: &TwoBone, skeleton: &Skeleton, pose: &Pose, measured: &Measured, distance: f64) -> Option<Fold> {
    let hinge = match skeleton.kind(limb.mid) {
        Kind::Hinge { axis, range } => Some((skeleton.zero(limb.mid).rotation, axis, range)),
        _ => None,
    };
    let (zero, axis) = hinge.map_or_else(|| (measured.mid, ball_axis(limb, measured)), |(zero, axis, _)| (zero, axis));
    let circle = Circle::new(measured.a, &measured.link, zero, axis, measured.b);
    let span = circle.span(distance, limb.reach);
    let angles = circle.angles(span.distance / span.stretch);
    let along = circle.normal().dot(limb.rest.axis) >= 0.0;
    let (angle, status) = match hinge {
        None => (angles[0], span.status),
        Some((.., range)) => {
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
    let past = ops::nearest_turn(angle - circle.straight(), 0.0);
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
    Some(Fold { mid, value: hinge.map(|_| angle), tip, line, bulge, status, stretch: span.stretch })
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
    let near = |angle: f64| ops::nearest_turn(angle, now);
    let order = if along { angles } else { [angles[1], angles[0]] };
    let [first, second] = order.map(|angle| within(angle).then(|| range.clamp_angle(angle, now)));
    match (first, second) {
        (Some(a), Some(b)) => Some(if (near(b) - now).abs() < (near(a) - now).abs() - 1e-9 { b } else { a }),
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

/// The smallest turn away from the pole at which the root is allowed, if there is any.
fn nearest_swivel(allowed: impl Fn(f64) -> bool) -> Option<f64> {
    let step = core::f64::consts::PI / f64::from(SWIVELS);
    let found = (1..=SWIVELS).flat_map(|i| [i, -i]).map(|i| f64::from(i) * step).find(|&angle| allowed(angle))?;
    let (mut inside, mut outside) = (found, found - step * found.signum());
    for _ in 0..40 {
        let middle = 0.5 * (inside + outside);
        if allowed(middle) { inside = middle } else { outside = middle }
    }
    Some(inside)
}

/// Turns root and middle joint in turns, each as near as its limit allows, until nothing improves.
fn give_way(
    limb: &TwoBone,
    skeleton: &Skeleton,
    pose: &Pose,
    measured: &Measured,
    p: DVec3,
    placement: &mut Placement,
    blocked: &mut impl FnMut(Joint),
) {
    let mut root = skeleton.project(limb.root, &Transform { rotation: placement.root, ..*pose.local(limb.root) }, 0.0);
    let near = pose.value(skeleton, limb.mid);
    let mut mid = skeleton.project(limb.mid, &Transform { rotation: placement.mid, ..*pose.local(limb.mid) }, near);
    let (p, out_of_link) = (p / placement.stretch, measured.link.inverse());
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let wanted = out_of_link * (root.rotation.conjugate() * p - measured.a);
        step(skeleton, limb.mid, &mut mid, measured.b, wanted, near);
        step(skeleton, limb.root, &mut root, measured.tip(mid.rotation), p, pose.value(skeleton, limb.root));
        let miss = arc::length(p - root.rotation * measured.tip(mid.rotation));
        if miss > best * (1.0 - 1e-9) || miss <= 1e-13 * measured.length {
            break;
        }
        best = miss;
    }
    let tip = measured.tip(mid.rotation);
    placement.root = root.rotation;
    placement.mid = mid.rotation;
    placement.mid_value = placement.mid_value.map(|_| hinge_value(skeleton, limb.mid, &mid, near));
    placement.reach = root.rotation * tip;
    if arc::length(p - placement.reach) > 1e-9 * measured.length {
        placement.status = Status::Limited;
    }
    if let Some(bend) = arc::unit(placement.reach).and_then(|line| arc::unit_reject(root.rotation * measured.a, line, STRAIGHT)) {
        placement.bend = bend;
    }
    for (joint, local, tip, wanted) in [
        (limb.root, root, tip, p),
        (limb.mid, mid, measured.b, out_of_link * (root.rotation.conjugate() * p - measured.a)),
    ] {
        // A joint blocks where it would go on if it might.
        let (Some(from), Some(to)) = (arc::unit(local.rotation * tip), arc::unit(wanted)) else { continue };
        if placement.status == Status::Limited && arc::length(from - to) > 1e-7 {
            blocked(joint);
        }
    }
}

/// Turns a joint so that `tip` (in its frame) points as nearly along `wanted` (in its parent's) as
/// its kind and limit allow.
fn step(skeleton: &Skeleton, joint: Joint, local: &mut Transform, tip: DVec3, wanted: DVec3, near: f64) {
    if let Kind::Hinge { axis, range } = skeleton.kind(joint) {
        // The angle itself, the joint's own turn left out: cyclic coordinate descent on one axis.
        let zero = skeleton.zero(joint).rotation;
        let target = zero.conjugate() * wanted;
        let sine = axis.dot(tip.cross(target));
        let cosine = tip.dot(target) - axis.dot(tip) * axis.dot(target);
        if sine != 0.0 || cosine != 0.0 {
            local.rotation = zero * arc::axis_angle(axis, range.clamp_angle(ops::atan2(sine, cosine), near));
        }
        return;
    }
    let (Some(from), Some(to)) = (arc::unit(local.rotation * tip), arc::unit(wanted)) else { return };
    let turned = arc::normalize(arc::arc(from, to, arc::any_perpendicular(from)) * local.rotation);
    *local = skeleton.project(joint, &Transform { rotation: turned, ..*local }, near);
}

fn hinge_value(skeleton: &Skeleton, joint: Joint, local: &Transform, near: f64) -> f64 {
    match skeleton.kind(joint) {
        Kind::Hinge { axis, range } => {
            let turn = arc::twist_angle(skeleton.zero(joint).rotation.conjugate() * local.rotation, axis);
            range.clamp_angle(turn, near)
        }
        _ => near,
    }
}
