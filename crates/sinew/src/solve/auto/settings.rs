//! What the solver is asked to be, and what it looks at.

use crate::goal::{Goal, Target};
use crate::solve::Start;
use crate::solve::two_bone::Reach;
#[cfg(doc)]
use crate::solve::{Ccd, Fabrik, Jacobian};

/// Chooses for each call: closed forms where they are exact, else the iterative solver that suits the goals best.
///
/// Begin with it. Take another where you know which: [`TwoBone`](crate::TwoBone) for arms and legs by the thousand,
/// [`MassSpring`](crate::MassSpring) for a body in balance, [`Follow`](crate::Follow) around any of them in a game loop,
/// [`ScaleTarget`](crate::ScaleTarget) for scales, which this one leaves alone.
///
/// ```
/// use sinew::{Auto, Goal, Skeleton, Solver, Status, Workspace, glam::Vec3};
///
/// let tail = Skeleton::from_lengths(&[0.2; 6])?;
/// let tip = tail.joint("joint_6")?;
/// let (mut pose, mut work) = (tail.rest_pose(), Workspace::default());
/// let goal = Goal::position(tip, Vec3::new(0.5, 0.3, 0.1));
/// let outcome = Auto::default().solve(&tail, &[goal], &mut pose, &mut work);
/// assert_eq!(outcome.status, Status::Reached);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What it chooses
///
/// | goals | solver |
/// |---|---|
/// | positions (and frames), each with a base (or root) exactly two bends above, which share no joint | [`TwoBone`](crate::TwoBone) for each |
/// | one position alone, three bends below its base, hinges in one plane and balls without limits below the first (or with a pole) | [`ThreeLink`](crate::ThreeLink) |
/// | the rotation of a joint that is its own base | [`Orient`](crate::Orient) |
/// | one position, balls between base and joint | [`Fabrik`] (free ones exactly, in one round), then [`Jacobian`], [`Ccd`]; inside limits, where lengths show it out of reach, the nearer of [`Jacobian`] and [`Ccd`] |
/// | several positions, frames and rotations of one priority on shared joints | [`Jacobian`] with few steps, of a body again from the middle of its limits, then with its trunk there; from there [`Fabrik`], then [`Jacobian`] with all steps (at once where the goals are met to a thousandth of their chains); last, free limbs of two bones by [`TwoBone`](crate::TwoBone), so that each bends as in the pose given |
/// | one frame, hinges and slides alone between base and joint (a robot's arm) | [`Jacobian`], then [`Ccd`], [`Fabrik`]; then [`Jacobian`] from other starts, so that the answer may jump where it was missed else |
/// | anything else: one position with hinges or slides on its way, one goal beside others with joints of its own, frames, aims, axes, centres of mass, priorities | [`Jacobian`], then [`Ccd`], [`Fabrik`] |
///
/// Goals for scale it leaves to [`ScaleTarget`](crate::ScaleTarget), which comes before it in a [`Sequence`](crate::Sequence).
///
/// # When the first choice misses
///
/// Where the first stops short, and lengths alone do not show that nothing reaches farther, the others are tried one
/// after another from the same start. The first that reaches all goals is taken, else the nearest. Closed forms hand over in the
/// same way: whatever one of the methods reaches, `Auto` reaches.
///
/// - One position that lengths show out of reach of a chain with limits: where the first method turns no joint by more than 0.1 radians,
///   that is the answer, so that a chain stays near its last answer.
/// - Where [`Jacobian`] leaves one goal with more than half the miss of the pose given, and turns no joint by more than 0.1 radians, the
///   goal was missed last frame, and the nearest answer so far is kept: no other method is tried, unless restarts are allowed.
/// - Several goals on shared joints are an exception, so that a body whose goals were missed last frame stays cheap. Where their
///   first descent comes to rest with more than half the miss of the pose given, or turns no joint by more than 0.1 radians, that is
///   the answer, unless restarts are allowed.
/// - Where several goals on shared joints are not all met, and the nearest answer turns a joint by more than 0.1 radians,
///   [continuous](crate::solve::jacobian::Method::Continuous) steps from the pose given look for an answer near there, as [`Jacobian`]
///   says. There are none with restarts or fewer than 48 [`iterations`](Self::iterations).
/// - Where goals differ in priority, a later method is taken only if it reaches all.
/// - Where a weight is below 1, another is tried only if the first misses by more than a hundredth of the chain's length.
/// - A pose that meets all goals stays, bit for bit.
///
/// The choice looks at what the goals are, not at their weights: also at those of weight 0, which then do nothing. The table is
/// what the problem sets measured (`docs/measured.md` in the repository).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Auto {
    /// The pose to start from; limbs without a pole bend as there. [`Start::Rest`] makes loops of targets return: the
    /// second lap is the first.
    pub start: Start,
    /// Other starts of [`Jacobian`], where nothing else reached; 0 by default.
    pub restarts: u32,
    /// What limbs and chains do with a target near and beyond their full stretch; [`Reach::Clamp`] by default.
    pub reach: Reach,
    /// Steps, passes and sweeps at most, of all methods together; 4000 by default, so that no method lacks any: a dozen are usual. Passes of restarts, and
    /// continuous steps of several goals that others have missed, are not counted.
    pub iterations: u32,
}

impl Default for Auto {
    fn default() -> Self {
        Self { start: Start::default(), restarts: 0, reach: Reach::default(), iterations: 4000 }
    }
}

/// Whether a goal counts in the choice of methods: one for scale is [`ScaleTarget`](crate::solve::ScaleTarget)'s.
pub(super) fn counts(goal: &Goal) -> bool {
    !matches!(goal.target, Target::Scale(_))
}

/// Whether all goals that count have one priority.
pub(super) fn are_of_one_priority(goals: &[Goal]) -> bool {
    let mut priorities = goals.iter().filter(|goal| counts(goal)).map(|goal| goal.priority);
    let first = priorities.next();
    priorities.all(|priority| Some(priority) == first)
}

/// Whether a goal asks something.
pub(super) fn acts(goal: &Goal) -> bool {
    goal.weight > 0.0 && counts(goal)
}
