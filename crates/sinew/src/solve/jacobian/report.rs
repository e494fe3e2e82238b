//! Why goals were missed.

use glam::DVec3;

use super::active::chord;
use super::level::{column, dot};
use super::mover::{Mover, MoverKind, turned};
use super::plan::{Block, Plan, RowsFor};
use super::settings::Jacobian;
use super::system::System;
use crate::goal::{Goal, Tolerance};
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::problem::Engine as _;
use crate::solve::report::{Miss, out_of_reach, report};
use crate::solve::{Status, TaskResidual, Workspace};

/// Cosine between a motion and what is left that a blocked joint must have to be named.
const MATTERS: f64 = 1e-3;
/// Turn (radians) by which a ball's limit is tried, and the share of it that must be refused.
const TRIAL: f64 = 1e-4;
const REFUSED: f64 = 0.1;

/// Reports every goal the solver acts on.
pub(super) fn report_all(
    solver: &Jacobian,
    (plan, system): (&Plan, &System),
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &Pose,
    spent: bool,
    work: &mut Workspace,
) {
    let own = Tolerance { position: solver.position_tolerance * plan.length, rotation: solver.rotation_tolerance };
    let mut rank = 0;
    for order in 0..goals.len() {
        let place = work.ranked(order);
        let goal = &goals[place];
        if !solver.acts_on(skeleton, goal) {
            continue;
        }
        let parts = || plan.blocks.iter().filter(|block| block.is_of(rank));
        report(skeleton, (place, goal), pose, own, work, |work| {
            for block in parts().filter(|block| !is_met(block, system)) {
                for mover in plan.movers.iter().filter(|mover| is_blocked(mover, block, system, skeleton, pose)) {
                    work.block(place, mover.joint);
                }
            }
            let motions =
                |block: &Block| plan.used[block.used.clone()].iter().map(|&at| plan.motions[at as usize].joint());
            Miss {
                shown: out_of_reach(skeleton, goal, pose, &|joint| {
                    parts().flat_map(motions).any(|moved| moved == joint)
                }),
                spent,
                ..Miss::default()
            }
        });
        rank += 1;
    }
}

/// Reports every task of the solver's own.
pub(super) fn report_tasks(
    solver: &Jacobian,
    (plan, system): (&Plan, &System),
    skeleton: &Skeleton,
    pose: &Pose,
    spent: bool,
    work: &mut Workspace,
) {
    let tasks = work.tasks_mut();
    tasks.clear();
    let unserved = |tolerance| TaskResidual { status: Status::Ignored, error: 0.0, tolerance };
    tasks.extend(solver.tasks.iter().map(|task| unserved(task.tolerance())));
    for block in &plan.blocks {
        let RowsFor::Task(place) = block.asked else { continue };
        let error = &system.error[block.rows.clone()];
        let limited = || plan.movers.iter().any(|mover| is_blocked(mover, block, system, skeleton, pose));
        let status = match () {
            () if is_met(block, system) => Status::Reached,
            () if limited() => Status::Limited,
            () if spent => Status::OutOfIterations,
            () => Status::Stalled,
        };
        let error = ops::sqrt(dot(error, error)) / block.weight;
        tasks[place] = TaskResidual { status, error, ..tasks[place] };
    }
}

pub(super) fn is_met(block: &Block, system: &System) -> bool {
    let error = &system.error[block.rows.clone()];
    dot(error, error) <= block.tolerance * block.tolerance
}

/// Whether a joint would bring the block nearer but for its limit.
pub(super) fn is_blocked(mover: &Mover, block: &Block, system: &System, skeleton: &Skeleton, pose: &Pose) -> bool {
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
        MoverKind::Ball { held: Some(_), .. } => {
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
