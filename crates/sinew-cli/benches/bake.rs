//! How many frames a second the command bakes, a motion of the human of this repository (65 joints) of ten seconds and 301
//! frames: `cargo bench -p sinew-cli`. What `keep` takes is reading, sampling and solving where nothing is to do; what the
//! others take more is solving, measuring and writing.

#![allow(clippy::unwrap_used, reason = "a bench may fail")]

use std::path::Path;
use std::process::{Command, Stdio};

use divan::Bencher;
use divan::counter::ItemsCount;

const FRAMES: usize = 301;
const GOALS: &str = r#"{ "ease": 0.5, "goals": [
    { "joint": "LeftHand", "keys": [ { "time": 2, "position": [0.35, 1.3, 0.3] }, { "time": 8, "position": [0.35, 1.4, 0.3] } ] },
    { "joint": "Hips", "keys": [ { "time": 2, "offset": [0, -0.05, 0] }, { "time": 8, "offset": [0, -0.05, 0] } ] },
    { "joint": "LeftFoot", "keep": true },
    { "joint": "RightFoot", "keep": true } ] }"#;

fn main() {
    divan::main();
}

/// A folder with the motion and the goals.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    sinew(
        folder.path(),
        &["simulate", "--move", "sway", "--seconds", "10", "--goal", "LeftFoot=0.1,0.12,0.1", "-o", "walk.glb"],
    );
    std::fs::write(folder.path().join("goals.json"), GOALS).unwrap();
    folder
}

fn sinew(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    let status = command.current_dir(folder).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.unwrap().success());
}

fn bake(bencher: Bencher<'_, '_>, arguments: &[&str]) {
    let folder = folder();
    let arguments = [&["bake", "walk.glb", "0"], arguments].concat();
    bencher.counter(ItemsCount::new(FRAMES)).bench(|| sinew(folder.path(), &arguments));
}

#[divan::bench]
fn keep(bencher: Bencher<'_, '_>) {
    bake(bencher, &["--keep", "LeftHand"]);
}

#[divan::bench]
fn limbs(bencher: Bencher<'_, '_>) {
    bake(bencher, &["--goals", "goals.json", "-o", "out.glb"]);
}

#[divan::bench]
fn body(bencher: Bencher<'_, '_>) {
    bake(bencher, &["--goals", "goals.json", "--solver", "body", "-o", "out.glb"]);
}
