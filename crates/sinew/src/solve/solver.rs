//! The trait of every solver.

use core::fmt;

use super::{Outcome, Workspace};
use crate::goal::Goal;
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// Anything that moves a pose toward goals. A solver is plain settings: it can be cloned and shared, and has no state of
/// its own.
pub trait Solver: fmt::Debug + Send + Sync {
    /// Moves `pose` as close to `goals` as the skeleton allows, and leaves it up to date.
    ///
    /// Never fails: it leaves the best pose found and says how far off it is. One invalid goal
    /// (NaN, infinity, a weight outside 0 to 1, a joint or pose of another skeleton) refuses the
    /// call: the pose is untouched and the status is [`Status::Invalid`](super::Status::Invalid); see [`Workspace::skip_invalid`].
    ///
    /// A pose that meets all goals comes back bit for bit; but where the `up` of an aim or axis is left short, which is no miss, joints
    /// lean to it if they can by much. When a goal was missed, solving again may come nearer or end at
    /// another answer. There are three reasons: a search continues from where it stopped, a target or pole relative to a joint
    /// moves with that joint, and one solver of a [`Sequence`](super::Sequence) may move what an earlier one placed.
    /// `sinew-fuzz` lists these cases by solver.
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome;

    /// Whether this solver would act on the goal at all.
    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool;

    /// Makes room in the workspace for goals of these joints, bases and kinds, so that no later solve of them allocates,
    /// wherever their targets are and whatever their weights. `solve` does this in its first frame.
    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        let _ = (skeleton, goals, pose, work);
    }
}
