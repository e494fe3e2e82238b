//! A clip as one more animation of the document, and the data that it needs.
//!
//! Source: Khronos, "glTF 2.0 Specification", section 3.11 (Animations). All numbers lie in one new buffer view of
//! one new buffer; where the file is packed it joins the others or becomes a data URI.

use serde_json::{Map, Value, json};

use crate::animation::Animation;
use crate::character::Character;
use crate::clip::{Clip, Property, Track};
use crate::document::whole_number;
use crate::error::WriteError;
use crate::pack::{length, object_at};
use crate::patch;
use crate::write::ClipSlot;

const FLOAT: u32 = 5126;

/// Accessors to be added, and the numbers they read.
#[derive(Debug)]
struct Numbers {
    data: Vec<u8>,
    view: usize,
    first_accessor: usize,
    accessors: Vec<Value>,
}

/// Puts the clip among the animations of the document, and returns the data of the new, last buffer.
pub(crate) fn add(
    character: &Character,
    clip: &Clip,
    slot: ClipSlot,
    document: &mut Value,
) -> Result<Vec<u8>, WriteError> {
    let times = clip.stored_times()?;
    let base = slot.base().map(|index| open(character, index)).transpose()?;
    let tracks = clip.tracks(character, base.as_ref())?;
    let mut numbers = Numbers {
        data: Vec::new(),
        view: length(document, "bufferViews"),
        first_accessor: length(document, "accessors"),
        accessors: Vec::new(),
    };
    let Carried { mut animation, mut channels, mut samplers } =
        base.map_or_else(Carried::default, |base| carried(character, &base, &tracks.replaced));
    numbers.add_tracks(&tracks.new, &times, &mut channels, &mut samplers);
    for track in &tracks.new {
        let node = object_at(document, "nodes", track.node);
        if let (Some(node), Some(joint)) = (node, character.joint_of_node(track.node)) {
            let rest = character.skeleton.rest(joint);
            patch::write_node(node, rest, rest);
        }
    }
    if !clip.name.is_empty() {
        animation.insert("name".to_owned(), clip.name.clone().into());
    } else if !matches!(slot, ClipSlot::InsteadOf(_)) {
        animation.shift_remove("name");
    }
    animation.insert("channels".to_owned(), channels.into());
    animation.insert("samplers".to_owned(), samplers.into());
    if let Some(animations) = array(document, "animations") {
        let last = animations.len();
        match slot {
            ClipSlot::InsteadOf(index) if index < last => animations[index] = animation.into(),
            // Where the others were dropped it stands alone.
            ClipSlot::Behind(index) => animations.insert(last.min(index + 1), animation.into()),
            _ => animations.insert(0, animation.into()),
        }
    }
    Ok(numbers.place(document))
}

fn open(character: &Character, index: usize) -> Result<Animation<'_>, WriteError> {
    let count = character.animation_count();
    if index >= count {
        return Err(WriteError::NoAnimation { index, count });
    }
    Ok(character.animation(index)?)
}

/// What of an animation goes on as it is.
#[derive(Debug, Default)]
struct Carried {
    /// Its other properties.
    animation: Map<String, Value>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
}

/// The animation without the channels of what is replaced, and without samplers that only those had.
fn carried(character: &Character, base: &Animation<'_>, replaced: &[(usize, Property)]) -> Carried {
    let mut animation = character.file().document["animations"][base.index()].as_object().cloned().unwrap_or_default();
    let mut list = |key: &str| match animation.get_mut(key).map(Value::take) {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    };
    let (channels, all) = (list("channels"), list("samplers"));
    let dropped = base.places_of(replaced);
    let kept = channels.into_iter().enumerate().filter(|(place, _)| !dropped.contains(place));
    let mut channels: Vec<Value> = kept.map(|(_, channel)| channel).collect();
    let sampler = |channel: &Value| channel["sampler"].as_f64().and_then(whole_number);
    let mut used: Vec<usize> = channels.iter().filter_map(sampler).collect();
    used.sort_unstable();
    used.dedup();
    for channel in &mut channels {
        if let Some(place) = sampler(channel).and_then(|old| used.binary_search(&old).ok()) {
            channel["sampler"] = place.into();
        }
    }
    let samplers = used.into_iter().filter_map(|index| all.get(index).cloned()).collect();
    Carried { animation, channels, samplers }
}

impl Numbers {
    /// Adds a channel and a sampler for every track; those that stay at one value share the times of two keys.
    fn add_tracks(&mut self, tracks: &[Track], times: &[f32], channels: &mut Vec<Value>, samplers: &mut Vec<Value>) {
        let moving = tracks.iter().any(|track| !track.still).then(|| self.add_times(times));
        let ends = [times.first().copied(), times.last().copied()];
        let ends: Vec<f32> = ends.into_iter().flatten().take(times.len()).collect();
        let still = tracks.iter().any(|track| track.still).then(|| self.add_times(&ends));
        for track in tracks {
            let input = if track.still { still } else { moving };
            let target = json!({"node": track.node, "path": track.property.name()});
            channels.push(json!({"sampler": samplers.len(), "target": target}));
            let output = self.add_values(track.property, &track.values);
            samplers.push(json!({"input": input, "interpolation": "LINEAR", "output": output}));
        }
    }

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
            if bytes == 0 {
                // All goes on as it was.
                break;
            }
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
