//! The rig that a command works on: a file, or the human built in.

use std::path::Path;

use anyhow::{Context as _, Result};
use sinew::{Joint, Skeleton};
use sinew_gltf::Character;

use crate::text;

/// The human of this project's own making; see `rigs/`.
const HUMAN: &[u8] = include_bytes!("../../../rigs/human.glb");

/// A character with what to call it.
#[derive(Debug)]
pub(crate) struct Rig {
    /// The path as it was given; `human` for the one built in.
    pub(crate) title: String,
    pub(crate) character: Character,
}

impl Rig {
    /// Loads a file, or the built-in human where there is none.
    pub(crate) fn load(path: Option<&Path>) -> Result<Self> {
        match path {
            Some(path) => Ok(Self { title: path.display().to_string(), character: sinew_gltf::load(path)? }),
            None => Self::human(),
        }
    }

    /// The human built in.
    pub(crate) fn human() -> Result<Self> {
        let character = Character::from_slice(HUMAN, None).context("the human built into this program")?;
        Ok(Self { title: "human".to_owned(), character })
    }

    /// The title without folder and extension.
    pub(crate) fn name(&self) -> &str {
        Path::new(&self.title).file_stem().and_then(|stem| stem.to_str()).unwrap_or(&self.title)
    }

    pub(crate) fn skeleton(&self) -> &Skeleton {
        &self.character.skeleton
    }

    /// What the joint is called in reports: its name, else `#N` (`#N_tip` for an inferred tip).
    pub(crate) fn label(&self, joint: Joint) -> String {
        match self.skeleton().name(joint) {
            Some(name) if !name.is_empty() => text::short_name(name),
            _ => self.index_label(joint).unwrap_or_else(|| "unnamed".to_owned()),
        }
    }

    /// `#N`, or `#N_tip` for an inferred tip.
    fn index_label(&self, joint: Joint) -> Option<String> {
        let node = self.character.node(joint).map(|node| format!("#{node}"));
        node.or_else(|| Some(format!("#{}_tip", self.character.node(self.skeleton().parent(joint)?)?)))
    }

    /// The joint with its index, to tell joints of one name apart: `#12 Hand`.
    pub(crate) fn reference(&self, joint: Joint) -> String {
        match (self.index_label(joint), self.skeleton().name(joint)) {
            (Some(index), Some(name)) if !name.is_empty() => format!("{index} {}", text::short_name(name)),
            _ => self.label(joint),
        }
    }
}
