//! Random serial arms, and where the skeleton says that their tips are.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::laws::rigs::{direction, rotation};
use sinew::limit::Range;
use sinew::{JointSpec, Kind, Mimic, Pose, Skeleton, SkeletonBuilder, Transform};
use sinew_arm::Arm;

/// Six to nine moving joints between odd fixed pieces; the sixth from the tip on are free or wide hinges, so that most
/// frames of the tip can be taken in several ways.
pub(crate) fn random_arm(rng: &mut Rng) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("base").rotation(rotation(rng)));
    let joints = 6 + rng.u64(0..4) as usize;
    let size = [0.01, 1.0, 30.0][rng.u64(0..3) as usize];
    for i in 0..joints {
        let mut fixed = JointSpec::named(format!("piece_{i}")).child_of(2 * i).rotation(rotation(rng));
        fixed.rest.scale = DVec3::splat(if rng.u8(0..4) == 0 { 0.5 + rng.f64() } else { 1.0 });
        builder.add(fixed.kind(Kind::Fixed));
        let low = -1.5 - 1.6 * rng.f64();
        let kind = match rng.u8(0..6) {
            0 => Kind::hinge(direction(rng)),
            1 => Kind::hinge(direction(rng)).within(-7.0, 7.0),
            2 => Kind::Slide { axis: direction(rng), range: Range::new(-0.2 * size, 0.5 * size) },
            _ => Kind::hinge(direction(rng)).within(low, 1.5 + 1.6 * rng.f64()),
        };
        let mut joint = JointSpec::named(format!("joint_{i}")).child_of(2 * i + 1).rotation(rotation(rng)).kind(kind);
        joint.rest.translation = direction(rng) * size * rng.f64();
        if i == 8 {
            joint.kind = Kind::hinge(direction(rng));
            joint.mimic = Some(Mimic { of: "joint_7".into(), multiplier: -0.7, offset: 0.1 });
        }
        builder.add(joint);
    }
    builder.add(
        JointSpec::named("tip")
            .kind(Kind::Fixed)
            .child_of(2 * joints)
            .translation(direction(rng) * size)
            .rotation(rotation(rng)),
    );
    builder.build().unwrap()
}

pub(crate) fn arm_of(skeleton: &Skeleton) -> Arm {
    Arm::new(skeleton, skeleton.joint("base").unwrap(), skeleton.joint("tip").unwrap()).unwrap()
}

pub(crate) fn ranges(skeleton: &Skeleton, arm: &Arm) -> Vec<Range> {
    arm.coordinates().iter().map(|&coordinate| skeleton.coordinates()[coordinate].range).collect()
}

pub(crate) fn random_values(ranges: &[Range], rng: &mut Rng) -> Vec<f64> {
    ranges.iter().map(|range| range.min.max(-3.0) + (range.max.min(3.0) - range.min.max(-3.0)) * rng.f64()).collect()
}

/// The tip in the base's frame, by the skeleton.
pub(crate) fn tip(skeleton: &Skeleton, arm: &Arm, values: &[f64]) -> Transform {
    let mut pose: Pose = skeleton.rest_pose();
    let mut edit = pose.edit(skeleton);
    for (&coordinate, &q) in arm.coordinates().iter().zip(values) {
        edit.coordinate(coordinate, q);
    }
    drop(edit);
    let [base, tip] = skeleton.joints(["base", "tip"]).unwrap();
    let rotation = pose.rotation(base).conjugate() * pose.rotation(tip);
    let place = pose.model(base).inverse().transform_point3(pose.position(tip));
    Transform { translation: place, rotation, scale: DVec3::ONE }
}
