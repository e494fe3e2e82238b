//! What each goal was left with, and why.

use glam::DVec3;

use super::active::{chord, turned};
use super::goal_task::{GoalTask, Part};
use super::mass::center_of_mass;
use super::method::dot;
use super::mover::{Mover, MoverKind};
use super::plan::{Asked, Block, Plan};
use super::solver::Jacobian;
use super::system::{System, column};
use crate::goal::{Goal, Slack, Target};
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::{Residual, Sight, Status, TargetInModel, Workspace};

/// Cosine between a motion and what is left that a blocked joint must have to be named.
const MATTERS: f64 = 1e-3;
/// Turn (radians) by which a ball's limit is tried, and the share of it that must be refused.
const TRIAL: f64 = 1e-4;
const REFUSED: f64 = 0.1;
/// Share by which a target must be out of reach.
const BEYOND: f64 = 1e-9;

/// Writes the residuals of all goals the solver acts on, and the joints whose limits block them.
pub(super) fn report(
    solver: &Jacobian,
    (plan, system): (&Plan, &System),
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &Pose,
    spent: bool,
    work: &mut Workspace,
) {
    let mut rank = 0;
    for order in 0..goals.len() {
        let place = work.ranked(order);
        let goal = &goals[place];
        if !Jacobian::acts_on(goal) {
            continue;
        }
        let parts = || plan.blocks.iter().filter(move |block| block.is_of(rank));
        let mut residual = measured(skeleton, goal, pose);
        residual.status = if is_singular(skeleton, goal, pose) {
            Status::Singular
        } else if parts().next().is_none() {
            without_pull(solver, plan, goal, &residual)
        } else if parts().all(|block| block.yields() || is_met(block, system)) {
            if goal.weight < 1.0 { Status::Softened } else { Status::Reached }
        } else {
            for block in parts().filter(|block| !is_met(block, system)) {
                for mover in plan.movers.iter().filter(|mover| is_blocked(mover, block, system, skeleton, pose)) {
                    work.block(place, mover.joint);
                }
            }
            let limited = work.blocking(place).next().is_some();
            let status = parts().find_map(|block| reach(plan, block, skeleton, pose));
            match status {
                _ if limited => Status::Limited,
                Some(status) => status,
                None if spent => Status::OutOfIterations,
                None => Status::Stalled,
            }
        };
        work.residuals_mut()[place] = residual;
        rank += 1;
    }
}

/// The residual; of a centre of mass, too.
pub(in crate::solve) fn measured(skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> Residual {
    let mut residual = Residual::measured(goal, pose, Status::Reached);
    if let (Target::CenterOfMass(place), Some(now)) = (goal.target, center_of_mass(skeleton, pose, goal.joint)) {
        let target = goal.relative_to.map_or(place, |from| pose.model(from).transform_point3(place));
        residual.position = goal.way_left(target - now);
    }
    residual
}

pub(super) fn is_met(block: &Block, system: &System) -> bool {
    let error = &system.error[block.rows.clone()];
    dot(error, error) <= block.tolerance * block.tolerance
}

/// A goal that does not pull may be met all the same.
fn without_pull(solver: &Jacobian, plan: &Plan, goal: &Goal, residual: &Residual) -> Status {
    let own = (solver.position_tolerance * plan.unit, solver.rotation_tolerance);
    let (near, turn) = goal.tolerance.map_or(own, |tolerance| (tolerance.position, tolerance.rotation));
    let met = residual.position_error() <= near && residual.rotation_error() <= turn;
    if met { Status::Reached } else { Status::Stalled }
}

/// Whether the geometry leaves nothing to aim or weigh.
pub(in crate::solve) fn is_singular(skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> bool {
    match goal.target {
        Target::Aim { .. } | Target::Axis { .. } => Sight::of(goal, pose).is_none(),
        Target::CenterOfMass(_) => center_of_mass(skeleton, pose, goal.joint).is_none(),
        Target::Rotation(_) => arc::rotation_of(&pose.model(goal.joint).matrix3).is_none(),
        _ => false,
    }
}

/// Whether a joint would bring the block nearer but for its limit.
fn is_blocked(mover: &Mover, block: &Block, system: &System, skeleton: &Skeleton, pose: &Pose) -> bool {
    let error = &system.error[block.rows.clone()];
    let size = ops::sqrt(dot(error, error));
    let pulls = |k: usize| {
        let column = &column(&system.matrix, system.height, mover.first + k)[block.rows.clone()];
        (dot(column, error), ops::sqrt(dot(column, column)) * size)
    };
    match mover.kind {
        MoverKind::Coordinate { index, range, .. } => {
            let (pull, whole) = pulls(0);
            let q = pose.coordinates()[index];
            pull.abs() > MATTERS * whole && if pull < 0.0 { q <= range.min } else { q >= range.max }
        }
        MoverKind::Ball { limited: true, .. } => {
            let [x, y, z] = [pulls(0), pulls(1), pulls(2)];
            let (pull, whole) = (DVec3::new(x.0, y.0, z.0), DVec3::new(x.1, y.1, z.1));
            let Some(way) = arc::unit(pull).filter(|_| arc::length(pull) > MATTERS * arc::length(whole)) else {
                return false;
            };
            let wanted = turned(pose.local(mover.joint), way * TRIAL);
            let allowed = skeleton.nearest_allowed(mover.joint, &wanted, 0.0);
            arc::length(chord(wanted.rotation * allowed.rotation.conjugate())) > REFUSED * TRIAL
        }
        _ => false,
    }
}

/// Whether no posture of the chain brings the point to its target: too far, or nearer than it folds.
fn reach(plan: &Plan, block: &Block, skeleton: &Skeleton, pose: &Pose) -> Option<Status> {
    let Asked::Goal(GoalTask { goal, part: Part::Point }) = &block.asked else { return None };
    let target = TargetInModel::of(goal, pose).position?;
    let turns = |joint: &Joint| skeleton.is_below(goal.joint, *joint) && skeleton.kind(*joint).turns();
    let used = || block.used.clone().map(|place| &plan.motions[plan.used[place] as usize]);
    let shifts = used().any(|motion| motion.angular() == DVec3::ZERO && motion.moves(goal.joint));
    if shifts || goal.relative_to.is_some() || !goal.mask.position.all() || goal.slack != Slack::NONE {
        return None;
    }
    let point = pose.model(goal.joint).transform_point3(goal.offset);
    let joints = used().map(super::motion::Motion::joint).filter(turns);
    beyond(joints.map(|joint| pose.position(joint)).chain([point]), target)
}

/// Whether the last of a free chain's points, root first, cannot come to the target: too far, or nearer than it folds.
pub(in crate::solve) fn beyond(points: impl Iterator<Item = DVec3>, target: DVec3) -> Option<Status> {
    let (mut root, mut length, mut longest, mut last) = (None, 0.0, 0.0_f64, None);
    for place in points {
        root = root.or(Some(place));
        let bone = last.map_or(0.0, |last: DVec3| arc::length(place - last));
        length += bone;
        longest = longest.max(bone);
        last = Some(place);
    }
    let distance = arc::length(target - root?);
    if distance > length * (1.0 + BEYOND) {
        Some(Status::OutOfReach)
    } else if distance < 2.0 * longest - length - BEYOND * length {
        Some(Status::TooClose)
    } else {
        None
    }
}
