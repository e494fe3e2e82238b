//! All data of a document in the one buffer that a binary container holds.
//!
//! The first buffer keeps its place at the beginning, so that most views stay as they are; further buffers
//! and images are appended, and whatever pointed at them points there. Buffers that stay in files of their
//! own, or exist only for decompression, move down behind the first. Names of merged buffers are lost.

use serde_json::{Map, Value, json};

use crate::buffer::Buffer;
use crate::document::whole_number;
use crate::file::File;
use crate::image::{self, Home};
use crate::pack::{length, object_at};

/// Extensions of buffer views that point at a buffer themselves.
const POINTING: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// Where an old buffer is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moved {
    buffer: usize,
    offset: usize,
}

/// Moves into one buffer what the new container must hold, with the data of a last buffer that the file did not
/// have in `added`, and returns its data; `None` where everything can stay as it is.
pub(crate) fn gather(file: &File, document: &mut Value, added: &[u8], embed: bool) -> Option<Vec<u8>> {
    let was_text = !file.buffers.container().is_binary();
    let moves = |buffer: &Buffer| match buffer {
        Buffer::Loaded { external: true, .. } => embed,
        Buffer::Loaded { external: false, .. } => was_text,
        Buffer::Chunk { .. } | Buffer::Absent => false,
    };
    let first_moves = was_text && file.buffers.bytes(0).is_some();
    let images = read_images(file, document, |home| if home == Home::File { embed } else { was_text });
    if !first_moves && added.is_empty() && images.is_empty() && !file.buffers.iter().any(moves) {
        return None;
    }
    let mut data = Vec::new();
    let mut merged = Vec::new();
    for (index, buffer) in file.buffers.iter().enumerate() {
        let stays = index != 0 && !moves(buffer);
        let bytes = file.buffers.bytes(index).filter(|_| !stays);
        merged.push(bytes.map(|bytes| append(&mut data, bytes)));
    }
    if !added.is_empty() {
        merged.push(Some(append(&mut data, added)));
    }
    let places = place_buffers(document, &merged);
    redirect_views(document, &places);
    for (index, image) in images {
        point_at_view(document, index, append(&mut data, &image.bytes), &image);
    }
    if let Some(first) = object_at(document, "buffers", 0) {
        first.shift_remove("uri");
        set(first, "byteLength", data.len());
    }
    Some(data)
}

/// Appends data at the next multiple of four bytes, and says where.
fn append(data: &mut Vec<u8>, bytes: &[u8]) -> usize {
    let offset = data.len().next_multiple_of(4);
    data.resize(offset, 0);
    data.extend_from_slice(bytes);
    offset
}

fn read_images(file: &File, document: &Value, moves: impl Fn(Home) -> bool) -> Vec<(usize, image::Image)> {
    let images = document.get("images").and_then(Value::as_array).into_iter().flatten().enumerate();
    let read = |(index, image): (usize, &Value)| {
        let image = image::read(image.as_object()?, file.base.as_deref())?;
        moves(image.home).then_some((index, image))
    };
    images.filter_map(read).collect()
}

/// Rewrites `buffers`: the merged one, then those that stay. Returns where each old one went.
fn place_buffers(document: &mut Value, merged: &[Option<usize>]) -> Vec<Moved> {
    let old = document.get("buffers").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut new = vec![json!({"byteLength": 0})];
    if let (Some(first), Some(Some(_))) = (old.first(), merged.first()) {
        new = vec![first.clone()];
    }
    let mut places = Vec::new();
    for (buffer, merged) in old.into_iter().zip(merged) {
        let place = Moved { buffer: if merged.is_some() { 0 } else { new.len() }, offset: merged.unwrap_or(0) };
        if merged.is_none() {
            new.push(buffer);
        }
        places.push(place);
    }
    if let Some(root) = document.as_object_mut() {
        root.insert("buffers".to_owned(), new.into());
    }
    places
}

fn redirect_views(document: &mut Value, places: &[Moved]) {
    for index in 0..length(document, "bufferViews") {
        let Some(view) = object_at(document, "bufferViews", index) else { continue };
        redirect(view, places);
        let Some(extensions) = view.get_mut("extensions").and_then(Value::as_object_mut) else { continue };
        for name in POINTING {
            if let Some(extension) = extensions.get_mut(name).and_then(Value::as_object_mut) {
                redirect(extension, places);
            }
        }
    }
}

/// Points `buffer` and `byteOffset` of an object at the new place, if that is another.
fn redirect(object: &mut Map<String, Value>, places: &[Moved]) {
    let whole = |key: &str| object.get(key).and_then(Value::as_f64).and_then(whole_number).unwrap_or(0);
    let (old, offset) = (whole("buffer"), whole("byteOffset"));
    let Some(place) = places.get(old) else { return };
    if place.buffer != old {
        set(object, "buffer", place.buffer);
    }
    if place.offset != 0 {
        set(object, "byteOffset", offset + place.offset);
    }
}

fn point_at_view(document: &mut Value, image: usize, offset: usize, data: &image::Image) {
    let view = length(document, "bufferViews");
    let Some(root) = document.as_object_mut() else { return };
    let views = root.entry("bufferViews").or_insert_with(|| Value::Array(Vec::new()));
    let Some(views) = views.as_array_mut() else { return };
    views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": data.bytes.len()}));
    if let Some(image) = object_at(document, "images", image) {
        image.shift_remove("uri");
        set(image, "bufferView", view);
        image.insert("mimeType".to_owned(), data.media_type.into());
    }
}

/// Sets a whole number, unless it has that value already, perhaps written otherwise.
fn set(object: &mut Map<String, Value>, key: &str, number: usize) {
    if object.get(key).and_then(Value::as_f64) != Some(number as f64) {
        object.insert(key.to_owned(), number.into());
    }
}
