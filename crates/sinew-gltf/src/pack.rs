//! Document and data together as one file, in either format.
//!
//! Data in files beside the old document is embedded, unless the new document lies beside them too: in
//! JSON text as data URIs, in a binary container in its one buffer. What is in place already stays as it
//! is, and a file in which nothing changed is written byte for byte. Chunks that only a binary container
//! can hold are lost in plain JSON.

use serde_json::{Map, Value};

use crate::buffer::{Buffer, data_uri};
use crate::error::WriteError;
use crate::file::File;
use crate::image::{self, Home};
use crate::merge;
use crate::write::Format;

const BUFFER_TYPE: &str = "application/octet-stream";

/// The bytes of a file whose document is now `document`, with the data of its last buffer in `added` where it has
/// one more than the file; `embed` where files beside the old document cannot be reached from the new one.
pub(crate) fn pack(
    file: &File,
    mut document: Value,
    added: &[u8],
    format: Format,
    embed: bool,
) -> Result<Vec<u8>, WriteError> {
    let container = file.buffers.container();
    let was_binary = container.is_binary();
    let mut chunk = None;
    match format {
        Format::Glb => chunk = merge::gather(file, &mut document, added, embed),
        Format::Gltf => spell_out(file, &mut document, added, embed),
    }
    if (format == Format::Glb) == was_binary && document == file.document {
        return Ok(container.bytes().to_vec());
    }
    match format {
        Format::Glb => container.join_binary(document.to_string().as_bytes(), chunk.as_deref()),
        Format::Gltf => Ok(text(&document, was_binary || container.json().contains(&b'\n'))),
    }
}

/// Turns data that JSON text cannot reach into data URIs.
fn spell_out(file: &File, document: &mut Value, added: &[u8], embed: bool) {
    for (index, buffer) in file.buffers.iter().enumerate() {
        let unreachable = match buffer {
            Buffer::Chunk { .. } => true,
            Buffer::Loaded { external, .. } => *external && embed,
            Buffer::Absent => false,
        };
        let Some(bytes) = file.buffers.bytes(index).filter(|_| unreachable) else { continue };
        if let Some(object) = object_at(document, "buffers", index) {
            object.insert("uri".to_owned(), data_uri(BUFFER_TYPE, bytes).into());
        }
    }
    if let Some(object) = object_at(document, "buffers", file.buffers.len()) {
        object.insert("uri".to_owned(), data_uri(BUFFER_TYPE, added).into());
    }
    for index in 0..length(document, "images") {
        let Some(object) = object_at(document, "images", index).filter(|_| embed) else { continue };
        if let Some(image) = image::read(object, file.base.as_deref()).filter(|image| image.home == Home::File) {
            object.insert("uri".to_owned(), data_uri(image.media_type, &image.bytes).into());
        }
    }
}

/// JSON text, in lines where the old document was.
fn text(document: &Value, in_lines: bool) -> Vec<u8> {
    let text = if in_lines { format!("{document:#}\n") } else { document.to_string() };
    text.into_bytes()
}

/// Length of an array of the document.
pub(crate) fn length(document: &Value, array: &str) -> usize {
    document.get(array).and_then(Value::as_array).map_or(0, Vec::len)
}

/// An object in an array of the document.
pub(crate) fn object_at<'a>(document: &'a mut Value, array: &str, index: usize) -> Option<&'a mut Map<String, Value>> {
    document.get_mut(array)?.get_mut(index)?.as_object_mut()
}
