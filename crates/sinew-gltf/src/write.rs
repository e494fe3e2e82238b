//! Writing a character in a pose or with a clip: in which format, with or without the clips it had, and never
//! half a file.

use std::io::{self, Write};
use std::path::Path;

use serde_json::Value;
use sinew::Pose;

use crate::character::Character;
use crate::clip::Clip;
use crate::error::WriteError;
use crate::{pack, patch, record};

/// The two formats of glTF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// The binary container; `.glb`, and `.vrm` for VRM.
    Glb,
    /// JSON text with the data in it; `.gltf`.
    Gltf,
}

/// Where a clip goes among the animations that the file has.
///
/// Beside or in place of one that it was made from, it takes over what that one does otherwise: to nodes that are no
/// joints and to morph targets, and to joints wherever the clip's poses have at all its times just what the animation
/// has then. Those channels stay as they are, with their keys and the ways between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClipSlot {
    /// Before all.
    #[default]
    First,
    /// Right behind this one, by its index in the file.
    Behind(usize),
    /// In place of this one; under its name where the clip has none.
    InsteadOf(usize),
}

impl ClipSlot {
    /// The animation that the clip was made from.
    pub(crate) fn base(self) -> Option<usize> {
        match self {
            Self::First => None,
            Self::Behind(index) | Self::InsteadOf(index) => Some(index),
        }
    }
}

/// How to write a character.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions {
    /// By default what the extension of the path says, or, for bytes, the format that was loaded.
    pub format: Option<Format>,
    /// Where a clip goes among those that the file has; first by default.
    pub slot: ClipSlot,
    /// Drop all animation clips that the file has, so that viewers show the pose instead of playing one, or know
    /// only the clip that is written. Off by default. The data of the clips stays in the buffers.
    pub still: bool,
}

impl Format {
    /// The format that the extension of a path names, in any case; `None` for other extensions.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "glb" | "vrm" => Some(Self::Glb),
            "gltf" => Some(Self::Gltf),
            _ => None,
        }
    }
}

/// What is written into the file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content<'a> {
    Pose(&'a Pose),
    Clip(&'a Clip),
}

pub(crate) fn to_bytes(
    character: &Character,
    content: Content<'_>,
    options: WriteOptions,
) -> Result<Vec<u8>, WriteError> {
    let loaded = if character.file().buffers.container().is_binary() { Format::Glb } else { Format::Gltf };
    let (document, added) = changed(character, content, options)?;
    pack::pack(character.file(), document, &added, options.format.unwrap_or(loaded), true)
}

pub(crate) fn to_file(
    character: &Character,
    content: Content<'_>,
    path: &Path,
    options: WriteOptions,
) -> Result<(), WriteError> {
    let unknown = || WriteError::UnknownFormat { path: path.to_owned() };
    let format = options.format.or_else(|| Format::of_path(path)).ok_or_else(unknown)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let embed = !character.file().base.as_deref().is_some_and(|base| is_same_folder(base, folder));
    let (document, added) = changed(character, content, options)?;
    let bytes = pack::pack(character.file(), document, &added, format, embed)?;
    save(&bytes, path, folder).map_err(|source| WriteError::Io { path: path.to_owned(), source })
}

/// The document with the content in it, and the data of the buffer that it has more than before, if any.
fn changed(character: &Character, content: Content<'_>, options: WriteOptions) -> Result<(Value, Vec<u8>), WriteError> {
    let mut document = match content {
        Content::Pose(pose) => patch::apply(character, pose)?,
        Content::Clip(_) => character.file().document.clone(),
    };
    if options.still
        && let Some(root) = document.as_object_mut()
    {
        root.shift_remove("animations");
    }
    let added = match content {
        Content::Pose(_) => Vec::new(),
        Content::Clip(clip) => record::add(character, clip, options.slot, &mut document)?,
    };
    Ok((document, added))
}

/// The folder of a bare file name is an empty path, which is the current folder.
fn or_current(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

fn is_same_folder(a: &Path, b: &Path) -> bool {
    matches!((or_current(a).canonicalize(), or_current(b).canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Writes beside the target under another name, then renames.
fn save(bytes: &[u8], path: &Path, folder: &Path) -> io::Result<()> {
    // Told of by itself: where the folder is missing, the temporary file's name says nothing.
    std::fs::metadata(or_current(folder))?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sinew-").suffix(".tmp");
    // A temporary file is private by default; this one becomes an ordinary file (the umask applies).
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(or_current(folder))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
