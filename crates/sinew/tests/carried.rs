//! A root that turns freely is turned to all of its points at once, before joints run into their limits.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::laws::rigs::direction;
use sinew::limit::{Range, SwingTwist};
use sinew::{BallLimit, Goal, Jacobian, Joint, JointSpec, Kind, Skeleton, SkeletonBuilder, Solver, Status, Workspace};

/// A root with four limbs of two bones within narrow limits.
fn body(kind: Kind) -> (Skeleton, Vec<Joint>) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("hips").kind(kind));
    let limit = SwingTwist::new(DVec3::Y, 0.4, Range::new(-0.1, 0.1)).unwrap();
    let ball = Kind::Ball(BallLimit::SwingTwist(limit));
    let places = [(0.2, 0.5, 0.0), (-0.2, 0.5, 0.1), (0.1, -0.3, 0.3), (-0.1, -0.3, -0.4)].map(DVec3::from);
    for (limb, place) in places.into_iter().enumerate() {
        let upper = builder.add(JointSpec::named(format!("upper {limb}")).child_of(0).translation(place).kind(ball));
        let lower = JointSpec::named(format!("lower {limb}")).child_of(upper).translation(DVec3::Y * 0.3).kind(ball);
        let lower = builder.add(lower);
        builder
            .add(JointSpec::named(format!("tip {limb}")).child_of(lower).translation(DVec3::Y * 0.3).kind(Kind::Fixed));
    }
    let skeleton = builder.build().unwrap();
    let tips = (0..4).map(|limb| skeleton.joint(&format!("tip {limb}")).unwrap()).collect();
    (skeleton, tips)
}

/// Steps from the rest pose to where the whole body is turned by an angle, and shifted; `None` where it does not get there.
fn steps(kind: Kind, axis: DVec3, angle: f64, shift: DVec3) -> Option<u32> {
    let (skeleton, tips) = body(kind);
    let mut pose = skeleton.rest_pose();
    let turn = DQuat::from_axis_angle(axis, angle);
    let goals: Vec<Goal> = tips.iter().map(|&tip| Goal::position(tip, turn * pose.position(tip) + shift)).collect();
    let outcome = Jacobian::default().solve(&skeleton, &goals, &mut pose, &mut Workspace::default());
    (outcome.status == Status::Reached).then_some(outcome.iterations)
}

#[test]
fn a_body_turned_as_a_whole_takes_no_steps() {
    let mut rng = Rng::with_seed(3);
    for _ in 0..50 {
        let (axis, angle) = (direction(&mut rng), 0.8 + 2.2 * rng.f64());
        let ball = steps(Kind::BALL, axis, angle, DVec3::ZERO);
        assert!(ball.is_some_and(|steps| steps <= 2), "{axis} {angle}: {ball:?}");
        let free = steps(Kind::Free, axis, angle, direction(&mut rng));
        assert!(free.is_some_and(|steps| steps <= 2), "{axis} {angle}: {free:?}");
    }
}

#[test]
fn what_is_taken_of_a_turn_grows_smoothly_with_it() {
    let (skeleton, tips) = body(Kind::BALL);
    let rest = skeleton.rest_pose();
    let hips = skeleton.joint("hips").unwrap();
    let mut last: Option<DQuat> = None;
    for angle in (0..200).map(|i| 0.3 + 0.003 * f64::from(i)) {
        let turn = DQuat::from_axis_angle(DVec3::Z, angle);
        // Beyond reach, so that the steps do not hide what was taken; few, so that they do not find it again.
        let goals: Vec<Goal> = tips.iter().map(|&tip| Goal::position(tip, turn * rest.position(tip) * 1.5)).collect();
        let mut pose = rest.clone();
        let solver = Jacobian { iterations: 1, ..Jacobian::default() };
        assert!(solver.solve(&skeleton, &goals, &mut pose, &mut Workspace::default()).status != Status::Reached);
        let now = pose.local(hips).rotation;
        if let Some(last) = last {
            let off = 2.0 * (now - last).length();
            assert!(off < 0.02, "{angle}: {off}");
        }
        last = Some(now);
    }
}
