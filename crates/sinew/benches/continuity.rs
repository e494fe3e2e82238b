//! What does it cost never to pop? Soft reach and the carried bend, beside plain clamping.
//!
//! Targets go round a spiral from the root to beyond reach, so that both bands are passed.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use sinew::glam::DVec3;
use sinew::solve::two_bone::{self, Limb, Prepared, Reach};
use sinew::{Goal, Pole, Skeleton, Solver, TwoBone, Workspace};

const COUNT: usize = 1024;

fn main() {
    divan::main();
}

fn arm() -> Skeleton {
    Skeleton::from_lengths(&[0.3, 0.25]).expect("two bones")
}

fn targets() -> Vec<DVec3> {
    let target = |i: usize| {
        let t = i as f64 / COUNT as f64;
        let (s, c) = sinew::math::ops::sin_cos(40.0 * t);
        DVec3::new(0.3 * s, 0.8, 0.3 * c).normalize() * (0.02 + 0.6 * t)
    };
    (0..COUNT).map(target).collect()
}

fn prepared(bencher: Bencher, reach: Reach, carry: bool) {
    let arm = arm();
    let [root, mid, tip] = arm.joints(["joint_0", "joint_1", "joint_2"]).expect("named by from_lengths");
    let limb = Prepared::new(&arm, root, mid, tip).expect("bones have lengths").with_reach(reach);
    let (targets, pole) = (targets(), Pole::Direction(DVec3::Z));
    let mut swivel = None;
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        for &target in black_box(&targets) {
            if carry {
                let (bent, next) = limb.solve_carried(target, pole, swivel.as_ref());
                swivel = next;
                black_box(bent);
            } else {
                black_box(limb.solve(target, pole));
            }
        }
    });
}

#[divan::bench]
fn prepared_clamp(bencher: Bencher) {
    prepared(bencher, Reach::Clamp, false);
}

#[divan::bench]
fn prepared_soft(bencher: Bencher) {
    prepared(bencher, Reach::SOFT, false);
}

#[divan::bench]
fn prepared_soft_carried(bencher: Bencher) {
    prepared(bencher, Reach::SOFT, true);
}

/// The general form finds its bands anew in each call.
#[divan::bench]
fn general_soft(bencher: Bencher) {
    let (targets, limb) = (targets(), Limb { root: DVec3::ZERO, mid: DVec3::Y * 0.3, tip: DVec3::Y * 0.55 });
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        for &target in black_box(&targets) {
            black_box(two_bone::bend_carried(&limb, target, Pole::Direction(DVec3::Z), Reach::SOFT, None));
        }
    });
}

fn solver(bencher: Bencher, reach: Reach) {
    let arm = arm();
    let tip = arm.joint("joint_2").expect("named by from_lengths");
    let limb = TwoBone { reach, ..TwoBone::ending_at(&arm, tip).expect("two bones") };
    let (targets, mut pose, mut work) = (targets(), arm.rest_pose(), Workspace::default());
    let mut swivel = None;
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        for &target in black_box(&targets) {
            let goal = Goal::position(tip, target).pole(Pole::Direction(DVec3::Z)).swivel(swivel);
            let _ = black_box(limb.solve(&arm, &[goal], &mut pose, &mut work));
            swivel = work.residuals()[0].swivel;
        }
    });
}

#[divan::bench]
fn solver_clamp_carried(bencher: Bencher) {
    solver(bencher, Reach::Clamp);
}

#[divan::bench]
fn solver_soft_carried(bencher: Bencher) {
    solver(bencher, Reach::SOFT);
}
