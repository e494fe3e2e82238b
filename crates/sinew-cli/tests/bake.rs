//! `sinew bake` and `sinew solve --frame` as their users meet them: what they print, and what the files that they write say.

use crate::shell;
use std::path::Path;

use crate::data::data;
use crate::shell::{complaint, object, sinew, sinew_in, text};
use serde_json::Value;
use sinew::Pose;
use sinew::glam::DVec3;
use sinew_gltf::Character;

const GOALS: &str = r#"{ "ease": 0.2, "goals": [
    { "joint": "LeftHand", "keys": [ { "time": 0.5, "position": [0.35, 1.3, 0.3] }, { "time": 0.7, "position": [0.35, 1.4, 0.3] } ] },
    { "joint": "Hips", "keys": [ { "time": 0.5, "offset": [0, -0.05, 0] }, { "time": 0.7, "offset": [0, -0.05, 0] } ] },
    { "joint": "LeftFoot", "keep": true },
    { "joint": "RightFoot", "keep": true },
    { "joint": "Head", "base": "Neck", "keys": [ { "time": 0.6, "look": [1, 1.6, 2] } ] } ] }"#;

/// A folder with the built-in human walking for a second, 31 frames, and goals.
fn walk() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let goals = ["--goal", "LeftFoot=0.1,0.12,0.1", "--goal", "RightFoot=-0.1,0.12,-0.05"];
    let arguments = ["simulate", "--move", "sway", "--seconds", "1", "-o", "walk.glb"];
    text(&sinew_in(folder.path(), &[&arguments[..], &goals[..]].concat()));
    std::fs::write(folder.path().join("goals.json"), GOALS).expect("written");
    folder
}

fn pose(character: &Character, index: usize, time: f64) -> Pose {
    let mut pose = character.skeleton.rest_pose();
    character.animation(index).expect("an animation").pose(time, &mut pose);
    pose
}

fn place(character: &Character, pose: &Pose, name: &str) -> DVec3 {
    pose.position(character.skeleton.joint(name).expect("a joint"))
}

fn load(folder: &Path, name: &str) -> Character {
    sinew_gltf::load(folder.join(name)).expect("a file")
}

#[test]
fn goals_are_met_at_their_times_and_nothing_else_changes() {
    let folder = walk();
    let folder = folder.path();
    let arguments = ["bake", "walk.glb", "walk.glb:simulated", "--goals", "goals.json", "-o", "out.glb"];
    let report = object(&sinew_in(folder, &[&arguments[..], &["--json"]].concat()));
    assert_eq!((report["frames"].as_u64(), report["rate"].as_f64()), (Some(31), Some(30.0)));
    for goal in report["goals"].as_array().expect("goals") {
        assert!(goal["frames"].as_u64() > Some(0) && goal["frames"] == goal["reached"], "{goal}");
    }
    let (before, after) = (load(folder, "walk.glb"), load(folder, "out.glb"));
    assert_eq!(after.animation_count(), 1);
    let at = |time: f64| (pose(&before, 0, time), pose(&after, 0, time));
    for (time, y) in [(15.0 / 30.0, 1.3), (21.0 / 30.0, 1.4)] {
        let (was, is) = at(f64::from((time as f32) - 1e-9));
        assert!(place(&after, &is, "LeftHand").distance(DVec3::new(0.35, y, 0.3)) < 1e-5, "{time}");
        let hips = place(&after, &is, "Hips") - place(&before, &was, "Hips");
        assert!(hips.distance(DVec3::new(0.0, -0.05, 0.0)) < 1e-5, "{hips}");
        for foot in ["LeftFoot", "RightFoot"] {
            assert!(place(&after, &is, foot).distance(place(&before, &was, foot)) < 1e-5, "{foot}");
        }
    }
    // Before and after the goals everything is as it was, bit for bit in the numbers that keys can hold.
    let locals = |character: &Character, pose: &Pose| -> Vec<[f32; 10]> {
        let numbers = |joint| {
            let local = pose.local(joint);
            let all = [&local.translation.to_array()[..], &local.rotation.to_array(), &local.scale.to_array()].concat();
            std::array::from_fn(|i| all[i] as f32)
        };
        character.skeleton.iter().map(numbers).collect()
    };
    let times = before.animation(0).expect("a clip").key_times();
    let mut same = 0;
    for &time in times.iter().filter(|time| **time <= 0.3 || **time >= 0.9) {
        let (was, is) = at(time);
        assert_eq!(locals(&before, &was), locals(&after, &is), "{time}");
        same += 1;
    }
    assert!(same > 10);
    let (was, is) = at(times[18]);
    let still = before.skeleton.joint("RightHand").expect("a joint").index();
    assert_eq!(locals(&before, &was)[still], locals(&after, &is)[still]);
    assert!(locals(&before, &was) != locals(&after, &is));
}

/// The pops of a bake and the seconds in which its first goal comes and goes.
fn pops_and_ease(folder: &Path, goals: &str) -> (Vec<Value>, [f64; 2]) {
    std::fs::write(folder.join("eased.json"), goals).expect("written");
    let report = object(&sinew_in(folder, &["bake", "walk.glb", "0", "--goals", "eased.json", "--json"]));
    let ease = shell::numbers::<2>(&report["goals"][0]["ease"]);
    (report["pops"].as_array().expect("pops").clone(), ease)
}

/// A hand that comes and goes: no elbow hurries past the straight, however the arm is bent at either end.
#[test]
fn elbows_ease_without_a_pop() {
    let folder = walk();
    for ease in ["\"ease\": 0.4,", "\"ease\": 0.15,", ""] {
        for place in ["[0.35, 1.3, 0.3]", "[0.1, 1.5, 0.35]", "[0.5, 1.7, 0.2]", "[0.25, 1.2, -0.1]"] {
            let keys = format!("[{{\"time\": 0.5, \"position\": {place}}}]");
            let goals = format!("{{{ease} \"goals\": [{{\"joint\": \"LeftHand\", \"keys\": {keys}}}]}}");
            let (pops, _) = pops_and_ease(folder.path(), &goals);
            assert!(pops.is_empty(), "{goals}: {pops:?}");
        }
    }
}

/// What was asked for stays; what was not grows with what has to be done, inside the clip.
#[test]
fn eases_are_as_long_as_it_takes() {
    let folder = walk();
    let goals = |ease: &str, y: f64, time: f64| {
        let key = format!("{{\"time\": {time}, \"offset\": [0, {y}, 0]}}");
        format!("{{\"goals\": [{{\"joint\": \"LeftHand\", {ease} \"keys\": [{key}]}}]}}")
    };
    let eased = |ease: &str, y: f64, time: f64| pops_and_ease(folder.path(), &goals(ease, y, time)).1;
    assert_eq!(eased("\"ease\": 0.3,", 0.3, 0.5), [0.3, 0.3]);
    assert_eq!(eased("", 1e-6, 0.5), [0.25, 0.25]);
    let [coming, going] = eased("", 0.3, 0.6);
    assert!(coming > 0.3 && coming <= 0.6 && going > 0.3 && going <= 0.4 + 1e-6, "{coming} {going}");
    // Where there is no room it stays.
    assert_eq!(eased("", 0.3, 0.1)[0], 0.25);
}

#[test]
fn the_same_comes_out_each_time_and_where_it_is_told_to() {
    let folder = walk();
    let folder = folder.path();
    let bake = |more: &[&str]| {
        let arguments = ["bake", "walk.glb", "0", "--goals", "goals.json"];
        text(&sinew_in(folder, &[&arguments[..], more].concat()))
    };
    let page = bake(&["-o", "a.glb", "--curves", "curves.svg", "--picture", "film.svg"]);
    assert!(page.contains("LeftHand") && page.contains("wrote") && page.contains("two-bone"), "{page}");
    bake(&["-o", "b.glb"]);
    let read = |name: &str| std::fs::read(folder.join(name)).expect("written");
    assert!(read("a.glb") == read("b.glb"));
    for picture in ["curves.svg", "film.svg"] {
        let picture = String::from_utf8(read(picture)).expect("text");
        assert!(picture.starts_with("<svg") && !picture.contains("NaN"));
    }
    let look = r#"{ "goals": [ { "joint": "Head", "ease": 0.1, "keys": [ { "time": 0.2, "look": [1, 1.5, 2] } ], "until": 0.7 } ] }"#;
    std::fs::write(folder.join("look.json"), look).expect("written");
    text(&sinew_in(folder, &["bake", "walk.glb", "0", "--goals", "look.json", "--picture", "look.svg"]));
    let film = String::from_utf8(read("look.svg")).expect("text");
    assert!(film.contains(">goal reached<") && film.contains("dasharray"), "the goal and the line of sight are drawn");
    std::fs::remove_file(folder.join("look.json")).expect("there");
    std::fs::remove_file(folder.join("look.svg")).expect("there");
    bake(&["-o", "c.glb", "--beside", "waving"]);
    let beside = load(folder, "c.glb");
    assert_eq!((beside.animation_name(0), beside.animation_name(1)), ("simulated".to_owned(), "waving".to_owned()));
    assert_eq!(beside.animation_count(), 2);
    let names: Vec<_> =
        std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().starts_with('.')), "{names:?}");
}

/// Interrupted wherever it is, it leaves the output as it was or whole, and nothing beside it.
#[test]
#[cfg(unix)]
fn interruptions_leave_nothing_half_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    // Many frames of text take long to write.
    let bvh = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/human.bvh");
    let bake = ["bake", bvh, bvh, "--keep", "LeftHand", "--rate", "1000", "-o", "out.bvh"];
    let begun = std::time::Instant::now();
    text(&sinew_in(folder, &bake));
    let (whole, length) = (std::fs::read(folder.join("out.bvh")).expect("written"), begun.elapsed());
    for part in 1..24u32 {
        std::fs::write(folder.join("out.bvh"), "before").expect("written");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sinew"));
        let quiet = || std::process::Stdio::null();
        let command = command.current_dir(folder).args(bake).arg("--force").stdout(quiet()).stderr(quiet());
        let mut child = command.spawn().expect("a process");
        std::thread::sleep(length * part / 24);
        let id = child.id().to_string();
        std::process::Command::new("kill").args(["-INT", &id]).stderr(quiet()).status().expect("a signal");
        child.wait().expect("an end");
        let left = std::fs::read(folder.join("out.bvh")).expect("a file");
        assert!(left == b"before" || left == whole, "{} bytes of {}", left.len(), whole.len());
        let names = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").file_name());
        let beside: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with('.')).collect();
        assert!(beside.is_empty(), "{beside:?}");
    }
}

/// What is kept without anything that moves is met as it is: the file comes out byte for byte.
#[test]
fn a_clip_that_meets_its_goals_stays_as_it_is() {
    let folder = walk();
    let folder = folder.path();
    let keeps = ["--keep", "LeftHand", "--keep", "RightFoot", "--keep", "LeftFoot", "--keep", "Head"];
    let page = text(&sinew_in(folder, &[&["bake", "walk.glb", "0", "-o", "out.glb", "--strict"], &keeps[..]].concat()));
    assert!(page.contains("nothing changed"), "{page}");
    let read = |name: &str| std::fs::read(folder.join(name)).expect("a file");
    assert!(read("out.glb") == read("walk.glb"));
}

#[test]
fn a_clip_is_drawn_and_written_without_goals() {
    let folder = walk();
    let plain = ["bake", "walk.glb", "0", "--picture", "film.svg", "-o", "out.glb"];
    let page = text(&sinew_in(folder.path(), &plain));
    assert!(page.contains("no goals: the clip as it is") && page.contains("film.svg"), "{page}");
    let film = std::fs::read_to_string(folder.path().join("film.svg")).expect("a film");
    assert!(!film.contains("pale: the clip"), "{film}");
    let [hero, out] = ["walk.glb", "out.glb"].map(|name| load(folder.path(), name));
    let apart = |name: &str| place(&hero, &pose(&hero, 0, 0.5), name).distance(place(&out, &pose(&out, 0, 0.5), name));
    assert!(apart("LeftHand") < 1e-6 && apart("RightFoot") < 1e-6);
    let line = complaint(&sinew_in(folder.path(), &["bake", "walk.glb", "0", "--curves", "curves.svg"]));
    assert!(line.contains("--goals FILE") && line.contains("--picture OUT.svg"), "{line}");
    let keep = ["bake", "walk.glb", "0", "--keep", "LeftFoot", "--json"];
    let notes = &object(&sinew_in(folder.path(), &keep))["notes"];
    let note = notes[0].as_str().expect("a note");
    assert!(note.starts_with("nothing written") && note.contains("--picture OUT.svg"), "{note}");
}

#[test]
fn tables_of_goals_do_the_same() {
    let folder = walk();
    let folder = folder.path();
    let table = "joint,time,goal,x,y,z\nLeftHand,0.5,position,0.35,1.3,0.3\nLeftHand,0.7,position,0.35,1.4,0.3\n";
    let json = r#"{"goals": [{"joint": "LeftHand", "keys": [{"time": 0.5, "position": [0.35, 1.3, 0.3]}, {"time": 0.7, "position": [0.35, 1.4, 0.3]}]}]}"#;
    std::fs::write(folder.join("a.csv"), table).expect("written");
    std::fs::write(folder.join("a.json"), json).expect("written");
    for goals in ["a.csv", "a.json"] {
        text(&sinew_in(folder, &["bake", "walk.glb", "0", "--goals", goals, "-o", &format!("{goals}.glb")]));
    }
    let read = |name: &str| std::fs::read(folder.join(name)).expect("a file");
    assert!(read("a.csv.glb") == read("a.json.glb"));
}

/// Frames that no goal touches keep their numbers in a BVH too.
#[test]
fn motion_capture_is_baked_into_motion_capture() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let bvh = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/human.bvh");
    let clip = sinew_bvh::load(bvh).expect("a clip");
    let hand = clip.skeleton.joint("LeftHand").expect("a joint");
    let last = clip.motion.len() - 1;
    let mut pose = clip.skeleton.rest_pose();
    clip.pose_frame(last, &mut pose);
    let (time, at) = (last as f64 * clip.motion.frame_time, pose.position(hand) + DVec3::new(-4.0, 5.0, -3.0));
    let key = serde_json::json!({"time": time, "position": at.to_array()});
    let goals = serde_json::json!({"ease": 0.02, "goals": [{"joint": "LeftHand", "keys": [key]}]});
    std::fs::write(folder.join("goals.json"), goals.to_string()).expect("written");
    let report = object(&sinew_in(folder, &["bake", bvh, bvh, "--goals", "goals.json", "-o", "out.bvh", "--json"]));
    assert_eq!(report["frames"].as_u64(), Some(clip.motion.len() as u64));
    let baked = sinew_bvh::load(folder.join("out.bvh")).expect("written");
    baked.pose_frame(last, &mut pose);
    assert!(pose.position(baked.skeleton.joint("LeftHand").expect("a joint")).distance(at) < 1e-4);
    assert_ne!(clip.motion.row(last), baked.motion.row(last));
    for frame in 0..last {
        assert_eq!(clip.motion.row(frame), baked.motion.row(frame), "{frame}");
    }
}

#[test]
fn frames_of_clips_are_solved_on() {
    let folder = walk();
    let folder = folder.path();
    let before = load(folder, "walk.glb");
    for frame in ["simulated:0.5", "walk.glb:0:0.5", "0.5"] {
        let solved = object(&sinew_in(
            folder,
            &["solve", "walk.glb", "--frame", frame, "--goal", "LeftHand=0.35,1.3,0.3", "--json"],
        ));
        assert_eq!(solved["outcome"]["status"], "reached");
        let foot = |joints: &Value| -> DVec3 {
            let joints = joints.as_array().expect("joints");
            let foot = joints.iter().find(|joint| joint["name"] == "LeftFoot").expect("a foot");
            DVec3::from_array(shell::numbers(&foot["model"]["translation"]))
        };
        let was = place(&before, &pose(&before, 0, 0.5), "LeftFoot");
        assert!(foot(&solved["joints"]).distance(was) < 1e-12, "{frame}");
    }
    let goal = ["--goal", "LeftHand=0.35,1.3,0.3"];
    let complain =
        |frame: &str| complaint(&sinew_in(folder, &[&["solve", "walk.glb", "--frame", frame], &goal[..]].concat()));
    assert!(complain("simulated:9").contains("goes from 0.000 s to 1.000 s"));
    assert!(complain("simulated").contains("no time behind"));
    assert!(complain("run:0.5").contains("no clip, and no file, is called 'run'"));
}

#[test]
fn what_cannot_be_baked_is_said_with_place_and_remedy() {
    let folder = walk();
    let folder = folder.path();
    let goals = |text: &str| std::fs::write(folder.join("bad.json"), text).expect("written");
    let complain = |clip: &str, file: &str| complaint(&sinew_in(folder, &["bake", "walk.glb", clip, "--goals", file]));
    assert!(complain("0", "none.json").contains("none.json: cannot be read"));
    assert!(complain("0", "walk.glb").contains("walk.glb: this is a character (glTF); name a file of goals"));
    std::fs::write(folder.join("goals.txt"), "{}").expect("written");
    assert!(complain("0", "goals.txt").contains("end it in .json or .csv"));
    goals("{\"goals\": [{\"joint\": \"LeftHnd\", \"keep\": true}]}");
    let line = complain("0", "bad.json");
    assert!(line.contains("goals[0]") && line.contains("LeftHand"), "{line}");
    goals("{\"goals\": [{\"joint\": \"LeftHand\", \"keys\": [{\"time\": 0.5, \"position\": [1, 2]}]}]}");
    assert!(complain("0", "bad.json").contains("bad.json: goals[0].keys[0].position: has 2 numbers, not 3"));
    goals("{\"goals\": [{\"joint\": \"LeftHand\", \"keep\": true}, {\"joint\": \"LeftHand\", \"keep\": true}]}");
    assert!(complain("0", "bad.json").contains("goals[1]: 'LeftHand' has such a goal already"));
    goals("{\"goals\": [{\"joint\": \"Hips\", \"keep\": true}]}");
    assert!(complain("0", "bad.json").contains("'Hips' is a root"));
    assert!(complain("7", "goals.json").contains("no clip, and no file, is called '7'"));
    let line = complaint(&sinew_in(folder, &["bake", "walk.glb", "0"]));
    assert!(line.contains("nothing to do") && line.contains("--goals FILE"), "{line}");
    let line = complaint(&sinew_in(folder, &["bake", "walk.glb", "0", "--goals", "goals.json", "-o", "out.bvh"]));
    assert!(line.contains("end it in .glb"), "{line}");
    assert!(text(&sinew(&["help", "bake"])).contains("Examples:"));
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn real_clips_are_baked() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for (file, clip, joint) in [
        ("gltf/CesiumMan.glb", "0", "#18"),
        ("gltf/Fox.glb", "Walk", "b_LeftHand_011"),
        ("rigs/quaternius_Wolf.glb", "3", "Head"),
        ("bvh/cmu_12_01_walk.bvh", "", "LeftHand"),
        ("bvh/fair1_dab.bvh", "", "LeftHand"),
    ] {
        let path = data().join(file);
        let file = path.to_str().expect("a path");
        let clip = if clip.is_empty() { file } else { clip };
        let name = if Path::new(file).extension().is_some_and(|e| e == "bvh") { "out.bvh" } else { "out.glb" };
        let joint = if sinew(&["inspect", file]).status.success() { joint } else { continue };
        let output = sinew_in(folder, &["bake", file, clip, "--keep", joint, "--strict", "-o", name]);
        let page = text(&output);
        assert!(page.contains("nothing changed"), "{file}: {page}");
        if name == "out.glb" {
            assert!(
                std::fs::read(folder.join(name)).expect("written") == std::fs::read(&path).expect("read"),
                "{file}"
            );
        }
    }
}

/// A leg that stands straight, bent back a little: it is lifted with its knee ahead, and its foot does not turn about.
#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn knees_bent_back_come_forward() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let goals = r#"{"ease": 0.4, "goals": [{"joint": "left foot", "keys": [
        {"time": 1.6, "offset": [0, 0.1, 0]}, {"time": 2.4, "offset": [0, 0.1, 0.02]}]}]}"#;
    std::fs::write(folder.join("goals.json"), goals).expect("written");
    let path = data().join("bvh/fair1_dab.bvh");
    let file = path.to_str().expect("a path");
    text(&sinew_in(folder, &["bake", file, file, "--goals", "goals.json", "-o", "out.bvh"]));
    let (before, after) =
        (sinew_bvh::load(&path).expect("a clip"), sinew_bvh::load(folder.join("out.bvh")).expect("one"));
    let (mut was, mut is) = (before.skeleton.rest_pose(), after.skeleton.rest_pose());
    let mut worst = 0.0_f64;
    for frame in 30..90 {
        before.pose_frame(frame, &mut was);
        after.pose_frame(frame, &mut is);
        let toes = |bvh: &sinew_bvh::Bvh, pose: &Pose| {
            let [foot, toe] = ["LeftFoot", "LeftToeBase"].map(|name| bvh.skeleton.joint(name).expect("a joint"));
            pose.position(toe) - pose.position(foot)
        };
        worst = worst.max(toes(&before, &was).angle_between(toes(&after, &is)).to_degrees());
    }
    assert!(worst < 30.0, "{worst}");
}

/// A joint between hips and thigh is no bone of the leg.
#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn legs_of_motion_capture_have_two_bones() {
    for clip in ["cmu_12_01_walk", "cmu_jumping_jacks"] {
        let path = data().join(format!("bvh/{clip}.bvh"));
        let file = path.to_str().expect("a path");
        let report = object(&sinew(&["bake", file, file, "--keep", "left foot", "--json"]));
        assert_eq!(report["goals"][0]["solver"], "two-bone", "{clip}");
    }
}

/// A walk whose knee is straight for a moment, and bent back a little: the hips go down, the feet stay, and the knee does not
/// swing round.
#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn straight_knees_do_not_pop() {
    let folder = tempfile::tempdir().expect("a folder");
    let goals = r##"{"ease": 0.3, "goals": [
        {"joint": "#2", "keys": [{"time": 0.8, "offset": [0, -0.02, 0]}, {"time": 1.2, "offset": [0, -0.02, 0]}]},
        {"joint": "#5", "keep": true}, {"joint": "#9", "keep": true}]}"##;
    std::fs::write(folder.path().join("goals.json"), goals).expect("written");
    let file = data().join("gltf/CesiumMan.glb");
    let file = file.to_str().expect("a path");
    let report = object(&sinew_in(folder.path(), &["bake", file, "0", "--goals", "goals.json", "--json"]));
    assert_eq!(report["pops"].as_array().map(Vec::len), Some(0), "{}", report["pops"]);
    for joint in report["joints"].as_array().expect("joints") {
        let peak = |when: &str| joint["acceleration"][when].as_f64().expect("a number");
        assert!(peak("after") < 2.0 * peak("before"), "{joint}");
    }
}

/// Motions of others whose worlds lie (Z up), whose joints have other names, or whose legs hang beside the hips: on the project's
/// human they stand up, with the head above the hips, and those above the feet.
#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn motions_of_other_bodies_stand_on_the_human() {
    let folder = tempfile::tempdir().expect("a folder");
    let human = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/human.glb");
    let goals = serde_json::json!({"goals": [{"joint": "LeftHand", "keep": true}]});
    std::fs::write(folder.path().join("goals.json"), goals.to_string()).expect("written");
    for (clip, joints) in
        [("fair1_dab", 24), ("makehuman_walk1", 52), ("freebvh", 52), ("pymo_8walk", 20), ("toolbox_walk01", 19)]
    {
        let path = data().join(format!("bvh/{clip}.bvh"));
        let file = path.to_str().expect("a path");
        let report = object(&sinew_in(
            folder.path(),
            &["bake", human, file, "--goals", "goals.json", "-o", "out.glb", "--json"],
        ));
        let notes = report["notes"].to_string();
        let count =
            notes.split(" joints from ").next().and_then(|text| text.rsplit(|c: char| !c.is_ascii_digit()).next());
        assert!(
            count.and_then(|count| count.parse().ok()).is_some_and(|count: usize| count >= joints),
            "{clip}: {notes}"
        );
        let character = load(folder.path(), "out.glb");
        let last = character.animation_count() - 1;
        let animation = character.animation(last).expect("an animation");
        let (start, end) = (animation.start(), animation.end());
        for step in 0..=4 {
            let pose = pose(&character, last, start + (end - start) * f64::from(step) / 4.0);
            let [head, hips, foot] = ["Head", "Hips", "LeftFoot"].map(|name| place(&character, &pose, name).y);
            assert!(head - hips > 0.35 && hips - foot > 0.3, "{clip}, step {step}: {head} {hips} {foot}");
        }
    }
}

/// A target that leaves reach and comes back: its goal gives way there, so that no joint pops; told not to, it pops. The keys that
/// are met and the frames without the goal stay.
#[test]
fn goals_give_way_where_they_leave_reach() {
    let folder = walk();
    let folder = folder.path();
    let goals = r#"{"ease": 0.2, "goals": [{"joint": "LeftHand", "keys": [
        {"time": 0.3, "position": [0.35, 1.3, 0.3]}, {"time": 0.55, "position": [0.9, 1.4, 0.3]},
        {"time": 0.8, "position": [0.35, 1.3, 0.3]}]}]}"#;
    std::fs::write(folder.join("far.json"), goals).expect("written");
    let bake = |more: &[&str], out: &str| {
        let arguments = ["bake", "walk.glb", "0", "--goals", "far.json", "--json", "-o", out];
        object(&sinew_in(folder, &[&arguments[..], more].concat()))
    };
    let (exact, calm) = (bake(&["--exact"], "exact.glb"), bake(&[], "calm.glb"));
    assert!(exact["pops"].as_array().is_some_and(|pops| !pops.is_empty()), "{exact}");
    assert!(exact["goals"][0]["gave_way"].is_null(), "{exact}");
    assert_eq!(calm["pops"].as_array().map(Vec::len), Some(0), "{}", calm["pops"]);
    let gave_way = &calm["goals"][0]["gave_way"];
    let number = |name: &str| gave_way[name].as_f64().expect("a number");
    assert!(number("from") > 0.3 && number("until") < 0.8 && number("distance") < 0.05, "{gave_way}");
    let (exact, calm) = (load(folder, "exact.glb"), load(folder, "calm.glb"));
    for frame in [0, 3, 9, 24, 29] {
        let time = f64::from(frame as f32 / 30.0);
        let [a, b] = [&exact, &calm].map(|character| pose(character, 0, time));
        assert!(a.difference(&b).angle < 1e-6, "{frame}");
    }
}

/// A leg of two bones whose foot stands still, nearly straight, with a knee that trembles about the line from hip to foot.
fn trembling_leg() -> String {
    let head = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 2 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT Thigh\n{\n\
        OFFSET 0 0 0\nCHANNELS 3 Yrotation Xrotation Zrotation\nJOINT Shin\n{\nOFFSET 0 -1 0\n\
        CHANNELS 3 Yrotation Xrotation Zrotation\nJOINT Foot\n{\nOFFSET 0 -1 0\nCHANNELS 3 Yrotation Xrotation Zrotation\n\
        End Site\n{\nOFFSET 0 0 0.1\n}\n}\n}\n}\n}\nMOTION\nFrames: 180\nFrame Time: 0.0166667\n";
    let row = |frame: u32| {
        let yaw = 6.0 * (f64::from(frame * frame * 37 % 101) / 101.0 - 0.5);
        format!("0 2 0 {yaw} -3 0 0 6 0 0 -3 0\n")
    };
    std::iter::once(head.to_owned()).chain((0..180).map(row)).collect()
}

/// The knee of a leg that is lifted shows what a nearly straight one hides. Its bend is calmed, and the foot comes to its place all the
/// same.
#[test]
fn bends_are_calmed_and_goals_are_met() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("leg.bvh"), trembling_leg()).expect("written");
    let goals = r#"{"ease": 0.5, "goals": [{"joint": "Foot", "keys": [
        {"time": 1, "offset": [0, 0.5, 0]}, {"time": 2, "offset": [0, 0.5, 0]}]}]}"#;
    std::fs::write(folder.join("goals.json"), goals).expect("written");
    let bake = |more: &[&str]| {
        let arguments = ["bake", "leg.bvh", "leg.bvh", "--goals", "goals.json", "--json"];
        object(&sinew_in(folder, &[&arguments[..], more].concat()))
    };
    assert!(!bake(&["--exact"])["pops"].as_array().expect("pops").is_empty());
    let calm = bake(&[]);
    assert_eq!(calm["pops"].as_array().map(Vec::len), Some(0), "{}", calm["pops"]);
    let goal = &calm["goals"][0];
    assert!(goal["frames"].as_u64() > Some(50) && goal["frames"] == goal["reached"], "{goal}");
    assert!(goal["gave_way"]["distance"].as_f64().expect("a number") < 1e-9, "{goal}");
}

/// Keys that are met stay as long as nothing pops beside them; where there is no time between them they give way, too.
#[test]
fn keys_give_way_where_there_is_no_time_beside_them() {
    let folder = walk();
    let folder = folder.path();
    let goals = r#"{"ease": 0.4, "goals": [{"joint": "LeftHand", "keys": [
        {"time": 0.4666667, "position": [0.78, 1.4, 0.3]}, {"time": 0.5, "position": [0.81, 1.4, 0.3]},
        {"time": 0.5333333, "position": [0.78, 1.4, 0.3]}]}]}"#;
    std::fs::write(folder.join("quick.json"), goals).expect("written");
    let bake = |more: &[&str], out: &str| {
        let arguments = ["bake", "walk.glb", "0", "--goals", "quick.json", "--json", "-o", out];
        object(&sinew_in(folder, &[&arguments[..], more].concat()))
    };
    let (exact, calm) = (bake(&["--exact"], "exact.glb"), bake(&[], "calm.glb"));
    assert!(exact["pops"].as_array().is_some_and(|pops| !pops.is_empty()), "{exact}");
    assert_eq!(calm["pops"].as_array().map(Vec::len), Some(0), "{}", calm["pops"]);
    let (exact, calm) = (load(folder, "exact.glb"), load(folder, "calm.glb"));
    let moved = |frame: i32| {
        let time = f64::from(frame as f32 / 30.0);
        let [a, b] = [&exact, &calm].map(|character| place(character, &pose(character, 0, time), "LeftHand"));
        a.distance(b)
    };
    assert!(moved(14) > 1e-3 && moved(16) > 1e-3, "{} {}", moved(14), moved(16));
    assert_eq!((moved(0), moved(30)), (0.0, 0.0));
}

/// A foot that is lifted keeps its rotation, though its shin turns; a hand rides along with its forearm.
#[test]
fn lifted_feet_stay_level() {
    let folder = walk();
    let folder = folder.path();
    let key = r#"[{"time": 0.4, "offset": [0, 0.2, 0]}, {"time": 0.6, "offset": [0, 0.2, 0]}]"#;
    let goals = format!(
        r#"{{"ease": 0.3, "goals": [{{"joint": "LeftFoot", "keys": {key}}}, {{"joint": "LeftHand", "keys": {key}}}]}}"#
    );
    std::fs::write(folder.join("up.json"), goals).expect("written");
    text(&sinew_in(folder, &["bake", "walk.glb", "0", "--goals", "up.json", "-o", "out.glb"]));
    let (before, after) = (load(folder, "walk.glb"), load(folder, "out.glb"));
    let turned = |name: &str| {
        let joint = before.skeleton.joint(name).expect("a joint");
        let [was, is] = [&before, &after].map(|character| pose(character, 0, 0.5).rotation(joint));
        was.angle_between(is)
    };
    assert!(
        turned("LeftFoot") < 1e-3 && turned("LeftLowerLeg") > 0.2,
        "{} {}",
        turned("LeftFoot"),
        turned("LeftLowerLeg")
    );
    assert!(turned("LeftHand") > 0.1, "{}", turned("LeftHand"));
}
