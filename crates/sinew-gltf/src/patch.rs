//! A pose as changes to the document: the transforms of moved joints, and nothing else.
//!
//! A joint has moved where its local transform differs from rest; of a moved joint only those of
//! translation, rotation and scale are written that differ. A matrix is replaced by all three, since a
//! node may not have both. Numbers are written with the shortest text that reads back as the same double.

use serde_json::{Map, Value};
use sinew::{Joint, Pose, Transform};

use crate::character::Character;
use crate::error::WriteError;

/// Whether the pose moves the joint; never for a pose of another skeleton.
pub(crate) fn is_moved(character: &Character, pose: &Pose, joint: Joint) -> bool {
    pose.fits(&character.skeleton) && joint.index() < pose.len() && pose.local(joint) != character.skeleton.rest(joint)
}

/// The document with the pose written into it.
pub(crate) fn apply(character: &Character, pose: &Pose) -> Result<Value, WriteError> {
    let skeleton = &character.skeleton;
    if !pose.fits(skeleton) {
        return Err(WriteError::OtherSkeleton { found: pose.len(), expected: skeleton.len() });
    }
    let mut document = character.file().document.clone();
    for joint in skeleton.iter().filter(|&joint| is_moved(character, pose, joint)) {
        let (mut local, rest) = (*pose.local(joint), skeleton.rest(joint));
        if local.rotation != rest.rotation {
            local.rotation = local.rotation.normalize();
        }
        if !local.is_finite() {
            return Err(WriteError::NotFinite { joint });
        }
        let node = character.node(joint).and_then(|node| document.get_mut("nodes")?.get_mut(node));
        if let Some(node) = node.and_then(Value::as_object_mut) {
            write_node(node, &local, rest);
        }
    }
    Ok(document)
}

/// Writes into a node what differs from rest; all of it in place of a matrix.
pub(crate) fn write_node(node: &mut Map<String, Value>, local: &Transform, rest: &Transform) {
    let replaced = node.shift_remove("matrix").is_some_and(|matrix| !matrix.is_null());
    if replaced || local.translation != rest.translation {
        node.insert("translation".to_owned(), numbers(&local.translation.to_array()));
    }
    if replaced || local.rotation != rest.rotation {
        // Rounding may leave a component a hair outside what the specification allows.
        let rotation = local.rotation.to_array().map(|component| component.clamp(-1.0, 1.0));
        node.insert("rotation".to_owned(), numbers(&rotation));
    }
    if replaced || local.scale != rest.scale {
        node.insert("scale".to_owned(), numbers(&local.scale.to_array()));
    }
}

fn numbers(values: &[f64]) -> Value {
    values.iter().copied().map(Value::from).collect()
}
