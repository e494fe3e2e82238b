//! The binary glTF file.
//!
//! One mesh of one primitive, one material, one skin with every joint of the skeleton, in one
//! binary chunk. The node of the mesh stands at the root of the scene, beside the skeleton: glTF
//! ignores the transform of a skinned node, so it must have none to inherit.

use glam::{DAffine3, DQuat, DVec3};
use serde_json::{Map, Value, json};

use crate::mesh::Mesh;
use crate::skeleton::{Joint, Skeleton};

const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const FLOAT: u32 = 5126;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

const MAGIC: &[u8; 4] = b"glTF";
const VERSION: u32 = 2;
const JSON_CHUNK: &[u8; 4] = b"JSON";
const BINARY_CHUNK: &[u8; 4] = b"BIN\0";

/// The bytes of the file.
///
/// # Panics
///
/// If the mesh has more vertices than a 16-bit index can name, or a file of over 4 GiB.
pub fn write(name: &str, skeleton: &Skeleton, mesh: &Mesh) -> Result<Vec<u8>, serde_json::Error> {
    let mut binary = Binary::default();
    let primitive = primitive(&mut binary, mesh);
    let inverse_bind = inverse_bind(&mut binary, skeleton);
    let document = document(name, skeleton, &primitive, inverse_bind, &binary);
    Ok(container(serde_json::to_vec(&document)?, binary.bytes))
}

/// The binary chunk under construction, with what describes it.
#[derive(Default)]
struct Binary {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Binary {
    /// Appends an array and gives the index of its accessor. `bounds` are its min and max.
    fn push(
        &mut self,
        bytes: &[u8],
        (kind, component, count): (&str, u32, usize),
        target: Option<u32>,
        bounds: Option<[Value; 2]>,
    ) -> usize {
        let mut view = json!({
            "buffer": 0,
            "byteOffset": self.bytes.len(),
            "byteLength": bytes.len(),
        });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        let mut accessor = json!({
            "bufferView": self.views.len(),
            "componentType": component,
            "count": count,
            "type": kind,
        });
        if let Some([min, max]) = bounds {
            accessor["min"] = min;
            accessor["max"] = max;
        }
        self.bytes.extend(bytes);
        pad(&mut self.bytes, 0);
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}

/// Appends the arrays of the mesh and describes them.
fn primitive(binary: &mut Binary, mesh: &Mesh) -> Value {
    let count = mesh.vertices.len();
    let target = Some(ARRAY_BUFFER);
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    for vertex in &mesh.vertices {
        positions.extend(vertex.position.as_vec3().to_array());
        normals.extend(vertex.normal.as_vec3().to_array());
        let (joint_lanes, weight_lanes) = vertex.weights.lanes();
        joints.extend(joint_lanes);
        weights.extend(weight_lanes);
    }
    let bounds = Some(bounds(&positions));
    let positions = binary.push(&floats(&positions), ("VEC3", FLOAT, count), target, bounds);
    let normals = binary.push(&floats(&normals), ("VEC3", FLOAT, count), target, None);
    let joints = binary.push(&joints, ("VEC4", UNSIGNED_BYTE, count), target, None);
    let weights = binary.push(&floats(&weights), ("VEC4", FLOAT, count), target, None);

    let corners = mesh.triangles.as_flattened();
    let bytes: Vec<u8> = corners
        .iter()
        .map(|&corner| u16::try_from(corner).expect("the mesh has fewer than 65536 vertices"))
        .flat_map(u16::to_le_bytes)
        .collect();
    let shape = ("SCALAR", UNSIGNED_SHORT, corners.len());
    let indices = binary.push(&bytes, shape, Some(ELEMENT_ARRAY_BUFFER), None);
    json!({
        "attributes": {
            "POSITION": positions,
            "NORMAL": normals,
            "JOINTS_0": joints,
            "WEIGHTS_0": weights,
        },
        "indices": indices,
        "material": 0,
    })
}

/// The least and the greatest position, axis by axis.
fn bounds(positions: &[f32]) -> [Value; 2] {
    let axis = |axis: usize| positions.iter().copied().skip(axis).step_by(3);
    let min = [0, 1, 2].map(|i| axis(i).fold(f32::INFINITY, f32::min));
    let max = [0, 1, 2].map(|i| axis(i).fold(f32::NEG_INFINITY, f32::max));
    [json!(min), json!(max)]
}

/// Appends the matrices that take the mesh, as modelled, into the frame of each joint.
fn inverse_bind(binary: &mut Binary, skeleton: &Skeleton) -> usize {
    let matrices: Vec<f32> = skeleton.joints().iter().flat_map(|joint| matrix(&joint.world.inverse())).collect();
    let shape = ("MAT4", FLOAT, skeleton.joints().len());
    binary.push(&floats(&matrices), shape, None, None)
}

/// A transform as sixteen numbers, column by column, without negative zeros.
fn matrix(transform: &DAffine3) -> [f32; 16] {
    let [x, y, z, t] = [
        transform.matrix3.x_axis.extend(0.0),
        transform.matrix3.y_axis.extend(0.0),
        transform.matrix3.z_axis.extend(0.0),
        transform.translation.extend(1.0),
    ];
    glam::DMat4::from_cols(x, y, z, t).to_cols_array().map(|value| value as f32 + 0.0)
}

/// The glTF document.
fn document(name: &str, skeleton: &Skeleton, primitive: &Value, inverse_bind: usize, binary: &Binary) -> Value {
    let joints = skeleton.joints();
    let mut nodes: Vec<Value> = (0..joints.len()).map(|i| node(joints, i)).collect();
    nodes.push(json!({ "name": name, "mesh": 0, "skin": 0 }));
    let root = 0;
    json!({
        "asset": {
            "version": "2.0",
            "generator": "sinew rig-generator",
            "copyright": "CC0-1.0",
        },
        "scene": 0,
        "scenes": [{ "name": name, "nodes": [root, joints.len()] }],
        "nodes": nodes,
        "meshes": [{ "name": name, "primitives": [primitive] }],
        "skins": [{
            "name": name,
            "inverseBindMatrices": inverse_bind,
            "skeleton": root,
            "joints": (0..joints.len()).collect::<Vec<_>>(),
        }],
        "materials": [{
            "name": "Clay",
            "pbrMetallicRoughness": {
                "baseColorFactor": [0.8, 0.77, 0.72, 1.0],
                "metallicFactor": 0.0,
                "roughnessFactor": 0.75,
            },
            "doubleSided": false,
        }],
        "accessors": binary.accessors,
        "bufferViews": binary.views,
        "buffers": [{ "byteLength": binary.bytes.len() }],
    })
}

/// A joint as a node; what is at its default is left out.
fn node(joints: &[Joint], index: usize) -> Value {
    let joint = &joints[index];
    let mut node = Map::new();
    node.insert("name".to_owned(), joint.name.as_str().into());
    if joint.translation != DVec3::ZERO {
        let translation = joint.translation.as_vec3().to_array();
        node.insert("translation".to_owned(), json!(translation));
    }
    if joint.rotation != DQuat::IDENTITY {
        let rotation = joint.rotation.as_quat().to_array();
        node.insert("rotation".to_owned(), json!(rotation));
    }
    let children: Vec<usize> = (0..joints.len()).filter(|&child| joints[child].parent == Some(index)).collect();
    if !children.is_empty() {
        node.insert("children".to_owned(), json!(children));
    }
    node.into()
}

/// The two chunks behind the header, each padded to four bytes.
fn container(mut json: Vec<u8>, mut binary: Vec<u8>) -> Vec<u8> {
    pad(&mut json, b' ');
    pad(&mut binary, 0);
    let length = 12 + 8 + json.len() + 8 + binary.len();
    let mut file = Vec::with_capacity(length);
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend(size(length));
    for (kind, chunk) in [(JSON_CHUNK, json), (BINARY_CHUNK, binary)] {
        file.extend(size(chunk.len()));
        file.extend(kind);
        file.extend(chunk);
    }
    file
}

fn size(length: usize) -> [u8; 4] {
    u32::try_from(length).expect("the file is far below 4 GiB").to_le_bytes()
}

fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(4), with);
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
