//! What every solver does before it moves a joint and after, in one place: whether the call can be served, which goals act,
//! where their targets stand at their [weight](ease), which poles ask for a side, which goals are solved [apart](stages) or
//! [first](priorities), where a [start](start) at rest is, whether there is anything [left to do](met), to which [pole](pole) a
//! chain bends, and what is said of goals that were followed only in part.
//!
//! A solver is an [`Engine`], here a trait object: generic functions, compiled for each solver, were a third of the crate's code. It
//! sees targets that are eased already, and reports on those.

pub(super) mod ease;
mod engine;
pub(super) mod met;
pub(super) mod near;
pub(super) mod pole;
mod priorities;
mod rim;
pub(super) mod scope;
pub(super) mod set_out;
mod shorter;
mod stages;
mod start;

use super::invalid::{refuse, solve_valid};
use super::report::again;
use super::two_bone::Reach;
use super::{Outcome, Residual, Status, Workspace};
use crate::goal::{Goal, Pole, Target};
use crate::pose::Pose;
use crate::skeleton::Skeleton;
pub use engine::Engine;
use rim::Rims;
use stages::{Stages, may_part};
use start::{Rest, set_to_rest};

/// The solve of every engine.
pub fn solve(
    engine: &dyn Engine,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &mut Pose,
    work: &mut Workspace,
) -> Outcome {
    solve_valid(skeleton, goals, pose, work, |goals, pose, work| start(engine, skeleton, goals, pose, work))
}

/// Starts the run, or goes on inside another solver's.
fn start(engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
    if !engine.is_usable(skeleton, goals, pose) {
        return refuse(goals, work);
    }
    make_room(engine, skeleton, goals, pose, work);
    work.begin(goals);
    // Inside another solver's run goals are read, owned and parted already.
    if !work.start_run() {
        return run_together(engine, skeleton, goals, pose, work);
    }
    let partly = |goal: &Goal| goal.weight < 1.0 && engine.acts_on(skeleton, goal);
    let in_vain = |goal: &Goal| goal.pole.is_some_and(|pole| !pole.asks());
    let outcome = if goals.iter().any(|goal| partly(goal) || in_vain(goal)) {
        run_as_read(engine, skeleton, goals, pose, work)
    } else {
        run(engine, skeleton, goals, pose, work)
    };
    work.end_run();
    outcome
}

/// Runs the engine on goals of which some have a weight below one, or a pole that asks for nothing.
fn run_as_read(
    engine: &dyn Engine,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &mut Pose,
    work: &mut Workspace,
) -> Outcome {
    let mut read = work.take_read();
    let entry = work.entry().unwrap_or(pose);
    read.clear();
    read.extend(goals.iter().map(|goal| {
        let goal = &Goal { pole: goal.pole.filter(Pole::asks), ..*goal };
        ease::eased(skeleton, goal, engine.up_axis(skeleton, goal), entry)
    }));
    let outcome = run(engine, skeleton, &read, pose, work);
    work.put_read(read);
    for (place, goal) in goals.iter().enumerate().filter(|(_, goal)| goal.weight < 1.0) {
        let told = work.residuals()[place];
        if told.status != Status::Ignored {
            work.residuals_mut()[place] = as_asked(skeleton, goal, pose, &told);
        }
    }
    let told = work.outcome(outcome.iterations);
    Outcome { status: told.status.max(outcome.status), ..told }
}

/// Makes room for all that a solve needs.
pub fn prepare(engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
    let are_valid = pose.fits(skeleton) && goals.iter().all(|goal| goal.is_valid(skeleton));
    if are_valid && engine.is_usable(skeleton, goals, pose) {
        make_room(engine, skeleton, goals, pose, work);
        work.begin(goals);
    }
}

fn make_room(engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
    near::prepare(engine, skeleton, goals, pose, work);
    engine.make_room(skeleton, goals, pose, work);
    if goals.iter().any(|goal| goal.priority != goals[0].priority) {
        priorities::prepare(goals, pose, work);
    }
    if engine.reach() != Reach::Clamp {
        let mut rims = work.take::<Rims>();
        rims.make_room(goals);
        work.put(rims);
    }
    if engine.starts_at_rest() {
        let mut rest = work.take::<Rest>();
        if rest.0.len() != skeleton.len() {
            rest.0.reset(skeleton);
        }
        work.put(rest);
    }
}

/// Runs the engine on all goals, in stages where they fall into some.
fn run(engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
    work.set_owners(goals, |goal| engine.acts_on(skeleton, goal));
    // Scales of a chain are shared out together.
    let scales = |goal: &Goal| matches!(goal.target, Target::Scale(_)) && engine.acts_on(skeleton, goal);
    if engine.has_more() || !may_part(skeleton, goals) || goals.iter().any(scales) {
        return run_together(engine, skeleton, goals, pose, work);
    }
    let mut stages = work.take::<Stages>();
    let count = stages.part(engine, skeleton, goals, work);
    let outcome = if count > 1 {
        run_stages(engine, skeleton, goals, pose, (&mut stages, work))
    } else {
        run_together(engine, skeleton, goals, pose, work)
    };
    work.put(stages);
    outcome
}

/// Runs the engine on one stage after another.
fn run_stages(
    engine: &dyn Engine,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &mut Pose,
    (stages, work): (&mut Stages, &mut Workspace),
) -> Outcome {
    stages.told.clear(goals);
    work.part();
    let mut iterations = 0;
    for stage in 0..stages.count() {
        stages.collect(stage, goals);
        work.begin(&stages.goals);
        iterations += run_together(engine, skeleton, &stages.goals, pose, work).iterations;
        stages.told.adopt(|place| stages.places[place] as usize, work.report());
    }
    work.begin(goals);
    work.set_report(&stages.told);
    work.outcome(iterations)
}

/// Runs the engine on goals that share joints, their targets where its [reach](Engine::reach) has them.
fn run_together(
    engine: &dyn Engine,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &mut Pose,
    work: &mut Workspace,
) -> Outcome {
    if engine.reach() == Reach::Clamp {
        return run_as_seen(engine, skeleton, goals, pose, work);
    }
    let mut rims = work.take::<Rims>();
    rims.bring_near(engine, skeleton, goals, pose, work);
    let outcome = run_as_seen(engine, skeleton, &rims.goals, pose, work);
    for (place, goal, short) in rims.short(goals) {
        let told = work.residuals()[place];
        let asked = as_asked(skeleton, goal, pose, &told);
        let shown = asked.status != Status::Reached && short != Status::Softened;
        work.residuals_mut()[place] = Residual { status: if shown { short } else { asked.status }, ..asked };
    }
    work.put(rims);
    let told = work.outcome(outcome.iterations);
    Outcome { status: told.status.max(outcome.status), ..told }
}

/// Runs the engine, unless there is nothing to do.
fn run_as_seen(
    engine: &dyn Engine,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &mut Pose,
    work: &mut Workspace,
) -> Outcome {
    let acting = goals.iter().filter(|goal| engine.acts_on(skeleton, goal));
    if !engine.has_more() {
        if acting.clone().next().is_none() {
            return work.outcome(0);
        }
        if !engine.starts_at_rest() && met::all(engine, skeleton, goals, pose) {
            let outcome = met::stay(engine, skeleton, goals, pose, work);
            pole::turn(engine, skeleton, goals, pose, work);
            return outcome;
        }
    }
    if engine.starts_at_rest() {
        set_to_rest(engine, skeleton, &acting, pose, work);
    }
    let run = |pose: &mut Pose, work: &mut Workspace| {
        let outcome = if priorities::are_wanted(engine, skeleton, goals) {
            priorities::run(engine, skeleton, goals, pose, work)
        } else {
            near::run(engine, skeleton, goals, pose, work)
        };
        pole::turn(engine, skeleton, goals, pose, work);
        outcome
    };
    let mut outcome = run(pose, work);
    // From the answer, tolerances are those of its lengths.
    if shorter::tell(engine, skeleton, goals, pose, work) {
        work.begin(goals);
        let before = outcome.iterations;
        outcome = run(pose, work);
        outcome.iterations += before;
        shorter::tell(engine, skeleton, goals, pose, work);
        outcome = work.outcome(outcome.iterations);
    }
    outcome
}

/// What is left of a goal as it was asked, from what is told of its eased target.
pub(super) fn as_asked(skeleton: &Skeleton, goal: &Goal, pose: &Pose, told: &Residual) -> Residual {
    let asked = again(skeleton, goal, pose, told);
    let status = match (asked.status, told.status) {
        (Status::Reached, _) | (_, Status::Ignored | Status::Invalid) => asked.status,
        (_, Status::Reached) => Status::Softened,
        (_, why) => why,
    };
    Residual { status, ..asked }
}
