//! A written clip is the motion that was given, decoded here a second time from the raw bytes, and the rest of the
//! file is as it was.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use crate::oracle;
use crate::sample;
use base64::Engine as _;
use glam::{DQuat, DVec3};
use serde_json::{Value, json};
use sinew::{Pose, Rotation};
use sinew_gltf::{Animation, Character, Clip, ClipSlot, Format, WriteError, WriteOptions};

const KEYS: usize = 9;

/// A motion in which every joint turns, over more than one turn, and the last one also moves and grows.
fn dance(character: &Character) -> Clip {
    let mut clip = Clip { name: "dance".to_owned(), ..Clip::default() };
    for key in 0..KEYS {
        let mut pose = character.skeleton.rest_pose();
        let mut edit = pose.edit(&character.skeleton);
        for (index, joint) in character.skeleton.iter().enumerate() {
            let rest = *character.skeleton.rest(joint);
            let axis = [1.0, 0.3 * index as f64, -0.5];
            let turn = Rotation::about(axis, 0.05 * index as f64 + 0.9 * key as f64).quaternion();
            edit.rotation(joint, rest.rotation * turn);
        }
        let node = character.skeleton.iter().rev().find(|&joint| !character.is_inferred(joint)).unwrap();
        let (rest, share) = (*character.skeleton.rest(node), key as f64 / KEYS as f64);
        edit.translation(node, rest.translation + DVec3::new(0.1, share, 0.0)).scale(node, rest.scale * (1.0 + share));
        drop(edit);
        clip.times.push(0.25 + 0.1 * key as f64);
        clip.poses.push(pose);
    }
    clip
}

/// The bytes of buffer `index`, wherever it lies.
fn buffer(file: &[u8], document: &Value, index: usize) -> Vec<u8> {
    if let Some(uri) = document["buffers"][index]["uri"].as_str() {
        return base64::engine::general_purpose::STANDARD.decode(uri.split_once(',').unwrap().1).unwrap();
    }
    assert_eq!(index, 0);
    let json = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    assert_eq!(&file[24 + json..28 + json], b"BIN\0");
    file[28 + json..].to_vec()
}

/// The floats of an accessor, by element.
fn floats(file: &[u8], document: &Value, accessor: &Value) -> Vec<Vec<f64>> {
    let accessor = &document["accessors"][accessor.as_u64().unwrap() as usize];
    assert_eq!(accessor["componentType"], 5126);
    let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let whole = |value: &Value| value.as_u64().unwrap_or(0) as usize;
    let bytes = buffer(file, document, whole(&view["buffer"]));
    let size = match accessor["type"].as_str().unwrap() {
        "SCALAR" => 1,
        "VEC3" => 3,
        "VEC4" => 4,
        other => panic!("{other}"),
    };
    let start = whole(&view["byteOffset"]) + whole(&accessor["byteOffset"]);
    let count = whole(&accessor["count"]);
    assert!(whole(&accessor["byteOffset"]) + 4 * size * count <= whole(&view["byteLength"]));
    assert_eq!(start % 4, 0);
    let number = |i: usize| f64::from(f32::from_le_bytes(bytes[start + 4 * i..start + 4 * i + 4].try_into().unwrap()));
    (0..count).map(|row| (0..size).map(|column| number(row * size + column)).collect()).collect()
}

/// Node, path, times and values.
type Channel = (usize, String, Vec<f64>, Vec<Vec<f64>>);

/// Every channel of the first animation.
fn channels(file: &[u8]) -> Vec<Channel> {
    let document = oracle::document(file);
    let animation = &document["animations"][0];
    let read = |channel: &Value| {
        let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        assert_eq!(sampler["interpolation"], "LINEAR");
        let times: Vec<f64> = floats(file, &document, &sampler["input"]).concat();
        let input = &document["accessors"][sampler["input"].as_u64().unwrap() as usize];
        assert_eq!(input["min"][0].as_f64(), times.first().copied());
        assert_eq!(input["max"][0].as_f64(), times.last().copied());
        let node = channel["target"]["node"].as_u64().unwrap() as usize;
        let path = channel["target"]["path"].as_str().unwrap().to_owned();
        (node, path, times, floats(file, &document, &sampler["output"]))
    };
    animation["channels"].as_array().unwrap().iter().map(read).collect()
}

/// The document as a player shows it at a key of the clip.
fn shown(file: &[u8], time: f64) -> Value {
    let mut document = oracle::document(file);
    for (node, path, times, values) in channels(file) {
        let key = times.iter().rposition(|&key| key <= f64::from(time as f32)).unwrap();
        assert!(document["nodes"][node].get("matrix").is_none(), "a driven matrix");
        document["nodes"][node][path] = json!(values[key]);
    }
    document
}

/// At every key every joint of the file stands where the clip's pose has it.
fn assert_shows(character: &Character, clip: &Clip, file: &[u8]) {
    for (time, pose) in clip.times.iter().zip(&clip.poses) {
        let maps = oracle::in_scene(&shown(file, *time));
        let size = character.skeleton.iter().map(|joint| pose.position(joint).length()).fold(1e-3, f64::max);
        for joint in character.skeleton.iter() {
            let Some(node) = character.node(joint) else { continue };
            let model = pose.model(joint);
            for (found, expected) in maps[node].iter().zip([model.x_axis, model.y_axis, model.z_axis]) {
                let [x, y, z, _] = *found;
                // Rounding of 32-bit floats, over a chain of a dozen joints.
                assert!(DVec3::new(x, y, z).distance(expected) < 2e-6 * expected.length().max(1e-3), "node {node}");
            }
            let [x, y, z, _] = maps[node][3];
            let off = oracle::distance([x, y, z], pose.position(joint).to_array());
            assert!(off < 2e-6 * size, "node {node} is {off} off at {time}");
        }
    }
}

fn animated(character: &Character, clip: &Clip) -> Vec<u8> {
    character.animated_bytes(clip, WriteOptions::default()).unwrap()
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn the_characters_of_the_data_dance_as_told() {
    let data = sample::data();
    let index: Value = serde_json::from_slice(&std::fs::read(data.join("gltf/index.json")).unwrap()).unwrap();
    let mut seen = 0;
    for entry in index.as_array().unwrap().iter().filter(|entry| entry["nodes"].is_u64()) {
        let path = data.join(entry["file"].as_str().unwrap());
        let character = sinew_gltf::load(&path).unwrap();
        let clip = dance(&character);
        let file = animated(&character, &clip);
        assert_shows(&character, &clip, &file);
        assert_unchanged_behind(&oracle::document(&std::fs::read(path).unwrap()), &oracle::document(&file));
        let again = Character::from_slice(&file, None).unwrap();
        assert_eq!(again.clips_moving(&dance(&again).poses[1])[0], "dance");
        seen += 1;
    }
    assert!(seen > 10);
}

/// Everything of the old document is in the new one, behind the clip and before its data.
fn assert_unchanged_behind(old: &Value, new: &Value) {
    for (key, value) in old.as_object().unwrap() {
        match key.as_str() {
            "animations" => assert_eq!(value.as_array().unwrap()[..], new[key].as_array().unwrap()[1..]),
            "accessors" => assert!(new[key].as_array().unwrap().starts_with(value.as_array().unwrap())),
            // Files beside the document come along, and matrices become parts.
            "bufferViews" | "buffers" | "images" | "nodes" => {}
            _ => assert_eq!(value, &new[key], "{key}"),
        }
    }
}

#[test]
fn quaternions_are_unit_and_go_the_short_way() {
    let character = Character::from_slice(&sample::leg_glb(), None).unwrap();
    let mut clip = dance(&character);
    // The other sign is the same rotation.
    let joint = character.joint_of_node(1).unwrap();
    let mut local = *clip.poses[3].local(joint);
    local.rotation = DQuat::from_array(local.rotation.to_array().map(|x| -2.5 * x));
    clip.poses[3].edit(&character.skeleton).local(joint, local);
    // Back at rest, after more than one turn.
    clip.times.push(2.0);
    clip.poses.push(character.skeleton.rest_pose());
    let file = animated(&character, &clip);
    let mut turned = 0;
    for (_, _, times, values) in channels(&file).into_iter().filter(|(_, path, ..)| path == "rotation") {
        assert_eq!(times.len(), KEYS + 1);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        assert!(values.iter().all(|q| (dot(q, q) - 1.0).abs() < 3e-7));
        assert!(values.windows(2).all(|pair| dot(&pair[0], &pair[1]) >= 0.0));
        turned += 1;
    }
    assert_eq!(turned, 2);
}

/// Only what moves gets a channel; what is held gets two keys.
#[test]
fn what_does_not_move_is_left_out() {
    let character = Character::from_slice(&sample::leg_glb(), None).unwrap();
    let (thigh, shin) = (character.joint_of_node(1).unwrap(), character.joint_of_node(2).unwrap());
    let mut clip = Clip::default();
    for key in 0..4 {
        let mut pose = character.skeleton.rest_pose();
        let noise = 1e-9 * f64::from(key);
        pose.edit(&character.skeleton)
            .rotation(thigh, Rotation::about([1.0, 0.0, 0.0], 0.5 + noise))
            .translation(shin, [0.0, -1.0 + noise, 0.0])
            .scale(shin, [1.0, 1.0 + f64::from(key), 1.0]);
        clip.times.push(f64::from(key) / 24.0);
        clip.poses.push(pose);
    }
    let file = animated(&character, &clip);
    let found: Vec<_> = channels(&file).into_iter().map(|(node, path, times, _)| (node, path, times.len())).collect();
    assert_eq!(found, [(1, "rotation".to_owned(), 2), (2, "scale".to_owned(), 4)]);
    let ends = channels(&file)[0].2.clone();
    assert_eq!(ends, [0.0, f64::from((3.0 / 24.0) as f32)], "the clip keeps its length");
    assert!(oracle::document(&file)["animations"][0].get("name").is_none());
    assert_shows(&character, &clip, &file);
}

#[test]
fn a_clip_without_motion_or_with_one_key_is_a_clip() {
    let character = Character::from_slice(&sample::leg_glb(), None).unwrap();
    let rest = character.skeleton.rest_pose();
    let still = Clip { name: String::new(), times: vec![0.0, 4.0], poses: vec![rest.clone(), rest] };
    let file = animated(&character, &still);
    assert_eq!(channels(&file), [(1, "rotation".to_owned(), vec![0.0, 4.0], vec![vec![0.0, 0.0, 0.0, 1.0]; 2])]);
    let mut one = dance(&character);
    one.times.truncate(1);
    one.poses.truncate(1);
    let file = animated(&character, &one);
    assert!(channels(&file).iter().all(|(_, _, times, values)| (times.len(), values.len()) == (1, 1)));
    assert_shows(&character, &one, &file);
}

#[test]
fn a_driven_matrix_becomes_parts_and_others_stay() {
    let nodes = json!([
        {"children": [1], "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1]},
        {"children": [2], "matrix": [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, -2, 0, 1, 2, 3, 1], "name": "b"},
        {"translation": [0, 1, 0]},
    ]);
    let character = sample::load(&sample::nodes(&nodes));
    let joint = character.joint_of_node(1).unwrap();
    let mut pose = character.skeleton.rest_pose();
    pose.edit(&character.skeleton).rotation(joint, Rotation::about([1.0, 2.0, 3.0], 0.7));
    let clip = Clip { name: "b".to_owned(), times: vec![0.0, 1.0], poses: vec![character.skeleton.rest_pose(), pose] };
    let file = animated(&character, &clip);
    let document = oracle::document(&file);
    assert_eq!(document["nodes"][0], nodes[0]);
    let before = oracle::in_scene(&sample::nodes(&nodes));
    let after = oracle::in_scene(&document);
    for (a, b) in before.iter().flatten().flatten().zip(after.iter().flatten().flatten()) {
        assert!((a - b).abs() < 1e-12, "the nodes stand where they stood");
    }
    assert_shows(&character, &clip, &file);
}

#[test]
fn other_clips_come_after_or_go() {
    let (mut document, bin) = sample::leg();
    let walk = json!({"name": "walk", "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}], "samplers": [{"input": 2, "output": 2}]});
    document["animations"] = json!([walk]);
    let character = Character::from_slice(&sample::glb(&document, &[(b"BIN\0", &bin)]), None).unwrap();
    let clip = dance(&character);
    let kept = oracle::document(&animated(&character, &clip));
    assert_eq!(kept["animations"][0]["name"], "dance");
    assert_eq!(kept["animations"].as_array().unwrap()[1..], [walk]);
    let still = WriteOptions { still: true, ..WriteOptions::default() };
    let alone = oracle::document(&character.animated_bytes(&clip, still).unwrap());
    assert_eq!(alone["animations"].as_array().unwrap().len(), 1);
    assert_eq!(alone["animations"][0], kept["animations"][0]);
}

fn sampled(character: &Character, animation: &Animation<'_>, times: &[f64]) -> Clip {
    let pose = |&time: &f64| {
        let mut pose = character.skeleton.rest_pose();
        animation.pose(time, &mut pose);
        pose
    };
    Clip { name: String::new(), times: times.to_vec(), poses: times.iter().map(pose).collect() }
}

fn written(character: &Character, clip: &Clip, slot: ClipSlot) -> Vec<u8> {
    character.animated_bytes(clip, WriteOptions { slot, ..WriteOptions::default() }).unwrap()
}

#[test]
fn a_clip_in_which_nothing_changed_is_the_same_file() {
    let bytes = sample::file(&sample::mixed());
    let character = Character::from_slice(&bytes, None).unwrap();
    for index in 0..3 {
        let animation = character.animation(index).unwrap();
        for times in [animation.key_times(), vec![0.5, 0.6, 0.7, 2.0]] {
            let clip = sampled(&character, &animation, &times);
            assert!(written(&character, &clip, ClipSlot::InsteadOf(index)) == bytes, "{index}");
            let beside = oracle::document(&written(&character, &clip, ClipSlot::Behind(index)));
            let (old, new) = (&beside["animations"][index], &beside["animations"][index + 1]);
            assert_eq!((&old["channels"], &old["samplers"]), (&new["channels"], &new["samplers"]));
            assert!(new.get("name").is_none());
        }
    }
}

/// One joint turns otherwise in the middle: its rotation alone is written anew, keys that stayed bit for bit.
#[test]
fn only_what_the_clip_changes_is_written_anew() {
    let bytes = sample::file(&sample::mixed());
    let character = Character::from_slice(&bytes, None).unwrap();
    let shin = character.joint_of_node(2).unwrap();
    let animation = character.animation(0).unwrap();
    let mut clip = sampled(&character, &animation, &animation.key_times());
    clip.poses[1].edit(&character.skeleton).rotation(shin, Rotation::about([1.0, 0.0, 0.0], 1.0));
    let file = written(&character, &clip, ClipSlot::InsteadOf(0));
    let (old, new) = (oracle::document(&bytes), oracle::document(&file));
    let (before, after) = (&old["animations"], &new["animations"]);
    assert_eq!((&before[1], &before[2], before[0]["name"].as_str()), (&after[1], &after[2], after[0]["name"].as_str()));
    let targets = |animation: &Value| -> Vec<Value> {
        animation["channels"].as_array().unwrap().iter().map(|channel| channel["target"].clone()).collect()
    };
    let [thigh, way, turn, weights] = &targets(&before[0])[..] else { panic!("four channels") };
    assert_eq!(targets(&after[0])[..], [thigh.clone(), way.clone(), weights.clone(), turn.clone()]);
    assert_eq!(after[0]["samplers"].as_array().unwrap().len(), 4);
    assert_eq!(after[0]["samplers"][2], before[0]["samplers"][3], "the sampler nothing uses any more is gone");
    let last = &after[0]["samplers"][3];
    let (times, keys) = (floats(&file, &new, &last["input"]), floats(&file, &new, &last["output"]));
    assert_eq!(times.concat(), [0.5, 0.75, 1.5, 2.0]);
    // The keys of the file, which are no unit quaternions to the last bit.
    let byte = |x: i8| f64::from((f64::from(x) / 127.0) as f32);
    assert_eq!(keys[0], [0, 0, 0, 127].map(byte));
    assert_eq!(keys[2], [0, 90, 0, -90].map(byte));
    assert!((keys[1][0] - 0.5f64.sin()).abs() < 1e-7, "{:?}", keys[1]);
    let again = Character::from_slice(&file, None).unwrap();
    let shown = sampled(&again, &again.animation(0).unwrap(), &clip.times);
    for (a, b) in shown.poses.iter().zip(&clip.poses) {
        for joint in character.skeleton.iter() {
            let other = again.skeleton.at(joint.index()).unwrap();
            assert!(a.model(other).abs_diff_eq(*b.model(joint), 1e-5), "{a:?}, {b:?}");
        }
    }
}

#[test]
fn a_clip_stands_beside_what_it_was_made_from() {
    let character = Character::from_slice(&sample::file(&sample::mixed()), None).unwrap();
    let animation = character.animation(1).unwrap();
    let clip = Clip { name: "new".to_owned(), ..sampled(&character, &animation, &[0.5, 2.0]) };
    let names = |options: WriteOptions| -> Vec<String> {
        let document = oracle::document(&character.animated_bytes(&clip, options).unwrap());
        let animations = document["animations"].as_array().unwrap().iter();
        animations.map(|animation| animation["name"].as_str().unwrap().to_owned()).collect()
    };
    let at = |slot| names(WriteOptions { slot, ..WriteOptions::default() });
    assert_eq!(at(ClipSlot::First), ["new", "linear", "steps", "splines"]);
    assert_eq!(at(ClipSlot::Behind(1)), ["linear", "steps", "new", "splines"]);
    assert_eq!(at(ClipSlot::Behind(2)), ["linear", "steps", "splines", "new"]);
    assert_eq!(at(ClipSlot::InsteadOf(1)), ["linear", "new", "splines"]);
    let alone = |slot| names(WriteOptions { slot, still: true, ..WriteOptions::default() });
    assert_eq!(
        (alone(ClipSlot::Behind(1)), alone(ClipSlot::InsteadOf(2))),
        (vec!["new".to_owned()], vec!["new".to_owned()])
    );
    let options = WriteOptions { slot: ClipSlot::Behind(3), ..WriteOptions::default() };
    let error = character.animated_bytes(&clip, options).unwrap_err();
    assert!(matches!(error, WriteError::NoAnimation { index: 3, count: 3 }), "{error}");
}

#[test]
fn the_data_goes_where_the_format_has_it() {
    let (mut document, bin) = sample::leg();
    document["buffers"][0]["uri"] = json!("leg.bin");
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(here.path().join("leg.bin"), &bin).unwrap();
    std::fs::write(here.path().join("leg.gltf"), document.to_string()).unwrap();
    let character = sinew_gltf::load(here.path().join("leg.gltf")).unwrap();
    let clip = dance(&character);
    for (path, buffers) in [
        (here.path().join("dance.gltf"), 2),
        (here.path().join("dance.glb"), 1),
        (there.path().join("dance.gltf"), 2),
        (there.path().join("dance.glb"), 1),
    ] {
        character.write_animated(&clip, &path).unwrap();
        let file = std::fs::read(&path).unwrap();
        let written = oracle::document(&file);
        assert_eq!(written["buffers"].as_array().unwrap().len(), buffers, "{}", path.display());
        assert_shows(&character, &clip, &file);
        let beside = path.starts_with(here.path()) && Format::of_path(&path) == Some(Format::Gltf);
        assert_eq!(written["buffers"][0]["uri"] == "leg.bin", beside);
        let again = sinew_gltf::load(&path).unwrap();
        assert_eq!(again.surface(&again.skeleton.rest_pose()).len(), 0);
        assert!((again.height() - 1.75).abs() < 1e-6, "the mesh is still to be read");
    }
    assert_eq!(std::fs::read_dir(there.path()).unwrap().count(), 2, "nothing but the files is left");
}

#[test]
fn a_document_without_buffers_gets_one() {
    let character = sample::load(&sample::nodes(&json!([{"children": [1]}, {"translation": [0, 1, 0]}])));
    let clip = dance(&character);
    for format in [Format::Glb, Format::Gltf] {
        let options = WriteOptions { format: Some(format), ..WriteOptions::default() };
        let file = character.animated_bytes(&clip, options).unwrap();
        assert_eq!(oracle::document(&file)["buffers"].as_array().unwrap().len(), 1);
        assert_shows(&character, &clip, &file);
    }
}

#[test]
fn what_is_no_clip_is_refused() {
    let character = Character::from_slice(&sample::leg_glb(), None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    std::fs::write(&path, "before").unwrap();
    let good = dance(&character);
    let refuse = |change: &dyn Fn(&mut Clip)| {
        let mut clip = good.clone();
        change(&mut clip);
        let error = character.write_animated(&clip, &path).unwrap_err();
        assert_eq!(error.to_string().lines().count(), 1);
        error
    };
    assert!(matches!(refuse(&|clip| *clip = Clip::default()), WriteError::EmptyClip));
    assert!(matches!(refuse(&|clip| clip.times.truncate(2)), WriteError::UnpairedKeys { times: 2, poses: KEYS }));
    for time in [f64::NAN, f64::INFINITY, -1.0, 0.25, 1e39, 0.25 + 1e-12] {
        assert!(matches!(refuse(&|clip| clip.times[1] = time), WriteError::Time { key: 1, .. }), "{time}");
    }
    assert!(matches!(refuse(&|clip| clip.times[0] = -1e-300), WriteError::Time { key: 0, .. }));
    let other = sample::load(&sample::nodes(&json!([{}])));
    let stranger = other.skeleton.rest_pose();
    assert!(matches!(refuse(&|clip| clip.poses[2] = stranger.clone()), WriteError::OtherSkeleton { .. }));
    let shin = character.joint_of_node(2).unwrap();
    for bad in [f64::NAN, f64::INFINITY, 1e39] {
        let error = refuse(&|clip| {
            clip.poses[4].edit(&character.skeleton).translation(shin, [0.0, bad, 0.0]);
        });
        assert!(matches!(error, WriteError::KeyNotFinite { key: 4, joint } if joint == shin), "{error}");
    }
    let no_turn = refuse(&|clip| {
        let mut local = *clip.poses[0].local(shin);
        local.rotation = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        clip.poses[0].edit(&character.skeleton).local(shin, local);
    });
    assert!(matches!(no_turn, WriteError::KeyNotFinite { key: 0, .. }));
    assert!(matches!(
        character.write_animated(&good, folder.path().join("a.fbx")),
        Err(WriteError::UnknownFormat { .. })
    ));
    assert_eq!(std::fs::read(&path).unwrap(), b"before");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was left behind");
}

/// The tip of a bone without end is in no file: moving it moves nothing there.
#[test]
fn inferred_tips_are_skipped() {
    let character = Character::from_slice(&sample::leg_glb(), None).unwrap();
    let tip = character.skeleton.iter().find(|&joint| character.is_inferred(joint)).unwrap();
    let poses: Vec<Pose> = (0..3)
        .map(|key| {
            let mut pose = character.skeleton.rest_pose();
            pose.edit(&character.skeleton).translation(tip, [0.0, f64::from(key), 0.0]);
            pose
        })
        .collect();
    let file = animated(&character, &Clip { name: String::new(), times: vec![0.0, 1.0, 2.0], poses });
    assert_eq!(channels(&file).len(), 1, "only the held first joint");
}
