//! The binary data that a document points at: the container's chunk, base64 in the document, or files
//! beside it.
//!
//! Addresses of files are relative to the document and percent-encoded. Absolute paths and network
//! addresses are refused; `..` is not, since real files use it.

use std::io::Read;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use crate::container::Container;
use crate::document::Object;
use crate::error::{Fault, quoted};

/// Files beside a document may add up to this many bytes.
const MOST_EXTERNAL_BYTES: usize = 2 << 30;

/// Padding is often forgotten.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A file's container and all its buffers.
#[derive(Debug)]
pub(crate) struct Buffers {
    container: Container,
    list: Vec<Buffer>,
}

/// Where the data of one buffer lies.
#[derive(Debug)]
pub(crate) enum Buffer {
    /// In the container's binary chunk.
    Chunk { length: usize },
    /// Read from an address; `external` where that is a file.
    Loaded { data: Vec<u8>, external: bool },
    /// Nowhere: a placeholder for what an extension decompresses.
    Absent,
}

impl Buffers {
    /// Reads all buffers of a document; `base` is the folder that addresses are relative to.
    pub(crate) fn read(root: Object<'_>, container: Container, base: Option<&Path>) -> Result<Self, Fault> {
        let mut external_bytes = 0;
        let mut chunk = container.bin();
        let mut is_later = false;
        let list = root.each("buffers", |buffer| {
            // Only the first buffer may be the container's chunk; what others without an address are is left open.
            let (chunk, is_first) = (chunk.take(), !std::mem::replace(&mut is_later, true));
            let length = buffer.whole("byteLength")?.ok_or_else(|| Fault::new("missing").at("byteLength"))?;
            let Some(uri) = buffer.text("uri")? else {
                let Some(chunk) = chunk else { return absent(buffer, is_first) };
                return long_enough(chunk.len(), length).map(|()| Buffer::Chunk { length });
            };
            let room = MOST_EXTERNAL_BYTES - external_bytes;
            let buffer = load(uri, base, length, room).map_err(|fault| fault.at("uri"))?;
            if let Buffer::Loaded { data, external } = &buffer {
                long_enough(data.len(), length)?;
                external_bytes += if *external { data.len() } else { 0 };
            }
            Ok(buffer)
        })?;
        Ok(Self { container, list })
    }

    pub(crate) fn container(&self) -> &Container {
        &self.container
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Buffer> {
        self.list.iter()
    }

    /// The data of a buffer, as long as the document says; `None` where there is none.
    pub(crate) fn bytes(&self, index: usize) -> Option<&[u8]> {
        match self.list.get(index)? {
            Buffer::Chunk { length } => self.container.bin()?.get(..*length),
            Buffer::Loaded { data, .. } => Some(data),
            Buffer::Absent => None,
        }
    }
}

/// A buffer without data: a placeholder for an extension, which is legal, or a file that lost its binary chunk.
fn absent(buffer: Object<'_>, is_first: bool) -> Result<Buffer, Fault> {
    if !is_first || buffer.object("extensions")?.is_some() {
        return Ok(Buffer::Absent);
    }
    let fault = Fault::new("missing, and the file has no BIN chunk in its place").at("uri");
    Err(fault.advise("export the file again as .glb, or with the data embedded or beside it"))
}

fn long_enough(found: usize, length: usize) -> Result<(), Fault> {
    if found >= length {
        return Ok(());
    }
    Err(Fault::new(format!("says {length} bytes, and there are {found}")).at("byteLength"))
}

/// The first `length` bytes of what an address stands for; a file may add `room` bytes.
fn load(uri: &str, base: Option<&Path>, length: usize, room: usize) -> Result<Buffer, Fault> {
    if let Some(rest) = uri.strip_prefix("data:") {
        let mut data = decode_data(rest)?;
        data.truncate(length);
        return Ok(Buffer::Loaded { data, external: false });
    }
    if length > room {
        let problem = format!("the buffers would take more than {MOST_EXTERNAL_BYTES} bytes");
        return Err(Fault::new(problem).advise("split the file"));
    }
    let path = resolve(uri, base)?;
    let data = read_file(&path, length).map_err(|error| {
        let problem = format!("cannot read {} ({error})", quoted(&path.to_string_lossy()));
        Fault::new(problem).advise("put the file there, or export with the data embedded (.glb)")
    })?;
    Ok(Buffer::Loaded { data, external: true })
}

/// What follows `data:` in a data URI, decoded.
pub(crate) fn decode_data(rest: &str) -> Result<Vec<u8>, Fault> {
    let Some((kind, data)) = rest.split_once(',') else {
        return Err(Fault::new("a data URI without a comma"));
    };
    if kind.ends_with(";base64") {
        BASE64.decode(data).map_err(|error| Fault::new(format!("the base64 is damaged ({error})")))
    } else {
        Ok(percent_decode_str(data).collect())
    }
}

/// A data URI for bytes of the given media type.
pub(crate) fn data_uri(media_type: &str, bytes: &[u8]) -> String {
    let mut uri = format!("data:{media_type};base64,");
    BASE64.encode_string(bytes, &mut uri);
    uri
}

/// Whether an address names a file, and none of another computer or of a fixed place in this one.
pub(crate) fn is_relative_file(uri: &str) -> bool {
    let scheme = uri.split(['/', '\\']).next().is_some_and(|first| first.contains(':'));
    !(uri.is_empty() || scheme || uri.starts_with(['/', '\\']))
}

/// The file that an address names.
pub(crate) fn resolve(uri: &str, base: Option<&Path>) -> Result<PathBuf, Fault> {
    let decoded = percent_decode_str(uri).decode_utf8_lossy();
    if !is_relative_file(uri) || !is_relative_file(&decoded) {
        let problem = format!("{} is not the name of a file relative to this one", quoted(uri));
        return Err(Fault::new(problem).advise("put the file beside this one and name it without a path"));
    }
    let Some(base) = base else {
        let problem = format!("{} lies in another file, and this one was not loaded from a folder", quoted(uri));
        return Err(Fault::new(problem).advise("pass the folder, or embed the data (.glb)"));
    };
    let path = base.join(decoded.as_ref());
    // Some exporters forget to percent-encode.
    let literal = base.join(uri);
    Ok(if !path.exists() && literal.exists() { literal } else { path })
}

/// At most `most` bytes of a plain file: devices and pipes could be endless.
pub(crate) fn read_file(path: &Path, most: usize) -> std::io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a plain file"));
    }
    let mut data = Vec::new();
    std::fs::File::open(path)?.take(most as u64).read_to_end(&mut data)?;
    Ok(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_decoded_with_and_without_padding() {
        for text in ["application/octet-stream;base64,AQI=", ";base64,AQI", ",%01%02"] {
            assert_eq!(decode_data(text).unwrap(), [1, 2], "{text}");
        }
        assert!(decode_data(";base64,A*").is_err());
        assert!(decode_data("no comma").is_err());
        assert_eq!(data_uri("a/b", &[1, 2]), "data:a/b;base64,AQI=");
    }

    #[test]
    fn only_files_beside_the_document_are_opened() {
        let base = Some(Path::new("folder"));
        assert_eq!(resolve("a%20b.bin", base).unwrap(), Path::new("folder/a b.bin"));
        assert_eq!(resolve("../a.bin", base).unwrap(), Path::new("folder/../a.bin"));
        for uri in ["/etc/passwd", "%2Fetc/passwd", "https://a.b/c.bin", "file:///a", "C:\\a.bin", "\\\\host\\a", ""] {
            assert!(resolve(uri, base).is_err(), "{uri}");
        }
        assert!(resolve("a.bin", None).is_err());
    }
}
