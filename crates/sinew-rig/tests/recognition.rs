//! Recognition on rigs of others, on the names of every program, and on shape alone.
#![allow(clippy::unwrap_used, reason = "tests")]

use crate::bvh;
use std::path::PathBuf;

use serde_json::Value;
use sinew::glam::DVec3;
use sinew::{Joint, JointSpec, Skeleton, SkeletonBuilder};
use sinew_gltf::Character;
use sinew_rig::{BodyKind, Digit, Evidence, Limb, LimbKind, Part, Recognition, Role, Side, recognize};

/// A folder of real files.
fn data(folder: &str) -> PathBuf {
    PathBuf::from(std::env::var_os("SINEW_TEST_DATA").expect("SINEW_TEST_DATA names the folder of real files"))
        .join(folder)
}

fn of_file(character: &Character) -> Recognition {
    recognize(&Evidence::of_character(character))
}

/// The kind and side that `index.json` means by a chain's name.
fn meant(name: &str, fore: bool) -> Option<(LimbKind, Option<Side>, Option<bool>)> {
    let side =
        [("left_", Side::Left), ("right_", Side::Right)].into_iter().find(|(prefix, _)| name.starts_with(prefix));
    let kind = match name.rsplit('_').next()? {
        "arm" if fore => LimbKind::Leg,
        "arm" => LimbKind::Arm,
        "leg" => LimbKind::Leg,
        "tail" => LimbKind::Tail,
        "neck" | "head" => LimbKind::Head,
        "chain" => LimbKind::Chain,
        _ => return None,
    };
    let front = (fore && kind == LimbKind::Leg).then_some(name.ends_with("arm"));
    Some((kind, side.map(|(_, side)| side), front))
}

/// Whether the limb is the chain: its joints are the chain's, but for one at the chain's root that may be the
/// joint on which it hangs, or a collar bone.
fn is_chain(limb: &Limb, chain: &[Joint]) -> bool {
    let [_, rest @ ..] = chain else { return false };
    let whole = |wanted: &[Joint]| !wanted.is_empty() && wanted.iter().all(|joint| limb.joints.contains(joint));
    let spare = limb.joints.iter().filter(|joint| !chain.contains(joint)).count();
    (whole(chain) || whole(rest)) && spare <= 1
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn every_limb_that_is_listed_is_found_and_none_is_invented() {
    let folder = data("gltf");
    let index: Value = serde_json::from_slice(&std::fs::read(folder.join("index.json")).unwrap()).unwrap();
    let mut checked = 0;
    for entry in index.as_array().unwrap() {
        let file = entry["file"].as_str().unwrap().trim_start_matches("gltf/");
        let Some(chains) = entry["chains"].as_object() else { continue };
        let character = sinew_gltf::load(folder.join(file)).unwrap();
        let found = of_file(&character);
        let fore = chains.get("note").is_some_and(|note| note.as_str().unwrap().contains("fore legs"));
        let joint = |entry: &Value| match entry {
            Value::String(name) => character.skeleton.joint(name).unwrap(),
            // CesiumMan_embedded has its nodes in the same order after all.
            other => character.joint_of_node(usize::try_from(other.as_u64().unwrap()).unwrap()).unwrap(),
        };
        let joints = |chain: &Value| -> Vec<Joint> {
            let listed: Vec<&Value> =
                chain.as_array().unwrap().iter().filter(|entry| entry.as_str() != Some("...")).collect();
            listed.into_iter().map(joint).collect()
        };
        let mut listed = [0, 0];
        for (name, chain) in chains.iter().filter(|(name, _)| *name != "note") {
            if name == "legs" {
                for leg in chain.as_array().unwrap() {
                    let leg = joints(leg);
                    assert!(
                        found.limbs.iter().any(|limb| limb.kind == LimbKind::Leg && limb.joints == leg),
                        "{file}: {leg:?}"
                    );
                    listed[1] += 1;
                    checked += 1;
                }
                continue;
            }
            let chain = joints(chain);
            checked += 1;
            if name == "spine_head" {
                let of = |kind| found.limb(kind, None).unwrap().joints.clone();
                assert_eq!([of(LimbKind::Spine), of(LimbKind::Head)].concat(), chain, "{file}");
                continue;
            }
            let (kind, side, front) = meant(name, fore).unwrap();
            let fits = |limb: &&Limb| limb.kind == kind && limb.side == side && limb.front == front;
            let limb = found.limbs.iter().find(fits).unwrap_or_else(|| panic!("{file}: no {name}"));
            match kind {
                LimbKind::Chain => assert_eq!((limb.joints[0], limb.joints.last()), (chain[0], chain.last()), "{file}"),
                _ => assert!(is_chain(limb, &chain), "{file}: {name} {chain:?}, found {limb:?}"),
            }
            listed[usize::from(kind == LimbKind::Leg)] += usize::from(matches!(kind, LimbKind::Arm | LimbKind::Leg));
        }
        // Arms and legs beyond those listed would be invented; a note may list them in words.
        let count = |kind| found.limbs.iter().filter(|limb| limb.kind == kind).count();
        if listed != [0, 0] {
            assert_eq!([count(LimbKind::Arm), count(LimbKind::Leg)], listed, "{file}");
        }
    }
    assert!(checked > 60, "{checked}");
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn rigs_of_others_are_known_by_shape_alone() {
    let folder = data("gltf");
    for (file, swapped) in [
        ("Fox.glb", false),
        ("kaykit_Knight.glb", false),
        ("wildjam_Player.glb", false),
        ("cryptovoxels.vrm", false),
        // Its names have left and right as one who stands before it does.
        ("godot_platformer_player.glb", true),
        ("godot_platformer_enemy.glb", true),
        ("odd/hexapod.glb", false),
    ] {
        let character = sinew_gltf::load(folder.join(file)).unwrap();
        let (named, skeleton) = (of_file(&character), &character.skeleton);
        let silent = skeleton.revised(|_, spec| spec.name = None).unwrap();
        let same = |joint: Joint| silent.at(joint.index()).unwrap();
        let shaped = recognize(&Evidence {
            control_joints: character.control_joints().into_iter().map(same).collect(),
            tips: skeleton.iter().filter(|&joint| character.is_inferred(joint)).map(same).collect(),
            ..Evidence::of(&silent)
        });
        assert_eq!(named.body, shaped.body, "{file}");
        assert!(named.forward.distance(shaped.forward) < 1e-3, "{file}: {} {}", named.forward, shaped.forward);
        let count = |found: &Recognition, kind| found.limbs.iter().filter(|limb| limb.kind == kind).count();
        for kind in [LimbKind::Arm, LimbKind::Leg, LimbKind::Spine, LimbKind::Head, LimbKind::Tail] {
            assert_eq!(count(&named, kind), count(&shaped, kind), "{file}: {kind:?}");
        }
        for limb in named.limbs.iter().filter(|limb| !matches!(limb.kind, LimbKind::Finger(_))) {
            let side = if swapped { limb.side.map(Side::other) } else { limb.side };
            let own: Vec<Joint> = limb.joints.iter().copied().map(same).collect();
            let alike = |other: &&Limb| {
                let shared = own.iter().filter(|joint| other.joints.contains(joint)).count();
                (other.kind, other.side, other.front) == (limb.kind, side, limb.front) && shared + 1 >= own.len()
            };
            assert!(shaped.limbs.iter().any(|other| alike(&other)), "{file}: {limb}: {:#?}", shaped.limbs);
        }
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn what_is_no_body_has_no_limbs() {
    let folder = data("gltf");
    for file in ["wildjam_Slime.glb", "SimpleSkin.gltf", "parent_inverse_anim.gltf"] {
        let found = of_file(&sinew_gltf::load(folder.join(file)).unwrap());
        assert!(found.limbs.is_empty() && found.body == BodyKind::Other, "{file}: {:?}", found.limbs);
    }
    for file in ["webxr_hand_left.glb", "webxr_hand_right.glb"] {
        let found = of_file(&sinew_gltf::load(folder.join(file)).unwrap());
        let digits: Vec<LimbKind> = found.limbs.iter().map(|limb| limb.kind).collect();
        assert_eq!(
            (digits, found.body),
            (Digit::ALL.map(|digit| LimbKind::Finger(Some(digit))).to_vec(), BodyKind::Hand)
        );
        assert!(found.limbs.iter().all(|limb| limb.reason.contains("parent them") && limb.confidence < 0.7));
    }
}

/// All that arms, legs, spine and head of motion capture rigs must hold, by their names and without them.
#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn motion_capture_rigs_are_humans_also_without_names() {
    let folder = data("bvh");
    for (file, digits) in [
        ("cmu_12_01_walk", 4),
        ("cmu_131_01_start_walk_stop", 2),
        ("fair1_dab", 2),
        ("makehuman_walk1", 10),
        ("makehuman_tpose", 10),
        ("freebvh", 10),
        ("pymo_8walk", 2),
        ("geno_bind", 10),
        ("toolbox_walk01", 0),
    ] {
        let text =
            String::from_utf8_lossy(&std::fs::read(folder.join(file).with_extension("bvh")).unwrap()).into_owned();
        let (skeleton, tips) = bvh::skeleton(&text, |name| Some(name.to_owned()));
        let named = recognize(&Evidence { tips, ..Evidence::of(&skeleton) });
        let (silent, tips) = bvh::skeleton(&text, |_| None);
        let shaped = recognize(&Evidence { tips, ..Evidence::of(&silent) });
        let fingers = named.limbs.iter().filter(|limb| matches!(limb.kind, LimbKind::Finger(_))).count();
        assert_eq!((named.body, shaped.body, fingers), (BodyKind::Humanoid, BodyKind::Humanoid, digits), "{file}");
        assert!(named.forward.distance(shaped.forward) < 0.01, "{file}");
        for side in [Side::Left, Side::Right] {
            for part in
                [Part::Shoulder, Part::UpperArm, Part::LowerArm, Part::Hand, Part::UpperLeg, Part::LowerLeg, Part::Foot]
            {
                let joint = |found: &Recognition, skeleton: &Skeleton| {
                    found.joint(skeleton, Role::on(side, part)).map(Joint::index)
                };
                let name = joint(&named, &skeleton).unwrap_or_else(|| panic!("{file}: no {part:?}"));
                // Without names a bone that is split in two is longer than either half says: one joint off.
                let shape = joint(&shaped, &silent).unwrap_or_else(|| panic!("{file}: no {part:?} by shape"));
                let split = if file == "makehuman_tpose" { 3 } else { 1 };
                assert!(name.abs_diff(shape) <= split, "{file}: {side:?} {part:?} is {name}, by shape {shape}");
            }
        }
        for kind in [LimbKind::Spine, LimbKind::Head] {
            let (name, shape) = (named.limb(kind, None).unwrap(), shaped.limb(kind, None).unwrap());
            assert_eq!(name.joints[0].index(), shape.joints[0].index(), "{file}: {kind:?}");
        }
    }
}

/// Names of a human's joints, in this order; `L` and `R` stand for whatever the program writes.
const ORDER: [&str; 23] = [
    "hips",
    "spine",
    "chest",
    "neck",
    "head",
    "shoulder L",
    "upper arm L",
    "lower arm L",
    "hand L",
    "thumb L",
    "index L",
    "shoulder R",
    "upper arm R",
    "lower arm R",
    "hand R",
    "thumb R",
    "index R",
    "upper leg L",
    "lower leg L",
    "foot L",
    "upper leg R",
    "lower leg R",
    "foot R",
];

/// Parent, and place in centimetres, of each.
const HUMAN: [(usize, [i32; 3]); 23] = [
    (0, [0, 95, 0]),
    (0, [0, 105, 0]),
    (1, [0, 125, 0]),
    (2, [0, 150, 0]),
    (3, [0, 160, 2]),
    (2, [3, 145, 0]),
    (5, [18, 145, 0]),
    (6, [46, 145, -1]),
    (7, [70, 145, 0]),
    (8, [74, 144, 4]),
    (8, [80, 145, 2]),
    (2, [-3, 145, 0]),
    (11, [-18, 145, 0]),
    (12, [-46, 145, -1]),
    (13, [-70, 145, 0]),
    (14, [-74, 144, 4]),
    (14, [-80, 145, 2]),
    (0, [9, 92, 0]),
    (17, [9, 50, 1]),
    (18, [9, 8, -1]),
    (0, [-9, 92, 0]),
    (20, [-9, 50, 1]),
    (21, [-9, 8, -1]),
];

/// The human under other names; what hangs on nothing in the list is added at the end.
fn human(names: &[&str], more: &[(&str, &str)]) -> Skeleton {
    let place = |index: usize| DVec3::from_array(HUMAN[index].1.map(|x| f64::from(x) * 0.01));
    let mut builder = SkeletonBuilder::new();
    for (index, name) in names.iter().enumerate() {
        let spec = JointSpec::named(*name);
        builder.add(if index == 0 {
            spec.translation(place(0))
        } else {
            spec.child_of(HUMAN[index].0).translation(place(index) - place(HUMAN[index].0))
        });
    }
    for (name, parent) in more {
        builder.add(JointSpec::named(*name).child_of(*parent).translation([0.01, 0.02, 0.1]));
    }
    builder.build().expect("a tree")
}

/// Program; names of hips, spine, chest, neck and head; of the left arm with thumb and index finger and of the left
/// leg; and what makes a left name a right one.
const PROGRAMS: [(&str, &str, &str, [&str; 2]); 11] = [
    (
        "Mixamo",
        "mixamorig:Hips|mixamorig:Spine|mixamorig:Spine1|mixamorig:Neck|mixamorig:Head",
        "mixamorig:LeftShoulder|mixamorig:LeftArm|mixamorig:LeftForeArm|mixamorig:LeftHand|mixamorig:LeftHandThumb1|\
         mixamorig:LeftHandIndex1|mixamorig:LeftUpLeg|mixamorig:LeftLeg|mixamorig:LeftFoot",
        ["Left", "Right"],
    ),
    (
        "Unreal",
        "pelvis|spine_01|spine_02|neck_01|head",
        "clavicle_l|upperarm_l|lowerarm_l|hand_l|thumb_01_l|index_01_l|thigh_l|calf_l|foot_l",
        ["_l", "_r"],
    ),
    (
        "Rigify",
        "DEF-spine|DEF-spine.001|DEF-spine.002|DEF-spine.005|DEF-spine.006",
        "DEF-shoulder.L|DEF-upper_arm.L|DEF-forearm.L|DEF-hand.L|DEF-thumb.01.L|DEF-f_index.01.L|DEF-thigh.L|\
         DEF-shin.L|DEF-foot.L",
        [".L", ".R"],
    ),
    (
        "Unity",
        "Hips|Spine|Chest|Neck|Head",
        "LeftShoulder|LeftUpperArm|LeftLowerArm|LeftHand|LeftThumbProximal|LeftIndexProximal|LeftUpperLeg|\
         LeftLowerLeg|LeftFoot",
        ["Left", "Right"],
    ),
    (
        "3ds Max Biped",
        "Bip01 Pelvis|Bip01 Spine|Bip01 Spine1|Bip01 Neck|Bip01 Head",
        "Bip01 L Clavicle|Bip01 L UpperArm|Bip01 L Forearm|Bip01 L Hand|Bip01 L Finger0|Bip01 L Finger1|\
         Bip01 L Thigh|Bip01 L Calf|Bip01 L Foot",
        [" L ", " R "],
    ),
    (
        "VRoid",
        "J_Bip_C_Hips|J_Bip_C_Spine|J_Bip_C_Chest|J_Bip_C_Neck|J_Bip_C_Head",
        "J_Bip_L_Shoulder|J_Bip_L_UpperArm|J_Bip_L_LowerArm|J_Bip_L_Hand|J_Bip_L_Thumb1|J_Bip_L_Index1|\
         J_Bip_L_UpperLeg|J_Bip_L_LowerLeg|J_Bip_L_Foot",
        ["_L_", "_R_"],
    ),
    (
        "Daz",
        "hip|abdomenLower|chestLower|neckLower|head",
        "lCollar|lShldrBend|lForearmBend|lHand|lThumb1|lIndex1|lThighBend|lShin|lFoot",
        ["^l", "r"],
    ),
    (
        "Character Creator",
        "CC_Base_Hip|CC_Base_Waist|CC_Base_Spine01|CC_Base_NeckTwist01|CC_Base_Head",
        "CC_Base_L_Clavicle|CC_Base_L_Upperarm|CC_Base_L_Forearm|CC_Base_L_Hand|CC_Base_L_Thumb1|CC_Base_L_Index1|\
         CC_Base_L_Thigh|CC_Base_L_Calf|CC_Base_L_Foot",
        ["_L_", "_R_"],
    ),
    (
        "MMD",
        "下半身|上半身|上半身2|首|頭",
        "左肩|左腕|左ひじ|左手首|左親指０|左人指１|左足|左ひざ|左足首",
        ["左", "右"],
    ),
    (
        "names",
        "body|torso|upper body|neck|head",
        "left collar|left shoulder|left elbow|left wrist|left thumb|left index finger|left hip|left knee|left ankle",
        ["left", "right"],
    ),
    (
        "names",
        "pelvis|belly|ribs|neck|skull",
        "lclavicle|lbicep|lforearm|lhand|lthumb|lindex|lthigh|lshin|lfoot",
        ["^l", "r"],
    ),
];

/// A program's names in the order of [`ORDER`].
fn names_of(middle: &str, left: &str, [from, to]: [&str; 2]) -> Vec<String> {
    let own: Vec<String> = left.split('|').map(str::to_owned).collect();
    let mirror = |name: &String| match from.strip_prefix('^') {
        Some(first) => name.replacen(first, to, 1),
        None => name.replace(from, to),
    };
    let right: Vec<String> = own.iter().map(mirror).collect();
    let middle = middle.split('|').map(str::to_owned).collect::<Vec<_>>();
    [&middle[..], &own[..6], &right[..6], &own[6..], &right[6..]].concat()
}

/// The role that an entry of [`ORDER`] stands for.
fn role_of(entry: &str) -> Role {
    let entry = entry.replace("index", "index finger 1").replace("thumb", "thumb 1");
    let (words, side) = [(" L", "left "), (" R", "right ")]
        .into_iter()
        .find_map(|(end, side)| Some((entry.replace(end, ""), side)).filter(|_| entry.contains(end)))
        .unwrap_or((entry.clone(), ""));
    Role::from_words(&format!("{side}{words}")).unwrap()
}

#[test]
fn the_names_of_every_program() {
    for (program, middle, left, mirror) in PROGRAMS {
        let names = names_of(middle, left, mirror);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let hand = names[8];
        let skeleton = human(&names, &[("hand_ik.L", hand), ("upperarm_twist_01", names[6]), ("Hair_01", names[4])]);
        let found = recognize(&Evidence::of(&skeleton));
        assert_eq!(found.body, BodyKind::Humanoid, "{program}");
        let joint = |index: usize| skeleton.joint(names[index]).unwrap();
        for (index, entry) in ORDER.iter().enumerate() {
            let got = found.role(joint(index)).map(|guess| guess.role);
            assert_eq!(got, Some(role_of(entry)), "{program}: {}", names[index]);
        }
        let arm = found.limb(LimbKind::Arm, Some(Side::Left)).unwrap();
        let wanted = if program == "names" { "names" } else { program };
        assert!(arm.reason.contains(wanted) && arm.confidence > 0.85, "{program}: {arm:?}");
        // Controls, twist bones and hair are no part of any limb.
        for name in ["hand_ik.L", "upperarm_twist_01", "Hair_01"] {
            let aside = skeleton.joint(name).unwrap();
            assert!(found.limbs.iter().all(|limb| !limb.joints.contains(&aside)), "{program}: {name}");
        }
    }
}

/// Joints that only lead to a finger and bear its number, as in `MakeHuman`'s clips, are none of it.
#[test]
fn what_leads_to_a_finger_is_none_of_it() {
    let mut builder = SkeletonBuilder::new();
    let mut parent = "Hand_L";
    builder.add(JointSpec::named(parent));
    for name in ["__Thumb1_L", "Thumb1_L", "Thumb2_L", "Thumb3_L"] {
        builder.add(JointSpec::named(name).child_of(parent).translation([0.02, 0.0, 0.01]));
        parent = name;
    }
    let hand = builder.build().unwrap();
    let found = recognize(&Evidence::of(&hand));
    let joint = |name: &str| hand.joint(name).unwrap();
    for (place, name) in ["Thumb1_L", "Thumb2_L", "Thumb3_L"].into_iter().enumerate() {
        let place = u8::try_from(place).unwrap();
        let role = Role::on(Side::Left, Part::Finger(Digit::Thumb, place));
        assert_eq!(found.joint(&hand, role), Some(joint(name)), "{name}");
    }
    assert!(found.role(joint("__Thumb1_L")).is_none());
}

#[test]
fn names_that_mislead_yield_to_shape() {
    // Arms called legs and legs called arms.
    let swapped = ORDER.map(|name| match name.split_once(' ') {
        Some(("upper", rest)) => {
            if rest.starts_with("arm") {
                rest.replace("arm", "thigh")
            } else {
                rest.replace("leg", "upperarm")
            }
        }
        Some(("lower", rest)) => {
            if rest.starts_with("arm") {
                rest.replace("arm", "shin")
            } else {
                rest.replace("leg", "forearm")
            }
        }
        Some(("hand", rest)) => format!("foot {rest}"),
        Some(("foot", rest)) => format!("hand {rest}"),
        Some(("shoulder", rest)) => format!("hip {rest}"),
        _ => name.to_owned(),
    });
    let names: Vec<&str> = swapped.iter().map(String::as_str).collect();
    let skeleton = human(&names, &[]);
    let found = recognize(&Evidence::of(&skeleton));
    for (kind, first) in [(LimbKind::Arm, 5), (LimbKind::Leg, 17)] {
        let limb = found.limb(kind, Some(Side::Left)).unwrap();
        assert_eq!(limb.joints[0], skeleton.joint(names[first]).unwrap(), "{kind:?}");
        assert!(limb.reason.contains("its names say") && limb.confidence < 0.8, "{limb:?}");
    }
}

#[test]
fn rows_of_numbers_and_two_bodies_in_a_file() {
    // As in Khronos' RiggedFigure, twice.
    let row = |body: usize| {
        let left = [
            "arm_joint_L_1",
            "arm_joint_L_2",
            "arm_joint_L_3",
            "arm_joint_L_4",
            "x",
            "y",
            "leg_joint_L_1",
            "leg_joint_L_2",
            "leg_joint_L_3",
        ];
        let middle = "torso_joint_1|torso_joint_2|torso_joint_3|neck_joint_1|neck_joint_2";
        let names = names_of(middle, &left.join("|"), ["_L_", "_R_"]);
        names.into_iter().map(move |name| format!("{name}.{body}")).collect::<Vec<_>>()
    };
    let mut builder = SkeletonBuilder::new();
    for body in 0..2 {
        let names = row(body);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let one = human(&names, &[]);
        let first = body * names.len();
        for index in 0..one.len() {
            let joint = one.from_caller(index).unwrap();
            let aside = DVec3::X * if one.parent(joint).is_none() { 3.0 * body as f64 } else { 0.0 };
            let spec = JointSpec::named(one.name(joint).unwrap()).translation(one.rest(joint).translation + aside);
            builder.add(match one.parent(joint) {
                Some(parent) => spec.child_of(first + one.caller_index(parent)),
                None => spec,
            });
        }
    }
    let skeleton = builder.build().unwrap();
    let found = recognize(&Evidence::of(&skeleton));
    assert_eq!(found.body, BodyKind::Humanoid);
    let count = |kind| found.limbs.iter().filter(|limb| limb.kind == kind).count();
    assert_eq!([LimbKind::Arm, LimbKind::Leg, LimbKind::Spine, LimbKind::Head].map(count), [4, 4, 2, 2]);
    for body in 0..2 {
        for (name, role) in [
            ("arm_joint_L_2", Role::on(Side::Left, Part::UpperArm)),
            ("arm_joint_R_4", Role::on(Side::Right, Part::Hand)),
            ("leg_joint_L_3", Role::on(Side::Left, Part::Foot)),
            ("neck_joint_2", Role::middle(Part::Head)),
        ] {
            let joint = skeleton.joint(&format!("{name}.{body}")).unwrap();
            assert_eq!(found.role(joint).map(|guess| guess.role), Some(role), "{name}");
        }
    }
}

#[test]
fn a_beast_without_names() {
    let mut builder = SkeletonBuilder::new();
    let mut add = |parent: Option<usize>, x: f64, y: f64, z: f64| {
        let spec = JointSpec::default().translation([x, y, z]);
        builder.add(match parent {
            Some(parent) => spec.child_of(parent),
            None => spec,
        })
    };
    let hips = add(None, 0.0, 0.7, -0.5);
    let spine = add(Some(hips), 0.0, 0.05, 0.45);
    let chest = add(Some(spine), 0.0, 0.0, 0.45);
    let neck = add(Some(chest), 0.0, 0.15, 0.15);
    let head = add(Some(neck), 0.0, 0.2, 0.1);
    let mut tail = hips;
    for _ in 0..4 {
        tail = add(Some(tail), 0.0, 0.02, -0.15);
    }
    let mut legs = Vec::new();
    for (at, down) in [(chest, 0.37), (hips, 0.34)] {
        for x in [0.12, -0.12] {
            let thigh = add(Some(at), x, -0.02, 0.0);
            let shin = add(Some(thigh), 0.0, -down, 0.02);
            legs.push((thigh, add(Some(shin), 0.0, -0.33, -0.03)));
        }
    }
    let skeleton = builder.build().unwrap();
    let found = recognize(&Evidence::of(&skeleton));
    let of = |index: usize| skeleton.from_caller(index).unwrap();
    assert_eq!((found.body, found.forward), (BodyKind::Quadruped, DVec3::Z), "{found:?}");
    let sides = [(true, Side::Left), (true, Side::Right), (false, Side::Left), (false, Side::Right)];
    for ((front, side), (first, last)) in sides.into_iter().zip(legs) {
        let fits = |limb: &&Limb| limb.kind == LimbKind::Leg && limb.front == Some(front) && limb.side == Some(side);
        let leg = found.limbs.iter().find(fits).unwrap_or_else(|| panic!("no {front} {side:?}: {:#?}", found.limbs));
        assert_eq!((leg.joints[0], *leg.joints.last().unwrap()), (of(first), of(last)));
    }
    assert_eq!(found.limb(LimbKind::Tail, None).unwrap().joints.len(), 4);
    assert_eq!(found.limb(LimbKind::Head, None).unwrap().joints, [of(neck), of(head)]);
    assert_eq!(found.limb(LimbKind::Spine, None).unwrap().joints, [of(hips), of(spine), of(chest)]);
}

#[test]
fn what_is_found_does_not_depend_on_the_order_of_joints_nor_on_the_unit() {
    let names: Vec<&str> = ORDER.to_vec();
    let plain = human(&names, &[]);
    let wanted = recognize(&Evidence::of(&plain));
    for scale in [1e-3, 1e3] {
        let mut builder = SkeletonBuilder::new();
        for joint in plain.iter().collect::<Vec<_>>().into_iter().rev() {
            let spec = JointSpec::named(plain.name(joint).unwrap()).translation(plain.rest(joint).translation * scale);
            builder.add(match plain.parent(joint) {
                Some(parent) => spec.child_of(plain.name(parent).unwrap()),
                None => spec,
            });
        }
        let other = builder.build().unwrap();
        let found = recognize(&Evidence::of(&other));
        let limbs = |found: &Recognition, skeleton: &Skeleton| -> Vec<(String, Vec<String>)> {
            let names =
                |limb: &Limb| limb.joints.iter().map(|&joint| skeleton.name(joint).unwrap().to_owned()).collect();
            found.limbs.iter().map(|limb| (limb.to_string(), names(limb))).collect()
        };
        assert_eq!(limbs(&found, &other), limbs(&wanted, &plain));
    }
}

#[test]
fn hostile_skeletons_end_soon() {
    let many = crate::cases(20_000);
    let wide = |name: &dyn Fn(usize) -> String, parent: &dyn Fn(usize) -> usize| {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("root"));
        for index in 1..many {
            builder.add(JointSpec::named(name(index)).child_of(parent(index)).translation([0.01, -0.02, 0.0]));
        }
        builder.build().unwrap()
    };
    let alternating = |index: usize| (if index.is_multiple_of(2) { "arm_l" } else { "arm_r" }).to_owned();
    for name in [
        &(|_| String::new()) as &dyn Fn(usize) -> String,
        &|_| "thumb_l".to_owned(),
        &|_| "finger".to_owned(),
        &|_| "leg".to_owned(),
        &alternating,
    ] {
        for parent in [&(|_| 0_usize) as &dyn Fn(usize) -> usize, &|index| index - 1, &|index| index / 2] {
            let skeleton = wide(name, parent);
            assert!(recognize(&Evidence::of(&skeleton)).limbs.len() < 500);
        }
    }
    // A single joint, all at one place, and no extent at all.
    let one = Skeleton::from_lengths(&[]).unwrap();
    assert!(recognize(&Evidence::of(&one)).limbs.is_empty());
    let flat = Skeleton::from_lengths(&[0.0; 8]).unwrap();
    assert!(recognize(&Evidence::of(&flat)).limbs.is_empty());
}

/// Legs called `MidFrontLeg` are no middle fingers, and with eight legs none is an arm.
#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn middle_legs_are_no_fingers() {
    let spider = of_file(&sinew_gltf::load(data("rigs").join("quaternius_Spider.glb")).unwrap());
    let count = |fits: fn(&LimbKind) -> bool| spider.limbs.iter().filter(|limb| fits(&limb.kind)).count();
    assert_eq!(spider.body, BodyKind::ManyLegged);
    assert_eq!(count(|kind| matches!(kind, LimbKind::Finger(_) | LimbKind::Arm)), 0, "{:?}", spider.limbs);
    assert_eq!(count(|kind| *kind == LimbKind::Leg), 8, "{:?}", spider.limbs);
}

/// A puppet of one bone a limb, as a loader has it that adds ends; with a joint for one hand where that is said.
fn puppet(has_hand: bool) -> (Skeleton, Vec<&'static str>) {
    let mut builder = SkeletonBuilder::new();
    let mut add = |name: &str, parent: Option<&str>, at: [f64; 3]| {
        let spec = JointSpec::named(name).translation(at);
        builder.add(if let Some(parent) = parent { spec.child_of(parent) } else { spec });
    };
    add("hips", None, [0.0, 0.5, 0.0]);
    add("torso", Some("hips"), [0.0, 0.2, 0.0]);
    add("head", Some("torso"), [0.0, 0.4, 0.0]);
    let mut tips = Vec::new();
    for (arm, hand, leg, sole, x) in [
        ("arm-left", "arm-left_tip", "leg-left", "leg-left_tip", 1.0),
        ("arm-right", "arm-right_tip", "leg-right", "leg-right_tip", -1.0),
    ] {
        add(arm, Some("torso"), [0.2 * x, 0.3, 0.0]);
        if has_hand && x > 0.0 {
            add("hand-left", Some(arm), [0.3, 0.0, 0.0]);
        } else {
            add(hand, Some(arm), [0.3 * x, 0.0, 0.0]);
            tips.push(hand);
        }
        add(leg, Some("hips"), [0.1 * x, 0.0, 0.0]);
        add(sole, Some(leg), [0.0, -0.5, 0.1]);
        tips.push(sole);
    }
    (builder.build().unwrap(), tips)
}

#[test]
fn an_arm_without_a_joint_for_its_hand_ends_in_one() {
    for has_hand in [false, true] {
        let (skeleton, tips) = puppet(has_hand);
        let tips = tips.iter().map(|name| skeleton.joint(name).unwrap()).collect();
        let found = recognize(&Evidence { tips, ..Evidence::of(&skeleton) });
        assert_eq!(found.body, BodyKind::Humanoid);
        let left = if has_hand { "hand-left" } else { "arm-left_tip" };
        for (side, name) in [(Side::Left, left), (Side::Right, "arm-right_tip")] {
            let hand = found.joint(&skeleton, Role::on(side, Part::Hand)).unwrap();
            assert_eq!(skeleton.name(hand), Some(name));
            assert_eq!(found.limb(LimbKind::Arm, Some(side)).unwrap().joints.last(), Some(&hand));
            // Legs end where their joints do.
            assert_eq!(found.limb(LimbKind::Leg, Some(side)).unwrap().joints.len(), 1);
        }
    }
}

#[test]
fn an_arm_of_one_bone_that_is_called_a_hand_is_an_upper_arm() {
    let (skeleton, tips) = puppet(false);
    let tips = tips.iter().map(|name| skeleton.joint(name).unwrap()).collect();
    let called = skeleton.revised(|_, spec| {
        spec.name = spec.name.take().map(|name| name.replace("arm-", "hand-"));
    });
    let skeleton = called.unwrap();
    let found = recognize(&Evidence { tips, ..Evidence::of(&skeleton) });
    for (side, upper, end) in
        [(Side::Left, "hand-left", "hand-left_tip"), (Side::Right, "hand-right", "hand-right_tip")]
    {
        for (part, name) in [(Part::UpperArm, upper), (Part::Hand, end)] {
            let joint = found.joint(&skeleton, Role::on(side, part)).unwrap();
            assert_eq!(skeleton.name(joint), Some(name));
        }
    }
}
