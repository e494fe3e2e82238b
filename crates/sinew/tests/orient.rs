//! One joint takes a rotation: any joint, also a root below a mirror, within its limit, by weight.

use sinew::glam::{DAffine3, DQuat, DVec3};
use sinew::math::arc;
use sinew::solve::author;
use sinew::{
    Goal, JointSpec, Kind, Orient, Rotation, Skeleton, SkeletonBuilder, Solver, Status, Tolerance, Transform, Workspace,
};

fn spine(base: DAffine3, kind: Kind) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    let tilted = Rotation::about(DVec3::new(1.0, 2.0, 0.0), 0.7);
    builder.add(JointSpec { base, ..JointSpec::named("hips") }.rotation(tilted));
    builder.add(JointSpec::named("spine").child_of(0).translation(DVec3::Y).rotation(tilted).kind(kind));
    builder.add(JointSpec::named("head").child_of(1).translation(DVec3::Y));
    builder.build().expect("a spine")
}

fn off(a: DQuat, b: DQuat) -> f64 {
    arc::rotation_vector(a * b.conjugate()).length()
}

#[test]
fn any_joint_takes_any_rotation_below_any_base() {
    let wanted = Rotation::about(DVec3::new(0.2, -1.0, 0.4), 2.5).quaternion();
    for scale in [DVec3::ONE, DVec3::splat(3.0), DVec3::new(-1.0, 1.0, 1.0)] {
        let s = spine(DAffine3::from_scale_rotation_translation(scale, wanted, DVec3::X), Kind::BALL);
        for name in ["hips", "spine", "head"] {
            let joint = s.joint(name).expect("named so");
            let (mut pose, mut work) = (s.rest_pose(), Workspace::default());
            let goal = Goal::rotation(joint, wanted);
            let outcome = Orient { joint }.solve(&s, &[goal], &mut pose, &mut work);
            assert_eq!(outcome.status, Status::Reached, "{name} {scale}");
            assert!(off(pose.rotation(joint), wanted) < 1e-12);
            // Nothing else turned, and a second time nothing does.
            assert!(s.iter().filter(|&j| j != joint).all(|j| pose.local(j) == s.rest(j)));
            let once = pose.clone();
            let _ = Orient { joint }.solve(&s, &[goal], &mut pose, &mut work);
            assert_eq!(pose, once);
        }
    }
}

/// Also where a joint above, which it does not move, stands outside its range.
#[test]
fn what_is_met_stays() {
    let s = spine(DAffine3::IDENTITY, Kind::hinge(DVec3::X).within(-0.3, 0.3));
    let [spine, head] = s.joints(["spine", "head"]).expect("named so");
    let (mut pose, mut work) = (s.rest_pose(), Workspace::default());
    let bent = Transform { rotation: s.rest(spine).rotation * DQuat::from_rotation_x(1.0), ..*s.rest(spine) };
    pose.edit(&s).local(spine, bent);
    let before = pose.clone();
    let near = Tolerance { position: 0.0, rotation: 1e-3 };
    let goal = Goal::rotation(head, DQuat::from_rotation_y(1e-4) * pose.rotation(head)).tolerance(near);
    let outcome = Orient { joint: head }.solve(&s, &[goal], &mut pose, &mut work);
    assert_eq!((outcome.status, outcome.iterations), (Status::Reached, 0));
    assert_eq!(pose, before);
}

#[test]
fn limits_hold_and_weights_blend() {
    let s = spine(DAffine3::IDENTITY, Kind::hinge(DVec3::X).within(-0.3, 0.3));
    let joint = s.joint("spine").expect("a spine");
    let rest = s.rest_pose();
    let (mut pose, mut work) = (s.rest_pose(), Workspace::default());
    let wanted = rest.rotation(joint) * DQuat::from_rotation_x(1.0);
    let outcome = Orient { joint }.solve(&s, &[Goal::rotation(joint, wanted)], &mut pose, &mut work);
    assert_eq!(outcome.status, Status::Limited);
    assert_eq!(work.blocking(0).collect::<Vec<_>>(), [joint]);
    assert!((pose.coordinates()[0] - 0.3).abs() < 1e-12 && (outcome.rotation_error - 0.7).abs() < 1e-9);
    let mild = rest.rotation(joint) * DQuat::from_rotation_x(0.2);
    pose.reset(&s);
    let outcome = Orient { joint }.solve(&s, &[Goal::rotation(joint, mild).weight(0.5)], &mut pose, &mut work);
    assert!(outcome.status == Status::Softened && (pose.coordinates()[0] - 0.1).abs() < 1e-9);
    pose.reset(&s);
    let ignored = [Goal::rotation(joint, mild).weight(0.0), Goal::position(joint, DVec3::X)];
    assert_eq!(Orient { joint }.solve(&s, &ignored, &mut pose, &mut work).status, Status::Ignored);
    assert_eq!(pose, rest);
    let bad = [Goal::rotation(joint, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0))];
    assert_eq!(Orient { joint }.solve(&s, &bad, &mut pose, &mut work).status, Status::Invalid);
}

#[test]
fn a_turn_in_model_space_carries_what_hangs_on_the_joint_also_below_a_mirror() {
    let turn = Rotation::about(DVec3::new(0.3, -1.0, 0.5), 1.2).quaternion();
    for scale in [DVec3::ONE, DVec3::splat(3.0), DVec3::new(-1.0, 1.0, 1.0), DVec3::splat(-0.2)] {
        let s = spine(DAffine3::from_scale_rotation_translation(scale, turn, DVec3::X), Kind::BALL);
        let [hips, spine, head] = s.joints(["hips", "spine", "head"]).expect("named so");
        for (joint, below) in [(hips, spine), (hips, head), (spine, head)] {
            let mut pose = s.rest_pose();
            let wanted = pose.position(joint) + turn * (pose.position(below) - pose.position(joint));
            let local = author::turned(&s, &pose, joint, turn).expect("no scale is zero");
            pose.edit(&s).local(joint, local);
            assert!(
                pose.position(below).distance(wanted) < 1e-12,
                "{scale}: {} is not at {wanted}",
                pose.position(below)
            );
        }
    }
    let flat = spine(DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0)), Kind::BALL);
    let joint = flat.joint("spine").expect("a spine");
    assert_eq!(author::turned(&flat, &flat.rest_pose(), joint, turn), None);
}
