//! FABRIK: chains of points, and poses with limits, several goals and every start.

use sinew::glam::DVec3;
use sinew::laws::MakeRig;
use sinew::laws::rigs::{self, direction};
use sinew::solve::fabrik::{self, Twist};
use sinew::{Fabrik, Goal, Solver, Start, Workspace};

use super::Hash;

pub(crate) fn hash() -> u64 {
    let mut hash = Hash::default();
    let mut work = Workspace::default();
    let makes: [MakeRig; 6] =
        [rigs::free_three_link, rigs::finger, rigs::hind_leg, rigs::limited_limb, rigs::skew_limb, rigs::limited_spine];
    for seed in 0..30 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let lengths: Vec<f64> = (0..2 + seed).map(|_| rng.f64()).collect();
        let mut points: Vec<DVec3> = (0..3 + seed).map(|i| DVec3::Y * i as f64).collect();
        for share in [0.1, 0.5, 0.9, 0.999, 1.2] {
            let target = direction(&mut rng) * lengths.iter().sum::<f64>() * share;
            let solved = fabrik::solve_points(&mut points, &lengths, target, &fabrik::Options::default());
            points.iter().flat_map(DVec3::to_array).for_each(|x| hash.eat(x));
            hash.eat(solved.error);
        }
        for make in makes {
            let rig = make(&mut rng);
            let mut pose = rig.skeleton.neutral_pose();
            let from = pose.position(rig.root);
            for start in [Start::Given, Start::Rest, Start::Given] {
                let twist = [Twist::Given, Twist::Rest, Twist::Goal, Twist::Shared][usize::from(rng.u8(..4))];
                let solver = Fabrik { start, twist, ..Fabrik::from_base(rig.root) };
                let place = from + direction(&mut rng) * rig.length() * rng.f64() * 1.2;
                let goals = [
                    Goal::frame(rig.tip, place, rigs::rotation(&mut rng)).weight(0.9),
                    Goal::position(rig.mid, place).pull(0.2),
                ];
                let outcome = solver.solve(&rig.skeleton, &goals[..=usize::from(rng.bool())], &mut pose, &mut work);
                hash.solved(&rig.skeleton, &pose, &outcome, &work);
            }
        }
    }
    hash.0
}
