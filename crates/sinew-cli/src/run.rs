//! One solve: every goal served by its own limb, and what came of it.

use std::time::{Duration, Instant};

use sinew::{
    Goal, Joint, Outcome, Pose, Residual, ScaleTarget, Sequence, Skeleton, Solver, Status, Tolerance, Workspace,
};

use crate::Ending;
use crate::legs;
use crate::request::ServedGoal;
use crate::rig::Rig;
use crate::served::Served;

/// A solve that is done.
#[derive(Clone, Debug)]
pub(crate) struct Run {
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

impl Run {
    /// Solves from where the rig starts.
    pub(crate) fn of(rig: &Rig, asked: &[ServedGoal], body: Option<Box<dyn Solver>>) -> Self {
        let mut run = Self::from(rig.skeleton(), rig.start().clone(), asked, body);
        legs::carry_feet(rig, asked, &mut run.pose);
        run
    }

    /// Solves from a pose.
    pub(crate) fn from(
        skeleton: &Skeleton,
        mut pose: Pose,
        asked: &[ServedGoal],
        body: Option<Box<dyn Solver>>,
    ) -> Self {
        let solver = solver(asked, body);
        let goals: Vec<_> = asked.iter().map(|one| one.goal).collect();
        let mut work = Workspace::default();
        let start = Instant::now();
        let outcome = solver.solve(skeleton, &goals, &mut pose, &mut work);
        let time = start.elapsed();
        let ends = asked.iter().zip(work.residuals()).enumerate().map(|(i, (one, residual))| GoalEnd {
            asked: one.clone(),
            residual: *residual,
            blocking: work.blocking(i).collect(),
        });
        Self { ends: ends.collect(), pose, outcome, time }
    }

    /// Counts as reached what came as near as a tolerance says and could come no nearer.
    pub(crate) fn within(mut self, near: impl Fn(&Goal) -> Option<Tolerance>) -> Self {
        for end in &mut self.ends {
            let (far, turned) = (end.residual.position_error(), end.residual.rotation_error());
            let is_near = near(&end.asked.goal).is_some_and(|near| far <= near.position && turned <= near.rotation);
            if is_near && end.asked.goal.weight == 1.0 {
                end.residual.status = Status::Reached;
                end.blocking.clear();
            }
        }
        let mut counted = self.ends.iter().filter(|end| end.residual.status != Status::Ignored).peekable();
        if counted.peek().is_some() && counted.all(|end| end.residual.status == Status::Reached) {
            self.outcome.status = Status::Reached;
        }
        self
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
