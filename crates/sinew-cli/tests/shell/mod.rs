//! Running the command, and forward kinematics over a written file that shares nothing with the solver.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use sinew::glam::{DMat4, DQuat, DVec3};

/// Runs `sinew` in a folder.
pub(crate) fn sinew_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.args(arguments).current_dir(folder).output().expect("the command starts")
}

/// Runs `sinew` where it writes nothing.
pub(crate) fn sinew(arguments: &[&str]) -> Output {
    sinew_in(Path::new("."), arguments)
}

/// Standard output of a run that must succeed.
pub(crate) fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// The object printed by a run that must succeed.
pub(crate) fn object(output: &Output) -> Value {
    serde_json::from_str(&text(output)).expect("JSON")
}

/// The one line on standard error of a run that must fail.
pub(crate) fn complaint(output: &Output) -> String {
    let line = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{line}");
    assert!(line.starts_with("sinew: ") && line.lines().count() == 1 && line.len() < 600, "{line}");
    assert!(output.stdout.is_empty());
    line
}

/// Numbers of a JSON array.
pub(crate) fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    let list: Vec<f64> = value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    list.try_into().expect("that many numbers")
}

/// The joints of a `--json` object.
pub(crate) fn joints(object: &Value) -> &[Value] {
    object["joints"].as_array().expect("joints")
}

/// The JSON chunk of a binary glTF file.
pub(crate) fn document(path: &Path) -> Value {
    let bytes = std::fs::read(path).expect("the file was written");
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).expect("JSON")
}

/// Each node's matrix in the scene: products of the matrices on the way up.
pub(crate) fn node_matrices(document: &Value) -> Vec<DMat4> {
    let nodes = document["nodes"].as_array().expect("nodes");
    let mut parent = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for child in node["children"].as_array().into_iter().flatten() {
            parent[child.as_u64().expect("an index") as usize] = Some(index);
        }
    }
    let in_scene = |index: usize| {
        let up = std::iter::successors(Some(index), |&at| parent[at]);
        up.fold(DMat4::IDENTITY, |below, at| node_matrix(&nodes[at]) * below)
    };
    (0..nodes.len()).map(in_scene).collect()
}

fn node_matrix(node: &Value) -> DMat4 {
    if node["matrix"].is_array() {
        return DMat4::from_cols_array(&numbers(&node["matrix"]));
    }
    let part = |key: &str, or: DVec3| node[key].as_array().map_or(or, |_| numbers::<3>(&node[key]).into());
    let rotation =
        node["rotation"].as_array().map_or(DQuat::IDENTITY, |_| DQuat::from_array(numbers(&node["rotation"])));
    DMat4::from_scale_rotation_translation(
        part("scale", DVec3::ONE),
        rotation.normalize(),
        part("translation", DVec3::ZERO),
    )
}
