//! Animated nodes above the skeleton's roots: their motion is the roots', read and written.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use crate::oracle;
use crate::sample;
use base64::Engine as _;
use glam::{DAffine3, DQuat, DVec3};
use serde_json::{Value, json};
use sinew::{Pose, Rotation};
use sinew_gltf::{Character, Clip, ClipSlot, WriteOptions};

/// A carrier, below it a tilted armature, below that a root and a bone; the clip moves carrier and armature, turns the root, and
/// bends the bone.
fn document(scale: [f32; 3]) -> Value {
    let carrier = json!({"name": "carrier", "translation": [1, 0, 2], "children": [1]});
    let armature = json!({"name": "armature", "rotation": [0.6, 0, 0, 0.8], "scale": [2, 2, 2], "children": [2]});
    let root = json!({"name": "root", "translation": [0, 0.5, 0], "children": [3]});
    let bone = json!({"name": "bone", "translation": [0, 1, 0]});
    let mut document = sample::skinned(&json!([carrier, armature, root, bone]), &json!([2, 3]));
    let (turn, s) = (0.5f32.sqrt(), scale);
    let numbers: Vec<f32> = [
        vec![0.0, 0.5, 1.0],
        vec![1.0, 0.0, 2.0, 3.0, 0.0, 2.0, 3.0, 1.0, 5.0],
        vec![0.6, 0.0, 0.0, 0.8, 0.0, turn, 0.0, turn, 0.0, 0.0, turn, turn],
        vec![2.0, 2.0, 2.0, s[0], s[1], s[2], 2.0, 2.0, 2.0],
        vec![0.0, 0.0, 0.0, 1.0, turn, 0.0, 0.0, turn, 0.0, turn, 0.0, turn],
    ]
    .concat();
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    document["buffers"] =
        json!([{"byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}")}]);
    document["bufferViews"] = json!([{"buffer": 0, "byteLength": bytes.len()}]);
    let accessor = |offset: usize, kind: &str| json!({"bufferView": 0, "byteOffset": 4 * offset, "componentType": 5126, "count": 3, "type": kind});
    let mut times = accessor(0, "SCALAR");
    (times["min"], times["max"]) = (json!([0]), json!([1]));
    document["accessors"] =
        json!([times, accessor(3, "VEC3"), accessor(12, "VEC4"), accessor(24, "VEC3"), accessor(33, "VEC4")]);
    let channel =
        |sampler: usize, node: usize, path: &str| json!({"sampler": sampler, "target": {"node": node, "path": path}});
    let samplers: Vec<Value> = (1..5).map(|output| json!({"input": 0, "output": output})).collect();
    let channels = json!([
        channel(0, 0, "translation"),
        channel(1, 1, "rotation"),
        channel(2, 1, "scale"),
        channel(3, 2, "rotation"),
        channel(3, 3, "rotation")
    ]);
    document["animations"] = json!([{"name": "ride", "channels": channels, "samplers": samplers}]);
    document
}

fn at(character: &Character, time: f64) -> Pose {
    let mut pose = character.skeleton.rest_pose();
    character.animation(0).unwrap().pose(time, &mut pose);
    pose
}

/// Where the bone is at a key, by the nodes' own matrices.
fn expected(key: usize) -> DVec3 {
    let turn = 0.5f32.sqrt();
    let turns = [[0.6, 0.0, 0.0, 0.8], [0.0, turn, 0.0, turn], [0.0, 0.0, turn, turn]][key];
    let own = [[0.0, 0.0, 0.0, 1.0], [turn, 0.0, 0.0, turn], [0.0, turn, 0.0, turn]][key];
    let carrier = [DVec3::new(1.0, 0.0, 2.0), DVec3::new(3.0, 0.0, 2.0), DVec3::new(3.0, 1.0, 5.0)][key];
    let quat = |q: [f32; 4]| DQuat::from_array(q.map(f64::from)).normalize();
    let armature = DAffine3::from_scale_rotation_translation(DVec3::splat(2.0), quat(turns), DVec3::ZERO);
    let root = DAffine3::from_rotation_translation(quat(own), DVec3::new(0.0, 0.5, 0.0));
    (DAffine3::from_translation(carrier) * armature * root).transform_point3(DVec3::Y)
}

#[test]
fn joints_are_where_their_nodes_carry_them() {
    let character = sample::load(&document([2.0; 3]));
    assert!(!character.animation(0).unwrap().moves_base());
    let bone = character.skeleton.joint("bone").unwrap();
    for key in 0..3 {
        let time = 0.5 * key as f64;
        let found = at(&character, time).position(bone);
        assert!(found.distance(expected(key)) < 1e-6, "{key}: {found} is not {}", expected(key));
        // A pose that is used again is no starting point.
        let mut again = at(&character, 0.7);
        character.animation(0).unwrap().pose(time, &mut again);
        assert!(again.position(bone).distance(found) < 1e-12);
    }
    assert_eq!(character.animation(0).unwrap().key_times(), [0.0, 0.5, 1.0]);
}

fn written(character: &Character, clip: &Clip) -> Vec<u8> {
    character.animated_bytes(clip, WriteOptions { slot: ClipSlot::InsteadOf(0), ..WriteOptions::default() }).unwrap()
}

#[test]
fn clips_are_written_below_nodes_that_go_on_moving() {
    let character = sample::load(&document([2.0; 3]));
    let times = [0.0, 0.5, 1.0];
    let mut clip =
        Clip { times: times.to_vec(), poses: times.map(|time| at(&character, time)).to_vec(), ..Clip::default() };
    let same = Character::from_slice(&written(&character, &clip), None).unwrap();
    for time in [0.0, 0.25, 0.5, 0.8, 1.0] {
        let [is, was] = [at(&same, time), at(&character, time)];
        assert!(character.skeleton.iter().all(|joint| is.local(joint) == was.local(joint)), "{time}");
    }
    let [root, bone] = character.skeleton.joints(["root", "bone"]).unwrap();
    let mut edit = clip.poses[1].edit(&character.skeleton);
    let local = *edit.pose().local(root);
    edit.rotation(root, local.rotation * Rotation::about(DVec3::X, 0.4).quaternion());
    edit.translation(root, local.translation + DVec3::new(0.1, 0.2, 0.3));
    drop(edit);
    let file = written(&character, &clip);
    let other = Character::from_slice(&file, None).unwrap();
    for (time, pose) in times.iter().zip(&clip.poses) {
        let found = at(&other, *time).position(bone);
        assert!(found.distance(pose.position(bone)) < 1e-5, "{time}: {found} {}", pose.position(bone));
    }
    let document = oracle::document(&file);
    let nodes: Vec<u64> = document["animations"][0]["channels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|channel| channel["target"]["node"].as_u64().unwrap())
        .collect();
    assert!([0, 1].iter().all(|node| nodes.contains(node)), "{nodes:?}");
}

#[test]
fn what_would_shear_stands_still() {
    let character = sample::load(&document([2.0, 1.0, 0.5]));
    assert!(character.animation(0).unwrap().moves_base());
    let (rest, bone) = (character.skeleton.rest_pose(), character.skeleton.joint("bone").unwrap());
    assert_eq!(at(&character, 0.0).position(bone), rest.position(bone));
}
