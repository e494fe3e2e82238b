//! Promises about solving more than once: same bits, any order, stillness; and weights of 0.

use sinew::{Goal, Jacobian, Joint, Kind, Pose, Skeleton, Status, Target, Workspace};

use super::linear::angle;
use super::{Answer, Check, Findings};
use crate::make::{Made, Problem};

/// Radians by which a solved pose may move when it is solved again.
const STILL: f64 = 1e-9;

/// The same bits again, in a workspace that was used, and for another order of goals.
pub(super) fn repeats(problem: &Problem, made: &Made, answer: &Answer, used: &mut Workspace, found: &mut Findings) {
    let Problem { skeleton, before, goals } = problem;
    let mut differs = |goals: &[Goal], work: &mut Workspace, check| {
        let again = Answer::of(problem, made, goals, before, work);
        if again.pose != answer.pose || again.outcome != answer.outcome {
            found.add(check, change(skeleton, &again.pose, &answer.pose), "");
        }
    };
    differs(goals, &mut Workspace::default(), Check::Repeats);
    let reversed: Vec<Goal> = goals.iter().rev().copied().collect();
    differs(&reversed, &mut Workspace::default(), Check::OrderOfGoals);
    // It has seen other work since.
    let _ = Answer::of(problem, made, &goals[..goals.len() / 2], &answer.pose, used);
    differs(goals, used, Check::UsedWorkspace);
}

/// Nothing moves when it is solved again, unless it was said that there is more to gain.
pub(super) fn stands_still(
    problem: &Problem,
    made: &Made,
    answer: &Answer,
    work: &mut Workspace,
    found: &mut Findings,
) {
    // A weight between 0 and 1 asks for a part of the way that is left, every time.
    let whole = problem.goals.iter().all(|goal| goal.weight == 0.0 || goal.weight == 1.0);
    if !whole || answer.outcome.status == Status::OutOfIterations {
        return;
    }
    let again = Answer::of(problem, made, &problem.goals, &answer.pose, work);
    let moved = change(&problem.skeleton, &answer.pose, &again.pose);
    if moved > STILL || moved.is_nan() {
        // A posture, a balance or a lean to an `up` that ran out of steps goes on where goals are met; so does a lean where a joint that
        // travels inside a chain has changed the chain's length, in which steps are counted. A pole that is measured from a joint may
        // have moved with it.
        let leans =
            |goal: &Goal| matches!(goal.target, Target::Aim { up: Some(_), .. } | Target::Axis { up: Some(_), .. });
        let ran_out = answer.outcome.iterations >= Jacobian::default().iterations;
        let skeleton = &problem.skeleton;
        let travels = |joint: Joint| {
            skeleton.parent(joint).is_some() && matches!(skeleton.kind(joint), Kind::Slide { .. } | Kind::Free)
        };
        let leans_on = ran_out || skeleton.iter().any(travels);
        let rides = |goal: &Goal| goal.pole_relative_to.is_some();
        let goes_on = problem.goals.iter().any(|goal| goal.weight > 0.0 && (leans(goal) && leans_on || rides(goal)));
        let has_more = made.may.posture || made.may.balance || goes_on;
        let met = matches!(answer.outcome.status, Status::Reached | Status::Ignored) && !has_more;
        found.add(if met { Check::MetMoves } else { Check::MissedMoves }, moved, "");
    }
}

/// Goals that all have weight 0 leave every bit.
pub(super) fn weight_zero(problem: &Problem, made: &Made, found: &mut Findings) {
    if made.may.balance {
        return;
    }
    let goals: Vec<Goal> = problem.goals.iter().map(|goal| goal.weight(0.0)).collect();
    let ignored = Answer::of(problem, made, &goals, &problem.before, &mut Workspace::default());
    found.require(ignored.pose == problem.before, Check::WeightZero, "");
}

/// Largest angle between two poses' local rotations.
fn change(skeleton: &Skeleton, a: &Pose, b: &Pose) -> f64 {
    let rotation = |pose: &Pose, joint| pose.local(joint).rotation.to_array();
    skeleton.iter().map(|joint| angle(rotation(a, joint), rotation(b, joint))).fold(0.0, f64::max)
}
