//! Which nodes become joints, and where they stand: compared with matrices multiplied from the raw JSON.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use crate::oracle;
use crate::sample;
use serde_json::{Value, json};
use sinew::Kind;
use sinew_gltf::Character;

/// Every joint that is a node stands where the document says, and hangs below its node's ancestor.
fn assert_agrees(character: &Character, document: &Value, tolerance: f64) {
    let rest = character.skeleton.rest_pose();
    let expected = oracle::in_scene(document);
    for joint in character.skeleton.iter() {
        let Some(node) = character.node(joint) else { continue };
        let found = rest.model(joint);
        for (column, expected) in
            [found.x_axis, found.y_axis, found.z_axis, found.translation].iter().zip(expected[node])
        {
            for (found, expected) in column.to_array().iter().zip(expected) {
                assert!((found - expected).abs() <= tolerance, "node {node}: {found} is not {expected}");
            }
        }
        assert_eq!(character.joint_of_node(node), Some(joint));
    }
}

/// Node indices of the joints, ascending, with an F behind fixed ones.
fn joints(character: &Character) -> String {
    let name = |node: usize| {
        let kind = character.joint_of_node(node).map(|joint| character.skeleton.kind(joint))?;
        Some(if kind == Kind::Fixed { format!("{node}F") } else { format!("{node}") })
    };
    (0..1000).filter_map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn joints_of_skins_with_what_lies_between_and_above() {
    let document = sample::skinned(
        &json!([
            {"children": [1], "rotation": [0.5, 0.5, 0.5, 0.5], "scale": [-0.3, 0.3, 0.3]},
            {"children": [2], "translation": [0, 0, 2]},
            {"children": [3], "translation": [1, 0, 0], "rotation": [0, 0, 0.6, 0.8]},
            {"children": [4, 5, 6], "scale": [1, 2, -1], "translation": [0, 1, 0]},
            {"translation": [0, 1, 0], "children": [7]},
            {"name": "weapon", "mesh": 0},
            {"translation": [3, 1, 0]},
            {"name": "hat"},
        ]),
        &json!([6, 4, 2]),
    );
    let mut document = document;
    document["meshes"] = json!([{"primitives": []}]);
    let character = sample::load(&document);
    assert_eq!(joints(&character), "2 3F 4 6");
    assert_agrees(&character, &document, 1e-12);
    let roots: Vec<_> = character.skeleton.roots().map(|root| character.node(root)).collect();
    assert_eq!(roots, [Some(2)]);
}

#[test]
fn skins_may_share_joints_and_have_several_roots() {
    let nodes =
        json!([{"children": [1, 2, 3]}, {"children": [4]}, {}, {"children": [5]}, {"translation": [0, 1, 0]}, {}]);
    let mut document = sample::nodes(&nodes);
    document["skins"] = json!([{"joints": [4, 1]}, {"joints": [1, 5, 4]}, {"joints": [2]}]);
    let character = sample::load(&document);
    assert_eq!(joints(&character), "1 2 4 5");
    assert_eq!(character.skeleton.roots().len(), 3);
}

#[test]
fn names_may_be_missing_or_repeated() {
    let nodes = json!([{"name": "bone", "children": [1]}, {"name": "bone", "children": [2], "translation": [0, 1, 0]}, {"translation": [0, 1, 0]}]);
    let character = sample::load(&sample::skinned(&nodes, &json!([0, 1, 2])));
    assert!(character.skeleton.joint("bone").is_err());
    let unnamed = character.joint_of_node(2).unwrap();
    assert_eq!(character.skeleton.name(unnamed), None);
    let tip = character.skeleton.children(unnamed).next().unwrap();
    assert!(character.is_inferred(tip) && character.skeleton.name(tip).is_none());
}

#[test]
fn matrices_become_parts() {
    let nodes = json!([
        {"children": [1], "matrix": [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 3, 0, 1]},
        {"children": [2], "matrix": [0, 2, 0, 0, -1, 0, 0, 0, 0, 0, -1, 0, 1, 2, 3, 1]},
        {"matrix": [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1]},
    ]);
    let document = sample::skinned(&nodes, &json!([1, 2]));
    // The sheared matrix lies above the root, where it does no harm.
    assert_agrees(&sample::load(&document), &document, 1e-12);
}

#[test]
fn rotations_are_renormalised() {
    let document =
        sample::nodes(&json!([{"rotation": [0, 0, 0.6001, 0.8001], "children": [1]}, {"translation": [0, 10, 0]}]));
    let character = sample::load(&document);
    let q = character.skeleton.rest(character.joint_of_node(0).unwrap()).rotation;
    assert!((q.length() - 1.0).abs() < 1e-15);
    assert_agrees(&character, &document, 1e-14);
}

fn humanoid(extension: &Value) -> Character {
    let mut document = sample::nodes(&json!([
        {"name": "root", "children": [1], "scale": [2, 2, 2]},
        {"name": "hips", "children": [2, 5]},
        {"name": "helper", "children": [3], "translation": [0, 1, 0]},
        {"name": "spine", "children": [4]},
        {"name": "hair", "translation": [0, 1, 0]},
        {"name": "tail", "translation": [0, 0, -1]},
        {"name": "elsewhere"},
    ]));
    document["extensions"] = extension.clone();
    sample::load(&document)
}

#[test]
fn humanoids_of_both_versions() {
    let vrm0 = json!({"VRM": {"humanoid": {"humanBones": [{"bone": "hips", "node": 1}, {"bone": "spine", "node": 3}, {"bone": "jaw", "node": -1}]}}});
    let vrm1 = json!({"VRMC_vrm": {"humanoid": {"humanBones": {"hips": {"node": 1}, "spine": {"node": 3}}}}});
    for extension in [vrm0, vrm1] {
        assert_eq!(joints(&humanoid(&extension)), "1 2F 3 4 5");
    }
}

#[test]
fn without_skin_or_humanoid_the_scene_is_the_skeleton() {
    let mut document = sample::nodes(&json!([{"children": [1]}, {"translation": [0, 1, 0]}, {}]));
    document["scenes"] = json!([{"nodes": [2]}, {"nodes": [0]}]);
    document["scene"] = json!(1);
    assert_eq!(joints(&sample::load(&document)), "0 1");
    document.as_object_mut().unwrap().remove("scene");
    assert_eq!(joints(&sample::load(&document)), "2");
    document.as_object_mut().unwrap().remove("scenes");
    assert_eq!(joints(&sample::load(&document)), "0 1 2");
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn the_characters_of_the_data_stand_where_their_files_say() {
    let data = sample::data();
    let index: Value = serde_json::from_slice(&std::fs::read(data.join("gltf/index.json")).unwrap()).unwrap();
    for entry in index.as_array().unwrap().iter().filter(|entry| entry["nodes"].is_u64()) {
        let file = data.join(entry["file"].as_str().unwrap());
        let character = sinew_gltf::load(&file).unwrap();
        let document = oracle::document(&std::fs::read(&file).unwrap());
        let height = character.height();
        assert_agrees(&character, &document, 1e-6 * height.max(1.0));
        let expected = entry["height_y"].as_f64().unwrap_or(height);
        println!("{}: {} joints, height {height:.4}", entry["file"], character.skeleton.len());
        assert!((height - expected).abs() < 1e-3 * expected, "{}: height {height}, not {expected}", file.display());
        for node in document["skins"][0]["joints"].as_array().into_iter().flatten() {
            assert!(character.joint_of_node(node.as_u64().unwrap() as usize).is_some());
        }
    }
}
