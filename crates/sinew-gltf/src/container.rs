//! The outer shell of a file: JSON text, alone or in a binary container (GLB) with its chunks.
//!
//! Which of the two it is follows from the content, not from the file's name. The file's bytes are
//! kept as they came, and chunks are ranges of them, so that chunks nobody here understands survive
//! and a file in which nothing moved can be written byte for byte.
//!
//! Source: Khronos, "glTF 2.0 Specification", section 4 (GLB File Format). Departure: bytes behind the
//! length that the header gives are ignored.

use std::ops::Range;

use crate::error::{Fault, WriteError};

const MAGIC: &[u8] = b"glTF";
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;
const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;

/// What a file consists of.
#[derive(Debug)]
pub(crate) struct Container {
    bytes: Vec<u8>,
    json: Range<usize>,
    /// Everything behind the JSON chunk; `None` for plain JSON text.
    chunks: Option<Vec<Chunk>>,
}

#[derive(Debug)]
struct Chunk {
    kind: u32,
    data: Range<usize>,
}

impl Container {
    /// Splits a file into its chunks.
    pub(crate) fn parse(bytes: Vec<u8>) -> Result<Self, Fault> {
        if bytes.is_empty() {
            return Err(Fault::malformed("byte 0", "the file is empty", "export it again"));
        }
        if bytes.starts_with(MAGIC) {
            return Self::parse_binary(bytes);
        }
        let start = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
            return Err(Fault::malformed("byte 0", "the text is UTF-16", "save it as UTF-8"));
        }
        let json = start..bytes.len();
        Ok(Self { bytes, json, chunks: None })
    }

    fn parse_binary(bytes: Vec<u8>) -> Result<Self, Fault> {
        let version = word(&bytes, 4).unwrap_or(0);
        if version != 2 {
            let problem = format!("the binary container has version {version}, not 2");
            return Err(Fault::malformed("byte 4", problem, "convert the file to glTF 2.0"));
        }
        let length = word(&bytes, 8).map_or(usize::MAX, |length| length as usize);
        if length > bytes.len() {
            let problem = format!("the header says {length} bytes and the file has {}", bytes.len());
            return Err(Fault::malformed("byte 8", problem, "the file is cut off: copy or download it again"));
        }
        let mut chunks = split_chunks(&bytes, length)?;
        if chunks.first().is_none_or(|chunk| chunk.kind != JSON) {
            let problem = "the first chunk is not the JSON chunk";
            return Err(Fault::malformed("byte 12", problem, "this is no glTF 2.0 file: export it again"));
        }
        let json = chunks.remove(0).data;
        Ok(Self { bytes, json, chunks: Some(chunks) })
    }

    /// The text of the document.
    pub(crate) fn json(&self) -> &[u8] {
        self.bytes.get(self.json.clone()).unwrap_or_default()
    }

    /// The first binary chunk: the data of a first buffer without address.
    pub(crate) fn bin(&self) -> Option<&[u8]> {
        let chunk = self.chunks.as_ref()?.iter().find(|chunk| chunk.kind == BIN)?;
        self.bytes.get(chunk.data.clone())
    }

    /// Whether this is the binary container.
    pub(crate) fn is_binary(&self) -> bool {
        self.chunks.is_some()
    }

    /// The file as it came.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A binary container of another document, with `bin` in place of the first binary chunk where it
    /// is given, and with the other chunks of this container as they are.
    pub(crate) fn join_binary(&self, json: &[u8], bin: Option<&[u8]>) -> Result<Vec<u8>, WriteError> {
        let mut out = Vec::with_capacity(self.bytes.len() + json.len() + bin.map_or(0, <[u8]>::len));
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&2u32.to_le_bytes());
        out.extend_from_slice(&[0; 4]);
        push_chunk(&mut out, JSON, json, b' ');
        if let Some(bin) = bin {
            push_chunk(&mut out, BIN, bin, 0);
        }
        let mut replaced = bin.is_none();
        for chunk in self.chunks.iter().flatten() {
            if chunk.kind == BIN && !std::mem::replace(&mut replaced, true) {
                continue;
            }
            push_chunk(&mut out, chunk.kind, self.bytes.get(chunk.data.clone()).unwrap_or_default(), 0);
        }
        let length = u32::try_from(out.len()).map_err(|_| WriteError::TooLong { bytes: out.len() })?;
        out[8..HEADER].copy_from_slice(&length.to_le_bytes());
        Ok(out)
    }
}

fn split_chunks(bytes: &[u8], length: usize) -> Result<Vec<Chunk>, Fault> {
    let mut chunks = Vec::new();
    let mut at = HEADER;
    while at < length {
        let (Some(size), Some(kind)) = (word(bytes, at), word(bytes, at + 4)) else {
            let problem = "the file ends inside the header of a chunk";
            return Err(Fault::malformed(format!("byte {at}"), problem, "copy or download it again"));
        };
        let start = at + CHUNK_HEADER;
        let end = start.saturating_add(size as usize);
        if end > length {
            let problem = format!("a chunk of {size} bytes is longer than the file");
            return Err(Fault::malformed(format!("byte {at}"), problem, "copy or download it again"));
        }
        chunks.push(Chunk { kind, data: start..end });
        at = end;
    }
    Ok(chunks)
}

fn push_chunk(out: &mut Vec<u8>, kind: u32, data: &[u8], padding: u8) {
    let padded = data.len().next_multiple_of(4);
    // A length that does not fit is noticed where the container's own length is written.
    out.extend_from_slice(&(padded as u32).to_le_bytes());
    out.extend_from_slice(&kind.to_le_bytes());
    out.extend_from_slice(data);
    out.resize(out.len() + padded - data.len(), padding);
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*four))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary(chunks: &[(u32, &[u8])]) -> Vec<u8> {
        let mut out = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        for &(kind, data) in chunks {
            push_chunk(&mut out, kind, data, 0);
        }
        let length = (out.len() as u32).to_le_bytes();
        out[8..12].copy_from_slice(&length);
        out
    }

    #[test]
    fn a_container_is_put_together_as_it_was_taken_apart() {
        let bytes = binary(&[(JSON, b"{}  "), (BIN, b"abcd"), (0x1234, b"wxyz")]);
        let container = Container::parse(bytes.clone()).unwrap();
        assert_eq!(container.bin(), Some(&b"abcd"[..]));
        assert_eq!(container.join_binary(container.json(), None).unwrap(), bytes);
    }

    #[test]
    fn what_is_cut_off_is_refused_everywhere() {
        let bytes = binary(&[(JSON, b"{}  "), (BIN, b"abcd")]);
        for end in 4..bytes.len() {
            assert!(Container::parse(bytes[..end].to_vec()).is_err(), "{end}");
        }
    }

    #[test]
    fn text_may_have_a_byte_order_mark() {
        assert_eq!(Container::parse(b"\xEF\xBB\xBF{}".to_vec()).unwrap().json(), b"{}");
        assert!(Container::parse(b"\xFF\xFE{\0}\0".to_vec()).is_err());
    }
}
