//! The solver on a pose: one run for each base that goals name.

use alloc::vec::Vec;

use super::body::Shift;
use super::report::report_all;
use super::settings::{MassSpring, Root};
use super::settle::{Context, Run};
use crate::goal::{Goal, Slack, Target, Tolerance};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::jacobian::unit::sizes;
use crate::solve::problem::scope::usable;
use crate::solve::problem::set_out::SetOut;
use crate::solve::problem::{self, Engine, near};
use crate::solve::seen::Seen;
use crate::solve::two_bone::Reach;
use crate::solve::{Jacobian, Outcome, Solver, Start, Status, Workspace};

/// What a solve keeps: a run a base, so that each has a system of one shape.
#[derive(Debug, Default)]
struct Scratch {
    runs: Vec<Run>,
    bases: Vec<Option<Joint>>,
    seen: Seen,
}

impl MassSpring {
    /// The bases that goals name, in solving order, after none.
    fn list_bases(&self, skeleton: &Skeleton, bases: &mut Vec<Option<Joint>>, goals: &[Goal], work: &Workspace) {
        bases.clear();
        bases.push(None);
        for place in work.order().filter(|&place| self.acts_on(skeleton, &goals[place])) {
            if !bases.contains(&goals[place].base) {
                bases.push(goals[place].base);
            }
        }
    }
}

impl Solver for MassSpring {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        problem::solve(self, skeleton, goals, pose, work)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        let moves = |joint: Joint| self.in_scope(skeleton, goal, joint) && self.can_move(skeleton, joint);
        !matches!(goal.target, Target::Scale(_)) && goal.slack == Slack::NONE && usable(skeleton, goal).any(moves)
    }

    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        problem::prepare(self, skeleton, goals, pose, work);
    }
}

impl Engine for MassSpring {
    fn acts_on(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        goal.weight > 0.0 && self.serves(skeleton, goal)
    }

    fn is_usable(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose) -> bool {
        let finite = |joint: Joint| pose.model(joint).is_finite();
        let root = match self.root {
            Some(Root::Pulled { stiffness }) => stiffness > 0.0 && stiffness.is_finite(),
            _ => true,
        };
        root && self.hips.is_none_or(|hips| skeleton.contains(hips))
            && self.rest.as_ref().is_none_or(|rest| rest.fits(skeleton))
            && self.balance.as_ref().is_none_or(|balance| balance.is_valid(skeleton))
            && self.balance.iter().flat_map(|balance| &balance.support).all(|&(joint, _)| finite(joint))
            && goals.iter().all(|goal| finite(goal.joint) && goal.relative_to.is_none_or(finite))
    }

    // In every run for every base's, as goals without weight leave their place.
    fn make_room(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        let mut scratch = work.take::<Scratch>();
        let Scratch { runs, bases, seen } = &mut *scratch;
        if let Some(whole) = seen.new_ones(skeleton, goals) {
            work.begin(whole);
            self.list_bases(skeleton, bases, whole, work);
            runs.resize_with(runs.len().max(bases.len()), Run::default);
            let mut most = 0;
            for run in runs {
                for &base in &*bases {
                    run.plan.make(self, skeleton, (whole, base), pose, work);
                    run.fit(whole, pose);
                    most = most.max(run.plan.bodies.len());
                }
            }
            Jacobian::default().prepare(skeleton, whole, pose, work);
            SetOut::make_room(skeleton, work);
            work.make_room_for_blocking(goals.len() * most);
        }
        work.put(scratch);
    }

    fn tolerance(&self, skeleton: &Skeleton, goals: &[Goal], goal: &Goal, pose: &Pose) -> Tolerance {
        let acting = goals.iter().filter(|goal| self.acts_on(skeleton, goal));
        let length = sizes(|joint| self.in_scope(skeleton, goal, joint), skeleton, pose, acting).length;
        Tolerance { position: self.position_tolerance * length, rotation: self.rotation_tolerance }
    }

    fn starts_at_rest(&self) -> bool {
        self.start == Start::Rest
    }

    fn reach(&self) -> Reach {
        self.reach
    }

    fn in_scope(&self, skeleton: &Skeleton, _: &Goal, joint: Joint) -> bool {
        self.hips.is_none_or(|hips| skeleton.is_below(joint, hips))
    }

    fn travels(&self, skeleton: &Skeleton, joint: Joint) -> bool {
        match self.travel(skeleton, joint) {
            Some(shift) => matches!(shift, Shift::Anywhere { .. }),
            None => skeleton.kind(joint) == Kind::Free,
        }
    }

    fn has_more(&self) -> bool {
        self.balance.is_some()
    }

    fn looks_near(&self, _: &[Goal]) -> bool {
        !self.has_more() && self.iterations >= near::STEPS
    }

    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let mut scratch = work.take::<Scratch>();
        let Scratch { runs, bases, .. } = &mut *scratch;
        self.list_bases(skeleton, bases, goals, work);
        runs.resize_with(runs.len().max(bases.len()), Run::default);
        let mut steps = 0;
        for (run, &base) in runs.iter_mut().zip(&*bases) {
            run.plan.make(self, skeleton, (goals, base), pose, work);
            run.system.fit(&run.plan);
            run.left = self.iterations;
            run.goals.clear();
            run.goals.extend(goals.iter().map(|goal| if goal.base == base { *goal } else { goal.weight(0.0) }));
            steps += run.settle(&mut Context { solver: self, skeleton, work }, pose);
            // Others may have run inside.
            work.begin(goals);
        }
        let mut off_balance = Status::Reached;
        for run in &mut runs[..bases.len()] {
            off_balance = off_balance.max(report_all((self, skeleton), run, goals, pose, work));
        }
        let mut outcome = work.outcome(steps);
        outcome.status = outcome.status.max(off_balance);
        work.put(scratch);
        outcome
    }
}
