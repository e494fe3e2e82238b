//! Inverse kinematics in a frame loop: each frame starts from the answer of the frame before, goals come and go smoothly,
//! and joints keep to a speed.
//!
//! **For** game loops and anything that shows one frame after another. **Take another**: a plain [`Solver`] where frames stand
//! alone, or the animation is fed anew and answers need not be carried on.
//!
//! # The idea
//!
//! The pose given to [`Follow::step`] is the animation of this frame, or always the same pose where there is none. The
//! state keeps how far the solver's last answer was from its animation, joint by joint. A step adds that offset to the
//! animation of now and lets the solver go on from there. So answers are near each other and cheap, and ride on the animation.
//!
//! Joints then follow the solver's answers at their pace. The next solve goes on from the solver's answer, not from where
//! they got. So joints that are held back do not change what they are to follow, and no other joint takes over for them.
//!
//! Before each solve the offsets shrink a little. What goals ask for the solver restores; what they leave free returns to
//! the animation. That is descent by projected gradient of the distance to the animation, so what goals leave free has
//! one pose to return to, and does not drift as targets go round.
//!
//! # Source
//!
//! Projection of a secondary task into what goals leave free: Liégeois, *Automatic supervisory control of the configuration and
//! behavior of multibody mechanisms* (1977). Here a whole solve takes the place of the projection.

mod coming;
mod offset;
mod pace;
mod state;

use crate::goal::Goal;
use crate::math::ops;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::invalid::{refuse, solve_valid};
use crate::solve::problem::as_asked;
use crate::solve::{Outcome, Solver, Status, Workspace};
pub use pace::Pace;
pub use state::FollowState;

/// A solver in a frame loop; what it remembers is a [`FollowState`].
///
/// ```
/// use sinew::solve::follow::{Follow, FollowState, Pace};
/// use sinew::{Auto, Goal, Skeleton, Workspace, glam::DVec3};
///
/// let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
/// let hand = arm.joint("joint_2")?;
/// let follow = Follow { turns: Pace { speed: 3.0, acceleration: 20.0 }, ..Follow::new(Auto::default()) };
/// let (mut state, mut work) = (FollowState::default(), Workspace::default());
/// for frame in 0..60 {
///     let mut pose = arm.rest_pose(); // The animation of this frame.
///     let goal = Goal::position(hand, DVec3::new(0.3, 0.2, 0.005 * f64::from(frame)));
///     let outcome = follow.step(&arm, &[goal], &mut pose, &mut state, &mut work, 1.0 / 60.0);
///     // Joints need a moment to gain the speed of the target.
///     assert!(outcome.position_error < if frame < 30 { 0.02 } else { 1e-9 });
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "warm start")]
#[doc(alias = "game loop")]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Follow<S> {
    /// The solver that finds the poses. One with [`Start::Rest`](crate::Start::Rest) starts at rest in each frame, and
    /// gains nothing from the frame before.
    pub solver: S,
    /// Half-life (seconds) of the offset from the animation in what goals leave free; 0.2 by default. At 0 each frame
    /// starts from the animation; with infinity nothing returns to it.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde::number"))]
    pub settle: f64,
    /// Time (seconds) in which a new goal gains its weight, and a goal that is no longer given loses it; 0.25 by default, 0
    /// for at once.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde::number"))]
    pub ease: f64,
    /// How fast joints may turn away from the animation and back (radians); [`Pace::ANY`] by default.
    pub turns: Pace,
    /// How fast slides and roots may move away from the animation and back (metres); [`Pace::ANY`] by default.
    pub travels: Pace,
}

impl<S: Solver> Follow<S> {
    /// A solver with the default settings.
    pub fn new(solver: S) -> Self {
        Self { solver, settle: 0.2, ease: 0.25, turns: Pace::ANY, travels: Pace::ANY }
    }

    /// Advances by `dt` seconds. `pose` holds the animation of this frame and receives the answer. Residuals are those of
    /// the caller's goals in the answer. A goal is [`Status::Softened`] while it eases in, and when joints are not fast
    /// enough for it.
    ///
    /// A goal is the same as in the frame before if its joint, base, kind of target, `relative_to` and priority are the
    /// same. A goal that is no longer given keeps its last target while it eases out. The first step of a state, or with
    /// another skeleton, arrives at once. When `dt` is 0, negative or not a number, the pose only follows the animation.
    /// Without goals, and when the animation meets them all, the answer becomes the animation, bit for bit.
    ///
    /// Settings that are negative or not numbers, and what solvers refuse, are [`Status::Invalid`]: pose and state stay.
    pub fn step(
        &self,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        state: &mut FollowState,
        work: &mut Workspace,
        dt: f64,
    ) -> Outcome {
        let is_time = |time: f64| time >= 0.0;
        let fits = is_time(self.settle) && is_time(self.ease) && self.turns.is_valid() && self.travels.is_valid();
        if !fits {
            return refuse(goals, work);
        }
        let dt = if dt.is_finite() { dt.max(0.0) } else { 0.0 };
        solve_valid(skeleton, goals, pose, work, |goals, pose, work| {
            self.advance(skeleton, goals, pose, state, work, dt)
        })
    }

    /// Lets time pass with goals that are valid.
    fn advance(
        &self,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        state: &mut FollowState,
        work: &mut Workspace,
        dt: f64,
    ) -> Outcome {
        let is_first = !state.answer.fits(skeleton);
        let acting = state.coming.next(goals, if is_first { f64::INFINITY } else { dt }, self.ease);
        let mut animation = work.take::<Pose>();
        (*animation).clone_from(pose);
        if !is_first {
            state.offsets(skeleton).add_to(pose, self.share_kept(dt));
        }
        // Weights count from the animation.
        let outer = work.set_entry(Some(animation));
        let outcome = self.solver.solve(skeleton, &acting, pose, work);
        let animation = work.set_entry(outer).unwrap_or_default();
        work.disown();
        state.coming.acting = acting;
        let is_served = outcome.status != Status::Invalid;
        if is_served {
            if is_first {
                state.begin(skeleton, pose);
            } else {
                state.want(pose);
                if self.turns != Pace::ANY || self.travels != Pace::ANY {
                    state.pace(skeleton, &animation, pose, (self.turns, self.travels), dt);
                }
            }
            state.animation.clone_from(&animation);
            state.answer.clone_from(pose);
        } else {
            pose.clone_from(&animation);
        }
        work.put(animation);
        if is_served { report(skeleton, goals, pose, outcome.iterations, work) } else { refuse(goals, work) }
    }

    /// Share of its offset that a joint keeps for the solve.
    fn share_kept(&self, dt: f64) -> f64 {
        match self.settle {
            0.0 => 0.0,
            settle => ops::pow(0.5, dt / settle),
        }
    }
}

/// What is left of the caller's goals in the answer.
fn report(skeleton: &Skeleton, goals: &[Goal], pose: &Pose, iterations: u32, work: &mut Workspace) -> Outcome {
    work.keep_first(goals.len());
    for (place, goal) in goals.iter().enumerate() {
        let told = work.residuals()[place];
        work.residuals_mut()[place] = as_asked(skeleton, goal, pose, &told);
    }
    work.outcome(iterations)
}
