//! Handles, poses and states live on: in a revision of their skeleton, in copies, and between sinew and an engine.

use fastrand::Rng;
use sinew::glam::{DAffine3, DQuat, DVec3};
use sinew::laws::rigs::rotation;
use sinew::limit::{Range, SwingTwist};
use sinew::springs::{SpringState, Springs};
use sinew::{
    Auto, BallLimit, Goal, JointSpec, Kind, Pose, Rotation, Skeleton, SkeletonBuilder, Solver, Transform, Workspace,
};

/// Four links: a ball, a hinge of many turns, a slide, balls.
fn chain() -> Skeleton {
    let kinds = [Kind::BALL, Kind::hinge(DVec3::X).within(-20.0, 20.0), Kind::slide(DVec3::Z), Kind::BALL, Kind::BALL];
    let mut builder = SkeletonBuilder::new();
    for (i, kind) in kinds.into_iter().enumerate() {
        let rest = Transform {
            translation: DVec3::new(0.1, 0.5, 0.0),
            rotation: Rotation::about(DVec3::Z, 0.2 * i as f64).quaternion(),
            scale: if i == 1 { DVec3::new(2.0, 1.0, -1.5) } else { DVec3::ONE },
        };
        let spec = JointSpec::named(format!("joint {i}")).rest(rest).kind(kind);
        builder.add(if i == 0 { spec } else { spec.child_of(i - 1) });
    }
    builder.build().expect("a chain")
}

fn turned(skeleton: &Skeleton, rng: &mut Rng) -> Pose {
    let mut pose = skeleton.rest_pose();
    for joint in skeleton.iter().filter(|&joint| matches!(skeleton.kind(joint), Kind::Ball(_))) {
        pose.edit(skeleton).rotation(joint, rotation(rng));
    }
    pose.edit(skeleton).coordinate(0, 7.5 - rng.f64()).coordinate(1, rng.f64());
    pose
}

#[test]
fn handles_and_poses_outlive_what_does_not_concern_them() {
    let skeleton = chain();
    let pose = turned(&skeleton, &mut Rng::with_seed(1));
    let tip = skeleton.joint("joint 4").expect("named so");
    let cone = SwingTwist::new(DVec3::Y, 0.5, Range::FREE).expect("a cone");
    let limited = skeleton.revised(|joint, spec| {
        spec.stiffness = 2.0;
        match spec.kind {
            Kind::Ball(_) => spec.kind = Kind::Ball(BallLimit::SwingTwist(cone)),
            Kind::Hinge { .. } => spec.kind = Kind::hinge(DVec3::X).within(0.0, 1.0),
            _ => {}
        }
        if joint == tip {
            spec.rest.translation = DVec3::Y;
        }
    });
    let limited = limited.expect("limits alone");
    assert!(limited.contains(tip) && pose.fits(&limited) && limited.rest(tip).translation == DVec3::Y);
    assert_eq!(pose.revised(&skeleton, &limited).as_ref(), Some(&pose));
    // Another axis is another coordinate; the handle still is the joint's.
    let hinged = skeleton.revised(|joint, spec| {
        if joint == tip {
            spec.kind = Kind::hinge(DVec3::Z);
        }
    });
    let hinged = hinged.expect("one more hinge");
    assert!(hinged.contains(tip) && !pose.fits(&hinged));
    // Other skeletons are others.
    let other = Skeleton::from_lengths(&[1.0; 4]).expect("a chain");
    assert!(!other.contains(tip) && !pose.fits(&other) && pose.revised(&skeleton, &other).is_none());
}

#[test]
fn a_pose_is_brought_along_with_its_turns() {
    let skeleton = chain();
    let tip = skeleton.joint("joint 4").expect("named so");
    let hinge = skeleton.joint("joint 1").expect("named so");
    let mut pose = turned(&skeleton, &mut Rng::with_seed(2));
    let bent = skeleton.rest(tip).rotation * DQuat::from_rotation_z(0.7);
    pose.edit(&skeleton).rotation(tip, bent);
    let to = skeleton.revised(|joint, spec| match spec.kind {
        Kind::Slide { .. } => spec.kind = Kind::Fixed,
        Kind::Ball(_) if joint == tip => spec.kind = Kind::hinge(DVec3::Z),
        _ => {}
    });
    let to = to.expect("another hinge, no slide");
    let carried = pose.revised(&skeleton, &to).expect("a revision");
    assert!(carried.fits(&to));
    for joint in skeleton.iter() {
        assert_eq!((carried.local(joint), carried.model(joint)), (pose.local(joint), pose.model(joint)));
    }
    assert!((carried.value(&to, tip) - 0.7).abs() < 1e-12);
    assert!(carried.value(&to, hinge) > 6.4 && carried.value(&to, hinge) == pose.value(&skeleton, hinge));
}

/// What a workspace keeps of a skeleton it does not keep for a revision of it.
#[test]
fn a_workspace_knows_a_revision_from_its_skeleton() {
    let free = Skeleton::from_lengths(&[0.4, 0.3, 0.2]).expect("a chain");
    let cone = SwingTwist::new(DVec3::Y, 0.6, Range::new(-0.3, 0.3)).expect("a cone");
    let limited = free.revised(|_, spec| spec.kind = Kind::Ball(BallLimit::SwingTwist(cone))).expect("limits alone");
    let tip = free.joint("joint_3").expect("named so");
    let mut work = Workspace::default();
    for (x, y) in [(0.3, 0.6), (0.5, 0.5), (0.1, 0.4)] {
        let goal = Goal::position(tip, DVec3::new(x, y, 0.1));
        for skeleton in [&free, &limited, &free] {
            let (mut used, mut fresh) = (skeleton.rest_pose(), skeleton.rest_pose());
            let again = Auto::default().solve(skeleton, &[goal], &mut used, &mut work);
            let once = Auto::default().solve(skeleton, &[goal], &mut fresh, &mut Workspace::default());
            assert_eq!((again, used), (once, fresh), "{goal:?}");
        }
    }
}

#[test]
fn an_engines_matrices_are_a_pose() {
    let mut rng = Rng::with_seed(3);
    let skeleton = chain();
    for _ in 0..50 {
        let wanted = turned(&skeleton, &mut rng);
        let mut models: Vec<DAffine3> = skeleton.iter().map(|joint| *wanted.model(joint)).collect();
        let mut pose = turned(&skeleton, &mut rng);
        assert!(pose.set_models(&skeleton, &models));
        for joint in skeleton.iter() {
            assert!(pose.model(joint).abs_diff_eq(*wanted.model(joint), 1e-12));
            let turns = (pose.value(&skeleton, joint) - wanted.value(&skeleton, joint)) / core::f64::consts::TAU;
            assert!((turns - turns.round()).abs() < 1e-12);
        }
        let before = pose.clone();
        assert!(!pose.set_models(&skeleton, &models[1..]));
        models[2].matrix3.x_axis = models[2].matrix3.y_axis;
        assert!(!pose.set_models(&skeleton, &models));
        models[2].matrix3.x_axis = DVec3::NAN;
        assert!(!pose.set_models(&skeleton, &models) && pose == before);
    }
}

#[test]
fn a_copied_state_goes_on_as_the_state_does() {
    let skeleton = Skeleton::from_lengths(&[0.3; 4]).expect("a chain");
    let [first, last] = skeleton.joints(["joint_0", "joint_4"]).expect("named so");
    let springs = Springs { gravity: DVec3::X * 5.0, ..Springs::chain(&skeleton, first, last).expect("a chain") };
    let (mut pose, mut state) = (skeleton.rest_pose(), SpringState::default());
    for _ in 0..20 {
        let _ = springs.step(&skeleton, &mut pose, &mut state, 0.02);
    }
    let (mut other, mut copy) = (skeleton.rest_pose(), state.clone());
    let _ = springs.step(&skeleton, &mut pose, &mut state, 0.02);
    let _ = springs.step(&skeleton, &mut other, &mut copy, 0.02);
    assert_eq!(pose, other);
    assert_ne!(pose, skeleton.rest_pose());
}
