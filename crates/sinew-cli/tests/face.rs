//! The command's face: streams, files that would be replaced, errors for programs, wrong kinds of file, what is said.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use sinew::glam::{DQuat, DVec3};

use crate::data::data;
use crate::shell::{complaint, numbers, object, sinew, sinew_in, text};

const HUMAN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/human.glb");
const BVH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/human.bvh");
const DOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/dog.glb");
const ARM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/arm6.urdf");

/// Runs `sinew` with bytes on standard input.
fn fed(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    child.stdin.take().expect("a pipe").write_all(input).expect("it reads all");
    child.wait_with_output().expect("it ends")
}

#[test]
fn inspect_shows_where_joints_are() {
    let result = object(&sinew(&["inspect", "--json"]));
    let head = result["joints"].as_array().unwrap().iter().find(|joint| joint["name"] == "Head").unwrap();
    let [x, y, z] = numbers(&head["position"]);
    let _: [f64; 4] = numbers(&head["rotation"]);
    assert!(x.abs() < 1e-6 && y > 1.4 && result["notes"].is_array());
    let shown = format!("at ({x:.3}, {y:.3}, {z:.3})").replace("-0.000", "0.000");
    let page = text(&sinew(&["inspect"]));
    assert!(page.lines().any(|line| line.contains(" Head ") && line.contains(&shown)), "{shown}\n{page}");
    let robot = object(&sinew(&["inspect", ARM, "--json"]));
    let turret = robot["links"].as_array().unwrap().iter().find(|link| link["name"] == "turret").unwrap();
    assert_eq!(numbers(&turret["position"]), [0.0, 0.0, 0.12]);
    assert!(text(&sinew(&["inspect", ARM])).contains("at (0.000, 0.000, 0.120)"));
}

#[test]
fn errors_are_objects_for_programs() {
    let needed = String::from_utf8(sinew(&["bake"]).stderr).unwrap();
    assert!(needed.contains("were not provided: <CLIP>; "), "{needed}");
    for arguments in [&["solve", "nowhere.glb", "--json"][..], &["solve", "--goal", "--json"], &["reach", "--json"]] {
        let output = sinew(arguments);
        assert_eq!(output.status.code(), Some(1));
        let object: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let error = object["error"].as_str().expect("a text");
        assert_eq!(String::from_utf8_lossy(&output.stderr), format!("sinew: {error}\n"));
        assert!(object["notes"].is_array() && object.get("rig").is_some());
    }
    complaint(&sinew(&["solve", "nowhere.glb"]));
}

#[test]
fn every_object_has_rig_and_notes() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("frames.csv"), "x,y,z\n0.4,0.1,0.4\n").unwrap();
    for arguments in [
        &["solve", "--goal", "LeftHand=0.3,1.2,0.4"][..],
        &["solve", ARM, "--goal", "tool0=0.4,0.1,0.4"],
        &["compare", "--goal", "LeftHand=0.3,1.2,0.4"],
        &["inspect"],
        &["inspect", ARM],
        &["simulate", "--move", "still", "--seconds", "0.1"],
        &["path", ARM, "frames.csv"],
        &["reach", ARM, "--cell", "0.5"],
    ] {
        let object = object(&sinew_in(folder.path(), &[arguments, &["--json"]].concat()));
        assert!(object["rig"].is_string() && object["notes"].is_array(), "{arguments:?}");
    }
}

#[test]
fn what_is_read_is_not_replaced_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let (rig, goal) = (folder.path().join("rig.glb"), ["--goal", "LeftHand=0.3,1.2,0.4"]);
    std::fs::copy(HUMAN, &rig).unwrap();
    let before = std::fs::read(&rig).unwrap();
    for output in ["rig.glb", "./rig.glb"] {
        let arguments = [&["solve", "rig.glb", "-o", output][..], &goal].concat();
        let said = complaint(&sinew_in(folder.path(), &arguments));
        assert!(said.contains("--force") && std::fs::read(&rig).unwrap() == before, "{said}");
    }
    text(&sinew_in(folder.path(), &[&["solve", "rig.glb", "-o", "rig.glb", "--force"][..], &goal].concat()));
    assert!(std::fs::read(&rig).unwrap() != before);
    std::fs::write(folder.path().join("frames.csv"), "x,y,z\n0.4,0.1,0.4\n").unwrap();
    let said = complaint(&sinew_in(folder.path(), &["path", ARM, "frames.csv", "-o", "frames.csv"]));
    assert!(said.contains("--force"), "{said}");
}

#[test]
fn a_dash_is_standard_input_and_output() {
    let folder = tempfile::tempdir().unwrap();
    let (human, arm) = (std::fs::read(HUMAN).unwrap(), std::fs::read(ARM).unwrap());
    let posed = fed(folder.path(), &["solve", "-", "--goal", "LeftHand=0.3,1.2,0.4", "-o", "-"], &human);
    assert!(posed.status.success() && posed.stdout.starts_with(b"glTF"));
    assert!(String::from_utf8_lossy(&posed.stderr).contains("reached"));
    let again = object(&fed(folder.path(), &["solve", "-", "--json"], &posed.stdout));
    let hand = again["joints"].as_array().unwrap().iter().find(|joint| joint["name"] == "LeftHand").unwrap();
    let [x, y, z] = numbers(&hand["model"]["translation"]);
    assert!((x - 0.3).abs() < 1e-5 && (y - 1.2).abs() < 1e-5 && (z - 0.4).abs() < 1e-5);
    let robot = object(&fed(folder.path(), &["inspect", "-", "--json"], &arm));
    assert_eq!((&robot["robot"], &robot["rig"]), (&"arm6".into(), &"standard input".into()));
    let joints = fed(folder.path(), &["path", ARM, "-", "-o", "-"], b"x,y,z\n0.4,0.1,0.4\n");
    assert!(String::from_utf8_lossy(&joints.stdout).starts_with("waist,"), "{joints:?}");
    let svg = sinew(&["inspect", "--picture", "-"]);
    assert!(svg.stdout.starts_with(b"<svg"));
    let said = complaint(&sinew(&["solve", "-o", "-", "--picture", "-"]));
    assert!(said.contains("standard output"), "{said}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn wrong_kinds_of_file_get_the_right_advice() {
    let all: [(&[&str], &str); 10] = [
        (&["path", HUMAN, "x.csv"], "is for robots"),
        (&["path", "walk.bvh", "x.csv"], "motion capture"),
        (&["path", "hero.fbx", "x.csv"], "FBX is not read"),
        (&["inspect", "scene.usd", "--json"], "USD is not read"),
        (&["inspect", "hero.blend", "--json"], "Blender"),
        // Whatever else is missing.
        (&["path", HUMAN], "is for robots"),
        (&["path", "hero.fbx"], "FBX is not read"),
        (&["path", ARM], "name a table of frames"),
        (&["plant", DOG, "walk.usd"], "USD is not read"),
        (&["plant", BVH, "walk.fbx"], "FBX is not read"),
    ];
    for (arguments, part) in all {
        let said = String::from_utf8(sinew(arguments).stderr).unwrap();
        assert!(said.contains(part), "{arguments:?}: {said}");
    }
}

#[test]
fn scales_and_names_of_files_are_kept_sane() {
    for scale in ["Head=0", "Head=1e9", "Head=1,1,0"] {
        assert!(complaint(&sinew(&["solve", "--scale", scale])).contains("0.001 to 1000"));
    }
    assert!(text(&sinew(&["solve", "--scale", "Head=-1"])).contains("reached"));
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.vrm");
    let said = complaint(&sinew(&["solve", "-o", output.to_str().unwrap()]));
    assert!(said.contains(".vrm") && !output.exists(), "{said}");
}

/// A frame that five joints meet to the digits in which it was told.
#[test]
fn frames_of_few_joints_are_reached_to_the_digits_told() {
    let folder = tempfile::tempdir().unwrap();
    let five = std::fs::read_to_string(ARM).unwrap().replacen("type=\"revolute\"", "type=\"fixed\"", 1);
    std::fs::write(folder.path().join("arm5.urdf"), five).unwrap();
    let solve = |more: &[&str]| object(&sinew_in(folder.path(), &[&["solve", "arm5.urdf", "--json"], more].concat()));
    let posed = solve(&["--seed", "20,30,40,50,60"]);
    let tool = posed["links"].as_array().unwrap().iter().find(|link| link["name"] == "tool0").unwrap();
    let told = |digits: usize| {
        let [x, y, z]: [f64; 3] = numbers(&tool["translation"]);
        let [a, b, c, d]: [f64; 4] = numbers(&tool["rotation"]);
        let goal = format!("tool0={x:.digits$},{y:.digits$},{z:.digits$}");
        let turn = format!("tool0={a:.digits$},{b:.digits$},{c:.digits$},{d:.digits$}");
        let frame = ["--goal", &goal, "--turn", &turn, "--restarts", "20"].map(str::to_owned);
        let tolerance = ["--tolerance", "0.01,1"].map(str::to_owned);
        (frame, tolerance)
    };
    let status = |more: &[String]| {
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        solve(&more)["outcome"]["status"].as_str().unwrap().to_owned()
    };
    let (fine, rough) = (told(7), told(3));
    assert_eq!(status(&fine.0), "reached");
    assert_ne!(status(&rough.0), "reached", "a thousandth off is off");
    assert_eq!(status(&[&rough.0[..], &rough.1[..]].concat()), "reached", "unless that is near enough");
    assert!(complaint(&sinew(&["solve", ARM, "--tolerance", "-1"])).contains("--tolerance"));
}

#[test]
fn recognised_limbs_are_taken_as_they_are() {
    let limb = |more: &[&str]| -> Vec<String> {
        let result = object(&sinew(&[&["solve", "--solver", "limbs", "--json"], more].concat()));
        let limb = result["goals"][0]["limb"].as_array().unwrap().clone();
        limb.into_iter().map(|joint| joint.as_str().unwrap().to_owned()).collect()
    };
    let finger = limb(&["--goal", "LeftIndexTip=0.66,1.35,0.12"]);
    assert_eq!(finger, ["LeftIndexProximal", "LeftIndexIntermediate", "LeftIndexDistal", "LeftIndexTip"]);
    assert_eq!(limb(&["--goal", "LeftHand=0.3,1.2,0.4"]), ["LeftUpperArm", "LeftLowerArm", "LeftHand"]);
    // Three bends and no more make three links.
    let chain = object(&sinew(&["solve", "--goal", "LeftHand=0.3,1.2,0.6", "--base", "LeftHand=Spine", "--json"]));
    assert!(["whole", "body"].contains(&chain["goals"][0]["solver"].as_str().unwrap()), "{}", chain["goals"][0]);
    assert!(chain["goals"][0]["limb"].as_array().unwrap().len() > 4);
    assert_eq!(chain["outcome"]["status"], "reached");
}

#[test]
fn a_pole_that_limits_forbid_is_said() {
    for solver in ["limbs", "body"] {
        let pole = |more: &[&str]| {
            let goal = ["solve", "--goal", "LeftHand=0.3,1.0,0.3", "--pole", "LeftHand=0,1.2,3", "--solver", solver];
            text(&sinew(&[&goal[..], more].concat()))
        };
        assert!(!pole(&[]).contains("limits keep"), "{}", pole(&[]));
        let limited = pole(&["--limits", "preset"]);
        assert!(limited.contains("limits keep LeftLowerArm"), "{limited}");
    }
}

#[test]
fn who_looks_back_stays_upright() {
    let result = object(&sinew(&["solve", "--solver", "limbs", "--aim", "Head=0.1,1.7,-3", "--json"]));
    let head = result["joints"].as_array().unwrap().iter().find(|joint| joint["name"] == "Head").unwrap();
    let up = DQuat::from_array(numbers(&head["model"]["rotation"])) * DVec3::Y;
    assert!(up.y > 0.95, "{up}");
}

#[test]
fn pictures_look_from_where_they_are_told() {
    let svg = |views: &str| String::from_utf8(sinew(&["inspect", "--view", views, "--picture", "-"]).stdout).unwrap();
    let default = String::from_utf8(sinew(&["inspect", "--picture", "-"]).stdout).unwrap();
    assert!(default.contains(">three-quarter<") && default.contains(">side<") && !default.contains(">front<"));
    assert!(svg("three-quarter").contains(">three-quarter<") && !svg("three-quarter").contains(">front<"));
    assert!(svg("back,above").contains(">back<") && svg("back,above").contains(">above<"));
    assert!(complaint(&sinew(&["inspect", ARM, "--view", "front"])).contains("--view"));
}

#[test]
fn packed_meshes_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let primitive = json!({ "attributes": { "POSITION": 0 }, "extensions": { "KHR_draco_mesh_compression": {
        "bufferView": 0, "attributes": { "POSITION": 0 } } } });
    let document = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_draco_mesh_compression"], "extensionsRequired": ["KHR_draco_mesh_compression"],
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "a", "mesh": 0, "children": [1] }, { "name": "b", "translation": [0, 1, 0] }],
        "meshes": [{ "primitives": [primitive] }],
        "accessors": [{ "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1] }],
        "bufferViews": [{ "buffer": 0, "byteLength": 4 }],
        "buffers": [{ "byteLength": 4, "uri": "data:application/octet-stream;base64,AAAAAA==" }],
    });
    std::fs::write(folder.path().join("packed.gltf"), document.to_string()).unwrap();
    let notes = object(&sinew_in(folder.path(), &["inspect", "packed.gltf", "--json"]))["notes"].clone();
    assert!(notes[0].as_str().is_some_and(|note| note.contains("Draco")), "{notes}");
    let plain = document.to_string().replace("\"KHR_draco_mesh_compression\"]", "]");
    std::fs::write(folder.path().join("named.gltf"), plain.replace("\"a\"", "\"a\\u0000\"")).unwrap();
    assert!(complaint(&sinew_in(folder.path(), &["inspect", "named.gltf"])).contains("NUL"));
    assert_eq!(object(&sinew(&["inspect", "--json"]))["notes"], json!([]));
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn hair_ears_and_tails_are_proposed_and_nothing_else() {
    let proposed = |file: &str| {
        let said = complaint(&sinew(&["simulate", data().join(file).to_str().unwrap()]));
        let swinging = said.split("name what swings: ").nth(1)?;
        assert!(!said.contains("no hair, ears or tail"), "{said}");
        Some(swinging.split(", as in").next()?.replace("--chain ", ""))
    };
    for (file, chains) in [
        ("rigs/quaternius_Wolf.glb", Some("Ear1.L, Ear1.R, Tail1")),
        ("rigs/quaternius_Trex.glb", Some("Tail1")),
        ("gltf/Fox.glb", Some("b_Tail01_012")),
        ("gltf/kenney_character.glb", Some("antenna")),
        // An abdomen, shoulders, a body and a root hang on the body, too.
        ("rigs/quaternius_Spider.glb", None),
        ("gltf/wildjam_Player.glb", None),
        ("gltf/godot_platformer_enemy.glb", None),
        ("gltf/greenman.glb", None),
    ] {
        assert_eq!(proposed(file).as_deref(), chains, "{file}");
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn arms_of_four_joints_bend_at_the_elbow() {
    let knight = data().join("gltf/kaykit_Knight.glb");
    let goal = ["--goal", "hand.l=0.6,1.2,0.5", "--solver", "limbs", "--json"];
    let result = object(&sinew(&[&["solve", knight.to_str().unwrap()][..], &goal].concat()));
    assert_eq!(result["goals"][0]["limb"], json!(["upperarm.l", "lowerarm.l", "hand.l"]));
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn reach_suits_the_arm() {
    let reach = |file: &str, tip: &str| object(&sinew(&["reach", data().join(file).to_str().unwrap(), tip, "--json"]));
    let finger = reach("urdf/allegro_left.urdf", "link_3.0_tip");
    assert!(finger["cells"].as_u64().unwrap() > 500 && finger["cell"].as_f64().unwrap() < 0.02, "{finger}");
    assert_eq!(reach("urdf/ur5e.urdf", "tool0")["cell"], 0.05);
}
