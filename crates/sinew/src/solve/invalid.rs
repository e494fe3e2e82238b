//! Goals that no solver takes: the call is refused, or goes on with the others.

use alloc::vec::Vec;

use super::seen::make_room;
use super::workspace::Report;
use super::{Outcome, Residual, Status, Workspace};
use crate::goal::Goal;
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// The goals that are taken, and their places among the caller's.
#[derive(Debug, Default)]
struct Taken {
    goals: Vec<Goal>,
    places: Vec<usize>,
    told: Report,
}

/// Solves for the goals that are valid: for none where one is not, unless the workspace says to
/// [skip](Workspace::skip_invalid) it.
pub(crate) fn solve_valid(
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &mut Pose,
    work: &mut Workspace,
    solve: impl FnOnce(&[Goal], &mut Pose, &mut Workspace) -> Outcome,
) -> Outcome {
    if !pose.fits(skeleton) {
        return refuse(goals, work);
    }
    let are_valid = goals.iter().all(|goal| goal.is_valid(skeleton));
    if !work.skips_invalid() {
        return if are_valid { solve(goals, pose, work) } else { refuse_invalid(skeleton, goals, work) };
    }
    let mut taken = work.take::<Taken>();
    make_room(&mut taken.goals, goals.len());
    make_room(&mut taken.places, goals.len());
    let outcome = if are_valid { solve(goals, pose, work) } else { taken.solve(skeleton, goals, pose, work, solve) };
    work.put(taken);
    outcome
}

impl Taken {
    fn solve(
        &mut self,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
        solve: impl FnOnce(&[Goal], &mut Pose, &mut Workspace) -> Outcome,
    ) -> Outcome {
        self.goals.clear();
        self.places.clear();
        for (place, goal) in goals.iter().enumerate().filter(|(_, goal)| goal.is_valid(skeleton)) {
            self.goals.push(*goal);
            self.places.push(place);
        }
        let outcome = solve(&self.goals, pose, work);
        self.told.clear(goals);
        mark(skeleton, goals, &mut self.told.residuals);
        self.told.adopt(|place| self.places[place], work.report());
        work.begin(goals);
        work.set_report(&self.told);
        Outcome { status: Status::Invalid, ..outcome }
    }
}

/// Says of the goals that no solver takes that they are none.
fn mark(skeleton: &Skeleton, goals: &[Goal], residuals: &mut [Residual]) {
    for (_, residual) in goals.iter().zip(residuals).filter(|(goal, _)| !goal.is_valid(skeleton)) {
        *residual = Residual { status: Status::Invalid, ..Residual::default() };
    }
}

/// The answer to a call with goals that no solver takes: pose untouched, these invalid and the others ignored.
fn refuse_invalid(skeleton: &Skeleton, goals: &[Goal], work: &mut Workspace) -> Outcome {
    work.begin(goals);
    mark(skeleton, goals, work.residuals_mut());
    Outcome { status: Status::Invalid, ..Outcome::default() }
}

/// The answer to a call that cannot be served whatever the goals are: pose untouched, everything invalid.
pub(crate) fn refuse(goals: &[Goal], work: &mut Workspace) -> Outcome {
    work.begin(goals);
    work.residuals_mut().fill(Residual { status: Status::Invalid, ..Residual::default() });
    Outcome { status: Status::Invalid, ..Outcome::default() }
}
