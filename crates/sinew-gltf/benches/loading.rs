//! How long a character takes to load and to write: the human of this repository and, where
//! `SINEW_TEST_DATA` names the folder of test data, the largest character there.

use std::path::{Path, PathBuf};

use divan::{Bencher, black_box};
use sinew_gltf::{Character, WriteOptions};

fn main() {
    divan::main();
}

/// The files there are.
fn files() -> Vec<String> {
    let human = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rigs/human.glb");
    let data = std::env::var_os("SINEW_TEST_DATA").map(PathBuf::from);
    let knight = data.map(|data| data.join("gltf/kaykit_Knight.glb"));
    let files = std::iter::once(human).chain(knight).filter(|path| path.is_file());
    files.map(|path| path.display().to_string()).collect()
}

#[divan::bench(args = files())]
fn load(bencher: Bencher<'_, '_>, file: &String) {
    let bytes = std::fs::read(file).expect("a file that was there a moment ago");
    bencher.bench(|| Character::from_slice(black_box(&bytes), None));
}

#[divan::bench(args = files())]
fn write(bencher: Bencher<'_, '_>, file: &String) {
    let character = sinew_gltf::load(file).expect("a file of the test data");
    let mut pose = character.skeleton.rest_pose();
    for joint in character.skeleton.iter() {
        pose.edit(&character.skeleton).translation(joint, [0.1, 0.2, 0.3]);
    }
    bencher.bench(|| character.posed_bytes(black_box(&pose), WriteOptions::default()));
}
