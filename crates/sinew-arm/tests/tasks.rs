//! Parts of a frame: an axis, five axes, masks, slack; as an arm is asked them, and as goals.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]
#![allow(clippy::disallowed_methods, reason = "the platform's mathematics judge ours")]

use crate::arms::{arm_of, random_arm, random_values, ranges, tip};
use fastrand::Rng;
use sinew::glam::{BVec3, DQuat, DVec3};
use sinew::laws::rigs::{direction, rotation};
use sinew::{Auto, Goal, Jacobian, Mask, Slack, Solver, Status, Tolerance, Workspace};
use sinew_arm::{IkSolution, PoseTarget, Serial, Width};

const RESTARTS: Serial =
    Serial { iterations: 50, restarts: 400, position_tolerance: 1e-10, rotation_tolerance: 1e-10, width: Width::ONE };

/// Radians from one direction to another.
fn angle(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}

/// The rotation left, as a vector in the base's frame.
fn left(now: DQuat, wanted: DQuat) -> DVec3 {
    let turn = wanted * now.conjugate();
    (if turn.w < 0.0 { -turn } else { turn }).to_scaled_axis()
}

#[test]
fn five_axes_leave_the_sixth_free() {
    let mut rng = Rng::with_seed(1);
    let mut turned = 0;
    for case in 0..200 {
        let skeleton = random_arm(&mut rng);
        let arm = arm_of(&skeleton);
        let ranges = ranges(&skeleton, &arm);
        let goal = tip(&skeleton, &arm, &random_values(&ranges, &mut rng));
        let (axis, seed, near) = (direction(&mut rng), random_values(&ranges, &mut rng), 1e-9 * arm.length());
        let direction = goal.rotation * axis;
        let tolerance = Tolerance { position: near, rotation: 1e-9 };
        for asked in
            [PoseTarget::five_axes(goal.translation, axis * 3.0, direction * 0.1), PoseTarget::axis(axis, direction)]
        {
            let mut answer = seed.clone();
            let found = arm.solve(&asked.tolerance(tolerance), &seed, &RESTARTS, &mut answer);
            assert_eq!(found.status, Status::Reached, "{case}");
            let now = tip(&skeleton, &arm, &answer);
            assert!(angle(now.rotation * axis, direction) < 1.1e-9, "{case}");
            let is_whole = asked.mask.position == BVec3::TRUE;
            assert!(!is_whole || now.translation.distance(goal.translation) < 1.01 * near, "{case}");
            assert!(ranges.iter().zip(&answer).all(|(range, &q)| range.contains(q)), "{case}");
            turned += usize::from(left(now.rotation, goal.rotation).length() > 0.1);
        }
    }
    assert!(turned > 300, "the sixth axis is used: {turned}");
}

#[test]
fn an_axis_out_of_reach_is_missed_as_little_as_brute_force_misses_it() {
    // One hinge cannot bring an axis askew of it anywhere but on a cone.
    let mut builder = sinew::SkeletonBuilder::new();
    builder.add(sinew::JointSpec::named("base"));
    builder.add(sinew::JointSpec::named("hinge").child_of(0).kind(sinew::Kind::hinge(DVec3::Z).within(-2.0, 1.0)));
    builder.add(sinew::JointSpec::named("tip").child_of(1).translation(DVec3::X).kind(sinew::Kind::Fixed));
    let skeleton = builder.build().unwrap();
    let arm = arm_of(&skeleton);
    let mut rng = Rng::with_seed(2);
    for case in 0..200 {
        let (axis, wanted) = (direction(&mut rng), direction(&mut rng));
        let mut answer = [0.0];
        let found = arm.solve(&PoseTarget::axis(axis, wanted), &[0.3], &RESTARTS, &mut answer);
        let miss = |q: f64| angle(DQuat::from_rotation_z(q) * axis, wanted);
        let best = (0..=3000).map(|i| miss(-2.0 + 0.001 * f64::from(i))).fold(f64::INFINITY, f64::min);
        // Another start is jumped to where it is clearly better.
        assert!(miss(answer[0]) < 1.02 * best + 1e-4, "{case}: {} {best}", miss(answer[0]));
        assert!((found.rotation.length() - miss(answer[0])).abs() < 1e-9, "{case}");
        assert!(found.status != Status::Reached || best < 1e-3, "{case}");
    }
}

#[test]
fn slack_is_used_where_it_helps_and_no_further() {
    let mut rng = Rng::with_seed(3);
    let mut exact = 0;
    for case in 0..200 {
        let skeleton = random_arm(&mut rng);
        let arm = arm_of(&skeleton);
        let ranges = ranges(&skeleton, &arm);
        // Reachable somewhere in the box, mostly not in its middle.
        let goal = tip(&skeleton, &arm, &random_values(&ranges, &mut rng));
        let share = |rng: &mut Rng| DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5) * 2.0;
        let mut slack =
            Slack { position: DVec3::new(0.3, 0.0, 0.1) * arm.length(), rotation: DVec3::new(0.0, 0.6, f64::INFINITY) };
        let place = goal.translation + share(&mut rng) * slack.position;
        let turn = DQuat::from_scaled_axis(share(&mut rng) * DVec3::new(0.0, 0.6, 0.0)) * goal.rotation;
        let (seed, near) = (random_values(&ranges, &mut rng), 1e-9 * arm.length());
        let asked = PoseTarget::frame(place, turn).tolerance(Tolerance { position: near, rotation: 1e-9 });
        if case % 2 == 0 {
            slack.rotation.z = 0.0;
        }
        let mut answer = seed.clone();
        let found = arm.solve(&asked.slack(slack), &seed, &RESTARTS, &mut answer);
        assert_eq!(found.status, Status::Reached, "{case}");
        let now = tip(&skeleton, &arm, &answer);
        let (off, turned) = ((place - now.translation).abs(), left(now.rotation, turn).abs());
        assert!(off.cmple(slack.position + DVec3::splat(1.01 * near)).all(), "{case}: {off} {}", slack.position);
        assert!(turned.cmple(slack.rotation + DVec3::splat(1.1e-9)).all(), "{case}: {turned}");
        exact += usize::from(off.max_element() < near && turned.max_element() < 1e-9);
    }
    assert!(exact < 20, "the edge is nearer than the middle: {exact}");
}

#[test]
fn slack_out_of_reach_counts_from_its_edge() {
    let mut rng = Rng::with_seed(4);
    for _ in 0..50 {
        let skeleton = random_arm(&mut rng);
        let arm = arm_of(&skeleton);
        let seed = random_values(&ranges(&skeleton, &arm), &mut rng);
        let place = direction(&mut rng) * 9.0 * arm.length();
        let slack = Slack { position: DVec3::splat(0.2 * arm.length()), ..Slack::NONE };
        let mut answer = seed.clone();
        let found = arm.solve(&PoseTarget::position(place).slack(slack), &seed, &RESTARTS, &mut answer);
        assert_ne!(found.status, Status::Reached);
        let miss = place - tip(&skeleton, &arm, &answer).translation;
        let beyond = miss - miss.clamp(-slack.position, slack.position);
        assert!((found.position - beyond).length() < 1e-9 * arm.length(), "{} {beyond}", found.position);
    }
}

#[test]
fn what_is_no_task_is_invalid() {
    let mut rng = Rng::with_seed(5);
    let skeleton = random_arm(&mut rng);
    let arm = arm_of(&skeleton);
    let seed = random_values(&ranges(&skeleton, &arm), &mut rng);
    let slack = |x: f64| Slack { position: DVec3::new(x, 0.0, 0.0), ..Slack::NONE };
    let asked = [
        PoseTarget::axis(DVec3::ZERO, DVec3::X),
        PoseTarget::axis(DVec3::X, DVec3::ZERO),
        PoseTarget::five_axes(DVec3::ZERO, DVec3::X, DVec3::new(f64::NAN, 0.0, 1.0)),
        PoseTarget { free_about: Some(DVec3::ZERO), ..PoseTarget::position(DVec3::X) },
        PoseTarget::position(DVec3::X).slack(slack(-1e-9)),
        PoseTarget::position(DVec3::X).slack(slack(f64::NAN)),
    ];
    for asked in asked {
        let mut answer = vec![0.0; seed.len()];
        let found: IkSolution = arm.solve(&asked, &seed, &RESTARTS, &mut answer);
        assert_eq!((found.status, &answer), (Status::Invalid, &seed));
    }
}

/// As goals the tasks are met as the pose itself measures them, by the quick solver and the general one.
#[test]
fn tasks_as_goals() {
    let mut rng = Rng::with_seed(6);
    let mut work = Workspace::default();
    for case in 0..100 {
        let skeleton = random_arm(&mut rng);
        let arm = arm_of(&skeleton);
        let ranges = ranges(&skeleton, &arm);
        let joint = skeleton.joint("tip").unwrap();
        let mut there = skeleton.rest_pose();
        let mut edit = there.edit(&skeleton);
        for (&coordinate, q) in arm.coordinates().iter().zip(random_values(&ranges, &mut rng)) {
            edit.coordinate(coordinate, q);
        }
        drop(edit);
        let (place, turn) = (there.position(joint), there.rotation(joint));
        let axis = direction(&mut rng);
        let slack = Slack { position: DVec3::new(0.1, 0.2, 0.0) * arm.length(), rotation: DVec3::new(0.0, 0.4, 0.2) };
        let off = Goal::frame(joint, place + slack.position * 0.9, DQuat::from_rotation_y(0.3) * turn);
        let asked: [Vec<Goal>; 4] = [
            vec![Goal::position(joint, place), Goal::axis(joint, axis, turn * axis)],
            vec![Goal::axis(joint, axis, turn * axis)],
            vec![Goal::rotation(joint, turn), Goal::position(joint, place)],
            vec![off.slack(slack)],
        ];
        let general = Jacobian { restarts: 30, ..Jacobian::default() };
        for (kind, goals) in asked.iter().enumerate() {
            for solver in [&RESTARTS as &dyn Solver, &general] {
                assert!(goals.iter().all(|goal| solver.serves(&skeleton, goal)));
                let mut pose = skeleton.neutral_pose();
                let outcome = solver.solve(&skeleton, goals, &mut pose, &mut work);
                assert_eq!(outcome.status, Status::Reached, "{case} {kind} {outcome:?}");
                for (goal, residual) in goals.iter().zip(work.residuals()) {
                    assert_eq!(residual.status, Status::Reached);
                    if goal.slack == Slack::NONE {
                        continue;
                    }
                    let (position, rotation) = (goal.target.position().unwrap(), goal.target.rotation().unwrap());
                    let near = (position - pose.position(joint)).abs();
                    assert!(near.cmple(slack.position + DVec3::splat(1e-5 * arm.length())).all(), "{case} {near}");
                    let near = left(pose.rotation(joint), rotation).abs();
                    assert!(near.cmple(slack.rotation + DVec3::splat(1e-5)).all(), "{case} {near}");
                }
                let aimed = pose.rotation(joint) * axis;
                assert!(kind > 1 || angle(aimed, turn * axis) < 1e-5, "{case} {kind}");
                assert!(kind % 2 == 1 || pose.position(joint).distance(place) < 1e-5 * arm.length(), "{case} {kind}");
            }
        }
    }
}

#[test]
fn slack_is_served_by_those_that_know_it() {
    let mut rng = Rng::with_seed(7);
    let skeleton = random_arm(&mut rng);
    let joint = skeleton.joint("tip").unwrap();
    let slack = Slack { position: DVec3::splat(0.1), ..Slack::NONE };
    let goal = Goal::position(joint, rotation(&mut rng).quaternion() * DVec3::X).slack(slack);
    let mask =
        Goal::position(joint, DVec3::X).mask(Mask { position: BVec3::new(true, false, false), ..Mask::default() });
    for solver in [&sinew::Ccd::default() as &dyn Solver, &sinew::Fabrik::default(), &sinew::MassSpring::default()] {
        assert!(!solver.serves(&skeleton, &goal) && solver.serves(&skeleton, &mask));
    }
    assert!(Serial::default().serves(&skeleton, &goal) && Jacobian::default().serves(&skeleton, &goal));
}

#[test]
fn what_it_reaches_auto_reaches() {
    let mut rng = Rng::with_seed(8);
    let mut work = Workspace::default();
    for _ in 0..30 {
        let skeleton = random_arm(&mut rng);
        // The base is a ball.
        let [joint, first] = skeleton.joints(["tip", "joint_0"]).unwrap();
        let mut there = skeleton.neutral_pose();
        for (coordinate, spec) in skeleton.coordinates().iter().enumerate() {
            let (low, high) = (spec.range.min.max(-1.0), spec.range.max.min(1.0));
            there.edit(&skeleton).coordinate(coordinate, low + (high - low) * rng.f64());
        }
        let (place, turn) = (there.position(joint), there.rotation(joint));
        for goals in [
            vec![Goal::frame(joint, place, turn).base(first)],
            vec![Goal::axis(joint, DVec3::X, turn * DVec3::X).base(first), Goal::position(joint, place).base(first)],
        ] {
            let status =
                |solver: &dyn Solver| solver.solve(&skeleton, &goals, &mut skeleton.neutral_pose(), &mut work).status;
            let [own, auto] = [&Serial::default() as &dyn Solver, &Auto::default()].map(status);
            assert!(auto == Status::Reached || own != Status::Reached, "{own} {auto}: {goals:?}");
        }
    }
}
