//! `sinew simulate` as its users meet it: what it prints, and what the file that it writes says to plain matrix products.

use crate::gltf;
use std::path::Path;

use crate::data::data;
use crate::gltf::{document, node_matrices};
use crate::shell::{complaint, numbers, object, sinew, sinew_in, text};
use serde_json::Value;
use sinew::glam::{DMat4, DVec3};

/// Numbers of a 32-bit accessor in the file's last buffer, which the clip brought.
fn floats(path: &Path, document: &Value, accessor: &Value) -> Vec<f64> {
    let accessor = &document["accessors"][accessor.as_u64().expect("an index") as usize];
    let view = &document["bufferViews"][accessor["bufferView"].as_u64().expect("a view") as usize];
    let size = match accessor["type"].as_str() {
        Some("SCALAR") => 1,
        Some("VEC3") => 3,
        _ => 4,
    };
    let bytes = std::fs::read(path).expect("the file");
    let json = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let offset = |value: &Value| value["byteOffset"].as_u64().unwrap_or(0) as usize;
    let start = 20 + json + 8 + offset(view) + offset(accessor);
    let count = size * accessor["count"].as_u64().expect("a count") as usize;
    let number = |at: usize| f32::from_le_bytes(bytes[start + 4 * at..][..4].try_into().expect("four bytes"));
    (0..count).map(|at| f64::from(number(at))).collect()
}

/// Each node's matrix in the scene at every key of the first animation, which has so many.
fn frames(path: &Path, keys: usize) -> Vec<Vec<DMat4>> {
    let document = document(path);
    let clip = &document["animations"][0];
    let channels = clip["channels"].as_array().expect("channels");
    let tracks = channels.iter().map(|channel| {
        let sampler = &clip["samplers"][channel["sampler"].as_u64().expect("an index") as usize];
        (channel, floats(path, &document, &sampler["input"]).len(), floats(path, &document, &sampler["output"]))
    });
    let tracks: Vec<(&Value, usize, Vec<f64>)> = tracks.collect();
    let frame = |key: usize| {
        let mut posed = document.clone();
        for (channel, count, values) in &tracks {
            assert!([2, keys].contains(count), "{count} keys");
            let size = values.len() / count;
            let at = if *count == keys { key } else { 0 };
            let (node, property) = (channel["target"]["node"].as_u64().expect("a node"), &channel["target"]["path"]);
            let value: Value = values[at * size..(at + 1) * size].into();
            posed["nodes"][node as usize][property.as_str().expect("a path")] = value;
        }
        node_matrices(&posed)
    };
    (0..keys).map(frame).collect()
}

/// The place of a named node in the scene.
fn place(document: &Value, frame: &[DMat4], name: &str) -> DVec3 {
    let nodes = document["nodes"].as_array().expect("nodes");
    frame[nodes.iter().position(|node| node["name"] == name).expect("a node of that name")].w_axis.truncate()
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().expect("a number")
}

const ARM: &str = "LeftUpperArm,LeftHand=1.5";

#[test]
fn the_clip_is_the_first_of_the_file_and_has_a_key_for_every_frame() {
    let folder = tempfile::tempdir().unwrap();
    let output = sinew_in(folder.path(), &["simulate", "--seconds", "1.5", "--rate", "20", "-o", "out.glb", "--json"]);
    assert!(output.stderr.is_empty(), "no bar where there is no terminal");
    let result = object(&output);
    assert_eq!((&result["frames"], number(&result, "seconds")), (&31.into(), 1.5));
    let path = folder.path().join("out.glb");
    let written = document(&path);
    assert_eq!(written["animations"][0]["name"], "simulated");
    assert_eq!(frames(&path, 31).len(), 31);
    // Rigid bones keep their length in every frame.
    let length =
        |frame: &[DMat4]| place(&written, frame, "LeftUpperArm").distance(place(&written, frame, "LeftLowerArm"));
    let rest = length(&node_matrices(&written));
    assert!(frames(&path, 31).iter().all(|frame| (length(frame) - rest).abs() < 1e-5 * rest));
    // Both arms swing without being named.
    let chains = result["chains"].as_array().unwrap();
    assert_eq!(
        (chains.len(), &chains[0]["base"], &chains[1]["base"]),
        (2, &"LeftUpperArm".into(), &"RightUpperArm".into())
    );
    assert!(chains.iter().all(|chain| number(chain, "swing_degrees") > 10.0), "{result}");
}

#[test]
fn nothing_moves_where_nothing_pulls() {
    let folder = tempfile::tempdir().unwrap();
    let still = ["simulate", "--chain", ARM, "--move", "still", "--gravity", "0,0,0", "-o", "out.glb", "--json"];
    let result = object(&sinew_in(folder.path(), &still));
    let chain = &result["chains"][0];
    assert!(number(chain, "swing_degrees") < 1e-6 && number(chain, "calm_after") == 0.0, "{chain}");
    let clip = &document(&folder.path().join("out.glb"))["animations"][0];
    assert_eq!(clip["channels"].as_array().unwrap().len(), 1, "one track, since a clip may not be empty");
}

#[test]
fn what_hangs_loose_ends_straight_down() {
    let loose = ["simulate", "--chain", "LeftUpperArm,LeftHand=0,1", "--move", "still", "--seconds", "12", "--json"];
    let result = object(&sinew(&loose));
    let rest = object(&sinew(&["solve", "--json"]));
    let at = |name: &str| {
        let joint = gltf::joints(&rest).iter().find(|joint| joint["name"] == name).expect("a joint");
        DVec3::from(numbers(&joint["model"]["translation"]))
    };
    let down = (at("LeftHand") - at("LeftUpperArm")).angle_between(DVec3::NEG_Y).to_degrees();
    let chain = &result["chains"][0];
    assert!((number(chain, "end_degrees") - down).abs() < 0.5, "{chain}, not {down}");
    assert!(chain["calm_after"].as_f64().is_some_and(|calm| calm > 0.2), "{chain}");
    // Upwards where gravity says so, and with the wind where it blows alone.
    for (way, options) in [(DVec3::Y, ["--gravity", "0,9.81,0"]), (DVec3::NEG_Z, ["--gravity", "0,0,-9.81"])] {
        let result = object(&sinew(&[&loose[..], &options].concat()));
        let away = (at("LeftHand") - at("LeftUpperArm")).angle_between(way).to_degrees();
        assert!((number(&result["chains"][0], "end_degrees") - away).abs() < 0.5, "{result}");
    }
    let result = object(&sinew(&[&loose[..], &["--gravity", "0,0,0", "--wind", "0,0,-3"]].concat()));
    let away = (at("LeftHand") - at("LeftUpperArm")).angle_between(DVec3::NEG_Z).to_degrees();
    assert!((number(&result["chains"][0], "end_degrees") - away).abs() < 2.0, "{result}");
}

#[test]
fn the_rate_of_frames_does_not_change_the_motion() {
    let swing = |rate: &str| {
        let result = object(&sinew(&["simulate", "--chain", ARM, "--move", "sway", "--rate", rate, "--json"]));
        number(&result["chains"][0], "swing_degrees")
    };
    let (slow, fast) = (swing("30"), swing("240"));
    assert!((slow / fast - 1.0).abs() < 0.03, "{slow} and {fast}");
}

#[test]
fn scale_goals_keys_and_springs_share_one_pose() {
    let folder = tempfile::tempdir().unwrap();
    let together = [
        "simulate",
        "--chain",
        ARM,
        "--scale",
        "Head=1.5",
        "--goal",
        "LeftFoot=0.12,0.3,0.2",
        "--pole",
        "LeftFoot=0.1,0.5,2",
        "--move",
        "RightHand=-0.35,1.3,0.35@1",
        "--move",
        "RightHand=-0.5,1.2,0.2@2",
        "--seconds",
        "2",
        "-o",
        "out.glb",
        "--json",
    ];
    let result = object(&sinew_in(folder.path(), &together));
    let goals = result["goals"].as_array().unwrap();
    assert!(goals.len() == 3 && goals.iter().all(|goal| goal["worst_status"] == "reached"), "{result}");
    let path = folder.path().join("out.glb");
    let (written, frames) = (document(&path), frames(&path, 61));
    let (hand, foot) = (|key: usize| place(&written, &frames[key], "RightHand"), DVec3::new(0.12, 0.3, 0.2));
    assert!(
        hand(30).distance(DVec3::new(-0.35, 1.3, 0.35)) < 1e-5 && hand(60).distance(DVec3::new(-0.5, 1.2, 0.2)) < 1e-5
    );
    let rest = node_matrices(&written);
    assert!(hand(0).distance(place(&written, &rest, "RightHand")) < 1e-5);
    assert!(frames.iter().all(|frame| place(&written, frame, "LeftFoot").distance(foot) < 1e-5));
    // The head alone is larger: what hangs on it is farther away by as much.
    let above = |frame: &[DMat4]| place(&written, frame, "HeadTop").distance(place(&written, frame, "Head"));
    assert!((above(&frames[7]) / above(&rest) - 1.5).abs() < 1e-5);
    let neck = |frame: &[DMat4]| place(&written, frame, "Head").distance(place(&written, frame, "Neck"));
    assert!((neck(&frames[7]) / neck(&rest) - 1.0).abs() < 1e-5);
    // The left arm swings meanwhile, though nothing but gravity moves it.
    assert!(number(&result["chains"][0], "swing_degrees") > 3.0);
}

#[test]
fn whole_bodies_move_without_jumps() {
    let folder = tempfile::tempdir().unwrap();
    let whole = [
        "simulate",
        "--chain",
        ARM,
        "--move",
        "RightHand=0.1,1.3,0.6@1",
        "--base",
        "RightHand=Spine",
        "--goal",
        "LeftFoot=0.1,0.3,0.2",
        "--solver",
        "whole",
        "--seconds",
        "2",
        "-o",
        "out.glb",
        "--json",
    ];
    for more in [&[][..], &["--move", "sway"], &["--scale", "Head=1.3"]] {
        let result = object(&sinew_in(folder.path(), &[&whole[..], more].concat()));
        assert!(result["goals"].as_array().unwrap().iter().all(|goal| goal["worst_status"] == "reached"), "{result}");
        let path = folder.path().join("out.glb");
        let (written, frames) = (document(&path), frames(&path, 61));
        let fastest = |name: &str| {
            let way = |pair: &[Vec<DMat4>]| place(&written, &pair[0], name).distance(place(&written, &pair[1], name));
            frames.windows(2).map(way).fold(0.0, f64::max)
        };
        // In a thirtieth of a second; from the rest pose anew each time the head goes 64 mm.
        for name in ["Head", "RightLowerArm", "RightFoot", "LeftLowerLeg"] {
            assert!(fastest(name) < 0.05, "{more:?} {name}: {}", fastest(name));
        }
    }
}

#[test]
fn a_root_carries_everything() {
    let folder = tempfile::tempdir().unwrap();
    let carry = ["simulate", "--chain", ARM, "--move", "Hips=1,1.2,0@1", "--seconds", "1", "-o", "out.glb"];
    drop(text(&sinew_in(folder.path(), &carry)));
    let path = folder.path().join("out.glb");
    let (written, frames) = (document(&path), frames(&path, 31));
    let rest = node_matrices(&written);
    let way = |name: &str| place(&written, &frames[30], name) - place(&written, &rest, name);
    assert!(place(&written, &frames[30], "Hips").distance(DVec3::new(1.0, 1.2, 0.0)) < 1e-5);
    assert!(way("Hips").distance(way("RightFoot")) < 1e-5 && way("Hips").distance(way("LeftHand")) > 0.05);
}

#[test]
fn ends_stay_above_the_ground_and_out_of_bodies() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.glb");
    let fall =
        ["simulate", "--chain", "LeftUpperArm,LeftHand=0,0.5", "--move", "still", "--seconds", "2", "-o", "out.glb"];
    let heights = |more: &[&str]| {
        drop(text(&sinew_in(folder.path(), &[&fall[..], more].concat())));
        let written = document(&path);
        let places = frames(&path, 61).into_iter().map(|frame| place(&written, &frame, "LeftHand"));
        places.collect::<Vec<DVec3>>()
    };
    let lowest = |places: Vec<DVec3>| places.into_iter().map(|place| place.y).fold(f64::INFINITY, f64::min);
    assert!(lowest(heights(&[])) < 0.95);
    assert!(lowest(heights(&["--ground", "1"])) > 1.0 - 1e-3);
    assert!(lowest(heights(&["--ground", "1", "--radius", "0.03"])) > 1.03 - 1e-3);
    // A capsule from the chest to the joint above, which both ends of the blown arm would pass.
    let nearest = |more: &[&str]| {
        drop(text(&sinew_in(folder.path(), &[&fall[..], &["--gravity", "-9.81,0,0"], more].concat())));
        let written = document(&path);
        let gap = |frame: &Vec<DMat4>| {
            let [from, to, elbow, hand] =
                ["Chest", "UpperChest", "LeftLowerArm", "LeftHand"].map(|name| place(&written, frame, name));
            let away = |point: DVec3| {
                let share = (point - from).dot(to - from) / (to - from).length_squared();
                point.distance(from.lerp(to, share.clamp(0.0, 1.0)))
            };
            away(elbow).min(away(hand))
        };
        frames(&path, 61).iter().map(gap).fold(f64::INFINITY, f64::min)
    };
    assert!(nearest(&[]) < 0.1);
    assert!(nearest(&["--collide", "Chest=0.15"]) > 0.15 - 1e-3);
    assert!(nearest(&["--collide", "Chest=0.15", "--radius", "0.02"]) > 0.17 - 1e-3);
}

#[test]
fn bones_stretch_as_far_as_they_are_let() {
    let folder = tempfile::tempdir().unwrap();
    let run = [
        "simulate",
        "--chain",
        "LeftUpperArm,LeftHand=1",
        "--move",
        "stop",
        "--stretch",
        "1.2",
        "-o",
        "out.glb",
        "--json",
    ];
    for more in [&[][..], &["--squash"]] {
        let result = object(&sinew_in(folder.path(), &[&run[..], more].concat()));
        let stretch = number(&result["chains"][0], "stretch");
        assert!(stretch > 1.01 && stretch < 1.2 + 1e-3, "{stretch}");
        let clip = document(&folder.path().join("out.glb"))["animations"][0].clone();
        let scaled = clip["channels"].as_array().unwrap().iter().any(|channel| channel["target"]["path"] == "scale");
        assert_eq!(scaled, !more.is_empty());
    }
}

#[test]
fn the_strip_has_eight_moments_and_repeats() {
    let folder = tempfile::tempdir().unwrap();
    let draw = || {
        let report =
            text(&sinew_in(folder.path(), &["simulate", "--chain", ARM, "--move", "walk", "--picture", "film.svg"]));
        assert!(report.contains("the body walks") && report.contains("film.svg"), "{report}");
        std::fs::read_to_string(folder.path().join("film.svg")).unwrap()
    };
    let svg = draw();
    for caption in [">0.00 s<", ">4.00 s<", ">LeftUpperArm<", ">human: the body walks<"] {
        assert!(svg.contains(caption), "{caption}");
    }
    assert_eq!(svg.matches(" s</text>").count(), 16 + 2, "eight captions and a note, each with its edge");
    assert_eq!(svg.matches("<polyline").count(), 8, "the tip's way in each");
    assert_eq!(svg, draw());
    let png = ["simulate", "--chain", ARM, "--picture", "film.png", "--seconds", "0.1"];
    drop(text(&sinew_in(folder.path(), &png)));
    assert_eq!(&std::fs::read(folder.path().join("film.png")).unwrap()[1..4], b"PNG");
}

#[test]
fn bad_input_is_answered_in_one_line() {
    for (arguments, parts) in [
        (&["--chain", "LeftHnad"][..], &["'LeftHnad'", "'LeftHand'", "'left arm'"][..]),
        (&["--chain", "LeftUpperArm,RightHand"], &["below 'LeftUpperArm'", "LeftLowerArm"]),
        (&["--chain", "LeftHand,LeftUpperArm"], &["LeftUpperArm,LeftHand"]),
        (&["--chain", "LeftHand,LeftHand"], &["below 'LeftHand'"]),
        (&["--chain", "LeftUpperArm,Nope"], &["'Nope'", "'left arm'"]),
        (&["--chain", "LeftIndexTip"], &["nothing hangs", "'LeftIndexDistal'"]),
        (&["--chain", "LeftUpperArm=nan"], &["FREQ", "LeftUpperArm=2,0.15"]),
        (&["--chain", "LeftUpperArm=1e9"], &["from 0 to 20"]),
        (&["--chain", "LeftUpperArm=2,-1"], &["DAMPING"]),
        (&["--chain", "LeftUpperArm", "--chain", "LeftHand"], &["another chain"]),
        (&["--chain", "LeftUpperArm", "--goal", "LeftHand=0,1,1"], &["'LeftUpperArm' swings", "further down"]),
        (&["--chain", "LeftUpperArm", "--move", "LeftHand=0,1,1"], &["'LeftUpperArm' swings"]),
        (&["--move", "jump"], &["'jump'", "still, sway", "JOINT=X,Y,Z@SECONDS"]),
        (&["--move", "RightFoot=1,2"], &["found 2"]),
        (&["--move", "RightFoot=1,2,3@soon"], &["'soon'", "@1.5"]),
        (&["--move", "RightFoot=1,2,3@-1"], &["'-1'"]),
        (&["--move", "RightFoot=1,2,3@2", "--move", "RightFoot=1,2,3@1"], &["order of time"]),
        (&["--move", "Spine=0,1,2"], &["--move", "'Spine'", "Hips=X,Y,Z"]),
        (&["--seconds", "1e9"], &["at most 10000 frames"]),
        (&["--seconds", "nan"], &["--seconds", "NaN"]),
        (&["--seconds", "-1"], &["--seconds", "longer than 0"]),
        (&["--rate", "0"], &["--rate", "1 to 1000"]),
        (&["--rate", "1e400"], &["inf"]),
        (&["--settle", "-1"], &["--settle"]),
        (&["--gravity", "1,2"], &["--gravity", "found 2", "X,Y,Z"]),
        (&["--wind", "1,nan,2"], &["--wind", "'nan'"]),
        (&["--stretch", "0.5"], &["--stretch"]),
        (&["--squash"], &["--stretch"]),
        (&["--collide", "Head=-1"], &["not be negative"]),
        (&["--collide", "Hed=1"], &["nearest"]),
        (&["--radius", "inf"], &["--radius"]),
        (&["--ground", "1e300"], &["--ground", "1e300"]),
        (&["--scale", "Head=1,2"], &["--scale", "found 2"]),
        (&["-o", "out.fbx"], &["out.fbx", ".glb"]),
        (&["--picture", "out.gif"], &[".svg or .png"]),
        (&["no-such-file.glb"], &["no-such-file.glb", "check the path"]),
    ] {
        let line = complaint(&sinew(&[&["simulate"], arguments].concat()));
        assert!(parts.iter().all(|part| line.contains(part)), "{arguments:?}: {line}");
    }
    assert!(text(&sinew(&["simulate", "--help"])).contains("Examples:"));
}

/// A character of the real files.
fn character(file: &str) -> String {
    data().join("gltf").join(file).display().to_string()
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn a_rig_without_springs_is_told_what_might_swing() {
    let fox = character("Fox.glb");
    let line = complaint(&sinew(&["simulate", &fox]));
    assert!(line.contains("--chain b_Tail01_012 -o out.glb`") && !line.contains("LeftArm"), "{line}");
    let man = character("CesiumMan.glb");
    let line = complaint(&sinew(&["simulate", &man]));
    assert!(line.contains("--chain '#16', --chain '#13'"), "{line}");
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn the_chain_suggested_for_a_rig_swings() {
    let folder = character("");
    let mut tried = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path().display().to_string();
        if !["glb", "gltf", "vrm"].iter().any(|end| path.ends_with(end)) {
            continue;
        }
        let line = complaint(&sinew(&["simulate", &path]));
        let Some((_, chain)) = line.rsplit_once("--chain ").filter(|_| line.contains("nothing to swing")) else {
            panic!("{path}: {line}");
        };
        let chain = chain.trim_end().trim_end_matches(" -o out.glb`").trim_matches('\'');
        if chain == "JOINT" {
            continue;
        }
        let output = sinew(&["simulate", &path, "--chain", chain, "--seconds", "0.5", "--json"]);
        if output.status.success() {
            let result = object(&output);
            let swing = number(&result["chains"][0], "swing_degrees");
            assert!((0.0..=180.0).contains(&swing) && result["jumps"] == 0, "{path}: {result}");
            tried += 1;
        } else {
            panic!("{path} --chain {chain}: {}", complaint(&output));
        }
    }
    assert!(tried > 10, "{tried}");
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn a_leg_swings_by_its_name_and_takes_its_foot_along() {
    let wolf = data().join("rigs/quaternius_Wolf.glb").display().to_string();
    // What goals call the left hand is the end of this leg, not the bone apart that is its foot.
    let line = complaint(&sinew(&["simulate", &wolf, "--chain", "left hand"]));
    assert!(line.contains("nothing hangs on 'FrontLowerLeg.L_tip'") && line.contains("'left fore leg'"), "{line}");
    let line = complaint(&sinew(&["simulate", &wolf, "--chain", "hair"]));
    assert!(["'tail'", "'left fore leg'", "'Ear1.L'"].iter().all(|name| line.contains(name)), "{line}");
    let folder = tempfile::tempdir().unwrap();
    let swing = ["simulate", &wolf, "--chain", "left fore leg", "--goal", "right hand=+0,0.3,0.3"];
    text(&sinew_in(folder.path(), &[&swing[..], &["--seconds", "1", "-o", "out.glb"]].concat()));
    let path = folder.path().join("out.glb");
    let written = document(&path);
    let index = |name: &str| {
        let nodes = written["nodes"].as_array().expect("nodes");
        nodes.iter().position(|node| node["name"] == name).expect("a node of that name")
    };
    for (leg, foot) in [("FrontLowerLeg.L", "IKFrontLeg.L"), ("FrontLowerLeg.R", "IKFrontLeg.R")] {
        let apart =
            |frame: &[DMat4]| frame[index(leg)].inverse().transform_point3(frame[index(foot)].w_axis.truncate());
        let rest = apart(&node_matrices(&written));
        let frames = frames(&path, 31);
        let farthest = frames.iter().map(|frame| apart(frame).distance(rest)).fold(0.0, f64::max);
        assert!(farthest < 1e-4 * rest.length(), "{foot}: {farthest}");
        assert!(place(&written, &frames[20], foot).distance(place(&written, &node_matrices(&written), foot)) > 0.05);
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn a_tail_swings_and_old_clips_stay() {
    let fox = character("Fox.glb");
    let folder = tempfile::tempdir().unwrap();
    let run = ["simulate", &fox, "--chain", "Tail01=1.5", "--move", "stop", "-o", "out.glb", "--json"];
    let result = object(&sinew_in(folder.path(), &run));
    assert!(result["notes"][0].as_str().unwrap().contains("centimetres"), "{result}");
    assert_eq!(numbers::<3>(&result["gravity"]), [0.0, -981.0, 0.0]);
    assert!(number(&result["chains"][0], "swing_degrees") > 10.0, "{result}");
    let clips = |document: &Value| -> Vec<String> {
        document["animations"].as_array().unwrap().iter().map(|clip| clip["name"].to_string()).collect()
    };
    let written = document(&folder.path().join("out.glb"));
    assert_eq!(clips(&written)[1..], clips(&document(fox.as_ref())));
    drop(object(&sinew_in(folder.path(), &[&run[..], &["--still"]].concat())));
    assert_eq!(clips(&document(&folder.path().join("out.glb"))), ["\"simulated\""]);
}
