//! What every solver does before it moves a joint and after, in one place: whether the call can be served, which goals act,
//! where their targets stand at their [weight](ease), which of them are solved [apart](stages) or [first](levels), where a
//! [start](start) at rest is, whether there is anything [left to do](met), to which [pole](pole) a chain bends, and what is
//! said of goals that were followed only in part.
//!
//! A solver is an [`Engine`]. It sees targets that are eased already, and reports on those.

pub(super) mod ease;
mod levels;
pub(super) mod met;
pub(super) mod pole;
mod rim;
mod stages;
mod start;

use glam::DVec3;

use super::jacobian::goal_task::up_axis;
use super::report::again;
use super::two_bone::Reach;
use super::{Outcome, Residual, Status, Workspace, is_usable, refuse};
use crate::goal::{Goal, Target, Tolerance};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use rim::Rims;
use stages::{Stages, may_part};
use start::{Rest, set_to_rest};

/// What a solver does by itself; [`solve`] does the rest.
pub trait Engine {
    /// Whether the joints that may move for a goal are inside their limits.
    fn is_inside(&self, skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> bool {
        met::is_inside(skeleton, goal, pose)
    }

    /// Whether the goal asks something of it, with a weight: all others are ignored.
    fn acts_on(&self, skeleton: &Skeleton, goal: &Goal) -> bool;

    /// Whether settings and poses are numbers and of this skeleton; goals and pose are.
    fn is_usable(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose) -> bool;

    /// Makes room for goals that are new.
    fn make_room(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace);

    /// What counts as met where a goal does not say.
    fn tolerance(&self, skeleton: &Skeleton, goals: &[Goal], goal: &Goal, pose: &Pose) -> Tolerance;

    /// Moves the pose for goals of which at least one acts, and reports on each. The workspace has begun.
    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome;

    /// Whether it starts at rest: then the answer does not depend on the pose given, but for what no goal may move.
    fn starts_at_rest(&self) -> bool {
        false
    }

    /// Whether the solver's own settings let a joint move for a goal.
    fn in_scope(&self, skeleton: &Skeleton, goal: &Goal, joint: Joint) -> bool {
        let _ = (skeleton, goal, joint);
        true
    }

    /// Whether a joint may travel as well as turn.
    fn travels(&self, skeleton: &Skeleton, joint: Joint) -> bool {
        skeleton.kind(joint) == Kind::Free
    }

    /// Whether a joint can move at all.
    fn can_move(&self, skeleton: &Skeleton, joint: Joint) -> bool {
        skeleton.kind(joint) != Kind::Fixed || self.travels(skeleton, joint)
    }

    /// Whether it has more to do than goals say: tasks, a posture, a balance.
    fn has_more(&self) -> bool {
        false
    }

    /// Whether it looks at priorities by itself.
    fn keeps_priorities(&self) -> bool {
        false
    }

    /// Whether it looks at the goal's pole by itself.
    fn bends(&self, goal: &Goal) -> bool {
        let _ = goal;
        false
    }

    /// Whether a pose that meets the goal's target needs nothing else of it.
    fn may_stay(&self, goal: &Goal, pose: &Pose) -> bool {
        let _ = (goal, pose);
        true
    }

    /// Whether it looks at the up of aims and axes.
    fn reads_up(&self) -> bool {
        true
    }

    /// What chains do with targets near and beyond their full stretch; limbs see to that by themselves.
    fn reach(&self) -> Reach {
        Reach::Clamp
    }

    /// The axis, in the aimed joint's frame, that leans to the goal's up; `None` where the engine eases ups by itself.
    fn up_axis(&self, skeleton: &Skeleton, goal: &Goal) -> Option<DVec3> {
        default_up_axis(skeleton, goal)
    }
}

/// The axis of an aimed joint that lies along the goal's up at rest.
pub(super) fn default_up_axis(skeleton: &Skeleton, goal: &Goal) -> Option<DVec3> {
    let (Target::Aim { up, .. } | Target::Axis { up, .. }) = goal.target else { return None };
    up_axis(skeleton, goal, up?)
}

/// The solve of every engine.
pub fn solve(
    engine: &impl Engine,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &mut Pose,
    work: &mut Workspace,
) -> Outcome {
    if !is_usable(skeleton, goals, pose) || !engine.is_usable(skeleton, goals, pose) {
        return refuse(goals, work);
    }
    make_room(engine, skeleton, goals, pose, work);
    work.begin(goals);
    // Inside another solver's run goals are eased, owned and parted already.
    if !work.start_run() {
        return run_together(engine, skeleton, goals, pose, work);
    }
    let partly = |goal: &Goal| goal.weight < 1.0 && engine.acts_on(skeleton, goal);
    let outcome = if goals.iter().any(partly) {
        run_eased(engine, skeleton, goals, pose, work)
    } else {
        run(engine, skeleton, goals, pose, work)
    };
    work.end_run();
    outcome
}

/// Runs the engine on goals of which some have a weight below one.
fn run_eased(
    engine: &impl Engine,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &mut Pose,
    work: &mut Workspace,
) -> Outcome {
    let mut eased = work.take_eased();
    let entry = work.entry().unwrap_or(pose);
    eased.clear();
    eased.extend(goals.iter().map(|goal| ease::eased(skeleton, goal, engine.up_axis(skeleton, goal), entry)));
    let outcome = run(engine, skeleton, &eased, pose, work);
    work.put_eased(eased);
    let partly = |goal: &Goal| goal.weight < 1.0 && engine.acts_on(skeleton, goal);
    for (place, goal) in goals.iter().enumerate().filter(|(_, goal)| partly(goal)) {
        let told = work.residuals()[place];
        work.residuals_mut()[place] = as_asked(skeleton, goal, pose, &told);
    }
    let told = work.outcome(outcome.iterations);
    Outcome { status: told.status.max(outcome.status), ..told }
}

/// Makes room for all that a solve needs.
pub fn prepare(engine: &impl Engine, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
    if is_usable(skeleton, goals, pose) && engine.is_usable(skeleton, goals, pose) {
        make_room(engine, skeleton, goals, pose, work);
        work.begin(goals);
    }
}

fn make_room(engine: &impl Engine, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
    engine.make_room(skeleton, goals, pose, work);
    if goals.iter().any(|goal| goal.priority != goals[0].priority) {
        levels::prepare(goals, pose, work);
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
fn run(engine: &impl Engine, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
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
    engine: &impl Engine,
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
    engine: &impl Engine,
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
    engine: &impl Engine,
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
    let outcome = if levels::are_wanted(engine, skeleton, goals) {
        levels::run(engine, skeleton, goals, pose, work)
    } else {
        engine.run(skeleton, goals, pose, work)
    };
    pole::turn(engine, skeleton, goals, pose, work);
    outcome
}

/// What is left of a goal as it was asked, from what is told of its eased target.
fn as_asked(skeleton: &Skeleton, goal: &Goal, pose: &Pose, told: &Residual) -> Residual {
    let asked = again(skeleton, goal, pose, told);
    let status = match (asked.status, told.status) {
        (Status::Reached, _) | (_, Status::Ignored | Status::Invalid) => asked.status,
        (_, Status::Reached) => Status::Softened,
        (_, why) => why,
    };
    Residual { status, ..asked }
}

/// Whether the engine moves a joint for a goal, by itself or by the coordinate that it shares.
fn moves(engine: &impl Engine, skeleton: &Skeleton, goal: &Goal, joint: Joint, work: &Workspace) -> bool {
    let one = |joint: Joint| {
        engine.can_move(skeleton, joint)
            && engine.in_scope(skeleton, goal, joint)
            && may_use(skeleton, goal, joint)
            && !work.is_owned(skeleton, joint, goal.joint)
    };
    skeleton.drive(joint).map_or_else(|| one(joint), |drive| skeleton.driven(drive.coordinate).any(one))
}

/// Whether a goal may move a joint: one between its base (or the root) and its own; above what it is measured from; and of
/// a centre of mass what hangs on its joint.
pub(super) fn may_use(skeleton: &Skeleton, goal: &Goal, joint: Joint) -> bool {
    let below_base = goal.base.is_none_or(|base| skeleton.is_below(joint, base));
    let above =
        skeleton.is_below(goal.joint, joint) || goal.relative_to.is_some_and(|from| skeleton.is_below(from, joint));
    let weighs = matches!(goal.target, Target::CenterOfMass(_)) && skeleton.is_below(joint, goal.joint);
    below_base && (above || weighs)
}

/// From a goal's joint up to its base, or to the root.
pub(super) fn chain<'a>(skeleton: &'a Skeleton, goal: &Goal) -> impl Iterator<Item = Joint> + Clone + use<'a> {
    let base = goal.base;
    core::iter::successors(
        Some(goal.joint),
        move |&joint| {
            if Some(joint) == base { None } else { skeleton.parent(joint) }
        },
    )
}
