//! The humanoid of a VRM file: which nodes are the bones of a human.
//!
//! VRM 1 keeps them by name in `extensions.VRMC_vrm.humanoid.humanBones`, VRM 0 as a list in
//! `extensions.VRM.humanoid.humanBones`.

use crate::document::{Object, in_range};
use crate::error::Fault;

/// The nodes that are humanoid bones, in the file's order, among `nodes` nodes. Empty where the file
/// is no VRM.
pub(crate) fn read(root: Object<'_>, nodes: usize) -> Result<Vec<usize>, Fault> {
    let bones = match (root.extension("VRMC_vrm")?, root.extension("VRM")?) {
        (Some(vrm), _) => read_by_name(vrm).map_err(|fault| fault.at("extensions.VRMC_vrm"))?,
        (None, Some(vrm)) => read_list(vrm).map_err(|fault| fault.at("extensions.VRM"))?,
        (None, None) => Vec::new(),
    };
    let in_file = |bone| in_range(bone, nodes, "node").map_err(|fault| fault.at("extensions: VRM humanBones"));
    bones.into_iter().map(in_file).collect()
}

/// Whether the file is a VRM 0, whose characters look along -Z.
pub(crate) fn looks_back(root: Object<'_>) -> Result<bool, Fault> {
    Ok(root.extension("VRMC_vrm")?.is_none() && root.extension("VRM")?.is_some())
}

fn read_by_name(vrm: Object<'_>) -> Result<Vec<usize>, Fault> {
    let Some(humanoid) = vrm.object("humanoid")? else { return Ok(Vec::new()) };
    let Some(bones) = humanoid.object("humanBones").map_err(|fault| fault.at("humanoid"))? else {
        return Ok(Vec::new());
    };
    let read = |(name, bone)| Object::of(bone).and_then(|bone| bone.whole("node")).map_err(|fault| fault.at(name));
    let nodes: Result<Vec<_>, _> = bones.entries().map(read).collect();
    Ok(nodes.map_err(|fault| fault.at("humanoid.humanBones"))?.into_iter().flatten().collect())
}

fn read_list(vrm: Object<'_>) -> Result<Vec<usize>, Fault> {
    let Some(humanoid) = vrm.object("humanoid")? else { return Ok(Vec::new()) };
    let read = |bone: Object<'_>| {
        // Unity writes -1 for bones that the character does not have.
        if bone.value("node").is_some_and(|node| node.as_i64() == Some(-1)) { Ok(None) } else { bone.whole("node") }
    };
    let nodes = humanoid.each("humanBones", read).map_err(|fault| fault.at("humanoid"))?;
    Ok(nodes.into_iter().flatten().collect())
}
