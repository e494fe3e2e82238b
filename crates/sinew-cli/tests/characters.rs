//! Real characters: every arm and leg that the test data lists reaches, by forward kinematics of the
//! written file that share nothing with the solver, and hostile files are answered in one line.

use std::path::Path;

use crate::data::data;
use crate::gltf::{document, joints, node_matrices};
use crate::shell::{complaint, numbers, object, sinew};
use serde_json::Value;
use sinew::glam::DVec3;

/// The entries of an `index.json`.
fn index(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("index.json");
    serde_json::from_str(&text).expect("a list")
}

/// The limbs that an entry lists, each a list of names or node indices.
fn limbs(entry: &Value) -> Vec<Vec<String>> {
    let reference = |joint: &Value| match joint {
        Value::Number(node) => format!("#{node}"),
        other => other.as_str().unwrap_or_default().to_owned(),
    };
    let limb = |chain: &Value| -> Vec<String> { chain.as_array().into_iter().flatten().map(reference).collect() };
    let chains = entry["chains"].as_object().into_iter().flatten();
    let wanted = chains.filter(|(name, _)| name.contains("arm") || name.contains("leg"));
    wanted
        .flat_map(|(_, chain)| match chain.as_array().map(Vec::as_slice) {
            Some([Value::Array(_), ..]) => chain.as_array().into_iter().flatten().map(limb).collect(),
            _ => vec![limb(chain)],
        })
        .collect()
}

/// The tip to reach with: the end of the chain, or of two joints the end of the second.
fn tip(limb: &[String]) -> String {
    match limb {
        [_, second] => format!("{second}_tip"),
        _ => limb.last().cloned().unwrap_or_default(),
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn arms_and_legs_of_real_characters_reach() {
    let data = data();
    let mut reached = 0;
    for entry in index(&data.join("gltf/index.json")) {
        let file = data.join(entry["file"].as_str().unwrap());
        for limb in limbs(&entry) {
            reach(&file, &limb[0], &tip(&limb), entry["height_y"].as_f64());
            reached += 1;
        }
    }
    assert!(reached > 40, "{reached}");
    eprintln!("{reached} limbs reached");
}

/// Solves for a point inside the limb's reach and measures where the written file has its tip.
fn reach(file: &Path, base: &str, tip: &str, height: Option<f64>) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.glb").display().to_string();
    let file = file.display().to_string();
    let base = format!("{tip}={base}");
    let asked = |point: DVec3| {
        let goal = format!("{tip}={},{},{}", point.x, point.y, point.z);
        object(&sinew(&["solve", &file, "--goal", &goal, "--base", &base, "-o", &out, "--json"]))
    };
    // Any goal tells the limb; the rest pose its reach.
    let limb = &asked(DVec3::ZERO)["goals"][0]["limb"];
    let rest = object(&sinew(&["solve", &file, "--json"]));
    let label = |joint: &Value| match joint["name"].as_str() {
        Some(name) => name.to_owned(),
        None => format!("#{}", joint["index"]),
    };
    let place = |at: usize| {
        let joint =
            joints(&rest).iter().find(|joint| Some(label(joint).as_str()) == limb[at].as_str()).expect("the limb");
        (joint, DVec3::from(numbers(&joint["model"]["translation"])))
    };
    let links = limb.as_array().expect("a limb").len();
    let places: Vec<DVec3> = (0..links).map(|at| place(at).1).collect();
    let (a, (end, c)) = (places[0], place(links - 1));
    let lengths: Vec<f64> = places.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
    let (longest, rest_of_it) = (lengths.iter().copied().fold(0.0, f64::max), lengths.iter().sum::<f64>());
    let shortest = (2.0 * longest - rest_of_it).max(0.0);
    let distance = shortest + 0.6 * (rest_of_it - shortest);
    let sideways = DVec3::new(0.3, 0.2, 0.6) * (c - a).length();
    let target = a + (c - a + sideways).normalize() * distance;
    let result = asked(target);
    assert_eq!(result["outcome"]["status"], "reached", "{file} {tip}: {}", result["goals"][0]);
    // An inferred tip has no node: it stands where it stood in its parent.
    let matrices = node_matrices(&document(out.as_ref()));
    let node = |key: &str| end[key].as_u64().map(|node| matrices[node as usize]);
    let of_tip = || node("parent").expect("a parent").transform_point3(numbers(&end["local"]["translation"]).into());
    let found = node("index").map_or_else(of_tip, |matrix| matrix.w_axis.truncate());
    let height = height.unwrap_or(rest_of_it);
    assert!(found.distance(target) <= 1e-5 * height, "{file} {tip}: {found} {target}");
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn hostile_files_are_answered_in_one_line() {
    let data = data();
    for entry in index(&data.join("bad/index.json")).iter().filter(|entry| entry["format"] == "gltf") {
        let file = data.join("bad").join(entry["file"].as_str().unwrap()).display().to_string();
        let output = sinew(&["inspect", &file]);
        if output.status.code() != Some(0) {
            let line = complaint(&output);
            assert!(line.contains(file.rsplit('/').next().unwrap()), "{line}");
        }
        let accept = entry["expect"] == "accept";
        assert!(!accept || output.status.success(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
        let reject = entry["expect"] == "reject";
        assert!(!reject || !output.status.success(), "{file} was accepted");
    }
}
