//! How many frames a second an animation of the human of this repository is read, sampled and written at: ten seconds, all
//! joints turning.

use std::path::Path;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use sinew::Rotation;
use sinew_gltf::{Character, Clip, WriteOptions};

const FRAMES: usize = 300;

fn main() {
    divan::main();
}

fn human() -> Character {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rigs/human.glb");
    sinew_gltf::load(file).expect("the human of this repository")
}

fn clip(human: &Character) -> Clip {
    let mut clip = Clip { name: "all turn".to_owned(), ..Clip::default() };
    for frame in 0..FRAMES {
        let mut pose = human.skeleton.rest_pose();
        for (number, joint) in human.skeleton.iter().enumerate() {
            let angle = 0.2 * (0.05 * frame as f64 + number as f64).sin();
            let turned = human.skeleton.rest(joint).rotation * Rotation::about([1.0, 0.5, 0.2], angle).quaternion();
            pose.edit(&human.skeleton).rotation(joint, turned);
        }
        clip.times.push(frame as f64 / 30.0);
        clip.poses.push(pose);
    }
    clip
}

fn animated() -> Vec<u8> {
    let human = human();
    human.animated_bytes(&clip(&human), WriteOptions::default()).expect("a clip")
}

/// The file loaded, the animation opened and every frame sampled.
#[divan::bench]
fn read(bencher: Bencher<'_, '_>) {
    let bytes = animated();
    bencher.counter(ItemsCount::new(FRAMES)).bench(|| {
        let human = Character::from_slice(black_box(&bytes), None).expect("a good file");
        let animation = human.animation(0).expect("an animation");
        let mut pose = human.skeleton.rest_pose();
        for frame in 0..FRAMES {
            animation.pose(frame as f64 / 30.0, &mut pose);
        }
        pose
    });
}

/// Poses between keys.
#[divan::bench]
fn sample(bencher: Bencher<'_, '_>) {
    let human = Character::from_slice(&animated(), None).expect("a good file");
    let animation = human.animation(0).expect("an animation");
    let mut pose = human.skeleton.rest_pose();
    bencher.counter(ItemsCount::new(FRAMES)).bench_local(|| {
        for frame in 0..FRAMES {
            animation.pose(black_box((frame as f64 + 0.37) / 30.0), &mut pose);
        }
    });
}

#[divan::bench]
fn write(bencher: Bencher<'_, '_>) {
    let human = human();
    let clip = clip(&human);
    bencher
        .counter(ItemsCount::new(FRAMES))
        .bench(|| human.animated_bytes(black_box(&clip), WriteOptions::default()).expect("a clip"));
}
