//! Step after step towards the goals: the best pose on the way is kept.
//!
//! Where one level is all there is: see `strict`. Levels below, a posture, or joints that only some goals may move: see `levels`.

use alloc::vec::Vec;

use super::limbs::Limbs;
use super::method::Method;
use super::pass::{Pass, Rest};
use super::plan::Plan;
use super::score::Score;
use super::settings::Jacobian;
use super::system::System;
use crate::math::fit::Pair;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::seen::make_room;
use crate::solve::workspace::Near;

/// Share of what is left that a step must gain.
pub(super) const GAIN: f64 = 1e-5;
/// Largest turn of a freedom in the first step and in any (radians), and its growth. HEURISTIC: long first
/// steps slam chains of short ranges into limits that they do not leave again.
pub(super) const LONGEST: (f64, f64) = (0.3, 1.0);
pub(super) const LONGER: f64 = 1.3;
/// Steps that only the upper joints make after a perturbation.
pub(super) const HELD: usize = 2;
/// Square of what is left (lengths of the chain, or radians) above which a descent is far from its goals. HEURISTIC: of those of a
/// human that arrive, nineteen in twenty have less left after six steps; of those that do not, three in a hundred.
pub(super) const FAR_OFF: f64 = 1e-2;
/// The same above which steps with the curvature are too dear where another start or another solver may do without: one costs as much as
/// five others. HEURISTIC: of a human's far places that ask for them, one in nine is reached before the other start is due.
pub(super) const DEAR: f64 = 1e-3;

/// What a solve works with.
#[derive(Debug)]
pub(super) struct Run<'a> {
    pub(super) solver: &'a Jacobian,
    pub(super) skeleton: &'a Skeleton,
    pub(super) plan: &'a mut Plan,
    pub(super) system: &'a mut System,
    pub(super) history: &'a mut History,
    /// Steps that each start may make.
    pub(super) all: u32,
    /// Steps left to make.
    pub(super) left: u32,
    /// Whether other goals of the same call are solved apart from these.
    pub(super) is_part: bool,
    /// Whether its answer is to be near the pose given, and whether it rests there.
    pub(super) near: Near,
}

/// Poses kept on the way, and what is left in them.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) rest: Pose,
    pub(super) given: Pose,
    pub(super) given_score: Score,
    pub(super) best: Pose,
    pub(super) best_score: Score,
    pub(super) before: Pose,
    /// Memory for the curvature, and for the step to the posture, while steps do without.
    curvature: Option<Vec<f64>>,
    pub(super) posture_step: Option<Vec<f64>>,
    pub(super) now: Score,
    pub(super) next: Score,
    /// By how much the square of the errors should shrink in a step.
    pub(super) expected: f64,
    /// The minimum at which the last descent ended, if it is one.
    pub(super) rests: Option<Rest>,
    /// The first start, later the answer of few steps, and the best of all; of one search its start and what it found.
    pub(super) first: Pose,
    pub(super) first_score: Score,
    pub(super) winner: Pose,
    pub(super) winner_score: Score,
    /// Points and where they should be, for the first turn of the root.
    pub(super) pairs: Vec<Pair>,
    /// By mover: whether other starts leave it where it is.
    pub(super) held: Vec<bool>,
    /// By block: how far its goal's points are, from 0 to 1.
    pub(super) far: Vec<f64>,
    /// Those of a body that can be laid by closed form.
    pub(super) limbs: Limbs,
}

impl History {
    /// Keeps the curvature's memory.
    pub(super) fn keep(&mut self, curvature: Option<Vec<f64>>) {
        if curvature.is_some() {
            self.curvature = curvature;
        }
    }

    /// Grows the buffers at once, so that a later solve that needs more of them does not allocate.
    pub(super) fn fit(&mut self, pose: &Pose, plan: &Plan, method: Method) {
        let poses = [&mut self.given, &mut self.best, &mut self.before, &mut self.first, &mut self.winner];
        for kept in poses {
            if kept.len() != pose.len() {
                kept.clone_from(pose);
            }
        }
        let scores = [&mut self.given_score, &mut self.best_score, &mut self.now, &mut self.next];
        for score in scores.into_iter().chain([&mut self.first_score, &mut self.winner_score]) {
            score.fit(plan);
        }
        make_room(&mut self.pairs, plan.blocks.len());
        make_room(&mut self.held, plan.movers.len());
        make_room(&mut self.far, plan.blocks.len());
        self.limbs.fit(plan);
        if method == Method::LevenbergMarquardt {
            let curvature = self.curvature.get_or_insert_default();
            make_room(curvature, plan.freedoms * plan.freedoms);
        }
    }
}

impl Run<'_> {
    /// Adds up what is left in the pose, into `history.now`.
    pub(super) fn measure(&mut self, pose: &Pose) {
        self.measure_errors(pose);
        self.history.now.add_up(self.plan, self.system);
    }

    /// Writes the columns at the pose.
    pub(super) fn derive(&mut self, pose: &Pose) {
        self.system.derive(self.plan, self.solver, self.skeleton, pose);
    }

    pub(super) fn measure_errors(&mut self, pose: &Pose) {
        self.system.measure(self.plan, self.solver, self.skeleton, pose);
        if let (Some(posture), Some(posture_step)) = (&self.solver.posture, &mut self.system.posture_step) {
            posture.step(self.plan, self.skeleton, &self.history.rest, pose, posture_step);
        }
    }

    /// Steps until everything is met or nothing is gained; the best pose is left, its score in
    /// `history.best_score`. From beside a stationary pose, the upper joints first make good what the perturbation
    /// moved, so that no other straightens again.
    pub(super) fn descend(&mut self, pose: &mut Pose, pass: Pass, is_found: bool) {
        self.measure(pose);
        self.history.best.clone_from(pose);
        self.history.best_score.copy(&self.history.now);
        self.history.rests = None;
        (self.system.ease, self.system.firm, self.system.longest) = (1.0, 1, LONGEST.0);
        self.system.within.forget();
        let (strict, beside) = (self.is_strict(), pass == Pass::Beside);
        self.bend(strict && (beside || pass == Pass::On && self.system.curvature.is_some()));
        if strict {
            self.descend_strictly(pose, pass, is_found);
        } else {
            self.descend_by_levels(pose, beside);
        }
    }

    /// Whether one level is all there is, which every step must bring nearer.
    pub(super) fn is_strict(&self) -> bool {
        self.plan.is_one_level() && self.system.posture_step.is_none()
    }

    /// Whether steps count with the curvature, which only the default method does.
    pub(super) fn bend(&mut self, curved: bool) {
        let curved = curved && self.solver.method == Method::LevenbergMarquardt;
        let kept = self.system.curvature.take();
        self.history.keep(kept);
        if curved {
            self.system.curvature = Some(self.history.curvature.take().unwrap_or_default());
        }
    }

    /// Whether another step may be made.
    pub(super) fn has_steps(&self) -> bool {
        self.left > 0 && !self.system.scratch.budget.is_spent()
    }

    /// Whether nothing is left to do.
    pub(super) fn is_done(&self) -> bool {
        self.history.now.is_met() && self.system.posture_step.is_none()
    }
}
