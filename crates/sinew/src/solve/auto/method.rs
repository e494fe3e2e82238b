//! The methods of the table, in the order in which they are tried.

use super::form::Form;
use super::settings::{Auto, acts, are_of_one_priority, counts};
use crate::goal::{Goal, Target};
use crate::pose::Pose;
use crate::skeleton::{Kind, Skeleton};
use crate::solve::problem::scope::chain;
use crate::solve::{Bend, Ccd, Fabrik, Jacobian, Outcome, Solver, Start, ThreeLink, TwoBone, Workspace};

/// What is near enough (lengths of the chain, radians) for one goal, and where a method takes over: less than
/// [`MET`](super::judge::MET), so that its answer stands when it is solved again.
const FINE: f64 = 1e-10;

/// Steps of the first descent to several goals. HEURISTIC: what a body's descent takes from the pose given, from the middle of its
/// limits, and twice more with its trunk there; of those that reach its hands, feet and head hardly any take more.
pub(super) const QUICK: u32 = 50;

/// Other starts for a robot's arm that nothing else brought to its frame, and the steps of each. HEURISTIC: half as many miss
/// one in thousands; of descents that arrive few take more steps.
const AGAIN: u32 = 32;
const SHORT: u32 = 40;

/// One of the methods that may serve the goals.
#[derive(Clone, Copy, Debug)]
pub(super) enum Method<'a> {
    Form(&'a Form),
    Fabrik,
    Ccd,
    /// [`Jacobian`] with [few steps](QUICK): descents that reach several goals take few.
    Quick,
    /// The same with all its steps, and with restarts.
    Long,
    /// [`Jacobian`] for one goal, as near as it comes.
    Jacobian,
    /// [`Jacobian`] from [other starts](AGAIN), where hinges and slides leave one descent no way.
    Again,
}

/// How many methods are tried at most.
pub(super) const METHODS: usize = 5;

/// Methods in the order in which they are tried.
pub(super) type Methods<'a> = [Option<Method<'a>>; METHODS];

impl<'a> Method<'a> {
    /// For all goals together; `form` is the lone goal's closed form, if it has one.
    pub(super) fn for_all(skeleton: &Skeleton, goals: &[Goal], form: Option<&'a Form>) -> Methods<'a> {
        let mut counted = goals.iter().filter(|goal| counts(goal));
        let place = |goal: &Goal| matches!(goal.target, Target::Position(_)) && goal.relative_to.is_none();
        let form = form.map(Self::Form);
        let [fabrik, ccd, jacobian] = [Some(Self::Fabrik), Some(Self::Ccd), Some(Self::Jacobian)];
        match (counted.next(), counted.next()) {
            (Some(goal), None) if place(goal) && !is_driven(skeleton, goal) => [fabrik, jacobian, ccd, form, None],
            (Some(_), Some(_)) if are_even(goals) => [Some(Self::Quick), fabrik, Some(Self::Long), form, None],
            (Some(goal), None) if is_arm(skeleton, goal) => [jacobian, ccd, fabrik, form, Some(Self::Again)],
            _ => [jacobian, ccd, fabrik, form, None],
        }
    }

    /// The same for some of a body's goals: first the one that turns all joints a little, for the sake of how it looks.
    pub(super) fn for_body(methods: &Methods<'a>) -> Methods<'a> {
        let mut first = *methods;
        if let Some(at) = first.iter().position(|method| matches!(method, Some(Self::Quick | Self::Jacobian))) {
            first[..=at].rotate_right(1);
        }
        first
    }

    /// For one goal that has a closed form.
    pub(super) fn for_limb(skeleton: &Skeleton, goal: &Goal, form: &'a Form) -> Methods<'a> {
        let [fabrik, ccd, jacobian] = [Some(Self::Fabrik), Some(Self::Ccd), Some(Self::Jacobian)];
        let form = Some(Self::Form(form));
        match goal.target {
            Target::Position(_) if is_driven(skeleton, goal) => [form, ccd, fabrik, jacobian, None],
            Target::Position(_) => [form, fabrik, jacobian, ccd, None],
            _ => [form, jacobian, ccd, fabrik, None],
        }
    }

    /// Moves the pose; `taking_over` from a method that stopped short.
    pub(super) fn solve(
        self,
        auto: &Auto,
        taking_over: bool,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
    ) -> Outcome {
        self.with(auto, taking_over, |solver| solver.solve(skeleton, goals, pose, work))
    }

    /// Makes room for its solves.
    pub(super) fn prepare(self, auto: &Auto, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        self.with(auto, false, |solver| solver.prepare(skeleton, goals, pose, work));
    }

    /// Whether it serves all goals that ask something; the Jacobian solver serves what can be served.
    pub(super) fn serves_all(self, auto: &Auto, skeleton: &Skeleton, goals: &[Goal]) -> bool {
        let all =
            |solver: &dyn Solver| goals.iter().filter(|goal| acts(goal)).all(|goal| solver.serves(skeleton, goal));
        match self {
            Self::Quick | Self::Long | Self::Jacobian | Self::Again => true,
            _ => self.with(auto, false, all),
        }
    }

    /// Does something with the method's solver.
    fn with<T>(self, auto: &Auto, taking_over: bool, then: impl FnOnce(&dyn Solver) -> T) -> T {
        let Auto { start, restarts, reach, iterations: left } = *auto;
        let bend = if start == Start::Rest { Bend::Rest } else { Bend::Given };
        let fine = Jacobian { position_tolerance: FINE, rotation_tolerance: FINE, ..Jacobian::default() };
        match self {
            Self::Form(Form::Limb(limb)) => then(&TwoBone { reach, bend, ..*limb }),
            Self::Form(Form::Links(links)) => then(&ThreeLink { reach, bend, ..*links }),
            Self::Form(Form::Turn(turn)) => then(turn),
            Self::Fabrik => {
                let default = Fabrik::default();
                let default = Fabrik { start, reach, iterations: default.iterations.min(left), ..default };
                let fine = Fabrik { position_tolerance: FINE, rotation_tolerance: FINE, ..default };
                then(if taking_over { &fine } else { &default })
            }
            Self::Ccd => {
                let default = Ccd::default();
                let default = Ccd { start, reach, iterations: default.iterations.min(left), ..default };
                let fine = Ccd { position_tolerance: FINE, rotation_tolerance: FINE, ..default };
                then(if taking_over { &fine } else { &default })
            }
            Self::Quick => then(&Jacobian { start, reach, iterations: QUICK.min(left), ..Jacobian::default() }),
            Self::Long => {
                let default = Jacobian::default();
                let iterations = default.iterations.min(left);
                then(&Jacobian { iterations, start, reach, restarts, ..default })
            }
            Self::Jacobian => {
                let iterations = Jacobian::default().iterations.min(left);
                then(&Jacobian { iterations, start, reach, restarts, ..fine })
            }
            Self::Again => {
                let (restarts, iterations) = (restarts.max(AGAIN), SHORT.min(left));
                then(&Jacobian { iterations, start, reach, restarts, ..fine })
            }
        }
    }
}

/// Whether all goals that count are places, frames and rotations of one priority, each with a pull.
pub(super) fn are_even(goals: &[Goal]) -> bool {
    let plain = |goal: &Goal| {
        let kind = matches!(goal.target, Target::Position(_) | Target::Frame { .. } | Target::Rotation(_));
        kind && goal.pull > 0.0
    };
    goals.iter().filter(|goal| counts(goal)).all(plain) && are_of_one_priority(goals)
}

/// Whether hinges and slides alone bring a joint to a frame.
fn is_arm(skeleton: &Skeleton, goal: &Goal) -> bool {
    let driven = |joint| matches!(skeleton.kind(joint), Kind::Hinge { .. } | Kind::Slide { .. } | Kind::Fixed);
    matches!(goal.target, Target::Frame { .. }) && is_driven(skeleton, goal) && chain(skeleton, goal).all(driven)
}

/// Whether a hinge or slide lies between a goal's base and its joint.
fn is_driven(skeleton: &Skeleton, goal: &Goal) -> bool {
    chain(skeleton, goal).any(|joint| matches!(skeleton.kind(joint), Kind::Hinge { .. } | Kind::Slide { .. }))
}
