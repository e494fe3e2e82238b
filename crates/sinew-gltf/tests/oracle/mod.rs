//! Forward kinematics a second time, from the raw JSON with nothing but arrays: what files written by
//! the crate are compared with.
#![allow(dead_code, reason = "every test file uses a part of it")]

use serde_json::Value;

/// Columns.
pub(crate) type Matrix = [[f64; 4]; 4];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// The document in the bytes of a file.
pub(crate) fn document(bytes: &[u8]) -> Value {
    let json = if bytes.starts_with(b"glTF") {
        let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        &bytes[20..20 + length]
    } else {
        bytes
    };
    serde_json::from_slice(json).unwrap()
}

/// Every node's map to the scene.
pub(crate) fn in_scene(document: &Value) -> Vec<Matrix> {
    let Some(nodes) = document["nodes"].as_array() else { return Vec::new() };
    let mut parent = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for child in node["children"].as_array().into_iter().flatten() {
            parent[child.as_u64().unwrap() as usize] = Some(index);
        }
    }
    let to_scene = |node: usize| {
        let mut map = local(&nodes[node]);
        let mut above = parent[node];
        while let Some(index) = above {
            map = product(&local(&nodes[index]), &map);
            above = parent[index];
        }
        map
    };
    (0..nodes.len()).map(to_scene).collect()
}

/// Where the origin of a node lies in the scene.
pub(crate) fn position(document: &Value, node: usize) -> [f64; 3] {
    let [x, y, z, _] = in_scene(document)[node][3];
    [x, y, z]
}

pub(crate) fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

fn local(node: &Value) -> Matrix {
    let numbers = |key: &str, default: &[f64]| -> Vec<f64> {
        node[key].as_array().map_or(default.to_vec(), |list| list.iter().map(|x| x.as_f64().unwrap()).collect())
    };
    let m = numbers("matrix", &[]);
    if m.len() == 16 {
        return std::array::from_fn(|column| std::array::from_fn(|row| m[4 * column + row]));
    }
    let (t, s) = (numbers("translation", &[0.0; 3]), numbers("scale", &[1.0; 3]));
    let q = numbers("rotation", &[0.0, 0.0, 0.0, 1.0]);
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [x, y, z, w] = [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
    let turn = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
        [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let mut map = IDENTITY;
    for column in 0..3 {
        for row in 0..3 {
            map[column][row] = turn[column][row] * s[column];
        }
        map[3][column] = t[column];
    }
    map
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|column| std::array::from_fn(|row| (0..4).map(|inner| a[inner][row] * b[column][inner]).sum()))
}
