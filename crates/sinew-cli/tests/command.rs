//! The command as its users meet it: what it prints, writes and answers.

use std::time::{Duration, Instant};

use crate::gltf::{document, joints, node_matrices};
use crate::shell::{complaint, numbers, object, sinew, sinew_in, text};
use serde_json::Value;
use sinew::glam::{DQuat, DVec3};

/// The joint of a `--json` object with this name.
fn joint<'a>(object: &'a Value, name: &str) -> &'a Value {
    joints(object).iter().find(|joint| joint["name"] == name).expect("a joint of that name")
}

#[test]
fn without_arguments_the_human_reaches_and_stands() {
    let folder = tempfile::tempdir().unwrap();
    let report = text(&sinew_in(folder.path(), &[]));
    for goal in ["RightHand  reached", "LeftFoot   reached", "RightFoot  reached", "sinew-demo.glb", "sinew-demo.svg"] {
        assert!(report.contains(goal), "{report}");
    }
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "nothing else is left behind: {names:?}");
    let svg = std::fs::read_to_string(folder.path().join("sinew-demo.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("RightHand"));
    let bytes = std::fs::read(folder.path().join("sinew-demo.glb")).unwrap();
    assert_eq!(&bytes[..4], b"glTF");
}

#[test]
fn every_hand_and_foot_reaches() {
    let folder = tempfile::tempdir().unwrap();
    for (name, target) in [
        ("LeftHand", "0.35,1.3,0.4"),
        ("RightHand", "-0.35,1.3,0.4"),
        ("LeftFoot", "0.15,0.3,0.3"),
        ("RightFoot", "-0.15,0.3,-0.2"),
    ] {
        let goal = format!("{name}={target}");
        let result =
            object(&sinew_in(folder.path(), &["solve", "--goal", &goal, "-o", "out.glb", "--json", "--strict"]));
        let point: Vec<f64> = target.split(',').map(|part| part.parse().unwrap()).collect();
        let point = DVec3::from_slice(&point);
        let model = DVec3::from(numbers(&joint(&result, name)["model"]["translation"]));
        assert!(model.distance(point) < 1e-9, "{name}: {model}");
        assert_eq!(result["outcome"]["status"], "reached");
        // The file says the same to plain matrix products; its numbers are whole.
        let node = joint(&result, name)["index"].as_u64().unwrap() as usize;
        let written = node_matrices(&document(&folder.path().join("out.glb")))[node].w_axis.truncate();
        assert!(written.distance(point) < 1e-6, "{name}: {written}");
    }
}

#[test]
fn the_object_has_the_shape_promised() {
    let result = object(&sinew(&[
        "solve",
        "--goal",
        "LeftHand=0.3,1.2,0.4",
        "--turn",
        "lefthand=0,0,0,1",
        "--turn",
        "Head=0,0.1,0,1",
        "--json",
    ]));
    let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
    for key in ["rig", "solver", "outcome", "goals", "joints"] {
        assert!(keys.iter().any(|have| *have == key), "{keys:?}");
    }
    assert_eq!((&result["rig"], &result["solver"]), (&"human".into(), &"body".into()));
    assert!(result["outcome"]["iterations"].is_u64() && result["outcome"]["time_us"].as_f64().unwrap() > 0.0);
    let goals = result["goals"].as_array().unwrap();
    assert_eq!(goals.len(), 2, "a goal and a turn of one joint are one frame");
    for goal in goals {
        assert_eq!(goal["status"], "reached");
        assert!(goal["position_error"].as_f64().unwrap() < 1e-9 && goal["rotation_error"].as_f64().unwrap() < 1e-9);
    }
    let all = joints(&result);
    assert!(all[0]["parent"].is_null() && all[0]["index"].is_u64());
    for joint in all {
        let local = &joint["local"];
        let rotation = [numbers::<4>(&local["rotation"]), numbers(&joint["model"]["rotation"])];
        assert!(rotation.iter().all(|q| (q.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-9));
        let _: [[f64; 3]; 2] = [numbers(&local["translation"]), numbers(&local["scale"])];
    }
}

#[test]
fn exit_statuses() {
    let far = ["solve", "--goal", "LeftHand=3,1,0"];
    let report = text(&sinew(&far));
    assert!(report.contains("out_of_reach") && report.contains("m short"), "{report}");
    assert_eq!(sinew(&[&far[..], &["--strict"]].concat()).status.code(), Some(3));
    assert_eq!(sinew(&[&far[..], &["--strict", "--weight", "LeftHand=0"]].concat()).status.code(), Some(0));
    assert_eq!(sinew(&["solve", "--goal", "LeftHand=0.3,1.2,0.4", "--strict"]).status.code(), Some(0));
    assert!(text(&sinew(&["--help"])).contains("Examples:"));
    assert!(text(&sinew(&["solve", "--help"])).contains("Examples:"));
    assert!(text(&sinew(&["inspect", "--help"])).contains("Examples:"));
}

#[test]
fn options_of_goals_are_told_in_full_once() {
    let help = |verb: &str| text(&sinew(&[verb, "--help"])).split_whitespace().collect::<Vec<_>>().join(" ");
    let [whole, brief] = [
        "Scale a joint and all below it, before the goals are solved; with",
        "How far a joint may stay from its target: along",
    ];
    let only_in_full = "Positions of characters may also be +X,Y,Z from where the joint starts";
    for verb in ["solve", "compare", "simulate"] {
        let help = help(verb);
        assert!(
            help.contains("--goal <JOINT=X,Y,Z>") && help.contains(whole) && help.contains(brief),
            "{verb}: {help}"
        );
        assert_eq!(help.contains(only_in_full), verb == "solve", "{verb}: {help}");
        assert_eq!(help.contains("`sinew help solve` says more"), verb != "solve", "{verb}: {help}");
    }
}

#[test]
fn reach_says_what_happens_beyond_it() {
    let status = |reach: &str| {
        let result = object(&sinew(&["solve", "--goal", "LeftHand=0.8,1.85,0.1", "--reach", reach, "--json"]));
        result["goals"][0]["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(status("clamp"), "out_of_reach");
    assert_eq!(status("stretch"), "reached");
    assert_eq!(status("stretch:1.05"), "out_of_reach");
    assert_eq!(status("hold"), "held");
    assert_eq!(status("soft"), "out_of_reach");
    assert_eq!(status("soft:2,stretch"), "reached");
}

/// Places from where a joint is, beside another, and in shares of the body; joints that stay; the rest's rotation.
#[test]
fn places_are_measured_from_the_body() {
    let solve = |more: &[&str]| object(&sinew(&[&["solve", "--json", "--strict"], more].concat()));
    let at = |object: &Value, name: &str| DVec3::from(numbers(&joint(object, name)["model"]["translation"]));
    let turned = |object: &Value, name: &str| DQuat::from_array(numbers(&joint(object, name)["model"]["rotation"]));
    let rest = solve(&["--goal", "LeftHand=LeftHand"]);
    for (place, wanted) in [
        ("+0,0.2,-0.05", at(&rest, "LeftHand") + DVec3::new(0.0, 0.2, -0.05)),
        ("Head", at(&rest, "Head")),
        ("head+0.1,-0.1,0.2", at(&rest, "Head") + DVec3::new(0.1, -0.1, 0.2)),
        ("@0.2,0.6,0.2", DVec3::new(0.35, 1.05, 0.35) + DVec3::new(0.0, 0.0, at(&rest, "Hips").z)),
    ] {
        let solved = solve(&["--goal", &format!("left hand={place}")]);
        assert!(at(&solved, "LeftHand").distance(wanted) < 2e-3, "{place}: {} {wanted}", at(&solved, "LeftHand"));
    }
    let kept =
        solve(&["--goal", "LeftHand=+0,0.1,0.15", "--keep", "Head", "--plant", "left foot", "--turn", "Hips=rest"]);
    for name in ["Head", "LeftFoot"] {
        assert!(at(&kept, name).distance(at(&rest, name)) < 1e-7, "{name}");
        assert!(turned(&kept, name).angle_between(turned(&rest, name)) < 1e-7, "{name}");
    }
    assert!(turned(&kept, "Hips").angle_between(turned(&rest, "Hips")) < 1e-7);
    for (more, part) in [
        (["--goal", "LeftHand=Hed"], "'Hed' is no position"),
        (["--goal", "LeftHand=+1,2"], "3 numbers needed"),
        (["--keep", "nose"], "no joint is called 'nose'"),
    ] {
        let complaint = complaint(&sinew(&[&["solve"], &more[..]].concat()));
        assert!(complaint.contains(part), "{complaint}");
    }
    let twice = complaint(&sinew(&["solve", "--goal", "LeftHand=Head", "--keep", "LeftHand"]));
    assert!(twice.contains("'LeftHand' has a goal already"), "{twice}");
}

/// Unit direction between two joints of a `--json` object.
fn direction(object: &Value, from: &str, to: &str) -> DVec3 {
    let place = |name: &str| DVec3::from(numbers(&joint(object, name)["model"]["translation"]));
    (place(to) - place(from)).normalize()
}

#[test]
fn three_links_lie_as_they_are_told() {
    let solve =
        |more: &[&str]| object(&sinew(&[&["solve", "--goal", "LeftToes=0.15,0.35,0.2", "--json"], more].concat()));
    let steep = DVec3::new(0.0, -1.0, 0.3);
    let along = solve(&["--along", "LeftToes=0,-1,0.3"]);
    assert_eq!(along["solver"], "three-link");
    assert_eq!(along["goals"][0]["limb"].as_array().unwrap().len(), 4);
    assert!(along["goals"].as_array().unwrap().iter().all(|goal| goal["status"] == "reached"), "{along}");
    assert!(direction(&along, "LeftFoot", "LeftToes").distance(steep.normalize()) < 1e-9);
    let toward = solve(&["--aim", "LeftToes=0.15,0,0.5"]);
    let to = DVec3::new(0.15, 0.0, 0.5) - DVec3::new(0.15, 0.35, 0.2);
    assert!(direction(&toward, "LeftFoot", "LeftToes").distance(to.normalize()) < 1e-9);
    let folded = solve(&["--fold", "LeftToes=40"]);
    let angle =
        direction(&folded, "LeftLowerLeg", "LeftFoot").angle_between(direction(&folded, "LeftFoot", "LeftToes"));
    assert!((angle.to_degrees() - 40.0).abs() < 1e-6, "{angle}");
    // Three bends from the base are three links, and so is a finger as it was recognised.
    let finger = ["solve", "--goal", "LeftIndexTip=0.66,0.91,0.12", "--json"];
    for (more, solver) in [(&["--base", "LeftIndexTip=LeftIndexProximal"][..], "three-link"), (&[], "three-link")] {
        assert_eq!(object(&sinew(&[&finger[..], more].concat()))["solver"], solver);
    }
}

#[test]
fn inspect_draws_the_rig_with_its_names() {
    let folder = tempfile::tempdir().unwrap();
    let report = text(&sinew_in(folder.path(), &["inspect", "--picture", "rig.svg"]));
    assert!(report.trim_end().ends_with("rig.svg"), "{report}");
    let svg = std::fs::read_to_string(folder.path().join("rig.svg")).unwrap();
    for name in ["Head", "LeftUpperArm", "RightFoot"] {
        assert!(svg.contains(&format!(">{name}<")), "{name}");
    }
    let object = object(&sinew_in(folder.path(), &["inspect", "--picture", "rig.png", "--json"]));
    assert!(object["written"][0].as_str().unwrap().ends_with("rig.png"));
    assert_eq!(&std::fs::read(folder.path().join("rig.png")).unwrap()[1..4], b"PNG");
}

#[test]
fn names_that_the_font_lacks_are_numbers_in_png() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| {
        let rig = format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"name":"{name}"}}]}}"#);
        std::fs::write(folder.path().join("rig.gltf"), rig).unwrap();
        drop(text(&sinew_in(folder.path(), &["inspect", "rig.gltf", "--picture", "rig.png"])));
        std::fs::read(folder.path().join("rig.png")).unwrap()
    };
    assert!(file("\u{4e00}") == file("#0") && file("one") != file("#0"));
}

#[test]
fn heads_aim_alone_and_with_the_spine() {
    let (ball, at) = (DVec3::new(0.6, 1.2, 1.5), "Head=0.6,1.2,1.5");
    let behind = text(&sinew(&["solve", "--aim", "Head=0.5,1.6,-2"]));
    assert!(behind.contains("as far as a person turns"), "{behind}");
    for (solver, more) in [
        ("body", &[][..]),
        ("aim", &["--solver", "limbs"]),
        ("aim", &["--base", "Head=Spine"]),
        ("aim", &["--base", "Head=Neck", "--up", "Head=0,1,0"]),
    ] {
        let result = object(&sinew(&[&["solve", "--aim", at, "--json"], more].concat()));
        assert_eq!((&result["solver"], &result["outcome"]["status"]), (&solver.into(), &"reached".into()), "{more:?}");
        let head = joint(&result, "Head");
        let rest = object(&sinew(&["solve", "--json"]));
        let turn = |joint: &Value| DQuat::from_array(numbers(&joint["model"]["rotation"]));
        let axis = turn(joint(&rest, "Head")).inverse() * DVec3::Z;
        let line = (ball - DVec3::from(numbers(&head["model"]["translation"]))).normalize();
        assert!((turn(head) * axis).distance(line) < 1e-9, "{more:?}");
    }
}

#[test]
fn bad_input_is_answered_in_one_line() {
    for (arguments, parts) in [
        (&["solve", "--goal", "LeftHnad=1,2,3"][..], &["'LeftHnad'", "nearest", "'LeftHand'"][..]),
        (&["solve", "--goal", "hand=1,2,3"], &["fits", "#10 LeftHand", "RightHand"]),
        (&["solve", "--goal", "#9999=1,2,3"], &["node 9999", "inspect"]),
        (&["solve", "--goal", "#x=1,2,3"], &["'#x'", "such as #12"]),
        (&["solve", "--goal", "LeftHand=1,2"], &["--goal 'LeftHand=1,2'", "found 2", "JOINT=X,Y,Z"]),
        (&["solve", "--goal", "LeftHand=1,nan,3"], &["'nan'", "JOINT=X,Y,Z"]),
        (&["solve", "--turn", "LeftHand=0,0,0,0"], &["--turn", "0,0,0,1"]),
        (&["solve", "--goal", "LeftHand=1,2,3", "--weight", "LeftHand=2"], &["--weight", "0 to 1"]),
        (&["solve", "--pole", "LeftHand=1,2,3"], &["--pole", "no goal"]),
        (&["solve", "--goal", "LeftHand=1,2,3", "--goal", "#10=1,2,3"], &["already"]),
        (&["solve", "--goal", "Hips=1,2,3", "--solver", "limbs"], &["'Hips'", "further down"]),
        (&["solve", "--goal", "LeftHand=1,2,3", "--base", "LeftHand=LeftLowerArm"], &["between", "name '"]),
        (&["solve", "--goal", "LeftHand=1,2,3", "--base", "LeftHand=RightFoot"], &["above it: LeftUpperArm"]),
        (&["solve", "--goal", "LeftHand=1,2,3", "--base", "LeftHand"], &["JOINT=JOINT"]),
        (&["solve", "--aim", "Head=1,2,3", "--turn", "Head=0,0,0,1"], &["--aim", "both"]),
        (&["solve", "--along", "Head=0,0,0"], &["--along", "zero length"]),
        (&["solve", "--fold", "Head=20"], &["--fold", "no goal"]),
        (
            &["solve", "--aim", "LeftToes=1,1,1", "--fold", "LeftToes=20"],
            &["--fold", "no position", "--goal 'LeftToes=X,Y,Z'"],
        ),
        (&["solve", "--goal", "LeftToes=0,0,0", "--fold", "LeftToes=1", "--solver", "two-bone"], &["no last link"]),
        (&["solve", "--goal", "LeftLowerLeg=0,0,0", "--solver", "three-link"], &["three bends", "further down"]),
        (&["solve", "--reach", "far"], &["soft,stretch"]),
        (&["solve", "--solver", "magic"], &["possible values: auto, limbs, two-bone"]),
        (&["solve", "--goal", "LeftHand=1,2,3", "-o", "out.fbx"], &["out.fbx", ".glb"]),
        (&["solve", "--goal", "LeftHand=1,2,3", "-o", "/no/such/folder/out.glb"], &["folder exists"]),
        (&["solve", "--goal", "LeftHand=1,2,3", "--picture", "/no/such/folder/out.svg"], &["folder exists"]),
        (&["solve", "no-such-file.glb"], &["no-such-file.glb", "check the path"]),
        (&["inspect", "."], &["cannot be read"]),
        (&["inspect", "--picture", "rig.jpeg"], &[".svg or .png"]),
        (&["solve", "--bogus"], &["--bogus", "--help"]),
        (&["dance"], &["dance", "--help"]),
    ] {
        let line = complaint(&sinew(arguments));
        assert!(parts.iter().all(|part| line.contains(part)), "{arguments:?}: {line}");
    }
}

#[test]
fn a_written_file_is_the_pose_and_weight_zero_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (posed, same) = (at("posed.glb"), at("same.glb"));
    let goal = ["solve", "--goal", "LeftHand=0.3,1.2,0.4", "--json"];
    let before = object(&sinew(&[&goal[..], &["-o", &posed]].concat()));
    let after = object(&sinew(&["solve", &posed, "--json"]));
    let places = |object: &Value| -> Vec<DVec3> {
        joints(object).iter().map(|joint| numbers(&joint["model"]["translation"]).into()).collect()
    };
    let pairs = places(&before).into_iter().zip(places(&after));
    assert!(pairs.map(|(a, b)| a.distance(b)).all(|apart| apart < 1e-6));
    let _ = object(&sinew(&[&goal[..], &["-o", &same, "--weight", "LeftHand=0"]].concat()));
    let human = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/human.glb");
    assert_eq!(document(same.as_ref()), document(human.as_ref()));
}

#[test]
fn clips_that_hide_the_pose_are_mentioned_and_can_be_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let rig = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],
        "nodes":[{"name":"a=b","children":[1]},{"name":"mid","translation":[0,1,0],"children":[2]},
                 {"name":"tip","translation":[0.1,1,0]}],
        "buffers":[{"byteLength":20,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAAAAAAAAgD8="}],
        "bufferViews":[{"buffer":0,"byteLength":20}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR","min":[0],"max":[0]},
                     {"bufferView":0,"byteOffset":4,"componentType":5126,"count":1,"type":"VEC4"}],
        "animations":[{"name":"Wave","samplers":[{"input":0,"output":1}],
                       "channels":[{"sampler":0,"target":{"node":1,"path":"rotation"}}]}]}"#;
    std::fs::write(folder.path().join("rig.gltf"), rig).unwrap();
    let goal = ["solve", "rig.gltf", "--goal", "tip=0,1.2,0.5", "--base", "tip=a=b", "-o", "out.glb"];
    let report = text(&sinew_in(folder.path(), &goal));
    assert!(report.contains("1 animation clip moves these joints (Wave)") && report.contains("--still"), "{report}");
    assert!(document(&folder.path().join("out.glb"))["animations"].is_array());
    let report = text(&sinew_in(folder.path(), &[&goal[..], &["--still"]].concat()));
    assert!(!report.contains("Wave") && document(&folder.path().join("out.glb"))["animations"].is_null());
}

#[test]
fn inspect_shows_the_tree_and_gives_advice() {
    let page = text(&sinew(&["inspect"]));
    assert!(page.contains("#10 LeftHand  ball  0.260 m") && page.contains("1.750 m high"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    let rig = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0,6]}],
        "nodes":[{"name":"hip","children":[1]},{"name":"knee","translation":[0,-1,0],"children":[2]},
                 {"name":"foot","translation":[0,-1,0],"children":[3]},{"name":"twin","scale":[1,-1,2],"children":[4]},
                 {"name":"twin","translation":[0,0,1],"children":[5]},{"translation":[0,0,1]},{"name":"lone\u001b\n"}]}"#;
    std::fs::write(folder.path().join("rig.gltf"), rig).unwrap();
    let page = text(&sinew_in(folder.path(), &["inspect", "rig.gltf"]));
    for advice in [
        "straight at rest, or nearly: hip > knee > foot",
        "missing tips",
        "negative scale: #3 twin",
        "non-uniform scale: #3 twin",
        "zero-length bones",
        "unnamed joints",
        "several roots: #0 hip, #6 lone",
        "repeated name: 2 joints called 'twin' (#3 twin, #4 twin)",
        "(not in the file: inferred)",
        "leg  0.70  knee > foot  (names)",
    ] {
        assert!(page.contains(advice), "{advice}: {page}");
    }
    assert!(!page.contains('\u{1b}'));
    let result = object(&sinew_in(folder.path(), &["inspect", "rig.gltf", "--json"]));
    assert!(result["advice"].as_array().unwrap().len() >= 8 && joints(&result)[0]["length"].is_null());
}

#[test]
fn very_many_joints_do_not_hang() {
    let folder = tempfile::tempdir().unwrap();
    let count = if cfg!(debug_assertions) { 20_000 } else { 100_000 };
    let node = |i: usize| match i {
        _ if i + 1 < count => format!(r#"{{"translation":[0,0.01,0],"children":[{}]}}"#, i + 1),
        _ => r#"{"translation":[0,0.01,0]}"#.to_owned(),
    };
    let nodes: Vec<String> = (0..count).map(node).collect();
    let rig = format!(r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"nodes":[{}]}}"#, nodes.join(","));
    std::fs::write(folder.path().join("deep.gltf"), rig).unwrap();
    let start = Instant::now();
    let page = text(&sinew_in(folder.path(), &["inspect", "deep.gltf"]));
    assert!(page.contains(&format!("{} joints", count + 1)) && page.len() < 300 * count);
    let goal = format!("#{}=1,{},2", count - 1, 0.005 * count as f64);
    let solve = ["solve", "deep.gltf", "--goal", &goal, "--picture", "deep.svg", "-o", "out.glb", "--json"];
    assert_eq!(joints(&object(&sinew_in(folder.path(), &solve))).len(), count + 1);
    assert!(start.elapsed() < Duration::from_secs(300), "{:?}", start.elapsed());
}

#[test]
fn inspect_says_what_it_recognised_and_why() {
    let page = text(&sinew(&["inspect"]));
    for line in
        ["= left lower arm", "limbs: humanoid, looking along +Z (its feet point there)", "names, as Unity has them"]
    {
        assert!(page.contains(line), "{line}: {page}");
    }
    let result = object(&sinew(&["inspect", "--json", "--limits", "preset"]));
    assert_eq!((&result["body"], &result["limits"]["preset"]), (&"humanoid".into(), &true.into()));
    let limbs = result["limbs"].as_array().unwrap();
    let arm = limbs.iter().find(|limb| limb["name"] == "left arm").unwrap();
    assert_eq!(arm["joints"], serde_json::json!(["LeftShoulder", "LeftUpperArm", "LeftLowerArm", "LeftHand"]));
    assert!(arm["confidence"].as_f64().unwrap() > 0.9 && limbs.len() == 16);
    let elbow = joint(&result, "LeftLowerArm");
    assert_eq!((&elbow["motion"], &elbow["role"]), (&"hinge -15° to 150°".into(), &"left lower arm".into()));
}

/// A human is solved as a whole where nothing is asked that is for limbs alone, and its parts are names on every rig.
#[test]
fn a_human_is_solved_as_a_whole() {
    let rest = object(&sinew(&["solve", "--json"]));
    let by = |more: &[&str]| {
        let result = object(&sinew(&[&["solve", "--goal", "LeftHand=0.3,1.2,0.4", "--json"], more].concat()));
        let stands = joint(&result, "Chest")["local"] == joint(&rest, "Chest")["local"];
        (result["solver"].as_str().unwrap().to_owned(), stands)
    };
    let (body, limb) = (("body".to_owned(), false), ("two-bone".to_owned(), true));
    assert_eq!((by(&[]), by(&["--pole", "LeftHand=0.5,0.5,-1"])), (body.clone(), body));
    assert_eq!((by(&["--solver", "limbs"]), by(&["--base", "LeftHand=LeftUpperArm"])), (limb.clone(), limb.clone()));
    assert_eq!((by(&["--reach", "soft"]), by(&["--bend", "rest"])), (limb.clone(), limb));
    // A finger has a limb of its own.
    assert_eq!(by(&["--goal", "LeftIndexTip=0.66,0.91,0.12"]).0, "two-bone, three-link");
    let far = ["solve", "--goal", "LeftHand=0.3,0.5,0.7", "--json", "--strict"];
    assert_eq!(sinew(&far).status.code(), Some(0));
    assert_eq!(sinew(&[&far[..], &["--solver", "limbs"]].concat()).status.code(), Some(3));
    let places = ["left hand", "Left_Hand", "leftHand", "LeftHand"].map(|name| {
        let result = object(&sinew(&["solve", "--goal", &format!("{name}=0.3,1.2,0.4"), "--json"]));
        result["joints"].to_string()
    });
    assert!(places.iter().all(|place| *place == places[0]));
}

#[test]
fn a_folder_that_is_not_there_is_said_without_the_temporary_file() {
    let goal = ["solve", "--goal", "LeftHand=0.3,1.2,0.4"];
    for output in [["-o", "/nowhere/at/all.glb"], ["--picture", "/nowhere/at/all.svg"]] {
        let line = complaint(&sinew(&[&goal[..], &output].concat()));
        assert!(line.contains("all.") && line.contains("(No such file or directory"), "{line}");
        assert!(!line.contains(".tmp"), "{line}");
    }
}

#[test]
fn a_human_keeps_to_its_limits() {
    // Behind the back a free arm folds its elbow any way; a human's cannot get there.
    let goal = ["solve", "--goal", "LeftHand=0.1,1.25,-0.35", "--solver", "limbs", "--json"];
    let free = object(&sinew(&goal));
    let human = object(&sinew(&[&goal[..], &["--limits", "preset"]].concat()));
    assert_eq!(free["outcome"]["status"], "reached");
    assert_eq!(human["outcome"]["status"], "limited");
    assert!(!human["goals"][0]["blocking"].as_array().unwrap().is_empty());
    // In front it can, with the elbow a hinge about one axis.
    let front = object(&sinew(&["solve", "--goal", "LeftHand=0.25,1.25,0.35", "--limits", "preset", "--json"]));
    assert_eq!(front["outcome"]["status"], "reached");
    let line = complaint(&sinew(&["solve", "--limits", "nowhere.toml"]));
    assert!(line.contains("nowhere.toml") && line.contains("preset"), "{line}");
}

#[test]
fn a_sidecar_beside_the_rig_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let human = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/human.glb");
    std::fs::copy(human, folder.path().join("hero.glb")).unwrap();
    let run = |arguments: &[&str]| sinew_in(folder.path(), arguments);
    let report = text(&run(&["inspect", "hero.glb", "--write-sidecar"]));
    assert!(report.trim_end().ends_with("hero.sinew.toml"), "{report}");
    // What is there is not overwritten.
    let line = complaint(&run(&["inspect", "hero.glb", "--write-sidecar"]));
    assert!(line.contains("there already"), "{line}");
    assert!(text(&run(&["inspect", "hero.glb", "--write-sidecar=other.toml"])).contains("other.toml"));
    let page = text(&run(&["inspect", "hero.glb"]));
    assert!(
        page.contains("note: names and limits from hero.sinew.toml")
            && page.contains("LeftLowerArm  hinge -15° to 150°"),
        "{page}"
    );
    assert!(page.contains("the sidecar says so"));
    assert!(!text(&run(&["inspect", "hero.glb", "--limits", "none"])).contains("hinge"));
    // New names are what goals use, and the file keeps its own.
    let own = "version = 1\n[joint.LeftHand]\nname = \"grip\"\n[joint.LeftLowerArm]\nkind = \"hinge\"\naxis = [0, 0, 1]\nrange = [0, 0]\n";
    std::fs::write(folder.path().join("hero.sinew.toml"), own).unwrap();
    let solved = object(&run(&[
        "solve",
        "hero.glb",
        "--goal",
        "grip=0.3,1.2,0.3",
        "--solver",
        "limbs",
        "-o",
        "posed.glb",
        "--json",
    ]));
    assert_eq!(solved["outcome"]["status"], "limited");
    assert!(solved["notes"].to_string().contains("hero.sinew.toml"), "{solved}");
    assert!(document(&folder.path().join("posed.glb"))["nodes"].to_string().contains("LeftHand"));
    std::fs::write(folder.path().join("hero.sinew.toml"), "version = 1\n\n[joint.LeftHnd]\nmass = 1\n").unwrap();
    let line = complaint(&run(&["solve", "hero.glb", "--goal", "LeftHand=0.3,1.2,0.3"]));
    assert!(line.contains("hero.sinew.toml:3: ") && line.contains("LeftHand"), "{line}");
}
