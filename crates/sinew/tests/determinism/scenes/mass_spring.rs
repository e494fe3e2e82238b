//! Springs on limited chains, with a root that is pinned, pulled or free, goals of unlike kinds, and balance.

use sinew::laws::rigs::direction;
use sinew::solve::mass_spring::{Balance, Root};
use sinew::{Goal, MassSpring, Solver, Workspace};

use super::Hash;
use super::arms::{allowed_pose, cones, narrow_arm};

pub(crate) fn hash() -> u64 {
    let mut hash = Hash::default();
    for seed in 0..24 {
        for root in [None, Some(Root::Pulled { stiffness: 0.7 }), Some(Root::Free)] {
            let mut rng = fastrand::Rng::with_seed(seed);
            let (arm, tip) = if seed % 3 == 0 { cones(6) } else { narrow_arm(&mut rng) };
            let there = allowed_pose(&arm, &mut rng);
            let base = arm.roots().next();
            let balance =
                base.filter(|_| seed % 4 == 0).map(|base| Balance::new(base, direction(&mut rng), [base, tip]));
            let solver = MassSpring { root, balance, iterations: 60, ..MassSpring::default() };
            let look = Goal::axis(tip, direction(&mut rng), direction(&mut rng)).up(direction(&mut rng));
            let goals = [Goal::position(tip, there.position(tip)), look];
            let mut pose = arm.neutral_pose();
            let count = if seed % 4 < 2 { 2 } else { 1 };
            let mut work = Workspace::default();
            let outcome = solver.solve(&arm, &goals[..count], &mut pose, &mut work);
            hash.solved(&arm, &pose, &outcome, &work);
        }
    }
    hash.0
}
