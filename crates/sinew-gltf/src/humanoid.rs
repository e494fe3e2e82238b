//! The humanoid of a VRM file: which nodes are the bones of a human.
//!
//! VRM 1 keeps them by name in `extensions.VRMC_vrm.humanoid.humanBones`, VRM 0 as a list in
//! `extensions.VRM.humanoid.humanBones`.

use crate::document::{Object, in_range};
use crate::error::Fault;

/// A humanoid bone: what VRM 1 calls it, and its node.
pub(crate) type Bone = (String, usize);

/// The humanoid bones, in the file's order, among `nodes` nodes. Empty where the file is no VRM.
pub(crate) fn read(root: Object<'_>, nodes: usize) -> Result<Vec<Bone>, Fault> {
    let bones = match (root.extension("VRMC_vrm")?, root.extension("VRM")?) {
        (Some(vrm), _) => read_by_name(vrm).map_err(|fault| fault.at("extensions.VRMC_vrm"))?,
        (None, Some(vrm)) => read_list(vrm).map_err(|fault| fault.at("extensions.VRM"))?,
        (None, None) => Vec::new(),
    };
    let in_file = |(name, node)| {
        let node = in_range(node, nodes, "node").map_err(|fault| fault.at("extensions: VRM humanBones"))?;
        Ok((name, node))
    };
    bones.into_iter().map(in_file).collect()
}

/// Whether the file is a VRM 0, whose characters look along -Z.
pub(crate) fn looks_back(root: Object<'_>) -> Result<bool, Fault> {
    Ok(root.extension("VRMC_vrm")?.is_none() && root.extension("VRM")?.is_some())
}

fn read_by_name(vrm: Object<'_>) -> Result<Vec<Bone>, Fault> {
    let Some(humanoid) = vrm.object("humanoid")? else { return Ok(Vec::new()) };
    let Some(bones) = humanoid.object("humanBones").map_err(|fault| fault.at("humanoid"))? else {
        return Ok(Vec::new());
    };
    let read = |(name, bone): (&str, _)| {
        let node = Object::of(bone).and_then(|bone| bone.whole("node")).map_err(|fault| fault.at(name))?;
        Ok(node.map(|node| (name.to_owned(), node)))
    };
    let bones: Result<Vec<_>, _> = bones.entries().map(read).collect();
    Ok(bones.map_err(|fault: Fault| fault.at("humanoid.humanBones"))?.into_iter().flatten().collect())
}

fn read_list(vrm: Object<'_>) -> Result<Vec<Bone>, Fault> {
    let Some(humanoid) = vrm.object("humanoid")? else { return Ok(Vec::new()) };
    let read = |bone: Object<'_>| {
        let name = bone.value("bone").and_then(|name| name.as_str()).unwrap_or_default();
        Ok(bone.index("node")?.map(|node| (name_in_vrm_1(name), node)))
    };
    let bones = humanoid.each("humanBones", read).map_err(|fault| fault.at("humanoid"))?;
    Ok(bones.into_iter().flatten().collect())
}

/// VRM 0 counts the joints of the thumb proximal, intermediate, distal; VRM 1 metacarpal, proximal, distal.
fn name_in_vrm_1(name: &str) -> String {
    let thumb = name.strip_suffix("ThumbProximal").map(|side| format!("{side}ThumbMetacarpal"));
    let thumb = thumb.or_else(|| name.strip_suffix("ThumbIntermediate").map(|side| format!("{side}ThumbProximal")));
    thumb.unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thumbs_are_counted_as_vrm_1_does() {
        for (old, new) in [
            ("leftThumbProximal", "leftThumbMetacarpal"),
            ("leftThumbIntermediate", "leftThumbProximal"),
            ("leftThumbDistal", "leftThumbDistal"),
            ("rightIndexProximal", "rightIndexProximal"),
        ] {
            assert_eq!(name_in_vrm_1(old), new);
        }
    }
}
