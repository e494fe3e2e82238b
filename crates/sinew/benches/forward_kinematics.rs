//! How long does it take to set a whole pose and bring its model transforms up to date?
//!
//! The item counter gives joints a second.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use sinew::glam::{DQuat, DVec3};
use sinew::{Joint, JointSpec, Rotation, Skeleton, SkeletonBuilder};

/// Joints: a plain humanoid, one with fingers, one with face and cloth.
const SIZES: [usize; 3] = [20, 64, 256];

fn main() {
    divan::main();
}

/// Limbs of five joints, each hanging on an earlier one.
fn creature(joints: usize) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("joint_0"));
    for i in 1..joints {
        let parent = if i % 5 == 0 { i / 2 } else { i - 1 };
        builder.add(JointSpec::named(format!("joint_{i}")).child_of(parent).translation(DVec3::new(0.0, 0.1, 0.02)));
    }
    builder.build().expect("every parent comes before its child")
}

/// A rotation for every joint.
fn rotations(skeleton: &Skeleton) -> Vec<(Joint, DQuat)> {
    let turn = |i: usize| Rotation::about(DVec3::new(1.0, 0.3 * i as f64, -0.5), 0.1 * i as f64).quaternion();
    skeleton.iter().map(|joint| (joint, turn(joint.index()))).collect()
}

/// Every joint's rotation is set; the guard updates all model transforms when it drops.
#[divan::bench(args = SIZES)]
fn whole_pose(bencher: Bencher, joints: usize) {
    let skeleton = creature(joints);
    let (mut pose, rotations) = (skeleton.rest_pose(), rotations(&skeleton));
    bencher.counter(ItemsCount::new(joints)).bench_local(|| {
        let mut edit = pose.edit(&skeleton);
        for &(joint, rotation) in black_box(&rotations) {
            edit.rotation(joint, rotation);
        }
        drop(edit);
        black_box(&pose);
    });
}

/// Only the root is turned: forward kinematics of all joints, next to no editing.
#[divan::bench(args = SIZES)]
fn root_only(bencher: Bencher, joints: usize) {
    let skeleton = creature(joints);
    let (mut pose, rotations) = (skeleton.rest_pose(), rotations(&skeleton));
    let root = rotations[0].0;
    let mut turn = rotations.iter().cycle();
    bencher.counter(ItemsCount::new(joints)).bench_local(|| {
        let rotation = turn.next().map_or(DQuat::IDENTITY, |&(_, rotation)| rotation);
        pose.edit(&skeleton).rotation(root, rotation);
        black_box(&pose);
    });
}
