//! Poses compared and blended, and handles of other skeletons.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use allocation_counter::measure;
use fastrand::Rng;
use sinew::glam::{DMat3, DQuat, DVec3};
use sinew::laws::rigs::direction;
use sinew::math::ops;
use sinew::{JointSpec, Kind, Pose, Rotation, Skeleton, SkeletonBuilder};

/// A free root, hinges of which one follows another, a slide, balls, and a second root.
fn skeleton(rng: &mut Rng) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    let kinds = [
        Kind::Free,
        Kind::hinge(direction(rng)),
        Kind::BALL,
        Kind::slide(direction(rng)),
        Kind::hinge(direction(rng)),
        Kind::BALL,
        Kind::Fixed,
    ];
    for (i, kind) in kinds.into_iter().enumerate() {
        let spec = JointSpec::named(format!("joint_{i}")).kind(kind).translation(direction(rng));
        let spec = spec.rotation(Rotation::about(direction(rng), rng.f64()));
        let spec = if i == 4 { spec.mimic("joint_1", -1.5, 0.3) } else { spec };
        builder.add(if i == 0 || i == 6 { spec } else { spec.child_of(i - 1 - i / 5) });
    }
    builder.build().unwrap()
}

/// Everything random; hinges turned by up to two whole turns, and by a little off their axes where `off` says so.
fn random(skeleton: &Skeleton, off: bool, rng: &mut Rng) -> Pose {
    let mut pose = skeleton.rest_pose();
    for joint in skeleton.iter() {
        let mut local = *pose.local(joint);
        local.scale = DVec3::new(0.5 + rng.f64(), 1.0, 1.5 - rng.f64());
        if matches!(skeleton.kind(joint), Kind::Ball(_) | Kind::Free) {
            local.rotation = Rotation::about(direction(rng), 6.0 * rng.f64()).quaternion();
            local.translation = direction(rng);
        }
        pose.edit(skeleton).local(joint, local);
    }
    for coordinate in 0..skeleton.coordinates().len() {
        pose.edit(skeleton).coordinate(coordinate, 25.0 * rng.f64() - 12.0);
    }
    let hinge = skeleton.joint("joint_4").unwrap();
    if off {
        let rotation = pose.local(hinge).rotation * Rotation::about(direction(rng), 0.1).quaternion();
        pose.edit(skeleton).rotation(hinge, rotation);
    }
    pose
}

/// Cosine of the angle between two rotations, from their matrices.
fn cosine(a: DQuat, b: DQuat) -> f64 {
    let m = DMat3::from_quat(a).transpose() * DMat3::from_quat(b);
    0.5 * (m.x_axis.x + m.y_axis.y + m.z_axis.z - 1.0)
}

/// `arccos`, where it keeps its digits.
fn angle(cosine: f64) -> f64 {
    ops::atan2(ops::sqrt((1.0 - cosine * cosine).max(0.0)), cosine)
}

#[test]
fn the_difference_is_that_of_matrices_and_places() {
    let mut rng = Rng::with_seed(1);
    for case in 0..200 {
        let skeleton = skeleton(&mut rng);
        let [a, b] = [0, 1].map(|_| random(&skeleton, case % 2 == 0, &mut rng));
        let (mut farthest, mut widest) = (0.0_f64, 0.0_f64);
        for joint in skeleton.iter() {
            let apart = a.joint_difference(&b, joint);
            let (distance, turn) =
                (a.position(joint) - b.position(joint), cosine(a.local(joint).rotation, b.local(joint).rotation));
            assert!((apart.distance - ops::sqrt(distance.dot(distance))).abs() < 1e-12);
            assert!((ops::sin_cos(apart.angle).1 - turn).abs() < 1e-12, "{apart:?}");
            assert!((0.0..=std::f64::consts::PI).contains(&apart.angle));
            (farthest, widest) = (farthest.max(apart.distance), widest.max(apart.angle));
        }
        let most = a.difference(&b);
        assert_eq!((most.distance, most.angle), (farthest, widest));
        let back = b.difference(&a);
        assert!(back.distance == most.distance && (back.angle - most.angle).abs() < 1e-14);
        assert_eq!(a.difference(&a), sinew::Difference::default());
    }
}

#[test]
fn a_difference_to_what_is_no_number_is_none() {
    let skeleton = Skeleton::from_lengths(&[1.0; 3]).unwrap();
    let middle = skeleton.joint("joint_1").unwrap();
    let (rest, mut broken) = (skeleton.rest_pose(), skeleton.rest_pose());
    broken.edit(&skeleton).translation(middle, DVec3::NAN);
    assert!(rest.difference(&broken).distance.is_nan());
    broken.edit(&skeleton).rotation(middle, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    assert!(rest.difference(&broken).angle.is_nan());
}

#[test]
fn a_blend_is_on_the_line_and_on_the_shortest_turn() {
    let mut rng = Rng::with_seed(2);
    for case in 0..300 {
        let skeleton = skeleton(&mut rng);
        let (off, share) = (case % 3 == 0, rng.f64());
        let [a, b] = [0, 1].map(|_| random(&skeleton, off, &mut rng));
        let mut pose = a.clone();
        pose.blend(&skeleton, &b, share);
        let line = |from: DVec3, to: DVec3| from * (1.0 - share) + to * share;
        for (q, (from, to)) in pose.coordinates().iter().zip(a.coordinates().iter().zip(b.coordinates())) {
            assert!((q - from * (1.0 - share) - to * share).abs() < 1e-12);
        }
        for joint in skeleton.iter() {
            let [from, now, to] = [&a, &pose, &b].map(|pose| *pose.local(joint));
            assert!((now.translation - line(from.translation, to.translation)).length() < 1e-12);
            assert!((now.scale - line(from.scale, to.scale)).length() < 1e-12);
            assert!((now.rotation.length() - 1.0).abs() < 1e-14);
            if !matches!(skeleton.kind(joint), Kind::Hinge { .. }) {
                // Slerp, by its own formula.
                let signed = if from.rotation.dot(to.rotation) < 0.0 { -to.rotation } else { to.rotation };
                let half = angle(from.rotation.dot(signed));
                let sine = |angle: f64| ops::sin_cos(angle).0;
                let slerp = if half < 1e-6 {
                    from.rotation
                } else {
                    (from.rotation * sine(half * (1.0 - share)) + signed * sine(half * share)) * (1.0 / sine(half))
                };
                assert!(cosine(slerp, now.rotation) > 1.0 - 1e-12, "{:?}", skeleton.name(joint));
            }
        }
        // It is a pose of the skeleton: the coordinates say where joints stand, and forward kinematics is up to date.
        let mut again = skeleton.rest_pose();
        for joint in skeleton.iter() {
            again.edit(&skeleton).local(joint, *pose.local(joint));
        }
        for (coordinate, &q) in pose.coordinates().iter().enumerate() {
            again.edit(&skeleton).coordinate(coordinate, q);
        }
        if !off {
            let apart = again.difference(&pose);
            assert!(apart.distance < 1e-11 && apart.angle < 1e-11, "{apart:?}");
        }
        for joint in skeleton.iter() {
            let above = skeleton.parent(joint).map_or(*skeleton.base(joint), |parent| *pose.model(parent));
            assert_eq!(*pose.model(joint), above * pose.local(joint).to_affine());
        }
    }
}

#[test]
fn a_blend_is_exact_at_its_ends_and_continuous_there() {
    let mut rng = Rng::with_seed(3);
    for case in 0..100 {
        let skeleton = skeleton(&mut rng);
        let [a, b] = [0, 1].map(|_| random(&skeleton, case % 2 == 0, &mut rng));
        let at = |share: f64| {
            let mut pose = a.clone();
            pose.blend(&skeleton, &b, share);
            pose
        };
        assert!([0.0, -1.0, f64::NAN].iter().all(|&share| at(share) == a));
        assert!([1.0, 3.0].iter().all(|&share| at(share) == b));
        for (share, end) in [(1e-9, &a), (1.0 - 1e-9, &b)] {
            let apart = at(share).difference(end);
            assert!(apart.distance < 1e-6 && apart.angle < 1e-6, "{apart:?}");
        }
        let mut same = a.clone();
        same.blend(&skeleton, &a, rng.f64());
        assert!(same == a);
    }
}

#[test]
fn a_hinge_turns_as_its_coordinate_does_and_not_the_shortest_way() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("hinge").kind(Kind::hinge(DVec3::Z)));
    let skeleton = builder.build().unwrap();
    let (hinge, turn) = (skeleton.joint("hinge").unwrap(), 4.0 * std::f64::consts::PI);
    let (mut pose, mut to) = (skeleton.rest_pose(), skeleton.rest_pose());
    to.edit(&skeleton).coordinate(0, turn);
    pose.blend(&skeleton, &to, 0.125);
    assert_eq!(pose.coordinates(), [0.125 * turn]);
    let wanted = Rotation::about(DVec3::Z, 0.125 * turn).quaternion();
    assert!(cosine(pose.local(hinge).rotation, wanted) > 1.0 - 1e-14);
}

#[test]
fn nothing_is_allocated() {
    let mut rng = Rng::with_seed(4);
    let skeleton = skeleton(&mut rng);
    let [mut a, b] = [0, 1].map(|_| random(&skeleton, true, &mut rng));
    let counted = measure(|| {
        a.blend(&skeleton, &b, 0.3);
        a.blend(&skeleton, &b, 1.0);
        let _ = a.difference(&b);
    });
    assert_eq!(counted.count_total, 0);
}

fn two_skeletons() -> [Skeleton; 2] {
    [[1.0; 3], [2.0; 3]].map(|lengths| Skeleton::from_lengths(&lengths).unwrap())
}

#[test]
#[should_panic(expected = "the poses belong to different skeletons")]
fn poses_of_different_skeletons_have_no_difference() {
    let [one, other] = two_skeletons();
    let _ = one.rest_pose().difference(&other.rest_pose());
}

#[test]
#[should_panic(expected = "the poses belong to different skeletons")]
fn poses_of_different_skeletons_have_no_blend() {
    let [one, other] = two_skeletons();
    one.rest_pose().blend(&one, &other.rest_pose(), 0.5);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "the joint belongs to another skeleton")]
fn a_pose_refuses_a_joint_of_another_skeleton() {
    let [one, other] = two_skeletons();
    let _ = one.rest_pose().position(other.at(1).unwrap());
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "the joint belongs to another skeleton")]
fn an_edit_refuses_a_joint_of_another_skeleton() {
    let [one, other] = two_skeletons();
    one.rest_pose().edit(&one).translation(other.at(1).unwrap(), DVec3::X);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "the joint belongs to another skeleton")]
fn a_skeleton_refuses_a_joint_of_another() {
    let [one, other] = two_skeletons();
    let _ = one.rest(other.at(1).unwrap());
}

/// A follower with a small multiplier brings the coordinate to the end of its range, not past it by what its own rounding
/// amounts to.
#[test]
fn a_follower_inside_its_range_leaves_its_coordinate_inside() {
    for seed in 0..200 {
        let rng = &mut Rng::with_seed(seed);
        let mut builder = SkeletonBuilder::new();
        let end = -rng.f64();
        builder.add(JointSpec::named("leads").kind(Kind::hinge(DVec3::X).within(end, 1.0)));
        let offset = rng.f64() - 0.5;
        builder.add(
            JointSpec::named("follows").child_of(0).kind(Kind::hinge(direction(rng))).mimic("leads", 1e-9, offset),
        );
        let skeleton = builder.build().unwrap();
        let [leads, follows] = ["leads", "follows"].map(|name| skeleton.joint(name).unwrap());
        let mut pose = skeleton.rest_pose();
        let least = skeleton.range(follows).min;
        let Kind::Hinge { axis, .. } = skeleton.kind(follows) else { unreachable!() };
        pose.edit(&skeleton).rotation(follows, Rotation::about(axis, least));
        let value = pose.value(&skeleton, leads);
        assert!(value >= end - 1e-12, "seed {seed}: {value} below {end}");
    }
}
