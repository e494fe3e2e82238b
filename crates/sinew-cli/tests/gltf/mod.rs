//! Forward kinematics over a written glTF file, which shares nothing with the solver.

use std::path::Path;

use serde_json::Value;
use sinew::glam::{DMat4, DQuat, DVec3};

use crate::shell::numbers;

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
