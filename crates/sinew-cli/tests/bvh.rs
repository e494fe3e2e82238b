//! What the command does with BVH: every verb for characters takes it, in a pose that is one.
//!
//! `human.bvh` is of our own making: 1.8 m in centimetres, at rest Z up on its back as far as its frames are concerned, which are Y up; frame 0 sits,
//! frame 1 stands in a T-pose, frame 2 walks. Its knees have one channel, its right hand six.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::path::Path;

use crate::shell::{complaint, numbers, object, sinew, sinew_in, text};
use serde_json::Value;
use sinew::glam::DVec3;
use sinew_bvh::Bvh;

/// A folder with the file in it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("human.bvh"), include_bytes!("human.bvh")).unwrap();
    folder
}

/// Where a joint is in a frame of a file.
fn place(clip: &Bvh, frame: usize, joint: &str) -> DVec3 {
    let mut pose = clip.skeleton.rest_pose();
    assert!(clip.pose_frame(frame, &mut pose));
    pose.position(clip.skeleton.joint(joint).unwrap())
}

fn load(folder: &Path, name: &str) -> Bvh {
    sinew_bvh::load(folder.join(name)).unwrap()
}

fn inspected(folder: &Path, more: &[&str]) -> Value {
    object(&sinew_in(folder, &[&["inspect", "human.bvh", "--json"], more].concat()))
}

#[test]
fn inspect_recognises_it_in_the_frame_that_stands() {
    let folder = folder();
    let seen = inspected(folder.path(), &["--picture", "human.png"]);
    assert_eq!(seen["reference"], "frame 1 of 3: the frame nearest to standing, a T-pose");
    assert_eq!((&seen["body"], &seen["up"]), (&Value::from("humanoid"), &Value::from(vec![0.0, 1.0, 0.0])));
    assert!((seen["height"].as_f64().unwrap() - 180.0).abs() < 10.0);
    assert!(folder.path().join("human.png").is_file());
    let page = text(&sinew_in(folder.path(), &["inspect", "human.bvh"]));
    for line in ["reference pose: frame 1 of 3", "LeftLeg  hinge", "LeftHand_tip", "(an end)", "names no unit"] {
        assert!(page.contains(line), "{page}");
    }
}

#[test]
fn its_clip_has_the_name_and_the_number_that_inspect_lists() {
    let folder = folder();
    assert!(text(&sinew_in(folder.path(), &["inspect", "human.bvh"])).contains("  0 human  "));
    let goal = ["--goal", "left hand=+0,5,0"];
    for frame in ["0:0.01", "human:0.01", "human.bvh:0:0.01", "0.01"] {
        text(&sinew_in(folder.path(), &[&["solve", "human.bvh", "--frame", frame], &goal[..]].concat()));
    }
    let line = complaint(&sinew_in(folder.path(), &[&["solve", "human.bvh", "--frame", "1:0.01"], &goal[..]].concat()));
    assert!(line.contains("'1': a BVH file has one clip; it is called 'human' or 0"), "{line}");
}

/// Frame 2 walks, with other places than the reference's: the pale figure is that frame.
#[test]
fn a_solve_of_a_frame_is_drawn_before_that_frame() {
    let folder = folder();
    let draw = |goals: &[&str]| {
        let head = ["solve", "human.bvh", "--frame", "0.02", "--picture", "out.svg"];
        text(&sinew_in(folder.path(), &[&head[..], goals].concat()));
        std::fs::read_to_string(folder.path().join("out.svg")).unwrap()
    };
    let svg = draw(&["--goal", "left hand=+0,5,0"]);
    assert!(svg.contains("at the start") && svg.contains("unchanged") && !svg.contains("at rest"));
    // Nothing moved from the frame.
    let svg = draw(&["--goal", "left hand=+0,0,0", "--solver", "limbs"]);
    assert!(!svg.contains(">moved<"));
}

#[test]
fn the_reference_is_what_is_asked_for() {
    let folder = folder();
    std::fs::copy(folder.path().join("human.bvh"), folder.path().join("other.bvh")).unwrap();
    let of = |wanted: &str| inspected(folder.path(), &["--reference", wanted]);
    let rest = of("rest");
    assert_eq!(rest["reference"], "the rest pose, as asked for");
    assert_eq!(rest["up"], Value::from(vec![0.0, 0.0, 1.0]));
    assert_eq!(of("2")["reference"], "frame 2, as asked for");
    assert_eq!(of("other.bvh")["reference"], "other.bvh, its first frame, 15 joints by name");
    for (wanted, words) in [("3", "frames 0 to 2"), ("none.bvh", "cannot be read")] {
        let said = complaint(&sinew_in(folder.path(), &["inspect", "human.bvh", "--reference", wanted]));
        assert!(said.contains("--reference") && said.contains(words), "{said}");
    }
    let said = complaint(&sinew(&["inspect", "--reference", "1"]));
    assert!(said.contains("for BVH files"), "{said}");
}

/// A figure of one bone a limb.
const PUPPET: &str = "HIERARCHY
ROOT hips
{ OFFSET 0 0.5 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT torso { OFFSET 0 0.2 0 CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT head { OFFSET 0 0.4 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET 0 0.3 0 } }
    JOINT arm-left { OFFSET 0.2 0.3 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET 0.3 0 0 } }
    JOINT arm-right { OFFSET -0.2 0.3 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET -0.3 0 0 } } }
  JOINT leg-left { OFFSET 0.1 0 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET 0 -0.5 0.1 } }
  JOINT leg-right { OFFSET -0.1 0 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET 0 -0.5 0.1 } } }
MOTION
Frames: 1
Frame Time: 0.04
0 0.5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
";

#[test]
fn a_limb_of_one_bone_points_and_nothing_above_it_moves() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("puppet.bvh"), PUPPET).unwrap();
    // One hand goes where it can, the other points and says how far it is.
    let goals = ["--goal", "left hand=0.2,1.3,0", "--goal", "right hand=-0.2,1.2,0.4"];
    let asked = [&["solve", "puppet.bvh", "-o", "out.bvh", "--json"], &goals[..]].concat();
    let solved = object(&sinew_in(folder.path(), &asked));
    let [left, right] = [0, 1].map(|place| solved["goals"][place].clone());
    assert_eq!((&left["solver"], &left["status"]), (&Value::from("one-bone"), &Value::from("reached")), "{solved}");
    assert_eq!(right["status"], "out_of_reach");
    let miss = right["position_error"].as_f64().unwrap();
    assert!((miss - (0.04_f64 + 0.16).sqrt() + 0.3).abs() < 1e-9, "{miss}");
    let (before, after) = (load(folder.path(), "puppet.bvh"), load(folder.path(), "out.bvh"));
    for joint in ["torso", "head", "arm-left", "arm-right", "head_tip", "leg-left_tip"] {
        assert!(place(&after, 0, joint).distance(place(&before, 0, joint)) < 1e-6, "{joint}");
    }
}

#[test]
fn a_solved_pose_is_written_as_one_frame() {
    let folder = folder();
    let goal = ["--goal", "LeftHand=40,120,40", "--goal", "RightFoot=-5,40,30"];
    let asked =
        [&["solve", "human.bvh", "-o", "out.bvh", "--picture", "out.svg", "--json", "--strict"], &goal[..]].concat();
    let solved = object(&sinew_in(folder.path(), &asked));
    let notes = solved["notes"].to_string();
    assert!(notes.contains("starts from frame 1 of 3"), "{notes}");
    let (before, after) = (load(folder.path(), "human.bvh"), load(folder.path(), "out.bvh"));
    assert_eq!((after.motion.len(), after.motion.frame_time), (1, 0.04));
    assert!(place(&after, 0, "LeftHand").distance(DVec3::new(40.0, 120.0, 40.0)) < 1e-6);
    assert!(place(&after, 0, "RightFoot").distance(DVec3::new(-5.0, 40.0, 30.0)) < 1e-6);
    // What no goal moves is as in the frame, number for number.
    let rows = (before.motion.row(1).unwrap(), after.motion.row(0).unwrap());
    assert_eq!(rows.0[..12], rows.1[..12]);
    // The file in words.
    let joint = |name: &str| solved["joints"].as_array().unwrap().iter().find(|joint| joint["name"] == name).unwrap();
    let told = DVec3::from(numbers(&joint("RightHand")["model"]["translation"]));
    assert!(place(&after, 0, "RightHand").distance(told) < 1e-9);
}

#[test]
fn limits_and_sidecars_go_with_it() {
    let folder = folder();
    let seen = inspected(folder.path(), &["--limits", "preset"]);
    assert_eq!(seen["limits"]["preset"], true);
    assert!(!seen["advice"].to_string().contains("outside"), "{}", seen["advice"]);
    text(&sinew_in(folder.path(), &["inspect", "human.bvh", "--write-sidecar"]));
    assert!(folder.path().join("human.sinew.toml").is_file());
    assert!(inspected(folder.path(), &[])["limits"]["sidecar"].is_string());
}

/// As `MakeHuman` writes them: six channels on a joint, the first three always 0.
#[test]
fn position_channels_that_say_nothing_are_told() {
    let folder = folder();
    let advice = |folder: &Path| inspected(folder, &[])["advice"].to_string();
    assert!(!advice(folder.path()).contains("position channels"), "{}", advice(folder.path()));
    let mut clip = load(folder.path(), "human.bvh");
    let hand = clip.skeleton.joint("RightHand").unwrap();
    for frame in 0..clip.motion.len() {
        let mut pose = clip.skeleton.rest_pose();
        clip.pose_frame(frame, &mut pose);
        pose.edit(&clip.skeleton).translation(hand, DVec3::ZERO);
        let mut row = clip.motion.row(frame).unwrap().to_vec();
        clip.record(&pose, &mut row);
        clip.motion.row_mut(frame).unwrap().copy_from_slice(&row);
    }
    clip.write(folder.path().join("human.bvh")).unwrap();
    let said = advice(folder.path());
    assert!(said.contains("position channels of 0 in every frame: 1 joint (#10 RightHand)"), "{said}");
}

#[test]
fn compare_and_simulate_take_it() {
    let folder = folder();
    let goal = ["compare", "human.bvh", "--goal", "LeftHand=40,120,40", "--json"];
    let solvers = object(&sinew_in(folder.path(), &goal))["solvers"].clone();
    assert!(solvers.as_array().unwrap().iter().all(|one| one["outcome"]["status"] == "reached"), "{solvers}");
    let swing =
        ["simulate", "human.bvh", "--chain", "LeftArm=1", "--seconds", "0.5", "--rate", "20", "-o", "swing.bvh"];
    text(&sinew_in(folder.path(), &swing));
    let swung = load(folder.path(), "swing.bvh");
    assert_eq!(swung.motion.len(), 11);
    assert!((swung.motion.frame_time - 0.05).abs() < 1e-12);
    assert!(place(&swung, 0, "LeftHand").distance(place(&swung, 10, "LeftHand")) > 0.1);
}

#[test]
fn other_formats_are_not_written_from_it() {
    let folder = folder();
    let goal = ["solve", "human.bvh", "--goal", "LeftHand=40,120,40", "-o", "out.glb"];
    let said = complaint(&sinew_in(folder.path(), &goal));
    assert!(said.contains("end it in .bvh"), "{said}");
    let said = complaint(&sinew_in(folder.path(), &["solve", "--goal", "LeftHand=0.3,1.3,0.4", "-o", "out.bvh"]));
    assert!(said.contains("end it in .glb"), "{said}");
    std::fs::write(folder.path().join("bad.bvh"), "HIERARCHY\nROOT a\n{\n}\n").unwrap();
    let said = complaint(&sinew_in(folder.path(), &["inspect", "bad.bvh"]));
    assert!(said.contains("bad.bvh:2: \"a\" has no OFFSET"), "{said}");
}
