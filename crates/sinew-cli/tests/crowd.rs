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

/// Ends of the lines of a colour in a drawing (pixels).
fn lines(picture: &str, color: &str) -> Vec<[f64; 4]> {
    let number = |line: &str, name: &str| -> f64 {
        let value = line.split_once(&format!(" {name}=\"")).expect("an attribute").1;
        value.split('"').next().expect("a value").parse().expect("a number")
    };
    let lines = picture.lines().filter(|line| line.starts_with("<line") && line.contains(color));
    lines.map(|line| ["x1", "y1", "x2", "y2"].map(|name| number(line, name))).collect()
}

/// Lines of a colour in a drawing, and the sum of their lengths (pixels).
fn drawn(picture: &str, color: &str) -> (usize, f64) {
    let lines = lines(picture, color);
    (lines.len(), lines.iter().map(|[x1, y1, x2, y2]| (x2 - x1).hypot(y2 - y1)).sum())
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
fn characters_in_the_picture_stand_clear_of_one_another() {
    let folder = tempfile::tempdir().expect("a folder");
    // Side by side by its height of 0.764 m, behind one another by its length of 1.32 m, and a tenth more.
    for (view, count, metres) in [("front", 2, 1.1 * 0.764), ("side", 9, 1.1 * 1.32)] {
        let arguments =
            ["crowd", DOG, "--count", &count.to_string(), "--picture", "dogs.svg", "--view", view, "--json"];
        object(&sinew_in(folder.path(), &arguments));
        let picture = std::fs::read_to_string(folder.path().join("dogs.svg")).expect("a picture");
        let [x1, _, x2, _] = lines(&picture, "")[0];
        let bar = picture.split_once(" m<").expect("a bar").0.rsplit('>').next().expect("its length");
        let metre = (x2 - x1) / bar.parse::<f64>().expect("a number");
        // Two bones of two left legs each; where a leg hangs nobody has moved it.
        let left = lines(&picture, sinew_draw::LEFT);
        let apart = (left[4 * (count - 1)][0] - left[0][0]).abs() / metre;
        assert!((apart / metres - 1.0).abs() < 1e-3, "{view}: {apart} m apart");
    }
}

#[test]
fn legs_of_many_bones_reach_as_chains() {
    let spider = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/spider.glb");
    let said = object(&sinew(&["crowd", spider, "--count", "100", "--frames", "5", "--json"]));
    assert!(said["limbs"] == 8 && said["reached"] == 1.0 && said["notes"] == Value::Array(Vec::new()), "{said}");
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
