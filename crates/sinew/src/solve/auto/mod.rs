//! The solver that suits the goals: closed forms where they are exact, else the best iterative one.
//!
//! | goals | solver |
//! |---|---|
//! | places (and frames), each with a base (or root) exactly two bends above, which share no joint | [`TwoBone`](super::TwoBone) for each |
//! | one place, three bends below its base, hinges in one plane and balls without limits below the first (or with a pole) | [`ThreeLink`](super::ThreeLink) |
//! | the rotation of a joint that is its own base | [`Orient`](super::Orient) |
//! | one place, balls on the way | [`Fabrik`] (free ones exactly, in one round), then [`Jacobian`], [`Ccd`] |
//! | one place, hinges and slides on the way | [`Ccd`], then [`Jacobian`], [`Fabrik`], [`Serial`] |
//! | one frame, rotation or axis (also with a place of the same joint), hinges and slides on the way | [`Serial`], then [`Jacobian`], [`Ccd`], [`Fabrik`] |
//! | anything else: several goals on shared joints, frames, aims, axes, centres of mass | [`Jacobian`], then [`Ccd`], [`Fabrik`], [`Serial`] |
//!
//! Goals for scale it leaves to [`ScaleTarget`](super::ScaleTarget), which comes before it in a
//! [`Sequence`](super::Sequence).
//!
//! Where the first stops short, and lengths alone do not show that nothing reaches farther, the others are tried one
//! after another from the same start: the first that reaches all goals is taken, else the nearest. So do the closed
//! forms hand over, too: whatever one of the methods reaches, `Auto` reaches. Where goals differ in priority a later
//! method is taken only if it reaches all; where a weight is below 1, another is tried only if the first misses by more
//! than a hundredth of the chain's length. A goal without a pole that the pose given already meets moves nothing.
//!
//! The choice looks at what the goals are, not at their weights: also at those of weight 0, which then do nothing.
//! A closed form's limb is solved at full weight, and blended. The table is what `character-problems` measured (see
//! the README).

mod elbow;
mod form;
mod judge;
mod method;

use form::{Form, Forms, way_up};
use judge::{MET, Trial, is_beyond, is_met, length};
use method::Method;

use super::report::{Miss, again, report};
use super::seen::Seen;
use super::two_bone::run::blend;
use super::workspace::Report;
#[cfg(doc)]
use super::{Ccd, Fabrik, Serial};
use super::{Jacobian, Outcome, Residual, Solver, Start, Status, Workspace, is_usable, refuse};
use crate::goal::{Goal, Target, Tolerance};
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// Chooses for each call; see the module's table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Auto {
    /// The pose that iterative solvers start from. [`Start::Rest`] makes loops of targets return: the second lap is
    /// the first.
    pub start: Start,
    /// Other starts of the solvers that have the setting (Jacobian and serial), where nothing else reached; 0 by
    /// default.
    pub restarts: u32,
}

/// What a solve keeps.
#[derive(Debug, Default)]
struct Scratch {
    forms: Forms,
    trial: Trial,
    told: Report,
    seen: Seen,
}

impl Solver for Auto {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        if !is_usable(skeleton, goals, pose) {
            return refuse(goals, work);
        }
        self.make_room(skeleton, goals, pose, work);
        if self.start == Start::Given && goals.iter().filter(|goal| acts(goal)).all(|goal| is_met(skeleton, goal, pose))
        {
            return stay(skeleton, goals, pose, work);
        }
        let mut scratch = work.take::<Scratch>();
        let outcome = if scratch.forms.serve_all(skeleton, goals) {
            self.solve_limbs(skeleton, goals, pose, work, &mut scratch)
        } else {
            let form = scratch.forms.of_lone(skeleton, goals);
            let methods = Method::for_all(self, skeleton, goals, form);
            self.try_each(&methods, skeleton, goals, pose, work, &mut scratch.trial)
        };
        work.put(scratch);
        outcome
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        Jacobian::default().serves(skeleton, goal)
    }

    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        if is_usable(skeleton, goals, pose) {
            self.make_room(skeleton, goals, pose, work);
        }
    }
}

impl Auto {
    /// Makes room for goals that are new, by all methods that may come to be tried.
    fn make_room(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        let mut scratch = work.take::<Scratch>();
        let Scratch { forms, trial, told, seen } = &mut *scratch;
        if seen.new_ones(skeleton, goals).is_some() {
            told.clear(goals);
            trial.make_room(goals, pose);
            if forms.serve_all(skeleton, goals) {
                for goal in goals.iter().filter(|goal| counts(goal)) {
                    let methods = forms.of(skeleton, goal).map(|form| Method::for_limb(self, skeleton, goal, form));
                    let lone = core::slice::from_ref(goal);
                    methods.iter().flatten().flatten().for_each(|one| one.prepare(self, skeleton, lone, pose, work));
                }
            } else {
                let methods = Method::for_all(self, skeleton, goals, forms.of_lone(skeleton, goals));
                methods.iter().flatten().for_each(|method| method.prepare(self, skeleton, goals, pose, work));
            }
        }
        work.put(scratch);
    }

    /// Each goal by its own closed form, and by others where that stops short.
    fn solve_limbs(
        &self,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
        Scratch { forms, trial, told, .. }: &mut Scratch,
    ) -> Outcome {
        told.clear(goals);
        let mut iterations = 0;
        for (place, goal) in goals.iter().enumerate().filter(|(_, goal)| acts(goal)) {
            if let Some(form) = forms.of(skeleton, goal) {
                iterations += self.solve_limb(form, skeleton, goal, pose, work, trial);
                told.adopt(place, work.report());
            }
        }
        work.begin(goals);
        work.set_report(told);
        work.outcome(iterations)
    }

    /// One goal at full weight, then blended with the pose to which weights refer; the iterations made.
    fn solve_limb(
        &self,
        form: Form,
        skeleton: &Skeleton,
        goal: &Goal,
        pose: &mut Pose,
        work: &mut Workspace,
        trial: &mut Trial,
    ) -> u32 {
        if self.start == Start::Given && is_met(skeleton, goal, pose) {
            return stay(skeleton, core::slice::from_ref(goal), pose, work).iterations;
        }
        let whole = [Goal { weight: 1.0, ..*goal }];
        let methods = Method::for_limb(self, skeleton, goal, form);
        let mut outcome = self.try_each(&methods, skeleton, &whole, pose, work, trial);
        if trial.has_best() && (outcome.status != Status::Reached || goal.pole.is_some()) {
            // From there the form may do as well, and only it looks at a pole.
            outcome.iterations += trial.again(Method::Form(form), self, skeleton, &whole, pose, work);
        }
        let residual = work.residuals()[0];
        if goal.weight < 1.0 && !matches!(residual.status, Status::Singular | Status::Invalid) {
            let reference = work.entry().unwrap_or(&trial.start);
            let path = way_up(skeleton, goal).map(|joint| (joint, *reference.local(joint)));
            blend(skeleton, path, goal.weight, pose);
            let status = residual.status.max(Status::Softened);
            work.residuals_mut()[0] = again(skeleton, goal, pose, &Residual { status, ..residual });
        }
        outcome.iterations
    }

    /// All goals by one method after another, from the same start, until one reaches them or lengths show that none
    /// can. Else the best answer stays, once none of them gains from there: so solving again is solving once.
    fn try_each(
        &self,
        methods: &[Option<Method>],
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
        trial: &mut Trial,
    ) -> Outcome {
        trial.begin(pose);
        let serves = |method: &Method| method.serves_all(self, skeleton, goals);
        let first = methods.iter().position(|method| method.as_ref().is_some_and(serves)).unwrap_or(0);
        let mut iterations = 0;
        for round in 0..ROUNDS {
            let mut gained = false;
            // Restarts lead to the same poses again; what is best has gone as far as its method goes.
            let auto = if round == 0 { self } else { &Self { restarts: 0, ..self.clone() } };
            for (number, method) in methods.iter().enumerate() {
                let Some(method) = method.filter(serves) else { continue };
                if round > 0 && trial.is_of(number) {
                    continue;
                }
                trial.set_out(round, pose);
                let outcome = method.solve(auto, trial.has_best(), skeleton, goals, pose, work);
                iterations += outcome.iterations;
                if trial.is_last(skeleton, goals, pose, work) {
                    return Outcome { iterations, ..outcome };
                }
                gained |= trial.offer((round, number, first), skeleton, goals, pose, work);
                if is_beyond(method, skeleton, goals, pose, work) {
                    gained = false;
                    break;
                }
            }
            let stands = self.start == Start::Given && trial.given_stands(first, skeleton, goals, work);
            if stands || !gained || self.start == Start::Rest {
                break;
            }
        }
        Outcome { iterations, ..trial.end(pose, work) }
    }
}

/// Rounds of all methods at most, each from the best answer of the one before.
const ROUNDS: usize = 3;

/// What is said where the pose given meets all goals.
fn stay(skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) -> Outcome {
    work.begin(goals);
    for (place, goal) in goals.iter().enumerate().filter(|(_, goal)| acts(goal)) {
        let own = Tolerance { position: MET * length(skeleton, goal, pose), rotation: MET };
        report(skeleton, (place, goal), pose, own, work, |_| Miss::default());
    }
    work.outcome(0)
}

/// Whether a goal counts in the choice of methods: one for scale is [`ScaleTarget`](super::ScaleTarget)'s.
fn counts(goal: &Goal) -> bool {
    !matches!(goal.target, Target::Scale(_))
}

/// Whether a goal asks something.
fn acts(goal: &Goal) -> bool {
    goal.weight > 0.0 && counts(goal)
}
