//! FABRIK on aims: chains that share a look, beside places, inside limits, in every space.

use sinew::glam::{DAffine3, DMat3, DVec3};
use sinew::laws::rigs::direction;
use sinew::limit::Range;
use sinew::{
    Fabrik, Goal, JointSpec, Kind, Outcome, Pose, Rotation, Skeleton, SkeletonBuilder, Solver, Status, Tolerance,
    Transform, Workspace,
};

fn solve(skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose) -> (Outcome, Workspace) {
    let mut work = Workspace::default();
    let outcome = Fabrik::default().solve(skeleton, goals, pose, &mut work);
    (outcome, work)
}

/// Angle between an axis of a joint at a point of it, and the way from there to a place.
fn miss(pose: &Pose, goal: &Goal, axis: DVec3, point: DVec3) -> f64 {
    let model = pose.model(goal.joint);
    let (now, to) = (model.transform_vector3(axis), point - model.transform_point3(goal.offset));
    sinew::math::ops::atan2(now.cross(to).length(), now.dot(to))
}

#[test]
fn aims_near_and_far_with_offsets_are_shared_and_met_from_anywhere() {
    let skeleton = Skeleton::from_lengths(&[0.2, 0.3, 0.2, 0.1]).unwrap();
    let tip = skeleton.joint("joint_4").unwrap();
    let mut rng = fastrand::Rng::with_seed(3);
    for i in 0..300 {
        let mut random = |size: f64| DVec3::from_array([0; 3].map(|_| (rng.f64() * 2.0 - 1.0) * size));
        let (axis, point, offset) = (random(1.0), random(1.0).normalize() * [1.2, 3.0, 1e4][i % 3], random(0.05));
        let mut pose = skeleton.rest_pose();
        for joint in skeleton.iter() {
            pose.edit(&skeleton).rotation(joint, Rotation::about(random(1.0), 0.5));
        }
        let goal = Goal::aim(tip, axis, point).offset(offset);
        let (outcome, _) = solve(&skeleton, &[goal], &mut pose);
        assert_eq!(outcome.status, Status::Reached, "{i}: {outcome:?}");
        assert!(miss(&pose, &goal, axis, point) < 2e-9 && outcome.rotation_error < 2e-9);
        // It stays.
        let first = pose.clone();
        let _ = solve(&skeleton, &[goal], &mut pose);
        assert_eq!(pose, first);
        let (outcome, _) = solve(&skeleton, &[Goal::axis(tip, axis, point)], &mut pose);
        assert!(outcome.status == Status::Reached && outcome.rotation_error < 2e-9, "{i}: {outcome:?}");
    }
}

#[test]
fn a_look_behind_turns_every_joint_alike() {
    let skeleton = Skeleton::from_lengths(&[0.2; 4]).unwrap();
    let tip = skeleton.joint("joint_4").unwrap();
    let mut pose = skeleton.rest_pose();
    let (outcome, _) = solve(&skeleton, &[Goal::axis(tip, DVec3::Z, DVec3::NEG_Z)], &mut pose);
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
    for joint in skeleton.iter() {
        let turn = sinew::math::arc::rotation_vector(pose.local(joint).rotation).length();
        assert!((turn - std::f64::consts::PI / 5.0).abs() < 1e-6, "{joint:?} {turn}");
    }
}

#[test]
fn pan_and_tilt_aim_and_name_their_limits() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("pan").kind(Kind::hinge(DVec3::Y).within(-2.0, 2.0)));
    let tilt = JointSpec::named("tilt").child_of("pan").kind(Kind::hinge(DVec3::X).within(-0.8, 0.8));
    builder.add(tilt.translation(DVec3::Y * 0.2));
    let camera = JointSpec::named("camera").child_of("tilt").translation(DVec3::new(0.02, 0.1, 0.1));
    builder.add(camera.kind(Kind::Fixed));
    let skeleton = builder.build().unwrap();
    let [pan, camera] = skeleton.joints(["pan", "camera"]).unwrap();
    for i in 0..=20 {
        let yaw = -1.8 + 0.18 * f64::from(i);
        let (s, c) = sinew::math::ops::sin_cos(yaw);
        let point = DVec3::new(s, 0.3 + 0.02 * f64::from(i), c) * 1.5;
        let (outcome, _) = solve(&skeleton, &[Goal::aim(camera, DVec3::Z, point)], &mut skeleton.rest_pose());
        assert_eq!(outcome.status, Status::Reached, "{i} {outcome:?}");
    }
    let mut pose = skeleton.rest_pose();
    let (s, c) = sinew::math::ops::sin_cos(2.5);
    let (outcome, work) = solve(&skeleton, &[Goal::axis(camera, DVec3::Z, DVec3::new(s, 0.0, c))], &mut pose);
    assert_eq!(outcome.status, Status::Limited);
    assert!((outcome.rotation_error - 0.5).abs() < 1e-3, "{outcome:?}");
    assert_eq!(work.blocking(0).collect::<Vec<_>>(), [pan]);
}

#[test]
fn hands_and_looks_are_met_together_and_measured_from_joints() {
    let mut builder = SkeletonBuilder::new();
    for (name, above, place) in [
        ("hips", "", [0.0, 1.0, 0.0]),
        ("spine", "hips", [0.0, 0.2, 0.0]),
        ("head", "spine", [0.0, 0.4, 0.0]),
        ("arm", "spine", [0.2, 0.3, 0.0]),
        ("elbow", "arm", [0.3, 0.0, 0.0]),
        ("hand", "elbow", [0.25, 0.0, 0.0]),
    ] {
        let spec = JointSpec::named(name).translation(DVec3::from_array(place));
        builder.add(if above.is_empty() { spec } else { spec.child_of(above) });
    }
    // A mirror and scale above all.
    let map = DAffine3::from_mat3_translation(
        DMat3::from_diagonal(DVec3::new(-1.5, 1.5, 1.5)) * DMat3::from_rotation_y(0.4),
        DVec3::ONE,
    );
    let skeleton = builder.build().unwrap();
    let [head, hand] = skeleton.joints(["head", "hand"]).unwrap();
    for i in 0..20 {
        let place = DVec3::new(0.5, 1.0 + 0.03 * f64::from(i), 0.4);
        let goals = [Goal::aim(head, DVec3::Z, DVec3::X * 0.1).relative_to(hand), Goal::position(hand, place)];
        let mut pose = skeleton.rest_pose();
        let (outcome, _) = solve(&skeleton, &goals, &mut pose);
        assert_eq!(outcome.status, Status::Reached, "{i} {outcome:?}");
        let seen = pose.model(hand).transform_point3(DVec3::X * 0.1);
        assert!(miss(&pose, &goals[0], DVec3::Z, seen) < 1e-8 && pose.position(hand).distance(place) < 1e-8);
    }
    let mut mirrored = SkeletonBuilder::new();
    let (scale, rotation, translation) = map.to_scale_rotation_translation();
    mirrored.add(JointSpec::named("top").kind(Kind::Fixed).rest(Transform { translation, rotation, scale }));
    for i in 0..4 {
        let above = if i == 0 { "top".to_string() } else { format!("joint_{}", i - 1) };
        mirrored.add(JointSpec::named(format!("joint_{i}")).child_of(above.as_str()).translation(DVec3::Y * 0.3));
    }
    let skeleton = mirrored.build().unwrap();
    let goal = Goal::aim(skeleton.joint("joint_3").unwrap(), DVec3::Z, DVec3::new(2.0, 3.0, -1.0));
    let mut pose = skeleton.rest_pose();
    let (outcome, _) = solve(&skeleton, &[goal], &mut pose);
    assert!(outcome.status == Status::Reached && outcome.rotation_error < 1e-8, "{outcome:?}");
}

#[test]
fn weights_bases_ups_and_useless_aims() {
    let skeleton = Skeleton::from_lengths(&[0.2; 4]).unwrap();
    let [root, mid, tip] = skeleton.joints(["joint_0", "joint_2", "joint_4"]).unwrap();
    let aside = Goal::axis(tip, DVec3::Z, DVec3::X);
    let mut pose = skeleton.rest_pose();
    let (outcome, _) = solve(&skeleton, &[aside.weight(0.5)], &mut pose);
    assert_eq!(outcome.status, Status::Softened);
    assert!((outcome.rotation_error - std::f64::consts::FRAC_PI_4).abs() < 1e-6, "{outcome:?}");
    let mut pose = skeleton.rest_pose();
    let (outcome, _) = solve(&skeleton, &[aside.base(mid)], &mut pose);
    assert_eq!(outcome.status, Status::Reached);
    assert_eq!(pose.local(root), skeleton.rest_pose().local(root));
    // An up is another solver's.
    assert!(!Fabrik::default().serves(&skeleton, &aside.up(DVec3::Y)));
    let (outcome, _) = solve(&skeleton, &[aside.up(DVec3::Y)], &mut skeleton.rest_pose());
    assert_eq!(outcome.status, Status::Ignored);
    for (goal, status) in [
        (Goal::axis(tip, DVec3::ZERO, DVec3::X), Status::Singular),
        (Goal::axis(tip, DVec3::Z, DVec3::ZERO), Status::Singular),
        (Goal::aim(tip, DVec3::Z, skeleton.rest_pose().position(tip)), Status::TooClose),
    ] {
        let mut pose = skeleton.rest_pose();
        let (outcome, _) = solve(&skeleton, &[goal], &mut pose);
        assert_eq!((outcome.status, pose == skeleton.rest_pose()), (status, true), "{goal:?}");
    }
}

#[test]
fn nothing_is_allocated_after_the_first_look() {
    let skeleton = Skeleton::from_lengths(&[0.2; 6]).unwrap();
    let tip = skeleton.joint("joint_6").unwrap();
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let look = |i: u32| Goal::aim(tip, DVec3::Z, DVec3::new(f64::from(i) - 3.0, 1.0, 2.0));
    let _ = Fabrik::default().solve(&skeleton, &[look(0)], &mut pose, &mut work);
    let counted = allocation_counter::measure(|| {
        for i in 1..8 {
            let _ = Fabrik::default().solve(&skeleton, &[look(i)], &mut pose, &mut work);
        }
    });
    assert_eq!(counted.count_total, 0);
}

/// A joint that the solver leaves as it is, outside its range, is no reason to look for another answer.
#[test]
fn met_aims_stay_below_a_slide_that_is_outside_its_range() {
    let mut builder = SkeletonBuilder::new();
    let slide = Kind::Slide { axis: DVec3::X, range: Range::new(-2.0, -1.0) };
    let mut last = builder.add(JointSpec::named("slide").kind(slide));
    for (i, axis) in [DVec3::X, DVec3::Z, DVec3::X, DVec3::Z].into_iter().enumerate() {
        let hinge = Kind::hinge(axis).within(-1.0, 1.4);
        last = builder.add(JointSpec::named(format!("{i}")).child_of(last).translation(DVec3::Y).kind(hinge));
    }
    let skeleton = builder.build().unwrap();
    let tip = skeleton.at(last).unwrap();
    let mut reached = 0;
    for seed in 0..40 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        pose.edit(&skeleton).coordinate(0, 1.0);
        let exact = Tolerance { position: 1e-6, rotation: 0.0 };
        let goal = Goal::aim(tip, direction(&mut rng), direction(&mut rng) * 9.0).tolerance(exact);
        if Fabrik::default().solve(&skeleton, &[goal], &mut pose, &mut work).status == Status::Reached {
            reached += 1;
            let before = pose.clone();
            let _ = Fabrik::default().solve(&skeleton, &[goal], &mut pose, &mut work);
            assert!(pose == before, "seed {seed}");
        }
    }
    assert!(reached > 10, "{reached}");
}
