//! What the command says to people: reasons, units, and helps that agree with what happens.

use crate::data::data;
use crate::shell::{complaint, sinew, sinew_in, text};

#[test]
fn a_body_that_falls_short_says_why() {
    let solve = |goals: &[&str]| {
        let goals = goals.iter().flat_map(|goal| ["--goal", goal]);
        text(&sinew(&["solve"].into_iter().chain(goals).collect::<Vec<_>>()))
    };
    let hips = "hips=+0,0,0";
    assert!(solve(&["left hand=0.92,0.9,0"]).contains("m short: the trunk leans no further"));
    // No lean leads there.
    for place in ["left hand=3,1,0", "left hand=0,2.9,0"] {
        assert!(solve(&[place]).contains("m short: the arm and the trunk are too short"), "{place}");
    }
    assert!(solve(&["left foot=+0,0.9,1.3", hips]).contains("m short: the leg is too short"));
    assert!(solve(&["head=+0,0.3,0", hips]).contains("m short: the trunk is too short"));
    assert!(solve(&["left lower arm=+0,2,0"]).contains("m short: the arm is too short"));
}

/// One target is too far and the other in reach: each has a reason of its own.
#[test]
fn of_two_goals_each_has_its_own_reason() {
    let page = text(&sinew(&["solve", "--goal", "left hand=1.3,0.9,0", "--goal", "right hand=-0.6,0.9,0.1"]));
    let line = |hand: &str| page.lines().find(|line| line.trim().starts_with(hand)).expect("a line").to_owned();
    let [left, right] = ["LeftHand", "RightHand"].map(line);
    assert!(left.contains("the arm and the trunk are too short"), "{left}");
    assert!(right.contains("short: another goal stands in the way"), "{right}");
}

#[test]
fn a_part_of_the_body_that_is_nearer_than_any_joint_is_named_first() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("human.bvh"), include_str!("human.bvh").replace("LeftHand", "Wrist_L"))
        .expect("written");
    let line = complaint(&sinew_in(folder.path(), &["solve", "human.bvh", "--goal", "left hnd=0,1,0"]));
    assert!(
        line.contains("no joint is called 'left hnd'; parts of the body have names, too, such as 'left hand'; the"),
        "{line}"
    );
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn real_bodies_name_the_right_reason_and_part() {
    let file = |name: &str| data().join(name).display().to_string();
    let knight = file("gltf/kaykit_Knight.glb");
    let page = text(&sinew(&["solve", &knight, "--goal", "right hand=-0.5,3.5,0"]));
    assert!(page.contains("m short: the arm and the trunk are too short"), "{page}");
    let line = complaint(&sinew(&["solve", &knight, "--goal", "LeftHnd=0,1,0"]));
    assert!(line.contains("'LeftHnd'; parts of the body have names, too, such as 'left hand'; the joints"), "{line}");
    let suit = file("rigs/quaternius_Suit.glb");
    let goals = ["--goal", "left hand=0.3,0.8,1.6", "--goal", "right hand=-0.3,1.2,0.4", "--limits", "preset"];
    let page = text(&sinew(&[&["solve", &suit], &goals[..], &["--solver", "whole"]].concat()));
    let line = page.lines().find(|line| line.contains("  out_of_iterations  ")).expect("a line");
    assert!(line.contains("off: the solver's steps ran out; more --restarts may come nearer"), "{line}");
}

#[test]
fn numbers_and_joints_that_are_none_are_called_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = complaint(&sinew(&["solve", "--goal", "LeftHand=nan,0,0"]));
    assert!(line.contains("'nan' is not a finite number; write"), "{line}");
    text(&sinew_in(folder.path(), &["walk", "--seconds", "0.2", "-o", "walk.glb"]));
    let goals = r#"{"goals": [{"joint": "LeftHandd", "keep": true}]}"#;
    std::fs::write(folder.path().join("goals.json"), goals).expect("written");
    let line = complaint(&sinew_in(folder.path(), &["bake", "walk.glb", "0", "--goals", "goals.json"]));
    assert!(line.contains("goals.json: goals[0]: no joint is called 'LeftHandd'"), "{line}");
    assert!(line.ends_with("such as 'left hand'\n"), "{line}");
}

#[test]
fn helps_say_what_auto_does_and_what_is_printed() {
    let help = |verb: &str| {
        let help = text(&sinew(&[verb, "--help"]));
        help.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for verb in ["bake", "simulate"] {
        assert!(help(verb).contains("`auto` serves each goal by its own limb"), "{verb}");
        assert!(!help(verb).contains("of a robot `serial`"), "{verb}");
    }
    let solve = help("solve");
    assert!(solve.contains("`auto` takes `body`") && solve.contains("of a robot `serial`"));
    assert!(solve.contains("left_wrist_yaw_link") && !solve.contains("hero.vrm --goal 'left hand=+"));
    assert!(help("inspect").contains("`joints`, `clips`, `advice`"));
}

/// A rig in centimetres is a glTF whose unit nobody knows.
#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn a_rig_too_high_for_metres_has_units() {
    let fox = data().join("gltf/Fox.glb").display().to_string();
    let page = text(&sinew(&["solve", &fox, "--goal", "left hand=100,500,3"]));
    assert!(page.contains(" units short") && !page.contains(" m short"), "{page}");
    let page = text(&sinew(&["simulate", &fox, "--chain", "Tail", "--seconds", "0.2"]));
    assert!(page.contains("79.03 units high, taken for centimetres"), "{page}");
    assert!(text(&sinew(&["inspect", &fox])).contains("joints, 79.03 units high\n"));
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn straight_fingers_and_spines_of_a_human_are_one_line() {
    let suit = data().join("rigs/quaternius_Suit.glb").display().to_string();
    let page = text(&sinew(&["inspect", &suit]));
    let lines: Vec<&str> = page.lines().filter(|line| line.contains("straight at rest")).collect();
    assert!(lines.len() == 1 && lines[0].contains("trunk, head and fingers"), "{lines:?}");
    assert!(lines[0].contains("8 joints"), "{lines:?}");
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn arms_that_might_swing_begin_below_the_shoulder() {
    let voxels = data().join("gltf/cryptovoxels.vrm").display().to_string();
    let line = complaint(&sinew(&["simulate", &voxels]));
    assert!(line.contains("--chain 'Left arm'") && !line.contains("shoulder"), "{line}");
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn examples_of_the_help_of_solve_run_on_real_files() {
    let file = |name: &str| data().join(name).display().to_string();
    let ran = |arguments: &[&str]| text(&sinew(&[&["solve"], arguments, &["--strict"]].concat()));
    let voxels = file("gltf/cryptovoxels.vrm");
    ran(&[&voxels, "--goal", "left hand=@0.15,0.6,0.25", "--keep", "head", "--plant", "left foot"]);
    let g1 = file("urdf/g1_29dof_with_hand.urdf");
    let right = ["--goal", "right_wrist_yaw_link=0.3,-0.2,0.1"];
    ran(&[&[&g1[..], "--goal", "left_wrist_yaw_link=0.3,0.2,0.1"], &right[..], &["--base", "torso_link"]].concat());
    let ankle = ["--goal", "left_ankle_roll_link=0,0.1,-0.7", "--goal", "right_wrist_yaw_link=0.3,-0.2,0"];
    ran(&[&[&g1[..]], &ankle[..], &["--root", "free"]].concat());
}
