//! `sinew crowd` as its users meet it: small crowds, and what cannot be one.

use serde_json::Value;

use crate::shell::{complaint, object, sinew, sinew_in, text};

const DOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/dog.glb");

#[test]
fn a_small_crowd_reaches_its_targets_and_is_measured() {
    let said = object(&sinew(&["crowd", DOG, "--count", "20", "--frames", "3", "--json"]));
    for (field, number) in [("characters", 20), ("joints", 30), ("limbs", 4), ("frames", 3)] {
        assert_eq!(said[field], number, "{field}");
    }
    assert_eq!(said["reached"], 1.0);
    let number = |field: &str| said[field].as_f64().expect("a number");
    assert!(0.0 < number("best") && number("best") <= number("median"), "{said}");
    assert!((number("per_limb") * 80.0 / number("median") - 1.0).abs() < 1e-12, "{said}");
    // A rotation and a model transform of eleven numbers a joint at least.
    assert!(number("bytes") >= 30.0 * 44.0 && number("threads") >= 1.0 && number("lanes") >= 1.0, "{said}");
    assert!(said["instructions"].is_string() && said["looks"] == true && said["curve"] == Value::Array(Vec::new()));
}

/// Lines of a colour in a drawing, and the sum of their lengths (pixels).
fn drawn(picture: &str, color: &str) -> (usize, f64) {
    let number = |line: &str, name: &str| -> f64 {
        let value = line.split_once(&format!(" {name}=\"")).expect("an attribute").1;
        value.split('"').next().expect("a value").parse().expect("a number")
    };
    let length = |line: &str| (number(line, "x2") - number(line, "x1")).hypot(number(line, "y2") - number(line, "y1"));
    let lines = picture.lines().filter(|line| line.starts_with("<line") && line.contains(color));
    lines.fold((0, 0.0), |(count, sum), line| (count + 1, sum + length(line)))
}

#[test]
fn the_picture_shows_each_character_as_it_was_solved() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["crowd", "--count", "1", "--frames", "60", "--picture", "one.svg", "--view", "front", "--json"];
    let said = object(&sinew_in(folder.path(), &arguments));
    assert_eq!(said["written"].as_array().map(Vec::len), Some(1));
    let picture = std::fs::read_to_string(folder.path().join("one.svg")).expect("a picture");
    // The bar is the first line, of 0.2 m.
    let bar = drawn(picture.lines().find(|line| line.starts_with("<line")).expect("a bar"), "").1;
    assert!(picture.contains(">0.2 m<"));
    for color in [sinew_draw::LEFT, sinew_draw::RIGHT] {
        // An arm of 0.55 m and a leg of 0.86 m, each of two bones, seen a little shorter; and the legend.
        let (lines, length) = drawn(&picture, color);
        let metres = 0.2 * length / bar;
        assert!(lines == 5 && (1.0..1.5).contains(&metres), "{color}: {lines} lines, {metres} m");
    }
}

#[test]
fn a_page_names_what_was_measured() {
    let page = text(&sinew(&["crowd", DOG, "--count", "5", "--frames", "2"]));
    for part in ["5 characters of 30 joints, 4 limbs and a look each", "ms a frame (median of 2", "bytes a character"] {
        assert!(page.contains(part), "{page}");
    }
}

#[test]
fn what_is_no_crowd_is_said() {
    let robot = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/arm6.urdf");
    let crowd = |more: &[&str]| complaint(&sinew(&[&["crowd"], more].concat()));
    assert!(crowd(&["--count", "0"]).contains("1 character or more"));
    for count in ["1000000000", "18446744073709551615"] {
        assert!(crowd(&["--count", count]).contains("take more than 4 GiB; write "), "{count}");
    }
    assert!(crowd(&["--count", "1e9"]).contains("invalid"));
    assert!(crowd(&["--frames", "0"]).contains("1 to 100000"));
    assert!(crowd(&["--picture", "crowd.gif"]).contains(".svg or .png"));
    assert!(crowd(&["--curve", "crowd"]).contains(".svg or .png"));
    assert!(crowd(&[robot]).contains("robots have `sinew inspect`, `solve`"));
}

#[test]
fn limbs_keep_the_limits_of_people() {
    let said = object(&sinew(&["crowd", "--limits", "preset", "--count", "50", "--frames", "2", "--json"]));
    assert!(said["limbs"] == 4 && said["looks"] == true && said["reached"] == 1.0, "{said}");
    assert!(said["by_core"].as_f64().is_some_and(|share| share < 0.5), "{said}");
}

#[test]
fn the_help_names_what_the_object_has() {
    let said = object(&sinew(&["crowd", "--count", "5", "--frames", "1", "--json"]));
    let help = text(&sinew(&["crowd", "--help"]));
    for key in said.as_object().unwrap().keys() {
        assert!(help.contains(&format!("`{key}`")), "{key}");
    }
}

#[test]
fn whole_bodies_reach_with_hands_and_feet() {
    let said = object(&sinew(&["crowd", "--solver", "body", "--count", "40", "--frames", "3", "--json"]));
    assert!(said["body"] == true && said["limbs"] == 0 && said["looks"] == false && said["joints"] == 65, "{said}");
    assert!(said["reached"] == 1.0 && said["by_core"] == 0.0, "{said}");
    assert_eq!(said["per_limb"], said["per_character"]);
    let limited = object(&sinew(&[
        "crowd", "--solver", "body", "--limits", "preset", "--count", "40", "--frames", "3", "--json",
    ]));
    assert!(limited["reached"] == 1.0 && limited["by_core"] == 0.0, "{limited}");
    let page = text(&sinew(&["crowd", "--solver", "body", "--count", "3", "--frames", "2"]));
    for part in ["3 characters of 65 joints, a whole body each", "ns a character with forward kinematics"] {
        assert!(page.contains(part), "{page}");
    }
    let refused = |more: &[&str]| complaint(&sinew(&[&["crowd", "--solver", "body"], more].concat()));
    assert!(refused(&[DOG]).contains("no human was recognised"));
    assert!(refused(&["--curve", "c.svg"]).contains("leave out --solver body, or --curve"));
}

#[test]
fn a_rig_without_limbs_is_no_crowd() {
    let folder = tempfile::tempdir().expect("a folder");
    let pole = "HIERARCHY\nROOT Post\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n\
                MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n";
    std::fs::write(folder.path().join("post.bvh"), pole).expect("written");
    let line = complaint(&sinew_in(folder.path(), &["crowd", "post.bvh"]));
    assert!(line.contains("has no arm, leg or head; name them in a sidecar"), "{line}");
}
