//! Weights below one: the target is moved to part of the way from where the tip was, so that what a
//! solver of many goals reaches is part of the way, too.

use glam::{DAffine3, DQuat, DVec3};

use super::mass::center_of_mass;
use crate::goal::{Goal, Target};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::Sight;
use crate::solve::two_bone::measure::inverse;

/// The goal with its target moved towards where its joint is in `entry`; itself at weight one.
pub(in crate::solve) fn part_way(skeleton: &Skeleton, goal: &Goal, entry: &Pose) -> Goal {
    let weight = goal.weight;
    if weight >= 1.0 {
        return *goal;
    }
    let from = goal.relative_to.map_or(DAffine3::IDENTITY, |joint| *entry.model(joint));
    let Some(into) = inverse(&from) else { return *goal };
    let point = entry.model(goal.joint).transform_point3(goal.offset);
    let place = |target: DVec3, now: DVec3| {
        let now = into.transform_point3(now);
        now + (target - now) * weight
    };
    let turned = |target: DQuat| {
        let base = goal.relative_to.map_or(DQuat::IDENTITY, |joint| entry.rotation(joint).conjugate());
        part_of_turn(base * entry.rotation(goal.joint), target, weight)
    };
    let target = match goal.target {
        Target::Position(position) => Target::Position(place(position, point)),
        Target::Rotation(rotation) => Target::Rotation(turned(rotation)),
        Target::Frame { position, rotation } => {
            Target::Frame { position: place(position, point), rotation: turned(rotation) }
        }
        Target::CenterOfMass(position) => {
            let now = center_of_mass(skeleton, entry, goal.joint);
            Target::CenterOfMass(now.map_or(position, |now| place(position, now)))
        }
        Target::Aim { axis, point: mark, up } => {
            let Some(way) = sight_part_way(goal, entry) else { return *goal };
            let distance = arc::length(from.transform_point3(mark) - point);
            Target::Aim { axis, point: into.transform_point3(point + way * distance), up }
        }
        Target::Axis { axis, up, .. } => {
            let Some(way) = sight_part_way(goal, entry) else { return *goal };
            Target::Axis { axis, direction: into.transform_vector3(way), up }
        }
        Target::Scale(_) => goal.target,
    };
    Goal { target, ..*goal }
}

/// Where the aimed axis points part of the way, in model space.
fn sight_part_way(goal: &Goal, entry: &Pose) -> Option<DVec3> {
    let sight = Sight::of(goal, entry)?;
    let whole = arc::arc(sight.now, sight.wanted, sight.across);
    Some(part_of_turn(DQuat::IDENTITY, whole, goal.weight) * sight.now)
}

/// From one rotation part of the shortest way to another, at even speed.
fn part_of_turn(from: DQuat, to: DQuat, weight: f64) -> DQuat {
    let vector = arc::rotation_vector(arc::normalize(to * from.conjugate()));
    arc::unit(vector).map_or(from, |axis| arc::normalize(arc::axis_angle(axis, arc::length(vector) * weight) * from))
}
