//! Step after step towards the goals: the best pose on the way is kept.
//!
//! Where one level is all there is, a step must bring it nearer, else it is tried again with more
//! extra damping: the damping of Levenberg and Marquardt, led by how much of what was expected came true.
//! Levels below, a posture, or joints that only some goals may move: see `levels`.

use alloc::vec::Vec;

use super::limbs::Limbs;
use super::method::Method;
use super::pass::{Pass, Rest};
use super::plan::Plan;
use super::score::Score;
use super::settings::Jacobian;
use super::system::System;
use crate::math::fit::Pair;
use crate::math::ops;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::seen::make_room;

/// Share of what is left that a step must gain, and how many in a row may not.
pub(super) const GAIN: f64 = 1e-5;
const IDLE: u32 = 3;
/// Change of the extra damping after steps that help and that do not, and its ends.
const CALMER: f64 = 8.0;
const BOLDER: f64 = 0.2;
const WARIER: f64 = 3.0;
/// Shares of what was expected above and below which the extra damping changes.
const TRUSTED: f64 = 0.7;
const DOUBTED: f64 = 0.3;
const CAUTION: (f64, f64) = (1e-3, 1e8);
/// Largest turn of a freedom in the first step and in any (radians), and its growth. HEURISTIC: long first
/// steps slam chains of short ranges into limits that they do not leave again.
pub(super) const LONGEST: (f64, f64) = (0.3, 1.0);
pub(super) const LONGER: f64 = 1.3;
/// The same for a step that could be trusted, after one that could not.
const FARTHER: f64 = 3.0;
/// What is left of the longest turn of a step that did not help.
const SHORTER: f64 = 0.5;
/// Steps that only the upper joints make after a perturbation.
pub(super) const HELD: usize = 2;
/// Steps after which the curvature counts: goals in reach are met by then. So many freedoms wait one step
/// more, since its system is as large as they are many.
const STRAIGHT: usize = 5;
const PATIENT: usize = 8;
/// Share of the square of what is left that a slow step leaves.
const SLOW: f64 = 0.8;
/// Share of the square of what is left below which a whole step is expected to gain so little that the goals are out of its
/// reach, of one point and of several: then the curvature counts at once.
const HOPELESS: (f64, f64) = (0.02, 0.1);
/// Steps in a row that led astray, after which the curvature counts at once.
const ASTRAY: u32 = 2;
/// Steps after which a body's descent is given up whose limbs can be laid another way, and the square of what is left (lengths of the
/// chain, or radians) above which it is. HEURISTIC: of the descents of a human that arrive, nineteen in twenty have less left by then;
/// of those that do not, three in a hundred.
const SOON: usize = 6;
pub(super) const FAR_OFF: f64 = 1e-2;
/// Share of the square of what is left that a step gains which may be the last, and what more must be left to gain for another:
/// less than makes a pass [worth](super::score::Score::is_worth) keeping.
const LITTLE: f64 = 1e-3;
const ENOUGH: f64 = 1e-4;
/// Growth of the square of what is left in a long step along a valley, which the next step may make good.
const DARED: f64 = 4.0;
/// Share of the square of what was left above which a step with the curvature is corrected.
const CORRECTED: f64 = 0.25;
/// Share of the square of what is left above which a step gains too little to go on where all is met.
const QUICKLY: f64 = 0.03;
/// Damping squared of steps to several goals with the curvature, as a share of what the last step gained (the root of its square),
/// and the most of that which counts: what hardly moves the goals does not turn far for them. At the end of reach, where a goal
/// moves by the square of a bend, the curvature along what matters is far more, and along what does not about as much; at a
/// minimum nothing is gained.
const CALM: (f64, f64) = (3e-3, 1e-2);

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
    /// Whether another solver tries it as one of several methods, and looks near the pose given by itself.
    pub(super) is_tried: bool,
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

    /// Every step kept brings the one level nearer, but for one at a time that follows a valley off its floor: the next leads back,
    /// or both are taken back.
    fn descend_strictly(&mut self, pose: &mut Pose, pass: Pass, mut is_found: bool) {
        let (mut extra_damping, mut idle, mut fresh, mut slow, mut steps) = (1.0, 0, true, false, 0);
        let (mut hopeless, mut failed, mut widest, mut dared) = (false, 0, LONGEST.0, None);
        let (mut creeps, mut gained) = (true, self.history.best_score.first_square());
        let (several, beside) = (self.plan.has_several(), pass == Pass::Beside);
        let mut gives_up = pass.is_brief() && !self.history.limbs.is_empty();
        let lost = if several { HOPELESS.1 } else { HOPELESS.0 };
        while self.has_steps() && idle < IDLE && !self.is_settled(creeps) && extra_damping <= CAUTION.1 {
            if gives_up && steps >= SOON && self.history.best_score.first_square() > FAR_OFF {
                if !self.is_beyond(pose) {
                    break;
                }
                gives_up = false;
            }
            self.left -= 1;
            steps += 1;
            let late = steps >= STRAIGHT + self.plan.freedoms / PATIENT;
            if slow && (late || hopeless || failed >= ASTRAY) && self.system.curvature.is_none() {
                self.bend(true);
                fresh = true;
            }
            if fresh && !is_found {
                self.derive(pose);
            }
            let held = if beside && steps <= HELD { self.plan.upper_freedoms() } else { usize::MAX };
            self.system.calm = if several { CALM.0 * ops::sqrt(gained).min(CALM.1) } else { 0.0 };
            if !core::mem::take(&mut is_found) {
                self.find_step(pose, extra_damping, held);
            }
            self.system.calm = 0.0;
            if !self.take_step(pose) {
                break;
            }
            let (least, mut next) = (self.history.best_score.first_square(), self.history.next.first_square());
            let curved = self.system.curvature.is_some();
            // A goal at the end of its reach spoils most steps of several; a lone one's are led back where they cannot be trusted.
            let astray = several || least - next < TRUSTED * self.history.expected;
            let corrects = curved && astray && dared.is_none() && next > CORRECTED * least;
            if corrects {
                self.correct(pose, held);
                next = self.history.next.first_square();
            }
            fresh = next < least;
            creeps = next > QUICKLY * least;
            slow = !fresh || next > SLOW * least;
            failed = if fresh { 0 } else { failed + 1 };
            hopeless = self.system.ask == 1.0 && self.history.expected < lost * least;
            if !fresh && curved && dared.is_none() && next < DARED * least {
                dared = Some(self.system.most);
                core::mem::swap(&mut self.history.now, &mut self.history.next);
                fresh = true;
                continue;
            }
            if !fresh {
                // After two steps the columns are another pose's.
                fresh = dared.is_some() || corrects;
                let most = dared.take().unwrap_or(self.system.most);
                pose.clone_from(&self.history.best);
                self.history.now.copy(&self.history.best_score);
                self.measure_errors(pose);
                extra_damping *= CALMER;
                if curved {
                    self.system.longest = SHORTER * most;
                }
                continue;
            }
            if dared.take().is_none() {
                let share = (least - next) / self.history.expected;
                extra_damping = more_or_less(extra_damping, share);
                self.system.longest *= LONGER;
                if share > TRUSTED {
                    self.system.longest = self.system.longest.max(FARTHER * self.system.most);
                }
                widest = (widest * LONGER).min(LONGEST.1);
                self.system.longest = self.system.longest.min(widest);
            }
            gained = least - next;
            idle = if self.keep_best(pose, GAIN, 0.0) { 0 } else { idle + 1 };
            let ends = extra_damping <= 1.0 && self.history.expected < GAIN * least;
            if curved && (ends || several && least - next < LITTLE * least) {
                let rests = several && held == usize::MAX && self.system.is_at_rest(ENOUGH);
                self.history.rests =
                    rests.then(|| if self.system.fixed.contains(&true) { Rest::Held } else { Rest::Free });
                if rests {
                    self.polish(pose);
                }
                if ends || rests {
                    break;
                }
            }
        }
        core::mem::swap(&mut self.history.best, pose);
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

    /// Whether everything is met, and finely where steps gain digits quickly.
    fn is_settled(&self, creeps: bool) -> bool {
        self.is_done() && (creeps || self.history.now.is_fine())
    }

    /// Whether nothing is left to do.
    pub(super) fn is_done(&self) -> bool {
        self.history.now.is_met() && self.system.posture_step.is_none()
    }
}

/// The extra damping after a step that gained this share of what was expected of it.
pub(super) fn more_or_less(extra_damping: f64, share: f64) -> f64 {
    if share > TRUSTED {
        (extra_damping * BOLDER).max(CAUTION.0)
    } else if share < DOUBTED {
        extra_damping * WARIER
    } else {
        extra_damping
    }
}
