//! The start at rest: joints go to rest as far as the weights of the goals that may move them say.

use super::engine::Engine;
use super::scope::may_use;
use crate::goal::Goal;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::Workspace;
use crate::transform::Transform;

/// The rest pose of the skeleton last seen.
#[derive(Debug, Default)]
pub(super) struct Rest(pub(super) Pose);

/// Brings the joints that goals may move to rest, inside their limits: at weights below 1 part of the way from `entry`,
/// so that an answer comes in with its weight. Scales and lengths of bones stay.
pub(super) fn set_to_rest<'a>(
    engine: &dyn Engine,
    skeleton: &Skeleton,
    goals: &(impl Iterator<Item = &'a Goal> + Clone),
    pose: &mut Pose,
    work: &mut Workspace,
) {
    let mut rest = work.take::<Rest>();
    rest.0.reset(skeleton);
    let weight = |joint: Joint| {
        let movers = goals.clone().filter(|goal| {
            engine.in_scope(skeleton, goal, joint)
                && may_use(skeleton, goal, joint)
                && !work.is_owned(skeleton, joint, goal.joint)
        });
        movers.map(|goal| goal.weight).fold(0.0, f64::max)
    };
    for joint in skeleton.iter().filter(|&joint| engine.can_move(skeleton, joint)) {
        let weight = skeleton.drive(joint).map_or_else(
            || weight(joint),
            |drive| {
                // The first joint of a coordinate brings the others.
                let is_first = skeleton.driven(drive.coordinate).next() == Some(joint);
                let all = skeleton.driven(drive.coordinate).map(weight).fold(0.0, f64::max);
                if is_first { all } else { 0.0 }
            },
        );
        if weight > 0.0 {
            let travels = engine.travels(skeleton, joint);
            bring(skeleton, (joint, travels), weight, (work.entry(), &rest.0), pose);
        }
    }
    work.put(rest);
}

/// Brings one joint part of the way.
fn bring(
    skeleton: &Skeleton,
    (joint, travels): (Joint, bool),
    weight: f64,
    (entry, rest): (Option<&Pose>, &Pose),
    pose: &mut Pose,
) {
    let given = entry.unwrap_or(pose);
    let (now, from, to) = (*pose.local(joint), *given.local(joint), rest.local(joint));
    let translation = match travels {
        true if weight < 1.0 => from.translation.lerp(to.translation, weight),
        true => to.translation,
        false => now.translation,
    };
    if let Some(drive) = skeleton.drive(joint) {
        let (from, to) = (given.coordinates()[drive.coordinate], rest.coordinates()[drive.coordinate]);
        let q = if weight < 1.0 { from + (to - from) * weight } else { to };
        let q = skeleton.coordinates()[drive.coordinate].range.clamp(q);
        let mut edit = pose.edit(skeleton);
        edit.coordinate(drive.coordinate, q);
        if travels {
            edit.translation(joint, translation);
        }
        return;
    }
    let start = Transform {
        rotation: if weight < 1.0 { arc::part_of_turn(from.rotation, to.rotation, weight) } else { to.rotation },
        translation,
        scale: now.scale,
    };
    pose.edit(skeleton).local(joint, skeleton.nearest_allowed(joint, &start, 0.0));
}
