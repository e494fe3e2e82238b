//! Which nodes are joints, and the skeleton they make.
//!
//! The joints of all skins; without skins the bones of a VRM humanoid and everything below them; without
//! either everything in the scene. They are balls. Nodes that lie between such joints come along as fixed
//! joints, so that a parent joint is always a parent node; whatever lies above a root becomes its constant
//! base, as an affine map, so that matrices up there may do what they like.

use glam::DAffine3;
use sinew::{JointSpec, Kind, Skeleton, SkeletonBuilder, SkeletonError, Transform};

use crate::error::{Fault, LoadError};
use crate::file::File;
use crate::node::{Nodes, is_marked};
use crate::tip;

/// A skeleton and how its joints and the file's nodes belong together.
#[derive(Debug)]
pub(crate) struct Rig {
    pub(crate) skeleton: Skeleton,
    /// By joint; `None` for inferred tips.
    pub(crate) nodes: Vec<Option<usize>>,
    /// Depth-first index by node; `None` for nodes that are no joints.
    pub(crate) joints: Vec<Option<usize>>,
}

/// One node that becomes a joint.
#[derive(Clone, Debug)]
pub(crate) struct Bone {
    pub(crate) node: usize,
    pub(crate) name: Option<String>,
    /// Place among the bones.
    pub(crate) parent: Option<usize>,
    pub(crate) rest: Transform,
    fixed: bool,
    base: DAffine3,
}

/// Builds the skeleton of a file.
pub(crate) fn build(file: &File, name: &str) -> Result<Rig, LoadError> {
    let bones = read_bones(file).map_err(|fault| fault.in_file(name))?;
    let tips = tip::infer(file, &bones).map_err(|fault| fault.in_file(name))?;
    let mut builder = SkeletonBuilder::new();
    for bone in &bones {
        builder.add(JointSpec {
            name: bone.name.clone(),
            parent: bone.parent.map(Into::into),
            rest: bone.rest,
            kind: if bone.fixed { Kind::Fixed } else { Kind::BALL },
            base: bone.base,
            ..JointSpec::default()
        });
    }
    for tip in &tips {
        let name = bones.get(tip.bone).and_then(|bone| bone.name.as_ref());
        let name = name.map(|name| format!("{name}_tip"));
        let spec = JointSpec { name, kind: Kind::Fixed, ..JointSpec::default() };
        builder.add(spec.child_of(tip.bone).translation(tip.offset));
    }
    if let Some(head) = head(&bones) {
        builder.spine(head);
    }
    let skeleton = builder.build().map_err(|source| refused(source, &bones, name))?;
    Ok(index(skeleton, &bones, file.nodes.len()))
}

/// The bone that ends the spine, by name: the one called head, else the only one with head in its name.
fn head(bones: &[Bone]) -> Option<usize> {
    let only = |fits: &dyn Fn(&str) -> bool| {
        let name = |bone: &Bone| bone.name.as_ref().is_some_and(|name| fits(&name.to_lowercase()));
        let mut found = (0..bones.len()).filter(|&index| name(&bones[index]));
        found.next().filter(|_| found.next().is_none())
    };
    only(&|name| name == "head").or_else(|| only(&|name| name.contains("head")))
}

/// The nodes that become joints, in the file's order.
fn read_bones(file: &File) -> Result<Vec<Bone>, Fault> {
    let (chosen, fixed) = choose(file);
    let in_scene = file.nodes.in_scene();
    let mut place = vec![None; file.nodes.len()];
    let nodes = (0..file.nodes.len()).filter(|&node| is_marked(&chosen, node));
    for (bone, node) in nodes.enumerate() {
        place[node] = Some(bone);
    }
    let mut bones = Vec::new();
    for (index, node) in file.nodes.iter().filter(|&(index, _)| is_marked(&chosen, index)) {
        let rest = node.placement.to_parts().map_err(|fault| fault.entry("nodes", index))?;
        let above = node.parent.and_then(|parent| in_scene.get(parent)).copied();
        bones.push(Bone {
            node: index,
            name: node.name.clone(),
            parent: node.parent.and_then(|parent| *place.get(parent)?),
            rest,
            fixed: is_marked(&fixed, index),
            base: above.unwrap_or(DAffine3::IDENTITY),
        });
    }
    if bones.is_empty() {
        let fault = Fault::new("the file has no nodes, so nothing can move").at("nodes");
        return Err(fault.advise("export the armature or the scene along with the mesh"));
    }
    Ok(bones)
}

/// Marks the nodes that are joints, and those of them that are fixed.
fn choose(file: &File) -> (Vec<bool>, Vec<bool>) {
    let nodes = &file.nodes;
    let of_skins = || file.skins.iter().flat_map(|skin| skin.joints.iter().copied());
    if !file.skins.is_empty() {
        let balls = marks(nodes, of_skins());
        let between = both(&nodes.with_descendants(of_skins()), &nodes.above(&balls));
        let chosen = balls.iter().zip(&between).map(|(ball, between)| *ball || *between).collect();
        return (chosen, but_not(&between, &balls));
    }
    if !file.humanoid.is_empty() {
        let human = || file.humanoid.iter().map(|&(_, node)| node);
        let bones = marks(nodes, human());
        let chosen = nodes.with_descendants(human());
        let between = both(&chosen, &nodes.above(&bones));
        return (chosen, but_not(&between, &bones));
    }
    (nodes.with_descendants(nodes.scene().iter().copied()), Vec::new())
}

fn marks(nodes: &Nodes, indices: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut marks = vec![false; nodes.len()];
    for index in indices {
        if let Some(mark) = marks.get_mut(index) {
            *mark = true;
        }
    }
    marks
}

fn both(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}

fn but_not(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| *a && !*b).collect()
}

/// The builder's error with the node in place of the joint, where it has one.
fn refused(source: SkeletonError, bones: &[Bone], file: &str) -> LoadError {
    match source {
        SkeletonError::Invalid { joint, what } if joint.index < bones.len() => {
            Fault::new(what).entry("nodes", bones[joint.index].node).in_file(file)
        }
        source => LoadError::Skeleton { file: file.to_owned(), source },
    }
}

fn index(skeleton: Skeleton, bones: &[Bone], nodes: usize) -> Rig {
    let mut joints = vec![None; nodes];
    let node_of = |joint| bones.get(skeleton.caller_index(joint)).map(|bone| bone.node);
    let of_joints: Vec<_> = skeleton.iter().map(node_of).collect();
    for joint in skeleton.iter() {
        if let Some(node) = node_of(joint) {
            joints[node] = Some(joint.index());
        }
    }
    Rig { skeleton, nodes: of_joints, joints }
}
