//! Writing changes the transforms of moved joints and nothing else.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use crate::oracle;
use crate::sample;
use serde_json::{Value, json};
use sinew::{Pose, Rotation};
use sinew_gltf::{Character, ClipSlot, Format, WriteError, WriteOptions};

const STILL: WriteOptions = WriteOptions { format: None, slot: ClipSlot::First, still: true };

fn write(character: &Character, pose: &Pose) -> Vec<u8> {
    character.posed_bytes(pose, WriteOptions::default()).unwrap()
}

/// The pose in which the joint of a node is turned.
fn turned(character: &Character, node: usize) -> Pose {
    let mut pose = character.skeleton.rest_pose();
    let joint = character.joint_of_node(node).unwrap();
    pose.edit(&character.skeleton).rotation(joint, Rotation::about([1.0, 2.0, 3.0], 0.7));
    pose
}

#[test]
fn a_pose_in_which_nothing_moved_is_the_same_file() {
    let glb = sample::leg_glb();
    let text = "{ \"asset\": {\"version\": \"2.0\"},\n \"nodes\": [{\"scale\": [1.50, 1e0, 1]}] }\n";
    for bytes in [&glb[..], text.as_bytes()] {
        let character = Character::from_slice(bytes, None).unwrap();
        let rest = character.skeleton.rest_pose();
        assert_eq!(write(&character, &rest), bytes);
        assert_eq!(character.posed_bytes(&rest, STILL).unwrap(), bytes);
    }
}

#[test]
fn only_what_moved_changes_and_numbers_keep_their_text() {
    let text = concat!(
        r#"{"asset":{"version":"2.0"},"plain":{"deep":[1.50,1e-7,12345678901234567890123]},"#,
        r#""nodes":[{"children":[1],"scale":[1.50,1,1],"extras":{"é":"\u0001"}},"#,
        r#"{"name":"a","unknown":0.10,"translation":[0.0,1.0,0],"children":[2]},{"translation":[0,1,0]}]}"#
    );
    let character = Character::from_slice(text.as_bytes(), None).unwrap();
    let pose = turned(&character, 1);
    let written = String::from_utf8(write(&character, &pose)).unwrap();
    let q = pose.local(character.joint_of_node(1).unwrap()).rotation;
    let rotation = json!([q.x, q.y, q.z, q.w]).to_string();
    assert_eq!(written, text.replace("\"children\":[2]", &format!("\"children\":[2],\"rotation\":{rotation}")));
}

#[test]
fn what_is_written_is_the_pose() {
    let character = Character::from_slice(&sample::leg_glb(), None).unwrap();
    let mut pose = turned(&character, 1);
    let shin = character.joint_of_node(2).unwrap();
    pose.edit(&character.skeleton).translation(shin, [0.1, 1.0 / 3.0, 1e-9]).scale(shin, [1.0, -2.0, 1.0]);
    let document = oracle::document(&write(&character, &pose));
    assert_eq!(oracle::position(&document, 2), pose.position(shin).to_array());
    assert_eq!(document["nodes"][2].as_object().unwrap().len(), 3, "{}", document["nodes"][2]);
    let again = Character::from_slice(&write(&character, &pose), None).unwrap();
    assert_eq!(again.skeleton.rest(again.joint_of_node(2).unwrap()), pose.local(shin));
}

#[test]
fn a_moved_matrix_becomes_parts() {
    let nodes = json!([
        {"children": [1], "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1]},
        {"children": [2], "matrix": [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, -2, 0, 1, 2, 3, 1], "name": "b"},
        {"translation": [0, 1, 0]},
    ]);
    let character = sample::load(&sample::nodes(&nodes));
    let pose = turned(&character, 1);
    let document = oracle::document(&write(&character, &pose));
    assert_eq!(document["nodes"][0], nodes[0]);
    assert!(document["nodes"][1]["matrix"].is_null());
    let end = character.joint_of_node(2).unwrap();
    assert!(oracle::distance(oracle::position(&document, 2), pose.position(end).to_array()) < 1e-12);
}

#[test]
fn components_stay_inside_what_the_specification_allows() {
    let character = sample::load(&sample::nodes(&json!([{}])));
    let mut pose = character.skeleton.rest_pose();
    let root = character.joint_of_node(0).unwrap();
    for step in 0..1000 {
        let tilt = 1e-9 * f64::from(step);
        let turn = glam::DQuat::from_xyzw(tilt, 1.0, tilt, tilt * tilt);
        pose.edit(&character.skeleton).rotation(root, turn);
        let document = oracle::document(&write(&character, &pose));
        assert!(document["nodes"][0]["rotation"].as_array().unwrap().iter().all(|x| x.as_f64().unwrap().abs() <= 1.0));
    }
}

#[test]
fn unknown_chunks_survive() {
    let (document, bin) = sample::leg();
    let bytes = sample::glb(&document, &[(b"BIN\0", &bin), (b"ODD\0", b"whatever")]);
    let character = Character::from_slice(&bytes, None).unwrap();
    let written = write(&character, &turned(&character, 1));
    assert!(written.ends_with(b"\x08\0\0\0ODD\0whatever"));
    assert!(written.windows(bin.len()).any(|window| window == bin));
}

#[test]
fn formats_turn_into_one_another() {
    let (document, bin) = sample::leg();
    let character = Character::from_slice(&sample::leg_glb(), None).unwrap();
    let rest = character.skeleton.rest_pose();
    let options = |format| WriteOptions { format: Some(format), ..WriteOptions::default() };
    let text = character.posed_bytes(&rest, options(Format::Gltf)).unwrap();
    let uri = oracle::document(&text)["buffers"][0]["uri"].clone();
    assert!(uri.as_str().unwrap().starts_with("data:application/octet-stream;base64,"));
    let again = Character::from_slice(&text, None).unwrap();
    let binary = again.posed_bytes(&rest_of(&again), options(Format::Glb)).unwrap();
    assert_eq!(oracle::document(&binary), document);
    assert!(binary.ends_with(&bin));
}

fn rest_of(character: &Character) -> Pose {
    character.skeleton.rest_pose()
}

#[test]
fn clips_in_the_way_are_named_and_can_be_dropped() {
    let (mut document, bin) = sample::leg();
    let clip = |name: Value, node: u32, path: &str| json!({"name": name, "channels": [{"sampler": 0, "target": {"node": node, "path": path}}], "samplers": [{"input": 2, "output": 2}]});
    document["animations"] = json!([
        clip(json!("walk"), 1, "rotation"),
        clip(json!(null), 2, "translation"),
        clip(json!("blink"), 0, "weights"),
    ]);
    let character = Character::from_slice(&sample::glb(&document, &[(b"BIN\0", &bin)]), None).unwrap();
    assert!(character.has_animations());
    assert!(character.clips_moving(&rest_of(&character)).is_empty());
    assert_eq!(character.clips_moving(&turned(&character, 1)), ["walk"]);
    assert_eq!(character.clips_moving(&turned(&character, 2)), ["animation 1"]);
    let written = character.posed_bytes(&rest_of(&character), STILL).unwrap();
    assert!(oracle::document(&written).get("animations").is_none());
}

#[test]
fn files_beside_the_document_stay_or_come_along() {
    let (mut document, bin) = sample::leg();
    document["buffers"][0]["uri"] = json!("the%20leg.bin");
    document["images"] = json!([{"uri": "skin.png"}, {"uri": "missing.png"}]);
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(here.path().join("the leg.bin"), &bin).unwrap();
    std::fs::write(here.path().join("skin.png"), b"\x89PNG...").unwrap();
    std::fs::write(here.path().join("leg.gltf"), document.to_string()).unwrap();
    let character = sinew_gltf::load(here.path().join("leg.gltf")).unwrap();
    assert_eq!(character.name(), "leg");
    let pose = turned(&character, 2);
    let write = |path: std::path::PathBuf| {
        character.write_posed(&pose, &path).unwrap();
        oracle::document(&std::fs::read(path).unwrap())
    };
    let beside = write(here.path().join("posed.gltf"));
    assert_eq!(beside["buffers"], document["buffers"]);
    assert_eq!(beside["images"], document["images"]);
    let binary = write(here.path().join("posed.glb"));
    assert!(binary["buffers"][0]["uri"].is_null());
    assert_eq!(binary["images"], document["images"]);
    let away = write(there.path().join("posed.gltf"));
    assert!(away["buffers"][0]["uri"].as_str().unwrap().starts_with("data:"));
    assert_eq!(away["images"], json!([{"uri": "data:image/png;base64,iVBORy4uLg=="}, {"uri": "missing.png"}]));
    assert_eq!(std::fs::read_dir(there.path()).unwrap().count(), 1, "nothing but the file is left");
}

/// Everything that JSON text spreads out lies in one buffer of the binary container.
#[test]
fn buffers_and_images_are_gathered() {
    let (mut document, bin) = sample::leg();
    let uri = |bytes: &[u8]| {
        let text = percent_encoding::percent_encode(bytes, percent_encoding::NON_ALPHANUMERIC);
        json!(format!("data:application/octet-stream,{text}"))
    };
    let (first, second) = bin.split_at(129);
    document["buffers"] = json!([
        {"byteLength": 129, "uri": uri(first), "name": "first"},
        {"byteLength": 9, "extensions": {"EXT_meshopt_compression": {"fallback": true}}},
        {"byteLength": 127, "uri": uri(second)},
    ]);
    document["bufferViews"][3] = json!({"buffer": 2, "byteLength": 127});
    let views = document["bufferViews"].as_array_mut().unwrap();
    views.push(json!({"buffer": 1, "byteLength": 9}));
    views.push(json!({"buffer": 2, "byteOffset": 7, "byteLength": 20}));
    document["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    document["accessors"].as_array_mut().unwrap().pop();
    document["images"] = json!([{"uri": "data:image/png;base64,iVBORy4uLg=="}]);
    let character = sample::load(&document);
    let options = WriteOptions { format: Some(Format::Glb), ..WriteOptions::default() };
    let bytes = character.posed_bytes(&rest_of(&character), options).unwrap();
    let written = oracle::document(&bytes);
    assert_eq!(written["buffers"][0], json!({"byteLength": 267, "name": "first"}));
    assert_eq!(written["buffers"][1], document["buffers"][1]);
    assert_eq!(written["bufferViews"][3], json!({"buffer": 0, "byteLength": 127, "byteOffset": 132}));
    assert_eq!(written["bufferViews"][4], document["bufferViews"][4]);
    assert_eq!(written["bufferViews"][5], json!({"buffer": 0, "byteOffset": 139, "byteLength": 20}));
    assert_eq!(written["bufferViews"][6], json!({"buffer": 0, "byteOffset": 260, "byteLength": 7}));
    assert_eq!(written["images"], json!([{"bufferView": 6, "mimeType": "image/png"}]));
    let chunk = &bytes[bytes.len() - 268..];
    assert_eq!((&chunk[..129], &chunk[132..259], &chunk[260..267]), (first, second, &b"\x89PNG..."[..]));
}

#[test]
fn what_cannot_be_written_is_refused() {
    let character = Character::from_slice(&sample::leg_glb(), None).unwrap();
    let rest = rest_of(&character);
    let other = sample::load(&sample::nodes(&json!([{}])));
    let folder = tempfile::tempdir().unwrap();
    let to = |name: &str| folder.path().join(name);
    assert!(matches!(character.write_posed(&rest, to("a.fbx")), Err(WriteError::UnknownFormat { .. })));
    assert!(matches!(character.write_posed(&rest, to("no/a.glb")), Err(WriteError::Io { .. })));
    assert!(matches!(character.write_posed(&rest_of(&other), to("a.glb")), Err(WriteError::OtherSkeleton { .. })));
    let mut broken = rest.clone();
    broken.edit(&character.skeleton).translation(character.joint_of_node(1).unwrap(), [f64::NAN, 0.0, 0.0]);
    let error = character.write_posed(&broken, to("a.glb")).unwrap_err();
    assert!(matches!(error, WriteError::NotFinite { .. }), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was left behind");
}
