//! Hands, feet and head of the human built in, from random allowed poses: all reached, inside every limit.

#![allow(clippy::unwrap_used, reason = "tests")]

use sinew::glam::{DQuat, DVec3};
use sinew::{Kind, Rotation, Target};
use sinew_bench::humanoids::{Humanoid, Method, Report, RunOptions, run};
use sinew_bench::judge::humanoid::{BEYOND_STRAIGHT, NEAR_TURN, judge};
use sinew_bench::table::Row as _;

#[test]
fn the_human_reaches_all_within_its_limits() {
    let body = Humanoid::built_in().unwrap();
    assert_eq!((body.folds.len(), body.goals.len()), (4, 5));
    let asked = RunOptions {
        count: 300,
        seed: 7,
        frames: false,
        method: Method::Jacobian,
        restarts: 32,
        threads: 2,
        news: false,
    };
    let report = Report::of(&body, &run(&body, &asked));
    assert_eq!((report.problems, report.reached), (300, 300), "not reached: {:?}", report.missed);
    assert_eq!((report.outside, report.backwards), (0, 0));
    assert!(report.worst <= 1e-4 && report.rate() == 1.0, "{}", report.line());
    // Most need no other start.
    assert!(report.at_once > 210, "{}", report.line());
}

#[test]
fn problems_are_allowed_poses_and_the_same_each_time() {
    let body = Humanoid::built_in().unwrap();
    let problem = body.problem(3, 5, true);
    assert_eq!(problem.targets, body.problem(3, 5, true).targets);
    assert_ne!(problem.targets, body.problem(4, 5, true).targets);
    for number in 0..100 {
        let problem = body.problem(3, number, number % 2 == 0);
        let judged = judge(&body, &problem.targets, &problem.pose);
        assert!(judged.is_reached() && judged.verdict.miss < 1e-12, "{judged:?}");
    }
}

#[test]
fn the_judge_sees_misses_elbows_bent_backwards_and_joints_out_of_place() {
    let body = Humanoid::built_in().unwrap();
    let neutral = body.skeleton.neutral_pose();
    let targets = body.targets_in(&neutral, false);
    assert!(judge(&body, &targets, &neutral).is_reached());

    let mut far = targets;
    let Target::Position(place) = &mut far[4] else { panic!("no place") };
    *place += DVec3::X * (2e-4 * body.height);
    let judged = judge(&body, &far, &neutral);
    assert!((judged.verdict.miss - 2e-4).abs() < 1e-9 && judged.is_allowed() && !judged.is_reached());

    let mut turned = body.targets_in(&neutral, true);
    assert!(judge(&body, &turned, &neutral).is_reached());
    let Target::Frame { rotation, .. } = &mut turned[2] else { panic!("no frame") };
    *rotation *= DQuat::from_rotation_x(1.1 * NEAR_TURN);
    assert!(!judge(&body, &turned, &neutral).is_reached());

    let elbow = body.folds[0];
    let Kind::Hinge { axis, .. } = body.skeleton.kind(elbow) else { panic!("no hinge") };
    let mut broken = neutral.clone();
    let back = body.skeleton.zero(elbow).rotation * DQuat::from_axis_angle(axis, -0.01 - BEYOND_STRAIGHT);
    broken.edit(&body.skeleton).rotation(elbow, Rotation::from(back));
    let judged = judge(&body, &targets, &broken);
    assert_eq!((judged.is_inside(), judged.backwards), (false, 1));

    let mut torn = neutral.clone();
    torn.edit(&body.skeleton).translation(elbow, DVec3::splat(0.5));
    assert!(judge(&body, &targets, &torn).verdict.stretch > 0.1);
}
