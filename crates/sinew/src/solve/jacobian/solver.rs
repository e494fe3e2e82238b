//! The solver on a pose: passes from the pose given, from beside it, and perhaps from other starts.

use super::active::apply;
use super::carry::carry;
use super::descend::{FAR_OFF, History, LONGEST, Run};
use super::method::Method;
use super::plan::Plan;
use super::report::{is_met, report_all, report_tasks};
use super::settings::Jacobian;
use super::starts;
use super::system::System;
use super::unit::sizes;
use crate::goal::{Goal, Target, Tolerance};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::problem::scope::usable;
use crate::solve::problem::set_out::SetOut;
use crate::solve::problem::{self, Engine, near};
use crate::solve::seen::Seen;
use crate::solve::two_bone::Reach;
use crate::solve::{Outcome, Solver, Start, Status, Workspace};

/// What a solve keeps.
#[derive(Debug, Default)]
struct Scratch {
    plan: Plan,
    system: System,
    history: History,
    seen: Seen,
}

impl Scratch {
    /// Grows the buffers to the plan.
    fn fit(&mut self, solver: &Jacobian, skeleton: &Skeleton, pose: &Pose) {
        let Self { plan, system, history, .. } = self;
        let kept = system.curvature.take();
        history.keep(kept);
        history.fit(pose, plan, solver.method);
        system.fit(plan, solver.method);
        let posture = solver.posture.as_ref().filter(|posture| posture.asks(plan, skeleton));
        let kept = system.posture_step.take().or_else(|| history.posture_step.take());
        system.posture_step = posture.map(|_| kept.unwrap_or_default());
    }
}

impl Solver for Jacobian {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        problem::solve(self, skeleton, goals, pose, work)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        let moves = |joint: Joint| self.may_move(joint) && skeleton.kind(joint) != Kind::Fixed;
        !matches!(goal.target, Target::Scale(_)) && usable(skeleton, goal).any(moves)
    }

    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        problem::prepare(self, skeleton, goals, pose, work);
    }
}

impl Engine for Jacobian {
    fn acts_on(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        goal.weight > 0.0 && self.serves(skeleton, goal)
    }

    fn is_usable(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose) -> bool {
        let finite = |joint: Joint| pose.model(joint).is_finite();
        self.posture.as_ref().is_none_or(|posture| posture.fits(skeleton))
            && self.joints.iter().flatten().all(|&joint| skeleton.contains(joint))
            && goals.iter().all(|goal| finite(goal.joint) && goal.relative_to.is_none_or(finite))
    }

    fn make_room(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        let mut scratch = work.take::<Scratch>();
        let mut seen = core::mem::take(&mut scratch.seen);
        if let Some(whole) = seen.new_ones(skeleton, goals) {
            work.begin(whole);
            let plan = &mut scratch.plan;
            plan.make(self, skeleton, whole, pose, work);
            scratch.fit(self, skeleton, pose);
            scratch.history.rest.reset(skeleton);
            work.make_room_for_blocking(goals.len() * scratch.plan.movers.len());
            SetOut::make_room(skeleton, work);
        }
        scratch.seen = seen;
        work.put(scratch);
    }

    fn tolerance(&self, skeleton: &Skeleton, goals: &[Goal], _: &Goal, pose: &Pose) -> Tolerance {
        let acting = goals.iter().filter(|goal| self.acts_on(skeleton, goal));
        let length = sizes(|joint| self.may_move(joint), skeleton, pose, acting).length;
        Tolerance { position: self.position_tolerance * length, rotation: self.rotation_tolerance }
    }

    fn starts_at_rest(&self) -> bool {
        self.start == Start::Rest
    }

    fn reach(&self) -> Reach {
        self.reach
    }

    fn in_scope(&self, _: &Skeleton, _: &Goal, joint: Joint) -> bool {
        self.may_move(joint)
    }

    fn has_more(&self) -> bool {
        !self.tasks.is_empty() || self.posture.is_some()
    }

    fn keeps_priorities(&self) -> bool {
        true
    }

    // A posture says by itself which pose it is, and leads away from the one given in every frame.
    fn looks_near(&self, _: &[Goal]) -> bool {
        !self.has_more()
            && self.restarts == 0
            && self.iterations >= near::STEPS
            && self.method == Method::LevenbergMarquardt
    }

    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let mut scratch = work.take::<Scratch>();
        scratch.plan.make(self, skeleton, goals, pose, work);
        scratch.fit(self, skeleton, pose);
        let Scratch { plan, system, history, .. } = &mut *scratch;
        // A posture says how a chain bends. Balls that turn change no length of the plan.
        let sets_out = self.iterations > 0 && self.tasks.is_empty() && system.posture_step.is_none();
        let set_out = sets_out && SetOut::run(self, skeleton, goals, pose, work);
        if self.posture.is_some() {
            history.rest.reset(skeleton);
        }
        core::mem::swap(system.budget(), work.budget());
        let (is_part, made) = (work.is_parted(), u32::from(set_out));
        let all = self.iterations - made;
        let mut run = Run { solver: self, skeleton, plan, system, history, all, left: all, is_part, near: work.near() };
        let steps = made + run.run(pose);
        let spent = !run.has_steps();
        run.bend(false);
        work.set_near(run.near);
        system.measure(plan, self, skeleton, pose);
        // Columns say which limits are in the way.
        if plan.blocks.iter().any(|block| !is_met(block, system)) {
            system.derive(plan, self, skeleton, pose);
        }
        core::mem::swap(system.budget(), work.budget());
        report_all(self, (plan, system), skeleton, goals, pose, spent, work);
        let mut outcome = work.outcome(steps);
        report_tasks(self, (plan, system), skeleton, pose, spent, work);
        if plan.blocks.iter().any(|block| block.is_own_task() && !is_met(block, system)) {
            outcome.status = outcome.status.max(if spent { Status::OutOfIterations } else { Status::Stalled });
        }
        work.put(scratch);
        outcome
    }
}

impl Run<'_> {
    /// Solves from the pose given and, where that is not enough, from other starts; the steps made.
    fn run(&mut self, pose: &mut Pose) -> u32 {
        self.measure(pose);
        if self.is_done() || self.plan.freedoms == 0 {
            return 0;
        }
        self.plan.begin(self.skeleton, pose);
        let mut steps = 0;
        if self.system.posture_step.is_some() && !self.solver.exact_posture && self.all > 0 {
            steps = self.lean(pose);
            self.all -= steps;
            if self.is_done() {
                return steps;
            }
        }
        if self.is_strict() {
            carry(self.plan, self.skeleton, pose, &mut self.history.pairs);
        }
        let all = self.all;
        if self.solver.restarts == 0 || all <= QUICK {
            return steps + self.search(pose, all);
        }
        // Descents that lead nowhere take all their steps, so every start has a few before one has them all.
        self.history.first.clone_from(pose);
        steps += self.search(pose, QUICK);
        if !self.history.given_score.is_enough() {
            core::mem::swap(&mut self.history.first, pose);
            self.history.first_score.copy(&self.history.given_score);
            steps += self.search(pose, all);
            // Where the work runs out, the few steps came farther.
            if self.history.first_score.beats(&self.history.given_score, 0.0, 0.0) {
                core::mem::swap(&mut self.history.first, pose);
            }
        }
        steps
    }

    /// Makes one step to the goals and, in what they leave free, to the posture, which then is done with; the steps made.
    fn lean(&mut self, pose: &mut Pose) -> u32 {
        (self.system.ease, self.system.firm, self.system.longest) = (1.0, 1, LONGEST.0);
        // What is free to first order is not at the end of reach, where a stretched limb would bend: the curvature says so.
        self.bend(self.plan.is_one_level() && self.system.square() > FAR_OFF);
        let damping = if self.system.curvature.is_some() { WEAK } else { 1.0 };
        self.derive(pose);
        self.system.leans = true;
        self.step_within(pose, damping, usize::MAX);
        self.system.leans = false;
        self.bend(false);
        self.history.posture_step = self.system.posture_step.take();
        let moves = self.system.step.iter().any(|y| y.abs() > UPRIGHT);
        if moves {
            apply(self.plan, self.system, self.skeleton, pose);
        }
        self.measure(pose);
        u32::from(moves)
    }

    /// Solves from the pose given and, where that is not enough, from other starts, with so many steps each; the
    /// steps made. What is left is in `history.given_score`.
    fn search(&mut self, pose: &mut Pose, each: u32) -> u32 {
        let mut steps = self.settle_within(pose, each);
        if self.history.given_score.is_enough() || self.solver.restarts == 0 {
            return steps;
        }
        self.history.winner.clone_from(pose);
        self.history.winner_score.copy(&self.history.given_score);
        self.measure(pose);
        self.hold_met();
        let first_left = self.left;
        for number in 1..=self.solver.restarts {
            pose.clone_from(&self.history.winner);
            starts::set(self.plan, &self.history.held, self.skeleton, number, pose);
            steps += self.settle_within(pose, each);
            // A jump must be worth it.
            if self.history.given_score.beats(&self.history.winner_score, CLEARLY, 0.0) {
                self.history.winner.clone_from(pose);
                self.history.winner_score.copy(&self.history.given_score);
            }
            if self.history.winner_score.is_enough() || self.system.budget().is_spent() {
                break;
            }
        }
        self.left = first_left;
        core::mem::swap(&mut self.history.winner, pose);
        self.history.given_score.copy(&self.history.winner_score);
        steps
    }

    /// Holds what moves only for goals that are met: other starts leave it where it is. What is measured must be the pose.
    pub(super) fn hold_met(&mut self) {
        let (plan, system) = (&*self.plan, &*self.system);
        self.history.held.clear();
        self.history.held.extend(plan.movers.iter().map(|mover| !plan.is_wanted(mover, |block| is_met(block, system))));
    }
}

/// Steps that a start has before another is tried, and that are few. HEURISTIC: of the descents that reach a body's hands, feet
/// and head, nine in ten take fewer; those that reach nothing take all there are.
const QUICK: u32 = 40;
/// How much a posture draws against goals that are out of reach, as a share of what damping does.
const WEAK: f64 = 0.01;
/// Step to a posture (radians, or lengths of the chain) that is none: the pose leans as far as the goals let it.
const UPRIGHT: f64 = 1e-9;
/// Share of what is left that another start must gain.
const CLEARLY: f64 = 1e-2;
