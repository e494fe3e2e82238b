//! How quickly clips are read, posed and written: `cargo bench -p sinew-bvh`.

#![allow(clippy::unwrap_used, reason = "a bench may fail")]

use divan::Bencher;
use divan::counter::BytesCount;
use sinew_bvh::{Bvh, parse};

/// A body of 30 joints in 2,000 frames, with six digits a number, as motion capture has them.
fn text() -> Vec<u8> {
    let joints = "JOINT j\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n".repeat(29);
    let mut text = format!("HIERARCHY\n{}{}", joints.replacen("JOINT", "ROOT", 1), "}\n".repeat(29));
    text += "MOTION\nFrames: 2000\nFrame Time: 0.0083333\n";
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..2000 {
        let row: Vec<String> = (0..87).map(|_| format!("{:.6}", 360.0 * rng.f64() - 180.0)).collect();
        text += &(row.join(" ") + "\n");
    }
    text.into_bytes()
}

fn clip() -> Bvh {
    parse(&text()).unwrap()
}

#[divan::bench]
fn read(bencher: Bencher<'_, '_>) {
    let text = text();
    bencher.counter(BytesCount::new(text.len())).bench(|| parse(&text).unwrap());
}

#[divan::bench]
fn write(bencher: Bencher<'_, '_>) {
    let clip = clip();
    bencher.counter(BytesCount::new(clip.to_vec().unwrap().len())).bench(|| clip.to_vec().unwrap());
}

#[divan::bench]
fn pose_frames(bencher: Bencher<'_, '_>) {
    let clip = clip();
    let mut pose = clip.skeleton.rest_pose();
    bencher.bench_local(|| (0..clip.motion.len()).all(|frame| clip.pose_frame(frame, &mut pose)));
}

fn main() {
    divan::main();
}
