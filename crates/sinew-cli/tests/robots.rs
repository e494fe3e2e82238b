//! Robots on the command: what it prints, writes and answers, checked by forward kinematics of the file that share
//! nothing with the solver.

use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::data::data;
use crate::shell::{complaint, numbers, object, sinew, sinew_in, text};
use serde_json::Value;
use sinew::glam::{DMat4, DQuat, DVec3};

const ARM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/arm6.urdf");

/// The arm of `rigs/arm6.urdf` by hand: for each joint its way from the one before and its axis.
const LINKS: [([f64; 3], DVec3); 6] = [
    ([0.0, 0.0, 0.12], DVec3::Z),
    ([0.06, 0.0, 0.17], DVec3::Y),
    ([0.0, 0.0, 0.36], DVec3::Y),
    ([0.17, 0.0, 0.045], DVec3::X),
    ([0.16, 0.0, 0.0], DVec3::Y),
    ([0.075, 0.0, 0.0], DVec3::X),
];

/// Where the arm's tool is at coordinates.
fn tool(q: &[f64]) -> DMat4 {
    let joint = |((way, axis), q): (&([f64; 3], DVec3), &f64)| {
        DMat4::from_translation((*way).into()) * DMat4::from_axis_angle(*axis, *q)
    };
    let arm = LINKS.iter().zip(q).map(joint).fold(DMat4::IDENTITY, |above, below| above * below);
    arm * DMat4::from_translation(DVec3::X * 0.02) * DMat4::from_rotation_y(PI / 2.0)
}

/// The values of a `--json` object's coordinates, in order.
fn values(object: &Value) -> Vec<f64> {
    let all = object["coordinates"].as_array().expect("coordinates");
    all.iter().map(|one| one["value"].as_f64().expect("a number")).collect()
}

fn solve(more: &[&str]) -> Value {
    object(&sinew(&[&["solve", ARM, "--json"], more].concat()))
}

#[test]
fn places_turns_and_axes_are_reached_by_the_coordinates_printed() {
    let at = DVec3::new(0.4, 0.2, 0.5);
    let goal = ["--goal", "tool0=0.4,0.2,0.5"];
    let place = tool(&values(&solve(&goal)));
    assert!(place.w_axis.truncate().distance(at) < 1e-9);
    let turned = solve(&[&goal[..], &["--turn", "tool0=0,1,0,0"]].concat());
    let frame = tool(&values(&turned));
    assert!(frame.w_axis.truncate().distance(at) < 1e-9);
    let wanted = DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0);
    assert!(DQuat::from_mat4(&frame).dot(wanted).abs() > 1.0 - 1e-12);
    assert_eq!((&turned["solver"], &turned["goals"][0]["status"]), (&"serial".into(), &"reached".into()));
    let five = tool(&values(&solve(&[&goal[..], &["--along", "tool0=1,0,-1", "--axis", "tool0=1,0,0"]].concat())));
    assert!(five.w_axis.truncate().distance(at) < 1e-9);
    assert!(five.x_axis.truncate().distance(DVec3::new(0.5_f64.sqrt(), 0.0, -(0.5_f64.sqrt()))) < 1e-9);
    let aimed = solve(&[&goal[..], &["--aim", "tool0=1,0.2,0"]].concat());
    let frame = tool(&values(&aimed));
    let sight = (DVec3::new(1.0, 0.2, 0.0) - frame.w_axis.truncate()).normalize();
    assert!(frame.z_axis.truncate().distance(sight) < 1e-8, "{aimed}");
    assert_eq!(aimed["solver"], "jacobian");
}

#[test]
fn roll_pitch_and_yaw_turn_as_a_urdf_does_and_slack_is_used_where_it_is_given() {
    let ask = |turn: &str, more: &[&str]| {
        solve(&[&["--goal", "tool0=0.35,0.1,0.4", "--turn", &format!("tool0={turn}")], more].concat())
    };
    // Fixed axes: first about x, then y, then z.
    let (roll, pitch, yaw) = (170_f64.to_radians(), (-15_f64).to_radians(), 40_f64.to_radians());
    let wanted = DMat4::from_rotation_z(yaw) * DMat4::from_rotation_y(pitch) * DMat4::from_rotation_x(roll);
    let reached = tool(&values(&ask("170,-15,40", &[])));
    for (axis, other) in [(reached.x_axis, wanted.x_axis), (reached.y_axis, wanted.y_axis)] {
        assert!(axis.distance(other) < 1e-9, "{axis} {other}");
    }
    let loose = ask("170,-15,40", &["--slack", "tool0=0.05,0.05,0,0,0,60"]);
    assert_eq!(loose["goals"][0]["status"], "reached");
    let off = tool(&values(&loose)).w_axis.truncate() - DVec3::new(0.35, 0.1, 0.4);
    assert!(off.x.abs() < 0.05 + 1e-9 && off.y.abs() < 0.05 + 1e-9 && off.z.abs() < 1e-9, "{off}");
    assert!(off.length() > 1e-3, "from afar the edge is nearer than the middle: {off}");
    for (more, what) in [
        (["--slack", "tool0=0.05,-1,0"], "not be negative"),
        (["--slack", "tool0=0.05"], "6 numbers needed"),
        (["--slack", "forearm=1,1,1"], "no goal"),
    ] {
        let told = complaint(&sinew(&[&["solve", ARM, "--goal", "tool0=0.4,0.2,0.5"], &more[..]].concat()));
        assert!(told.contains(what), "{told}");
    }
    let human = complaint(&sinew(&["solve", "--goal", "LeftHand=0.3,1.2,0.4", "--slack", "LeftHand=0.1,0.1,0.1"]));
    assert!(human.contains("--solver jacobian"), "{human}");
}

#[test]
fn places_are_measured_from_the_base_which_stands_still() {
    let result = solve(&["--goal", "tool0=0.3,0.05,0.3", "--base", "turret", "--seed", "40,6,6,6,6,6"]);
    let q = values(&result);
    assert_eq!((q[0], &result["goals"][0]["base"]), (40.0_f64.to_radians(), &"turret".into()));
    let turret = DMat4::from_translation(DVec3::Z * 0.12) * DMat4::from_rotation_z(40.0_f64.to_radians());
    let reached = turret.inverse().transform_point3(tool(&q).w_axis.truncate());
    assert!(reached.distance(DVec3::new(0.3, 0.05, 0.3)) < 1e-9, "{reached}");
    // Whatever stands still does so for every solver, also where restarts try other poses.
    for solver in ["jacobian", "damped"] {
        let more = ["--goal", "tool0=2,0.05,0.3", "--base", "turret", "--solver", solver, "--restarts", "3"];
        assert_eq!(solve(&more)["coordinates"][0]["moved"], 0.0, "{solver}");
    }
    let line = complaint(&sinew(&["solve", ARM, "--goal", "tool0=1,0,0", "--base", "turret", "--solver", "ccd"]));
    assert!(line.contains("--base: ccd"), "{line}");
    // One goal's own base comes before that of all.
    let own = solve(&["--goal", "tool0=0.4,0.2,0.5", "--base", "forearm", "--base", "tool0=base"]);
    assert_eq!(own["goals"][0]["base"], "base");
}

#[test]
fn a_seed_is_where_the_answer_starts() {
    let goal = ["--goal", "tool0=0.35,-0.2,0.4", "--turn", "tool0=0,1,0,0", "--restarts", "0"];
    let far = "0,0,0,0,0,344";
    let near = values(&solve(&goal));
    let wound = values(&solve(&[&goal[..], &["--seed", far]].concat()));
    assert!((wound[5] - near[5] - 2.0 * PI).abs() < 1e-6, "the turn nearest the seed: {} {}", near[5], wound[5]);
    // A goal met by the seed moves nothing.
    let seed: Vec<String> = near.iter().map(|value| value.to_degrees().to_string()).collect();
    let same = solve(&[&goal[..], &["--seed", &seed.join(",")]].concat());
    assert!(same["coordinates"].as_array().unwrap().iter().all(|one| one["moved"].as_f64().unwrap().abs() < 1e-9));
    // Those of the goal's arm are enough.
    let arm = solve(&["--goal", "tool0=0.3,0.1,0.3", "--base", "turret", "--seed", "6,6,6,6,6"]);
    assert_eq!(values(&arm)[0], 0.0);
    let report = text(&sinew(&["solve", ARM, "--goal", "tool0=0.4,0.2,0.5", "--seed", "0,114.59,0,0,0,0"]));
    assert!(report.contains("shoulder starts at 114.59°, outside its limits (-110.01° to 80.21°)"), "{report}");
}

#[test]
fn what_is_missed_is_told_with_amount_direction_and_exit_status() {
    let far = ["solve", ARM, "--goal", "tool0=3,0,0.29"];
    let result = object(&sinew(&[&far[..], &["--json"]].concat()));
    let goal = &result["goals"][0];
    let left = DVec3::from(numbers(&goal["position_left"]));
    let reached = tool(&values(&result)).w_axis.truncate();
    assert_eq!(goal["status"], "out_of_reach");
    assert!((reached + left).distance(DVec3::new(3.0, 0.0, 0.29)) < 1e-9);
    assert!((left.length() - goal["position_error"].as_f64().unwrap()).abs() < 1e-12);
    assert_eq!(sinew(&[&far[..], &["--strict"]].concat()).status.code(), Some(3));
    assert_eq!(sinew(&["solve", ARM, "--goal", "tool0=0.4,0.2,0.5", "--strict"]).status.code(), Some(0));
    let report = text(&sinew(&far));
    assert!(report.contains("out_of_reach") && report.contains("m off (the target lies "), "{report}");
    // Every coordinate is inside its limits, and its margin says how far.
    for one in result["coordinates"].as_array().unwrap() {
        let [value, min, max, margin] = ["value", "min", "max", "margin"].map(|key| one[key].as_f64().unwrap());
        assert!(min <= value && value <= max && margin == (value - min).min(max - value), "{one}");
    }
}

#[test]
fn coordinates_are_written_as_csv_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let goal = ["solve", ARM, "--goal", "tool0=0.4,0.2,0.5", "--json", "-o"];
    let result = object(&sinew_in(folder.path(), &[&goal[..], &["q.csv"]].concat()));
    let csv = std::fs::read_to_string(folder.path().join("q.csv")).unwrap();
    let (names, row) = csv.trim_end().split_once('\n').unwrap();
    assert_eq!(names, "waist,shoulder,elbow,wrist_roll,wrist_pitch,flange_turn");
    let row: Vec<f64> = row.split(',').map(|number| number.parse().unwrap()).collect();
    assert_eq!(row, values(&result));
    assert!(result["written"][0].as_str().unwrap().ends_with("q.csv"));
    drop(object(&sinew_in(folder.path(), &[&goal[..], &["q.json"]].concat())));
    let json: Value = serde_json::from_slice(&std::fs::read(folder.path().join("q.json")).unwrap()).unwrap();
    assert_eq!(json["coordinates"]["elbow"], result["coordinates"][2]["value"]);
    // What travels is written, too, by names that other programs know.
    drop(object(&sinew_in(folder.path(), &[&goal[..], &["free.csv", "--root", "free"]].concat())));
    let csv = std::fs::read_to_string(folder.path().join("free.csv")).unwrap();
    assert!(
        csv.lines().next().unwrap().ends_with(
            "flange_turn,base/trans_x,base/trans_y,base/trans_z,base/rot_x,base/rot_y,base/rot_z,base/rot_w"
        )
    );
    assert_eq!(csv.lines().map(|line| line.split(',').count()).collect::<Vec<_>>(), [13, 13]);
}

#[test]
fn inspect_lists_joints_limits_masses_and_arms() {
    let page = text(&sinew(&["inspect", ARM]));
    for part in [
        "the robot arm6, 8 links, 7 joints, 6 coordinates, 20.9 kg",
        "1  shoulder      revolute +Y  -110.01° to 80.21°   turret > upper_arm  4.4 kg",
        "   flange-tool0  fixed",
        "tool0  6 coordinates  0-5  reaches 0.971 m at most",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let object = object(&sinew(&["inspect", ARM, "--json"]));
    let elbow = &object["joints"][2];
    assert_eq!(
        (&elbow["name"], &elbow["type"], &elbow["child"]),
        (&"elbow".into(), &"revolute".into(), &"forearm".into())
    );
    assert_eq!(numbers::<2>(&elbow["limits"]), [-1.05, 2.62]);
    assert!((numbers::<2>(&elbow["limits_degrees"])[1] - 150.115).abs() < 1e-3);
    assert!((object["mass"].as_f64().unwrap() - 20.9).abs() < 1e-12 && object["links"][1]["mass"] == 5.2);
    // No pose found reaches farther from the first joint than what is said.
    let reach = object["arms"][0]["reach"].as_f64().unwrap();
    let stretched = tool(&[0.0, 1.4, -1.05, 0.0, -0.3, 0.0]).w_axis.truncate();
    assert!(stretched.distance(DVec3::Z * 0.12) < reach && reach < 1.0);
}

/// Every joint type, with a follower.
const ODD: &str = r#"<robot name="odd">
  <link name="world"/> <link name="cart"/> <link name="lift"/> <link name="left"/> <link name="right"/> <link name="kite"/>
  <joint name="drive" type="planar"><parent link="world"/><child link="cart"/><axis xyz="0 0 1"/></joint>
  <joint name="rise" type="prismatic"><parent link="cart"/><child link="lift"/><axis xyz="0 0 1"/>
    <limit lower="0.1" upper="0.9" effort="1" velocity="1"/></joint>
  <joint name="open" type="continuous"><parent link="lift"/><child link="left"/><origin xyz="0.2 0 0"/></joint>
  <joint name="close" type="revolute"><parent link="lift"/><child link="right"/><origin xyz="-0.2 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="open" multiplier="-0.5" offset="0.25"/></joint>
  <joint name="string" type="floating"><parent link="lift"/><child link="kite"/></joint>
</robot>"#;

#[test]
fn every_type_of_joint_is_told_solved_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("odd.urdf"), ODD).unwrap();
    let run = |arguments: &[&str]| sinew_in(folder.path(), arguments);
    let page = text(&run(&["inspect", "odd.urdf", "--picture", "odd.svg"]));
    for part in [
        "0,1,2  drive   planar +Z",
        "world > cart",
        "3      rise    prismatic +Z   0.100 m to 0.900 m",
        "4      open    continuous +X",
        "= -0.5 × open + 14.32°",
        "string  floating",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let svg = std::fs::read_to_string(folder.path().join("odd.svg")).unwrap();
    assert!(svg.contains(">hinge<") && svg.contains(">slide<") && svg.contains(">rise<"));
    // The lift starts amid its limits, as 0 lies outside.
    let rest = object(&run(&["solve", "odd.urdf", "--json"]));
    assert_eq!(values(&rest), [0.0, 0.0, 0.0, 0.5, 0.0]);
    let result = object(&run(&["solve", "odd.urdf", "--goal", "left=2,1,0.7", "--json", "--picture", "solved.png"]));
    assert_eq!(result["outcome"]["status"], "reached");
    let q = values(&result);
    let at = DVec3::new(q[0] + 0.2 * q[2].cos(), q[1] + 0.2 * q[2].sin(), q[3]);
    assert!(at.distance(DVec3::new(2.0, 1.0, 0.7)) < 1e-9, "{at}");
    assert_eq!(&std::fs::read(folder.path().join("solved.png")).unwrap()[1..4], b"PNG");
    // What floats is moved by a solver that can.
    let kite = object(&run(&["solve", "odd.urdf", "--goal", "kite=3,2,1", "--turn", "kite=1,0,0,0", "--json"]));
    assert_eq!((&kite["outcome"]["status"], &kite["solver"]), (&"reached".into(), &"jacobian".into()));
}

#[test]
fn solvers_are_compared_and_drawn_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let goal = ["compare", ARM, "--goal", "tool0=0.4,0.2,0.5", "--turn", "tool0=0,1,0,0", "--restarts", "4"];
    let page = text(&sinew_in(folder.path(), &goal));
    assert!(page.contains("  serial       reached") && page.contains("  jacobian     reached"), "{page}");
    let result = object(&sinew_in(folder.path(), &[&goal[..], &["--json", "--picture", "all.svg"]].concat()));
    let serial = &result["solvers"][0];
    assert!(tool(&values(serial)).w_axis.truncate().distance(DVec3::new(0.4, 0.2, 0.5)) < 1e-9);
    let svg = std::fs::read_to_string(folder.path().join("all.svg")).unwrap();
    assert!(svg.contains(">serial: reached<") && svg.contains("arm6: the same goals by every solver"));
    assert!(svg.contains(">hinge<") && svg.contains(">goal reached<"), "drawn as a robot");
}

#[test]
fn bad_input_is_answered_in_one_line() {
    let goal = ["solve", ARM, "--goal", "tool0=0.4,0.2,0.5"];
    for (more, parts) in [
        (&["--goal", "tool=1,2"][..], &["--goal 'tool=1,2'", "found 2"][..]),
        (&["--goal", "elbow=1,2,3"], &["'elbow' is a joint", "'forearm'"]),
        (&["--goal", "tol0=1,2,3"], &["no link is called 'tol0'", "'tool0'"]),
        (&["--goal", "arm=1,2,3"], &["fits 2 links: upper_arm, forearm"]),
        (&["--goal", "base=1,2,3"], &["no joint moves 'base' against 'base'"]),
        (&["--base", "tool0"], &["no joint moves 'tool0' against 'tool0'"]),
        (&["--base", "hand=base"], &["'hand' has no goal"]),
        (&["--turn", "tool0=0,0,0,1", "--aim", "tool0=1,0,0"], &["both", "--turn"]),
        (&["--seed", "1,2"], &["6 numbers needed (waist, shoulder,", "found 2"]),
        (&["--base", "turret", "--seed", "1,2"], &["5 numbers needed (shoulder,", "or 6 for all", "found 2"]),
        (&["--seed", "1,2,3,4,5,nan"], &["--seed", "'nan'", "degrees"]),
        (&["--seed", ""], &["--seed", "''"]),
        (&["--limits", "preset"], &["--limits preset", "file"]),
        (&["--scale", "tool0=2"], &["--scale", "characters"]),
        (&["--pole", "tool0=1,2,3"], &["--pole", "characters"]),
        (&["--reach", "soft"], &["--reach", "characters"]),
        (&["--stand", "base"], &["--stand", "characters"]),
        (&["--root", "pulled"], &["--root pulled", "pinned or free"]),
        (&["--solver", "two-bone"], &["--solver two-bone", "serial or jacobian"]),
        (&["--solver", "serial", "--aim", "tool0=1,0,0"], &["--solver serial", "'tool0'"]),
        (&["-o", "posed.urdf"], &["posed.urdf", ".csv or .json"]),
        (&["-o", "/no/such/folder/q.csv"], &["folder exists"]),
        (&["--picture", "arm.jpeg"], &[".svg or .png"]),
    ] {
        let line = complaint(&sinew(&[&goal[..], more].concat()));
        assert!(parts.iter().all(|part| line.contains(part)), "{more:?}: {line}");
    }
    for (arguments, parts) in [
        (&["simulate", ARM][..], &["arm6.urdf", "simulate", "characters"][..]),
        (&["inspect", ARM, "--write-sidecar"], &["--write-sidecar", "file"]),
        (&["inspect", "no-such.urdf"], &["no-such.urdf", "check the path"]),
        (&["solve", "--solver", "serial", "--goal", "LeftHand=0.3,1.2,0.4"], &["--solver serial", "'LeftHand'"]),
        (&["solve", "--seed", "1", "--goal", "LeftHand=1,2,3"], &["--seed 1", "robot's"]),
        (&["solve", "--root", "free", "--goal", "LeftHand=1,2,3"], &["--root free", "mass-spring"]),
    ] {
        let line = complaint(&sinew(arguments));
        assert!(parts.iter().all(|part| line.contains(part)), "{arguments:?}: {line}");
    }
    let folder = tempfile::tempdir().unwrap();
    let xacro = r#"<robot name="x" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="a"/></robot>"#;
    std::fs::write(folder.path().join("robot.urdf.xacro"), xacro).unwrap();
    let line = complaint(&sinew_in(folder.path(), &["inspect", "robot.urdf.xacro"]));
    assert!(line.contains("robot.urdf.xacro:1: <xacro:include>") && line.contains("xacro > robot.urdf"), "{line}");
}

/// The entries of an `index.json`.
fn index(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("index.json");
    serde_json::from_str(&text).expect("a list")
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn real_robots_are_told_drawn_and_solved() {
    let data = data();
    let folder = tempfile::tempdir().unwrap();
    let mut reached = 0;
    for entry in index(&data.join("urdf/index.json")) {
        let file = data.join(entry["file"].as_str().unwrap()).display().to_string();
        let told = object(&sinew_in(folder.path(), &["inspect", &file, "--json", "--picture", "robot.svg"]));
        assert_eq!(told["links"].as_array().unwrap().len() as u64, entry["links"].as_u64().unwrap(), "{file}");
        let mut types: BTreeMap<String, u64> = BTreeMap::new();
        for joint in told["joints"].as_array().unwrap() {
            *types.entry(joint["type"].as_str().unwrap().to_owned()).or_default() += 1;
        }
        assert_eq!(serde_json::json!(types), sorted(&entry["joint_types"]), "{file}");
        let svg = std::fs::read_to_string(folder.path().join("robot.svg")).unwrap();
        assert!(svg.starts_with("<svg") && !svg.contains("NaN"), "{file}");
        // A tip's frame at made up coordinates is reached from home, by the frames of a second run.
        for (tip, dof) in entry["suggested_tips"].as_object().into_iter().flatten() {
            if dof.as_u64() > Some(2) {
                reach(&file, tip, &told);
                reached += 1;
            }
        }
    }
    assert!(reached > 15, "{reached}");
}

fn sorted(types: &Value) -> Value {
    let types: BTreeMap<&String, &Value> = types.as_object().into_iter().flatten().collect();
    serde_json::json!(types)
}

fn reach(file: &str, tip: &str, told: &Value) {
    let middle = |one: &Value| match (one["min"].as_f64(), one["max"].as_f64()) {
        (Some(min), Some(max)) if one["unit"] == "radians" => (0.35 * min + 0.65 * max).to_degrees().to_string(),
        (Some(min), Some(max)) => (0.35 * min + 0.65 * max).to_string(),
        _ => "40".to_owned(),
    };
    let seed: Vec<String> = told["coordinates"].as_array().expect("coordinates").iter().map(middle).collect();
    let posed = object(&sinew(&["solve", file, "--json", "--seed", &seed.join(",")]));
    let link = |object: &Value, key: &str| {
        let links = object["links"].as_array().expect("links");
        links.iter().find(|link| link["name"] == tip).expect("the tip")[key].clone()
    };
    let [x, y, z] = numbers(&link(&posed, "translation"));
    let [qx, qy, qz, qw] = numbers(&link(&posed, "rotation"));
    let (goal, turn) = (format!("{tip}={x},{y},{z}"), format!("{tip}={qx},{qy},{qz},{qw}"));
    let result = object(&sinew(&["solve", file, "--json", "--goal", &goal, "--turn", &turn]));
    assert_eq!(result["outcome"]["status"], "reached", "{file} {tip}: {}", result["goals"][0]);
    let apart = DVec3::from(numbers(&link(&result, "translation"))).distance(DVec3::new(x, y, z));
    assert!(apart < 1e-8, "{file} {tip}: {apart}");
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn hostile_robots_are_answered_in_one_line() {
    let data = data();
    let folder = tempfile::tempdir().unwrap();
    for entry in index(&data.join("bad/index.json")).iter().filter(|entry| entry["format"] == "urdf") {
        let file = data.join("bad").join(entry["file"].as_str().unwrap()).display().to_string();
        let start = Instant::now();
        let output = sinew_in(folder.path(), &["inspect", &file, "--picture", "robot.png"]);
        assert!(start.elapsed() < Duration::from_secs(60), "{file}");
        if output.status.code() != Some(0) {
            let line = complaint(&output);
            let after = line.split_once(".urdf:").map_or("", |(_, after)| after);
            assert!(
                after.starts_with(|c: char| c.is_ascii_digit()) && line.contains('<') || line.contains("document"),
                "{line}"
            );
        }
        assert!(
            entry["expect"] != "accept" || output.status.success(),
            "{file}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        // A mimic of a missing joint is noted and has a value of its own, as in urdfdom.
        let is_reject = entry["expect"] == "reject" && !file.ends_with("mimic_ghost.urdf");
        assert!(!is_reject || !output.status.success(), "{file} was accepted");
    }
}
