//! The solver that suits the goals: closed forms where they are exact, else the best iterative one.
//!
//! | goals | solver |
//! |---|---|
//! | places (and frames), each with a base (or root) exactly two bends above, which share no joint | [`TwoBone`] for each |
//! | one place, three bends below its base | [`ThreeLink`] |
//! | the rotation of a joint that is its own base | [`Orient`] |
//! | one place, balls on the way | [`Fabrik`] (free ones exactly, in one round), else [`Jacobian`] |
//! | one place, hinges and slides on the way | [`Ccd`], else [`Jacobian`] |
//! | one frame, rotation or axis (also with a place of the same joint), hinges and slides on the way | [`Serial`], else [`Jacobian`] |
//! | anything else: several goals on shared joints, frames, aims, axes, centres of mass | [`Jacobian`], else [`Ccd`] |
//!
//! Goals for scale it leaves to [`ScaleTarget`](super::ScaleTarget), which comes before it in a
//! [`Sequence`](super::Sequence).
//!
//! "Else" is tried from the same start where the first stops short without proof that nothing reaches farther, and
//! taken where it comes clearly nearer. The table is what `character-problems` measured (see the README).

use alloc::vec::Vec;

use super::pulls::Pulls;
use super::sequence::Turns;
use super::serial::is_one_frame;
use super::{
    Ccd, Fabrik, Jacobian, Orient, Outcome, Residual, Serial, Solver, Start, Status, ThreeLink, TwoBone, Workspace,
    is_usable, refuse,
};
use crate::goal::{Goal, Target};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};

/// A second answer wins where its cost is below this part of the first's.
const CLEARLY: f64 = 0.99;
/// Limbs remembered from call to call.
const REMEMBERED: usize = 64;

/// Chooses for each call; see the module's table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Auto {
    /// The pose that iterative solvers start from. [`Start::Rest`] makes loops of targets return: the second lap is
    /// the first.
    pub start: Start,
    /// Other starts of the Jacobian solver, where nothing else reached; 0 by default.
    pub restarts: u32,
}

/// What serves a goal by itself, exactly.
#[derive(Clone, Copy, Debug)]
enum Form {
    Limb(TwoBone),
    Links(ThreeLink),
    Turn(Orient),
}

/// Forms found before, and the better of two answers.
#[derive(Debug, Default)]
struct Scratch {
    /// By skeleton, base and tip; `None` where no form fits.
    forms: Vec<(u32, Joint, Joint, Option<Form>)>,
    before: Pose,
    best: Pose,
    residuals: Vec<Residual>,
    blocking: Vec<(usize, Joint)>,
}

impl Solver for Auto {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        if !is_usable(skeleton, goals, pose) {
            return refuse(goals, work);
        }
        let mut scratch = work.take::<Scratch>();
        let outcome = if scratch.all_have_forms(skeleton, goals) {
            scratch.solve_forms(skeleton, goals, pose, work)
        } else {
            self.iterate(skeleton, goals, pose, work, &mut scratch)
        };
        work.put(scratch);
        outcome
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        Jacobian::default().serves(skeleton, goal)
    }
}

impl Auto {
    /// The iterative solvers of the table.
    fn iterate(
        &self,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
        scratch: &mut Scratch,
    ) -> Outcome {
        let start = self.start;
        let fabrik = Fabrik { start, ..Fabrik::default() };
        let ccd = Ccd { start, ..Ccd::default() };
        let jacobian = Jacobian { start, restarts: self.restarts, ..Jacobian::default() };
        let mut acting = goals.iter().filter(|goal| acts_on(goal));
        let place = |goal: &Goal| matches!(goal.target, Target::Position(_)) && goal.relative_to.is_none();
        let serial = Serial { restarts: self.restarts, ..Serial::default() };
        let is_arm = |goal: &Goal| start == Start::Given && is_arm(skeleton, goal) && serial.serves(skeleton, goal);
        let (first, second): (&dyn Solver, &dyn Solver) = match (acting.next(), acting.next(), acting.next()) {
            (Some(goal), None, _) if place(goal) && is_driven(skeleton, goal) => (&ccd, &jacobian),
            (Some(goal), None, _) if place(goal) => (&fabrik, &jacobian),
            (Some(goal), None, _) if is_arm(goal) => (&serial, &jacobian),
            (Some(one), Some(other), None) if is_arm(one) && is_arm(other) && is_one_frame(one, other) => {
                (&serial, &jacobian)
            }
            _ => (&jacobian, &ccd),
        };
        scratch.before.clone_from(pose);
        let outcome = first.solve(skeleton, goals, pose, work);
        scratch.improve(outcome, second, skeleton, goals, pose, work)
    }
}

impl Scratch {
    /// Whether every goal that counts has a closed form of its own, and no two share a joint.
    fn all_have_forms(&mut self, skeleton: &Skeleton, goals: &[Goal]) -> bool {
        let acting = || goals.iter().enumerate().filter(|(_, goal)| acts_on(goal));
        let alone = acting().count() == 1;
        for (place, goal) in acting() {
            match self.form(skeleton, goal) {
                None => return false,
                Some(Form::Links(_)) if !alone || goal.target.rotation().is_some() => return false,
                Some(_) => {}
            }
            let base = base_of(skeleton, goal);
            let shared = |other: &Goal| {
                let other_base = base_of(skeleton, other);
                skeleton.is_below(base, other_base) || skeleton.is_below(other_base, base)
            };
            if acting().any(|(at, other)| at != place && shared(other)) {
                return false;
            }
        }
        true
    }

    /// The goal's closed form; remembered, so that only the first look for it allocates.
    fn form(&mut self, skeleton: &Skeleton, goal: &Goal) -> Option<Form> {
        if goal.relative_to.is_some() {
            return None;
        }
        let base = base_of(skeleton, goal);
        match goal.target {
            Target::Rotation(_) => return (base == goal.joint).then_some(Form::Turn(Orient { joint: goal.joint })),
            Target::Position(_) | Target::Frame { .. } => {}
            _ => return None,
        }
        let key = (skeleton.fingerprint(), base, goal.joint);
        if let Some(known) = self.forms.iter().find(|(id, base, tip, _)| (*id, *base, *tip) == key) {
            return known.3;
        }
        let form = closed_form(skeleton, base, goal.joint);
        if self.forms.len() >= REMEMBERED {
            self.forms.clear();
        }
        self.forms.push((key.0, key.1, key.2, form));
        form
    }

    /// Each goal by its own closed form.
    fn solve_forms(&mut self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let mut turns = Turns::begin(goals, pose, work);
        for goal in goals.iter().filter(|goal| acts_on(goal)) {
            match self.form(skeleton, goal) {
                Some(Form::Limb(limb)) => turns.take(&limb, skeleton, goals, pose, work),
                Some(Form::Links(links)) => turns.take(&links, skeleton, goals, pose, work),
                Some(Form::Turn(turn)) => turns.take(&turn, skeleton, goals, pose, work),
                None => {}
            }
        }
        turns.end(skeleton, goals, pose, work)
    }

    /// Has a second solver try from the same start where the first stopped short; the better answer stays.
    fn improve(
        &mut self,
        outcome: Outcome,
        second: &dyn Solver,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
    ) -> Outcome {
        if !stopped_short(work.residuals()) {
            return outcome;
        }
        self.keep(pose, work);
        let first = cost(skeleton, goals, pose, work.residuals());
        pose.clone_from(&self.before);
        let other = second.solve(skeleton, goals, pose, work);
        let iterations = outcome.iterations + other.iterations;
        if cost(skeleton, goals, pose, work.residuals()) < CLEARLY * first {
            return Outcome { iterations, ..other };
        }
        self.restore(goals, pose, work);
        Outcome { iterations, ..outcome }
    }

    /// Remembers an answer and what was said about it.
    fn keep(&mut self, pose: &Pose, work: &Workspace) {
        self.best.clone_from(pose);
        self.residuals.clear();
        self.residuals.extend_from_slice(work.residuals());
        self.blocking.clear();
        for goal in 0..self.residuals.len() {
            self.blocking.extend(work.blocking(goal).map(|joint| (goal, joint)));
        }
    }

    fn restore(&self, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) {
        pose.clone_from(&self.best);
        work.begin(goals);
        work.residuals_mut().copy_from_slice(&self.residuals);
        self.blocking.iter().for_each(|&(goal, joint)| work.block(goal, joint));
    }
}

/// Whether a goal counts in the choice: one for scale is [`ScaleTarget`](super::ScaleTarget)'s.
fn acts_on(goal: &Goal) -> bool {
    goal.weight > 0.0 && !matches!(goal.target, Target::Scale(_))
}

/// The uppermost joint that may move for a goal.
fn base_of(skeleton: &Skeleton, goal: &Goal) -> Joint {
    let mut base = goal.joint;
    while Some(base) != goal.base {
        match skeleton.parent(base) {
            Some(parent) => base = parent,
            None => break,
        }
    }
    base
}

/// The limb from `base` to `tip`, where exactly two or three joints of the way bend, `base` the first, and none
/// slides.
fn closed_form(skeleton: &Skeleton, base: Joint, tip: Joint) -> Option<Form> {
    let mut at = tip;
    while at != base {
        at = skeleton.parent(at)?;
        if matches!(skeleton.kind(at), Kind::Slide { .. } | Kind::Free) {
            return None;
        }
    }
    if let Ok(links) = ThreeLink::between(skeleton, base, tip) {
        return Some(Form::Links(links));
    }
    // The second bend above the tip must be the base, or what cannot turn above it.
    TwoBone::ending_at(skeleton, tip).ok().filter(|limb| limb.root == base).map(Form::Limb)
}

/// From a goal's joint up to its base.
fn way_up(skeleton: &Skeleton, goal: &Goal) -> impl Iterator<Item = Joint> {
    let base = base_of(skeleton, goal);
    core::iter::successors(Some(goal.joint), move |&joint| if joint == base { None } else { skeleton.parent(joint) })
}

/// Whether a hinge or slide lies between a goal's base and its joint.
fn is_driven(skeleton: &Skeleton, goal: &Goal) -> bool {
    way_up(skeleton, goal).any(|joint| matches!(skeleton.kind(joint), Kind::Hinge { .. } | Kind::Slide { .. }))
}

/// Whether nothing else lies there.
fn is_arm(skeleton: &Skeleton, goal: &Goal) -> bool {
    way_up(skeleton, goal).all(|joint| !matches!(skeleton.kind(joint), Kind::Ball { .. } | Kind::Free))
}

/// Whether a goal was left without proof that nothing reaches it.
fn stopped_short(residuals: &[Residual]) -> bool {
    let open =
        |status| matches!(status, Status::Limited | Status::Stalled | Status::OutOfIterations | Status::Singular);
    residuals.iter().any(|residual| open(residual.status))
}

/// Squared errors by pull, angles times the distance of the goal's joint from its base's.
fn cost(skeleton: &Skeleton, goals: &[Goal], pose: &Pose, residuals: &[Residual]) -> f64 {
    let pulls = Pulls::of(goals.iter().filter(|goal| acts_on(goal)).map(|goal| goal.pull));
    let of = |(goal, residual): (&Goal, &Residual)| {
        let length = pose.position(goal.joint).distance(pose.position(base_of(skeleton, goal)));
        let (far, turned) = (residual.position_error(), residual.rotation_error() * length.max(f64::MIN_POSITIVE));
        pulls.share(goal.pull) * (far * far + turned * turned)
    };
    goals.iter().zip(residuals).map(of).sum()
}
