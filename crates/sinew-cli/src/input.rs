//! Files that are read: `-` is standard input, and a file of the wrong kind gets the right advice.

use std::io::Read as _;
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context as _, Result, anyhow, bail};

use crate::output::is_standard;

/// What a rig is by the name of its file, or by its content where that is standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Gltf,
    Bvh,
    Robot,
}

/// Extensions of robots, and of what people take for one: its loader knows what to advise.
const ROBOTS: [&str; 4] = ["urdf", "xacro", "xml", "sdf"];

/// Extensions of what is not read, with what to do.
const FOREIGN: [(&str, &str); 12] = [
    ("fbx", "FBX is not read; export it as .glb (Blender: File > Export > glTF 2.0), a motion alone as .bvh"),
    ("usd", USD),
    ("usda", USD),
    ("usdc", USD),
    ("usdz", USD),
    ("blend", "Blender's own files are not read; export it as .glb (File > Export > glTF 2.0)"),
    ("dae", "COLLADA is not read; convert it to .glb (Blender: File > Import, then Export > glTF 2.0)"),
    ("obj", "it is a mesh without joints; give a rigged .glb, .vrm or .gltf"),
    ("stl", "it is a mesh without joints; give the .urdf that names it"),
    ("mjcf", "MJCF is not read; give the robot's .urdf"),
    ("ma", "Maya's own files are not read; export it as .glb, or as .fbx and convert that"),
    ("max", "3ds Max's own files are not read; export it as .glb, or as .fbx and convert that"),
];
const USD: &str =
    "USD is not read; export it as .glb (Blender: File > Import, then Export > glTF 2.0), a robot as .urdf";

/// The kind of a rig's file; the error says what to do with what is not read.
pub(crate) fn kind(path: &Path) -> Result<Kind> {
    if is_standard(path) {
        return Ok(kind_of(standard()?));
    }
    let extension =
        path.extension().and_then(|extension| extension.to_str()).map(str::to_lowercase).unwrap_or_default();
    if let Some((_, advice)) = FOREIGN.iter().find(|(foreign, _)| *foreign == extension) {
        bail!("{}: {advice}", path.display());
    }
    Ok(match extension.as_str() {
        "bvh" => Kind::Bvh,
        extension if ROBOTS.contains(&extension) => Kind::Robot,
        _ => Kind::Gltf,
    })
}

/// The kind of a file by its first bytes.
fn kind_of(bytes: &[u8]) -> Kind {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    match start.first() {
        Some(b'<') => Kind::Robot,
        _ if start.get(..9).is_some_and(|word| word.eq_ignore_ascii_case(b"HIERARCHY")) => Kind::Bvh,
        _ => Kind::Gltf,
    }
}

/// Refuses what is no robot, for verbs that know robots alone.
pub(crate) fn check_robot(verb: &str, path: &Path) -> Result<()> {
    let (name, instead) = match kind(path)? {
        Kind::Robot => return Ok(()),
        Kind::Gltf => ("a character", "`sinew solve`, `bake` and `simulate`"),
        Kind::Bvh => ("motion capture", "`sinew solve` and `bake`"),
    };
    bail!("{}: `sinew {verb}` is for robots (.urdf), and this is {name}; use {instead}", path.display())
}

/// The bytes of a table or of JSON; `what` is what to name instead where it cannot be read or is a rig.
pub(crate) fn bytes(path: &Path, what: &str) -> Result<Vec<u8>> {
    let bytes = if is_standard(path) {
        standard().map(<[u8]>::to_vec)?
    } else {
        std::fs::read(path).map_err(|error| anyhow!("{}: cannot be read ({error}); {what}", path.display()))?
    };
    if let Some(kind) = no_table(&bytes) {
        bail!("{}: this is {kind}; {what}", path.display());
    }
    Ok(bytes)
}

/// What a file is whose first bytes are those of no table and of no goals.
fn no_table(bytes: &[u8]) -> Option<&'static str> {
    match kind_of(bytes) {
        Kind::Robot => Some("XML"),
        Kind::Bvh => Some("motion capture (BVH)"),
        Kind::Gltf if bytes.starts_with(b"glTF") => Some("a character (glTF)"),
        // Text in UTF-16, which has zeros too, is told of by line.
        Kind::Gltf if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") => None,
        Kind::Gltf => bytes.iter().take(1024).any(|&byte| byte == 0).then_some("a binary file"),
    }
}

/// All of standard input, read once.
pub(crate) fn standard() -> Result<&'static [u8]> {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    if let Some(bytes) = BYTES.get() {
        return Ok(bytes);
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).context("-: standard input cannot be read; name a file")?;
    Ok(BYTES.get_or_init(|| bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_known_by_their_first_bytes() {
        assert_eq!(kind_of(b"\xef\xbb\xbf \n<robot name='r'/>"), Kind::Robot);
        assert_eq!(kind_of(b"\r\nHierarchy\nROOT a"), Kind::Bvh);
        assert_eq!([&b"glTF\x02"[..], b"{}", b""].map(kind_of), [Kind::Gltf; 3]);
        let kinds = [&b"glTF\x02\0"[..], b"<?xml", b"\xff\0\0", b"{}", b"x,y,z\n", b""].map(no_table);
        assert_eq!(kinds, [Some("a character (glTF)"), Some("XML"), Some("a binary file"), None, None, None]);
    }
}
