//! Steps to where springs and goals are in balance, then to where the goals are met.
//!
//! First the goals are springs, too, so that the body comes near in a few long steps; then they are firm, and the
//! bodies' springs settle against them; last, the springs no longer pull but only say which joints would rather
//! move, and the goals close to the last digit, or to the balance of their pulls where not all can be met. Where steps
//! against springs do not bring a body there, as many limits hold it, [`Jacobian`] does, and the springs settle from there.

use alloc::vec::Vec;

use super::ask::Rows;
use super::plan::BalancePlan;
use super::settings::MassSpring;
use super::system::{StepOptions, System};
use crate::goal::Goal;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::problem::set_out::SetOut;
use crate::solve::seen::make_room;
use crate::solve::{Jacobian, Workspace};

/// Stiffness of the goals, in stiffnesses of the stiffest joint: stage by stage, each until a step turns no joint by
/// more than the angle beside it (radians). Firm at once, they would let no step leave the poses that meet them.
pub(super) const STAGES: [(f64, f64); 3] = [(30.0, 0.1), (600.0, 0.05), (FIRM, 1e-4)];
pub(super) const FIRM: f64 = 1e4;
/// Longest turn (radians) of a step after which the pushes' own stiffness counts: farther off it misleads.
const BENT: f64 = 0.3;
/// Longest turn of a joint in the first step and in any (radians), and its growth. HEURISTIC: long first steps slam
/// short ranges into limits that they do not leave again.
pub(super) const LONGEST: (f64, f64) = (0.3, 1.0);
const LONGER: f64 = 1.3;
/// Caution after a step that does not help, its growth and end, and its fall after one that does.
const CAREFUL: f64 = 0.1;
const WARIER: f64 = 5.0;
const MOST: f64 = 1e9;
const BOLDER: f64 = 0.2;
const TIMID: f64 = 0.1;
/// Share of the square of what is left that closing steps must gain, and how many in a row may not.
const GAIN: f64 = 1e-6;
const IDLE: u32 = 3;
/// The same while springs pull, and the turn (radians) of a step that may not help either.
const ENOUGH: f64 = 1e-4;
const SHORT: f64 = 1e-3;
/// Share of what is left of the goals that an answer must gain to be taken: less is taken back, so that solving
/// again moves nothing. And what a pose from beside the line must gain, since it jumps.
const WORTH: f64 = 1e-3;
pub(super) const CLEARLY: f64 = 2e-2;
/// Energy of ups alone, about the square of what is left of them (radians), for which nothing moves.
const UNSEEN: f64 = 1e-14;
/// Difference of unit quaternions that is rounding.
const ROUNDING: f64 = 1e-14;
/// Steps against springs to a body's goals before others take over. HEURISTIC: of those that reach a human's inside its limits
/// about half take fewer, and the others cost more and bend no less than what takes over.
const SHARE: u32 = 40;
/// Price of a step for each body that it moves, and for each joint of the pose that is kept.
const STEP: usize = 120;
const KEEP: usize = 20;
/// Places asked for that make a body.
const BODY: usize = 3;

/// What a solve of one plan works with and leaves.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub(super) plan: BalancePlan,
    pub(super) rows: Rows,
    pub(super) system: System,
    before: Pose,
    pub(super) given: Pose,
    pub(super) best: Pose,
    /// Goals of the plan, others without weight, and what takes over.
    pub(super) goals: Vec<Goal>,
    pub(super) jacobian: Jacobian,
    /// Steps left.
    pub(super) left: u32,
}

/// What all of a solve has in common.
#[derive(Debug)]
pub(super) struct Context<'a> {
    pub(super) solver: &'a MassSpring,
    pub(super) skeleton: &'a Skeleton,
    pub(super) work: &'a mut Workspace,
}

impl Run {
    /// Grows the buffers to the plan at once, so that a later solve that needs more of them does not allocate.
    pub(super) fn fit(&mut self, goals: &[Goal], pose: &Pose) {
        make_room(&mut self.goals, goals.len());
        make_room(self.jacobian.joints.get_or_insert_default(), self.plan.bodies.len());
        let fars = self.rows.fit(&self.plan);
        self.system.fit(&self.plan);
        self.system.make_room(&self.plan, fars);
        for kept in [&mut self.before, &mut self.given, &mut self.best] {
            if kept.len() != pose.len() {
                kept.clone_from(pose);
            }
        }
    }

    /// Whether another step may be made.
    pub(super) fn has_steps(&self, context: &mut Context<'_>) -> bool {
        self.left > 0 && !context.work.budget().is_spent()
    }

    /// Brings bodies and rows up to date with the pose.
    pub(super) fn measure(&mut self, context: &Context<'_>, pose: &Pose) {
        self.plan.refresh(context.skeleton, pose);
        let balance = context.solver.balance.as_ref().map(|balance| (balance, context.solver.position_tolerance));
        self.rows.measure(&self.plan, balance, context.skeleton, pose);
    }

    /// Moves the pose to where its goals are met as well as may be; the steps made.
    pub(super) fn settle(&mut self, context: &mut Context<'_>, pose: &mut Pose) -> u32 {
        self.rows.forget();
        self.measure(context, pose);
        if self.rows.met || self.plan.bodies.is_empty() {
            return 0;
        }
        self.begin(context, pose);
        self.measure(context, pose);
        let all = self.left;
        // Until nothing is gained, so that solving again is solving once.
        while self.has_steps(context) && !self.rows.met && self.gain(context, pose) {}
        all - self.left
    }

    /// Solves from the pose; where nothing is gained, it stays. Whether anything was.
    fn gain(&mut self, context: &mut Context<'_>, pose: &mut Pose) -> bool {
        self.given.clone_from(pose);
        let (met, whole, left) = (self.rows.must_met, self.rows.energy(true), self.rows.energy(false));
        let rest = context.solver.rest.as_ref().unwrap_or(pose);
        self.plan.bodies.iter_mut().for_each(|body| body.relax(context.skeleton, rest));
        // Springs rest where the chain was. What has set out stays at its goal: soft ones would let it straighten again.
        let sets_out = context.solver.balance.is_none();
        let set_out = sets_out && SetOut::run(context.solver, context.skeleton, &self.goals, pose, context.work);
        if set_out {
            self.left -= 1;
            self.measure(context, pose);
        }
        let stages = if set_out { &STAGES[STAGES.len() - 1..] } else { &STAGES[..] };
        self.within(self.share(), |run| run.approach(context, pose, stages));
        for beside in [false, true] {
            if self.rows.must_met || !self.has_steps(context) {
                break;
            }
            self.retry(context, beside, pose);
        }
        let gained = match (met, self.rows.must_met) {
            (true, true) => whole > UNSEEN && self.rows.energy(true) < whole * (1.0 - CLEARLY),
            (false, false) => self.rows.energy(false) < left * (1.0 - WORTH),
            (before, after) => after && !before,
        };
        if !gained {
            core::mem::swap(&mut self.given, pose);
            self.measure(context, pose);
        }
        gained
    }

    /// Whether several places are asked for.
    pub(super) fn is_body(&self) -> bool {
        self.plan.targets.iter().filter(|target| target.task.is_in_metres()).count() >= BODY
    }

    /// Steps of one way: of a body's, those that hardly gain leave some for another.
    pub(super) fn share(&self) -> u32 {
        if self.is_body() { SHARE } else { u32::MAX }
    }

    /// Does something in so many steps at most.
    pub(super) fn within(&mut self, share: u32, then: impl FnOnce(&mut Self)) {
        let rest = self.left.saturating_sub(share);
        self.left -= rest;
        then(self);
        self.left += rest;
    }

    /// Moves every body inside its limits.
    fn begin(&self, context: &Context<'_>, pose: &mut Pose) {
        let skeleton = context.skeleton;
        for body in &self.plan.bodies {
            if let Some(driven) = body.driven {
                let now = pose.coordinates()[driven.index];
                let to = driven.range.clamp(now);
                let off = skeleton.driven(driven.index).any(|joint| pose.is_off_value(skeleton, joint));
                if off || to != now {
                    pose.edit(skeleton).coordinate(driven.index, to);
                }
                continue;
            }
            let now = *pose.local(body.joint);
            let allowed = skeleton.nearest_allowed(body.joint, &now, 0.0);
            let off = allowed.rotation - now.rotation;
            // A projected rotation is projected again to its last digit only.
            if off.dot(off) > ROUNDING * ROUNDING {
                pose.edit(skeleton).local(body.joint, allowed);
            }
        }
    }

    /// Stages, and the last that closes.
    fn approach(&mut self, context: &mut Context<'_>, pose: &mut Pose, stages: &[(f64, f64)]) {
        for &(firm, near) in stages {
            self.descend(
                context,
                pose,
                StepOptions { firm, pulls: true, leans: true, damping: 0.0, curved: false, longest: LONGEST.0 },
                near,
            );
        }
        self.close(context, pose);
    }

    /// The last stage: springs no longer pull.
    pub(super) fn close(&mut self, context: &mut Context<'_>, pose: &mut Pose) {
        let options =
            StepOptions { firm: FIRM, pulls: false, leans: true, damping: 0.0, curved: false, longest: LONGEST.0 };
        if self.plan.targets.iter().any(|target| target.yields) {
            self.descend(context, pose, options, 0.0);
        }
        self.descend(context, pose, StepOptions { leans: false, ..options }, 0.0);
    }

    /// Steps until one is shorter than `near`, or nothing is gained.
    pub(super) fn descend(&mut self, context: &mut Context<'_>, pose: &mut Pose, mut options: StepOptions, near: f64) {
        self.system.pressed.clear();
        let (mut now, mut idle, mut failed) = (self.level(options), 0, false);
        while self.has_steps(context)
            && idle < IDLE
            && (options.pulls || !self.rows.met && (options.leans || !self.rows.must_met))
        {
            self.left -= 1;
            let Self { plan, rows, system, .. } = self;
            let step = system.solve_within(context, (plan, rows), pose, options);
            let Some(share) = step else {
                if !careful(&mut options) {
                    return;
                }
                self.measure(context, pose);
                continue;
            };
            context.work.budget().spend(STEP * self.plan.bodies.len() + KEEP * context.skeleton.len());
            self.before.clone_from(pose);
            self.system.apply(&self.plan, context.skeleton, pose, share);
            let length = self.system.longest(&self.plan) * share;
            self.measure(context, pose);
            let next = self.level(options);
            if next.is_nan() || next > now * (1.0 + 1e-12) {
                core::mem::swap(&mut self.before, pose);
                self.measure(context, pose);
                failed = true;
                idle += u32::from(options.pulls && length < SHORT);
                if length < 1e-12 || !careful(&mut options) {
                    return;
                }
                continue;
            }
            let gained = now - next;
            now = next;
            if !failed {
                options.damping = if options.damping < TIMID { 0.0 } else { options.damping * BOLDER };
            }
            failed = false;
            options.curved = length < BENT;
            options.longest = (options.longest * LONGER).min(LONGEST.1);
            if length <= near && share >= 1.0 {
                return;
            }
            let gain = if options.pulls { ENOUGH } else { GAIN };
            idle = if gained > gain * now { 0 } else { idle + 1 };
        }
    }

    /// What the stage brings down.
    fn level(&self, options: StepOptions) -> f64 {
        let goals = self.rows.energy(options.leans) * options.firm * self.plan.stiffest;
        if options.pulls { goals + self.plan.energy() } else { goals }
    }
}

/// Makes the next try more careful; whether there is one.
fn careful(options: &mut StepOptions) -> bool {
    options.damping = if options.damping > 0.0 { options.damping * WARIER } else { CAREFUL };
    options.damping < MOST
}
