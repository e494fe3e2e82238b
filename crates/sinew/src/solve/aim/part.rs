//! How far one joint brings the aim: a ball inside its limit, a hinge about its axis.

use glam::{DQuat, DVec3};

use super::kernel::AimTarget;
use super::view::{AimTask, View};
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};
use crate::solve::budget::Budget;
use crate::transform::Transform;

/// Sine below which a ray lies along a hinge, with an up for the hinge to lean and without.
const ROLLS: f64 = 1e-6;
const ALONG: f64 = 5e-10;
/// Sine below which a mark lies on a hinge's axis.
const PARALLEL: f64 = 1e-12;
/// Projections a limited ball takes in turn with the aim.
const PROJECTIONS: u32 = 32;
/// Angle (radians) of the aim below which they end, and the least share of it that one must gain.
const MET: f64 = 1e-13;
const GAIN: f64 = 1e-4;
/// Price of a turn, of each joint that it carries, and of a projection.
pub(super) const TURN: usize = 450;
pub(super) const CARRIED: usize = 12;
const PROJECTION: usize = 120;

/// Best angle of a hinge, and what a radian of it moves of the aim.
#[derive(Clone, Copy, Debug)]
pub(super) struct HingeAngle {
    pub(super) angle: f64,
    pub(super) effect: f64,
}

/// The angle (from the joint's zero) at which a hinge's ray, seen along its axis, passes through the
/// mark; a ray along the axis leans its up instead. `None` where every angle is as good.
pub(super) fn hinge_angle(view: &View, zero: DQuat, axis: DVec3) -> Option<HingeAngle> {
    let into_zero = zero.conjugate();
    let ray = arc::unit(view.source.axis)?;
    let along = if view.up.is_some() { ROLLS } else { ALONG };
    let Some(flat) = arc::unit_reject(ray, axis, along) else {
        let (up, hint) = view.up?;
        return Some(HingeAngle { angle: angle_about(axis, up, into_zero * hint)?, effect: 1.0 });
    };
    let (held, to) = match view.mark {
        AimTarget::Direction(direction) => (flat, into_zero * direction),
        AimTarget::Point(point) => {
            let to = into_zero * (point - view.source.origin);
            let reach = arc::reject(to, axis);
            let reach = arc::unit(reach).map_or(0.0, |u| u.dot(reach));
            let across = arc::reject(arc::reject(view.source.offset, axis), flat);
            let wide = arc::unit(across).map_or(0.0, |u| u.dot(across));
            let ahead = ops::sqrt_clamped((reach - wide) * (reach + wide));
            (across + flat * ahead, to)
        }
    };
    let to = arc::unit(to)?;
    let effect = arc::length(arc::reject(to, axis)).min(arc::length(arc::reject(ray, axis)));
    Some(HingeAngle { angle: angle_about(axis, held, to)?, effect })
}

/// Angle about `axis` that brings `from` nearest to `to`; `None` where either lies along it.
fn angle_about(axis: DVec3, from: DVec3, to: DVec3) -> Option<f64> {
    let (from, to) = (arc::unit_reject(from, axis, PARALLEL)?, arc::unit_reject(to, axis, PARALLEL)?);
    Some(ops::atan2(axis.dot(from.cross(to)), from.dot(to)))
}

/// Sets the value of a hinge (radians), and of what follows it.
pub(super) fn set_hinge(skeleton: &Skeleton, pose: &mut Pose, joint: Joint, value: f64) {
    pose.edit(skeleton).value(joint, value);
}

/// Turns one joint as well as it may, whatever its share; not where a scale of zero leaves no aim.
pub(super) fn best_turn(task: &AimTask<'_>, joint: Joint, pose: &mut Pose, budget: &mut Budget) {
    budget.spend(TURN + CARRIED * task.skeleton.subtree(joint).len());
    let (skeleton, Some(view)) = (task.skeleton, task.view(joint, pose)) else { return };
    if let Some((axis, range)) = skeleton.hinge(joint) {
        if let Some(best) = hinge_angle(&view, skeleton.zero(joint).rotation, axis) {
            let now = pose.value(skeleton, joint);
            let value = range.clamp_angle(best.angle, now);
            set_hinge(skeleton, pose, joint, value);
        }
    } else {
        let local = *pose.local(joint);
        let turned = ball(skeleton, joint, &local, &view, budget);
        pose.edit(skeleton).local(joint, turned);
    }
}

/// A ball's local transform with the ray through the mark and the up leant, as far as its limit
/// allows: where it does not allow both, the ray counts and the roll is free (projections on limit and
/// aim in turn).
fn ball(skeleton: &Skeleton, joint: Joint, local: &Transform, view: &View, budget: &mut Budget) -> Transform {
    let Ok(sight) = view.source.sight(view.mark) else { return *local };
    let mut best = *local;
    let mut left = f64::INFINITY;
    for round in 0..PROJECTIONS {
        budget.spend(PROJECTION);
        let turn = sight.turn(best.rotation, if round == 0 { view.up } else { None });
        let wanted = Transform { rotation: arc::normalize(turn * best.rotation), ..best };
        let allowed = skeleton.nearest_allowed(joint, &wanted, 0.0);
        best = allowed;
        if allowed == wanted {
            break;
        }
        let miss = arc::length(allowed.rotation * sight.held - sight.to);
        if miss < MET || miss > left * (1.0 - GAIN) {
            break;
        }
        left = miss;
    }
    best
}

/// Whether the joint's limit keeps it from bringing the ray nearer by more than `angle` radians.
pub(super) fn is_blocked(skeleton: &Skeleton, pose: &Pose, joint: Joint, view: &View, angle: f64) -> bool {
    match skeleton.kind(joint) {
        Kind::Hinge { axis, .. } => hinge_angle(view, skeleton.zero(joint).rotation, axis).is_some_and(|best| {
            let now = pose.value(skeleton, joint);
            let allowed = skeleton.range(joint).clamp_angle(best.angle, now);
            ops::nearest_turn(best.angle - allowed, 0.0).abs() * best.effect > angle
        }),
        Kind::Ball(BallLimit::Free) | Kind::Free => false,
        _ => {
            let local = pose.local(joint);
            let Ok(sight) = view.source.sight(view.mark) else { return false };
            let rotation = arc::normalize(sight.turn(local.rotation, None) * local.rotation);
            let allowed = skeleton.nearest_allowed(joint, &Transform { rotation, ..*local }, 0.0);
            arc::length(allowed.rotation * sight.held - sight.to) > angle
        }
    }
}
