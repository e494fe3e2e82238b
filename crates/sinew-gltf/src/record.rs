//! A clip as one more animation of the document, and the data that it needs.
//!
//! Source: Khronos, "glTF 2.0 Specification", section 3.11 (Animations). All numbers lie in one new buffer view of
//! one new buffer; where the file is packed it joins the others or becomes a data URI.

use serde_json::{Map, Value, json};

use crate::character::Character;
use crate::clip::{Clip, Property};
use crate::error::WriteError;
use crate::pack::{length, object_at};
use crate::patch;

const FLOAT: u32 = 5126;

/// Accessors to be added, and the numbers they read.
#[derive(Debug)]
struct Numbers {
    data: Vec<u8>,
    view: usize,
    first_accessor: usize,
    accessors: Vec<Value>,
}

/// Puts the clip before the animations of the document, and returns the data of the new, last buffer.
pub(crate) fn add(character: &Character, clip: &Clip, document: &mut Value) -> Result<Vec<u8>, WriteError> {
    let times = clip.stored_times()?;
    let tracks = clip.tracks(character)?;
    let mut numbers = Numbers {
        data: Vec::new(),
        view: length(document, "bufferViews"),
        first_accessor: length(document, "accessors"),
        accessors: Vec::new(),
    };
    let moving = tracks.iter().any(|track| !track.still).then(|| numbers.add_times(&times));
    let ends = [times.first().copied(), times.last().copied()];
    let ends: Vec<f32> = ends.into_iter().flatten().take(times.len()).collect();
    let still = tracks.iter().any(|track| track.still).then(|| numbers.add_times(&ends));
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for track in &tracks {
        let input = if track.still { still } else { moving };
        let target = json!({"node": track.node, "path": track.property.name()});
        channels.push(json!({"sampler": samplers.len(), "target": target}));
        let output = numbers.add_values(track.property, &track.values);
        samplers.push(json!({"input": input, "interpolation": "LINEAR", "output": output}));
        let node = object_at(document, "nodes", track.node);
        if let (Some(node), Some(joint)) = (node, character.joint_of_node(track.node)) {
            let rest = character.skeleton.rest(joint);
            patch::write_node(node, rest, rest);
        }
    }
    let mut animation = Map::new();
    if !clip.name.is_empty() {
        animation.insert("name".to_owned(), clip.name.clone().into());
    }
    animation.insert("channels".to_owned(), channels.into());
    animation.insert("samplers".to_owned(), samplers.into());
    if let Some(animations) = array(document, "animations") {
        animations.insert(0, animation.into());
    }
    Ok(numbers.place(document))
}

impl Numbers {
    /// Adds an accessor of times, with the bounds that the specification demands.
    fn add_times(&mut self, times: &[f32]) -> usize {
        let bound = |time: Option<&f32>| vec![time.copied().map_or(0.0, f64::from)];
        let (min, max) = (bound(times.first()), bound(times.last()));
        let accessor = json!({"type": "SCALAR", "count": times.len(), "min": min, "max": max});
        self.add(accessor, times)
    }

    fn add_values(&mut self, property: Property, values: &[f32]) -> usize {
        let shape = if property == Property::Rotation { "VEC4" } else { "VEC3" };
        self.add(json!({"type": shape, "count": values.len() / property.size()}), values)
    }

    fn add(&mut self, mut accessor: Value, numbers: &[f32]) -> usize {
        accessor["bufferView"] = self.view.into();
        accessor["byteOffset"] = self.data.len().into();
        accessor["componentType"] = FLOAT.into();
        self.data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self.accessors.push(accessor);
        self.first_accessor + self.accessors.len() - 1
    }

    /// Adds accessors, view and buffer to the document.
    fn place(self, document: &mut Value) -> Vec<u8> {
        let (buffer, bytes) = (length(document, "buffers"), self.data.len());
        let additions = [
            ("accessors", self.accessors),
            ("bufferViews", vec![json!({"buffer": buffer, "byteOffset": 0, "byteLength": bytes})]),
            ("buffers", vec![json!({"byteLength": bytes})]),
        ];
        for (name, added) in additions {
            if let Some(list) = array(document, name) {
                list.extend(added);
            }
        }
        self.data
    }
}

/// An array of the document, there afterwards if it was not.
fn array<'a>(document: &'a mut Value, name: &str) -> Option<&'a mut Vec<Value>> {
    let list = document.as_object_mut()?.entry(name).or_insert(Value::Null);
    if list.is_null() {
        *list = Value::Array(Vec::new());
    }
    list.as_array_mut()
}
