//! Joints of every kind, and the settings of their steps.

use sinew::Status;
use sinew::solve::ccd::{Balls, Order};

use super::*;

#[test]
fn slides_take_the_mean_and_stop_at_their_ends() {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let gantry = chain(&axes.map(|axis| Kind::slide(axis).within(-0.5, 0.5)));
    let (skeleton, tip) = &gantry;
    let mut pose = skeleton.rest_pose();
    let to = pose.position(*tip) + DVec3::new(0.3, -0.2, 0.45);
    let outcome = solve(&Ccd::default(), skeleton, &[Goal::position(*tip, to)], &mut pose);
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
    assert!(pose.position(*tip).distance(to) < 1e-12);
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let from = pose.position(*tip);
    let goal = Goal::position(*tip, from + DVec3::new(0.7, 0.2, 0.0));
    let outcome = Ccd::default().solve(skeleton, &[goal], &mut pose, &mut work);
    assert_eq!(outcome.status, Status::Limited);
    assert!(work.blocking(0).eq(skeleton.at(0)), "the slide along X stands in the way");
    assert!(pose.position(*tip).distance(from + DVec3::new(0.5, 0.2, 0.0)) < 1e-12);
}

#[test]
fn an_arm_of_hinges_and_a_slide_reaches() {
    let kinds =
        [Kind::hinge(DVec3::Z), Kind::hinge(DVec3::Y).within(-2.0, 2.0), Kind::slide(DVec3::X).within(0.0, 0.6)];
    let arm = chain(&kinds);
    let mut rng = fastrand::Rng::with_seed(21);
    for _ in 0..200 {
        let goal = place(&allowed(&arm.0, &mut rng), arm.1);
        let mut pose = arm.0.rest_pose();
        let outcome = solve(&Ccd::default(), &arm.0, &[goal], &mut pose);
        assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
        assert!(inside(&arm.0, &pose));
    }
}

#[test]
fn a_free_root_goes_where_several_points_fit() {
    let skeleton = built([
        JointSpec::named("body").kind(Kind::Free),
        JointSpec::named("nose").child_of(0).translation(DVec3::X).kind(Kind::Fixed),
        JointSpec::named("tail").child_of(0).translation(-DVec3::X).kind(Kind::Fixed),
        JointSpec::named("fin").child_of(0).translation(DVec3::Y).kind(Kind::Fixed),
    ]);
    let [nose, tail, fin] = skeleton.joints(["nose", "tail", "fin"]).unwrap();
    let (turn, shift) = (Rotation::about(DVec3::new(1.0, 2.0, -1.0), 2.5).quaternion(), DVec3::new(3.0, -1.0, 4.0));
    let mut pose = skeleton.rest_pose();
    let goals = [(nose, DVec3::X), (tail, -DVec3::X), (fin, DVec3::Y)]
        .map(|(joint, at)| Goal::position(joint, turn * at + shift));
    let outcome = solve(
        &Ccd { position_tolerance: 1e-10, rotation_tolerance: 1e-10, ..Ccd::default() },
        &skeleton,
        &goals,
        &mut pose,
    );
    assert_eq!((outcome.status, outcome.iterations), (Status::Reached, 1), "{outcome:?}");
    assert!(pose.rotation(skeleton.at(0).unwrap()).dot(turn).abs() > 1.0 - 1e-12);
}

#[test]
fn followers_move_with_their_coordinate() {
    let hinge = Kind::hinge(DVec3::Z).within(0.0, 1.5);
    let phalanx = |name: &str, parent: usize| JointSpec::named(name).child_of(parent).translation(DVec3::X * 0.04);
    let skeleton = built([
        JointSpec::named("knuckle").kind(hinge),
        phalanx("middle", 0).kind(hinge).mimic("knuckle", 0.8, 0.0),
        phalanx("last", 1).kind(hinge).mimic("knuckle", 0.6, 0.0),
        phalanx("tip", 2).kind(Kind::Fixed),
    ]);
    let tip = skeleton.joint("tip").unwrap();
    for order in [Order::RootToTip, Order::TipToRoot] {
        for step in 0..=20 {
            let mut goal = skeleton.rest_pose();
            goal.edit(&skeleton).coordinate(0, 0.075 * f64::from(step));
            let mut pose = skeleton.rest_pose();
            let ccd = Ccd { order, position_tolerance: 1e-9, rotation_tolerance: 1e-9, ..Ccd::default() };
            let outcome = solve(&ccd, &skeleton, &[place(&goal, tip)], &mut pose);
            assert_eq!(outcome.status, Status::Reached, "{order:?} {step}: {outcome:?}");
            assert!((pose.coordinates()[0] - goal.coordinates()[0]).abs() < 1e-6);
        }
    }
}

#[test]
fn per_axis_steps_reach_and_keep_off_gimbal_lock() {
    let ccd = Ccd { balls: Balls::PerAxis, ..Ccd::default() };
    for (skeleton, tip) in [chain(&[Kind::BALL; 4]), cones(5)] {
        let mut rng = fastrand::Rng::with_seed(22);
        let reached = (0..200).filter(|_| {
            let mut pose = skeleton.rest_pose();
            let goal = place(&allowed(&skeleton, &mut rng), tip);
            let outcome = solve(&ccd, &skeleton, &[goal], &mut pose);
            assert!(inside(&skeleton, &pose));
            outcome.status == Status::Reached
        });
        let rate = reached.count() as f64 / 200.0;
        assert!(rate >= 0.99, "{rate}");
    }
    // Straight up takes a middle angle of a quarter turn; it stops a degree before.
    let (skeleton, tip) = chain(&[Kind::BALL]);
    let mut pose = skeleton.rest_pose();
    let outcome = solve(&ccd, &skeleton, &[Goal::position(tip, -DVec3::Z)], &mut pose);
    assert!(outcome.position_error < 0.018, "{outcome:?}");
}

#[test]
fn damping_bounds_every_turn() {
    for (skeleton, tip) in [hinges(6), chain(&[Kind::BALL; 4]), cones(5)] {
        let mut rng = fastrand::Rng::with_seed(23);
        for _ in 0..50 {
            let goal = place(&allowed(&skeleton, &mut rng), tip);
            let from = allowed(&skeleton, &mut rng);
            let mut pose = from.clone();
            let ccd = Ccd { iterations: 1, damping: 0.05, ahead: false, ..Ccd::default() };
            let _ = solve(&ccd, &skeleton, &[goal], &mut pose);
            for joint in skeleton.iter() {
                let half = from.local(joint).rotation.dot(pose.local(joint).rotation).abs().min(1.0);
                assert!(2.0 * libm::acos(half) < 0.05 + 1e-7, "{}", 2.0 * libm::acos(half));
            }
        }
        let goal = place(&allowed(&skeleton, &mut rng), tip);
        let mut pose = skeleton.rest_pose();
        let outcome = solve(&Ccd { damping: 0.05, ..Ccd::default() }, &skeleton, &[goal], &mut pose);
        assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
    }
}
