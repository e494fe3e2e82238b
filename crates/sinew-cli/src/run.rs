//! One solve: every goal served by its own limb, and what came of it.

use std::time::{Duration, Instant};

use sinew::{
    Goal, Joint, Outcome, Pose, Residual, ScaleTarget, Sequence, Skeleton, Solver, Status, Tolerance, Workspace,
};

use crate::Ending;
use crate::request::ServedGoal;
use crate::served::Served;

/// A solve that is done.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// The pose that it started from.
    pub(crate) start: Pose,
    pub(crate) pose: Pose,
    pub(crate) outcome: Outcome,
    /// Of the solve alone.
    pub(crate) time: Duration,
    /// One a goal, in the order asked.
    pub(crate) ends: Vec<GoalEnd>,
}

/// A goal and how it ended.
#[derive(Clone, Debug)]
pub(crate) struct GoalEnd {
    pub(crate) asked: ServedGoal,
    pub(crate) residual: Residual,
    /// Joints whose limits stood in the way.
    pub(crate) blocking: Vec<Joint>,
}

impl GoalEnd {
    /// Whether the goal was not reached, and not dropped by a weight of zero either.
    pub(crate) fn is_missed(&self) -> bool {
        self.residual.status != Status::Reached && self.asked.goal.weight > 0.0
    }
}

/// Goals with what solves them, and from which pose.
pub(crate) struct Task {
    start: Pose,
    goals: Vec<ServedGoal>,
    solver: Box<dyn Solver>,
    /// What counts as reached where nothing nearer was found, a goal each.
    near: Vec<Option<Tolerance>>,
    /// What is to be said of what was asked.
    pub(crate) notes: Vec<String>,
}

impl Task {
    /// By `body` all goals together; without one each by its own.
    pub(crate) fn new(start: Pose, goals: Vec<ServedGoal>, body: Option<Box<dyn Solver>>) -> Self {
        let (solver, near) = (solver(&goals, body), vec![None; goals.len()]);
        Self { start, goals, solver, near, notes: Vec::new() }
    }

    /// With notes.
    pub(crate) fn noting(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// Counts as reached what comes as near as this and could come no nearer.
    pub(crate) fn within(mut self, near: impl Fn(&Goal) -> Option<Tolerance>) -> Self {
        self.near = self.goals.iter().map(|one| near(&one.goal)).collect();
        self
    }

    /// Solves.
    pub(crate) fn run(&self, skeleton: &Skeleton) -> Run {
        let goals: Vec<_> = self.goals.iter().map(|one| one.goal).collect();
        let (mut pose, mut work) = (self.start.clone(), Workspace::default());
        let start = Instant::now();
        let outcome = self.solver.solve(skeleton, &goals, &mut pose, &mut work);
        let time = start.elapsed();
        let ends = self.goals.iter().zip(work.residuals()).enumerate().map(|(i, (one, residual))| GoalEnd {
            asked: one.clone(),
            residual: *residual,
            blocking: work.blocking(i).collect(),
        });
        let mut run = Run { ends: ends.collect(), start: self.start.clone(), pose, outcome, time };
        run.count_near(&self.near);
        run
    }
}

impl Run {
    fn count_near(&mut self, near: &[Option<Tolerance>]) {
        if near.iter().all(Option::is_none) {
            return;
        }
        for (end, near) in self.ends.iter_mut().zip(near) {
            let (far, turned) = (end.residual.position_error(), end.residual.rotation_error());
            let is_near = near.is_some_and(|near| far <= near.position && turned <= near.rotation);
            if is_near && end.asked.goal.weight == 1.0 {
                end.residual.status = Status::Reached;
                end.blocking.clear();
            }
        }
        let mut counted = self.ends.iter().filter(|end| end.residual.status != Status::Ignored).peekable();
        if counted.peek().is_some() && counted.all(|end| end.residual.status == Status::Reached) {
            self.outcome.status = Status::Reached;
        }
    }

    /// The methods that ran, each once, in the order of goals.
    pub(crate) fn solvers(&self) -> String {
        let mut names: Vec<&str> = Vec::new();
        for end in &self.ends {
            let name = end.asked.served.name();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(", ")
    }

    /// How the command ends.
    pub(crate) fn ending(&self, strict: bool) -> Ending {
        if strict && self.ends.iter().any(GoalEnd::is_missed) { Ending::Missed } else { Ending::Fine }
    }
}

/// What solves the goals: scales first, then `body` all goals together, else limbs in depth-first order.
pub(crate) fn solver(asked: &[ServedGoal], body: Option<Box<dyn Solver>>) -> Box<dyn Solver> {
    let scales = asked.iter().any(|one| matches!(one.served, Served::Scale(_)));
    let sequence = if scales { Sequence::new().then(ScaleTarget::default()) } else { Sequence::new() };
    match body {
        Some(body) if scales => Box::new(Sequence { solvers: sequence.solvers.into_iter().chain([body]).collect() }),
        Some(body) => body,
        None => {
            let mut in_order: Vec<&ServedGoal> = asked.iter().collect();
            in_order.sort_by_key(|one| one.goal.joint);
            Box::new(in_order.iter().fold(sequence, |sequence, one| one.served.after(sequence)))
        }
    }
}
