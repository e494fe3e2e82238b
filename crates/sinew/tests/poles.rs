//! Poles of chains of any length: the chain is turned about the line from its root to its tip until it bends there.
#![allow(clippy::unwrap_used, reason = "the chain has these joints")]

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::laws::rigs::{direction, rotation};
use sinew::limit::{Range, SwingTwist};
use sinew::math::{arc, ops};
use sinew::{
    Auto, BallLimit, Ccd, Fabrik, Goal, Jacobian, Joint, JointSpec, Kind, MassSpring, Pole, Pose, Skeleton,
    SkeletonBuilder, Solver, Start, Status, Workspace,
};

/// A chain of five links after a link of its own.
fn chain(root: Kind) -> (Skeleton, Vec<Joint>) {
    let mut builder = SkeletonBuilder::new();
    for i in 0..=6 {
        let spec = JointSpec::named(format!("{i}")).kind(if i == 1 { root } else { Kind::BALL });
        builder.add(if i > 0 { spec.child_of(i - 1).translation(DVec3::new(0.01, 0.2, 0.0)) } else { spec });
    }
    let skeleton = builder.build().unwrap();
    let joints = skeleton.iter().collect();
    (skeleton, joints)
}

fn solvers() -> Vec<Box<dyn Solver>> {
    vec![
        Box::new(Auto::default()),
        Box::new(Ccd::default()),
        Box::new(Fabrik::default()),
        Box::new(Fabrik { start: Start::Rest, ..Fabrik::default() }),
        Box::new(Jacobian::default()),
        Box::new(MassSpring::default()),
    ]
}

/// How far the chain from joint 1 on bends from a direction, about its line (radians).
fn off(pose: &Pose, joints: &[Joint], pole: DVec3) -> f64 {
    let [root, tip] = [1, 6].map(|i: usize| pose.position(joints[i]));
    let line = arc::unit(tip - root).unwrap();
    let bend = (pose.position(joints[2]) - root).reject_from(line);
    let (bend, wanted) = (bend.normalize(), pole.reject_from(line).normalize());
    ops::atan2(bend.cross(wanted).length(), bend.dot(wanted))
}

fn posed(skeleton: &Skeleton, rng: &mut Rng) -> Pose {
    let mut pose = skeleton.rest_pose();
    for joint in skeleton.iter() {
        let local = *pose.local(joint);
        let turned = sinew::Transform { rotation: local.rotation.lerp(rotation(rng).quaternion(), 0.4), ..local };
        let allowed = skeleton.nearest_allowed(joint, &turned, 0.0);
        pose.edit(skeleton).local(joint, allowed);
    }
    pose
}

#[test]
fn chains_bend_to_their_pole() {
    let (skeleton, joints) = chain(Kind::BALL);
    for seed in 0..20 {
        let rng = &mut Rng::with_seed(seed);
        let (given, pole) = (posed(&skeleton, rng), direction(rng));
        let place = given.position(joints[1]) + direction(rng) * (0.3 + 0.4 * rng.f64());
        let turn = rotation(rng);
        for solver in solvers() {
            for goal in [Goal::position(joints[6], place), Goal::frame(joints[6], place, turn)] {
                let goal = goal.base(joints[1]).pole(Pole::Direction(pole));
                let (mut pose, mut work) = (given.clone(), Workspace::default());
                let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
                assert_eq!(outcome.status, Status::Reached, "seed {seed}: {solver:?} {goal:?}");
                assert!(
                    off(&pose, &joints, pole) < 1e-6,
                    "seed {seed}: {solver:?} is off by {}",
                    off(&pose, &joints, pole)
                );
                assert!(pose.position(joints[6]).distance(place) < 1e-5);
                assert_eq!(pose.local(joints[0]), given.local(joints[0]));
                // What it means is met now, and moves nothing.
                if !format!("{solver:?}").contains("Rest") {
                    let first = pose.clone();
                    let _ = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
                    assert_eq!(pose, first, "seed {seed}: {solver:?} moves again");
                }
            }
        }
    }
}

#[test]
fn limits_come_before_the_pole() {
    let limit = BallLimit::SwingTwist(SwingTwist::new(DVec3::Y, 1.0, Range::new(-0.6, 0.6)).unwrap());
    let (skeleton, joints) = chain(Kind::Ball(limit));
    let (mut nearer, mut count) = (0, 0);
    for seed in 0..40 {
        let rng = &mut Rng::with_seed(seed);
        let (mut given, wanted, pole) = (posed(&skeleton, rng), posed(&skeleton, rng), direction(rng));
        let place = wanted.position(joints[6]);
        given.edit(&skeleton).rotation(joints[0], wanted.local(joints[0]).rotation);
        for solver in solvers() {
            let goal = Goal::position(joints[6], place).base(joints[1]);
            let solve = |goal: Goal| {
                let mut pose = given.clone();
                let status = solver.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default()).status;
                (pose, status)
            };
            let ((without, reached), (with, status)) = (solve(goal), solve(goal.pole(Pole::Direction(pole))));
            assert_eq!(reached, status, "seed {seed}: {solver:?}");
            let local = with.local(joints[1]);
            let allowed = skeleton.nearest_allowed(joints[1], local, 0.0).rotation;
            assert!(allowed.dot(local.rotation).abs() > 1.0 - 1e-15, "seed {seed}: {solver:?} leaves its limits");
            let [before, after] = [&without, &with].map(|pose| off(pose, &joints, pole));
            assert!(after <= before + 1e-6, "seed {seed}: {solver:?} turns away from the pole: {before} {after}");
            count += 1;
            nearer += i32::from(after < before - 1e-3);
        }
    }
    assert!(nearer * 2 > count, "{nearer} of {count}");
}

#[test]
fn a_pole_comes_in_with_its_weight() {
    let (skeleton, joints) = chain(Kind::BALL);
    let rng = &mut Rng::with_seed(3);
    let (given, pole) = (posed(&skeleton, rng), direction(rng));
    let goal = Goal::position(joints[6], given.position(joints[6])).base(joints[1]).pole(Pole::Direction(pole));
    let whole = off(&given, &joints, pole);
    for solver in solvers() {
        if format!("{solver:?}").contains("Rest") {
            continue;
        }
        for weight in [1e-6, 0.25, 0.5, 1.0] {
            let mut pose = given.clone();
            let _ = solver.solve(&skeleton, &[goal.weight(weight)], &mut pose, &mut Workspace::default());
            let left = off(&pose, &joints, pole);
            assert!((left - whole * (1.0 - weight)).abs() < 1e-6, "{solver:?} at {weight}: {left} of {whole}");
        }
    }
}

/// Such a pole turns with the chain, which therefore never comes nearer to it.
#[test]
fn a_pole_that_the_chain_carries_turns_nothing() {
    let (skeleton, joints) = chain(Kind::BALL);
    for seed in 0..20 {
        let rng = &mut Rng::with_seed(seed);
        let (given, pole) = (posed(&skeleton, rng), direction(rng));
        let place = given.position(joints[1]) + direction(rng) * (0.3 + 0.4 * rng.f64());
        let goal = Goal::position(joints[6], place).base(joints[1]);
        for solver in solvers() {
            let (mut with, mut without, mut work) = (given.clone(), given.clone(), Workspace::default());
            let _ = solver.solve(&skeleton, &[goal.pole_of(joints[3], Pole::Direction(pole))], &mut with, &mut work);
            let _ = solver.solve(&skeleton, &[goal], &mut without, &mut work);
            assert_eq!(with, without, "seed {seed}: {solver:?}");
        }
    }
}

#[test]
fn poles_turn_nothing_outside_the_base() {
    // A rod beside a bent chain. Measured from the rod's end, with the rod as its base, the goal may move the rod alone.
    let mut builder = SkeletonBuilder::new();
    for i in 0..4 {
        let spec = JointSpec::named(format!("{i}")).kind(Kind::BALL);
        let bone = DVec3::new(0.1, 0.1 * i as f64, 0.0);
        builder.add(if i > 0 { spec.child_of(i - 1).translation(bone) } else { spec });
    }
    let rod = builder.add(JointSpec::named("rod").kind(Kind::BALL).translation(DVec3::X));
    builder.add(JointSpec::named("end").kind(Kind::BALL).child_of(rod).translation(DVec3::Y));
    let skeleton = builder.build().unwrap();
    let [tip, rod, end] = ["3", "rod", "end"].map(|name| skeleton.find(name).unwrap());
    let goal = Goal::position(tip, DVec3::new(-0.5, -0.6, 0.3)).relative_to(end).base(rod);
    let goal = goal.pole(Pole::Direction(DVec3::Z));
    for solver in solvers() {
        let mut pose = skeleton.rest_pose();
        let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default());
        for joint in skeleton.iter().filter(|&joint| skeleton.is_below(tip, joint)) {
            assert_eq!(pose.local(joint), skeleton.rest_pose().local(joint), "{solver:?}: {outcome:?}");
        }
    }
}

/// The line from a chain's root to a tip that is back there points nowhere but for rounding.
#[test]
fn a_chain_that_comes_back_to_its_root_is_still() {
    let (skeleton, joints) = chain(Kind::BALL);
    for seed in 0..20 {
        let rng = &mut Rng::with_seed(seed);
        let (given, pole) = (posed(&skeleton, rng), direction(rng));
        let place = given.position(joints[1]) + direction(rng) * 1e-12;
        let goal = Goal::position(joints[6], place).base(joints[1]).pole(Pole::Direction(pole));
        for solver in solvers() {
            let (mut pose, mut work) = (given.clone(), Workspace::default());
            let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
            let first = pose.clone();
            let _ = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
            let turned =
                |&joint: &Joint| first.local(joint).rotation.dot(pose.local(joint).rotation).abs() < 1.0 - 1e-15;
            let moves = outcome.status == Status::Reached && joints.iter().any(turned);
            assert!(!moves || format!("{solver:?}").contains("Rest"), "seed {seed}: {solver:?} moves again");
        }
    }
}
