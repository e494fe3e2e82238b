//! The skeleton of a hierarchy: its nodes in the file's order.

use sinew::{JointSpec, Kind, Skeleton, SkeletonBuilder, SkeletonError};

use crate::error::Fault;
use crate::hierarchy::Node;

pub(crate) fn build(nodes: &[Node]) -> Result<Skeleton, Fault> {
    let mut builder = SkeletonBuilder::new();
    for node in nodes {
        let spec = JointSpec { name: name(nodes, node), kind: kind(node), ..JointSpec::default() };
        let spec = JointSpec { parent: node.parent.map(Into::into), ..spec };
        builder.add(spec.translation(node.offset));
    }
    builder.build().map_err(|error| {
        let problem = match error {
            SkeletonError::Invalid { joint, what } if joint.index < nodes.len() => {
                format!("{}: {what}", crate::hierarchy::label(&nodes[joint.index]))
            }
            other => other.to_string(),
        };
        Fault::new(1, problem, "export the file again, with smaller offsets")
    })
}

/// The file's name; an end site without one is called after its joint.
fn name(nodes: &[Node], node: &Node) -> Option<String> {
    let above = || node.parent.and_then(|parent| nodes[parent].name.as_ref());
    node.name.clone().or_else(|| above().map(|name| format!("{name}_tip")))
}

/// What its rotation channels let a joint do.
fn kind(node: &Node) -> Kind {
    let mut axes = node.channels.iter().filter_map(|channel| channel.turns());
    match (axes.next(), axes.next()) {
        (None, _) => Kind::Fixed,
        (Some(axis), None) => Kind::hinge(axis.unit()),
        _ => Kind::BALL,
    }
}
