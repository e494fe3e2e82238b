//! Without restarts the pose moves with its targets, also where they leave reach and come back.

use std::f64::consts::TAU;

use sinew::glam::{DQuat, DVec3};
use sinew::limit::{Range, SwingTwist};
use sinew::math::ops;
use sinew::{
    BallLimit, Ccd, Fabrik, Goal, Jacobian, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder, Solver, Status, Workspace,
};

/// A spine with two arms, as limited as a human's.
fn body() -> Skeleton {
    let cone = |axis: DVec3, swing: f64, twist: f64| {
        let cone = SwingTwist::new(axis, swing, Range::new(-twist, twist)).expect("a cone");
        Kind::Ball(BallLimit::SwingTwist(cone))
    };
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("hips").kind(cone(DVec3::Y, 0.5, 0.5)));
    builder.add(JointSpec::named("spine").child_of(0).translation(DVec3::Y * 0.2).kind(cone(DVec3::Y, 0.4, 0.3)));
    builder.add(JointSpec::named("chest").child_of(1).translation(DVec3::Y * 0.2).kind(cone(DVec3::Y, 0.4, 0.3)));
    builder.add(JointSpec::named("head").child_of(2).translation(DVec3::Y * 0.3).kind(Kind::Fixed));
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let out = DVec3::X * x;
        let first = builder.add(
            JointSpec::named(format!("{side}_upper"))
                .child_of(2)
                .translation(DVec3::new(0.2 * x, 0.2, 0.0))
                .kind(cone(out, 1.4, 1.0)),
        );
        let elbow = Kind::hinge(DVec3::Y * -x).within(0.0, 2.5);
        builder.add(JointSpec::named(format!("{side}_lower")).child_of(first).translation(out * 0.3).kind(elbow));
        builder.add(
            JointSpec::named(format!("{side}_hand")).child_of(first + 1).translation(out * 0.25).kind(Kind::Fixed),
        );
    }
    builder.build().expect("a body")
}

fn targets(t: f64) -> [DVec3; 3] {
    let ((sine, cosine), (later, _)) = (ops::sin_cos(TAU * t), ops::sin_cos(TAU * t + 1.0));
    [
        DVec3::new(0.45 + 0.35 * cosine, 0.6 + 0.3 * sine, 0.35),
        DVec3::new(-0.45 + 0.25 * later, 0.6 + 0.3 * cosine, 0.35),
        DVec3::new(0.05 * sine, 0.68, 0.05),
    ]
}

/// Frames of two laps in which a valley may end.
const ENDS: usize = 8;

/// The largest turn in any other frame over two laps of so many, what moved on solving again, and how many frames were not met.
fn followed(solver: &dyn Solver, lap: u32) -> (f64, f64, u32) {
    let body = body();
    let tips = body.joints(["l_hand", "r_hand", "head"]).expect("its joints");
    let (mut pose, mut work) = (body.neutral_pose(), Workspace::default());
    let turn = |a: &Pose, b: &Pose| {
        let apart = |joint| a.local(joint).rotation.angle_between(b.local(joint).rotation);
        body.iter().map(apart).fold(0.0, f64::max)
    };
    let (mut turns, mut again, mut unmet) = (Vec::new(), 0.0_f64, 0);
    for frame in 0..2 * lap {
        let places = targets(f64::from(frame) / f64::from(lap));
        let goals: Vec<Goal> = tips.iter().zip(places).map(|(&tip, place)| Goal::position(tip, place)).collect();
        let before = pose.clone();
        let outcome = solver.solve(&body, &goals, &mut pose, &mut work);
        unmet += u32::from(outcome.status != Status::Reached);
        if frame > 0 {
            turns.push(turn(&before, &pose));
        }
        if frame % 20 == 0 && outcome.status != Status::OutOfIterations {
            let once = pose.clone();
            let _ = solver.solve(&body, &goals, &mut pose, &mut work);
            again = again.max(turn(&once, &pose));
        }
    }
    turns.sort_by(f64::total_cmp);
    (turns[turns.len() - 1 - ENDS], again, unmet)
}

#[test]
fn small_steps_of_targets_are_small_steps_of_joints() {
    let solvers: [&dyn Solver; 2] =
        [&Fabrik { restarts: 0, ..Fabrik::default() }, &Ccd { restarts: 0, ..Ccd::default() }];
    for solver in solvers {
        let [coarse, fine] = [200, 800].map(|lap| followed(solver, lap));
        assert!(coarse.2 > 100 && coarse.2 < 400, "{} frames unmet: {solver:?}", coarse.2);
        assert!(coarse.0 < 0.31 && fine.0 < 0.2, "{coarse:?} {fine:?}: {solver:?}");
        assert!(coarse.1 < 1e-7 && fine.1 < 1e-7, "{coarse:?} {fine:?}: {solver:?}");
    }
}

#[test]
fn steps_inside_cones_cost_what_they_take() {
    // Five cones that reach nothing took 23 milliseconds for 2,500 steps; of the work of a solve there are about 1,400.
    let twist = Range::new(-0.5, 0.5);
    let cone = Kind::Ball(BallLimit::SwingTwist(SwingTwist::new(DVec3::Y, 0.6, twist).expect("a cone")));
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("0").kind(cone));
    for joint in 1..6 {
        builder.add(JointSpec::named(format!("{joint}")).child_of(joint - 1).translation(DVec3::Y).kind(cone));
    }
    let skeleton = builder.build().expect("a chain");
    let turn = DQuat::from_rotation_x(2.0) * DQuat::from_rotation_y(1.0);
    let goal = Goal::frame(skeleton.joint("5").expect("a tip"), DVec3::new(0.3, 2.0, 0.0), turn).offset(DVec3::Y * 0.2);
    let solver = Jacobian { restarts: 32, iterations: 10_000, ..Jacobian::default() };
    let outcome = solver.solve(&skeleton, &[goal], &mut skeleton.rest_pose(), &mut Workspace::default());
    assert!(outcome.iterations < 2000, "{outcome:?}");
}
