//! Parts of a body as names of joints on every kind of rig, and feet that stay.

use serde_json::Value;
use sinew::glam::DVec3;

use crate::data::data;
use crate::gltf::joints;
use crate::shell::{complaint, numbers, object, sinew};

fn rig(name: &str) -> String {
    format!("{}/../../rigs/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The joint that a goal was for, and how it ended.
fn goal(result: &Value) -> (&str, &str) {
    let goal = &result["goals"][0];
    (goal["joint"].as_str().unwrap_or_default(), goal["status"].as_str().unwrap_or_default())
}

fn place(result: &Value, name: &str) -> DVec3 {
    let joint = joints(result).iter().find(|joint| joint["name"] == name).expect("a joint of that name");
    DVec3::from(numbers(&joint["model"]["translation"]))
}

#[test]
fn limbs_of_beasts_are_called_by_their_parts() {
    let dog = rig("dog.glb");
    for (words, joint) in [
        ("left fore leg", "LeftFrontPaw"),
        ("left hind foot", "LeftHindPaw"),
        ("front left leg", "LeftFrontPaw"),
        ("Back_Left_Foot", "LeftHindPaw"),
        ("Left Hand", "LeftFrontPaw"),
        ("right_foot", "RightHindPaw"),
        ("right leg 1", "RightFrontPaw"),
    ] {
        let result = object(&sinew(&["solve", &dog, "--goal", &format!("{words}=+0,0.05,0"), "--json"]));
        assert_eq!(goal(&result), (joint, "reached"), "{words}");
    }
    let spider = rig("spider.glb");
    let line = complaint(&sinew(&["solve", &spider, "--goal", "left leg 9=+0,0.05,0"]));
    assert!(line.contains("left leg 9") && line.contains("such as 'left leg "), "{line}");
    let feet: Vec<String> = (1..=4)
        .map(|place| {
            let value = format!("left leg {place}=+0,0.05,0");
            let result = object(&sinew(&["solve", &spider, "--goal", &value, "--json"]));
            assert_eq!(goal(&result).1, "reached", "{value}");
            goal(&result).0.to_owned()
        })
        .collect();
    let mut apart = feet.clone();
    apart.dedup();
    assert_eq!(apart.len(), 4, "{feet:?}");
}

#[test]
fn a_figure_that_stands_keeps_its_feet_with_solvers_that_know_no_bodies() {
    let rest = object(&sinew(&["solve", "--json"]));
    for solver in ["whole", "jacobian", "mass-spring"] {
        let solve = |more: &[&str]| {
            let asked = ["solve", "--solver", solver, "--goal", "LeftHand=0.3,0.9,0.6", "--json"];
            object(&sinew(&[&asked[..], more].concat()))
        };
        let gone = |result: &Value, name: &str| place(result, name).distance(place(&rest, name));
        let kept = solve(&[]);
        assert!(gone(&kept, "LeftFoot").max(gone(&kept, "RightFoot")) < 1e-3, "{solver}");
        assert!(place(&kept, "LeftHand").distance(DVec3::new(0.3, 0.9, 0.6)) < 1e-3, "{solver}");
        let free = solve(&["--keep", "none"]);
        let notes = |result: &Value| result["notes"].to_string();
        assert!(notes(&kept).contains("keep the feet were added (LeftFoot, RightFoot)"), "{}", notes(&kept));
        assert!(!notes(&free).contains("keep the feet"), "{}", notes(&free));
        assert!(gone(&free, "LeftFoot").max(gone(&free, "RightFoot")) > 0.01, "{solver}");
        let asked = solve(&["--goal", "LeftFoot=+0.05,0.1,0.1"]);
        assert!(gone(&asked, "LeftFoot") > 0.1 && gone(&asked, "RightFoot") < 1e-3, "{solver}");
    }
}

#[test]
fn a_limb_that_swings_swings_whole() {
    let joints = |rig: &str, chain: &str| {
        let still = ["--move", "still", "--seconds", "0.1", "--settle", "0", "--json"];
        let told = object(&sinew(&[&["simulate", rig, "--chain", chain], &still[..]].concat()));
        let names = told["chains"][0]["joints"].as_array().expect("joints").iter();
        names.map(|name| name.as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let (dog, human) = (rig("dog.glb"), rig("human.glb"));
    assert_eq!(joints(&dog, "Tail"), ["Tail1", "Tail2", "Tail3"]);
    assert_eq!(joints(&dog, "tail,TailTip=1.5"), ["Tail1", "Tail2", "Tail3"]);
    assert_eq!(joints(&dog, "back left leg").first().map(String::as_str), Some("LeftHindUpperLeg"));
    assert_eq!(joints(&human, "left arm").first().map(String::as_str), Some("LeftShoulder"));
    // The end of a limb is still its end, and a joint's own name that joint.
    assert_eq!(joints(&dog, "left hind foot"), ["LeftHindPaw"]);
    assert_eq!(joints(&dog, "Tail2"), ["Tail2", "Tail3"]);
}

#[test]
fn solvers_are_compared_with_feet_that_stay() {
    let rest = object(&sinew(&["solve", "--json"]));
    let compare = |more: &[&str]| {
        let asked = ["compare", "--goal", "LeftHand=0.3,0.9,0.6", "--json"];
        object(&sinew(&[&asked[..], more].concat()))
    };
    let gone = |result: &Value, solver: &str| {
        let solvers = result["solvers"].as_array().expect("solvers");
        let one = solvers.iter().find(|one| one["solver"] == solver).expect("a solver of that name");
        ["LeftFoot", "RightFoot"]
            .map(|foot| place(one, foot).distance(place(&rest, foot)))
            .into_iter()
            .fold(0.0, f64::max)
    };
    let (kept, free) = (compare(&[]), compare(&["--keep", "none"]));
    for solver in ["whole", "jacobian", "mass-spring"] {
        assert!(gone(&kept, solver) < 1e-3, "{solver}: {}", gone(&kept, solver));
        assert!(gone(&free, solver) > 0.01 || solver == "mass-spring", "{solver}: {}", gone(&free, solver));
    }
    let note = "whole, jacobian, mass-spring: goals that keep the feet were added (LeftFoot, RightFoot)";
    assert!(kept["notes"].to_string().contains(note), "{}", kept["notes"]);
    assert!(!free["notes"].to_string().contains("keep the feet"), "{}", free["notes"]);
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn joints_that_hang_on_nothing_end_no_limb_and_are_told_so() {
    let hand = data().join("gltf/webxr_hand_left.glb").display().to_string();
    let line = complaint(&sinew(&["solve", &hand, "--goal", "index-finger-tip=+0,-0.02,0"]));
    assert!(line.contains("it hangs on no other joint") && !line.contains("further down"), "{line}");
}
