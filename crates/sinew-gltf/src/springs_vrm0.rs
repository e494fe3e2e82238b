//! Springs of VRM 0: roots, each of which swings with everything below it, all with the same settings.
//!
//! The tail of a joint is its first child; where it has none, a point 7 cm further along the bone that leads to it.
//! Vectors of VRM 0 are those of Unity as they are, where z points the other way. Indices of -1 stand for nothing.
//!
//! Source: VRM Consortium, "VRM 0.0", `secondaryAnimation`. What it leaves open is as in `UniVRM`: the tail in
//! `SpringBoneSystem.cs`, the defaults in `VRMSpringBone.cs`, the vectors in `MigrationVector3.cs` ("VRM 0 should
//! have converted to (x, y, -z) and did not"), so too three-vrm's pull request 367; later three-vrm leaves z of
//! gravity as it is.

use glam::DVec3;

use crate::document::{Object, in_range};
use crate::error::Fault;
use sinew::springs::Shape;

use crate::springs::{Places, Settings, Spring, SpringBones, SpringJoint, gravity};

/// Length of the bone behind the last joint (metres, scaled as the joint is).
const END: f64 = 0.07;

/// Reads `secondaryAnimation` of the extension `VRM`.
pub(crate) fn read(vrm: Object<'_>, places: &mut Places<'_>) -> Result<SpringBones, Fault> {
    let Some(springs) = vrm.object("secondaryAnimation")? else { return Ok(SpringBones::default()) };
    read_springs(springs, places).map_err(|fault| fault.at("secondaryAnimation"))
}

fn read_springs(springs: Object<'_>, places: &mut Places<'_>) -> Result<SpringBones, Fault> {
    let mut read = SpringBones::default();
    let groups = springs.each("colliderGroups", |group| {
        let node = read_node(group, "node", places)?;
        let shapes = group.each("colliders", read_shape)?;
        let first = read.colliders.len();
        let shapes = node.into_iter().flat_map(|node| shapes.iter().map(move |shape| (node, *shape)));
        read.colliders.extend(shapes.filter_map(|(node, shape)| places.collider(node, shape)));
        Ok((first..read.colliders.len()).collect())
    })?;
    read.collider_groups = groups;
    let groups = read.collider_groups.len();
    read.springs = springs.each("boneGroups", |group| read_group(group, groups, places))?;
    Ok(read)
}

fn read_shape(collider: Object<'_>) -> Result<Shape, Fault> {
    let center = read_vector(collider, "offset")?.unwrap_or(DVec3::ZERO);
    let radius = collider.number("radius")?.unwrap_or(0.0).max(0.0);
    Ok(Shape::Sphere { center, radius, inside: false })
}

fn read_group(group: Object<'_>, groups: usize, places: &mut Places<'_>) -> Result<Spring, Fault> {
    let direction = read_vector(group, "gravityDir")?.unwrap_or(DVec3::NEG_Y);
    let settings = Settings {
        hit_radius: group.number("hitRadius")?.unwrap_or(0.02),
        // Spelt so in the format.
        stiffness: group.number("stiffiness")?.unwrap_or(1.0),
        gravity: gravity(direction, group.number("gravityPower")?.unwrap_or(0.0))?,
        drag: group.number("dragForce")?.unwrap_or(0.4),
    };
    let mut joints = Vec::new();
    for root in group.indices("bones", places.len(), "node")? {
        add_subtree(root, settings, places, &mut joints);
    }
    joints.sort_by_key(|swinging| swinging.joint.index());
    Ok(Spring {
        name: group.text("comment")?.unwrap_or_default().to_owned(),
        joints,
        space: places.space(read_node(group, "center", places)?),
        collider_groups: group.indices("colliderGroups", groups, "collider group")?,
    })
}

/// Adds a node and all below it, down to what swings already.
fn add_subtree(root: usize, settings: Settings, places: &mut Places<'_>, joints: &mut Vec<SpringJoint>) {
    let mut waiting = vec![root];
    while let Some(index) = waiting.pop() {
        if !places.claim(index) {
            continue;
        }
        let Some(node) = places.character.file().nodes.get(index) else { continue };
        let tail = node.children.first().copied();
        let place = match tail {
            Some(child) => Some(places.map(child).translation),
            None => node.parent.and_then(|parent| end(places, parent, index)),
        };
        let tail = tail.and_then(|child| places.character.joint_of_node(child));
        joints.extend(place.and_then(|place| places.swing(index, tail, place, settings)));
        waiting.extend_from_slice(&node.children);
    }
}

/// The end of the bone behind a node without children, in the scene.
fn end(places: &Places<'_>, parent: usize, node: usize) -> Option<DVec3> {
    let map = places.map(node);
    let direction = (map.translation - places.map(parent).translation).try_normalize()?;
    let axes = map.matrix3;
    let scale = axes.x_axis.length().max(axes.y_axis.length()).max(axes.z_axis.length());
    Some(map.translation + direction * (END * scale))
}

fn read_node(object: Object<'_>, key: &str, places: &Places<'_>) -> Result<Option<usize>, Fault> {
    let node = object.index(key)?.map(|node| in_range(node, places.len(), "node")).transpose();
    node.map_err(|fault| fault.at(key))
}

/// A vector from Unity's axes.
fn read_vector(object: Object<'_>, key: &str) -> Result<Option<DVec3>, Fault> {
    let Some(vector) = object.object(key)? else { return Ok(None) };
    let part = |axis: &str| Ok(vector.number(axis).map_err(|fault: Fault| fault.at(key))?.unwrap_or(0.0));
    Ok(Some(DVec3::new(part("x")?, part("y")?, -part("z")?)))
}
