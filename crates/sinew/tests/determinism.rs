//! Law 10 across machines: one hash over many solves, pinned. It must be the same in debug and
//! release, and on every architecture; CI runs both builds.

use sinew::Start;
use sinew::glam::DVec3;
use sinew::laws::rigs::{self, direction};
use sinew::laws::{MakeRig, MakeSolver};
use sinew::solve::two_bone::Reach;
use sinew::{Aim, Fabrik, Goal, Pole, Solver, ThreeLink, TwoBone, Workspace};

/// FNV-1a.
fn eat(hash: &mut u64, value: f64) {
    for byte in value.to_bits().to_le_bytes() {
        *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}

/// Every closed form, on rigs that it is for.
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

fn hash_of_solves() -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
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
                for joint in rig.skeleton.iter() {
                    let at: DVec3 = pose.position(joint);
                    at.to_array()
                        .into_iter()
                        .chain(pose.local(joint).rotation.to_array())
                        .for_each(|x| eat(&mut hash, x));
                }
                eat(&mut hash, outcome.position_error);
                eat(&mut hash, outcome.rotation_error);
            }
        }
    }
    hash
}

#[test]
fn the_bits_are_the_pinned_ones() {
    assert_eq!(
        hash_of_solves(),
        11_441_765_632_064_349_980,
        "the solver's bits changed: on purpose, or on this machine only?"
    );
}

#[test]
fn threads_agree() {
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(hash_of_solves)).collect();
    let hashes: Vec<u64> = threads.into_iter().map(|t| t.join().expect("no panic")).collect();
    assert!(hashes.iter().all(|&hash| hash == hashes[0]));
}

/// FABRIK's own hash: chains of points, and poses with limits, several goals and every start.
fn hash_of_fabrik() -> u64 {
    use sinew::solve::fabrik::{self, Twist};

    let mut hash = 0xcbf2_9ce4_8422_2325;
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
            points.iter().flat_map(DVec3::to_array).for_each(|x| eat(&mut hash, x));
            eat(&mut hash, solved.error);
        }
        for make in makes {
            let rig = make(&mut rng);
            let mut pose = rig.skeleton.neutral_pose();
            let from = pose.position(rig.root);
            for start in [Start::Given, Start::Rest, Start::Given] {
                let twist = if rng.bool() { Twist::Given } else { Twist::Rest };
                let solver = Fabrik { start, twist, ..Fabrik::from_base(rig.root) };
                let place = from + direction(&mut rng) * rig.length() * rng.f64() * 1.2;
                let goals = [
                    Goal::frame(rig.tip, place, rigs::rotation(&mut rng)).weight(0.9),
                    Goal::position(rig.mid, place).pull(0.2),
                ];
                let outcome = solver.solve(&rig.skeleton, &goals[..=usize::from(rng.bool())], &mut pose, &mut work);
                for joint in rig.skeleton.iter() {
                    pose.local(joint).rotation.to_array().into_iter().for_each(|x| eat(&mut hash, x));
                }
                eat(&mut hash, outcome.position_error);
                eat(&mut hash, outcome.rotation_error);
            }
        }
    }
    hash
}

#[test]
fn fabriks_bits_are_the_pinned_ones() {
    assert_eq!(
        hash_of_fabrik(),
        13_951_422_183_932_953_884,
        "FABRIK's bits changed: on purpose, or on this machine only?"
    );
}
