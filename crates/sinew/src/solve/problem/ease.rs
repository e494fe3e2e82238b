//! Weights: how far a goal's target stands between where its point is in the pose given and what was asked. Places move
//! along a line, rotations and sights along the shortest turn, at even speed.

use glam::{DAffine3, DQuat, DVec3};

use crate::goal::{Goal, Target};
use crate::math::affine::inverse;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::{Sight, in_model, not_too_far};

/// Sine below which an up, or the direction it should lean to, lies along the line of sight and says nothing.
const ALONG: f64 = 1e-4;

/// The goal with its target where its weight puts it, seen from `entry`; itself at weight one. `up_axis` is the axis in
/// the joint's frame that leans to the goal's up; without it the up stays as it is.
pub(in crate::solve) fn eased(skeleton: &Skeleton, goal: &Goal, up_axis: Option<DVec3>, entry: &Pose) -> Goal {
    let weight = goal.weight;
    if weight >= 1.0 {
        return *goal;
    }
    let from = goal.relative_to.map_or(DAffine3::IDENTITY, |joint| *entry.model(joint));
    let Some(into) = inverse(&from) else { return *goal };
    let point = entry.model(goal.joint).transform_point3(goal.offset);
    let place = |target: DVec3, now: DVec3| {
        let now = into.transform_point3(now);
        now + (not_too_far(target) - now) * weight
    };
    let turned = |target: DQuat| {
        let base = goal.relative_to.map_or(DQuat::IDENTITY, |joint| entry.rotation(joint).conjugate());
        arc::part_of_turn(base * entry.rotation(goal.joint), target, weight)
    };
    let target = match goal.target {
        Target::Position(position) => Target::Position(place(position, point)),
        Target::Rotation(rotation) => Target::Rotation(turned(rotation)),
        Target::Frame { position, rotation } => {
            Target::Frame { position: place(position, point), rotation: turned(rotation) }
        }
        Target::CenterOfMass(position) => {
            let now = entry.center_of_mass(skeleton, goal.joint);
            Target::CenterOfMass(now.map_or(position, |now| place(position, now)))
        }
        Target::Aim { axis, point: mark, up } => {
            let Some((way, hint)) = eased_sight(goal, up_axis, entry) else { return *goal };
            let distance = arc::length(in_model(goal, mark, entry) - point);
            let point = into.transform_point3(point + way * distance);
            let hint = hint.map(|hint| into.transform_vector3(hint));
            Target::Aim { axis, point, up: if up_axis.is_some() { hint } else { up } }
        }
        Target::Axis { axis, up, .. } => {
            let Some((way, hint)) = eased_sight(goal, up_axis, entry) else { return *goal };
            let hint = hint.map(|hint| into.transform_vector3(hint));
            let up = if up_axis.is_some() { hint } else { up };
            Target::Axis { axis, direction: into.transform_vector3(way), up }
        }
        // Its solver lets each joint take part of its share.
        Target::Scale(_) => goal.target,
    };
    Goal { target, asked: Some(goal.target), ..*goal }
}

/// Where the aimed axis points part of the way, and the direction its up then leans to, in model space.
fn eased_sight(goal: &Goal, up_axis: Option<DVec3>, entry: &Pose) -> Option<(DVec3, Option<DVec3>)> {
    let sight = Sight::of(goal, entry)?;
    let whole = arc::arc(sight.now, sight.wanted, sight.across);
    let turn = arc::part_of_turn(DQuat::IDENTITY, whole, goal.weight);
    let way = turn * sight.now;
    let (Target::Aim { up, .. } | Target::Axis { up, .. }) = goal.target else { return Some((way, None)) };
    let leaning = up.zip(up_axis).and_then(|(hint, axis)| {
        let hint = goal.relative_to.map_or(hint, |from| entry.model(from).transform_vector3(hint));
        let up = entry.model(goal.joint).transform_vector3(axis);
        let (end, start) = (arc::unit_reject(hint, sight.wanted, ALONG)?, arc::unit_reject(up, sight.now, ALONG)?);
        // The roll that the shortest turn leaves.
        let carried = whole * start;
        let left = ops::atan2(sight.wanted.dot(carried.cross(end)), carried.dot(end));
        Some(arc::axis_angle(way, left * goal.weight) * (turn * start))
    });
    Some((way, leaning))
}
