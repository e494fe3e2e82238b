//! Ends of bones, from mesh and from the bone before.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use crate::sample;
use glam::DVec3;
use serde_json::{Value, json};
use sinew_gltf::Character;

/// The inferred tip below a node, in the node's space.
fn tip(character: &Character, node: usize) -> Option<DVec3> {
    let joint = character.joint_of_node(node)?;
    let child = character.skeleton.children(joint).find(|&child| character.is_inferred(child))?;
    assert_eq!(character.node(child), None);
    Some(character.skeleton.rest(child).translation)
}

fn assert_tip(character: &Character, node: usize, expected: [f64; 3]) {
    let found = tip(character, node).expect("a tip");
    assert!(found.distance(expected.into()) < 1e-6, "{found} is not {expected:?}");
}

#[test]
fn flesh_ends_the_bone() {
    let character = Character::from_slice(&sample::leg_glb(), None).unwrap();
    assert_tip(&character, 2, [0.0, -0.75, 0.0]);
    assert_eq!(character.skeleton.name(character.skeleton.joint("shin_tip").unwrap()), Some("shin_tip"));
    assert!((character.height() - 1.75).abs() < 1e-6);
}

#[test]
fn flesh_that_turns_away_has_its_own_direction() {
    let (mut document, bin) = sample::leg();
    // The thigh now comes from the side: the mesh of the shin no longer continues it.
    document["nodes"][2]["translation"] = json!([1, 0, 0]);
    let character = Character::from_slice(&sample::glb(&document, &[(b"BIN\0", &bin)]), None).unwrap();
    assert_tip(&character, 2, [0.0, -0.75, 0.0]);
}

#[test]
fn a_mesh_on_a_joint_without_skin_is_its_flesh() {
    let (mut document, bin) = sample::leg();
    let root = document.as_object_mut().unwrap();
    root.remove("skins");
    root["nodes"][0].as_object_mut().unwrap().remove("skin");
    root["nodes"][2]["mesh"] = json!(0);
    let character = Character::from_slice(&sample::glb(&document, &[(b"BIN\0", &bin)]), None).unwrap();
    assert_tip(&character, 2, [0.0, -1.75, 0.0]);
}

#[test]
fn without_flesh_the_bone_before_is_repeated() {
    let nodes = json!([
        {"children": [1], "scale": [1, 2, 1]},
        {"children": [2], "translation": [0, 1, 0]},
        {"translation": [0, 0, 3], "rotation": [1, 0, 0, 0], "scale": [1, 1, -0.5]},
    ]);
    // Turned by half a turn about x, then mirrored and halved along z: 3 becomes -3, then 6.
    assert_tip(&sample::load(&sample::nodes(&nodes)), 2, [0.0, 0.0, 6.0]);
}

#[test]
fn no_tip_where_nothing_says_where() {
    let single = sample::load(&sample::nodes(&json!([{}])));
    assert_eq!(single.skeleton.len(), 1);
    let zero_length = sample::load(&sample::nodes(&json!([{"children": [1]}, {}])));
    assert_eq!(zero_length.skeleton.len(), 2);
    let singular =
        sample::load(&sample::nodes(&json!([{"children": [1]}, {"translation": [0, 1, 0], "scale": [0, 0, 0]}])));
    assert_eq!(singular.skeleton.len(), 2);
    let end = sample::load(&sample::nodes(&json!([{"children": [1]}, {"translation": [0, 1, 0], "name": "Head_End"}])));
    assert_eq!(end.skeleton.len(), 2);
}

/// Mesh that cannot be read or is no mesh leaves the bone before.
#[test]
fn broken_flesh_is_no_flesh() {
    let changes: [fn(&mut Value); 4] = [
        |d| d["accessors"][0] = json!({"componentType": 5126, "count": 4, "type": "VEC3"}),
        |d| d["skins"][0] = json!({"joints": [1, 2], "inverseBindMatrices": 4}),
        |d| d["meshes"] = json!([{"primitives": [{"attributes": {}}]}]),
        |d| d["nodes"][0] = json!({}),
    ];
    for change in changes {
        let (mut document, bin) = sample::leg();
        document["accessors"].as_array_mut().unwrap().push(json!({"componentType": 5126, "count": 2, "type": "MAT4"}));
        change(&mut document);
        let character = Character::from_slice(&sample::glb(&document, &[(b"BIN\0", &bin)]), None).unwrap();
        assert_tip(&character, 2, [0.0, -1.0, 0.0]);
    }
}
