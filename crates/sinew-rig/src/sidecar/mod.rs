//! The file beside a rig, `RIG.sinew.toml`, that overrides what was recognised.
//!
//! ```toml
//! version = 1
//! preset = "human"              # a human's limits, bends and masses; "none" (the default) leaves the file's
//! mass = 62.0                   # kilograms of the whole body; 75 by default
//! up = [0, 1, 0]                # in model space; recognised where left out
//! forward = [0, 0, 1]
//!
//! [[limb]]                      # replaces the recognised limb of this kind, side and place
//! kind = "leg"                  # spine, head, arm, leg, tail, wing, fin, chain, finger, thumb, index finger, …
//! side = "left"                 # left or right; left out in the middle
//! place = "hind"                # fore or hind, on four legs
//! joints = ["Thigh.L", "Shin.L", "Foot.L"]          # [] for none
//!
//! [joint."Shin.L"]              # by name, or "#12" by the index of its node in the file
//! name = "knee_l"               # what goals call it
//! role = "left lower leg"       # "none" for no part of a human
//! kind = "hinge"                # fixed, hinge, slide, ball, free
//! axis = [1, 0, 0]              # of a hinge, a slide, or a ball's twist, in the joint's own frame at its zero
//! range = [0, 140]              # degrees of a hinge; metres of a slide
//! zero = [0, 0, 0, 1]           # rotation x, y, z, w relative to the parent from which a limit counts
//! bend = [1, 0, 0]              # axis about which it prefers to fold, in its frame at rest
//! stiffness = 2.0               # relative reluctance to move; 1 by default
//! mass = 3.2                    # kilograms
//! center = [0, 0.2, 0]          # of mass, metres in the joint's frame
//!
//! [joint."Thigh.L"]
//! kind = "ball"
//! axis = [0, 1, 0]
//! swing = [75, 40]              # degrees: one number for a cone, two for an ellipse, [[-75, 150], [-50, 130]] from and to
//! across = [1, 0, 0]            # the axis about which the first of two turns
//! twist = [-45, 45]             # degrees about the axis
//!
//! [joint.Neck]
//! kind = "ball"
//! euler = { order = "yxz", x = [-50, 40], y = [-70, 70], z = [-40, 40] }
//! ```
//!
//! Everything but `version` may be left out; what is said of a joint changes that alone. Words that are not known
//! are errors, with the line.

mod apply;
mod limit;
mod write;

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

pub use apply::Applied;
pub use write::write;

/// The version that is written and read.
const VERSION: i64 = 1;

/// A sidecar file, read but not yet applied to a skeleton.
#[derive(Clone, Debug)]
pub struct Sidecar {
    contents: Contents,
    /// Where each line of the file begins.
    lines: Vec<usize>,
    file: String,
}

/// What is wrong with a sidecar, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {what}")]
pub struct SidecarError {
    /// The file as it was named.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// What is wrong and what to do.
    pub what: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    version: Spanned<i64>,
    preset: Option<Spanned<String>>,
    mass: Option<Spanned<f64>>,
    up: Option<Spanned<[f64; 3]>>,
    forward: Option<Spanned<[f64; 3]>>,
    #[serde(default)]
    limb: Vec<Spanned<LimbEntry>>,
    #[serde(default)]
    joint: BTreeMap<String, Spanned<JointEntry>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimbEntry {
    kind: Spanned<String>,
    side: Option<Spanned<String>>,
    place: Option<Spanned<String>>,
    joints: Vec<Spanned<String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct JointEntry {
    name: Option<Spanned<String>>,
    role: Option<Spanned<String>>,
    kind: Option<Spanned<String>>,
    axis: Option<Spanned<[f64; 3]>>,
    range: Option<Spanned<[f64; 2]>>,
    swing: Option<Spanned<Swing>>,
    across: Option<Spanned<[f64; 3]>>,
    twist: Option<Spanned<[f64; 2]>>,
    euler: Option<Spanned<Euler>>,
    zero: Option<Spanned<[f64; 4]>>,
    bend: Option<Spanned<[f64; 3]>>,
    stiffness: Option<Spanned<f64>>,
    mass: Option<Spanned<f64>>,
    center: Option<Spanned<[f64; 3]>>,
}

/// Degrees.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum Swing {
    Round(f64),
    Elliptic([f64; 2]),
    Uneven([[f64; 2]; 2]),
}

/// Degrees.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Euler {
    order: String,
    x: [f64; 2],
    y: [f64; 2],
    z: [f64; 2],
}

impl Sidecar {
    /// Reads the text of a file; `file` is what errors call it.
    ///
    /// # Errors
    /// What is no TOML, words that are not known, values of another type, and another version, each with its line.
    pub fn read(text: &str, file: &str) -> Result<Self, SidecarError> {
        let lines: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let line_of = |span: Option<Range<usize>>| line(&lines, span.map_or(0, |span| span.start));
        let read: Result<Contents, toml::de::Error> = toml::from_str(text);
        let contents = read.map_err(|error| SidecarError {
            file: file.to_owned(),
            line: line_of(error.span()),
            what: error.message().replace('\n', ", "),
        })?;
        let sidecar = Self { contents, lines, file: file.to_owned() };
        let version = &sidecar.contents.version;
        if *version.as_ref() != VERSION {
            let what = format!("version {} is not known; this program reads version {VERSION}", version.as_ref());
            return Err(sidecar.wrong(&version.span(), what));
        }
        Ok(sidecar)
    }

    fn wrong(&self, at: &Range<usize>, what: impl Into<String>) -> SidecarError {
        SidecarError { file: self.file.clone(), line: line(&self.lines, at.start), what: what.into() }
    }
}

/// The line, from 1, in which a byte lies.
fn line(lines: &[usize], byte: usize) -> usize {
    lines.partition_point(|&start| start <= byte)
}
