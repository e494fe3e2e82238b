//! Arms inside limits, and poses that their limits allow.

use std::f64::consts::FRAC_PI_4;

use sinew::glam::DVec3;
use sinew::laws::rigs::{direction, rotation};
use sinew::limit::{Range, SwingTwist};
use sinew::{BallLimit, Joint, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder, Transform};

/// A chain along X of length one, with a fixed tip.
pub(crate) fn chain(joints: usize, kind: impl Fn(usize) -> Kind) -> (Skeleton, Joint) {
    let mut builder = SkeletonBuilder::new();
    for i in 0..=joints {
        let kind = if i == joints { Kind::Fixed } else { kind(i) };
        let spec = JointSpec::named(format!("j{i}")).kind(kind);
        builder.add(if i == 0 { spec } else { spec.child_of(i - 1).translation(DVec3::X / joints as f64) });
    }
    let skeleton = builder.build().expect("a chain");
    let tip = skeleton.joint(&format!("j{joints}")).expect("its tip");
    (skeleton, tip)
}

/// Balls in cones of 45°.
pub(crate) fn cones(joints: usize) -> (Skeleton, Joint) {
    let cone = SwingTwist::new(DVec3::X, FRAC_PI_4, Range::FREE).expect("a cone");
    chain(joints, |_| Kind::Ball(BallLimit::SwingTwist(cone)))
}

/// Joints anywhere inside their limits.
pub(crate) fn allowed_pose(skeleton: &Skeleton, rng: &mut fastrand::Rng) -> Pose {
    let mut pose = skeleton.neutral_pose();
    for joint in skeleton.iter() {
        match (skeleton.kind(joint), skeleton.drive(joint)) {
            (Kind::Hinge { range, .. } | Kind::Slide { range, .. }, Some(drive)) => {
                let q = range.min + (range.max - range.min) * rng.f64();
                pose.edit(skeleton).coordinate(drive.coordinate, q);
            }
            (Kind::Ball(_), _) => {
                let local = Transform { rotation: rotation(rng).into(), ..*pose.local(joint) };
                pose.edit(skeleton).local(joint, skeleton.nearest_allowed(joint, &local, 0.0));
            }
            _ => {}
        }
    }
    pose
}

/// An arm of up to seven freedoms inside narrow limits: hinges, a ball, a slide.
pub(crate) fn narrow_arm(rng: &mut fastrand::Rng) -> (Skeleton, Joint) {
    let freedoms = 3 + rng.u64(0..5);
    let mut builder = SkeletonBuilder::new();
    let (mut count, mut place) = (0, 0);
    while count < freedoms {
        let end = |rng: &mut fastrand::Rng| 0.1 + 1.2 * rng.f64();
        let kind = match rng.u8(0..6) {
            0 if count + 3 <= freedoms => {
                let cone = SwingTwist::new(direction(rng), end(rng), Range::new(-end(rng), end(rng)));
                Kind::Ball(BallLimit::SwingTwist(cone.expect("a cone")))
            }
            1 => Kind::slide(direction(rng)).within(-0.2 * end(rng), 0.2 * end(rng)),
            _ => Kind::hinge(direction(rng)).within(-end(rng), end(rng)),
        };
        count += if matches!(kind, Kind::Ball(_)) { 3 } else { 1 };
        let spec = JointSpec::named(format!("j{place}")).kind(kind).translation(direction(rng) * (0.2 + rng.f64()));
        builder.add(if place == 0 { spec } else { spec.child_of(place - 1) });
        place += 1;
    }
    builder.add(JointSpec::named("tip").child_of(place - 1).translation(direction(rng)).kind(Kind::Fixed));
    let arm = builder.build().expect("an arm");
    let tip = arm.joint("tip").expect("its tip");
    (arm, tip)
}
