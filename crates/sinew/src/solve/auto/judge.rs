//! Which answer is the best, and what it shows.

use super::elbow;
use super::form::Form;
use super::method::{METHODS, Method};
use super::settings::{Auto, acts, are_of_one_priority};
use crate::goal::{Goal, Target};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::jacobian::valley::is_far;
use crate::solve::problem::near::cost;
use crate::solve::problem::scope::{chain, is_inside, length, may_use};
use crate::solve::report::{again, measured, out_of_reach};
use crate::solve::workspace::Report;
use crate::solve::{Outcome, Residual, Status, Workspace};

/// Distance (lengths of the limb) and angle (radians) at which a goal is met.
pub(super) const MET: f64 = 1e-9;
/// Distance (lengths of the limb) and angle (radians) within which goals of partial weight need no other method: a
/// little weight must not make a joint jump for what it asks.
const SLIGHT: f64 = 1e-2;
/// The same within which several goals are nearly met.
const NEARLY: f64 = 1e-3;
/// Another method's answer wins where its cost is below this part of the best one's.
const CLEARLY: f64 = 0.998;
/// A pose stays where none is found from there whose cost is below this part of its own. HEURISTIC: so a target may
/// move by a thousandth of what is left before a pose that cannot reach it follows.
const STANDS: f64 = 1.0 - 1e-6;

/// Share of its own cost down to which a minimum near the pose given is the answer: half its miss.
const RESTS: f64 = 0.25;

/// The answers to one set of goals: where they start, and the best so far.
#[derive(Debug, Default)]
pub(super) struct Trial {
    pub(super) start: Pose,
    best: Pose,
    report: Report,
    /// Its cost, and the number of its method.
    kept: Option<(f64, usize)>,
    /// By method: whether it went on from the best.
    tried: [bool; METHODS],
}

impl Trial {
    /// Starts from a pose.
    pub(super) fn begin(&mut self, pose: &Pose) {
        self.start.clone_from(pose);
        self.kept = None;
        self.tried = [false; METHODS];
    }

    /// Makes room for answers to such goals.
    pub(super) fn make_room(&mut self, goals: &[Goal], pose: &Pose) {
        self.start.clone_from(pose);
        self.best.clone_from(pose);
        self.report.clear(goals);
    }

    /// Whether a method has stopped short before.
    pub(super) fn has_best(&self) -> bool {
        self.kept.is_some()
    }

    /// Whether the best answer is of the method of this number.
    pub(super) fn is_of(&self, number: usize) -> bool {
        self.kept.is_some_and(|(_, of)| of == number)
    }

    /// Whether the method of this number went on from the best answer before.
    pub(super) fn went_on(&self, number: usize) -> bool {
        self.tried[number]
    }

    /// Brings the pose to where the method of this number starts: at the pose given, or at the best answer.
    pub(super) fn set_out(&mut self, goes_on: bool, number: usize, pose: &mut Pose) {
        self.tried[number] |= goes_on;
        if self.has_best() {
            pose.clone_from(if goes_on { &self.best } else { &self.start });
        }
    }

    /// Whether the answer just found needs no other: the first unless it stopped short without proof that nothing
    /// reaches farther, later ones only where they reach.
    pub(super) fn is_last(
        &self,
        method: Method<'_>,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &Pose,
        work: &Workspace,
    ) -> bool {
        let short =
            |status| matches!(status, Status::Limited | Status::Stalled | Status::OutOfIterations | Status::Singular);
        // A form brings the tip as near as may be, and its turn comes second.
        let turned = |residual: &Residual| matches!(method, Method::Form(_)) && residual.rotation_error() > MET;
        let unmet = |residual: &Residual| {
            short(residual.status) || residual.status > Status::Softened && (self.has_best() || turned(residual))
        };
        if !work.residuals().iter().any(unmet) {
            return true;
        }
        !self.has_best() && acting(goals).any(|goal| goal.weight < 1.0) && are_within(SLIGHT, skeleton, goals, pose)
    }

    /// Whether the best answer nearly meets all goals.
    pub(super) fn is_near(&self, skeleton: &Skeleton, goals: &[Goal]) -> bool {
        self.has_best() && are_within(NEARLY, skeleton, goals, &self.best)
    }

    /// Keeps an answer if it is clearly nearer than the best so far; whether it is. Among goals of several priorities
    /// the first answer stays, as only it may keep them. In later rounds the first method's counts for any gain: so it
    /// would when solved again, where others' are again to be clearly nearer.
    pub(super) fn offer(
        &mut self,
        (round, number, first): (usize, usize, usize),
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &Pose,
        work: &Workspace,
    ) -> bool {
        let cost = cost(skeleton, goals, pose);
        let margin = if round > 0 && number == first { STANDS } else { CLEARLY };
        let wins = self.kept.is_none_or(|(best, _)| cost < margin * best && are_of_one_priority(goals));
        if wins {
            self.take(cost, number, pose, work);
        }
        wins
    }

    /// Keeps the answer of the method of this number.
    fn take(&mut self, cost: f64, number: usize, pose: &Pose, work: &Workspace) {
        self.kept = Some((cost, number));
        self.tried = [false; METHODS];
        self.best.clone_from(pose);
        self.report.clone_from(work.report());
    }

    /// Whether the best answer is not much nearer than the pose given.
    pub(super) fn keeps_its_miss(&self, skeleton: &Skeleton, goals: &[Goal]) -> bool {
        self.kept.is_some_and(|(best, _)| best > RESTS * cost(skeleton, goals, &self.start))
    }

    /// Whether the best answer turns no joint far from the pose given.
    pub(super) fn stays(&self, skeleton: &Skeleton) -> bool {
        !is_far(skeleton, &self.start, &self.best)
    }

    /// Whether the pose given, inside its limits, is as near as the best answer, or nearly where that is not the first
    /// method's; then it is the answer.
    pub(super) fn given_stands(&mut self, first: usize, skeleton: &Skeleton, goals: &[Goal]) -> bool {
        let margin = if self.is_of(first) { STANDS } else { CLEARLY };
        let (Some((best, _)), given) = (self.kept, &self.start) else { return false };
        let stands = acting(goals).all(|goal| goal.pole.is_none() && goal.swivel.is_none())
            && acting(goals).all(|goal| is_inside(skeleton, goal, given, |_| true))
            && best >= margin * cost(skeleton, goals, given);
        if stands {
            self.best.clone_from(given);
            for (goal, residual) in goals.iter().zip(&mut self.report.residuals).filter(|(goal, _)| acts(goal)) {
                *residual = again(skeleton, goal, given, residual);
            }
        }
        stands
    }

    /// Has a method try from the answer found, which stays unless the method does as well. The iterations made.
    pub(super) fn again(
        &mut self,
        method: Method<'_>,
        auto: &Auto,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
    ) -> u32 {
        self.best.clone_from(pose);
        self.report.clone_from(work.report());
        let reached = work.outcome(0).status == Status::Reached;
        let outcome = method.solve(auto, true, skeleton, goals, pose, work);
        let cost = |pose: &Pose| cost(skeleton, goals, pose);
        let as_well = if reached { outcome.status == Status::Reached } else { cost(pose) <= cost(&self.best) };
        if !as_well {
            let _ = self.end(pose, work);
        }
        outcome.iterations
    }

    /// Leaves the best answer.
    pub(super) fn end(&self, pose: &mut Pose, work: &mut Workspace) -> Outcome {
        pose.clone_from(&self.best);
        work.set_report(&self.report);
        work.outcome(0)
    }
}

fn acting(goals: &[Goal]) -> impl Iterator<Item = &Goal> {
    goals.iter().filter(|goal| acts(goal))
}

/// Whether no goal is left by more: lengths of its limb, radians.
fn are_within(most: f64, skeleton: &Skeleton, goals: &[Goal], pose: &Pose) -> bool {
    acting(goals).all(|goal| {
        let left = measured(skeleton, goal, pose);
        left.position_error() <= most * length(skeleton, goal, pose) && left.rotation_error() <= most
    })
}

/// Whether lengths, or the range of an elbow, alone show that nothing reaches what a closed form did not.
pub(super) fn is_beyond(
    method: Method<'_>,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &Pose,
    work: &Workspace,
) -> bool {
    let (Method::Form(form), [goal]) = (method, goals) else { return false };
    // A form comes as near as may be to a place; a frame is left by its angle too, where the tip cannot be turned.
    if !matches!(goal.target, Target::Position(_)) && measured(skeleton, goal, pose).rotation_error() > MET {
        return false;
    }
    let stopped = || matches!(form, Form::Limb(limb) if elbow::stops(limb, skeleton, goal, pose, work));
    out_of_reach(skeleton, goal, pose, &|joint| form.joints().contains(&Some(joint))).is_some() || stopped()
}

/// Whether lengths show that a goal cannot be met: then no method meets all, and the nearest way downhill is the answer.
pub(super) fn is_shown(method: Method<'_>, work: &Workspace) -> bool {
    matches!(method, Method::Quick | Method::Long)
        && work.residuals().iter().any(|residual| residual.status == Status::OutOfReach)
}

/// Whether lengths show that the one goal is out of reach, and its chain has limits.
pub(super) fn is_limited_beyond(skeleton: &Skeleton, goals: &[Goal], pose: &Pose) -> bool {
    let mut acting = goals.iter().filter(|goal| acts(goal));
    let (Some(goal), None) = (acting.next(), acting.next()) else { return false };
    let moves = |joint: Joint| may_use(skeleton, goal, joint) && skeleton.kind(joint) != Kind::Fixed;
    let limited = |joint: Joint| !matches!(skeleton.kind(joint), Kind::Fixed | Kind::Free | Kind::BALL);
    out_of_reach(skeleton, goal, pose, &moves) == Some(Status::OutOfReach) && chain(skeleton, goal).any(limited)
}

/// Whether a descent to several goals has come to rest with no limit in the way, by joints that turn about every axis: these have no other
/// valley to speak of, and no other method comes nearer.
pub(super) fn is_settled(method: Method<'_>, skeleton: &Skeleton, goals: &[Goal], work: &Workspace) -> bool {
    let rests = |status| !matches!(status, Status::Limited | Status::OutOfIterations | Status::Singular);
    let turns = |joint: Joint| matches!(skeleton.kind(joint), Kind::Ball(_) | Kind::Free | Kind::Fixed);
    matches!(method, Method::Quick)
        && work.residuals().iter().all(|residual| rests(residual.status))
        && acting(goals).all(|goal| chain(skeleton, goal).all(turns))
}
