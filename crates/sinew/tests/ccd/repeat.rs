//! The same bits everywhere, and no allocation after the first solves.

use sinew::Mask;
use sinew::Start;
use sinew::glam::BVec3;
use sinew::laws::MakeRig;
use sinew::laws::rigs::{self, direction};
use sinew::solve::ccd::{Balls, Order};

use super::*;

/// FNV-1a.
fn eat(hash: &mut u64, value: f64) {
    for byte in value.to_bits().to_le_bytes() {
        *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}

/// Descent, free and limited, by both orders and both steps, with several goals.
fn hash_of_descents() -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut work = Workspace::default();
    let rigs: [MakeRig; 5] =
        [rigs::free_limb, rigs::limited_limb, rigs::finger, rigs::free_three_link, rigs::limited_spine];
    for seed in 0..20 {
        for make in rigs {
            let mut rng = fastrand::Rng::with_seed(seed);
            let rig = make(&mut rng);
            for (order, balls) in [(Order::RootToTip, Balls::Whole), (Order::TipToRoot, Balls::PerAxis)] {
                let ccd = Ccd { iterations: 60, escapes: 4, order, balls, ..Ccd::default() };
                let mut pose = rig.skeleton.neutral_pose();
                let place = pose.position(rig.root) + direction(&mut rng) * rig.length() * rng.f64() * 1.2;
                let goals = [
                    Goal::frame(rig.tip, place, rigs::rotation(&mut rng)).weight(0.9),
                    Goal::position(rig.mid, place).pull(0.1),
                    Goal::aim(rig.tip, direction(&mut rng), place * 2.0).pull(0.3),
                ];
                let outcome = ccd.solve(&rig.skeleton, &goals, &mut pose, &mut work);
                let numbers = rig.skeleton.iter().flat_map(|joint| pose.local(joint).rotation.to_array());
                numbers.chain([outcome.position_error, outcome.rotation_error]).for_each(|x| eat(&mut hash, x));
            }
        }
    }
    hash
}

#[test]
fn the_bits_of_descents_are_the_pinned_ones() {
    assert_eq!(
        hash_of_descents(),
        3_276_725_861_155_014_481,
        "the solver's bits changed: on purpose, or on this machine only?"
    );
}

#[test]
fn threads_agree() {
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(hash_of_descents)).collect();
    let hashes: Vec<u64> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    assert!(hashes.iter().all(|&hash| hash == hashes[0]));
}

/// Allocations of a third solve, after two that may grow buffers.
fn allocations(skeleton: &Skeleton, ccd: &Ccd, goals: &[Goal]) -> u64 {
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let solve = |pose: &mut Pose, work: &mut Workspace| {
        pose.reset(skeleton);
        let _ = ccd.solve(skeleton, goals, pose, work);
    };
    solve(&mut pose, &mut work);
    solve(&mut pose, &mut work);
    allocation_counter::measure(|| solve(&mut pose, &mut work)).count_total
}

#[test]
fn descents_allocate_nothing() {
    let cone = SwingTwist::new(DVec3::Y, 0.5, Range::new(-0.4, 0.4)).unwrap();
    let hinge = Kind::hinge(DVec3::X).within(-0.3, 1.3);
    let mut builder = SkeletonBuilder::new();
    let bone = |name: &str, parent: usize| JointSpec::named(name).child_of(parent).translation(DVec3::Y);
    builder.add(JointSpec::named("root").kind(Kind::Ball(BallLimit::SwingTwist(cone))));
    builder.add(bone("arm", 0));
    builder.add(bone("finger", 1).kind(hinge));
    builder.add(bone("tip", 2).kind(hinge).mimic("finger", 0.7, 0.0));
    builder.add(bone("other", 0).translation(DVec3::X));
    builder.add(bone("end", 4).translation(DVec3::X));
    let skeleton = builder.build().unwrap();
    let [arm, tip, end] = skeleton.joints(["arm", "tip", "end"]).unwrap();
    let all = Mask { position: BVec3::new(true, false, true), ..Mask::default() };
    for reach in [1.0, 9.0] {
        let goals = [
            Goal::frame(tip, DVec3::new(0.5, 2.0, 0.3) * reach, Rotation::about(DVec3::X, 1.0)),
            Goal::position(end, DVec3::new(1.0, 0.5, 0.2) * reach).relative_to(tip),
            Goal::position(arm, DVec3::X).mask(all).weight(0.5),
            Goal::aim(end, DVec3::Z, DVec3::new(0.0, 3.0, 9.0)).base(skeleton.joint("other").unwrap()),
        ];
        let variants = [Ccd::default(), Ccd { start: Start::Rest, balls: Balls::PerAxis, ..Ccd::default() }];
        for ccd in variants {
            assert_eq!(allocations(&skeleton, &ccd, &goals), 0, "{ccd:?}");
            assert_eq!(allocations(&skeleton, &ccd, &goals[..1]), 0, "{ccd:?}");
        }
    }
}
