//! Small documents for tests, and where the test data lies.
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::path::PathBuf;

use serde_json::{Value, json};
use sinew_gltf::Character;

/// The folder of real files.
pub(crate) fn data() -> PathBuf {
    PathBuf::from(std::env::var_os("SINEW_TEST_DATA").expect("SINEW_TEST_DATA names the folder of real files"))
}

/// A document of nodes alone; node 0 is in the scene.
pub(crate) fn nodes(nodes: &Value) -> Value {
    json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes})
}

/// The same with a skin of the given joints.
pub(crate) fn skinned(nodes: &Value, joints: &Value) -> Value {
    let mut document = self::nodes(nodes);
    document["skins"] = json!([{"joints": joints}]);
    document
}

pub(crate) fn load(document: &Value) -> Character {
    try_load(document).expect("a good document")
}

/// The character, or the error as text.
pub(crate) fn try_load(document: &Value) -> Result<Character, String> {
    Character::from_slice(document.to_string().as_bytes(), None).map_err(|error| error.to_string())
}

/// A binary container with the given chunks behind its JSON chunk.
pub(crate) fn glb(document: &Value, chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut json = document.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut body = Vec::new();
    for (kind, data) in std::iter::once((b"JSON", &json[..])).chain(chunks.iter().copied()) {
        assert!(data.len().is_multiple_of(4));
        body.extend((data.len() as u32).to_le_bytes());
        body.extend(kind);
        body.extend(data);
    }
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((body.len() as u32 + 12).to_le_bytes());
    file.extend(body);
    file
}

/// A leg of two joints with a mesh of four vertices: node 0 is the mesh, 1 the thigh, 2 the shin one metre
/// below it; the mesh of the shin ends 0.75 m further down. With its binary chunk.
pub(crate) fn leg() -> (Value, Vec<u8>) {
    let positions: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [0.0, -0.5, 0.0], [0.0, -1.25, 0.0], [0.0, -1.75, 0.0]];
    let joints: [[u8; 4]; 4] = [[0; 4], [0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]];
    let weights: [[f32; 4]; 4] =
        [[1.0, 0.0, 0.0, 0.0], [0.6, 0.4, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]];
    let mut thigh_bind = [1f32, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let mut bin: Vec<u8> = positions.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    bin.extend(joints.iter().flatten());
    bin.extend(weights.iter().flatten().flat_map(|x| x.to_le_bytes()));
    bin.extend(thigh_bind.iter().flat_map(|x| x.to_le_bytes()));
    thigh_bind[13] = 1.0;
    bin.extend(thigh_bind.iter().flat_map(|x| x.to_le_bytes()));
    let document = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"name": "body", "mesh": 0, "skin": 0},
            {"name": "thigh", "children": [2]},
            {"name": "shin", "translation": [0, -1, 0]},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "mode": 0}]}],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": 3}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, -1.75, 0], "max": [0, 0, 0]},
            {"bufferView": 1, "componentType": 5121, "count": 4, "type": "VEC4"},
            {"bufferView": 2, "componentType": 5126, "count": 4, "type": "VEC4"},
            {"bufferView": 3, "componentType": 5126, "count": 2, "type": "MAT4"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 48, "target": 34962},
            {"buffer": 0, "byteOffset": 48, "byteLength": 16, "target": 34962},
            {"buffer": 0, "byteOffset": 64, "byteLength": 64, "target": 34962},
            {"buffer": 0, "byteOffset": 128, "byteLength": 128},
        ],
        "buffers": [{"byteLength": 256}],
    });
    (document, bin)
}

/// A binary file with another document in it.
pub(crate) fn with_document(file: &[u8], document: &Value) -> Vec<u8> {
    let json = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    let bin = u32::from_le_bytes(file[20 + json..24 + json].try_into().unwrap()) as usize;
    assert_eq!(&file[24 + json..28 + json], b"BIN\0");
    glb(document, &[(b"BIN\0", &file[28 + json..28 + json + bin])])
}

/// A spring of VRM 1 over the given nodes, with a collider of every shape on the first.
pub(crate) fn vrm1_springs(nodes: &[usize]) -> Value {
    let joint = |node: &usize| json!({"node": node, "hitRadius": 0.02, "stiffness": 0.7, "gravityPower": 2, "gravityDir": [0.6, -0.8, 0], "dragForce": 0.3});
    let extended = |shape: Value| json!({"VRMC_springBone_extended_collider": {"specVersion": "1.0", "shape": shape}});
    let plain = json!({"sphere": {"offset": [0, -10000, 0], "radius": 0}});
    json!({"specVersion": "1.0",
        "colliders": [
            {"node": nodes[0], "shape": {"sphere": {"offset": [0.1, 0.2, 0.3], "radius": 0.4}}},
            {"node": nodes[0], "shape": {"capsule": {"offset": [0, 1, 0], "tail": [0, 2, 0], "radius": 0.5}}},
            {"node": nodes[0], "shape": plain, "extensions": extended(json!({"plane": {"offset": [0, 3, 0], "normal": [0, 2, 0]}}))},
            {"node": nodes[0], "shape": plain, "extensions": extended(json!({"sphere": {"radius": 6, "inside": true}}))},
            {"node": nodes[0], "shape": plain, "extensions": extended(json!({"capsule": {"tail": [1, 0, 0], "radius": 7, "inside": true}}))},
        ],
        "colliderGroups": [{"name": "all", "colliders": [0, 1, 2, 3, 4]}, {"colliders": [1]}],
        "springs": [{"name": "hair", "joints": nodes.iter().map(joint).collect::<Vec<_>>(), "colliderGroups": [1, 0], "center": nodes[0]}],
    })
}

/// Springs of VRM 0 from the given roots, with two spheres on the first.
pub(crate) fn vrm0_springs(roots: &[usize]) -> Value {
    json!({
        "boneGroups": [{
            "comment": "hair", "stiffiness": 0.7, "gravityPower": 2, "gravityDir": {"x": 0.5, "y": -0.5, "z": 0.25},
            "dragForce": 0.3, "center": -1, "hitRadius": 0.03, "bones": roots, "colliderGroups": [0],
        }],
        "colliderGroups": [{"node": roots[0], "colliders": [
            {"offset": {"x": 0.1, "y": 0.2, "z": 0.3}, "radius": 0.4}, {"offset": {"x": 0, "y": 0, "z": 0}, "radius": 0.5},
        ]}],
    })
}

/// The leg as a binary file.
pub(crate) fn leg_glb() -> Vec<u8> {
    let (document, bin) = leg();
    glb(&document, &[(b"BIN\0", &bin)])
}

/// The leg with animations: one that every kind of key moves: bytes, shorts, floats; sparse ones with and without a base; all ways.
pub(crate) fn mixed() -> (Value, Vec<u8>) {
    let (mut document, mut bin) = leg();
    let mut views = document["bufferViews"].as_array().unwrap().clone();
    let mut accessors = document["accessors"].as_array().unwrap().clone();
    let mut add = |bytes: Vec<u8>| {
        views.push(json!({"buffer": 0, "byteOffset": bin.len(), "byteLength": bytes.len()}));
        bin.extend(bytes);
        bin.resize(bin.len().next_multiple_of(4), 0);
        views.len() - 1
    };
    let floats = |numbers: &[f32]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let times = add(floats(&[0.5, 0.75, 1.5, 2.0]));
    let shorts: [i16; 16] = [0, 0, 0, 32767, 23170, 0, 0, 23170, 0, -32768, 0, 0, 0, 18000, 0, -27380];
    let shorts = add(shorts.iter().flat_map(|x| x.to_le_bytes()).collect());
    let bytes =
        add([0i8, 0, 0, 127, 90, 0, 0, 90, 0, 90, 0, -90, 0, 0, 127, 0].iter().map(|x| x.cast_unsigned()).collect());
    let mut spline = Vec::new();
    for key in 0..4u8 {
        let k = f32::from(key);
        spline.extend([0.3, -0.5 * k, 0.2, 0.0, k, 1.0 - k, 0.5 * k, 1.5, -0.7, 0.1 * k, 0.9, -0.2]);
    }
    let spline = add(floats(&spline));
    let base = add(floats(&[0.0, -1.0, 0.0, 0.1, -1.0, 0.0, 0.2, -1.0, 0.0, 0.3, -1.0, 0.0]));
    let at = add(vec![1, 3]);
    let instead = add(floats(&[5.0, 6.0, 7.0, 8.0, 9.0, 10.0]));
    let cubic = add(floats(&(0..36).map(|i| (i as f32 * 1.7).sin() + 0.5).collect::<Vec<_>>()));
    let first = accessors.len();
    let sparse =
        json!({"count": 2, "indices": {"bufferView": at, "componentType": 5121}, "values": {"bufferView": instead}});
    accessors.extend([
        json!({"bufferView": times, "componentType": 5126, "count": 4, "type": "SCALAR"}),
        json!({"bufferView": shorts, "componentType": 5122, "normalized": true, "count": 4, "type": "VEC4"}),
        json!({"bufferView": bytes, "componentType": 5120, "normalized": true, "count": 4, "type": "VEC4"}),
        json!({"bufferView": spline, "componentType": 5126, "count": 12, "type": "VEC4"}),
        json!({"bufferView": base, "componentType": 5126, "count": 4, "type": "VEC3", "sparse": sparse}),
        json!({"componentType": 5126, "count": 4, "type": "VEC3", "sparse": sparse}),
        json!({"bufferView": cubic, "componentType": 5126, "count": 12, "type": "VEC3"}),
        json!({"componentType": 5126, "count": 4, "type": "VEC3"}),
    ]);
    let clip = |name: &str, channels: &[(Value, usize, &str)]| {
        let samplers = channels
            .iter()
            .map(|(_, output, way)| json!({"input": first, "output": first + output, "interpolation": way}));
        let targets = channels.iter().enumerate().map(|(i, (target, ..))| json!({"sampler": i, "target": target}));
        json!({"name": name, "samplers": samplers.collect::<Vec<_>>(), "channels": targets.collect::<Vec<_>>()})
    };
    let to = |node: usize, path: &str| json!({"node": node, "path": path});
    let pointer = json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/2/scale"}}});
    document["animations"] = json!([
        clip(
            "linear",
            &[
                (to(1, "rotation"), 1, "LINEAR"),
                (to(2, "translation"), 4, "LINEAR"),
                (to(2, "rotation"), 2, "LINEAR"),
                (to(0, "weights"), 0, "LINEAR"),
            ]
        ),
        clip(
            "steps",
            &[(to(2, "rotation"), 1, "STEP"), (to(1, "scale"), 5, "STEP"), (to(0, "translation"), 4, "STEP")]
        ),
        clip(
            "splines",
            &[(to(1, "rotation"), 3, "CUBICSPLINE"), (pointer, 6, "CUBICSPLINE"), (to(1, "translation"), 7, "LINEAR")]
        ),
    ]);
    document["bufferViews"] = views.into();
    document["accessors"] = accessors.into();
    document["buffers"][0]["byteLength"] = bin.len().into();
    (document, bin)
}

pub(crate) fn file((document, bin): &(Value, Vec<u8>)) -> Vec<u8> {
    glb(document, &[(b"BIN\0", bin)])
}
