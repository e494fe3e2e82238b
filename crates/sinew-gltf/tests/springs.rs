//! Springs of VRM 0 and 1: which joints swing, about what, where their tails and colliders are in the scene,
//! compared with matrices multiplied from the raw JSON.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use crate::oracle;
use crate::sample;
use std::collections::BTreeSet;

use glam::DVec3;
use serde_json::{Value, json};
use sinew::Joint;
use sinew::springs::Shape;
use sinew_gltf::{Character, SpringJoint, SpringSpace};

/// A point of a node's frame in the scene.
fn placed(map: &oracle::Matrix, point: DVec3) -> DVec3 {
    let p = [point.x, point.y, point.z, 1.0];
    DVec3::from_array(std::array::from_fn(|row| (0..4).map(|column| map[column][row] * p[column]).sum()))
}

fn assert_near(found: DVec3, expected: DVec3) {
    assert!(found.distance(expected) < 1e-9, "{found} is not {expected}");
}

/// The character of a document with an extension, and the document.
fn with_extension(document: &Value, name: &str, extension: Value) -> (Character, Value) {
    let mut document = document.clone();
    document["extensions"][name] = extension;
    (sample::load(&document), document)
}

fn error(document: &Value, name: &str, extension: Value) -> String {
    let (character, _) = with_extension(document, name, extension);
    let text = character.spring_bones().unwrap_err().to_string();
    assert_eq!(text.lines().count(), 1);
    text
}

/// A root that is no joint, then joints 1 to 4 in a row (turned and scaled), 5 beside 4, and 6 below 4 that is no
/// joint. 7 hangs on 2 and is no joint.
fn tree() -> Value {
    let mut document = sample::nodes(&json!([
        {"children": [1], "translation": [0, 5, 0], "rotation": [0, 0.6, 0, 0.8], "scale": [4, 4, 4]},
        {"children": [2], "translation": [0, 1, 0], "rotation": [0.6, 0, 0, 0.8]},
        {"children": [3, 7], "translation": [0, 1, 0], "rotation": [0, 0, 0.8, 0.6]},
        {"children": [4, 5], "translation": [0.5, 1, 0], "scale": [0.5, 0.5, 0.5]},
        {"children": [6], "translation": [0, 1, 0.25]},
        {"translation": [0, 0, -3], "rotation": [0, 0.6, 0.8, 0]},
        {"translation": [0, 0.5, 0]},
        {"translation": [1, 2, 3], "rotation": [0, 0.8, 0, 0.6], "scale": [1, 1, 3]},
    ]));
    document["skins"] = json!([{"joints": [1, 2, 3, 4, 5]}]);
    document
}

/// The joint, its tail's node and its offset as the matrices have them.
fn assert_swings(character: &Character, document: &Value, swinging: &SpringJoint, tail: usize) {
    let maps = oracle::in_scene(document);
    let head = character.node(swinging.joint).unwrap();
    assert_eq!(swinging.tail, character.joint_of_node(tail), "below node {head}");
    let place = maps[tail][3];
    assert_near(placed(&maps[head], swinging.offset), DVec3::new(place[0], place[1], place[2]));
}

/// The nodes that swing, after a look at whether parents come first.
fn nodes(character: &Character, joints: &[SpringJoint]) -> Vec<usize> {
    assert!(joints.is_sorted_by_key(|swinging| swinging.joint.index()));
    let mut nodes: Vec<usize> = joints.iter().map(|swinging| character.node(swinging.joint).unwrap()).collect();
    nodes.sort_unstable();
    nodes
}

/// A file of the data with an extension put into it.
fn real(name: &str, extension: &str, value: Value) -> (Character, Value) {
    let file = std::fs::read(sample::data().join("gltf").join(name)).unwrap();
    let mut document = oracle::document(&file);
    document["extensions"][extension] = value;
    let character = Character::from_slice(&sample::with_document(&file, &document), None).unwrap();
    (character, document)
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn a_chain_of_vrm_1_in_a_real_file() {
    // The right arm, from the shoulder.
    let (character, document) = real("isBinary_Overridden.vrm", "VRMC_springBone", sample::vrm1_springs(&[5, 4, 3, 2]));
    let springs = character.spring_bones().unwrap();
    let shoulder = character.joint_of_node(5).unwrap();
    let [spring] = &springs.springs[..] else { panic!("{springs:?}") };
    assert_eq!((spring.name.as_str(), spring.space), ("hair", SpringSpace::Joint(shoulder)));
    assert_eq!(springs.collider_groups, [vec![0, 1, 2, 3, 4], vec![1]]);
    assert_eq!(spring.collider_groups, [1, 0]);
    assert_eq!(nodes(&character, &spring.joints), [3, 4, 5]);
    for (swinging, tail) in spring.joints.iter().zip([4, 3, 2]) {
        assert_swings(&character, &document, swinging, tail);
        assert_eq!((swinging.hit_radius, swinging.stiffness, swinging.drag), (0.02, 0.7, 0.3));
        assert_near(swinging.gravity, DVec3::new(1.2, -1.6, 0.0));
    }
    assert!(springs.colliders.iter().all(|collider| collider.joint == Some(shoulder)));
    let shapes: Vec<_> = springs.colliders.iter().map(|collider| collider.shape).collect();
    assert_eq!(
        shapes,
        [
            Shape::Sphere { center: DVec3::new(0.1, 0.2, 0.3), radius: 0.4, inside: false },
            Shape::Capsule { ends: [DVec3::Y, 2.0 * DVec3::Y], radius: 0.5, inside: false },
            Shape::Plane { point: 3.0 * DVec3::Y, normal: DVec3::Y },
            Shape::Sphere { center: DVec3::ZERO, radius: 6.0, inside: true },
            Shape::Capsule { ends: [DVec3::ZERO, DVec3::X], radius: 7.0, inside: true },
        ]
    );
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn subtrees_of_vrm_0_in_a_real_file() {
    const WRIST: usize = 17;
    let file = sample::data().join("gltf/cryptovoxels.vrm");
    let as_it_is = sinew_gltf::load(&file).unwrap();
    assert_eq!(as_it_is.spring_bones().unwrap(), sinew_gltf::SpringBones::default());
    let mut vrm = oracle::document(&std::fs::read(&file).unwrap())["extensions"]["VRM"].clone();
    vrm["secondaryAnimation"] = sample::vrm0_springs(&[WRIST, 41]);
    let (character, document) = real("cryptovoxels.vrm", "VRM", vrm);
    let springs = character.spring_bones().unwrap();
    let [spring] = &springs.springs[..] else { panic!("{springs:?}") };
    assert_eq!((spring.name.as_str(), spring.space), ("hair", SpringSpace::World));
    let children = |node: usize| document["nodes"][node]["children"].as_array().cloned().unwrap_or_default();
    let mut below = vec![WRIST, 41];
    let mut place = 0;
    while place < below.len() {
        below.extend(children(below[place]).iter().map(|child| child.as_u64().unwrap() as usize));
        place += 1;
    }
    let expected: BTreeSet<usize> = below.into_iter().filter(|&node| character.joint_of_node(node).is_some()).collect();
    let found = nodes(&character, &spring.joints);
    assert_eq!(found.iter().copied().collect::<BTreeSet<_>>(), expected);
    assert_eq!(found.len(), expected.len());
    assert!(found.len() > 20);
    let mut plain_tails = 0;
    for swinging in &spring.joints {
        let node = character.node(swinging.joint).unwrap();
        assert_eq!((swinging.hit_radius, swinging.stiffness, swinging.drag), (0.03, 0.7, 0.3));
        assert_eq!(swinging.gravity, DVec3::new(1.0, -1.0, -0.5), "z points the other way");
        assert_swings(&character, &document, swinging, children(node)[0].as_u64().unwrap() as usize);
        plain_tails += usize::from(swinging.tail.is_none());
    }
    assert!(plain_tails > 0, "ends of fingers are nodes of the file, but none of its skin");
    let wrist = character.joint_of_node(WRIST);
    assert!(springs.colliders.iter().all(|collider| collider.joint == wrist));
    let sphere = Shape::Sphere { center: DVec3::new(0.1, 0.2, -0.3), radius: 0.4, inside: false };
    assert_eq!(springs.colliders[0].shape, sphere);
    assert_eq!((springs.collider_groups, &spring.collider_groups), (vec![vec![0, 1]], &vec![0]));
}

/// The 7 cm are measured in the scene, with the scale of the joint, along the bone before.
#[test]
fn the_end_of_a_turned_and_scaled_joint_lies_along_its_bone() {
    let vrm = json!({"secondaryAnimation": {"boneGroups": [{"bones": [3]}]}});
    let (character, document) = with_extension(&tree(), "VRM", vrm);
    let mut joints = character.spring_bones().unwrap().springs.remove(0).joints;
    assert_eq!(nodes(&character, &joints), [3, 4, 5]);
    joints.sort_by_key(|swinging| character.node(swinging.joint));
    assert_swings(&character, &document, &joints[0], 4);
    // The child of 4 is no joint, yet it is the tail.
    assert_swings(&character, &document, &joints[1], 6);
    assert_eq!(joints[1].tail, None);
    let place = |node: usize| DVec3::from_array(oracle::position(&document, node));
    let end = placed(&oracle::in_scene(&document)[5], joints[2].offset) - place(5);
    assert!((end.length() - 2.0 * 0.07).abs() < 1e-12, "scales 4 and 0.5 leave 2");
    assert_near(end.normalize(), (place(5) - place(3)).normalize());
    // What VRM 0 does not say, as UniVRM has it.
    assert_eq!((joints[0].hit_radius, joints[0].stiffness, joints[0].drag), (0.02, 1.0, 0.4));
    assert_eq!(joints[0].gravity, DVec3::ZERO);
}

#[test]
fn chains_skip_nodes_and_end_where_they_end() {
    let chain = |nodes: &[usize]| {
        let joints: Vec<_> = nodes.iter().map(|node| json!({"node": node})).collect();
        json!({"joints": joints})
    };
    // The last begins at a node that is no joint, and so does not swing there.
    let springs = json!({"springs": [chain(&[1, 3, 6]), chain(&[2]), chain(&[]), chain(&[0, 7])]});
    let (character, document) = with_extension(&tree(), "VRMC_springBone", springs);
    let springs = character.spring_bones().unwrap().springs;
    assert_eq!(nodes(&character, &springs[0].joints), [1, 3]);
    assert_swings(&character, &document, &springs[0].joints[0], 3);
    assert_swings(&character, &document, &springs[0].joints[1], 6);
    assert!(springs[1..].iter().all(|spring| spring.joints.is_empty()));
    let first = springs[0].joints[0];
    assert_eq!((first.hit_radius, first.stiffness, first.gravity, first.drag), (0.0, 1.0, DVec3::ZERO, 0.5));
    assert_eq!(springs[0].space, SpringSpace::World);
}

/// Where a shape is in the scene does not depend on whether its node is a joint.
#[test]
fn colliders_and_centers_of_other_nodes_hang_on_the_joint_above() {
    let shapes = json!([
        {"sphere": {"offset": [0.1, 0.2, 0.3], "radius": 0.5}},
        {"capsule": {"offset": [0.1, 0.2, 0.3], "tail": [1, 0, 0], "radius": 0.5}},
        {"plane": {"offset": [0.1, 0.2, 0.3], "normal": [0, 0.6, 0.8]}},
    ]);
    for (node, holder) in [(7, Some(2)), (6, Some(4)), (0, None), (3, Some(3))] {
        let colliders: Vec<_> =
            shapes.as_array().unwrap().iter().map(|shape| json!({"node": node, "shape": shape})).collect();
        let springs = json!({"colliders": colliders, "springs": [{"center": node, "joints": []}]});
        let (character, document) = with_extension(&tree(), "VRMC_springBone", springs);
        let springs = character.spring_bones().unwrap();
        let joint: Option<Joint> = holder.and_then(|holder| character.joint_of_node(holder));
        assert_eq!(springs.springs[0].space, joint.map_or(SpringSpace::Model, SpringSpace::Joint));
        let maps = oracle::in_scene(&document);
        let offset = placed(&maps[node], DVec3::new(0.1, 0.2, 0.3));
        let at = |point: DVec3| holder.map_or(point, |holder| placed(&maps[holder], point));
        for collider in &springs.colliders {
            assert_eq!(collider.joint, joint);
            match collider.shape {
                Shape::Sphere { center, radius, .. } => {
                    assert_near(at(center), offset);
                    assert_eq!(radius, 0.5);
                }
                Shape::Capsule { ends, .. } => {
                    assert_near(at(ends[0]), offset);
                    assert_near(at(ends[1]), placed(&maps[node], DVec3::X));
                }
                Shape::Plane { point, normal } => {
                    assert_near(at(point), offset);
                    assert!((normal.length() - 1.0).abs() < 1e-12);
                    // Two directions in the plane stay in it, whatever the scale.
                    for along in [DVec3::X, DVec3::new(0.0, 0.8, -0.6)] {
                        let other = placed(&maps[node], DVec3::new(0.1, 0.2, 0.3) + along);
                        let inverse = holder.map_or(DVec3::ZERO, |holder| placed(&maps[holder], DVec3::ZERO));
                        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| at(axis) - inverse);
                        let local = solve(axes, other - offset);
                        assert!(local.dot(normal).abs() < 1e-9, "node {node}");
                    }
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(springs.colliders.len(), 3);
    }
}

/// Coordinates of a vector along three axes (Cramer's rule).
fn solve([x, y, z]: [DVec3; 3], v: DVec3) -> DVec3 {
    let volume = x.dot(y.cross(z));
    DVec3::new(v.dot(y.cross(z)), x.dot(v.cross(z)), x.dot(y.cross(v))) / volume
}

#[test]
fn what_files_in_the_wild_have_wrong_is_put_right() {
    let wild = json!({
        "colliders": [{"node": -1, "shape": {"sphere": {}}}, {"node": 1, "shape": {"cube": {}}}, {"node": 1}, {"node": 2, "shape": {"sphere": {"radius": -3}}}],
        "colliderGroups": [{"colliders": [0, 3, 2, -1, 1]}],
        "springs": [
            {"center": -1, "colliderGroups": [-1, 0], "joints": [{"node": 2, "dragForce": 7, "stiffness": -1, "hitRadius": -1}, {"node": 3}]},
            {"joints": [{"node": 1}, {"node": 2}, {"node": 4}, {"node": 6}]},
        ],
    });
    let (character, _) = with_extension(&tree(), "VRMC_springBone", wild);
    let springs = character.spring_bones().unwrap();
    assert_eq!((springs.colliders.len(), springs.collider_groups), (1, vec![vec![0]]));
    assert_eq!(springs.colliders[0].joint, character.joint_of_node(2));
    assert_eq!(springs.colliders[0].shape, Shape::Sphere { center: DVec3::ZERO, radius: 0.0, inside: false });
    let first = &springs.springs[0];
    assert_eq!((first.space, &first.collider_groups), (SpringSpace::World, &vec![0]));
    let joint = first.joints[0];
    assert_eq!((joint.drag, joint.stiffness, joint.hit_radius), (1.0, 0.0, 0.0));
    assert_eq!(nodes(&character, &springs.springs[1].joints), [1, 4], "2 belongs to the first spring");
    // Roots below one another, in any order, and twice.
    let vrm = json!({"secondaryAnimation": {"boneGroups": [{"bones": [4, 2, -1, 2]}, {"bones": [1, 5]}]}});
    let (character, _) = with_extension(&tree(), "VRM", vrm);
    let springs = character.spring_bones().unwrap().springs;
    assert_eq!(nodes(&character, &springs[0].joints), [2, 3, 4, 5]);
    assert_eq!(nodes(&character, &springs[1].joints), [1]);
}

/// A joint whose tail is at its own place has no direction.
#[test]
fn bones_without_length_do_not_swing() {
    let nodes_in_a_row = json!([{"children": [1]}, {"children": [2]}, {"children": [3], "translation": [0, 1, 0]}, {}]);
    let document = sample::nodes(&nodes_in_a_row);
    let vrm = json!({"secondaryAnimation": {"boneGroups": [{"bones": [0]}]}});
    let (character, _) = with_extension(&document, "VRM", vrm);
    assert_eq!(nodes(&character, &character.spring_bones().unwrap().springs[0].joints), [1]);
}

#[test]
fn versions_do_not_mix() {
    let (character, _) = with_extension(&tree(), "VRM", json!({"secondaryAnimation": sample::vrm0_springs(&[1])}));
    assert_eq!(character.spring_bones().unwrap().springs.len(), 1);
    let mut document = tree();
    document["extensions"] = json!({"VRM": {"secondaryAnimation": sample::vrm0_springs(&[1])}, "VRMC_vrm": {}});
    assert!(sample::load(&document).spring_bones().unwrap().springs.is_empty());
    document["extensions"]["VRMC_springBone"] = sample::vrm1_springs(&[3, 4]);
    let character = sample::load(&document);
    assert_eq!(nodes(&character, &character.spring_bones().unwrap().springs[0].joints), [3]);
}

#[test]
fn errors_name_their_place_and_the_character_loads() {
    let new = |change: &dyn Fn(&mut Value), place: &str| {
        let mut springs = sample::vrm1_springs(&[1, 2, 3]);
        change(&mut springs);
        let text = error(&tree(), "VRMC_springBone", springs);
        assert!(text.starts_with(&format!("glTF data: extensions.VRMC_springBone.{place}: ")), "{text}");
    };
    new(&|s| s["springs"][0]["joints"][1]["node"] = json!(99), "springs[0].joints[1].node");
    new(&|s| s["springs"][0]["joints"][1]["node"] = json!(null), "springs[0].joints[1].node");
    new(&|s| s["springs"][0]["joints"][1]["node"] = json!(-1), "springs[0].joints[1].node");
    new(&|s| s["springs"][0]["joints"][2]["node"] = json!(2), "springs[0].joints[2].node");
    new(&|s| s["springs"][0]["joints"][2]["node"] = json!(1), "springs[0].joints[2].node");
    new(&|s| s["springs"][0]["joints"][0]["node"] = json!(4), "springs[0].joints[1].node");
    new(&|s| s["springs"][0]["joints"][0]["stiffness"] = json!("x"), "springs[0].joints[0].stiffness");
    new(&|s| s["springs"][0]["joints"][0]["gravityDir"] = json!([0, 1]), "springs[0].joints[0].gravityDir");
    new(
        &|s| {
            s["springs"][0]["joints"][0]["gravityPower"] = json!(1.7e308);
            s["springs"][0]["joints"][0]["gravityDir"] = json!([0, -2, 0]);
        },
        "springs[0].joints[0].gravityPower",
    );
    new(&|s| s["springs"][0]["joints"] = json!(3), "springs[0].joints");
    new(&|s| s["springs"][0]["center"] = json!(8), "springs[0].center");
    new(&|s| s["springs"][0]["colliderGroups"] = json!([0, 2]), "springs[0].colliderGroups[1]");
    new(&|s| s["colliderGroups"][1]["colliders"] = json!([5]), "colliderGroups[1].colliders[0]");
    new(&|s| s["colliders"][0]["node"] = json!(8), "colliders[0].node");
    new(&|s| s["colliders"][1]["shape"]["capsule"]["tail"] = json!([1]), "colliders[1].shape.capsule.tail");
    new(
        &|s| {
            s["colliders"][2]["extensions"]["VRMC_springBone_extended_collider"]["shape"]["plane"]["normal"] =
                json!([0, 0, 0]);
        },
        "colliders[2].extensions.VRMC_springBone_extended_collider.shape.plane.normal",
    );
    let old = |change: &dyn Fn(&mut Value), place: &str| {
        let mut springs = sample::vrm0_springs(&[1, 2]);
        change(&mut springs);
        let text = error(&tree(), "VRM", json!({"secondaryAnimation": springs}));
        assert!(text.starts_with(&format!("glTF data: extensions.VRM.secondaryAnimation.{place}: ")), "{text}");
    };
    old(&|s| s["boneGroups"][0]["bones"] = json!([1, 8]), "boneGroups[0].bones[1]");
    old(&|s| s["boneGroups"][0]["stiffiness"] = json!([]), "boneGroups[0].stiffiness");
    old(&|s| s["boneGroups"][0]["gravityDir"] = json!([0, 1, 0]), "boneGroups[0].gravityDir");
    old(&|s| s["boneGroups"][0]["gravityDir"]["z"] = json!("1"), "boneGroups[0].gravityDir.z");
    old(&|s| s["boneGroups"][0]["center"] = json!(8), "boneGroups[0].center");
    old(&|s| s["boneGroups"][0]["colliderGroups"] = json!([1]), "boneGroups[0].colliderGroups[0]");
    old(&|s| s["colliderGroups"][0]["node"] = json!(8), "colliderGroups[0].node");
    old(&|s| s["colliderGroups"][0]["colliders"][1] = json!(0), "colliderGroups[0].colliders[1]");
}
