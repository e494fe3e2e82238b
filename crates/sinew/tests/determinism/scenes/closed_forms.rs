//! Every closed form, on rigs that it is for: a few frames each, the bend carried along.

use sinew::laws::rigs::{self, direction};
use sinew::laws::{MakeRig, MakeSolver};
use sinew::solve::two_bone::Reach;
use sinew::{Aim, Goal, Pole, ThreeLink, TwoBone, Workspace};

use super::Hash;

fn subjects() -> Vec<(MakeRig, MakeSolver)> {
    let two_bone: MakeSolver =
        |skeleton, rig| Box::new(TwoBone::new(skeleton, rig.root, rig.mid, rig.tip).expect("the rig's limb"));
    let soft: MakeSolver = |skeleton, rig| {
        let limb = TwoBone::new(skeleton, rig.root, rig.mid, rig.tip).expect("the rig's limb");
        Box::new(TwoBone { reach: Reach::SOFT, ..limb })
    };
    let three_link: MakeSolver = |skeleton, rig| {
        let low = rig.low.expect("a rig of three links");
        Box::new(ThreeLink::new(skeleton, rig.root, rig.mid, low, rig.tip).expect("the rig's limb"))
    };
    let aim: MakeSolver = |skeleton, rig| Box::new(Aim::over(skeleton, rig.root, rig.tip).expect("the rig's spine"));
    vec![
        (rigs::free_limb, two_bone),
        (rigs::hinged_limb, two_bone),
        (rigs::skew_limb, two_bone),
        (rigs::limited_limb, two_bone),
        (rigs::free_limb, soft),
        (rigs::skew_limb, soft),
        (rigs::free_three_link, three_link),
        (rigs::finger, three_link),
        (rigs::hind_leg, three_link),
        (rigs::free_spine, aim),
        (rigs::limited_spine, aim),
    ]
}

pub(crate) fn hash() -> u64 {
    let mut hash = Hash::default();
    let mut work = Workspace::default();
    for seed in 0..40 {
        for (make, solver) in subjects() {
            let mut rng = fastrand::Rng::with_seed(seed);
            let rig = make(&mut rng);
            let solver = solver(&rig.skeleton, &rig);
            let mut pose = rig.skeleton.neutral_pose();
            let from = pose.position(rig.root);
            let mut swivel = None;
            // A few frames, the bend carried along.
            for _ in 0..4 {
                let place = from + direction(&mut rng) * rig.length() * rng.f64() * 1.2;
                let goal =
                    Goal::frame(rig.tip, place, rigs::rotation(&mut rng)).pole(Pole::Direction(direction(&mut rng)));
                let look = Goal::aim(rig.tip, direction(&mut rng), place).up(direction(&mut rng));
                let goals = [goal.weight(0.9).swivel(swivel), look];
                let outcome = solver.solve(&rig.skeleton, &goals, &mut pose, &mut work);
                swivel = work.residuals()[0].swivel;
                hash.solved(&rig.skeleton, &pose, &outcome, &work);
            }
        }
    }
    hash.0
}
