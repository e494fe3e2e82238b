//! What a solver does by itself.

use glam::DVec3;

use super::scope::{self, may_use};
use crate::goal::{Goal, Target, Tolerance};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::jacobian::goal_task::up_axis;
use crate::solve::two_bone::Reach;
use crate::solve::{Outcome, Workspace};

/// The part of a solver that is its own; [`solve`](super::solve) does the rest.
pub trait Engine {
    /// Whether the joints that may move for a goal are inside their limits.
    fn is_inside(&self, skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> bool {
        scope::is_inside(skeleton, goal, pose, |&joint| self.in_scope(skeleton, goal, joint))
    }

    /// Whether the engine acts on the goal; all others are ignored, and so are goals of weight 0.
    fn acts_on(&self, skeleton: &Skeleton, goal: &Goal) -> bool;

    /// Whether the engine's settings, and poses in them, are finite and belong to this skeleton; for settings that
    /// always are, true by default. Goals and the pose given are checked already.
    fn is_usable(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose) -> bool {
        let _ = (skeleton, goals, pose);
        true
    }

    /// Makes room for goals that are new, in buffers that the engine keeps in the workspace; none by default.
    fn make_room(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        let _ = (skeleton, goals, pose, work);
    }

    /// The tolerance of a goal that has none of its own.
    fn tolerance(&self, skeleton: &Skeleton, goals: &[Goal], goal: &Goal, pose: &Pose) -> Tolerance;

    /// Moves the pose for goals, at least one of which it acts on, and reports on each. [`Workspace::begin`] has been
    /// called.
    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome;

    /// Whether it starts at rest. The answer then does not depend on the pose given, except for joints that no goal may
    /// move.
    fn starts_at_rest(&self) -> bool {
        false
    }

    /// Whether the solver's own settings let a joint move for a goal.
    fn in_scope(&self, skeleton: &Skeleton, goal: &Goal, joint: Joint) -> bool {
        let _ = (skeleton, goal, joint);
        true
    }

    /// Whether a joint may travel as well as turn.
    fn travels(&self, skeleton: &Skeleton, joint: Joint) -> bool {
        skeleton.kind(joint) == Kind::Free
    }

    /// Whether a joint can move at all.
    fn can_move(&self, skeleton: &Skeleton, joint: Joint) -> bool {
        skeleton.kind(joint) != Kind::Fixed || self.travels(skeleton, joint)
    }

    /// Whether it has more to do than the goals: tasks, a posture, a balance.
    fn has_more(&self) -> bool {
        false
    }

    /// Whether several goals of one priority that are nearby, or that it misses, are looked for near the pose given, too, by continuous
    /// steps of [`Jacobian`](crate::Jacobian); `false` by default.
    fn looks_near(&self, goals: &[Goal]) -> bool {
        let _ = goals;
        false
    }

    /// Does to an answer near the pose `given`, of which the workspace tells, what it does to its own in the end; nothing by default.
    fn finish(&self, skeleton: &Skeleton, goals: &[Goal], given: &Pose, pose: &mut Pose, work: &mut Workspace) {
        let _ = (skeleton, goals, given, pose, work);
    }

    /// The length in which a goal's miss counts, beside those of the others; the same for all by default.
    fn unit(&self, skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> f64 {
        let _ = (skeleton, goal, pose);
        1.0
    }

    /// Whether it handles priorities itself.
    fn keeps_priorities(&self) -> bool {
        false
    }

    /// Whether it handles the goal's pole itself.
    fn bends(&self, goal: &Goal) -> bool {
        let _ = goal;
        false
    }

    /// Whether other solvers do its work, with tolerances of their own.
    fn hands_over(&self) -> bool {
        false
    }

    /// Whether a pose that meets the goal's target needs nothing else of it.
    fn may_stay(&self, goal: &Goal, pose: &Pose) -> bool {
        let _ = (goal, pose);
        true
    }

    /// Whether it looks at the up of aims and axes.
    fn reads_up(&self) -> bool {
        true
    }

    /// What chains do with targets near and beyond their full stretch; limbs see to that by themselves.
    fn reach(&self) -> Reach {
        Reach::Clamp
    }

    /// The axis, in the aimed joint's frame, that leans to the goal's up; `None` where the engine eases ups by itself.
    fn up_axis(&self, skeleton: &Skeleton, goal: &Goal) -> Option<DVec3> {
        default_up_axis(skeleton, goal)
    }
}

/// The axis of an aimed joint that lies along the goal's up at rest.
pub(in crate::solve) fn default_up_axis(skeleton: &Skeleton, goal: &Goal) -> Option<DVec3> {
    let (Target::Aim { up, .. } | Target::Axis { up, .. }) = goal.target else { return None };
    up_axis(skeleton, goal, up?)
}

/// Whether the engine moves a joint for a goal, by itself or by the coordinate that it shares.
pub(super) fn moves(engine: &dyn Engine, skeleton: &Skeleton, goal: &Goal, joint: Joint, work: &Workspace) -> bool {
    let one = |joint: Joint| {
        engine.can_move(skeleton, joint)
            && engine.in_scope(skeleton, goal, joint)
            && may_use(skeleton, goal, joint)
            && !work.is_owned(skeleton, joint, goal.joint)
    };
    skeleton.drive(joint).map_or_else(|| one(joint), |drive| skeleton.driven(drive.coordinate).any(one))
}
