//! Law 10 across machines: one hash over many solves, pinned. It must be the same in debug and
//! release, and on every architecture; CI runs both builds.

use sinew::glam::DVec3;
use sinew::laws::rigs::{self, direction};
use sinew::{Goal, Pole, Solver, TwoBone, Workspace};

/// FNV-1a.
fn eat(hash: &mut u64, value: f64) {
    for byte in value.to_bits().to_le_bytes() {
        *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}

fn hash_of_solves() -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut work = Workspace::default();
    for seed in 0..200 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let makers = [rigs::free_limb, rigs::hinged_limb, rigs::skew_limb, rigs::limited_limb];
        let rig = makers[seed as usize % makers.len()](&mut rng);
        let solver = TwoBone::new(&rig.skeleton, rig.root, rig.mid, rig.tip).expect("the rig's limb");
        let mut pose = rig.skeleton.neutral_pose();
        let from = pose.position(rig.root);
        let place = from + direction(&mut rng) * rig.length() * rng.f64() * 1.2;
        let goal = Goal::frame(rig.tip, place, rigs::rotation(&mut rng)).pole(Pole::Direction(direction(&mut rng)));
        let outcome = solver.solve(&rig.skeleton, &[goal.weight(0.9)], &mut pose, &mut work);
        for joint in rig.skeleton.iter() {
            let at: DVec3 = pose.position(joint);
            at.to_array().into_iter().chain(pose.local(joint).rotation.to_array()).for_each(|x| eat(&mut hash, x));
        }
        eat(&mut hash, outcome.position_error);
        eat(&mut hash, outcome.rotation_error);
    }
    hash
}

#[test]
fn the_bits_are_the_pinned_ones() {
    assert_eq!(
        hash_of_solves(),
        15_058_685_524_647_353_161,
        "the solver's bits changed: on purpose, or on this machine only?"
    );
}

#[test]
fn threads_agree() {
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(hash_of_solves)).collect();
    let hashes: Vec<u64> = threads.into_iter().map(|t| t.join().expect("no panic")).collect();
    assert!(hashes.iter().all(|&hash| hash == hashes[0]));
}
