//! Methods one after another, in rounds, and when no other is tried.

use super::judge::{Trial, is_beyond, is_limited_beyond, is_settled, is_shown};
use super::method::{Method, QUICK};
use super::settings::{Auto, acts};
use crate::goal::Goal;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::two_bone::Reach;
use crate::solve::{Outcome, Start, Workspace};

/// Rounds of all methods at most, each from the best answer of the one before.
const ROUNDS: usize = 3;

/// What follows a round.
enum Next {
    /// Another round.
    Round,
    /// Nothing: the best answer stays.
    Best,
    /// Nothing: the answer just found stays.
    Found,
}

/// A method about to be tried, its number, and in which round.
#[derive(Clone, Copy)]
struct Attempt<'a> {
    round: usize,
    number: usize,
    method: Method<'a>,
}

/// The methods, what they are to solve, and how far they came.
struct Rounds<'a> {
    auto: &'a Auto,
    methods: &'a [Option<Method<'a>>],
    skeleton: &'a Skeleton,
    goals: &'a [Goal],
    pose: &'a mut Pose,
    work: &'a mut Workspace,
    trial: &'a mut Trial,
    /// The number of the first method that serves.
    first: usize,
    /// Whether lengths show the lone goal out of reach of a chain with limits.
    beyond: bool,
    /// Steps of all methods so far.
    iterations: u32,
    /// Whether the first descent to several goals would go no farther with more steps, or was there before.
    settled: bool,
    /// Whether lengths show that several goals cannot all be met.
    shown: bool,
}

impl Auto {
    /// All goals by one method after another, from the same start, until one reaches them or lengths show that none
    /// can. Else the best answer stays, once none of them gains from there: so solving again is solving once.
    pub(super) fn try_each(
        &self,
        methods: &[Option<Method<'_>>],
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
        trial: &mut Trial,
    ) -> Outcome {
        trial.begin(pose);
        // Points drawn along bones bend limited joints one by one, for long, and stop far from what others find.
        let place = matches!(methods, [Some(Method::Fabrik), ..]);
        let beyond = place && !matches!(self.reach, Reach::Soft { .. }) && is_limited_beyond(skeleton, goals, pose);
        let (auto, first, iterations, settled, shown) = (self, 0, 0, false, false);
        let mut rounds =
            Rounds { auto, methods, skeleton, goals, pose, work, trial, first, beyond, iterations, settled, shown };
        let first = methods.iter().position(|method| method.is_some_and(|method| rounds.serves(method)));
        rounds.first = first.unwrap_or(0);
        rounds.run()
    }
}

impl Rounds<'_> {
    fn run(&mut self) -> Outcome {
        for round in 0..ROUNDS {
            let next = self.round(round);
            if matches!(next, Next::Found) {
                return self.work.outcome(self.iterations);
            }
            let stands = self.is_given() && self.trial.given_stands(self.first, self.skeleton, self.goals);
            if stands || matches!(next, Next::Best) {
                break;
            }
        }
        Outcome { iterations: self.iterations, ..self.trial.end(self.pose, self.work) }
    }

    /// Each method that may come nearer.
    fn round(&mut self, round: usize) -> Next {
        let (methods, mut gained) = (self.methods, false);
        self.settled &= self.trial.is_of(self.first);
        for (number, method) in methods.iter().enumerate() {
            let Some(method) = method.filter(|method| self.serves(*method)) else { continue };
            let attempt = Attempt { round, number, method };
            if self.is_passed_over(attempt) {
                continue;
            }
            let auto = self.settings(attempt);
            let taken = self.solve(attempt, &auto);
            if !self.beyond && self.trial.is_last(method, self.skeleton, self.goals, self.pose, self.work) {
                self.lean(&auto);
                return Next::Found;
            }
            gained |= self.trial.offer((round, number, self.first), self.skeleton, self.goals, self.pose, self.work);
            self.learn(attempt, taken);
            if self.is_enough(attempt) {
                return Next::Best;
            }
        }
        if self.is_over(gained) { Next::Best } else { Next::Round }
    }
}

/// When no other is tried.
impl Rounds<'_> {
    /// Whether a method would lead no farther, for the first of these reasons.
    fn is_passed_over(&self, attempt: Attempt<'_>) -> bool {
        let Self { trial, skeleton, goals, .. } = self;
        let Attempt { round, number, method } = attempt;
        let points = matches!(method, Method::Fabrik);
        // What is best has gone as far as its method goes, and other starts lead to the same poses again.
        round > 0 && (trial.is_of(number) || matches!(method, Method::Again))
            // With more steps the first descent would go no farther.
            || self.settled && matches!(method, Method::Long)
            // No method meets all: the nearest way downhill is the answer.
            || self.shown && !matches!(method, Method::Long)
            // What nearly meets several goals is nearer to its own end than to another method's.
            || points && round == 0 && self.several() && trial.is_near(skeleton, goals)
            // It went on from the best answer before.
            || self.goes_on(attempt) && trial.went_on(number)
    }

    /// Whether the best answer needs no other beside it, for the first of these reasons.
    fn is_enough(&self, Attempt { round, number, method }: Attempt<'_>) -> bool {
        let Self { trial, skeleton, goals, .. } = self;
        let lone = round == 0 && matches!(method, Method::Jacobian);
        // Beyond reach a pose that was solved before stays in its valley.
        self.is_given() && self.beyond && number == self.first && trial.stays(skeleton)
            // A lone goal that was missed before is not looked for elsewhere again.
            || lone && self.has_one_start() && self.is_missed_again()
            // No method meets all: the nearest way downhill is the answer.
            || self.settled && self.shown
            // Several goals that were missed before are not looked for elsewhere again.
            || self.settled && self.was_there()
            // Nothing reaches what the closed form did not.
            || is_beyond(method, skeleton, goals, self.pose, self.work)
            // Balls have no other valley to speak of.
            || self.has_one_start() && is_settled(method, skeleton, goals, self.work)
    }

    /// Whether another round would lead no farther, for the first of these reasons.
    fn is_over(&self, gained: bool) -> bool {
        // No method came nearer.
        !gained
            // No method meets all, and the one with all steps had its turn.
            || self.shown
            // From rest, solving again is solving once.
            || self.auto.start == Start::Rest
            // There are no steps left.
            || self.iterations >= self.auto.iterations
    }
}

/// What those reasons look at.
impl Rounds<'_> {
    /// What a first descent to several goals tells, after so many steps.
    fn learn(&mut self, Attempt { method, .. }: Attempt<'_>, taken: u32) {
        if !self.has_one_start() {
            return;
        }
        if matches!(method, Method::Quick) {
            self.settled |= taken < QUICK || self.was_there();
        }
        self.shown |= self.several() && is_shown(method, self.work);
    }

    /// Whether the first method's answer is the best, and not much nearer than the pose given or hardly turned from it: one
    /// that was solved before, whose targets have moved a little.
    fn was_there(&self) -> bool {
        let Self { trial, skeleton, goals, .. } = self;
        // From rest, the pose given is none that was started from.
        self.is_given() && trial.is_of(self.first) && (trial.keeps_its_miss(skeleton, goals) || trial.stays(skeleton))
    }

    /// Whether the best answer is not much nearer than the pose given, and hardly turned from it.
    fn is_missed_again(&self) -> bool {
        let Self { trial, skeleton, goals, .. } = self;
        self.is_given() && trial.stays(skeleton) && trial.keeps_its_miss(skeleton, goals)
    }

    fn is_given(&self) -> bool {
        self.auto.start == Start::Given
    }

    fn has_one_start(&self) -> bool {
        self.auto.restarts == 0
    }

    /// Whether a method serves all goals, and may come near them.
    fn serves(&self, method: Method<'_>) -> bool {
        (!self.beyond || matches!(method, Method::Jacobian | Method::Ccd))
            && method.serves_all(self.auto, self.skeleton, self.goals)
    }

    /// Whether the goals are several of one priority.
    fn several(&self) -> bool {
        self.methods.iter().flatten().any(|method| matches!(method, Method::Quick))
    }
}

/// How a method is tried.
impl Rounds<'_> {
    /// Whether a method goes on from the best answer: in later rounds, and where goals are several, as it comes farther than from the
    /// start.
    fn goes_on(&self, Attempt { round, method, .. }: Attempt<'_>) -> bool {
        self.trial.has_best() && (round > 0 || self.several() && !matches!(method, Method::Quick))
    }

    /// What is asked of a method.
    fn settings(&self, attempt: Attempt<'_>) -> Auto {
        let start = if self.goes_on(attempt) { Start::Given } else { self.auto.start };
        // Restarts lead to the same poses again.
        let restarts = if attempt.round == 0 { self.auto.restarts } else { 0 };
        let iterations = self.auto.iterations.saturating_sub(self.iterations);
        Auto { start, restarts, iterations, ..self.auto.clone() }
    }

    /// Moves the pose; the steps taken.
    fn solve(&mut self, attempt: Attempt<'_>, auto: &Auto) -> u32 {
        let Attempt { number, method, .. } = attempt;
        self.trial.set_out(self.goes_on(attempt), number, self.pose);
        let taking_over = self.trial.has_best();
        let tried = self.work.try_methods(true);
        let outcome = method.solve(auto, taking_over, self.skeleton, self.goals, self.pose, self.work);
        self.work.try_methods(tried);
        self.iterations += outcome.iterations;
        outcome.iterations
    }

    /// Has [`Jacobian`](Method::Jacobian) lean the ups from an answer that is not its own, as it would when solved again.
    fn lean(&mut self, auto: &Auto) {
        let leans = self.goals.iter().any(|goal| acts(goal) && goal.target.has_up());
        if leans && self.trial.has_best() {
            let given = Auto { start: Start::Given, ..auto.clone() };
            let Self { trial, skeleton, goals, pose, work, .. } = self;
            self.iterations += trial.again(Method::Jacobian, &given, skeleton, goals, pose, work);
        }
    }
}
