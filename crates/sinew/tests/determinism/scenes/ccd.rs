//! Cyclic coordinate descent, free and limited, by both orders and both steps, with several goals.

use sinew::laws::MakeRig;
use sinew::laws::rigs::{self, direction};
use sinew::solve::ccd::{Balls, Order};
use sinew::{Ccd, Goal, Solver, Workspace};

use super::Hash;

pub(crate) fn hash() -> u64 {
    let mut hash = Hash::default();
    let mut work = Workspace::default();
    let rigs: [MakeRig; 5] =
        [rigs::free_limb, rigs::limited_limb, rigs::finger, rigs::free_three_link, rigs::limited_spine];
    for seed in 0..20 {
        for make in rigs {
            let mut rng = fastrand::Rng::with_seed(seed);
            let rig = make(&mut rng);
            for (order, balls) in [(Order::RootToTip, Balls::Whole), (Order::TipToRoot, Balls::PerAxis)] {
                let ccd = Ccd { iterations: 60, restarts: 4, order, balls, ..Ccd::default() };
                let mut pose = rig.skeleton.neutral_pose();
                let place = pose.position(rig.root) + direction(&mut rng) * rig.length() * rng.f64() * 1.2;
                let goals = [
                    Goal::frame(rig.tip, place, rigs::rotation(&mut rng)).weight(0.9),
                    Goal::position(rig.mid, place).pull(0.1),
                    Goal::aim(rig.tip, direction(&mut rng), place * 2.0).pull(0.3),
                ];
                let outcome = ccd.solve(&rig.skeleton, &goals, &mut pose, &mut work);
                hash.solved(&rig.skeleton, &pose, &outcome, &work);
            }
        }
    }
    hash.0
}
