//! What can go wrong on the way in: always one line that names the file, the line in it, the element, what is wrong
//! there and what to do about it.
//!
//! Readers inside the crate know an element but not its file; they return a [`Fault`], which the loader completes.

use std::io;

use crate::xml::Element;

/// Why a robot could not be loaded.
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
    /// No XML, no URDF, or one that contradicts the specification or itself.
    #[error("{file}:{line}: {element}: {problem}; {advice}")]
    Invalid {
        /// The file as it was given; `URDF` for one that came as text.
        file: String,
        /// Line on which the element begins, counted from 1.
        line: usize,
        /// The element and what it lies in, such as `<limit> in <joint name="elbow">`.
        element: String,
        /// What is wrong there.
        problem: String,
        /// What to do about it.
        advice: &'static str,
    },
}

/// What to do where nothing better is known.
const MEND: &str = "mend the file, or see what check_urdf says about it";

/// A fault in a text whose file is not known here.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Byte in the text.
    at: usize,
    element: String,
    problem: String,
    advice: &'static str,
}

impl Fault {
    /// A fault at a byte of the text, in an element that is described.
    pub(crate) fn at(at: usize, element: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { at, element: one_line(element.into()), problem: one_line(problem.into()), advice: MEND }
    }

    /// A fault in an element.
    pub(crate) fn new(element: &Element, problem: impl Into<String>) -> Self {
        Self::at(element.at, element.label(), problem)
    }

    /// The same with other advice.
    pub(crate) fn advise(self, advice: &'static str) -> Self {
        Self { advice, ..self }
    }

    /// The same seen from the element around it.
    pub(crate) fn within(mut self, element: &Element) -> Self {
        self.element = format!("{} in {}", self.element, element.label());
        self
    }

    /// The finished error.
    pub(crate) fn in_text(self, text: &str, file: &str) -> LoadError {
        let Self { at, element, problem, advice } = self;
        LoadError::Invalid { file: file.to_owned(), line: line(text, at), element, problem, advice }
    }
}

/// The line of a byte, counted from 1.
pub(crate) fn line(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}

/// The same text on one line that is not too long: element names and the parser's own words may be anything.
fn one_line(text: String) -> String {
    const LONGEST: usize = 300;
    if text.len() <= LONGEST && !text.contains(char::is_control) {
        return text;
    }
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST).collect()
}

/// Text of a file as it may stand in a one-line message: quoted, escaped and not too long.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let short: String = text.chars().take(LONGEST).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("{short:?}{more}")
}
