//! The walk: from base to tail every joint takes its share of what is left, the tail all of it.

use glam::{DQuat, DVec3};

use super::left::{STILL, size};
use super::part::{hinge_angle, set_hinge};
use super::solver::Share;
use super::view::{AimTask, View};
use crate::limit::Range;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::transform::Transform;

/// Turns each joint once by its share, as far as its limit allows.
pub(super) fn walk(task: &AimTask<'_>, movers: &[Share], pose: &mut Pose) {
    for at in 0..movers.len() {
        let joint = movers[at].joint;
        let Some(view) = task.view(joint, pose) else { return };
        if let Some((axis, range)) = task.skeleton.hinge(joint) {
            turn_hinge(task, &movers[at..], &view, (axis, range), pose);
        } else {
            turn_ball(task, &movers[at..], &view, pose);
        }
    }
}

/// A hinge takes its share of the angle about its axis.
fn turn_hinge(task: &AimTask<'_>, movers: &[Share], view: &View, (axis, range): (DVec3, Range), pose: &mut Pose) {
    let (skeleton, joint) = (task.skeleton, movers[0].joint);
    let zero = skeleton.zero(joint).rotation;
    let Some(best) = hinge_angle(view, zero, axis) else { return };
    let share = fraction(task.skeleton, movers, pose, view.parent * (zero * axis));
    let now = pose.value(skeleton, joint);
    let wanted = now + (ops::nearest_turn(best.angle, now) - now) * share;
    let value = range.clamp_angle(wanted, now);
    if (value - now).abs() * best.effect > STILL {
        set_hinge(skeleton, pose, joint, value);
    }
}

/// A ball takes its share of the turn; where nobody below can take the rest, all of it.
fn turn_ball(task: &AimTask<'_>, movers: &[Share], view: &View, pose: &mut Pose) {
    let (skeleton, joint) = (task.skeleton, movers[0].joint);
    let local = *pose.local(joint);
    let Ok(sight) = view.about_tail().sight(view.mark) else { return };
    let whole = sight.turn(local.rotation, view.up);
    let share = fraction(skeleton, movers, pose, view.parent * DVec3::new(whole.x, whole.y, whole.z));
    let turn = if share < 1.0 {
        part_of(whole, share)
    } else {
        let Ok(sight) = view.source.sight(view.mark) else { return };
        sight.turn(local.rotation, view.up)
    };
    if size(turn) > STILL {
        let wanted = Transform { rotation: arc::normalize(turn * local.rotation), ..local };
        let allowed = skeleton.nearest_allowed(joint, &wanted, 0.0);
        pose.edit(skeleton).local(joint, allowed);
    }
}

/// The first joint's share of what it and those below can do of a turn about an axis (model space,
/// any length): hinges count as far as they turn about it.
fn fraction(skeleton: &Skeleton, movers: &[Share], pose: &Pose, about: DVec3) -> f64 {
    let below: f64 = movers[1..].iter().map(|mover| mover.share * ability(skeleton, mover.joint, pose, about)).sum();
    if below > 0.0 { movers[0].share / (movers[0].share + below) } else { 1.0 }
}

/// How much of a turn about an axis a joint can do, 0 to 1.
fn ability(skeleton: &Skeleton, joint: Joint, pose: &Pose, about: DVec3) -> f64 {
    let Kind::Hinge { axis, .. } = skeleton.kind(joint) else { return 1.0 };
    let parent = skeleton.parent(joint).map_or(skeleton.base(joint).matrix3, |parent| pose.model(parent).matrix3);
    let axis = arc::unit(parent * (skeleton.zero(joint).rotation * axis));
    let along = axis.zip(arc::unit(about)).map_or(0.0, |(a, b)| a.dot(b));
    if along.abs() < 1e-6 { 0.0 } else { along * along }
}

/// The same turn by a fraction of its angle.
fn part_of(turn: DQuat, fraction: f64) -> DQuat {
    let vector = arc::rotation_vector(turn);
    arc::unit(vector).map_or(DQuat::IDENTITY, |axis| arc::axis_angle(axis, arc::length(vector) * fraction))
}
