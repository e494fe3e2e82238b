//! Goals of every kind, several at a time, on chains and trees.

use std::f64::consts::FRAC_PI_2;

use sinew::glam::{BVec3, DAffine3};
use sinew::{Mask, Status};

use super::*;

/// A spine of two balls that carries two arms of two balls each, with a hand at either end.
fn body() -> (Skeleton, [Joint; 3]) {
    let ball = |name: &str, parent: usize, offset: DVec3| JointSpec::named(name).child_of(parent).translation(offset);
    let skeleton = built([
        JointSpec::named("hips"),
        ball("chest", 0, DVec3::Y * 0.5),
        ball("left_arm", 1, DVec3::new(0.2, 0.1, 0.0)),
        ball("left_elbow", 2, DVec3::new(0.3, 0.0, 0.05)),
        ball("left_hand", 3, DVec3::new(0.3, 0.0, 0.0)),
        ball("right_arm", 1, DVec3::new(-0.2, 0.1, 0.0)),
        ball("right_elbow", 5, DVec3::new(-0.3, 0.0, 0.05)),
        ball("right_hand", 6, DVec3::new(-0.3, 0.0, 0.0)),
    ]);
    let joints = skeleton.joints(["chest", "left_hand", "right_hand"]).expect("named above");
    (skeleton, joints)
}

#[test]
fn two_hands_of_a_tree_reach_two_places() {
    let (skeleton, [_, left, right]) = body();
    let mut rng = fastrand::Rng::with_seed(11);
    for order in [sinew::solve::ccd::Order::RootToTip, sinew::solve::ccd::Order::TipToRoot] {
        let reached = (0..200).filter(|_| {
            let goal = allowed(&skeleton, &mut rng);
            let goals = [Goal::frame(left, goal.position(left), goal.rotation(left)), place(&goal, right)];
            let mut pose = skeleton.rest_pose();
            let ccd = Ccd { order, ..Ccd::default() };
            solve(&ccd, &skeleton, &goals, &mut pose).status == Status::Reached
        });
        let rate = reached.count() as f64 / 200.0;
        assert!(rate >= 0.99, "{order:?}: {rate}");
    }
}

#[test]
fn pull_decides_and_equal_pulls_meet_in_the_middle() {
    let (skeleton, [chest, _, _]) = body();
    let [a, b] = [DVec3::new(0.5, 0.0, 0.0), DVec3::new(0.0, 0.0, 0.5)];
    let at = |pull: f64| {
        let mut pose = skeleton.rest_pose();
        let goals = [Goal::position(chest, a).pull(pull), Goal::position(chest, b)];
        let outcome = solve(&Ccd::default(), &skeleton, &goals, &mut pose);
        assert_eq!(outcome.status, Status::Stalled);
        pose.position(chest)
    };
    let middle = (a + b).normalize() * 0.5;
    assert!(at(1.0).distance(middle) < 1e-6, "{}", at(1.0));
    assert!(at(3.0).distance((a * 3.0 + b).normalize() * 0.5) < 1e-6);
    // A goal without pull is measured but moves nothing.
    assert!(at(0.0).distance(b) < 1e-6);
}

#[test]
fn several_goals_on_one_joint_are_met_together() {
    let (skeleton, tip) = chain(&[Kind::BALL; 4]);
    let mut rng = fastrand::Rng::with_seed(12);
    for _ in 0..100 {
        let goal = allowed(&skeleton, &mut rng);
        let at = |offset: DVec3| Goal::position(tip, goal.model(tip).transform_point3(offset)).offset(offset);
        let mut pose = skeleton.rest_pose();
        let goals = [at(DVec3::ZERO), at(DVec3::Y * 0.1), Goal::axis(tip, DVec3::Z, goal.rotation(tip) * DVec3::Z)];
        let outcome = solve(&Ccd::default(), &skeleton, &goals, &mut pose);
        assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
        assert!(pose.rotation(tip).dot(goal.rotation(tip)).abs() > 1.0 - 1e-9);
    }
}

#[test]
fn aims_and_axes_point() {
    let (skeleton, tip) = hinges(6);
    let mut rng = fastrand::Rng::with_seed(13);
    for _ in 0..100 {
        let goal = allowed(&skeleton, &mut rng);
        let (axis, muzzle) = (vector(&mut rng), vector(&mut rng) * 0.05);
        let point = goal.model(tip).transform_point3(muzzle + axis * 3.0);
        for goal in
            [Goal::aim(tip, axis, point).offset(muzzle), Goal::axis(tip, axis, goal.model(tip).transform_vector3(axis))]
        {
            let mut pose = skeleton.rest_pose();
            let outcome = solve(&Ccd::default(), &skeleton, &[goal], &mut pose);
            assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
            assert!(outcome.rotation_error <= 1e-6 && inside(&skeleton, &pose));
        }
    }
}

#[test]
fn weight_goes_part_of_the_way() {
    let (skeleton, tip) = chain(&[Kind::BALL; 3]);
    let mut pose = skeleton.rest_pose();
    let (from, to) = (pose.position(tip), DVec3::new(0.3, 0.5, 0.1));
    let outcome = solve(&Ccd::default(), &skeleton, &[Goal::position(tip, to).weight(0.25)], &mut pose);
    assert_eq!(outcome.status, Status::Softened);
    assert!(pose.position(tip).distance(from.lerp(to, 0.25)) < 1e-6);
    // At zero nothing moves, bit for bit, not even what is outside its limits.
    let (limited, tip) = cones(3);
    let mut outside = limited.rest_pose();
    outside.edit(&limited).rotation(limited.at(1).unwrap(), Rotation::about(DVec3::Y, 2.0));
    let mut pose = outside.clone();
    let outcome = solve(&Ccd::default(), &limited, &[Goal::position(tip, to).weight(0.0)], &mut pose);
    assert_eq!((outcome.status, &pose), (Status::Ignored, &outside));
    // At any weight what moves ends inside.
    let _ = solve(&Ccd::default(), &limited, &[Goal::position(tip, to).weight(1e-3)], &mut pose);
    assert!(inside(&limited, &pose));
}

#[test]
fn a_hinge_that_was_turned_off_its_axis_comes_back_to_it() {
    let (skeleton, tip) = hinges(4);
    let mut goal = skeleton.rest_pose();
    goal.edit(&skeleton).coordinate(1, 0.4).coordinate(2, -0.3);
    let mut pose = goal.clone();
    pose.edit(&skeleton).rotation(skeleton.at(0).unwrap(), Rotation::about(DVec3::X, 0.2));
    let outcome = solve(&Ccd::default(), &skeleton, &[place(&goal, tip)], &mut pose);
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
    assert!(inside(&skeleton, &pose));
}

#[test]
fn uneven_scale_inside_a_chain_and_mirrors_above_it_do_no_harm() {
    let bone = |name: &str, parent: usize| JointSpec::named(name).child_of(parent).translation(DVec3::X * 0.3);
    let mut root = JointSpec::named("root");
    root.base = DAffine3::from_scale(DVec3::new(-2.0, 2.0, 2.0));
    let mut uneven = bone("a", 0);
    uneven.rest.scale = DVec3::new(1.0, 1.5, 0.8);
    let skeleton = built([root, uneven, bone("b", 1), bone("tip", 2)]);
    let tip = skeleton.joint("tip").unwrap();
    let mut rng = fastrand::Rng::with_seed(15);
    let mut reached = 0;
    for _ in 0..100 {
        let goal = allowed(&skeleton, &mut rng);
        let mut pose = skeleton.rest_pose();
        let outcome = solve(&Ccd::default(), &skeleton, &[place(&goal, tip)], &mut pose);
        assert_ne!(outcome.status, Status::OutOfReach, "lengths depend on angles: {outcome:?}");
        reached += i32::from(outcome.status == Status::Reached);
    }
    assert!(reached >= 95, "{reached}");
}

#[test]
fn a_base_keeps_what_is_above_it_and_owns_what_is_below() {
    let (skeleton, [_, left, right]) = body();
    let arm = skeleton.joint("left_arm").unwrap();
    let goal = allowed(&skeleton, &mut fastrand::Rng::with_seed(14));
    let mut rest = skeleton.rest_pose();
    let to = rest.position(left) + DVec3::new(-0.1, -0.2, 0.1);
    let alone = solve(&Ccd::default(), &skeleton, &[Goal::position(left, to).base(arm)], &mut rest);
    assert_eq!(alone.status, Status::Reached);
    let above = ["hips", "chest", "right_arm", "right_hand"].map(|name| skeleton.joint(name).unwrap());
    assert!(above.iter().all(|&joint| rest.local(joint) == skeleton.rest_pose().local(joint)));
    // With the other hand moving the chest, the owner follows with its own arm.
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let goals = [Goal::position(left, to).base(arm), place(&goal, right)];
    let _ = Ccd::default().solve(&skeleton, &goals, &mut pose, &mut work);
    assert!(work.residuals().iter().all(|residual| residual.status == Status::Reached), "{:?}", work.residuals());
    // The same by a setting of the solver.
    let ccd = Ccd { base: Some(arm), ..Ccd::default() };
    assert!(ccd.serves(&skeleton, &goals[0]) && !ccd.serves(&skeleton, &goals[1]));
}

#[test]
fn a_goal_relative_to_a_joint_moves_what_is_not_common() {
    let (skeleton, [chest, left, right]) = body();
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let goals = [
        Goal::position(left, DVec3::new(-0.05, 0.0, 0.0)).relative_to(right),
        Goal::position(right, DVec3::new(0.0, 0.5, 0.4)),
    ];
    let outcome = Ccd::default().solve(&skeleton, &goals, &mut pose, &mut work);
    assert_eq!(outcome.status, Status::Reached, "{:?}", work.residuals());
    assert!(pose.model(right).transform_point3(DVec3::new(-0.05, 0.0, 0.0)).distance(pose.position(left)) < 1e-5);
    // Nothing between a joint and one that hangs on it.
    let upward = Goal::position(chest, DVec3::X).relative_to(left);
    assert!(!Ccd::default().serves(&skeleton, &upward));
    let before = pose.clone();
    assert_eq!(solve(&Ccd::default(), &skeleton, &[upward], &mut pose).status, Status::Ignored);
    assert_eq!(pose, before);
}

#[test]
fn masked_components_are_free() {
    let (skeleton, tip) = chain(&[Kind::BALL; 3]);
    let height = Mask { position: BVec3::new(false, true, false), ..Mask::default() };
    let mut pose = skeleton.rest_pose();
    let goal = Goal::position(tip, DVec3::new(9.0, 0.3, 9.0)).mask(height);
    let outcome = solve(&Ccd::default(), &skeleton, &[goal], &mut pose);
    assert_eq!(outcome.status, Status::Reached);
    assert!((pose.position(tip).y - 0.3).abs() < 1e-6 && pose.position(tip).length() < 1.01);
    // A turn about Z only.
    let mask = Mask { rotation: BVec3::new(false, false, true), ..Mask::default() };
    let goal = Goal::rotation(tip, Rotation::about(DVec3::Z, FRAC_PI_2)).mask(mask);
    let outcome = solve(&Ccd::default(), &skeleton, &[goal], &mut pose);
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
}

#[test]
fn what_it_does_not_serve_is_left_alone() {
    let (skeleton, tip) = chain(&[Kind::BALL; 3]);
    let mut pose = skeleton.rest_pose();
    let goals = [Goal::scale(tip, DVec3::splat(2.0)), Goal::center_of_mass(tip, DVec3::Y)];
    assert_eq!(solve(&Ccd::default(), &skeleton, &goals, &mut pose).status, Status::Ignored);
    assert_eq!(pose, skeleton.rest_pose());
}
