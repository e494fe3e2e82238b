//! What each goal was left with, and why.

use super::body::Shift;
use super::plan::Wish;
use super::settle::{FIRM, Run, Scene};
use super::system::Manner;
use crate::goal::Goal;
use crate::pose::Pose;
use crate::skeleton::Joint;
use crate::solve::jacobian::Task;
use crate::solve::jacobian::goal_task::Part;
use crate::solve::jacobian::report::{beyond, is_singular, measured};
use crate::solve::{Status, TargetInModel, Workspace};

/// Writes the residuals of a run's goals, and the joints whose limits block them; how its balance ended.
pub(super) fn report(scene: Scene<'_>, run: &mut Run, goals: &[Goal], pose: &Pose, work: &mut Workspace) -> Status {
    run.measure(scene, pose);
    if !run.rows.must_met {
        run.push_once(scene, pose);
    }
    let run = &*run;
    for (place, wish) in run.plan.wishes.iter().enumerate() {
        // The parts of a goal follow one another.
        if run.plan.wishes[..place].last().is_some_and(|before| before.goal == wish.goal) {
            continue;
        }
        let goal = &goals[wish.goal];
        let mut residual = measured(scene.skeleton, goal, pose);
        residual.status = status(scene, run, wish, goal, pose, work);
        work.residuals_mut()[wish.goal] = residual;
    }
    match () {
        () if run.rows.balanced => Status::Reached,
        () if !run.system.locked.is_empty() => Status::Limited,
        () if run.left == 0 => Status::OutOfIterations,
        () => Status::Stalled,
    }
}

fn status(scene: Scene<'_>, run: &Run, wish: &Wish, goal: &Goal, pose: &Pose, work: &mut Workspace) -> Status {
    if is_singular(scene.skeleton, goal, pose) {
        return Status::Singular;
    }
    let parts = || run.plan.wishes.iter().filter(|part| part.goal == wish.goal && !part.yields);
    if parts().all(|part| is_met(scene, run, part, pose)) {
        return if goal.weight < 1.0 { Status::Softened } else { Status::Reached };
    }
    let locked = run.system.locked.iter().map(|&body| run.plan.bodies[body].joint);
    let mut limited = false;
    for joint in locked.filter(|&joint| takes_part(scene, goal, joint)) {
        work.block(wish.goal, joint);
        limited = true;
    }
    match parts().find_map(|part| reach(scene, run, part, pose)) {
        Some(status) => status,
        None if limited => Status::Limited,
        None if run.left == 0 => Status::OutOfIterations,
        None => Status::Stalled,
    }
}

fn is_met(scene: Scene<'_>, run: &Run, wish: &Wish, pose: &Pose) -> bool {
    let mut error = [0.0; 3];
    wish.task.error(scene.skeleton, pose, &mut error[..wish.task.rows()]);
    run.plan.left(wish, error.into()) <= wish.near
}

/// Whether a joint may move for a goal.
fn takes_part(scene: Scene<'_>, goal: &Goal, joint: Joint) -> bool {
    let weighs = matches!(goal.target, crate::goal::Target::CenterOfMass(_));
    scene.skeleton.is_below(goal.joint, joint) || weighs && scene.skeleton.is_below(joint, goal.joint)
}

/// Whether no posture brings the goal's point to its target.
fn reach(scene: Scene<'_>, run: &Run, wish: &Wish, pose: &Pose) -> Option<Status> {
    let goal = &wish.task.goal;
    let way = || run.plan.bodies.iter().filter(|body| scene.skeleton.is_below(goal.joint, body.joint));
    let shifts = way().any(|body| body.shift != Shift::Held);
    if wish.task.part != Part::Point || shifts || goal.relative_to.is_some() || !goal.mask.position.all() {
        return None;
    }
    let target = TargetInModel::of(goal, pose).position?;
    beyond(way().map(|body| pose.position(body.joint)).chain([wish.task.point(pose)]), target)
}

impl Run {
    /// One more step in thought, to see which limits hold it back.
    fn push_once(&mut self, scene: Scene<'_>, pose: &Pose) {
        let Self { plan, rows, system, .. } = self;
        let manner = Manner { firm: FIRM, pulls: false, leans: false, caution: 0.0, curved: false, longest: 1.0 };
        // Where the system has no answer, no limit is named.
        let _ = system.solve_within(scene.solver, (plan, rows), scene.skeleton, pose, manner);
    }
}
