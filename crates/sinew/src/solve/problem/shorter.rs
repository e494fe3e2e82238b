//! Tolerances where a chain is shorter in the answer than it was in the pose given: slides and joints that travel came in, or bones
//! below uneven scale turned.
//!
//! A solver's tolerance is a share of the chain's length, which it takes from the pose given. A slide that starts far out
//! would make it as wide as the answer is long.

use super::engine::Engine;
use crate::goal::{Goal, Tolerance};
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::report::again;
use crate::solve::{Residual, Status, Workspace};

/// Share of a length that is rounding.
const ROUNDING: f64 = 1e-12;

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
        let own = engine.tolerance(skeleton, goals, goal, pose);
        if own.position < wide.position * (1.0 - ROUNDING) {
            let near = Tolerance { position: own.position, ..wide };
            let now = again(skeleton, goal, pose, &Residual { tolerance: Some(near), ..told });
            misses |= now.status != Status::Reached;
            work.residuals_mut()[place] = now;
        }
    }
    misses
}
