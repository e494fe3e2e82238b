//! The world that chains swing in: gravity, wind, and what they bump into.

use anyhow::{Context as _, Result, bail};
use sinew::glam::DVec3;
use sinew::springs::{Collider, Springs};

use super::args::SimulateArgs;
use crate::joint_ref;
use crate::request;
use crate::rig::{Rig, TALL};
use crate::value::Use;

/// Standard gravity (m/s²).
const GRAVITY: f64 = 9.81;
const CENTIMETRES: f64 = 100.0;

/// Sets gravity, wind and colliders; what is to be said about them.
pub(crate) fn set(rig: &Rig, args: &SimulateArgs, springs: &mut Springs) -> Result<Option<String>> {
    let vector =
        |option, value: &Option<String>| value.as_deref().map(|value| Use { option, value }.vector()).transpose();
    let (gravity, wind) = (vector("--gravity", &args.gravity)?, vector("--wind", &args.wind)?);
    let height = rig.height();
    let large = height > TALL;
    let size = GRAVITY * if large { CENTIMETRES } else { 1.0 };
    // No minus before a zero.
    springs.gravity = gravity.unwrap_or(rig.found().up * -size) + DVec3::ZERO;
    springs.wind = wind.unwrap_or(DVec3::ZERO);
    if let Some(ground) = args.ground {
        let up = rig.found().up;
        springs.colliders.push(Collider::plane(up * ground, up));
    }
    for one in request::uses("--collide", &args.colliders) {
        springs.colliders.push(capsule(rig, one)?);
    }
    if args.ground.is_some() || !args.colliders.is_empty() {
        // What is asked for counts for the file's own bones too.
        springs.bones.iter_mut().for_each(|bone| bone.radius = bone.radius.max(args.radius));
    }
    let felt = springs.bones.iter().any(|bone| bone.gravity != 0.0);
    Ok(match gravity {
        Some(_) if !felt => Some(
            "the springs of the file have their own gravity, so --gravity has no effect; it is for chains named by --chain".to_owned(),
        ),
        None if felt && large => {
            let high = rig.length(height);
            Some(format!("the rig is {high} high, taken for centimetres, so gravity is 981; --gravity sets another"))
        }
        _ => None,
    })
}

/// Along the joint's longest bone; around the joint where it has none.
fn capsule(rig: &Rig, one: Use<'_>) -> Result<Collider> {
    let (name, radius) = one.radius()?;
    let joint = joint_ref::find(rig, name).with_context(|| one.to_string())?;
    let skeleton = rig.skeleton();
    let children = skeleton.children(joint).map(|child| skeleton.rest(child).translation);
    let bone = children.max_by(|a, b| a.length().total_cmp(&b.length()));
    let size = rig.skeleton().rest_pose().model(joint).matrix3.determinant().abs().cbrt();
    if size == 0.0 {
        bail!("{one}: '{}' has a scale of zero; name another joint", rig.label(joint));
    }
    // Radii are in the joint's frame.
    let (to, radius) = (bone.unwrap_or(DVec3::ZERO), radius / size);
    Ok(Collider::capsule(DVec3::ZERO, to, radius).carried_by(joint))
}
