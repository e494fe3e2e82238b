//! Why goals were missed.

use super::body::Shift;
use super::plan::Wish;
use super::settle::{FIRM, Run, Scene};
use super::system::Manner;
use crate::goal::{Goal, Tolerance};
use crate::pose::Pose;
use crate::skeleton::Joint;
use crate::solve::report::{Miss, out_of_reach, report};
use crate::solve::{Status, Workspace};

/// Reports a run's goals; how its balance ended.
pub(super) fn report_all(scene: Scene<'_>, run: &mut Run, goals: &[Goal], pose: &Pose, work: &mut Workspace) -> Status {
    run.measure(scene, pose);
    if !run.rows.must_met {
        run.push_once(scene, pose);
    }
    let run = &*run;
    let position = scene.solver.position_tolerance * run.plan.length;
    let own = Tolerance { position, rotation: scene.solver.rotation_tolerance };
    for (place, wish) in run.plan.wishes.iter().enumerate() {
        // The parts of a goal follow one another.
        if run.plan.wishes[..place].last().is_some_and(|before| before.goal == wish.goal) {
            continue;
        }
        let goal = &goals[wish.goal];
        report(scene.skeleton, (wish.goal, goal), pose, own, work, |work| missed(scene, run, wish, goal, pose, work));
    }
    match () {
        () if run.rows.balanced => Status::Reached,
        () if !run.system.locked.is_empty() => Status::Limited,
        () if run.left == 0 => Status::OutOfIterations,
        () => Status::Stalled,
    }
}

/// Why a goal is not met; blocking joints are named.
fn missed(scene: Scene<'_>, run: &Run, wish: &Wish, goal: &Goal, pose: &Pose, work: &mut Workspace) -> Miss {
    let locked = run.system.locked.iter().map(|&body| run.plan.bodies[body].joint);
    for joint in locked.filter(|&joint| takes_part(scene, goal, joint)) {
        work.block(wish.goal, joint);
    }
    let way = || run.plan.bodies.iter().filter(|body| scene.skeleton.is_below(goal.joint, body.joint));
    let travels = way().any(|body| matches!(body.shift, Shift::Anywhere { .. }));
    let moves = |joint| run.plan.body_of(joint).is_some();
    Miss {
        shown: if travels { None } else { out_of_reach(scene.skeleton, goal, pose, moves) },
        spent: run.left == 0,
        ..Miss::default()
    }
}

/// Whether a joint may move for a goal.
fn takes_part(scene: Scene<'_>, goal: &Goal, joint: Joint) -> bool {
    let weighs = matches!(goal.target, crate::goal::Target::CenterOfMass(_));
    scene.skeleton.is_below(goal.joint, joint) || weighs && scene.skeleton.is_below(joint, goal.joint)
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
