//! Crowds against the `f64` solvers, and the laws in lanes.
#![allow(missing_docs, clippy::unwrap_used)]

mod bodies;
mod chains;
mod determinism;
mod laws;
mod lent_poses;
mod limbs;
mod limits;
mod links;
mod parity;
mod planted;
mod smooth;

use sinew::glam::{DQuat, DVec3};
use sinew::{Joint, JointSpec, Pose, Skeleton, SkeletonBuilder, TwoBone};

/// A chest with two arms of three bones each, one of them with a twist joint, and a head.
fn body(random: &mut fastrand::Rng) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("chest").translation(vector(random)));
    for side in ["l", "r"] {
        let first = builder.add(JointSpec::named(format!("{side}_arm")).child_of(0).translation(vector(random)));
        let bone = |random: &mut fastrand::Rng| vector(random).normalize() * (0.2 + 0.3 * random.f64());
        let mut last = first;
        for name in ["twist", "elbow", "hand"] {
            let spec = JointSpec::named(format!("{side}_{name}")).child_of(last);
            last = builder.add(spec.translation(bone(random)).rotation(rotation(random)));
        }
    }
    builder.add(JointSpec::named("head").child_of(0).translation(vector(random)).rotation(rotation(random)));
    builder.build().unwrap()
}

fn vector(random: &mut fastrand::Rng) -> DVec3 {
    DVec3::new(random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5)
}

fn rotation(random: &mut fastrand::Rng) -> DQuat {
    DQuat::from_xyzw(random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5).normalize()
}

fn arm(skeleton: &Skeleton, side: &str) -> (TwoBone, [Joint; 3]) {
    let joints = ["arm", "elbow", "hand"].map(|name| skeleton.joint(&format!("{side}_{name}")).unwrap());
    (TwoBone::new(skeleton, joints[0], joints[1], joints[2]).unwrap(), joints)
}

fn random_pose(skeleton: &Skeleton, random: &mut fastrand::Rng) -> Pose {
    let mut pose = skeleton.rest_pose();
    let mut edit = pose.edit(skeleton);
    // Twist joints stay as at rest: soft reach takes the inner band from there.
    for joint in skeleton.iter().filter(|&joint| !skeleton.name(joint).is_some_and(|name| name.contains("twist"))) {
        edit.rotation(joint, rotation(random));
    }
    drop(edit);
    pose
}
