//! The answer near the pose given, for several goals that are nearby or not all met.
//!
//! Joints have more freedom than goals ask for, so that many poses leave as much. Steps that are taken back, and other starts, come to
//! one of them by ways that fork: nearby targets get answers far apart. So where an engine misses,
//! [continuous](crate::solve::jacobian::Method::Continuous) steps go from the pose given anew. What they come to is the answer, unless the
//! engine's is nearer by a [margin](MARGIN), or the same pose with more digits.
//!
//! Where all goals are nearby, or lengths show that not all can be met, these steps come first. Nothing else is made where they meet all, or
//! where not all can be met and they come to a minimum near the pose given: that was solved before, for targets nearby. Beside the pose given
//! they end where they gain little, far from it where they settle, and between the two part of the way from the one to the other.

use alloc::vec::Vec;

use super::engine::{Engine, moves};
use crate::goal::{Goal, Tolerance};
use crate::math::ops;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::jacobian::strict::NEARBY;
use crate::solve::jacobian::unit::sizes;
use crate::solve::jacobian::valley::{is_turned, plain};
use crate::solve::pulls::Pulls;
use crate::solve::report::{again, measured, out_of_reach, tolerance};
use crate::solve::seen::{Seen, make_room};
use crate::solve::workspace::{Near, Report};
use crate::solve::{Jacobian, Outcome, Residual, Solver as _, Status, Workspace};

/// Steps at most. HEURISTIC: of bodies out of reach inside limits nine in ten come within 1e-3 of the chain's length of the nearest pose.
pub(in crate::solve) const STEPS: u32 = 48;
/// Length (of the longest chain, or radians) by which another answer must be nearer to be taken; the less, the farther the goals are.
const MARGIN: f64 = 3e-3;
/// Turn of a joint (radians) from which poses are two answers, and up to which one is still where it was.
const MOVED: f64 = 0.015;
const STILL: f64 = 1e-6;
/// One part in so many of a solve's work is set aside for these steps.
const ASIDE: usize = 4;

/// What a solve keeps.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    given: Pose,
    /// The engine's answer, and what it tells.
    found: Pose,
    told: Report,
    /// The answer near the pose given, and what is told of it.
    near: Pose,
    near_told: Report,
    goals: Vec<Goal>,
    jacobian: Jacobian,
    seen: Seen,
}

/// Whether the engine looks near for these goals: several that act, of one priority.
fn may_look(engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], work: &Workspace) -> bool {
    let mut acting = goals.iter().filter(|goal| engine.acts_on(skeleton, goal)).map(|goal| goal.priority);
    let (first, second) = (acting.next(), acting.next());
    second.is_some()
        && first == second
        && acting.all(|other| Some(other) == first)
        && !work.is_tried()
        && engine.looks_near(goals)
}

/// Makes room for a solve.
pub(super) fn prepare(engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
    if goals.len() < 2 || work.is_tried() || !engine.looks_near(goals) {
        return;
    }
    let mut own = work.take::<Scratch>();
    let mut seen = core::mem::take(&mut own.seen);
    if let Some(whole) = seen.new_ones(skeleton, goals) {
        own.given.clone_from(pose);
        own.found.clone_from(pose);
        own.told.clear(whole);
        own.near.clone_from(pose);
        own.near_told.clear(whole);
        own.set(engine, skeleton, whole, pose, work);
        // Room for all joints: which of them move depends on the goals that own some.
        let joints = own.jacobian.joints.take();
        work.try_methods(true);
        own.jacobian.prepare(skeleton, &own.goals, pose, work);
        own.jacobian.joints = joints;
        work.try_methods(false);
    }
    own.seen = seen;
    work.put(own);
}

/// Runs the engine, and looks near the pose given where it misses; where lengths show that it will, first there.
pub(super) fn run(
    engine: &dyn Engine,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &mut Pose,
    work: &mut Workspace,
) -> Outcome {
    if !may_look(engine, skeleton, goals, work) {
        return engine.run(skeleton, goals, pose, work);
    }
    let mut own = work.take::<Scratch>();
    let outcome = own.run(engine, skeleton, goals, pose, work);
    work.put(own);
    outcome
}

impl Scratch {
    fn run(
        &mut self,
        engine: &dyn Engine,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
    ) -> Outcome {
        self.given.clone_from(pose);
        let is_beyond = is_beyond(engine, skeleton, goals, pose, work);
        let looks_first = is_beyond || is_nearby(engine, skeleton, goals, pose);
        if looks_first {
            let (steps, rests) = self.descend(engine, skeleton, goals, pose, work);
            // What cannot be met was solved before, for targets nearby. Steps that ran out have not settled the ups of goals that are met.
            if is_beyond && rests || steps < STEPS && !misses(goals, &self.near_told.residuals) {
                self.told.clone_from(&self.near_told);
                self.take(engine, skeleton, goals, pose, work);
                return work.outcome(steps);
            }
            pose.clone_from(&self.given);
        }
        let mut aside = work.budget().share(ASIDE);
        core::mem::swap(&mut aside, work.budget());
        work.try_methods(true);
        let steps = engine.run(skeleton, goals, pose, work).iterations;
        work.try_methods(false);
        work.budget().join(&aside);
        if misses(goals, work.residuals()) {
            self.found.clone_from(pose);
            self.told.clone_from(work.report());
            if !looks_first {
                pose.clone_from(&self.given);
                let _ = self.descend(engine, skeleton, goals, pose, work);
            }
            if self.is_taken(skeleton) {
                self.take(engine, skeleton, goals, pose, work);
            } else {
                pose.clone_from(&self.found);
                work.set_report(&self.told);
            }
        }
        work.outcome(steps)
    }

    /// Moves the pose by continuous steps; those made, and whether they have come to a minimum.
    fn descend(
        &mut self,
        engine: &dyn Engine,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
    ) -> (u32, bool) {
        self.set(engine, skeleton, goals, pose, work);
        let tried = work.try_methods(true);
        work.set_near(Near::Asked);
        let steps = self.jacobian.solve(skeleton, &self.goals, pose, work).iterations;
        let rests = work.set_near(Near::No) == Near::Rests;
        work.try_methods(tried);
        self.near.clone_from(pose);
        self.near_told.clone_from(work.report());
        (steps, rests)
    }

    /// Whether the engine's answer is another one, and not nearer to the goals by a margin.
    fn is_taken(&self, skeleton: &Skeleton) -> bool {
        let left = |pose: &Pose| ops::sqrt(cost(skeleton, &self.goals, pose));
        let unit = sizes(|_| true, skeleton, &self.near, acting(&self.goals)).unit;
        let (near, found) = (left(&self.near), left(&self.found));
        let is_valid = self.near_told.residuals.iter().all(|told| told.status != Status::Invalid);
        // From far off, what lies beside the way to the goals hardly shows.
        is_valid
            && near <= found + MARGIN * unit * unit / (unit + near)
            && (is_turned(skeleton, &self.found, &self.near, MOVED)
                || !is_turned(skeleton, &self.given, &self.near, STILL))
    }

    /// Takes the answer near the pose given.
    fn take(
        &mut self,
        engine: &dyn Engine,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
    ) {
        pose.clone_from(&self.near);
        work.set_report(&self.near_told);
        for (place, goal) in goals.iter().enumerate().filter(|(_, goal)| engine.acts_on(skeleton, goal)) {
            let told = &self.near_told.residuals[place];
            // That its few steps ran out says nothing of the goals, and what blocked the engine blocks nothing here.
            let ran_out = told.status == Status::OutOfIterations;
            let status = if ran_out { self.told.residuals[place].status } else { told.status };
            let is_blocked = !ran_out || work.blocking(place).next().is_some();
            let status = if status == Status::Limited && !is_blocked { Status::Stalled } else { status };
            let near = tolerance(goal, near_enough(engine, skeleton, goals, goal, pose));
            work.residuals_mut()[place] =
                again(skeleton, goal, pose, &Residual { status, tolerance: Some(near), ..*told });
        }
        engine.finish(skeleton, goals, &self.given, pose, work);
    }

    /// The goals that the engine acts on, and the joints that it moves.
    fn set(&mut self, engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &Workspace) {
        let Self { jacobian, goals: own, .. } = self;
        jacobian.iterations = STEPS;
        let longest = goals.iter().map(|goal| engine.unit(skeleton, goal, pose)).fold(0.0, f64::max);
        own.clear();
        own.extend(goals.iter().map(|goal| {
            let share = longest / engine.unit(skeleton, goal, pose);
            let pull = goal.pull * share * share;
            Goal {
                weight: if engine.acts_on(skeleton, goal) { goal.weight } else { 0.0 },
                pull: if pull.is_finite() { pull } else { goal.pull },
                target: if engine.reads_up() { goal.target } else { plain(goal.target) },
                ..*goal
            }
        }));
        let length = sizes(|_| true, skeleton, pose, acting(own)).length;
        let of_engine = |goal: &Goal| {
            tolerance(&Goal { tolerance: None, ..*goal }, near_enough(engine, skeleton, goals, goal, pose))
        };
        (jacobian.position_tolerance, jacobian.rotation_tolerance) = acting(own)
            .map(of_engine)
            .fold((1.0_f64, 1.0_f64), |(far, turn), own| (far.min(own.position / length), turn.min(own.rotation)));
        let joints = jacobian.joints.get_or_insert_default();
        joints.clear();
        make_room(joints, skeleton.len());
        let any = |joint| own.iter().any(|goal| goal.weight > 0.0 && moves(engine, skeleton, goal, joint, work));
        joints.extend(skeleton.iter().filter(|&joint| any(joint)));
    }
}

/// Whether lengths show that a goal which pulls cannot be met.
fn is_beyond(engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &Workspace) -> bool {
    let beyond = |goal: &Goal| {
        let moves = |joint: Joint| moves(engine, skeleton, goal, joint, work);
        out_of_reach(skeleton, goal, pose, &moves).is_some()
    };
    goals.iter().any(|goal| engine.acts_on(skeleton, goal) && goal.pull > 0.0 && beyond(goal))
}

/// Whether all places asked for are nearby.
fn is_nearby(engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], pose: &Pose) -> bool {
    let acting = || goals.iter().filter(|goal| engine.acts_on(skeleton, goal));
    let near = NEARBY * sizes(|_| true, skeleton, pose, acting()).unit;
    acting().all(|goal| measured(skeleton, goal, pose).position_error() <= near)
}

/// Whether a goal that pulls is missed.
pub(in crate::solve) fn misses(goals: &[Goal], told: &[Residual]) -> bool {
    goals.iter().zip(told).any(|(goal, told)| goal.pull > 0.0 && told.status > Status::Softened)
}

/// The tolerance of a goal that has none of its own: of an engine that hands over, a descent's.
fn near_enough(engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], goal: &Goal, pose: &Pose) -> Tolerance {
    if engine.hands_over() {
        Jacobian::default().tolerance(skeleton, goals, goal, pose)
    } else {
        engine.tolerance(skeleton, goals, goal, pose)
    }
}

fn acting(goals: &[Goal]) -> impl Iterator<Item = &Goal> {
    goals.iter().filter(|goal| goal.weight > 0.0)
}

/// Squared errors by pull, angles times the length of the longest chain: what [`Jacobian`] makes least.
pub(in crate::solve) fn cost(skeleton: &Skeleton, goals: &[Goal], pose: &Pose) -> f64 {
    let pulls = Pulls::of(acting(goals).map(|goal| goal.pull));
    let unit = sizes(|_| true, skeleton, pose, acting(goals)).unit;
    let of = |goal: &Goal| {
        let left = measured(skeleton, goal, pose);
        let (far, turned) = (left.position_error(), left.rotation_error() * unit);
        pulls.share(goal.pull) * (far * far + turned * turned)
    };
    acting(goals).map(of).sum()
}
