//! The verb: what every solver is.

use core::fmt;

use super::{Outcome, Workspace};
use crate::goal::Goal;
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// Anything that moves a pose towards goals. Solvers are plain settings: cloneable, shareable,
/// without state of their own.
pub trait Solver: fmt::Debug + Send + Sync {
    /// Moves `pose` as close to `goals` as the skeleton allows, and leaves it up to date.
    ///
    /// Never fails: it leaves the best pose found and says how far off it is. One invalid goal
    /// (NaN, infinity, a weight outside 0 to 1, a joint or pose of another skeleton) refuses the
    /// call: the pose is untouched and the status is [`Status::Invalid`](super::Status::Invalid); see [`Workspace::skip_invalid`].
    ///
    /// A pose that meets all goals comes back bit for bit. Where a goal was missed, solving again may gain more, or end at another
    /// answer: a search goes on from where it stopped, a target measured from a joint that moves is elsewhere then, and what
    /// one solver of a [`Sequence`](super::Sequence) brings to its target another may move every time. `sinew-fuzz` lists these by solver.
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome;

    /// Whether this solver would act on the goal at all.
    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool;

    /// Makes room in the workspace for goals of these joints, bases and kinds, so that no later solve of them
    /// allocates, wherever their targets are and whatever they weigh. `solve` does so in its first frame.
    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        let _ = (skeleton, goals, pose, work);
    }
}
