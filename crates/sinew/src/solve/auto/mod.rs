//! The solver that suits the goals: closed forms where they are exact, else the best iterative one.

mod elbow;
mod form;
mod judge;
mod lay;
mod method;
mod settings;

pub use settings::Auto;

use form::{Form, Forms};
use judge::{MET, Trial, is_beyond, is_limited_beyond, is_settled, is_shown};
use lay::Limbs;
use method::{Method, QUICK};
use settings::{acts, counts};

use super::problem::scope::length;
use super::problem::{self, Engine};
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
                limbs.lay(skeleton, goals, &trial.start, pose, work);
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

    /// All goals by one method after another, from the same start, until one reaches them or lengths show that none
    /// can. Else the best answer stays, once none of them gains from there: so solving again is solving once.
    fn try_each(
        &self,
        methods: &[Option<Method<'_>>],
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
        trial: &mut Trial,
    ) -> Outcome {
        trial.begin(pose);
        let several = methods.iter().flatten().any(|method| matches!(method, Method::Quick));
        // Points drawn along bones bend limited joints one by one, for long, and stop far from what others find.
        let place = matches!(methods, [Some(Method::Fabrik), ..]);
        let beyond = place && !matches!(self.reach, Reach::Soft { .. }) && is_limited_beyond(skeleton, goals, pose);
        let serves = |method: &Method<'_>| {
            (!beyond || matches!(method, Method::Jacobian | Method::Ccd)) && method.serves_all(self, skeleton, goals)
        };
        let first = methods.iter().position(|method| method.as_ref().is_some_and(serves)).unwrap_or(0);
        let leans = goals.iter().any(|goal| acts(goal) && goal.target.has_up());
        // From rest, the pose given is none that was started from.
        let rests = |trial: &Trial| self.start == Start::Given && trial.rests(first, skeleton, goals);
        let (mut iterations, mut settled, mut shown) = (0, false, false);
        for round in 0..ROUNDS {
            let mut gained = false;
            settled &= trial.is_of(first);
            for (number, method) in methods.iter().enumerate() {
                let Some(method) = method.filter(serves) else { continue };
                if round > 0 && (trial.is_of(number) || matches!(method, Method::Again))
                    || settled && matches!(method, Method::Long)
                    || shown && !matches!(method, Method::Long)
                {
                    continue;
                }
                // What nearly meets several goals is nearer to its own end than to another method's.
                if round == 0 && several && matches!(method, Method::Fabrik) && trial.is_near(skeleton, goals) {
                    continue;
                }
                // Restarts lead to the same poses again; what is best has gone as far as its method goes.
                let restarts = if round == 0 { self.restarts } else { 0 };
                // Of several goals the next method goes on from the nearest answer, where it comes farther than from the start.
                let goes_on = trial.has_best() && (round > 0 || several && !matches!(method, Method::Quick));
                if goes_on && trial.went_on(number) {
                    continue;
                }
                let start = if goes_on { Start::Given } else { self.start };
                let iterations_left = self.iterations.saturating_sub(iterations);
                let auto = Self { start, restarts, iterations: iterations_left, ..self.clone() };
                trial.set_out(goes_on, number, pose);
                let outcome = method.solve(&auto, trial.has_best(), skeleton, goals, pose, work);
                iterations += outcome.iterations;
                if !beyond && trial.is_last(method, skeleton, goals, pose, work) {
                    // From there the first method leans the ups, as it would when solved again.
                    if leans && trial.has_best() {
                        let given = Self { start: Start::Given, ..auto };
                        iterations += trial.again(Method::Jacobian, &given, skeleton, goals, pose, work);
                    }
                    return Outcome { iterations, ..work.outcome(iterations) };
                }
                gained |= trial.offer((round, number, first), skeleton, goals, pose, work);
                // A pose that was solved before stays in its valley.
                if beyond && number == first && self.start == Start::Given && trial.stays(skeleton) {
                    gained = false;
                    break;
                }
                // A lone goal that was missed before is not looked for elsewhere again.
                let lone = round == 0 && matches!(method, Method::Jacobian) && self.restarts == 0;
                if lone && self.start == Start::Given && trial.lingers(skeleton, goals) {
                    gained = false;
                    break;
                }
                if matches!(method, Method::Quick) && self.restarts == 0 {
                    // With more steps it would go no farther, or was there before.
                    settled |= outcome.iterations < QUICK || rests(trial);
                }
                shown |= self.restarts == 0 && several && is_shown(method, work);
                if settled && (shown || rests(trial)) {
                    gained = false;
                    break;
                }
                if is_beyond(method, skeleton, goals, pose, work) || self.restarts == 0 && is_settled(method, work) {
                    gained = false;
                    break;
                }
            }
            let stands = self.start == Start::Given && trial.given_stands(first, skeleton, goals);
            let at_rest = settled && rests(trial);
            if stands || at_rest || shown || !gained || self.start == Start::Rest || iterations >= self.iterations {
                break;
            }
        }
        Outcome { iterations, ..trial.end(pose, work) }
    }
}

/// Rounds of all methods at most, each from the best answer of the one before.
const ROUNDS: usize = 3;
