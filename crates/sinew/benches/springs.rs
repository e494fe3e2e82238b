//! A crowd's hair: 100 chains of 10 bones, swinging from heads that move, a frame of 1/60 s.

use divan::{Bencher, black_box};
use sinew::glam::{DQuat, DVec3};
use sinew::math::ops;
use sinew::springs::{Bone, Collider, SpringState, Springs};
use sinew::{Pose, Skeleton};

fn main() {
    divan::main();
}

const CHAINS: usize = 100;

fn tail() -> (Skeleton, Springs) {
    let skeleton = Skeleton::from_lengths(&[0.05; 10]).expect("lengths");
    let [base, tip] = [0, 10].map(|joint| skeleton.at(joint).expect("a joint"));
    let springs = Springs::chain(&skeleton, base, tip).expect("a chain");
    let springs = Springs { gravity: DVec3::NEG_Y * 9.81, ..springs };
    let springs = springs.each(|bone| Bone { drag: 1.0, radius: 0.01, ..bone }).tuned(&skeleton, 3.0, 0.1);
    (skeleton, springs)
}

/// One frame of all chains, one character each.
fn frames(bencher: Bencher, springs: &Springs, skeleton: &Skeleton) {
    let mut crowd: Vec<(Pose, SpringState)> =
        (0..CHAINS).map(|_| (skeleton.rest_pose(), SpringState::default())).collect();
    let mut frame = 0;
    bencher.counter(divan::counter::ItemsCount::new(CHAINS)).bench_local(|| {
        frame += 1;
        let root = skeleton.at(0).expect("a joint");
        for (number, (pose, state)) in crowd.iter_mut().enumerate() {
            let time = f64::from(frame) / 60.0 + number as f64;
            pose.reset(skeleton);
            let place = DVec3::new(ops::sin_cos(3.0 * time).0, 0.0, ops::sin_cos(2.0 * time).1) * 0.3;
            pose.edit(skeleton).translation(root, place).rotation(root, DQuat::from_rotation_z(2.0));
            black_box(springs.step(skeleton, pose, state, 1.0 / 60.0));
        }
    });
}

#[divan::bench]
fn free_100_chains_of_10(bencher: Bencher) {
    let (skeleton, springs) = tail();
    frames(bencher, &springs, &skeleton);
}

#[divan::bench]
fn colliding_100_chains_of_10(bencher: Bencher) {
    let (skeleton, springs) = tail();
    let body = [Collider::sphere(DVec3::new(0.0, -0.2, 0.0), 0.15), Collider::capsule(DVec3::NEG_Y, DVec3::Y, 0.08)];
    frames(bencher, &Springs { colliders: body.to_vec(), ..springs }, &skeleton);
}

#[divan::bench]
fn stretching_100_chains_of_10(bencher: Bencher) {
    let (skeleton, springs) = tail();
    frames(bencher, &springs.each(|bone| Bone { stretch: 1e-4, stretch_damping: 1.0, ..bone }), &skeleton);
}
