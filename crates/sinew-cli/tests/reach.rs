//! `sinew reach` as its users meet it, beside brute force and a closed form.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::collections::BTreeMap;
use std::path::Path;

use crate::data::data;
use crate::shell::{complaint, object, sinew, sinew_in, text};
use serde_json::Value;
use sinew::glam::DVec3;

const ARM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/arm6.urdf");
/// How much coarser dev builds look, where fine cells take ten seconds; release builds look finely.
const COARSE: u8 = if cfg!(debug_assertions) { 4 } else { 1 };

/// Cells of a table by their whole numbers: whether the center is reached, and the share where there is one.
fn cells(table: &Path, edge: f64) -> BTreeMap<[i64; 3], (bool, Option<f64>)> {
    let mut reader = csv::Reader::from_path(table).unwrap();
    let rows = reader.records().map(|row| {
        let row: Vec<f64> = row.unwrap().iter().map(|x| x.parse().unwrap()).collect();
        let whole = [row[0], row[1], row[2]].map(|x| (x / edge).round());
        assert!(whole.iter().zip(&row).all(|(whole, x)| (whole * edge - x).abs() < 1e-9), "{row:?}");
        (whole.map(|x| x as i64), (row[3] == 1.0, row.get(4).copied()))
    });
    rows.collect()
}

#[test]
fn the_table_holds_every_place_where_random_joint_values_bring_the_tool() {
    let folder = tempfile::tempdir().unwrap();
    let edge = 0.1 * f64::from(COARSE);
    let out =
        sinew_in(folder.path(), &["reach", ARM, "tool0", "--cell", &edge.to_string(), "-o", "cells.csv", "--json"]);
    let result = object(&out);
    let cells = cells(&folder.path().join("cells.csv"), edge);
    let centers = cells.values().filter(|cell| cell.0).count();
    assert_eq!(
        (result["cells"].as_u64().unwrap(), result["centers"].as_u64().unwrap()),
        (cells.len() as u64, centers as u64)
    );
    assert!((result["volume"].as_f64().unwrap() - edge.powi(3) * centers as f64).abs() < 1e-9);
    let robot = sinew_urdf::load(ARM).unwrap();
    let (skeleton, tool) = (&robot.skeleton, robot.link("tool0").unwrap());
    let mut pose = skeleton.rest_pose();
    // Weyl's sequences: no generator is shared with the command.
    let steps = [2.0_f64, 3.0, 5.0, 7.0, 11.0, 13.0].map(f64::sqrt);
    let (mut low, mut high, mut far, mut seen) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0_f64, BTreeMap::new());
    for number in 1..=40_000 {
        let mut edit = pose.edit(skeleton);
        for (coordinate, (one, step)) in skeleton.coordinates().iter().zip(steps).enumerate() {
            let share = (f64::from(number) * step).fract();
            edit.coordinate(coordinate, one.range.min + (one.range.max - one.range.min) * share);
        }
        drop(edit);
        let at = pose.position(tool);
        let cell = (at / edge).to_array().map(|x| x.round() as i64);
        assert!(cells.contains_key(&cell), "{at}");
        *seen.entry(cell).or_insert(0) += 1;
        (low, high, far) = (low.min(at), high.max(at), far.max(at.x.hypot(at.y)));
    }
    assert!(
        seen.len() * 10 > cells.len() * 6,
        "little is claimed that samples do not show: {} {}",
        seen.len(),
        cells.len()
    );
    let corner = |i: usize| DVec3::from_array([0, 1, 2].map(|j| result["bounds"][i][j].as_f64().unwrap()));
    let (least, largest) = (corner(0), corner(1));
    assert!(least.cmple(low).all() && largest.cmpge(high).all() && (largest - high).max_element() < 2.0 * edge);
    let farthest = result["farthest"].as_f64().unwrap();
    assert!(farthest > far - 0.5 * edge && farthest < far + edge, "{farthest} {far}");
}

#[test]
fn shares_of_directions_are_in_the_table_the_cloud_and_the_object() {
    let folder = tempfile::tempdir().unwrap();
    let count = 12 / COARSE;
    let directions = count.to_string();
    let ask = |file: &str| {
        let arguments = ["reach", ARM, "tool0", "--cell", "0.2", "--directions", &directions, "-o", file, "--json"];
        object(&sinew_in(folder.path(), &arguments))
    };
    let result = ask("cells.csv");
    let cells = cells(&folder.path().join("cells.csv"), 0.2);
    let shares: Vec<f64> = cells.values().map(|cell| cell.1.unwrap()).collect();
    let is_count = |share: &f64| (f64::from(count) * share - (f64::from(count) * share).round()).abs() < 1e-9;
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share) && is_count(share)) && shares.contains(&1.0));
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!((result["directions"]["share"].as_f64().unwrap() - mean).abs() < 1e-12);
    let everywhere = shares.iter().filter(|&&share| share == 1.0).count();
    assert_eq!(result["directions"]["everywhere"].as_u64().unwrap(), everywhere as u64);
    // The middle is easier than the border: of its directions one may be out of reach.
    let of = |whole: [i64; 3]| cells[&whole].1.unwrap();
    let most = 1.0 - 1.0 / f64::from(count) - 1e-9;
    assert!(of([2, 0, 2]) >= most && cells.iter().filter(|(_, cell)| !cell.0).all(|(_, cell)| cell.1.unwrap() < 1.0));
    let again = ask("cells.ply");
    assert_eq!(again["directions"], result["directions"], "the same twice");
    let cloud = std::fs::read_to_string(folder.path().join("cells.ply")).unwrap();
    let (head, points) = cloud.split_once("end_header\n").unwrap();
    assert!(head.starts_with("ply\nformat ascii 1.0\n") && head.contains(&format!("element vertex {}\n", cells.len())));
    assert_eq!((points.lines().count(), head.matches("property").count()), (cells.len(), 7));
    assert!(points.lines().all(|line| line.split(' ').count() == 7));
}

#[test]
fn a_ring_is_a_ring_and_the_picture_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    let joint = |name: &str, parent: &str, child: &str, x: f64| {
        format!(
            r#"<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/>
               <origin xyz="{x} 0 0"/><axis xyz="0 0 1"/></joint><link name="{child}"/>"#
        )
    };
    let tip = r#"<joint name="end" type="fixed"><parent link="b"/><child link="tip"/><origin xyz="0.3 0 0"/></joint>"#;
    let links = joint("one", "base", "a", 0.0) + &joint("two", "a", "b", 0.5) + tip;
    let file = format!(r#"<robot name="ring"><link name="base"/>{links}<link name="tip"/></robot>"#);
    std::fs::write(folder.path().join("ring.urdf"), file).unwrap();
    let millimetres = 50 * i32::from(COARSE);
    let (edge, half) = (f64::from(millimetres) / 1000.0, 900 / millimetres);
    let cell = edge.to_string();
    let arguments = ["reach", "ring.urdf", "--cell", &cell, "-o", "ring.csv", "--picture", "ring.svg"];
    let page = text(&sinew_in(folder.path(), &arguments));
    assert!(
        page.contains("ring: where tip can be, in the frame of base, by 2 joints")
            && page.contains(&format!("cells of {millimetres} mm")),
        "{page}"
    );
    let cells = cells(&folder.path().join("ring.csv"), edge);
    for i in -half..=half {
        for j in -half..=half {
            let (x, y) = (edge * f64::from(i.abs()), edge * f64::from(j.abs()));
            let near = (x - 0.5 * edge).max(0.0).hypot((y - 0.5 * edge).max(0.0));
            let far = (x + 0.5 * edge).hypot(y + 0.5 * edge);
            if (near - 0.8).abs() > 1e-6 && (far - 0.2).abs() > 1e-6 {
                assert_eq!(cells.contains_key(&[i.into(), j.into(), 0]), near < 0.8 && far > 0.2, "{i} {j}");
            }
        }
    }
    assert!(cells.keys().all(|cell| cell[2] == 0));
    let svg = std::fs::read_to_string(folder.path().join("ring.svg")).unwrap();
    for wanted in ["ring: reach of tip", "from above, cut at z = 0.00 m", "x (m)", "in reach, in the cut", ">-0.4<"] {
        assert!(svg.contains(wanted), "{wanted}");
    }
    let png = sinew_in(folder.path(), &["reach", "ring.urdf", "tip", "--cell", "0.2", "--picture", "ring.png"]);
    assert!(text(&png).contains("ring.png"));
    assert_eq!(&std::fs::read(folder.path().join("ring.png")).unwrap()[1..4], b"PNG");
}

#[test]
fn what_cannot_be_asked_is_refused_with_a_remedy() {
    let missing = complaint(&sinew(&["reach", "nowhere.urdf", "tip"]));
    assert!(missing.contains("nowhere.urdf"), "{missing}");
    for (arguments, wanted) in [
        (&["tool9"][..], "TIP 'tool9': no link is called 'tool9'; the nearest are 'tool0'"),
        (&["base"], "no hinge or slide lies between base and tip; name a tip further down"),
        (&["tool0", "--base", "flange"], "from 'flange' to 'tool0'"),
        (&["tool0", "--cell", "0"], "--cell 0.0: "),
        (&["tool0", "--cell", "nan"], "write --cell 0.05"),
        (&["tool0", "--cell", "1e-4"], "more than ten million cells around the arm; write --cell 0.01"),
        (&["tool0", "--axis", "0,0,0"], "--axis 0,0,0: an axis has a length"),
        (&["tool0", "--axis", "x"], "--axis 'x'"),
        (&["tool0", "--directions", "0"], "--directions"),
        (&["tool0", "-o", "cells.txt"], "end it in .csv or .ply"),
        (&["tool0", "--picture", "reach.gif"], "end it in .svg or .png"),
        (&["tool0", "-o", "/nowhere/at/all.csv", "--cell", "0.4"], "check that the folder exists"),
    ] {
        let line = complaint(&sinew(&[&["reach", ARM], arguments].concat()));
        assert!(line.contains(wanted), "{arguments:?}: {line}");
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn real_robots_have_reaches_of_their_own_size() {
    let data = data();
    let data = data.display();
    // File, tip, options, and the makers' reach in metres, which ends at the wrist, with what is behind that.
    let cases: [(&str, &str, &[&str], f64, f64); 3] = [
        ("ur5e", "tool0", &[], 0.85, 0.15),
        ("panda", "panda_hand", &[], 0.855, 0.12),
        ("irb120", "flange", &[], 0.58, 0.12),
    ];
    for (file, tip, more, reach, between) in cases {
        let path = format!("{data}/urdf/{file}.urdf");
        let result: Value = object(&sinew(&[&["reach", &path, tip, "--cell", "0.15", "--json"], more].concat()));
        let far = result["farthest"].as_f64().unwrap();
        assert!((far - reach).abs() < between, "{file}: {far} {reach}");
        let volume = result["volume"].as_f64().unwrap();
        assert!(volume > 0.5 * reach.powi(3) && volume < 4.6 * far.powi(3), "{file}: {volume}");
    }
}
