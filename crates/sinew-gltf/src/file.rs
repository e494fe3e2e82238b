//! A whole file, read and checked: the document with everything in it that concerns joints.
//!
//! The order of reading is the order of trust: container, text, required extensions, buffers, accessors,
//! then what refers to them.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::accessor::Accessors;
use crate::buffer::Buffers;
use crate::channel::{self, Listing};
use crate::container::Container;
use crate::document::{self, Object, in_range};
use crate::error::{Fault, LoadError};
use crate::mesh::{self, Mesh};
use crate::node::Nodes;
use crate::skin::{self, Skin};
use crate::{extension, humanoid};

/// What a file holds.
#[derive(Debug)]
pub(crate) struct File {
    /// The document as it was read; never changed.
    pub(crate) document: Value,
    /// The folder that addresses in it are relative to.
    pub(crate) base: Option<PathBuf>,
    pub(crate) buffers: Buffers,
    pub(crate) accessors: Accessors,
    pub(crate) nodes: Nodes,
    pub(crate) skins: Vec<Skin>,
    pub(crate) meshes: Vec<Mesh>,
    /// Bones of a VRM humanoid.
    pub(crate) humanoid: Vec<humanoid::Bone>,
    /// Whether characters look along -Z.
    pub(crate) looks_back: bool,
    pub(crate) animations: Vec<Listing>,
}

impl File {
    /// Reads a file from its bytes; `name` stands in errors.
    pub(crate) fn read(bytes: Vec<u8>, base: Option<&Path>, name: &str) -> Result<Self, LoadError> {
        let (container, document) = parse(bytes).map_err(|fault| fault.in_file(name))?;
        let required = Object::of(&document).and_then(|root| root.texts("extensionsRequired"));
        let required = required.map_err(|fault| fault.in_file(name))?;
        if let Some(refused) = extension::first_refused(&required) {
            return Err(LoadError::RequiredExtension { file: name.to_owned(), name: refused.to_owned() });
        }
        Self::read_document(document, container, base).map_err(|fault| fault.in_file(name))
    }

    fn read_document(document: Value, container: Container, base: Option<&Path>) -> Result<Self, Fault> {
        let root = Object::of(&document)?;
        check_looks(root)?;
        let buffers = Buffers::read(root, container, base)?;
        let accessors = Accessors::read(root, &buffers)?;
        let nodes = Nodes::read(root)?;
        let skins = skin::read(root, nodes.len(), &accessors, &buffers)?;
        let meshes = mesh::read(root, &accessors)?;
        check_references(&nodes, meshes.len(), skins.len())?;
        let humanoid = humanoid::read(root, nodes.len())?;
        let looks_back = humanoid::looks_back(root)?;
        let animations = channel::read(root, nodes.len(), &accessors)?;
        let base = base.map(Path::to_owned);
        Ok(Self { document, base, buffers, accessors, nodes, skins, meshes, humanoid, looks_back, animations })
    }
}

fn parse(bytes: Vec<u8>) -> Result<(Container, Value), Fault> {
    let container = Container::parse(bytes)?;
    let document = document::parse(container.json())?;
    Ok((container, document))
}

/// What is only carried along must at least have the right shape, or the file is not what it seems.
fn check_looks(root: Object<'_>) -> Result<(), Fault> {
    for key in ["cameras", "images", "samplers", "textures"] {
        root.objects(key)?;
    }
    root.each("materials", |material| {
        for key in ["pbrMetallicRoughness", "normalTexture", "occlusionTexture", "emissiveTexture", "extensions"] {
            material.object(key)?;
        }
        Ok(())
    })?;
    Ok(())
}

fn check_references(nodes: &Nodes, meshes: usize, skins: usize) -> Result<(), Fault> {
    for (index, node) in nodes.iter() {
        let inside = |fault: Fault, key: &str| fault.at(key).entry("nodes", index);
        if let Some(mesh) = node.mesh {
            in_range(mesh, meshes, "mesh").map_err(|fault| inside(fault, "mesh"))?;
        }
        if let Some(skin) = node.skin {
            in_range(skin, skins, "skin").map_err(|fault| inside(fault, "skin"))?;
        }
    }
    Ok(())
}
