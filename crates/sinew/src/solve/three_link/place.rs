//! Where three links go: the last along its direction, the first two to its start, what limits keep one
//! joint from made up by the others.

use glam::DVec3;

use super::direction::{Last, Plane, Yields, yielded};
use super::last_link::{before_pointing, link_of, point_last, points};
use super::settings::ThreeLink;
use super::still::{stand, stays};
use super::{give_way, heel, unfold};
use crate::goal::{Goal, Pole, Target};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::report::first_reason;
use crate::solve::two_bone::limb_target::Arrival;
use crate::solve::two_bone::limb_target::LimbTarget;
use crate::solve::two_bone::measure::Measured;
use crate::solve::two_bone::run::Placed;
use crate::solve::two_bone::{Reach, fold};
use crate::solve::{Status, in_model, orient};

/// Relative distance below which the tip has arrived.
const ARRIVED: f64 = 1e-10;
/// Rounds for a last link whose length changes as it turns.
const ROUNDS: u32 = 8;

/// The last link's direction as a goal has it, in model space.
pub(super) fn last_of(goal: &Goal, pose: &Pose) -> Option<Last> {
    let from = goal.relative_to.map(|joint| pose.model(joint));
    match goal.target {
        Target::Axis { direction, .. } => {
            Some(Last::Direction(from.map_or(direction, |map| map.transform_vector3(direction))))
        }
        Target::Aim { point, .. } => Some(Last::Toward(in_model(goal, point, pose))),
        _ => None,
    }
}

/// Places the limb for the target of its tip.
pub(super) fn place(
    limb: &ThreeLink,
    skeleton: &Skeleton,
    limb_target: &LimbTarget,
    last: Option<Last>,
    pose: &mut Pose,
    blocked: &mut dyn FnMut(Joint),
) -> Placed {
    let whole = limb.whole();
    let Some(arrival) = whole.arrival(limb_target.position, limb_target.rotation, limb_target.offset, pose) else {
        return (Status::Singular, None);
    };
    let Some(target) = arrival.target else { return whole.place(skeleton, limb_target, pose, blocked) };
    let toward = |place: DVec3| arc::unit(place - target);
    let direction = match last {
        Some(Last::Direction(direction)) => arc::unit(direction),
        Some(Last::Toward(place)) => toward(place),
        _ => None,
    };
    let given = *pose.local(limb.low);
    let before = [limb.root, limb.mid, limb.low].map(|joint| (joint, *pose.local(joint)));
    if limb.reach.stretches() {
        // Stretch multiplies the rest lengths.
        whole.below_root(skeleton).for_each(|joint| {
            pose.edit(skeleton).translation(joint, skeleton.rest(joint).translation);
        });
    }
    let mut placed = if let Some(u) = direction {
        directed(limb, skeleton, limb_target, &arrival, u, pose, blocked)
    } else {
        let angle = if let Some(Last::Angle(angle)) = last { Some(angle) } else { None };
        unfold::kept(limb, skeleton, limb_target, (target, arrival.offset), angle, pose, blocked)
    };
    if placed.0 == Status::Held {
        return placed;
    }
    let goal = (target, arrival.offset);
    let rotations = before.map(|(_, local)| local.rotation);
    if let Some((status, swivel)) = give_way::give_way(limb, skeleton, goal, pose, placed, rotations) {
        placed = (status.max(orient::turn(skeleton, pose, limb.tip, arrival.rotation, blocked)), swivel);
    }
    stand(limb.low, &given, skeleton, pose);
    let keeps = heel::keeps(limb, limb_target) && last.is_none() && limb_target.swivel.is_none();
    let keeps = keeps && matches!(limb.reach, Reach::Clamp | Reach::Hold);
    if stays(limb, skeleton, goal, &before, keeps, pose) {
        let _ = orient::turn(skeleton, pose, limb.tip, arrival.rotation, blocked);
    }
    placed
}

/// The last link along `u`.
fn directed(
    limb: &ThreeLink,
    skeleton: &Skeleton,
    limb_target: &LimbTarget,
    arrival: &Arrival,
    u: DVec3,
    pose: &mut Pose,
    blocked: &mut dyn FnMut(Joint),
) -> Placed {
    let given = *pose.local(limb.low);
    let Some(target) = arrival.target else { return (Status::Singular, None) };
    let Some(link) = link_of(limb, skeleton, pose, arrival.offset) else { return (Status::Singular, None) };
    let length = arc::length(pose.model(limb.low).transform_vector3(link));
    let u = match limb.yields {
        Yields::Position => u,
        Yields::Direction => {
            let Some(u) = nearest_direction(limb, skeleton, pose, target, u, length) else {
                return (Status::Singular, None);
            };
            u
        }
    };
    let size = length + arc::length(pose.position(limb.low) - pose.position(limb.root));
    let (status, swivel) = laid(limb, skeleton, limb_target, (target, link, u * length), size, pose, blocked);
    if matches!(status, Status::Singular | Status::Held) {
        return (status, swivel);
    }
    let turned = orient::turn(skeleton, pose, limb.tip, arrival.rotation, blocked);
    let soft = matches!(limb.reach, Reach::Soft { .. }) && status != Status::Limited;
    let fixed = points(limb, pose, link, u);
    // A limit may keep the last link from its direction, or the others from its start; where the direction
    // gives way, scale that is not uniform may leave it short.
    let takes_up = match limb.yields {
        Yields::Direction => {
            !fixed || matches!(status, Status::Limited | Status::OutOfReach | Status::TooClose) && !soft
        }
        Yields::Position => !fixed && status == Status::Reached,
    };
    let off = arc::length(target - pose.model(limb.tip).transform_point3(arrival.offset));
    if !takes_up || off <= ARRIVED * size {
        return (first_reason(status, turned), swivel);
    }
    let (status, swivel) =
        unfold::from_here(limb, skeleton, limb_target, (target, arrival.offset), given, pose, blocked);
    (first_reason(status, turned), swivel)
}

/// The first two links to where the last one starts, `last` being that link as it should lie, and the last
/// one along it. Scale that is not uniform makes its length depend on its direction, hence the rounds.
fn laid(
    limb: &ThreeLink,
    skeleton: &Skeleton,
    limb_target: &LimbTarget,
    (target, link, mut last): (DVec3, DVec3, DVec3),
    size: f64,
    pose: &mut Pose,
    blocked: &mut dyn FnMut(Joint),
) -> Placed {
    let (upper, u) = (limb.upper(), last);
    let from = before_pointing(limb, skeleton, limb_target.weight, pose);
    let pole = match limb.plane {
        Plane::Natural { side } => Some((Pole::Direction(u * if side < 0.0 { -1.0 } else { 1.0 }), None)),
        Plane::Pole => limb_target.pole,
    };
    let mut rounds = 0..ROUNDS;
    loop {
        let start =
            LimbTarget { position: Some(target - last), rotation: None, offset: DVec3::ZERO, pole, ..*limb_target };
        let placed = upper.place(skeleton, &start, pose, blocked);
        if matches!(placed.0, Status::Singular | Status::Held) {
            return placed;
        }
        point_last(limb, skeleton, pose, from, (link, u), blocked);
        let now = pose.model(limb.low).transform_vector3(link);
        let same = arc::length(now - last) <= 0.1 * ARRIVED * size;
        if same || !points(limb, pose, link, u) || rounds.next().is_none() {
            return placed;
        }
        last = now;
    }
}

/// The direction nearest to `u` from which the first two links reach the last one's start.
fn nearest_direction(
    limb: &ThreeLink,
    skeleton: &Skeleton,
    pose: &Pose,
    target: DVec3,
    u: DVec3,
    length: f64,
) -> Option<DVec3> {
    let upper = limb.upper();
    let measured = Measured::of(&upper, skeleton, pose, DVec3::ZERO)?;
    let (shortest, longest) = fold::bounds(&upper, skeleton, &measured);
    let into = measured.into_parent;
    let e = into.transform_point3(target) - measured.origin;
    let link = into.transform_vector3(u * length);
    let u_in_parent = arc::unit(link)?;
    let yielded = yielded(u_in_parent, e, arc::length(link), (shortest, longest), upper.rest.bend);
    if yielded == u_in_parent { Some(u) } else { arc::unit(into.inverse().transform_vector3(yielded)) }
}
