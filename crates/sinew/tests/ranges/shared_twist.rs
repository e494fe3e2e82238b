//! Shared twist keeps the limits of all who share, and loses none of it.

use sinew::glam::{DQuat, DVec3};
use sinew::limit::{Range, SwingTwist};
use sinew::solve::two_bone::TwistBones;
use sinew::{
    BallLimit, Goal, JointSpec, Kind, Pose, Rotation, Skeleton, SkeletonBuilder, Solver, Status, Transform, TwoBone,
    Workspace,
};

use crate::ranges::{chord, judge};

/// An arm with two joints along the forearm.
fn arm(first: Kind, second: Kind, hand: Kind) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("root"));
    builder.add(JointSpec::named("mid").child_of(0).translation(DVec3::Y).rotation(Rotation::about(DVec3::X, 0.3)));
    builder.add(JointSpec::named("first").child_of(1).translation(DVec3::Y * 0.3).kind(first));
    builder.add(JointSpec::named("second").child_of(2).translation(DVec3::Y * 0.3).kind(second));
    builder.add(JointSpec::named("hand").child_of(3).translation(DVec3::Y * 0.4).kind(hand));
    builder.build().unwrap()
}

fn within(low: f64, high: f64) -> Kind {
    Kind::Ball(BallLimit::SwingTwist(SwingTwist::new(DVec3::Y, 0.0, Range::new(low, high)).unwrap()))
}

/// Twists of the two between and of the hand after the hand was turned by an angle.
fn shares(skeleton: &Skeleton, angle: f64) -> [f64; 3] {
    let [root, mid, hand] = skeleton.joints(["root", "mid", "hand"]).unwrap();
    let solver = TwoBone { twist_bones: TwistBones::Shared, ..TwoBone::new(skeleton, root, mid, hand).unwrap() };
    let rest = skeleton.rest_pose();
    let turn = rest.rotation(hand) * DQuat::from_rotation_y(angle);
    let goal = Goal::frame(hand, rest.position(hand) * 0.9, turn);
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    // The hand's swing is not the bone's: two rounds leave the twist alone.
    let _ = solver.solve(skeleton, &[goal], &mut pose, &mut work);
    let turned = pose.rotation(mid) * skeleton.rest(hand).rotation * DQuat::from_rotation_y(angle);
    let goal = Goal::frame(hand, pose.position(hand), turned);
    let outcome = solver.solve(skeleton, &[goal], &mut pose, &mut work);
    assert_eq!(outcome.status, Status::Reached, "{pose:?}");
    for joint in skeleton.iter() {
        assert_eq!(judge::outside(skeleton, &pose, joint), None, "{:?}", skeleton.name(joint));
    }
    let once = pose.clone();
    (0..20).for_each(|_| {
        let _ = solver.solve(skeleton, &[goal], &mut pose, &mut work);
    });
    assert!(skeleton.iter().all(|joint| chord(once.local(joint).rotation, pose.local(joint).rotation) < 1e-9));
    let twist = |pose: &Pose, name: &str| {
        let q = pose.local(skeleton.joint(name).unwrap()).rotation;
        2.0 * q.y.atan2(q.w)
    };
    ["first", "second", "hand"].map(|name| twist(&pose, name))
}

#[track_caller]
fn assert_near(got: [f64; 3], wanted: [f64; 3]) {
    assert!(got.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-7), "{got:?} {wanted:?}");
}

#[test]
fn what_one_may_not_take_the_others_do() {
    assert_near(shares(&arm(Kind::BALL, Kind::BALL, Kind::BALL), 1.2), [0.4; 3]);
    assert_near(shares(&arm(within(-0.2, 0.2), Kind::BALL, Kind::BALL), 1.2), [0.2, 0.5, 0.5]);
    assert_near(shares(&arm(within(-0.2, 0.2), within(-0.3, 0.1), Kind::BALL), 1.2), [0.2, 0.1, 0.9]);
    // The hand must keep so much itself.
    assert_near(shares(&arm(Kind::BALL, Kind::BALL, within(0.8, 1.5)), 1.2), [0.2, 0.2, 0.8]);
}

#[test]
fn hinges_along_the_bone_share_and_others_stay() {
    let along = Kind::hinge(DVec3::Y).within(-0.3, 0.3);
    assert_near(shares(&arm(along, Kind::hinge(DVec3::NEG_Y), Kind::BALL), 1.2), [0.3, 0.45, 0.45]);
    assert_near(shares(&arm(Kind::hinge(DVec3::X), Kind::BALL, Kind::BALL), 1.2), [0.0, 0.6, 0.6]);
}

/// Joints between that were turned otherwise are reset before the limb is said to stand where it is asked to be.
#[test]
fn joints_between_that_swing_are_brought_back() {
    let skeleton = arm(Kind::BALL, Kind::BALL, Kind::BALL);
    let [root, mid, first, hand] = skeleton.joints(["root", "mid", "first", "hand"]).unwrap();
    let solver = TwoBone { twist_bones: TwistBones::Shared, ..TwoBone::new(&skeleton, root, mid, hand).unwrap() };
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let goal = Goal::position(hand, pose.position(hand));
    pose.edit(&skeleton).rotation(first, Rotation::about(DVec3::X, 0.5));
    let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
    assert_eq!(outcome.status, Status::Reached);
}

/// Below a joint that flattens everything the limb stands wherever it is, with a joint between that takes no twist.
#[test]
fn a_joint_between_that_swings_and_stays_keeps_its_limit() {
    let limit = Kind::Ball(BallLimit::SwingTwist(SwingTwist::new(DVec3::Y, 1.5, Range::new(0.0, 0.0)).unwrap()));
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("root"));
    builder.add(JointSpec::named("mid").child_of(0).translation(DVec3::Y));
    let flat = Transform { scale: DVec3::ZERO, ..Transform::from_translation(DVec3::new(0.1, 0.3, 0.0)) };
    builder.add(JointSpec { rest: flat, ..JointSpec::named("flat").child_of(1) });
    builder.add(JointSpec::named("between").child_of(2).translation(DVec3::Y * 0.3).kind(limit));
    builder.add(JointSpec::named("hand").child_of(3).translation(DVec3::Y * 0.4));
    let skeleton = builder.build().unwrap();
    let [root, mid, between, hand] = skeleton.joints(["root", "mid", "between", "hand"]).unwrap();
    let solver = TwoBone { twist_bones: TwistBones::Shared, ..TwoBone::new(&skeleton, root, mid, hand).unwrap() };
    for swing in 0..20 {
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        let turn = Rotation::about(DVec3::new(1.0, 0.0, 0.1 * f64::from(swing)), 1.0);
        let swung =
            skeleton.nearest_allowed(between, &Transform { rotation: turn.quaternion(), ..*pose.local(between) }, 0.0);
        pose.edit(&skeleton).local(between, swung).rotation(hand, Rotation::about(DVec3::Y, 1.0));
        let goal = Goal::frame(hand, pose.position(hand), DQuat::from_rotation_z(1.0));
        let _ = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
        assert_eq!(judge::outside(&skeleton, &pose, between), None, "swing {swing}");
    }
}
