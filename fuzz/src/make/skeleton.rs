//! Random skeletons, and poses to begin with.

use fastrand::Rng;
use sinew::glam::{DAffine3, DMat3, DVec3};
use sinew::{Joint, JointSpec, Kind, Mass, Pose, Skeleton, SkeletonBuilder, Transform};

use super::kinds;
use super::random::{direction, one_in, pick, rotation};
use crate::mood::Mood;

/// Sum of the bones' lengths at rest, in their parents' frames; never 0.
pub(crate) fn extent(skeleton: &Skeleton) -> f64 {
    skeleton.iter().map(|joint| skeleton.rest(joint).translation.length()).sum::<f64>().max(1e-300)
}

/// A skeleton; `None` where the builder refuses it.
pub(super) fn random(rng: &mut Rng, mood: &Mood) -> Option<Skeleton> {
    let count = 1 + rng.u64(0..mood.joints as u64) as usize;
    let sizes: &[f64] = if mood.extremes { &[1.0, 1.0, 1.0, 1e-12, 1e-6, 1e6, 1e12] } else { &[1.0, 1.0, 0.01, 100.0] };
    let size = pick(rng, sizes);
    let mut builder = SkeletonBuilder::new();
    // Joints that another may follow.
    let mut driven: Vec<usize> = Vec::new();
    let branchy = 0.4 * rng.f64();
    for index in 0..count {
        let mut spec = JointSpec::named(format!("j{index}"));
        if index > 0 && !(mood.degenerate && one_in(rng, 40)) {
            let parent = if rng.f64() < branchy { rng.u64(0..index as u64) as usize } else { index - 1 };
            spec = spec.child_of(parent);
        }
        spec.rest = rest(rng, mood, size);
        spec.kind = kinds::random(rng, mood.limits);
        extras(rng, mood, size, &mut spec);
        if matches!(spec.kind, Kind::Hinge { .. } | Kind::Slide { .. }) {
            if !driven.is_empty() && one_in(rng, 4) {
                let multiplier = pick(rng, &[1.0, -1.0, 0.5, 2.0, 3.0, if mood.extremes { 1e-9 } else { 1.0 }]);
                spec = spec.mimic(format!("j{}", pick(rng, &driven)), multiplier, pick(rng, &[0.0, 0.3, -1.0]));
            }
            driven.push(index);
        }
        if spec.parent.is_none() {
            spec.base = base(rng, mood, size);
        }
        builder.add(spec);
    }
    builder.build().ok()
}

fn rest(rng: &mut Rng, mood: &Mood, size: f64) -> Transform {
    let length = match rng.u8(0..20) {
        0 if mood.degenerate => 0.0,
        1 if mood.degenerate => 1e-12,
        2 if mood.degenerate => 1e-300,
        3 if mood.extremes => 1e6,
        _ => 0.2 + rng.f64(),
    };
    let along = if one_in(rng, 3) { direction(rng) } else { DVec3::Y };
    let mut rest = Transform { translation: along * length * size, ..Transform::IDENTITY };
    if rng.bool() {
        rest.rotation = rotation(rng);
    }
    if mood.scales {
        rest.scale = match rng.u8(0..12) {
            0 => DVec3::splat(-1.0),
            1 => DVec3::new(-1.0, 1.0, 1.0),
            2 => DVec3::new(1.0 + rng.f64(), 1.0, 0.5 + rng.f64()),
            3 => DVec3::splat(0.5 + rng.f64()),
            4 if mood.degenerate => DVec3::new(1.0, 0.0, 1.0),
            5 if mood.degenerate => DVec3::ZERO,
            _ => DVec3::ONE,
        };
    }
    rest
}

/// A zero of its own, a preferred bend, stiffness, mass; at times an axis without direction.
fn extras(rng: &mut Rng, mood: &Mood, size: f64, spec: &mut JointSpec) {
    if mood.degenerate && one_in(rng, 60) {
        spec.kind = Kind::hinge(DVec3::ZERO);
    }
    if one_in(rng, 6) {
        spec.zero = Some(Transform { rotation: rotation(rng), ..spec.rest });
    }
    if one_in(rng, 3) {
        spec.bend = Some(if mood.degenerate && one_in(rng, 50) { DVec3::ZERO } else { direction(rng) });
    }
    if one_in(rng, 5) {
        spec.stiffness = pick(rng, &[1e-6, 0.1, 1.0, 10.0, 1e6]);
    }
    if one_in(rng, 3) {
        spec.mass = Mass { mass: pick(rng, &[0.0, 1.0, 5.0, 1e9, 1e-9]), center: direction(rng) * size * rng.f64() };
    }
}

/// The map above a root.
fn base(rng: &mut Rng, mood: &Mood, size: f64) -> DAffine3 {
    let mut scale = DVec3::ONE;
    if mood.scales {
        scale = match rng.u8(0..6) {
            0 => DVec3::new(-1.0, 1.0, 1.0),
            1 => DVec3::splat(0.01),
            2 => DVec3::splat(100.0),
            3 => DVec3::new(2.0, 1.0, 0.3),
            4 if mood.degenerate => DVec3::new(1.0, 1.0, 0.0),
            _ => DVec3::ONE,
        };
    }
    let mut map = DMat3::from_quat(rotation(rng)) * DMat3::from_diagonal(scale);
    if mood.scales && rng.bool() {
        map = map * DMat3::from_quat(rotation(rng)) * DMat3::from_diagonal(DVec3::new(1.0, 1.3, 0.7));
    }
    DAffine3::from_mat3_translation(map, direction(rng) * size)
}

/// A pose: at rest, inside limits, or anywhere.
pub(super) fn pose(rng: &mut Rng, skeleton: &Skeleton) -> Pose {
    let mut pose = if one_in(rng, 4) { skeleton.rest_pose() } else { skeleton.neutral_pose() };
    if one_in(rng, 4) {
        return pose;
    }
    let inside = rng.bool();
    for joint in skeleton.iter() {
        turn(rng, skeleton, joint, inside, &mut pose);
    }
    pose
}

fn turn(rng: &mut Rng, skeleton: &Skeleton, joint: Joint, inside: bool, pose: &mut Pose) {
    if skeleton.kind(joint) == Kind::Fixed {
        return;
    }
    let Some(drive) = skeleton.drive(joint) else {
        let any = Transform { rotation: rotation(rng), ..*pose.local(joint) };
        let local = if inside { skeleton.nearest_allowed(joint, &any, 0.0) } else { any };
        pose.edit(skeleton).local(joint, local);
        return;
    };
    let mut q = 4.0 * (2.0 * rng.f64() - 1.0);
    if inside {
        let range = skeleton.coordinates()[drive.coordinate].range;
        let near = range.clamp(0.0);
        let (low, high) = (range.min.max(near - 4.0), range.max.min(near + 4.0));
        q = low + (high - low) * rng.f64();
    }
    pose.edit(skeleton).coordinate(drive.coordinate, q);
}
