//! The solver that suits the goals: closed forms where they are exact, else the best iterative one.

mod elbow;
mod form;
mod judge;
mod lay;
mod method;
mod rounds;
mod settings;

pub use settings::Auto;

use form::{Form, Forms};
use judge::{MET, Trial};
use lay::Limbs;
use method::{Method, are_even};
use settings::{acts, counts};

use super::problem::scope::length;
use super::problem::{self, Engine, near};
use super::seen::Seen;
use super::two_bone::Reach;
use super::{Jacobian, Outcome, Solver, Start, Status, Workspace};
use crate::goal::{Goal, Tolerance};
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// What a solve keeps.
#[derive(Debug, Default)]
struct Scratch {
    forms: Forms,
    trial: Trial,
    limbs: Limbs,
    seen: Seen,
}

impl Solver for Auto {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        problem::solve(self, skeleton, goals, pose, work)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        Jacobian::default().serves(skeleton, goal)
    }

    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        problem::prepare(self, skeleton, goals, pose, work);
    }
}

impl Engine for Auto {
    fn acts_on(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        goal.weight > 0.0 && self.serves(skeleton, goal)
    }

    fn is_usable(&self, _: &Skeleton, _: &[Goal], _: &Pose) -> bool {
        true
    }

    // By all methods that may come to be tried.
    fn make_room(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        let mut scratch = work.take::<Scratch>();
        let Scratch { forms, trial, limbs, seen } = &mut *scratch;
        if seen.new_ones(skeleton, goals).is_some() {
            trial.make_room(goals, pose);
            // By themselves, as stages may have them, and all together.
            for goal in goals.iter().filter(|goal| counts(goal)) {
                let lone = core::slice::from_ref(goal);
                let form = forms.of(skeleton, goal);
                let limb = form.as_ref().map(|form| Method::for_limb(skeleton, goal, form)).into_iter().flatten();
                let methods = limb.chain(Method::for_all(skeleton, lone, form.as_ref()));
                methods.flatten().for_each(|method| method.prepare(self, skeleton, lone, pose, work));
                let _ = limbs.ending_at(skeleton, goal.joint);
            }
            let form = forms.of_lone(skeleton, goals);
            let methods = Method::for_all(skeleton, goals, form.as_ref());
            methods.iter().flatten().for_each(|method| method.prepare(self, skeleton, goals, pose, work));
        }
        work.put(scratch);
    }

    fn tolerance(&self, skeleton: &Skeleton, _: &[Goal], goal: &Goal, pose: &Pose) -> Tolerance {
        Tolerance { position: MET * length(skeleton, goal, pose), rotation: MET }
    }

    fn starts_at_rest(&self) -> bool {
        self.start == Start::Rest
    }

    fn hands_over(&self) -> bool {
        true
    }

    fn may_stay(&self, goal: &Goal, _: &Pose) -> bool {
        let soft = matches!(self.reach, Reach::Soft { .. });
        self.start == Start::Given && !soft && goal.pole.is_none() && goal.swivel.is_none()
    }

    fn keeps_priorities(&self) -> bool {
        true
    }

    fn bends(&self, _: &Goal) -> bool {
        true
    }

    fn looks_near(&self, goals: &[Goal]) -> bool {
        self.restarts == 0 && self.iterations >= near::STEPS && are_even(goals)
    }

    fn finish(&self, skeleton: &Skeleton, goals: &[Goal], given: &Pose, pose: &mut Pose, work: &mut Workspace) {
        if self.reach == Reach::Clamp {
            let mut scratch = work.take::<Scratch>();
            let misses = near::misses(goals, work.residuals());
            scratch.limbs.lay(skeleton, goals, (given, misses), pose, work);
            work.put(scratch);
        }
    }

    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let mut scratch = work.take::<Scratch>();
        let Scratch { forms, trial, limbs, .. } = &mut *scratch;
        // Of a body's goals only arms and legs bend by themselves.
        let bends = |form: &Form| !(work.is_parted() && matches!(form, Form::Links(_)));
        let outcome = if let Some(form) = forms.exact(skeleton, goals).filter(bends) {
            self.solve_limb(&form, skeleton, goals, pose, work, trial)
        } else {
            let form = forms.of_lone(skeleton, goals);
            let methods = Method::for_all(skeleton, goals, form.as_ref());
            let methods = if work.is_parted() { Method::for_body(&methods) } else { methods };
            let outcome = self.try_each(&methods, skeleton, goals, pose, work, trial);
            if matches!(methods, [Some(Method::Quick), ..]) && self.reach == Reach::Clamp {
                limbs.lay(skeleton, goals, (&trial.start, false), pose, work);
                work.outcome(outcome.iterations)
            } else {
                outcome
            }
        };
        work.put(scratch);
        outcome
    }
}

impl Auto {
    /// One goal that its closed form serves by itself.
    fn solve_limb(
        &self,
        form: &Form,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
        trial: &mut Trial,
    ) -> Outcome {
        let Some(goal) = goals.iter().find(|goal| acts(goal)) else { return work.outcome(0) };
        let methods = Method::for_limb(skeleton, goal, form);
        let mut outcome = self.try_each(&methods, skeleton, goals, pose, work, trial);
        if trial.has_best() && (outcome.status != Status::Reached || goal.pole.is_some()) {
            // From there the form may do as well, and only it looks at a pole.
            outcome.iterations += trial.again(Method::Form(form), self, skeleton, goals, pose, work);
        }
        let iterations = outcome.iterations;
        Outcome { iterations, ..work.outcome(iterations) }
    }
}
