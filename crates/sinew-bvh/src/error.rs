//! What can go wrong on the way in and out: always one line that names the file, the line in it, what is wrong there and
//! what to do about it.
//!
//! Readers inside the crate do not know the file; they return a [`Fault`], which the loader completes.

use std::io;
use std::path::PathBuf;

/// Why a clip could not be loaded.
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
    /// No BVH, or one that contradicts the format or itself.
    #[error("{file}:{line}: {problem}; {advice}")]
    Invalid {
        /// The file as it was given; `BVH` for one that came as bytes.
        file: String,
        /// Line, counted from 1.
        line: usize,
        /// What is wrong there.
        problem: String,
        /// What to do about it.
        advice: &'static str,
    },
}

/// Why a clip could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file could not be written; what was there before is untouched.
    #[error("{}: cannot be written ({source}); check that the folder exists and may be written", path.display())]
    Io {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The skeleton that was put in has other joints than the file.
    #[error(
        "the skeleton has {found} joints and the file {expected}; put in one with the same joints in the same order"
    )]
    OtherSkeleton {
        /// Joints of the skeleton.
        found: usize,
        /// Joints of the file, end sites among them.
        expected: usize,
    },
    /// A number of the motion or of an offset is not finite.
    #[error("{what} is NaN or infinite, which BVH cannot hold; check what wrote it")]
    NotFinite {
        /// Which number.
        what: String,
    },
    /// The frame time is not greater than 0.
    #[error("the frame time is {frame_time} s; it must be greater than 0")]
    FrameTime {
        /// As it is.
        frame_time: f64,
    },
}

/// What went wrong while a text was read whose file is not known here.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The reader itself failed.
    Read(io::Error),
    /// The text is at fault.
    Text { line: usize, problem: String, advice: &'static str },
}

impl Fault {
    /// A fault on a line.
    pub(crate) fn new(line: usize, problem: impl Into<String>, advice: &'static str) -> Self {
        Self::Text { line, problem: problem.into(), advice }
    }

    /// The finished error.
    pub(crate) fn in_file(self, file: &str) -> LoadError {
        let file = file.to_owned();
        match self {
            Self::Read(source) => LoadError::Read { file, source },
            Self::Text { line, problem, advice } => LoadError::Invalid { file, line, problem, advice },
        }
    }
}

/// Bytes of a file as they may stand in a one-line message: quoted, escaped and not too long.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    const LONGEST: usize = 60;
    // A character has at most four bytes.
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LONGEST + 4)]);
    let short: String = text.chars().take(LONGEST).collect();
    let more = if short.len() < bytes.len() { "…" } else { "" };
    format!("{short:?}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_stays_on_one_short_line() {
        assert_eq!(quoted(b"a\nb"), "\"a\\nb\"");
        assert!(quoted(&[b'x'; 1000]).len() < 80);
        assert_eq!(quoted(b"\xff").lines().count(), 1);
    }
}
