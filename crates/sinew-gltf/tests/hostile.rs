//! Broken files: an error of one line that says where, or a skeleton; never a panic, never long.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use crate::sample;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sinew_gltf::{Character, Clip, ClipSlot, WriteOptions};

/// Loads, and where that works also measures and writes.
fn exercise(bytes: &[u8]) -> Result<Character, String> {
    let character = Character::from_slice(bytes, None).map_err(|error| error.to_string())?;
    let mut pose = character.skeleton.rest_pose();
    for joint in character.skeleton.iter() {
        pose.edit(&character.skeleton).rotation(joint, sinew::Rotation::about([1.0, 2.0, 3.0], 0.5));
    }
    let _ = (character.height(), character.clips_moving(&pose), character.spring_bones());
    let _ = character.posed_bytes(&pose, WriteOptions::default());
    for index in 0..character.animation_count().min(20) {
        let Ok(animation) = character.animation(index) else { continue };
        let mut shown = character.skeleton.rest_pose();
        for time in [-1.0, 0.0, 0.3, animation.end(), f64::INFINITY, f64::NAN] {
            animation.pose(time, &mut shown);
        }
        assert!(animation.start() <= animation.end() && animation.key_times().is_sorted());
    }
    let clip =
        Clip { name: "turn".to_owned(), times: vec![0.0, 1.0], poses: vec![character.skeleton.rest_pose(), pose] };
    for slot in [ClipSlot::First, ClipSlot::Behind(0), ClipSlot::InsteadOf(1)] {
        let _ = character.animated_bytes(&clip, WriteOptions { slot, ..WriteOptions::default() });
    }
    Ok(character)
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn the_bad_files_are_refused_or_loaded_as_they_must() {
    let data = sample::data();
    let index: Value = serde_json::from_slice(&std::fs::read(data.join("bad/index.json")).unwrap()).unwrap();
    for entry in index.as_array().unwrap().iter().filter(|entry| entry["format"] == "gltf") {
        let file = data.join("bad").join(entry["file"].as_str().unwrap());
        let start = Instant::now();
        let loaded = sinew_gltf::load(&file);
        let time = start.elapsed();
        assert!(time < Duration::from_secs(60), "{}: {time:?}", file.display());
        let text = match &loaded {
            Ok(character) => format!("{} joints", character.skeleton.len()),
            Err(error) => error.to_string(),
        };
        println!("{:8} {} -> {text} ({time:.1?})", entry["expect"].as_str().unwrap(), entry["file"]);
        assert_eq!(text.lines().count(), 1);
        match entry["expect"].as_str().unwrap() {
            "reject" => assert!(loaded.is_err(), "{} was accepted", file.display()),
            "accept" => assert!(loaded.is_ok(), "{text}"),
            _ => {}
        }
        if let Err(error) = loaded {
            assert!(error.to_string().contains(&*file.to_string_lossy()));
        }
    }
}

/// A change to a good document and the place that the error must name.
fn refused(change: impl FnOnce(&mut Value), place: &str) {
    let (mut document, bin) = sample::leg();
    change(&mut document);
    let error = Character::from_slice(&sample::glb(&document, &[(b"BIN\0", &bin)]), None).expect_err(place).to_string();
    assert!(error.starts_with(&format!("glTF data: {place}: ")), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("; "), "no advice: {error}");
}

#[test]
fn errors_name_their_place() {
    refused(|d| d["nodes"][2]["rotation"] = json!([0, 0, 1]), "nodes[2].rotation");
    refused(|d| d["nodes"][2]["rotation"] = json!([0, 0, 0, 0]), "nodes[2].rotation");
    refused(|d| d["nodes"][1]["translation"] = json!([0, "1", 0]), "nodes[1].translation[1]");
    refused(|d| d["nodes"][1]["children"] = json!([9]), "nodes[1].children[0]");
    refused(|d| d["nodes"][0]["mesh"] = json!(4), "nodes[0].mesh");
    refused(|d| d["nodes"][1] = json!("thigh"), "nodes[1]");
    refused(|d| d["nodes"][2]["matrix"] = json!([1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]), "nodes[2].matrix");
    refused(|d| d["skins"][0]["joints"] = json!([1, 77]), "skins[0].joints[1]");
    refused(|d| d["skins"][0]["inverseBindMatrices"] = json!(2), "skins[0].inverseBindMatrices: accessors[2].type");
    refused(|d| d["accessors"][0]["count"] = json!(4_294_967_295u32), "accessors[0].count");
    refused(|d| d["accessors"][0]["count"] = json!(u64::MAX), "accessors[0].count");
    refused(|d| d["accessors"][1]["type"] = json!("MAT5"), "accessors[1].type");
    refused(|d| d["accessors"][1]["componentType"] = json!(5124), "accessors[1].componentType");
    refused(|d| d["bufferViews"][3]["byteLength"] = json!(u64::MAX), "bufferViews[3].byteLength");
    refused(|d| d["bufferViews"][3]["buffer"] = json!(1), "bufferViews[3].buffer");
    refused(|d| d["buffers"][0]["byteLength"] = json!(1000), "buffers[0].byteLength");
    refused(|d| d["buffers"][0]["uri"] = json!("https://a.b/c.bin"), "buffers[0].uri");
    refused(|d| d["buffers"][0]["uri"] = json!("c.bin"), "buffers[0].uri");
    refused(
        |d| d["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(9),
        "meshes[0].primitives[0].attributes.POSITION",
    );
    refused(|d| d["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(1), "accessors[1].type");
    refused(|d| d["asset"]["version"] = json!("1.0"), "asset.version");
    refused(|d| d["extensionsRequired"] = json!(["KHR_materials_unlit", "ACME_joints"]), "extensionsRequired");
    refused(|d| d["scene"] = json!(1), "scene");
}

#[test]
fn scenes_list_roots_only() {
    refused(|d| d["scenes"][0]["nodes"] = json!([0, 2]), "scenes[0].nodes[1]");
    refused(
        |d| {
            d["scenes"].as_array_mut().unwrap().push(json!({"nodes": [2]}));
        },
        "scenes[1].nodes[0]",
    );
}

/// Whole numbers of as many bytes as the floats, and of fewer.
#[test]
fn bind_matrices_are_floats() {
    for whole in [5120, 5121, 5122, 5123, 5125] {
        refused(
            |d| d["accessors"][3]["componentType"] = json!(whole),
            "skins[0].inverseBindMatrices: accessors[3].componentType",
        );
    }
}

/// A clip that moves the shin, with keys between which values go as said.
fn animation(interpolation: &str) -> Value {
    json!([{
        "samplers": [{"input": 0, "output": 0, "interpolation": interpolation}],
        "channels": [{"sampler": 0, "target": {"node": 2, "path": "translation"}}],
    }])
}

#[test]
fn ways_between_keys_are_those_that_there_are() {
    refused(|d| d["animations"] = animation("linear"), "animations[0].samplers[0].interpolation");
    for interpolation in ["LINEAR", "STEP"] {
        let (mut document, bin) = sample::leg();
        document["animations"] = animation(interpolation);
        exercise(&sample::glb(&document, &[(b"BIN\0", &bin)])).unwrap();
    }
}

/// The first buffer of a binary file is its BIN chunk, if it says nothing else.
#[test]
fn a_buffer_without_data_is_refused() {
    let (mut document, bin) = sample::leg();
    let error = Character::from_slice(&sample::glb(&document, &[]), None).expect_err("no data").to_string();
    assert!(error.starts_with("glTF data: buffers[0].uri: "), "{error}");
    assert!(error.contains("BIN chunk") && error.contains("; ") && error.lines().count() == 1, "{error}");
    let error = sample::try_load(&document).unwrap_err();
    assert!(error.starts_with("glTF data: buffers[0].uri: "), "{error}");
    // A placeholder for what an extension decompresses has none, wherever it stands.
    let placeholder = json!({"byteLength": 64, "extensions": {"EXT_meshopt_compression": {"fallback": true}}});
    document["buffers"].as_array_mut().unwrap().push(placeholder.clone());
    exercise(&sample::glb(&document, &[(b"BIN\0", &bin)])).unwrap();
    let nodes = json!([{"children": [1]}, {"translation": [0, 1, 0]}]);
    let mut document = sample::nodes(&nodes);
    document["buffers"] = json!([placeholder]);
    sample::try_load(&document).unwrap();
}

#[test]
fn a_file_without_nodes_has_no_skeleton() {
    let error = sample::try_load(&json!({"asset": {"version": "2.0"}})).unwrap_err();
    assert!(error.starts_with("glTF data: nodes: "), "{error}");
}

#[test]
fn transforms_that_overflow_are_refused() {
    let huge = json!([{"scale": [1e300, 1e300, 1e300], "children": [1]}, {"scale": [1e300, 1e300, 1e300], "children": [2]}, {}]);
    let error = sample::try_load(&sample::skinned(&huge, &json!([2]))).unwrap_err();
    assert!(error.starts_with("glTF data: nodes[2]: "), "{error}");
}

#[test]
fn a_deep_tree_is_no_danger() {
    let many = crate::cases(100_000);
    let deep: Vec<Value> = (1..=many).map(|child| json!({"children": [child]})).chain([json!({})]).collect();
    let start = Instant::now();
    let character = sample::load(&sample::nodes(&deep.into()));
    assert!(character.skeleton.len() > many);
    assert!(start.elapsed() < Duration::from_secs(60));
}

/// Springs that name everything below everything again and again.
#[test]
fn many_springs_over_a_deep_tree_are_no_danger() {
    const MANY: usize = crate::cases(50_000);
    let deep = (1..MANY).map(|child| json!({"children": [child], "translation": [0, 1, 0]}));
    let mut document = sample::nodes(&deep.chain([json!({"translation": [0, 1, 0]})]).collect());
    let start = Instant::now();
    let spring = |head: usize| json!({"joints": [{"node": head}, {"node": MANY - 1}]});
    document["extensions"]["VRMC_springBone"] = json!({"springs": (0..MANY - 1).map(spring).collect::<Vec<_>>()});
    assert_eq!(sample::load(&document).spring_bones().unwrap().springs.len(), MANY - 1);
    let roots: Vec<usize> = (0..MANY).rev().chain(0..MANY).collect();
    document["extensions"] =
        json!({"VRM": {"secondaryAnimation": {"boneGroups": [{"bones": roots}, {"bones": roots}]}}});
    let springs = sample::load(&document).spring_bones().unwrap().springs;
    assert_eq!((springs[0].joints.len(), springs[1].joints.len()), (MANY, 0));
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// Many nodes that share one mesh of many primitives, and one skin of many joints.
#[test]
fn sharing_does_not_multiply() {
    const MANY: usize = if cfg!(debug_assertions) { 200 } else { 5000 };
    let (mut document, bin) = sample::leg();
    let primitive = |offset: usize| json!({"attributes": {"POSITION": offset, "JOINTS_0": 1, "WEIGHTS_0": 2}});
    let nodes = (0..MANY).map(|_| json!({"mesh": 0, "skin": 0}));
    document["nodes"] = nodes.collect::<Vec<_>>().into();
    document["scenes"][0]["nodes"] = json!([0]);
    document["skins"][0] = json!({"joints": (0..MANY).collect::<Vec<_>>()});
    let accessor = document["accessors"][0].clone();
    document["accessors"].as_array_mut().unwrap().extend(std::iter::repeat_n(accessor, MANY));
    document["meshes"][0]["primitives"] = (4..MANY + 4).map(primitive).collect::<Vec<_>>().into();
    let start = Instant::now();
    exercise(&sample::glb(&document, &[(b"BIN\0", &bin)])).unwrap();
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// Xorshift, so that every run sees the same damage.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state as usize
}

#[test]
fn damaged_bytes_never_panic() {
    let files = [sample::leg_glb(), sample::file(&sample::mixed())];
    let mut state = 0x9E37_79B9_7F4A_7C15;
    for end in 0..files[0].len() {
        let _ = exercise(&files[0][..end]);
    }
    let signs = b"0123456789-.eE,:[]{}\"ntf \xFF\0";
    for round in 0..crate::cases(20_000) {
        let mut damaged = files[round % 2].clone();
        for _ in 0..=round % 4 {
            let at = next(&mut state) % damaged.len();
            damaged[at] = match next(&mut state) % 3 {
                0 => next(&mut state) as u8,
                _ => signs[next(&mut state) % signs.len()],
            };
        }
        let _ = exercise(&damaged);
    }
}

#[test]
fn damaged_values_never_panic() {
    let (plain, bin) = sample::leg();
    let with = |extensions: Value| {
        let mut document = plain.clone();
        document["extensions"] = extensions;
        document
    };
    let vrm1 = with(json!({"VRMC_springBone": sample::vrm1_springs(&[1, 2])}));
    let vrm0 = with(json!({"VRM": {"secondaryAnimation": sample::vrm0_springs(&[1, 2])}}));
    let odd = [
        json!(null),
        json!(-1),
        json!(4_294_967_296u64),
        json!(0.5),
        json!(1e308),
        json!("x"),
        json!([]),
        json!({}),
        json!([1e308]),
        json!(true),
    ];
    let (moving, keys) = sample::mixed();
    for (document, bin) in [(&plain, &bin), (&vrm1, &bin), (&vrm0, &bin), (&moving, &keys)] {
        let mut pointers = Vec::new();
        collect(document, String::new(), &mut pointers);
        for (number, pointer) in pointers.iter().enumerate() {
            // In debug two of them, others for each place.
            for value in odd.iter().cycle().skip(number).take(crate::cases(odd.len()).max(2)) {
                let mut damaged = document.clone();
                *damaged.pointer_mut(pointer).unwrap() = value.clone();
                let _ = exercise(&sample::glb(&damaged, &[(b"BIN\0", bin)]));
            }
        }
    }
}

/// JSON pointers to everything in a value.
fn collect(value: &Value, pointer: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, item)| collect(item, format!("{pointer}/{key}"), pointers)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, item)| collect(item, format!("{pointer}/{i}"), pointers));
        }
        _ => {}
    }
    pointers.push(pointer);
}
