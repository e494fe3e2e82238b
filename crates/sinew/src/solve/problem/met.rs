//! Whether the pose given already does what is asked: then it stays, bit for bit.

use super::engine::Engine;
use crate::goal::Goal;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::report::{Miss, is_met, is_there, is_undefined, measured, report, tolerance};
use crate::solve::{Outcome, Workspace, place_left};

/// Whether the pose meets all goals that act, with the joints that may move for them inside their limits.
pub(super) fn all(engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], pose: &Pose) -> bool {
    let acting = || goals.iter().filter(|goal| engine.acts_on(skeleton, goal));
    acting().all(|goal| {
        // Of an up, only the solver can say.
        !(engine.reads_up() && goal.target.has_up()) && {
            let near = tolerance(goal, engine.tolerance(skeleton, goals, goal, pose));
            // The place alone shows most misses.
            is_there(goal, pose, place_left(goal, pose), near)
                && is_met(goal, pose, &measured(skeleton, goal, pose), near)
                && engine.may_stay(goal, pose)
        }
    }) && acting().all(|goal| !is_undefined(skeleton, goal, pose) && engine.is_inside(skeleton, goal, pose))
}

/// What is said where the pose stays.
pub(super) fn stay(
    engine: &dyn Engine,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &Pose,
    work: &mut Workspace,
) -> Outcome {
    for (place, goal) in goals.iter().enumerate().filter(|(_, goal)| engine.acts_on(skeleton, goal)) {
        let own = engine.tolerance(skeleton, goals, goal, pose);
        report(skeleton, (place, goal), pose, own, work, |_| Miss::default());
    }
    work.outcome(0)
}
