//! Mesh in a pose, and joints that have none.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use crate::sample;
use std::path::Path;

use glam::{DQuat, DVec3};
use sinew::{Pose, Rotation};
use sinew_gltf::{Character, Format, WriteOptions};

fn human() -> Character {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rigs/human.glb");
    sinew_gltf::load(path).expect("the human that ships with the project")
}

/// Every joint turned a little, each about an axis of its own.
fn bent(character: &Character) -> Pose {
    let skeleton = &character.skeleton;
    let mut pose = skeleton.rest_pose();
    for joint in skeleton.iter().filter(|&joint| !character.is_inferred(joint)) {
        let i = joint.index() as f64;
        let turn = Rotation::about(DVec3::new(1.0, (3.0 * i).sin(), (5.0 * i).cos()), 0.2).quaternion();
        let local = pose.local(joint).rotation * turn;
        pose.edit(skeleton).rotation(joint, local);
    }
    pose
}

/// Largest distance between corners, over the character's height.
fn apart(character: &Character, a: &[[DVec3; 3]], b: &[[DVec3; 3]]) -> f64 {
    assert_eq!(a.len(), b.len());
    let corners = a.iter().flatten().zip(b.iter().flatten());
    corners.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max) / character.height()
}

#[test]
fn at_rest_it_is_as_tall_as_the_character_and_turns_with_the_root() {
    let human = human();
    let mut pose = human.skeleton.rest_pose();
    let rest = human.surface(&pose);
    let ys = || rest.iter().flatten().map(|corner| corner.y);
    let tall = ys().fold(f64::MIN, f64::max) - ys().fold(f64::MAX, f64::min);
    assert!(rest.len() > 500 && (tall - human.height()).abs() < 1e-9, "{} triangles, {tall} m", rest.len());
    let root = human.skeleton.roots().next().unwrap();
    let (turn, pivot) = (DQuat::from_rotation_y(1.0), pose.position(root));
    let local = turn * pose.local(root).rotation;
    pose.edit(&human.skeleton).rotation(root, local);
    let wanted: Vec<_> = rest.iter().map(|triangle| triangle.map(|corner| pivot + turn * (corner - pivot))).collect();
    assert!(apart(&human, &human.surface(&pose), &wanted) < 1e-12);
}

/// The file written in a pose has that pose's surface at rest.
fn assert_written_alike(character: &Character, name: &str) {
    let pose = bent(character);
    let options = WriteOptions { format: Some(Format::Glb), ..WriteOptions::default() };
    let written = Character::from_slice(&character.posed_bytes(&pose, options).unwrap(), None).unwrap();
    let (posed, again) = (character.surface(&pose), written.surface(&written.skeleton.rest_pose()));
    let moved = apart(character, &posed, &character.surface(&character.skeleton.rest_pose()));
    let off = apart(character, &posed, &again);
    // The file's rotations are f32.
    assert!(off < 1e-5 && (posed.is_empty() || moved > 1e-3), "{name}: {off}, moved by {moved}");
}

#[test]
fn a_pose_looks_like_the_file_written_in_it() {
    assert_written_alike(&human(), "human");
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn a_pose_of_a_real_file_looks_like_the_file_written_in_it() {
    let data = sample::data();
    for name in [
        "CesiumMan.glb",
        "Fox.glb",
        "kaykit_Knight.glb",
        "kenney_character.glb",
        "cryptovoxels.vrm",
        "odd/greenman_mirrored_root.glb",
    ] {
        assert_written_alike(&sinew_gltf::load(data.join("gltf").join(name)).unwrap(), name);
    }
}

#[test]
fn handles_are_told_from_bones() {
    assert!(human().control_joints().is_empty());
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn handles_of_real_files_are_told_from_bones() {
    let data = sample::data();
    let names = |name: &str| {
        let character = sinew_gltf::load(data.join("gltf").join(name)).unwrap();
        let joints = character.control_joints().into_iter().filter(|&joint| !character.is_inferred(joint));
        let mut names: Vec<String> =
            joints.filter_map(|joint| character.skeleton.name(joint).map(str::to_owned)).collect();
        names.sort();
        names
    };
    let sides =
        |stems: &[&str]| stems.iter().flat_map(|stem| [format!("{stem}.L"), format!("{stem}.R")]).collect::<Vec<_>>();
    let mut wanted = sides(&["ElbowPoleTarget", "FootIK", "HandHold", "HandIK", "KneePoleTarget"]);
    wanted.sort();
    assert_eq!(names("wildjam_Player.glb"), wanted);
    for name in ["CesiumMan.glb", "isBinary_Overridden.vrm", "kenney_character.glb", "webxr_hand_left.glb"] {
        assert!(names(name).is_empty(), "{name}: {:?}", names(name));
    }
    // Its thumbs move no vertex, and its VRM does not name them.
    assert!(names("cryptovoxels.vrm").iter().all(|name| name.starts_with("Thumb")));
    assert!(names("kaykit_Knight.glb").iter().all(|name| !name.contains("arm") && !name.contains("leg")));
}
