//! What users rely on of skeletons, poses and chains: order, hostile input, names, coordinates.

use std::f64::consts::PI;

use sinew::glam::{DAffine3, DMat4, DQuat, DVec3};
use sinew::{
    BallLimit, Chain, ChainError, JointSpec, Kind, NameError, NamedJoint, ParentRef, Rotation, Skeleton,
    SkeletonBuilder, SkeletonError, Transform, TwoBone, limit,
};

fn build(specs: impl IntoIterator<Item = JointSpec>) -> Result<Skeleton, SkeletonError> {
    let mut builder = SkeletonBuilder::new();
    for spec in specs {
        builder.add(spec);
    }
    builder.build()
}

#[test]
fn any_order_in_depth_first_out() {
    // Children before parents; the caller's indices come back.
    let s = build([
        JointSpec::named("hand").child_of("arm").translation(DVec3::X),
        JointSpec::named("foot").child_of(4).translation(DVec3::NEG_Y * 3.0),
        JointSpec::named("arm").child_of("hips").translation(DVec3::Y),
        JointSpec::named("hips"),
        JointSpec::named("leg").child_of(3).translation(DVec3::NEG_Y),
    ])
    .unwrap();
    let names: Vec<_> = s.iter().map(|j| s.name(j).unwrap()).collect();
    // The longest chain (the leg) first.
    assert_eq!(names, ["hips", "leg", "foot", "arm", "hand"]);
    let [hips, leg, foot, arm] = s.joints(["hips", "leg", "foot", "arm"]).unwrap();
    assert_eq!(s.children(hips).collect::<Vec<_>>(), [leg, arm]);
    assert_eq!(s.subtree(leg), 1..3);
    assert!(s.is_below(foot, leg) && !s.is_below(arm, leg));
    assert_eq!((s.caller_index(foot), s.from_caller(1)), (1, Some(foot)));
    assert_eq!(s.parent(hips), None);
}

#[test]
fn the_named_spine_comes_first() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("hips"));
    builder.add(JointSpec::named("leg").child_of(0).translation(DVec3::NEG_Y * 9.0));
    builder.add(JointSpec::named("head").child_of(0).translation(DVec3::Y));
    builder.spine("head");
    let s = builder.build().unwrap();
    assert_eq!(s.name(s.at(1).unwrap()), Some("head"));
}

#[test]
fn hostile_input_is_an_error_with_a_place() {
    let hips = || JointSpec::named("hips");
    let named = |index| NamedJoint { index, name: Some("hips".into()) };
    let cases: Vec<(Vec<JointSpec>, SkeletonError)> = vec![
        (vec![], SkeletonError::Empty),
        (vec![hips().child_of(0)], SkeletonError::Cycle { joint: named(0) }),
        (vec![hips(), hips().child_of(2), hips().child_of(1)], SkeletonError::Cycle { joint: named(1) }),
        (vec![hips().child_of(7)], SkeletonError::UnknownParent { joint: named(0), parent: ParentRef::Index(7) }),
        (
            vec![hips(), hips(), hips().child_of("hips")],
            SkeletonError::AmbiguousParent { joint: named(2), name: "hips".into() },
        ),
    ];
    for (specs, error) in cases {
        assert_eq!(build(specs).unwrap_err(), error);
        assert!(error == SkeletonError::Empty || error.to_string().contains("'hips'"), "{error}");
    }
    for bad in [
        hips().translation(DVec3::NAN),
        hips().rotation(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
        JointSpec { stiffness: 0.0, ..hips() },
        JointSpec { base: DAffine3::from_scale(DVec3::INFINITY), ..hips() },
        hips().kind(Kind::hinge(DVec3::ZERO)),
        hips().bend(DVec3::ZERO),
    ] {
        assert!(matches!(build([bad]), Err(SkeletonError::Invalid { joint, .. }) if joint == named(0)));
    }
    assert!(matches!(
        build([hips().kind(Kind::hinge(DVec3::X).within(1.0, -1.0))]),
        Err(SkeletonError::EmptyRange { joint }) if joint == named(0)
    ));
    // Finite transforms that multiply to infinity.
    let big =
        |parent: usize| hips().child_of(parent).rest(Transform { scale: DVec3::splat(1e200), ..Transform::IDENTITY });
    assert!(matches!(build([hips(), big(0), big(1)]), Err(SkeletonError::Invalid { joint, .. }) if joint == named(2)));
}

#[test]
fn a_hundred_thousand_joints_deep_or_wide() {
    let deep = build((0..100_000).map(|i| {
        let spec = JointSpec::named(format!("j{i}")).translation(DVec3::Y * 0.01);
        if i == 0 { spec } else { spec.child_of(i - 1) }
    }))
    .unwrap();
    let tip = deep.joint("j99999").unwrap();
    assert!((deep.rest_pose().position(tip).y - 1000.0).abs() < 1e-6);
    assert_eq!(Chain::to_root(&deep, tip).unwrap().joints().len(), 100_000);
    let wide =
        build((0..100_001).map(|i| if i == 0 { JointSpec::default() } else { JointSpec::default().child_of(0) }))
            .unwrap();
    assert_eq!(wide.children(wide.at(0).unwrap()).count(), 100_000);
    assert!(matches!(wide.find("hand"), Err(NameError::Unknown { .. })));
}

#[test]
fn names_are_found_and_misses_explained() {
    let s = build(["Hips", "LeftHand", "RightHand", "hips"].map(JointSpec::named)).unwrap();
    assert!(s.joint("Hips").is_ok());
    assert_eq!(s.find("lefth").unwrap(), s.joint("LeftHand").unwrap());
    assert!(matches!(s.find("hand"), Err(NameError::Ambiguous { joints, .. }) if joints.len() == 2));
    assert!(matches!(s.find("HIPS"), Err(NameError::Ambiguous { .. })));
    let Err(NameError::Unknown { nearest, .. }) = s.find("LeftHnad") else { panic!("found a typo") };
    assert_eq!(nearest[0], "LeftHand");
    let twins = build(["a", "a"].map(JointSpec::named)).unwrap();
    assert!(matches!(twins.joint("a"), Err(NameError::Ambiguous { .. })));
}

#[test]
fn forward_kinematics_is_the_product_of_matrices() {
    // Non-uniform scale shears: only affine model transforms can say so.
    let local = |i: f64| Transform {
        translation: DVec3::new(i, 0.5, -i),
        rotation: Rotation::about(DVec3::new(1.0, i, 0.3), 0.7 * i).quaternion(),
        scale: DVec3::new(1.0, 1.0 + 0.5 * i, -0.8),
    };
    let base = DAffine3::from_scale_rotation_translation(DVec3::new(-1.0, 2.0, 1.0), local(3.0).rotation, DVec3::Y);
    let s = build([
        JointSpec { base, ..JointSpec::named("a") }.rest(local(0.3)),
        JointSpec::named("b").child_of(0).rest(local(0.9)),
        JointSpec::named("c").child_of(1).rest(local(1.7)),
    ])
    .unwrap();
    let pose = s.rest_pose();
    let mut matrix = DMat4::from(base);
    for joint in s.iter() {
        let l = s.rest(joint);
        matrix *= DMat4::from_scale_rotation_translation(l.scale, l.rotation, l.translation);
        assert!(DMat4::from(*pose.model(joint)).abs_diff_eq(matrix, 1e-12));
    }
}

#[test]
fn an_edit_updates_what_hangs_on_it_and_nothing_else() {
    let s = Skeleton::from_lengths(&[1.0, 1.0, 1.0]).unwrap();
    let mut pose = s.rest_pose();
    let rest = pose.clone();
    let second = s.joint("joint_1").unwrap();
    pose.edit(&s).rotation(second, Rotation::about(DVec3::Z, PI / 2.0));
    let at = |i: usize| pose.position(s.at(i).unwrap());
    assert!(at(1).distance(DVec3::Y) < 1e-15 && at(3).distance(DVec3::new(-2.0, 1.0, 0.0)) < 1e-12);
    pose.reset(&s);
    assert_eq!(pose, rest);
    pose.clone_from(&rest);
    assert!(pose.fits(&s) && !pose.fits(&Skeleton::from_lengths(&[1.0]).unwrap()));
}

#[test]
fn coordinates_drive_hinges_slides_and_mimics() {
    let s = build([
        JointSpec::named("base"),
        JointSpec::named("knuckle").child_of(0).translation(DVec3::Y).kind(Kind::hinge(DVec3::X).within(-1.0, 2.0)),
        // Follows a follower: 2 (3 q + 0.1) - 0.5.
        JointSpec::named("tip").child_of(1).kind(Kind::hinge(DVec3::X)).mimic("middle", 2.0, -0.5),
        JointSpec::named("middle").child_of(1).kind(Kind::hinge(DVec3::X).within(-3.0, 3.0)).mimic("knuckle", 3.0, 0.1),
        JointSpec::named("rail").child_of(0).kind(Kind::slide(DVec3::Z).within(0.0, 0.5)),
    ])
    .unwrap();
    let names: Vec<_> = s.coordinates().iter().map(|c| c.name.clone().unwrap()).collect();
    assert_eq!(names, ["knuckle", "rail"]);
    assert_eq!(["rail", "tip", "base"].map(|name| s.coordinate(name)), [Some(1), None, None]);
    // The range is what every joint of the coordinate allows.
    assert!((s.coordinates()[0].range.max - 2.9 / 3.0).abs() < 1e-12);
    let [knuckle, tip, middle, rail] = s.joints(["knuckle", "tip", "middle", "rail"]).unwrap();
    let mut pose = s.rest_pose();
    pose.edit(&s).coordinate(0, 0.3).coordinate(1, 0.25);
    let turn = |joint, angle: f64| pose.local(joint).rotation.dot(DQuat::from_rotation_x(angle)).abs() > 1.0 - 1e-14;
    assert!(turn(knuckle, 0.3) && turn(middle, 1.0) && turn(tip, 1.5));
    assert!((pose.position(rail) - DVec3::Z * 0.25).length() < 1e-15);
    // A local sets the coordinate to the turn nearest the value before, and followers move along;
    // what lies off the axis stays.
    pose.edit(&s).coordinate(0, 3.0);
    pose.edit(&s)
        .rotation(knuckle, Rotation::about(DVec3::X, 3.3 - 2.0 * PI).quaternion() * DQuat::from_rotation_z(0.1));
    assert!((pose.coordinates()[0] - 3.3).abs() < 1e-9, "{}", pose.coordinates()[0]);
    assert!((pose.value(&s, middle) - 10.0).abs() < 1e-9);
    let q = pose.local(knuckle).rotation;
    assert!(q.y.hypot(q.z) > 0.01);
    // Mimics that lead nowhere.
    let lost = |of: &str| build([JointSpec::named("a").kind(Kind::hinge(DVec3::X)).mimic(of, 1.0, 0.0)]);
    for of in ["b", "a"] {
        assert!(lost(of).is_err_and(|error| error.to_string().starts_with("joint 0 'a' mimics ")));
    }
}

#[test]
fn neutral_is_rest_projected_on_the_limits() {
    let cone = limit::SwingTwist::new(DVec3::Y, 0.3, limit::Range::new(-0.2, 0.2)).unwrap();
    let zero = Some(Transform::from_rotation(Rotation::about(DVec3::X, 1.0)));
    let s = build([
        JointSpec { zero, ..JointSpec::named("ball") }.kind(Kind::Ball(BallLimit::SwingTwist(cone))),
        JointSpec { zero, ..JointSpec::named("hinge").child_of(0) }.kind(Kind::hinge(DVec3::X).within(-0.5, 0.5)),
    ])
    .unwrap();
    let (rest, neutral) = (s.rest_pose(), s.neutral_pose());
    assert_eq!(rest.local(s.at(0).unwrap()).rotation, DQuat::IDENTITY);
    assert!((rest.coordinates()[0] + 1.0).abs() < 1e-12);
    assert!((neutral.coordinates()[0] + 0.5).abs() < 1e-12);
    // One radian off its zero about X, allowed 0.3: 0.7 is left.
    assert!((neutral.rotation(s.at(0).unwrap()).to_axis_angle().1 - 0.7).abs() < 1e-9);
}

#[test]
fn neutral_is_on_the_axis_of_a_hinge_that_rests_askew() {
    let askew = Transform::from_rotation(Rotation::about(DVec3::new(0.3, 0.0, 1.0), 0.5));
    let zero = Some(Transform::IDENTITY);
    let s = build([JointSpec { zero, ..JointSpec::named("hinge") }.rest(askew).kind(Kind::hinge(DVec3::Z))]).unwrap();
    let (hinge, neutral) = (s.at(0).unwrap(), s.neutral_pose());
    assert!(neutral.local(hinge).rotation.x.abs() < 1e-15 && neutral.coordinates()[0] > 0.4);
    assert_eq!(neutral.coordinates(), s.rest_pose().coordinates());
}

#[test]
fn chains_and_their_errors() {
    let s = Skeleton::from_lengths(&[0.3, 0.2]).unwrap();
    let [a, b, c] = s.joints(["joint_0", "joint_1", "joint_2"]).unwrap();
    let chain = Chain::new(&s, a, c).unwrap();
    assert_eq!((chain.base(), chain.joints(), chain.tip()), (a, &[a, b, c][..], c));
    assert!((chain.rest_lengths(&s)[1] - 0.2).abs() < 1e-15);
    let told = |found: Result<Chain, ChainError>| found.unwrap_err().to_string();
    assert_eq!(told(Chain::new(&s, c, a)), "joint 0 'joint_0' does not lie below joint 2 'joint_2'");
    assert!(told(TwoBone::ending_at(&s, b).and_then(|limb| Chain::new(&s, limb.root, b))).contains("'joint_1'"));
    let other = Skeleton::from_lengths(&[1.0]).unwrap();
    assert_eq!(Chain::new(&s, a, other.at(1).unwrap()), Err(ChainError::Foreign));
}

#[test]
fn a_revised_skeleton_is_the_same_but_for_what_was_changed() {
    let turned = |x: f64| Rotation::about(DVec3::new(1.0, x, 0.3), x);
    let old = build([
        JointSpec::named("a").child_of("root").rotation(turned(0.3)).kind(Kind::hinge(DVec3::X).within(-1.0, 1.0)),
        JointSpec::named("b").child_of("a").rotation(turned(0.7)).kind(Kind::hinge(DVec3::Z)).mimic("a", 2.0, 0.5),
        JointSpec {
            coordinate: Some("reach".into()),
            ..JointSpec::named("c").child_of("b").kind(Kind::slide(DVec3::Y))
        },
        JointSpec::named("root").rotation(turned(1.1)),
        JointSpec::named("d").child_of("root").translation(DVec3::Y * 9.0).bend(DVec3::X),
    ])
    .unwrap();
    // Nothing changed: even handles and poses fit.
    let same = old.revised(|_, _| {}).unwrap();
    let mut pose = old.rest_pose();
    pose.edit(&old).coordinate(0, 0.4).coordinate(1, 2.0);
    assert!(pose.fits(&same) && old.iter().eq(same.iter()));
    let mut other = same.rest_pose();
    other.edit(&same).coordinate(0, 0.4).coordinate(1, 2.0);
    assert_eq!(pose, other);
    assert_eq!(old.coordinates(), same.coordinates());
    for joint in old.iter() {
        assert_eq!(
            (old.drive(joint), old.kind(joint), old.bend(joint)),
            (same.drive(joint), same.kind(joint), same.bend(joint))
        );
        assert_eq!((old.zero(joint), old.caller_index(joint)), (same.zero(joint), same.caller_index(joint)));
    }
    // A new name, a hinge become a ball with the other still its follower's leader, and parents as they were.
    let d = old.joint("d").unwrap();
    let new = old.revised(|joint, spec| {
        spec.parent = None;
        if joint == d {
            (spec.name, spec.stiffness) = (Some("tail".into()), 3.0);
        }
    });
    let new = new.unwrap();
    let tail = new.joint("tail").unwrap();
    assert_eq!((new.stiffness(tail), new.roots().len()), (3.0, 1));
    // A joint by another name is still that joint.
    assert!(tail == d && pose.fits(&new));
    let broken = old.revised(|_, spec| spec.stiffness = 0.0);
    assert!(matches!(broken, Err(SkeletonError::Invalid { joint, .. }) if joint.index == 0));
}
