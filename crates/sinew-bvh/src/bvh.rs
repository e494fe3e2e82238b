//! A clip: the skeleton of a file, its motion, and which number of a row is whose.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sinew::{Joint, Skeleton};

use crate::channel::Channel;
use crate::error::{Fault, LoadError};
use crate::hierarchy::{self, Node};
use crate::motion::Motion;
use crate::source::Source;
use crate::{rows, skeleton};

/// Stands in errors for a file that came as bytes.
const BYTES: &str = "BVH";

/// Seconds a frame of a file that has no motion.
const NO_FRAME_TIME: f64 = 1.0 / 30.0;

/// A loaded BVH file.
#[derive(Clone, Debug)]
pub struct Bvh {
    /// The joints and end sites at the file's rest pose. A skeleton with the same joints in the same order, for example one with
    /// limits added or at rest in another pose, may take its place: rows and files stay as they are.
    pub skeleton: Skeleton,
    /// The frames; a row is the channels of all joints in the file's order.
    pub motion: Motion,
    pub(crate) nodes: Vec<Node>,
}

/// Loads a BVH file.
///
/// # Errors
/// One line that names the file, the line in it, what is wrong and what to do.
pub fn load(path: impl AsRef<Path>) -> Result<Bvh, LoadError> {
    let path = path.as_ref();
    let file = path.display().to_string();
    let open = || {
        let input = File::open(path)?;
        let about = input.metadata()?;
        Ok((input, about.is_file().then_some(about.len())))
    };
    let (input, length) = open().map_err(|source| LoadError::Read { file: file.clone(), source })?;
    read(input, length).map_err(|fault| fault.in_file(&file))
}

/// Loads a clip from the bytes of a BVH file.
///
/// # Errors
/// As [`load`].
pub fn parse(bytes: &[u8]) -> Result<Bvh, LoadError> {
    read(bytes, Some(bytes.len() as u64)).map_err(|fault| fault.in_file(BYTES))
}

fn read(input: impl Read, length: Option<u64>) -> Result<Bvh, Fault> {
    let mut source = Source::new(input)?;
    let (nodes, moves) = hierarchy::read(&mut source)?;
    let channels = nodes.iter().map(|node| node.channels.len()).sum();
    let skeleton = skeleton::build(&nodes)?;
    let motion = if moves { rows::read(&mut source, channels, length)? } else { Motion::new(channels, NO_FRAME_TIME) };
    Ok(Bvh { skeleton, motion, nodes })
}

impl Bvh {
    /// The same joints and channels with another motion.
    ///
    /// # Panics
    /// Where the motion has another number of channels.
    pub fn with_motion(&self, motion: Motion) -> Self {
        assert_eq!(motion.channels(), self.motion.channels(), "the motion has another number of channels");
        Self { skeleton: self.skeleton.clone(), motion, nodes: self.nodes.clone() }
    }

    /// The joint's channels, in the order in which they stand in a row.
    pub fn channels(&self, joint: Joint) -> &[Channel] {
        self.nodes.get(self.skeleton.caller_index(joint)).map_or(&[], |node| &node.channels)
    }

    /// Whether the joint is an end site: where a bone ends, not where one begins.
    pub fn is_end_site(&self, joint: Joint) -> bool {
        self.nodes.get(self.skeleton.caller_index(joint)).is_some_and(|node| node.is_end)
    }

    /// The joints and end sites in the file's order, each with the index of its first number in a row.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (Joint, &Node, usize)> {
        let places = self.nodes.iter().scan(0, |next, node| {
            let first = *next;
            *next += node.channels.len();
            Some(first)
        });
        let joints = self.nodes.iter().zip(places).enumerate();
        joints.filter_map(|(index, (node, first))| Some((self.skeleton.from_caller(index)?, node, first)))
    }
}
