//! Why goals were missed.

use super::body::Shift;
use super::plan::SpringTarget;
use super::settings::MassSpring;
use super::settle::{Context, FIRM, Run};
use super::system::StepOptions;
use crate::goal::{Goal, Tolerance};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::report::{Miss, out_of_reach, report};
use crate::solve::{Status, Workspace};

/// Reports a run's goals; how its balance ended.
pub(super) fn report_all(
    (solver, skeleton): (&MassSpring, &Skeleton),
    run: &mut Run,
    goals: &[Goal],
    pose: &Pose,
    work: &mut Workspace,
) -> Status {
    let context = &mut Context { solver, skeleton, work: &mut *work };
    run.measure(context, pose);
    let spent = !run.has_steps(context);
    // What held the last step may be another part's.
    run.system.locked.clear();
    if !run.rows.must_met {
        run.push_once(context, pose);
    }
    let run = &*run;
    let position = solver.position_tolerance * run.plan.length;
    let own = Tolerance { position, rotation: solver.rotation_tolerance };
    for (place, target) in run.plan.targets.iter().enumerate() {
        // The parts of a goal follow one another.
        if run.plan.targets[..place].last().is_some_and(|before| before.goal == target.goal) {
            continue;
        }
        let goal = &goals[target.goal];
        report(skeleton, (target.goal, goal), pose, own, work, |work| {
            missed(skeleton, (run, spent), target, goal, pose, work)
        });
    }
    match () {
        () if run.rows.balanced => Status::Reached,
        () if !run.system.locked.is_empty() => Status::Limited,
        () if spent => Status::OutOfIterations,
        () => Status::Stalled,
    }
}

/// Why a goal is not met; blocking joints are named.
fn missed(
    skeleton: &Skeleton,
    (run, spent): (&Run, bool),
    target: &SpringTarget,
    goal: &Goal,
    pose: &Pose,
    work: &mut Workspace,
) -> Miss {
    let locked = run.system.locked.iter().map(|&body| run.plan.bodies[body].joint);
    for joint in locked.filter(|&joint| takes_part(skeleton, goal, joint)) {
        work.block(target.goal, joint);
    }
    let way = || run.plan.bodies.iter().filter(|body| skeleton.is_below(goal.joint, body.joint));
    let travels = way().any(|body| matches!(body.shift, Shift::Anywhere { .. }));
    let moves = |joint| run.plan.body_of(joint).is_some();
    Miss { shown: if travels { None } else { out_of_reach(skeleton, goal, pose, &moves) }, spent, ..Miss::default() }
}

/// Whether a joint may move for a goal.
fn takes_part(skeleton: &Skeleton, goal: &Goal, joint: Joint) -> bool {
    let weighs = matches!(goal.target, crate::goal::Target::CenterOfMass(_));
    skeleton.is_below(goal.joint, joint) || weighs && skeleton.is_below(joint, goal.joint)
}

impl Run {
    /// One more step in thought, to see which limits hold it back.
    fn push_once(&mut self, context: &mut Context<'_>, pose: &Pose) {
        let Self { plan, rows, system, .. } = self;
        let options = StepOptions { firm: FIRM, pulls: false, leans: false, damping: 0.0, curved: false, longest: 1.0 };
        // Where the system has no answer, no limit is named.
        let _ = system.solve_within(context, (plan, rows), pose, options);
    }
}
