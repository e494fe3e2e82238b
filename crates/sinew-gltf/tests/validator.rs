//! Files written by the crate under Khronos' validator: no error or warning that the file did not have.
//!
//! Needs two variables: `SINEW_TEST_DATA` names the folder of real files and `SINEW_GLTF_VALIDATOR` the folder of the npm
//! package `gltf-validator`.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use crate::oracle;
use crate::sample;
use std::path::{Path, PathBuf};
use std::process::Command;

use sinew::{Pose, Rotation};
use sinew_gltf::{Character, Clip, WriteOptions};

/// Errors, warnings and codes, by file.
fn validate(validator: &Path, files: &[PathBuf]) -> Vec<(u32, u32, String)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/validator.js");
    let output = Command::new("node").arg(script).arg(validator).args(files).output().expect("node runs");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), files.len(), "{}", String::from_utf8_lossy(&output.stderr));
    let verdict = |line: &str| {
        let mut words = line.split(' ');
        let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(u32::MAX);
        (number(), number(), line.to_owned())
    };
    text.lines().map(verdict).collect()
}

/// All characters of the data.
fn characters(data: &Path) -> Vec<PathBuf> {
    let folders = [data.join("gltf"), data.join("gltf/odd")];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|path| sinew_gltf::Format::of_path(path).is_some()).collect();
    files.sort();
    files
}

/// A pose in which every joint has turned, and one has moved.
fn bent(character: &Character) -> Pose {
    let mut pose = character.skeleton.rest_pose();
    for (index, joint) in character.skeleton.iter().enumerate() {
        let turn = Rotation::about([1.0, 0.3 * index as f64, -0.5], 0.1 + 0.01 * index as f64).quaternion();
        let rest = *character.skeleton.rest(joint);
        pose.edit(&character.skeleton).rotation(joint, rest.rotation * turn);
    }
    let last = character.skeleton.iter().last().unwrap();
    pose.edit(&character.skeleton).translation(last, [0.1, 0.2, 0.3]);
    pose
}

/// From rest to that pose and back.
fn swaying(character: &Character) -> Clip {
    let rest = character.skeleton.rest_pose();
    Clip { name: "swaying".to_owned(), times: vec![0.0, 0.4, 1.0], poses: vec![rest.clone(), bent(character), rest] }
}

/// Joints stand in the written file where they stand in the pose.
fn assert_posed(character: &Character, pose: &Pose, written: &Path) {
    let document = oracle::document(&std::fs::read(written).unwrap());
    let maps = oracle::in_scene(&document);
    for joint in character.skeleton.iter() {
        let Some(node) = character.node(joint) else { continue };
        let [x, y, z, _] = maps[node][3];
        let distance = oracle::distance([x, y, z], pose.position(joint).to_array());
        assert!(
            distance <= 1e-6 * character.height().max(1e-3),
            "{}: node {node} is {distance} off",
            written.display()
        );
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA and SINEW_GLTF_VALIDATOR"]
fn written_files_are_as_valid_as_they_were() {
    let data = sample::data();
    let validator = std::env::var_os("SINEW_GLTF_VALIDATOR").map(PathBuf::from);
    let validator = validator.expect("SINEW_GLTF_VALIDATOR names the folder of npm's gltf-validator");
    let folder = tempfile::tempdir().unwrap();
    let files = characters(&data);
    let mut written = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let character = sinew_gltf::load(file).unwrap();
        let pose = bent(&character);
        for (name, still) in [("posed.glb", false), ("posed.gltf", false), ("still.glb", true)] {
            let path = folder.path().join(format!("{index}_{name}"));
            character.write_posed_with(&pose, &path, WriteOptions { still, ..WriteOptions::default() }).unwrap();
            assert_posed(&character, &pose, &path);
            written.push(path);
        }
        let clip = swaying(&character);
        for (name, still) in [("swaying.glb", false), ("swaying.gltf", false), ("swaying_alone.glb", true)] {
            let path = folder.path().join(format!("{index}_{name}"));
            character.write_animated_with(&clip, &path, WriteOptions { still, ..WriteOptions::default() }).unwrap();
            written.push(path);
        }
    }
    let before = validate(&validator, &files);
    let after = validate(&validator, &written);
    for ((file, before), after) in files.iter().zip(&before).zip(after.chunks(6)) {
        println!(
            "{}: {} -> {:?}",
            file.display(),
            before.2,
            after.iter().map(|verdict| &verdict.2).collect::<Vec<_>>()
        );
        for verdict in after {
            assert!(
                verdict.0 <= before.0 && verdict.1 <= before.1,
                "{}: {} -> {}",
                file.display(),
                before.2,
                verdict.2
            );
        }
    }
}
