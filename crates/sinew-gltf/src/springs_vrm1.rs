//! Springs of VRM 1: chains of joints, each with settings of its own but the last, which is only a tail.
//!
//! Source: VRM Consortium, `VRMC_springBone` 1.0; the defaults are those of its JSON schema. A collider whose node is
//! -1, as in some files, or that has no shape that is known, is left out.

use glam::DVec3;

use crate::document::{Object, in_range};
use crate::error::Fault;
use sinew::springs::{Collider, Shape};

use crate::springs::{Places, Settings, Spring, SpringBones, SpringJoint, gravity};

/// Reads `VRMC_springBone`.
pub(crate) fn read(springs: Object<'_>, places: &mut Places<'_>) -> Result<SpringBones, Fault> {
    let mut read = SpringBones::default();
    let known = springs.each("colliders", |collider| read_collider(collider, places))?;
    // Place of each among those that are left.
    let mut kept = Vec::with_capacity(known.len());
    for collider in known {
        kept.push(collider.map(|_| read.colliders.len()));
        read.colliders.extend(collider);
    }
    read.collider_groups = springs.each("colliderGroups", |group| {
        let members = group.indices("colliders", kept.len(), "collider")?;
        Ok(members.into_iter().filter_map(|member| kept[member]).collect())
    })?;
    let groups = read.collider_groups.len();
    read.springs = springs.each("springs", |spring| read_spring(spring, groups, places))?;
    Ok(read)
}

fn read_spring(spring: Object<'_>, groups: usize, places: &mut Places<'_>) -> Result<Spring, Fault> {
    let chain = spring.each("joints", |joint| {
        let node = joint.whole("node")?.ok_or_else(|| Fault::new("missing").at("node"))?;
        in_range(node, places.len(), "node").map_err(|fault| fault.at("node"))?;
        Ok((node, read_settings(joint)?))
    })?;
    let mut joints: Vec<SpringJoint> = Vec::new();
    for (place, pair) in chain.windows(2).enumerate() {
        let [(head, settings), (tail, _)] = pair else { continue };
        let Some(joint) = places.character.joint_of_node(*head) else { continue };
        if !places.is_below(*tail, joint) {
            let problem = format!("node {tail} does not lie below node {head}, the one before it");
            return Err(Fault::new(problem).at("node").entry("joints", place + 1));
        }
        if places.claim(*head) {
            let end = places.character.joint_of_node(*tail);
            joints.extend(places.swing(*head, end, places.map(*tail).translation, *settings));
        }
    }
    let center = spring.index("center")?.map(|node| in_range(node, places.len(), "node")).transpose();
    Ok(Spring {
        name: spring.text("name")?.unwrap_or_default().to_owned(),
        joints,
        space: places.space(center.map_err(|fault| fault.at("center"))?),
        collider_groups: spring.indices("colliderGroups", groups, "collider group")?,
    })
}

fn read_settings(joint: Object<'_>) -> Result<Settings, Fault> {
    let direction = joint.numbers("gravityDir")?.unwrap_or([0.0, -1.0, 0.0]);
    Ok(Settings {
        hit_radius: joint.number("hitRadius")?.unwrap_or(0.0),
        stiffness: joint.number("stiffness")?.unwrap_or(1.0),
        gravity: gravity(DVec3::from_array(direction), joint.number("gravityPower")?.unwrap_or(0.0))?,
        drag: joint.number("dragForce")?.unwrap_or(0.5),
    })
}

fn read_collider(collider: Object<'_>, places: &Places<'_>) -> Result<Option<Collider>, Fault> {
    const EXTENDED: &str = "VRMC_springBone_extended_collider";
    let Some(node) = collider.index("node")? else { return Ok(None) };
    in_range(node, places.len(), "node").map_err(|fault| fault.at("node"))?;
    let extended = match collider.extension(EXTENDED)? {
        Some(extended) => read_shape(extended).map_err(|fault| fault.at(EXTENDED).at("extensions"))?,
        None => None,
    };
    // The plain shape stands in for readers that do not know the extended one.
    let shape = if extended.is_some() { extended } else { read_shape(collider)? };
    Ok(shape.and_then(|shape| places.collider(node, shape)))
}

fn read_shape(holder: Object<'_>) -> Result<Option<Shape>, Fault> {
    let Some(shape) = holder.object("shape")? else { return Ok(None) };
    let read = |name: &str, parts: fn(Object<'_>) -> Result<Shape, Fault>| {
        let found = shape.object(name)?.map(parts).transpose();
        found.map_err(|fault| fault.at(name))
    };
    let sphere = read("sphere", |sphere| {
        let (center, radius, inside) = (point(sphere, "offset")?, radius(sphere)?, sphere.switch("inside")?);
        Ok(Shape::Sphere { center, radius, inside })
    });
    let capsule = || {
        read("capsule", |capsule| {
            let ends = [point(capsule, "offset")?, point(capsule, "tail")?];
            Ok(Shape::Capsule { ends, radius: radius(capsule)?, inside: capsule.switch("inside")? })
        })
    };
    let plane = || {
        read("plane", |plane| {
            let normal = plane.numbers("normal")?.map_or(DVec3::Z, DVec3::from_array).try_normalize();
            let normal = normal.ok_or_else(|| Fault::new("is no direction").at("normal"))?;
            Ok(Shape::Plane { point: point(plane, "offset")?, normal })
        })
    };
    let within = |fault: Fault| fault.at("shape");
    match sphere.map_err(within)? {
        Some(sphere) => Ok(Some(sphere)),
        None => match capsule().map_err(within)? {
            Some(capsule) => Ok(Some(capsule)),
            None => plane().map_err(within),
        },
    }
}

fn point(shape: Object<'_>, key: &str) -> Result<DVec3, Fault> {
    Ok(shape.numbers(key)?.map_or(DVec3::ZERO, DVec3::from_array))
}

fn radius(shape: Object<'_>) -> Result<f64, Fault> {
    Ok(shape.number("radius")?.unwrap_or(0.0).max(0.0))
}
