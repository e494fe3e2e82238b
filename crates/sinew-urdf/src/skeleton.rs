//! The skeleton of a tree: the root link, then each joint's child link in the file's order of joints.

use sinew::math::arc;
use sinew::{JointSpec, Kind, Skeleton, SkeletonBuilder, SkeletonError};

use crate::error::Fault;
use crate::joint::{Motion, UrdfJoint};
use crate::mimic::{self, Drive};
use crate::tree::Tree;
use crate::xml::Element;

/// The skeleton, and for each URDF joint the place of its child link in the order added.
pub(crate) fn build(tree: &Tree<'_>) -> Result<(Skeleton, Vec<usize>), Fault> {
    let drives = mimic::drives(tree)?;
    let places = places(tree);
    let mut builder = SkeletonBuilder::new();
    // The element to blame for each joint added.
    let mut elements: Vec<&Element> = Vec::new();
    let root = &tree.links[tree.root];
    builder.add(JointSpec { mass: root.mass, ..JointSpec::named(root.name) }.kind(Kind::Fixed));
    elements.push(root.element);
    for (joint, drive) in drives.iter().enumerate() {
        let (urdf, (parent, child)) = (&tree.joints[joint], tree.ends[joint]);
        let link = &tree.links[child];
        let parent = tree.above[parent].map_or(0, |above| places[above]);
        let mut specs = specs(urdf, *drive, &tree.joints);
        if let Some(last) = specs.last_mut() {
            (last.name, last.mass) = (Some(link.name.to_owned()), link.mass);
        }
        for (place, spec) in specs.into_iter().enumerate() {
            let above = if place == 0 { parent } else { elements.len() - 1 };
            builder.add(spec.child_of(above));
            elements.push(urdf.element);
        }
    }
    let skeleton = builder.build().map_err(|error| refused(&error, &elements, root.element))?;
    Ok((skeleton, places))
}

/// Where each joint's child link comes in the order added.
fn places(tree: &Tree<'_>) -> Vec<usize> {
    let mut last = 0;
    let joints = tree.joints.iter().map(|joint| {
        last += if matches!(joint.motion, Motion::Planar(_)) { 3 } else { 1 };
        last
    });
    joints.collect()
}

/// The joints of the skeleton that one URDF joint becomes, from the parent link down; the last is the child link.
fn specs(joint: &UrdfJoint<'_>, drive: Drive, joints: &[UrdfJoint<'_>]) -> Vec<JointSpec> {
    let spec = JointSpec::default().rest(joint.origin);
    let own = |kind: Kind, suffix: &str| JointSpec {
        coordinate: Some(format!("{}{suffix}", joint.name)),
        kind,
        ..JointSpec::default()
    };
    match (joint.motion, drive) {
        (Motion::One(kind), Drive::Own) => vec![own(kind, "").rest(joint.origin)],
        (Motion::One(_), Drive::Still(value)) => vec![spec.kind(Kind::Fixed).rest(joint.frame_at(value))],
        // At rest coordinates are 0, so a follower is at its offset.
        (Motion::One(kind), Drive::Follows { joint: of, multiplier, offset }) => {
            let spec = JointSpec { zero: Some(joint.origin), ..spec.kind(kind) };
            vec![spec.rest(joint.frame_at(offset)).mimic(joints[of].name, multiplier, offset)]
        }
        (Motion::Planar(normal), _) => {
            let x = arc::any_perpendicular(normal);
            let along = [(Kind::slide(x), "/x"), (Kind::slide(normal.cross(x)), "/y"), (Kind::hinge(normal), "/theta")];
            let mut specs: Vec<_> = along.into_iter().map(|(kind, suffix)| own(kind, suffix)).collect();
            specs[0].rest = joint.origin;
            specs
        }
    }
}

/// What the builder refuses of a checked tree: numbers that overflow, and ranges of followers that exclude one another.
fn refused(error: &SkeletonError, elements: &[&Element], root: &Element) -> Fault {
    let (joint, problem) = match error {
        SkeletonError::Invalid { joint, what } => (joint.index, (*what).to_owned()),
        SkeletonError::EmptyRange { joint } => {
            (joint.index, "its limit and those of the joints that share its value by mimic leave no value".to_owned())
        }
        other => (0, other.to_string()),
    };
    Fault::new(elements.get(joint).copied().unwrap_or(root), problem)
}
