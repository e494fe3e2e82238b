//! The images of a document that lie outside its buffers, for files that must hold everything.

use std::path::Path;

use serde_json::{Map, Value};

use crate::buffer::{decode_data, is_relative_file, read_file, resolve};

/// Images larger than this stay where they are.
const MOST_BYTES: usize = 256 << 20;

/// Where the data of an image lies, if not in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// In a file beside the document.
    File,
    /// In the document, as a data URI.
    Document,
}

/// An image's data.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) home: Home,
    pub(crate) media_type: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// The data of an image that has an address; `None` where it cannot be read or is no kind of image that
/// glTF knows, in which case its address is best left alone.
pub(crate) fn read(image: &Map<String, Value>, base: Option<&Path>) -> Option<Image> {
    let uri = image.get("uri")?.as_str()?;
    let (home, bytes) = match uri.strip_prefix("data:") {
        Some(rest) => (Home::Document, decode_data(rest).ok()?),
        None if is_relative_file(uri) => (Home::File, read_file(&resolve(uri, base).ok()?, MOST_BYTES).ok()?),
        None => return None,
    };
    let media_type = media_type(&bytes)?;
    (bytes.len() < MOST_BYTES).then_some(Image { home, media_type, bytes })
}

/// The media type of an image, by its first bytes.
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let types: [(&[u8], &str); 5] = [
        (b"\x89PNG", "image/png"),
        (b"\xFF\xD8\xFF", "image/jpeg"),
        (b"RIFF", "image/webp"),
        (b"\xABKTX 20\xBB", "image/ktx2"),
        (b"DDS ", "image/vnd-ms.dds"),
    ];
    types.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, media_type)| *media_type)
}
