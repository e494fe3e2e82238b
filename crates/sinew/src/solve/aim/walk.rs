//! The walk: from base to tail every joint takes its share of what is left, the tail all of it.

use glam::{DQuat, DVec3};

use super::part::{self, hinge_angle, hinge_range, set_hinge};
use super::solver::Share;
use super::view::{View, Wish};
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::transform::Transform;

/// Angle (radians) below which a joint is left as it is.
pub(super) const STILL: f64 = 1e-10;
/// Angle of the aim, and of the turn with the up, that is worth a pass short of its goal.
const AIM_GAIN: f64 = 2e-5;
const ROLL_GAIN: f64 = 1e-2;
/// Angle below which an aim is met.
pub(super) const MET: f64 = 1e-9;

/// What is left of an aim.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    /// Chord of the ray's angle to the line of sight.
    pub(super) aim: f64,
    /// The turn left with the up (radians, at most its chord).
    pub(super) whole: f64,
}

impl Left {
    /// `None` where a scale of zero, or a mark without a direction, leaves no aim.
    pub(super) fn of(wish: &Wish<'_>, pose: &Pose) -> Option<Self> {
        let view = wish.view(wish.tail, pose)?;
        let sight = view.barrel.sight(view.mark).ok()?;
        let rotation = view.barrel.rotation;
        let turn = sight.turn(rotation, view.up);
        let whole = 2.0 * arc::length(DVec3::new(turn.x, turn.y, turn.z));
        Some(Self { aim: arc::length(rotation * sight.held - sight.to), whole })
    }

    /// Whether there is nothing to do.
    pub(super) fn is_nothing(self) -> bool {
        self.whole < STILL
    }

    /// Whether this is nearer than `other`: by the aim, else by the up.
    pub(super) fn is_better(self, other: Self) -> bool {
        let aim = |left: Self| left.aim.max(MET);
        aim(self) < aim(other) || (aim(self) <= aim(other) && self.whole < other.whole)
    }

    /// Whether this is so much nearer than `other` that joints should move for it.
    pub(super) fn is_worth(self, other: Self) -> bool {
        let gained = (other.aim - AIM_GAIN).max(0.5 * other.aim);
        let aims = other.aim > MET && (self.aim < gained || self.aim <= MET);
        let rolls = self.aim <= MET && self.whole < other.whole - ROLL_GAIN;
        self.is_nothing() || aims || rolls
    }
}

/// Turns each joint once by its share, as far as its limit allows. `None` where there is no aim.
pub(super) fn walk(wish: &Wish<'_>, movers: &[Share], pose: &mut Pose) -> Option<()> {
    for at in 0..movers.len() {
        let joint = movers[at].joint;
        let view = wish.view(joint, pose)?;
        if let Kind::Hinge { axis, range } = wish.skeleton.kind(joint) {
            turn_hinge(wish, &movers[at..], &view, (axis, range), pose);
        } else {
            turn_ball(wish, &movers[at..], &view, pose);
        }
    }
    Some(())
}

/// A hinge takes its share of the angle about its axis.
fn turn_hinge(
    wish: &Wish<'_>,
    movers: &[Share],
    view: &View,
    (axis, range): (DVec3, crate::limit::Range),
    pose: &mut Pose,
) {
    let (skeleton, joint) = (wish.skeleton, movers[0].joint);
    let zero = skeleton.zero(joint).rotation;
    let Some(best) = hinge_angle(view, zero, axis) else { return };
    let share = fraction(wish.skeleton, movers, pose, view.parent.matrix3 * (zero * axis));
    let now = pose.value(skeleton, joint);
    let wanted = now + (ops::nearest_turn(best.angle, now) - now) * share;
    let value = hinge_range(skeleton, joint, range).clamp_angle(wanted, now);
    if (value - now).abs() * best.effect > STILL {
        set_hinge(skeleton, pose, joint, value);
    }
}

/// A ball takes its share of the turn; where nobody below can take the rest, all of it.
fn turn_ball(wish: &Wish<'_>, movers: &[Share], view: &View, pose: &mut Pose) {
    let (skeleton, joint) = (wish.skeleton, movers[0].joint);
    let local = *pose.local(joint);
    let Ok(sight) = view.about_tail().sight(view.mark) else { return };
    let whole = sight.turn(local.rotation, view.up);
    let share = fraction(skeleton, movers, pose, view.parent.matrix3 * DVec3::new(whole.x, whole.y, whole.z));
    let turn = if share < 1.0 {
        part_of(whole, share)
    } else {
        let Ok(sight) = view.barrel.sight(view.mark) else { return };
        sight.turn(local.rotation, view.up)
    };
    if 2.0 * arc::length(DVec3::new(turn.x, turn.y, turn.z)) > STILL {
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

/// Turns one joint as well as it may, whatever its share. `None` where there is no aim.
pub(super) fn best_turn(wish: &Wish<'_>, joint: Joint, pose: &mut Pose) -> Option<()> {
    let view = wish.view(joint, pose)?;
    let skeleton = wish.skeleton;
    if let Kind::Hinge { axis, range } = skeleton.kind(joint) {
        if let Some(best) = hinge_angle(&view, skeleton.zero(joint).rotation, axis) {
            let now = pose.value(skeleton, joint);
            let value = hinge_range(skeleton, joint, range).clamp_angle(best.angle, now);
            set_hinge(skeleton, pose, joint, value);
        }
    } else {
        let local = *pose.local(joint);
        let turned = part::ball(skeleton, joint, &local, &view);
        pose.edit(skeleton).local(joint, turned);
    }
    Some(())
}
