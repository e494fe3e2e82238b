//! Serial arms without a pose: random ones of hinges and slides, with mimics, limits and continuous joints, held to the
//! skeleton's own forward kinematics.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use crate::arms::{arm_of, random_arm, random_values, ranges, tip};
use fastrand::Rng;
use sinew::glam::{BVec3, DVec3};
use sinew::laws::rigs::{direction, rotation};
use sinew::limit::Range;
use sinew::{JointSpec, Kind, Mask, Skeleton, SkeletonBuilder, Status, Tolerance, Transform};
use sinew_arm::{Arm, ArmError, PathOptions, PoseTarget, Serial, Width};

const RESTARTS: Serial =
    Serial { iterations: 50, restarts: 400, position_tolerance: 1e-10, rotation_tolerance: 1e-10, width: Width::ONE };

/// Distance and angle between two frames.
fn between(a: &Transform, b: &Transform) -> (f64, f64) {
    let turn = a.rotation.conjugate() * b.rotation;
    (a.translation.distance(b.translation), 2.0 * DVec3::new(turn.x, turn.y, turn.z).length())
}

fn asked(frame: &Transform, near: f64) -> PoseTarget {
    let tolerance = Tolerance { position: near, rotation: 1e-9 };
    PoseTarget::frame(frame.translation, frame.rotation).tolerance(tolerance)
}

#[test]
fn forward_kinematics_are_the_skeletons() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..200 {
        let skeleton = random_arm(&mut rng);
        let arm = arm_of(&skeleton);
        let values = random_values(&ranges(&skeleton, &arm), &mut rng);
        let (translation, rotation) = arm.forward(&values);
        let (off, turned) =
            between(&Transform { translation, rotation, scale: DVec3::ONE }, &tip(&skeleton, &arm, &values));
        assert!(off < 1e-14 * arm.length() && turned < 1e-13, "{off} {turned}");
    }
}

#[test]
fn reachable_frames_are_reached_inside_the_limits() {
    let mut rng = Rng::with_seed(2);
    for case in 0..300 {
        let skeleton = random_arm(&mut rng);
        let arm = arm_of(&skeleton);
        let ranges = ranges(&skeleton, &arm);
        let goal = tip(&skeleton, &arm, &random_values(&ranges, &mut rng));
        let seed = random_values(&ranges, &mut rng);
        let (mut answer, near) = (seed.clone(), 1e-9 * arm.length());
        let found = arm.solve(&asked(&goal, near), &seed, &RESTARTS, &mut answer);
        assert_eq!(found.status, Status::Reached, "{case}");
        let (off, turned) = between(&goal, &tip(&skeleton, &arm, &answer));
        assert!(off < 1.01 * near && turned < 1.01e-9, "{case}: {off} {turned}");
        assert!(ranges.iter().zip(&answer).all(|(range, &q)| range.contains(q)), "{case}");
        // What is solved is left bit for bit.
        let mut again = answer.clone();
        let found = arm.solve(&asked(&goal, near * 1.01), &answer, &RESTARTS, &mut again);
        assert_eq!((found.status, &again), (Status::Reached, &answer));
    }
}

#[test]
fn whatever_is_asked_claims_are_true_and_limits_hold() {
    let mut rng = Rng::with_seed(3);
    let mut counts = [0; 2];
    for case in 0..300 {
        let skeleton = random_arm(&mut rng);
        let arm = arm_of(&skeleton);
        let ranges = ranges(&skeleton, &arm);
        let goal = Transform {
            translation: direction(&mut rng) * arm.length() * 1.3 * rng.f64(),
            rotation: rotation(&mut rng).quaternion(),
            scale: DVec3::ONE,
        };
        let seed = random_values(&ranges, &mut rng);
        let settings = Serial { restarts: case % 4, ..RESTARTS };
        let (mut answer, near) = (seed.clone(), 1e-9 * arm.length());
        let found = arm.solve(&asked(&goal, near), &seed, &settings, &mut answer);
        let (off, turned) = between(&goal, &tip(&skeleton, &arm, &answer));
        let is_there = off < 1.01 * near && turned < 1.01e-9;
        assert_eq!(found.status == Status::Reached, is_there, "{case}: {:?} {off} {turned}", found.status);
        assert!(ranges.iter().zip(&answer).all(|(range, &q)| range.contains(q)), "{case}");
        let there = tip(&skeleton, &arm, &answer);
        assert!((goal.translation - there.translation - found.position).length() < 1e-12 * arm.length(), "{case}");
        let turn = sinew::math::arc::rotation_vector(goal.rotation * there.rotation.conjugate());
        assert!((turn - found.rotation).length() < 1e-9, "{case}: {turn} {}", found.rotation);
        for (place, range) in ranges.iter().enumerate().filter(|&(place, _)| found.is_blocking(place)) {
            assert!(answer[place] == range.min || answer[place] == range.max, "{case}: {place} blocks from within");
        }
        counts[usize::from(is_there)] += 1;
    }
    assert!(counts[0] > 50 && counts[1] > 20, "{counts:?}");
}

/// An arm of six hinges that reaches 1.1 m.
fn six_hinges() -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("base"));
    let axes = [DVec3::Z, DVec3::Y, DVec3::Y, DVec3::Z, DVec3::Y, DVec3::Z];
    for (i, (axis, length)) in axes.into_iter().zip([0.3, 0.0, 0.35, 0.05, 0.3, 0.0]).enumerate() {
        let joint = JointSpec::named(format!("joint_{i}")).child_of(i).translation(DVec3::new(0.0, 0.0, length));
        builder.add(joint.kind(Kind::hinge(axis).within(-2.9, 2.9)));
    }
    builder.add(JointSpec::named("tip").kind(Kind::Fixed).child_of(6).translation(DVec3::Z * 0.1));
    builder.build().unwrap()
}

#[test]
fn what_is_too_far_is_said_to_be() {
    let skeleton = six_hinges();
    let arm = arm_of(&skeleton);
    assert!((arm.length() - 0.8).abs() < 1e-12);
    let mut answer = [0.0; 6];
    let seed = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    let found = arm.solve(&PoseTarget::position(DVec3::new(5.0, 0.0, 0.3)), &seed, &RESTARTS, &mut answer);
    assert_eq!(found.status, Status::OutOfReach);
    // The best it can do is to point there, stretched.
    assert!((arm.forward(&answer).0 - DVec3::new(0.8, 0.0, 0.3)).length() < 1e-3, "{}", arm.forward(&answer).0);
    let nan = PoseTarget::position(DVec3::NAN);
    assert_eq!(arm.solve(&nan, &seed, &RESTARTS, &mut answer).status, Status::Invalid);
    assert_eq!(answer, seed);
    assert_eq!(
        arm.solve(&PoseTarget::position(DVec3::X), &[f64::INFINITY; 6], &RESTARTS, &mut answer).status,
        Status::Invalid
    );
}

#[test]
fn masked_components_are_free() {
    let skeleton = six_hinges();
    let arm = arm_of(&skeleton);
    let goal = tip(&skeleton, &arm, &[0.3, -0.8, 1.4, 0.2, 0.7, -1.0]);
    // The tool may turn about the vertical, and be at any height.
    let mask =
        Mask { position: BVec3::new(true, true, false), rotation: BVec3::new(true, true, false), ..Mask::default() };
    let ask = PoseTarget { mask, ..asked(&goal, 1e-9) };
    let (seed, mut answer) = ([0.0, -0.5, 1.0, 0.0, 0.4, 0.0], [0.0; 6]);
    assert_eq!(arm.solve(&ask, &seed, &RESTARTS, &mut answer).status, Status::Reached);
    let there = tip(&skeleton, &arm, &answer);
    assert!((there.translation - goal.translation).truncate().length() < 1e-9);
    let left = sinew::math::arc::rotation_vector(goal.rotation * there.rotation.conjugate());
    assert!(left.truncate().length() < 1e-8 && left.z.abs() > 1e-3, "{left}");
    let place = PoseTarget::position(goal.translation);
    assert_eq!(arm.solve(&place, &seed, &RESTARTS, &mut answer).status, Status::Reached);
    assert!((tip(&skeleton, &arm, &answer).translation - goal.translation).length() < 1e-6);
}

#[test]
fn whole_turns_are_those_of_the_seed() {
    let skeleton = six_hinges().revised(|_, spec| {
        if let Kind::Hinge { range, .. } = &mut spec.kind {
            *range = Range::new(-20.0, 20.0);
        }
    });
    let skeleton = skeleton.unwrap();
    let arm = arm_of(&skeleton);
    let truth = [7.0, -0.8, 1.4, -12.4, 0.7, 19.9];
    let goal = tip(&skeleton, &arm, &truth);
    let seed = truth.map(|q| q + 0.05);
    let mut answer = [0.0; 6];
    assert_eq!(arm.solve(&asked(&goal, 1e-9), &seed, &RESTARTS, &mut answer).status, Status::Reached);
    assert!(answer.iter().zip(truth).all(|(q, truth)| (q - truth).abs() < 1e-6), "{answer:?}");
}

#[test]
fn seeds_far_from_any_range_are_no_obstacle() {
    let wide = |range: Range| {
        let skeleton = six_hinges().revised(|_, spec| {
            if let Kind::Hinge { range: now, .. } = &mut spec.kind {
                *now = range;
            }
        });
        skeleton.unwrap()
    };
    for range in [Range::new(-2.9, 2.9), Range::new(-7.0, 7.0), Range::FREE] {
        let skeleton = wide(range);
        let arm = arm_of(&skeleton);
        let goal = tip(&skeleton, &arm, &[0.3, -0.8, 1.4, 0.2, 0.7, -1.0]);
        for seed in [1e3, -1e6, 1e18, 1e300] {
            let mut answer = [0.0; 6];
            let found = arm.solve(&asked(&goal, 1e-9), &[seed; 6], &RESTARTS, &mut answer);
            assert_eq!(found.status, Status::Reached, "{seed}");
            assert!(between(&goal, &tip(&skeleton, &arm, &answer)).1 < 1.1e-9, "{seed}: {answer:?}");
            assert!(answer.iter().all(|&q| range.contains(q)), "{seed}: {answer:?}");
            let found = arm.nearest(&asked(&goal, 1e-9), &[seed; 6], &[0.1; 6], &Serial::default(), &mut answer);
            assert!(found.status != Status::Reached && answer.iter().all(|q| range.contains(*q)), "{seed}");
        }
    }
}

#[test]
fn nearest_stays_near_or_says_that_it_cannot() {
    let mut rng = Rng::with_seed(4);
    let mut refused = 0;
    for case in 0..200 {
        let skeleton = random_arm(&mut rng);
        let arm = arm_of(&skeleton);
        let ranges = ranges(&skeleton, &arm);
        let truth = random_values(&ranges, &mut rng);
        let goal = tip(&skeleton, &arm, &truth);
        let within: Vec<f64> = truth.iter().map(|_| 0.05 + 0.3 * rng.f64()).collect();
        // From a seed that is near enough, and from one that is not.
        let near: Vec<f64> =
            truth.iter().zip(&within).map(|(q, within)| q + within * 0.9 * (2.0 * rng.f64() - 1.0)).collect();
        let mut answer = truth.clone();
        let ask = asked(&goal, 1e-9 * arm.length());
        let found = arm.nearest(&ask, &near, &within, &RESTARTS, &mut answer);
        assert_eq!(found.status, Status::Reached, "{case}");
        let stays = |seed: &[f64], answer: &[f64]| {
            answer.iter().zip(seed).zip(&within).all(|((q, s), w)| (q - s).abs() <= w * (1.0 + 1e-12))
        };
        assert!(stays(&near, &answer), "{case}");
        assert!(between(&goal, &tip(&skeleton, &arm, &answer)).1 < 1.01e-9);
        let far = random_values(&ranges, &mut rng);
        let few = Serial { restarts: 4, ..RESTARTS };
        let found = arm.nearest(&ask, &far, &within, &few, &mut answer);
        assert!(stays(&far, &answer), "{case}");
        let (off, turned) = between(&goal, &tip(&skeleton, &arm, &answer));
        assert_eq!(found.status == Status::Reached, off < 1.01e-9 * arm.length() && turned < 1.01e-9, "{case}");
        refused += i32::from(found.status != Status::Reached);
    }
    assert!(refused > 100);
}

/// Largest change of a coordinate from frame to frame.
fn largest_change(coordinates: &[f64], count: usize) -> f64 {
    let rows: Vec<&[f64]> = coordinates.chunks(count).collect();
    let change = |pair: &[&[f64]]| pair[0].iter().zip(pair[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    rows.windows(2).map(change).fold(0.0, f64::max)
}

#[test]
fn a_circle_is_followed_without_a_jump() {
    let skeleton = six_hinges();
    let arm = arm_of(&skeleton);
    let middle = tip(&skeleton, &arm, &[0.3, 0.2, 1.5, 0.2, 0.7, -1.0]);
    let frames: Vec<PoseTarget> = (0..=1000)
        .map(|i| {
            let (s, c) = sinew::math::ops::sin_cos(f64::from(i) * core::f64::consts::TAU / 1000.0);
            let place = middle.translation + DVec3::new(0.1 * c, 0.1 * s, 0.02 * s);
            asked(&Transform { translation: place, ..middle }, 1e-7)
        })
        .collect();
    let way = arm.path(&frames, &[0.0; 6], &PathOptions { serial: RESTARTS, ..PathOptions::default() });
    assert!(way.jumps.is_empty() && way.missed.is_empty(), "{:?} {:?}", way.jumps, way.missed);
    assert!(largest_change(&way.coordinates, 6) <= 0.1);
    for (frame, values) in frames.iter().zip(way.coordinates.chunks(6)) {
        assert!((tip(&skeleton, &arm, values).translation - frame.position).length() < 1.1e-7);
    }
}

/// Two hinges in a plane, one metre each.
fn elbow(shoulder: Range, elbow: Range) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("base"));
    let hinge = |range: Range| Kind::Hinge { axis: DVec3::Z, range };
    builder.add(JointSpec::named("shoulder").child_of(0).kind(hinge(shoulder)));
    builder.add(JointSpec::named("elbow").child_of(1).translation(DVec3::X).kind(hinge(elbow)));
    builder.add(JointSpec::named("tip").kind(Kind::Fixed).child_of(2).translation(DVec3::X));
    builder.build().unwrap()
}

#[test]
fn jumps_that_no_way_avoids_are_told_and_those_that_one_avoids_are_not_made() {
    // The shoulder's range makes the arm change its elbow's side on the way round, a quarter turn wide.
    let skeleton = elbow(Range::new(-1.2, 1.2), Range::new(-2.5, 2.5));
    let arm = arm_of(&skeleton);
    let around = |from: f64, to: f64| -> Vec<PoseTarget> {
        let place = |i: i32| {
            let (s, c) = sinew::math::ops::sin_cos(from + (to - from) * f64::from(i) / 200.0);
            PoseTarget::position(DVec3::new(1.2 * c, 1.2 * s, 0.0))
        };
        (0..=200).map(place).collect()
    };
    // Both sides reach -0.2 to 0.2; beyond 0.27 only the elbow on the left can, below -0.27 only that on the right.
    let way = arm.path(&around(0.0, 1.5), &[0.9, -1.8], &PathOptions::default());
    assert_eq!((way.jumps.len(), way.missed.len()), (0, 0), "{:?} {:?}", way.jumps, way.missed);
    let way = arm.path(&around(-1.5, 1.5), &[0.0, 0.5], &PathOptions::default());
    assert_eq!((way.jumps.len(), way.missed.len()), (1, 0), "{:?} {:?}", way.jumps, way.missed);
    assert!(largest_change(&way.coordinates, 2) > 1.0);
    // A way out of reach and back.
    let out: Vec<PoseTarget> = (0..=200)
        .map(|i| PoseTarget::position(DVec3::X * (1.5 + 0.6 * sinew::math::ops::sin_cos(f64::from(i) * 0.031_4).0)))
        .collect();
    let way = arm.path(&out, &[0.3, -0.6], &PathOptions::default());
    assert!(!way.missed.is_empty() && way.missed.iter().all(|missed| out[missed.frame].position.x > 2.0));
    assert_eq!(way.coordinates.len(), 2 * out.len());
}

#[test]
fn what_is_no_arm_is_refused_with_a_reason() {
    let skeleton = Skeleton::from_lengths(&[1.0, 1.0]).unwrap();
    let [first, last] = skeleton.joints(["joint_0", "joint_2"]).unwrap();
    let error = Arm::new(&skeleton, first, last).unwrap_err();
    assert!(matches!(error, ArmError::NotSerial { .. }) && error.to_string().contains("Jacobian"));
    assert!(matches!(Arm::new(&skeleton, last, first), Err(ArmError::Chain(_))));
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("base"));
    for i in 0..70 {
        builder.add(JointSpec::named(format!("{i}")).child_of(i).translation(DVec3::X).kind(Kind::hinge(DVec3::Z)));
    }
    let snake = builder.build().unwrap();
    let arm = |tip: usize| Arm::new(&snake, snake.joint("base").unwrap(), snake.joint(&tip.to_string()).unwrap());
    assert_eq!(arm(69).unwrap_err(), ArmError::TooLong);
    // As long as it may be.
    let (long, mut answer) = (arm(63).unwrap(), [0.0; 64]);
    let found = long.solve(&PoseTarget::position(DVec3::new(20.0, 30.0, 0.0)), &[0.01; 64], &RESTARTS, &mut answer);
    assert_eq!(found.status, Status::Reached);
    assert!(long.forward(&answer).0.distance(DVec3::new(20.0, 30.0, 0.0)) < 1e-6);
}
