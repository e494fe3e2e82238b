//! The Jacobian solver, by every method, on limited chains, with goals of unlike kinds at once.

use sinew::laws::rigs::direction;
use sinew::solve::jacobian::{Jacobian, Method, Posture};
use sinew::{Goal, Solver, Workspace};

use super::Hash;
use super::arms::{allowed_pose, cones, narrow_arm};

pub(crate) fn hash() -> u64 {
    let mut hash = Hash::default();
    let methods = [
        Method::LevenbergMarquardt,
        Method::SelectivelyDamped,
        Method::DampedLeastSquares { damping: 0.1 },
        Method::Transpose,
        Method::Continuous,
    ];
    for seed in 0..24 {
        for method in methods {
            let mut rng = fastrand::Rng::with_seed(seed);
            let (arm, tip) = if seed % 3 == 0 { cones(6) } else { narrow_arm(&mut rng) };
            let posture = (seed % 2 == 0).then_some(Posture::LimitCentre);
            let solver = Jacobian { method, posture, restarts: 2, iterations: 60, ..Jacobian::default() };
            let there = allowed_pose(&arm, &mut rng);
            let look = Goal::axis(tip, direction(&mut rng), direction(&mut rng)).up(direction(&mut rng)).priority(1);
            let mut pose = arm.neutral_pose();
            let goals = [Goal::position(tip, there.position(tip)), look];
            // One goal without a posture is solved strictly, with curvature.
            let count = if seed % 4 < 2 { 2 } else { 1 };
            let mut work = Workspace::default();
            let outcome = solver.solve(&arm, &goals[..count], &mut pose, &mut work);
            hash.solved(&arm, &pose, &outcome, &work);
        }
    }
    hash.0
}
