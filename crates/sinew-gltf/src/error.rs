//! What can go wrong on the way in and out: always one line that names the file, the place in it,
//! what is wrong there and what to do about it.
//!
//! Readers inside the crate know a value but not where it lies; they return a [`Fault`], and every
//! caller on the way up adds its step (`rotation` → `nodes[2].rotation`) until the loader adds the
//! file.

use std::fmt::Display;
use std::io;
use std::path::PathBuf;

use sinew::{Joint, SkeletonError};

/// Why a file could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file itself could not be read.
    #[error("{file}: cannot be read ({source}); check the path and its permissions")]
    Read {
        /// The file as it was given.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// Not a glTF file at all: a broken binary container or text that is no JSON.
    #[error("{file}: {place}: {problem}; {advice}")]
    Malformed {
        /// The file as it was given.
        file: String,
        /// Byte or line.
        place: String,
        /// What is wrong there.
        problem: String,
        /// What to do about it.
        advice: &'static str,
    },
    /// A glTF document that contradicts the specification or itself.
    #[error("{file}: {place}: {problem}; {advice}")]
    Invalid {
        /// The file as it was given.
        file: String,
        /// The property, such as `skins[0].joints[1]`.
        place: String,
        /// What is wrong there.
        problem: String,
        /// What to do about it.
        advice: &'static str,
    },
    /// The file says that it cannot be understood without an extension that may concern joints and
    /// that this crate does not know.
    #[error(
        "{file}: extensionsRequired: \"{name}\" is not supported and may change what the joints mean; export the file without it"
    )]
    RequiredExtension {
        /// The file as it was given.
        file: String,
        /// The extension's name.
        name: String,
    },
    /// The joints make no skeleton.
    #[error("{file}: nodes: {source}; export the character again")]
    Skeleton {
        /// The file as it was given.
        file: String,
        /// What the skeleton builder said.
        source: SkeletonError,
    },
}

/// Why a pose or a clip could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The extension of the path names no format.
    #[error("{}: the extension names no glTF format; end it in .glb, .vrm or .gltf", path.display())]
    UnknownFormat {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The pose belongs to another skeleton.
    #[error("the pose has {found} joints and the character {expected}; pass a pose of the character's own skeleton")]
    OtherSkeleton {
        /// Joints of the pose.
        found: usize,
        /// Joints of the character.
        expected: usize,
    },
    /// A moved joint has a transform that is not finite.
    #[error("joint {} of the pose has a transform that is NaN or infinite; check what wrote it", joint.index())]
    NotFinite {
        /// The joint.
        joint: Joint,
    },
    /// The file has no animation to put the clip beside or in place of.
    #[error("the clip goes beside or in place of animation {index}, and the file has {count}; count them from 0")]
    NoAnimation {
        /// The animation asked for.
        index: usize,
        /// Animations of the file.
        count: usize,
    },
    /// The animation that the clip goes beside or in place of cannot be read.
    #[error(transparent)]
    Animation(#[from] LoadError),
    /// The clip has no keys.
    #[error("the clip has no keys; give it a time and a pose, or better several")]
    EmptyClip,
    /// The clip has more or fewer times than poses.
    #[error("the clip has {times} times and {poses} poses; give every time its pose")]
    UnpairedKeys {
        /// Times of the clip.
        times: usize,
        /// Poses of the clip.
        poses: usize,
    },
    /// A time of the clip is negative, not finite, or not later than the one before.
    #[error(
        "key {key} of the clip is at {time} s; times begin at 0 or later and increase, also as the 32-bit floats of glTF"
    )]
    Time {
        /// Place of the key in the clip.
        key: usize,
        /// Its time.
        time: f64,
    },
    /// A joint has a transform that is not finite, or too large for the file.
    #[error(
        "joint {} in key {key} of the clip has a transform that is NaN, infinite or too large for a 32-bit float; check what wrote it",
        joint.index()
    )]
    KeyNotFinite {
        /// Place of the key in the clip.
        key: usize,
        /// The joint.
        joint: Joint,
    },
    /// The binary container holds at most 4 GiB.
    #[error("the file would have {bytes} bytes, more than the 4 GiB that a GLB may have; write .gltf instead")]
    TooLong {
        /// Length that the file would have.
        bytes: usize,
    },
    /// The file could not be written; what was there before is untouched.
    #[error("{}: cannot be written ({source}); check that the folder exists and may be written", path.display())]
    Io {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// A fault in a document whose place is still being assembled.
#[derive(Debug)]
pub(crate) struct Fault {
    place: String,
    problem: String,
    advice: &'static str,
    in_container: bool,
}

/// What to do about a document that contradicts the specification.
const EXPORT_AGAIN: &str = "export the file again, or see what Khronos' gltf-validator says about it";

impl Fault {
    /// A fault right here in the document.
    pub(crate) fn new(problem: impl Into<String>) -> Self {
        Self { place: String::new(), problem: problem.into(), advice: EXPORT_AGAIN, in_container: false }
    }

    /// A fault in the container or in the text of the document, at a byte or line.
    pub(crate) fn malformed(place: impl Into<String>, problem: impl Into<String>, advice: &'static str) -> Self {
        Self { place: place.into(), problem: problem.into(), advice, in_container: true }
    }

    /// The same with other advice.
    pub(crate) fn advise(self, advice: &'static str) -> Self {
        Self { advice, ..self }
    }

    /// The same seen from one property further out.
    pub(crate) fn at(mut self, step: impl Display) -> Self {
        let dot = if self.place.is_empty() || self.place.starts_with('[') { "" } else { "." };
        self.place = format!("{step}{dot}{}", self.place);
        self
    }

    /// The same seen from the array that the place is in.
    pub(crate) fn item(self, index: usize) -> Self {
        self.at(format_args!("[{index}]"))
    }

    /// The same seen from the item of a named array.
    pub(crate) fn entry(self, array: &str, index: usize) -> Self {
        self.at(format_args!("{array}[{index}]"))
    }

    /// The finished error.
    pub(crate) fn in_file(self, file: &str) -> LoadError {
        let Self { place, problem, advice, in_container } = self;
        let file = file.to_owned();
        let place = if place.is_empty() { "the document".to_owned() } else { place };
        if in_container {
            LoadError::Malformed { file, place, problem, advice }
        } else {
            LoadError::Invalid { file, place, problem, advice }
        }
    }
}

/// Text of a file as it may stand in a one-line message: quoted, escaped and not too long.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let short: String = text.chars().take(LONGEST).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("{short:?}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_assembled_from_the_inside_out() {
        let whole = Fault::new("is an array, not an object").in_file("f").to_string();
        assert!(whole.starts_with("f: the document: is an array"), "{whole}");
        let fault = Fault::new("no number").item(1).at("rotation").entry("nodes", 2);
        let text = fault.in_file("a.gltf").to_string();
        assert!(text.starts_with("a.gltf: nodes[2].rotation[1]: no number; "), "{text}");
    }

    #[test]
    fn quoted_text_stays_on_one_short_line() {
        assert_eq!(quoted("a\nb"), "\"a\\nb\"");
        assert!(quoted(&"x".repeat(1000)).len() < 80);
    }
}
