//! The picture of a crowd, and the curve of its times.

use std::path::Path;

use anyhow::{Context as _, Result};
use sinew::glam::DVec3;
use sinew::{Joint, JointSpec, Skeleton, SkeletonBuilder, Transform};
use sinew_crowd::Poses;
use sinew_draw::{Curve, Group, LEFT, Look, MIDDLE, Picture, Plot, RIGHT};

use super::report::per_limb;
use super::{Cast, Measured};
use crate::rig::Rig;
use crate::{picture, text};

/// Characters that are drawn at most, and how many stand side by side.
const SHOWN: usize = 32;
const ROW: usize = 8;
/// From one to the next, as a share of the rig's height, or of its width or depth where that is more.
const APART: f64 = 1.1;

/// Draws the first characters on a field; the whole path of the file.
pub(super) fn draw(rig: &Rig, cast: &Cast, poses: &Poses, path: &Path) -> Result<String> {
    let shown = poses.len().min(SHOWN);
    let skeleton = field(rig, shown).context("characters side by side")?;
    let (single, each) = (rig.skeleton(), rig.skeleton().len());
    let mut pose = skeleton.rest_pose();
    let mut edit = pose.edit(&skeleton);
    for character in 0..shown {
        for own in single.iter() {
            let joint = skeleton.joint(&copy(character * each + own.index()))?;
            if single.parent(own).is_some() {
                edit.rotation(joint, poses.rotation(character, own));
            } else {
                let position = poses.position(character, own).as_dvec3() + place(rig, character);
                edit.rotation(joint, poses.model_rotation(character, own)).translation(joint, position);
            }
        }
    }
    drop(edit);
    let copies = |joints: &[Joint]| {
        let of = |character: usize| joints.iter().map(move |joint| character * each + joint.index());
        (0..shown).flat_map(of).filter_map(|index| skeleton.joint(&copy(index)).ok()).collect()
    };
    let color = |side: &str| match side {
        "left" => LEFT,
        "right" => RIGHT,
        _ => MIDDLE,
    };
    let group = |(side, joints): &(&'static str, Vec<Joint>)| Group {
        name: format!("{side} limbs"),
        color: color(side),
        joints: copies(joints),
    };
    let of_all = if shown < poses.len() { format!("the first {shown} of ") } else { String::new() };
    let picture = Picture {
        groups: cast.sides.iter().map(group).collect(),
        faint: copies(&picture::faint(rig)),
        up: rig.found().up,
        forward: rig.found().forward,
        title: format!("{}: {of_all}{}", text::short_name(rig.name()), text::count(poses.len(), "character")),
        unit: rig.unit(),
        looks: if rig.looks.is_empty() { vec![Look::ThreeQuarter] } else { rig.looks.clone() },
        ..Picture::new(&skeleton, &pose)
    };
    picture::save(&picture, path)
}

/// The name of a joint's copy: the order of siblings is the builder's, not the rig's.
fn copy(index: usize) -> String {
    index.to_string()
}

/// Where a character stands on the field.
fn place(rig: &Rig, character: usize) -> DVec3 {
    let (found, height) = (rig.found(), rig.height());
    let (across, back) = ((character % ROW) as f64, (character / ROW) as f64);
    let left = found.up.cross(found.forward);
    let apart = |axis: DVec3| axis * (APART * height.max(extent(rig, axis)));
    apart(left) * across - apart(found.forward) * back
}

/// How far the rig's joints at rest are apart along an axis; control joints do not count.
fn extent(rig: &Rig, axis: DVec3) -> f64 {
    let (rest, control) = (rig.skeleton().rest_pose(), rig.figure.control_joints());
    let along =
        rig.skeleton().iter().filter(|joint| !control.contains(joint)).map(|joint| rest.position(joint).dot(axis));
    let (least, most) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    most - least
}

/// One skeleton of so many copies of the rig's, side by side and behind one another.
fn field(rig: &Rig, shown: usize) -> Result<Skeleton> {
    let single = rig.skeleton();
    let rest = single.rest_pose();
    let mut builder = SkeletonBuilder::new();
    for character in 0..shown {
        let first = character * single.len();
        for joint in single.iter() {
            let spec = JointSpec::named(copy(first + joint.index()));
            builder.add(if let Some(parent) = single.parent(joint) {
                spec.child_of(first + parent.index()).rest(*single.rest(joint))
            } else {
                let (scale, rotation, translation) = rest.model(joint).to_scale_rotation_translation();
                spec.rest(Transform { translation: translation + place(rig, character), rotation, scale })
            });
        }
    }
    Ok(builder.build()?)
}

/// Best time of a limb over the number of limbs.
pub(super) fn curve(cast: &Cast, measured: &[Measured]) -> Plot {
    let point = |one: &Measured| {
        let limbs = (one.characters * cast.limbs()) as f64;
        (limbs.log10(), 1e9 * per_limb(cast, one, one.best()))
    };
    let points: Vec<_> = measured.iter().map(point).collect();
    let top = points.iter().map(|point| point.1).fold(0.0, f64::max);
    Plot {
        title: "time of a limb in a crowd".to_owned(),
        x: "limbs in a frame (power of ten)".to_owned(),
        y: "nanoseconds a limb".to_owned(),
        curves: vec![Curve { name: cast.crowd.width().name().to_owned(), color: Curve::color(0), width: 2, points }],
        range: Some(0.0..1.2 * top),
        ..Plot::default()
    }
}
