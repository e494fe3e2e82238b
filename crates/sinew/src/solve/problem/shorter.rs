//! Tolerances where a chain is shorter in the answer than it was in the pose given: slides and joints that travel came in.
//!
//! A solver's tolerance is a share of the chain's length, which it takes from the pose given. A slide that starts far out
//! would make it as wide as the answer is long.

use super::engine::Engine;
use super::scope::chain;
use crate::goal::{Goal, Tolerance};
use crate::pose::Pose;
use crate::skeleton::{Kind, Skeleton};
use crate::solve::report::again;
use crate::solve::{Residual, Status, Workspace};

/// Tells goals that were reached by the tolerance of the pose given what they are by that of the answer, where it is
/// narrower. Returns whether any is reached no more.
pub(super) fn tell(
    engine: &dyn Engine,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &Pose,
    work: &mut Workspace,
) -> bool {
    let mut misses = false;
    if engine.hands_over() {
        return false;
    }
    for (place, goal) in goals.iter().enumerate().filter(|(_, goal)| goal.tolerance.is_none()) {
        let told = work.residuals()[place];
        let Some(wide) = told.tolerance.filter(|_| told.status == Status::Reached) else { continue };
        if !changes_length(engine, skeleton, goal) {
            continue;
        }
        let own = engine.tolerance(skeleton, goals, goal, pose);
        if own.position < wide.position {
            let near = Tolerance { position: own.position, ..wide };
            let now = again(skeleton, goal, pose, &Residual { tolerance: Some(near), ..told });
            misses |= now.status != Status::Reached;
            work.residuals_mut()[place] = now;
        }
    }
    misses
}

/// Whether any joint from the goal's up to its base slides or travels.
fn changes_length(engine: &dyn Engine, skeleton: &Skeleton, goal: &Goal) -> bool {
    let lengthens = |joint| matches!(skeleton.kind(joint), Kind::Slide { .. }) || engine.travels(skeleton, joint);
    chain(skeleton, goal).any(lengthens)
}
