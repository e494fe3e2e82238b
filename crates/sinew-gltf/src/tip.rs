//! Ends for bones that have none: a fixed tip below every joint without children.
//!
//! A file says where a bone begins, not where the last one of a chain ends, yet a hand or foot without an
//! end can be neither aimed nor drawn. The mesh knows: a tip goes to the furthest vertex that the joint
//! moves for the greater part, along the bone before where the mesh continues it, else towards the middle
//! of the mesh. Without mesh the tip repeats the bone before. Joints whose name says that they are an
//! end, and that move no vertex, get none, and neither do joints without mesh or bone before them.

use glam::{DMat3, DVec3};

use crate::error::Fault;
use crate::file::File;
use crate::mesh::ROW_BUDGET;
use crate::skeleton::Bone;

/// A vertex belongs to the joint that has at least this share of its weights.
const SHARE: f64 = 0.5;

/// Mesh whose middle lies within this angle of the bone before continues it: cosine of 30 degrees.
const CONTINUES: f64 = 0.866;

/// Mesh whose middle is nearer to the joint than this part of its extent has no direction of its own.
const CENTRED: f64 = 0.1;

/// Tips shorter than this part of the mesh's extent are no ends.
const SHORTEST: f64 = 1e-3;

/// Bones shorter than this part of the longest have no direction worth repeating.
const ZERO_LENGTH: f64 = 1e-6;

/// A tip to be added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tip {
    /// Place of its joint among the bones.
    pub(crate) bone: usize,
    /// In the joint's space.
    pub(crate) offset: DVec3,
}

/// The vertices of one joint, in its space.
#[derive(Clone, Copy, Debug, Default)]
struct BoneMesh {
    weighted_sum: DVec3,
    weight: f64,
    /// Greatest distance from the joint.
    extent: f64,
    /// Where the tip is looked for; set between the two passes.
    direction: Option<DVec3>,
    /// Furthest way along the direction.
    reach: f64,
}

/// The tips that a file's bones lack.
pub(crate) fn infer(file: &File, bones: &[Bone]) -> Result<Vec<Tip>, Fault> {
    let leaves = find_leaves(bones);
    let lengths = bones.iter().filter(|bone| bone.parent.is_some()).map(|bone| bone.rest.translation.length());
    let shortest = ZERO_LENGTH * lengths.fold(0.0, f64::max);
    let mut mesh = vec![BoneMesh::default(); bones.len()];
    let of_node = leaves_by_node(file, bones, &leaves);
    each_vertex(file, &of_node, |bone, point, weight| {
        if let Some(mesh) = mesh.get_mut(bone) {
            mesh.weighted_sum += point * weight;
            mesh.weight += weight;
            mesh.extent = mesh.extent.max(point.length());
        }
    })?;
    for (mesh, bone) in mesh.iter_mut().zip(bones).filter(|(mesh, _)| mesh.weight > 0.0) {
        mesh.direction = mesh.choose_direction(before(bone, shortest));
    }
    each_vertex(file, &of_node, |bone, point, _| {
        if let Some(mesh) = mesh.get_mut(bone)
            && let Some(direction) = mesh.direction
        {
            mesh.reach = mesh.reach.max(point.dot(direction));
        }
    })?;
    let tip = |bone: usize| Some(Tip { bone, offset: place(bones.get(bone)?, mesh.get(bone)?, shortest)? });
    Ok(leaves.into_iter().filter_map(tip).collect())
}

impl BoneMesh {
    fn choose_direction(&self, before: Option<DVec3>) -> Option<DVec3> {
        let middle = self.weighted_sum / self.weight;
        let before = before.and_then(DVec3::try_normalize);
        let own = middle.try_normalize().filter(|_| middle.length() > CENTRED * self.extent);
        match (own, before) {
            (Some(own), Some(before)) => Some(if own.dot(before) >= CONTINUES { before } else { own }),
            (own, before) => own.or(before),
        }
    }
}

/// Where the tip of a joint goes, in the joint's space.
fn place(bone: &Bone, mesh: &BoneMesh, shortest: f64) -> Option<DVec3> {
    if let Some(direction) = mesh.direction
        && mesh.reach > SHORTEST * mesh.extent
        && mesh.reach.is_finite()
    {
        return Some(direction * mesh.reach);
    }
    if mesh.weight == 0.0 && bone.name.as_deref().is_some_and(is_end) {
        return None;
    }
    before(bone, shortest)
}

/// The bone before the joint, from its parent to itself, in the joint's own space; `None` for bones not
/// longer than `shortest`.
fn before(bone: &Bone, shortest: f64) -> Option<DVec3> {
    bone.parent?;
    if bone.rest.translation.length() <= shortest {
        return None;
    }
    let axes = DMat3::from_quat(bone.rest.rotation) * DMat3::from_diagonal(bone.rest.scale);
    let offset = axes.inverse() * bone.rest.translation;
    (axes.determinant() != 0.0 && offset.is_finite()).then_some(offset)
}

fn find_leaves(bones: &[Bone]) -> Vec<usize> {
    let mut leaf = vec![true; bones.len()];
    for parent in bones.iter().filter_map(|bone| bone.parent) {
        leaf[parent] = false;
    }
    (0..bones.len()).filter(|&bone| leaf[bone]).collect()
}

fn leaves_by_node(file: &File, bones: &[Bone], leaves: &[usize]) -> Vec<Option<usize>> {
    let mut of_node = vec![None; file.nodes.len()];
    for &leaf in leaves {
        of_node[bones[leaf].node] = Some(leaf);
    }
    of_node
}

/// Shows every vertex that belongs to a leaf: the bone, the vertex in its space, and its weight.
/// A mesh that hangs on a joint without a skin belongs to it whole.
fn each_vertex(file: &File, leaves: &[Option<usize>], mut visit: impl FnMut(usize, DVec3, f64)) -> Result<(), Fault> {
    let leaf_of = |node: usize| leaves.get(node).copied().flatten();
    let mut budget = ROW_BUDGET;
    for (index, node) in file.nodes.iter() {
        let Some(mesh) = node.mesh.and_then(|mesh| file.meshes.get(mesh)) else { continue };
        let Some(skin) = node.skin.and_then(|skin| file.skins.get(skin)) else {
            if let Some(leaf) = leaf_of(index) {
                mesh.each_vertex(file, &mut budget, |vertex| visit(leaf, vertex.position, 1.0))?;
            }
            continue;
        };
        let Some(inverse_binds) = &skin.inverse_binds else { continue };
        mesh.each_vertex(file, &mut budget, |vertex| {
            let Some((joint, weight)) = vertex.owner() else { return };
            let Some(leaf) = skin.joints.get(joint).and_then(|&node| leaf_of(node)) else { return };
            let Some(inverse_bind) = inverse_binds.get(joint) else { return };
            let point = inverse_bind.transform_point3(vertex.position);
            if weight >= SHARE && point.is_finite() {
                visit(leaf, point, weight);
            }
        })?;
    }
    Ok(())
}

/// Whether a name says that the joint is the end of a chain: its last word is "end", "tip", "nub" or
/// "top", as in `Head_End`, `index-finger-tip`, `Bip01 L Toe0Nub` and `HeadTop_End.L`.
pub(crate) fn is_end(name: &str) -> bool {
    let mut last = String::new();
    let mut words = Vec::new();
    let mut upper_before = false;
    for letter in name.chars() {
        let starts_word = letter.is_uppercase() && !upper_before;
        if (starts_word || !letter.is_alphabetic()) && !last.is_empty() {
            words.push(std::mem::take(&mut last));
        }
        if letter.is_alphabetic() {
            last.extend(letter.to_lowercase());
        }
        upper_before = letter.is_uppercase();
    }
    words.push(last);
    let is_side = |word: &str| matches!(word, "" | "l" | "r" | "left" | "right");
    let last = words.iter().rev().find(|word| !is_side(word));
    last.is_some_and(|word| matches!(word.as_str(), "end" | "tip" | "nub" | "top"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_ends() {
        for name in
            ["Head_End", "RingFinger3_R_End", "index-finger-tip", "Bip01 L Toe0Nub", "HeadTop_End.L", "a_end_05"]
        {
            assert!(is_end(name), "{name}");
        }
        for name in ["bend", "Head", "LowerHand.L", "Legend", "tipsy", "", "endo"] {
            assert!(!is_end(name), "{name}");
        }
    }
}
