//! Descent on chains and trees: every kind of joint, goal and status.

mod chains;
mod goals;
mod joints;
mod no_alloc;
mod statuses;

use std::f64::consts::{FRAC_PI_4, PI};

use sinew::glam::DVec3;
use sinew::limit::{Range, SwingTwist};
use sinew::{
    BallLimit, Ccd, Goal, Joint, JointSpec, Kind, Outcome, Pose, Rotation, Skeleton, SkeletonBuilder, Solver, Workspace,
};

/// Even random numbers between -1 and 1.
fn signed(rng: &mut fastrand::Rng) -> f64 {
    2.0 * rng.f64() - 1.0
}

fn vector(rng: &mut fastrand::Rng) -> DVec3 {
    DVec3::new(signed(rng), signed(rng), signed(rng))
}

fn solve(ccd: &Ccd, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose) -> Outcome {
    ccd.solve(skeleton, goals, pose, &mut Workspace::default())
}

fn built(specs: impl IntoIterator<Item = JointSpec>) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    specs.into_iter().for_each(|spec| {
        builder.add(spec);
    });
    builder.build().expect("joints that make a skeleton")
}

/// A chain along X of the kinds given, bones of one metre together, and a fixed tip.
fn chain(kinds: &[Kind]) -> (Skeleton, Joint) {
    let bone = DVec3::X / kinds.len() as f64;
    let specs = kinds.iter().copied().chain([Kind::Fixed]).enumerate().map(|(i, kind)| {
        let spec = JointSpec::named(format!("joint_{i}")).kind(kind);
        if i == 0 { spec } else { spec.child_of(i - 1).translation(bone) }
    });
    let skeleton = built(specs);
    let tip = skeleton.at(kinds.len()).expect("its last joint");
    (skeleton, tip)
}

/// Hinges about Y and Z in turn, within 45 degrees.
fn hinges(n: usize) -> (Skeleton, Joint) {
    let axes = [DVec3::Y, DVec3::Z];
    let kinds: Vec<Kind> = (0..n).map(|i| Kind::hinge(axes[i % 2]).within(-FRAC_PI_4, FRAC_PI_4)).collect();
    chain(&kinds)
}

/// Balls within cones of 45 degrees.
fn cones(n: usize) -> (Skeleton, Joint) {
    let cone = SwingTwist::new(DVec3::X, FRAC_PI_4, Range::FREE).expect("a cone");
    chain(&vec![Kind::Ball(BallLimit::SwingTwist(cone)); n])
}

/// A pose with every joint somewhere in its range.
fn allowed(skeleton: &Skeleton, rng: &mut fastrand::Rng) -> Pose {
    let mut pose = skeleton.rest_pose();
    for joint in skeleton.iter() {
        match skeleton.kind(joint) {
            Kind::Hinge { range, .. } | Kind::Slide { range, .. } => {
                let (min, max) = (range.min.max(-PI), range.max.min(PI));
                let value = min + (max - min) * rng.f64();
                pose.edit(skeleton).coordinate(skeleton.drive(joint).expect("it has one").coordinate, value);
            }
            Kind::Ball(_) => {
                let turned = Rotation::about(vector(rng), 1.2 * signed(rng)).quaternion();
                let mut local = *pose.local(joint);
                local.rotation *= turned;
                let local = skeleton.nearest_allowed(joint, &local, 0.0);
                pose.edit(skeleton).local(joint, local);
            }
            _ => {}
        }
    }
    pose
}

fn inside(skeleton: &Skeleton, pose: &Pose) -> bool {
    skeleton.iter().all(|joint| {
        let local = pose.local(joint);
        let allowed = skeleton.nearest_allowed(joint, local, pose.value(skeleton, joint));
        allowed.rotation.dot(local.rotation).abs() > 1.0 - 1e-12
            && allowed.translation.distance(local.translation) < 1e-12
    })
}

fn place(pose: &Pose, tip: Joint) -> Goal {
    Goal::position(tip, pose.position(tip))
}

fn frame(pose: &Pose, tip: Joint) -> Goal {
    Goal::frame(tip, pose.position(tip), pose.rotation(tip))
}
