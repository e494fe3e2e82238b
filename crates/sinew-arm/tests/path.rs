//! Paths of serial arms that can be followed without a jump, since they were made by one that has none: `path` finds a way
//! from a seed that knows nothing of it.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::f64::consts::TAU;

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::laws::rigs::direction;
use sinew::limit::Range;
use sinew::math::ops::sin_cos;
use sinew::{JointSpec, Kind, SkeletonBuilder, Status};
use sinew_arm::{Arm, IkSolution, PathOptions, PoseTarget, Serial, Trajectory};

const FRAMES: usize = 501;

/// An arm of the kinds, base first, each a piece away from the one before.
fn arm_of(kinds: &[Kind], pieces: &[DVec3]) -> Arm {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("base"));
    for (i, (kind, piece)) in kinds.iter().zip(pieces).enumerate() {
        builder.add(JointSpec::named(format!("joint_{i}")).child_of(i).translation(*piece).kind(*kind));
    }
    let tip = JointSpec::named("tip").kind(Kind::Fixed).child_of(kinds.len());
    builder.add(tip.translation(pieces[kinds.len()]));
    let skeleton = builder.build().unwrap();
    Arm::new(&skeleton, skeleton.joint("base").unwrap(), skeleton.joint("tip").unwrap()).unwrap()
}

/// Five to eight joints: axes parallel, square, meeting in a wrist or askew; ranges narrow, wide, or of several turns.
fn random_arm(rng: &mut Rng) -> (Arm, Vec<Range>) {
    let count = 5 + rng.u64(0..4) as usize;
    let (mut kinds, mut ranges, mut pieces) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..count {
        let axis = match rng.u8(0..8) {
            0 => direction(rng),
            other => [DVec3::Z, DVec3::Y, DVec3::X][usize::from(other) % 3],
        };
        let low = -1.0 - 2.0 * rng.f64();
        ranges.push(match rng.u8(0..6) {
            0 => Range::new(-TAU, TAU),
            1 if i < 3 => Range::new(0.0, 0.8),
            _ => Range::new(low, 1.0 + 2.0 * rng.f64()),
        });
        let range = ranges[i];
        kinds.push(if range.min == 0.0 { Kind::Slide { axis, range } } else { Kind::Hinge { axis, range } });
        let length = if i > 3 && rng.bool() { 0.0 } else { 0.1 + 0.4 * rng.f64() };
        pieces.push(if rng.bool() { DVec3::Z } else { direction(rng) } * length);
    }
    pieces.push(DVec3::Z * 0.2);
    (arm_of(&kinds, &pieces), ranges)
}

/// A closed curve through much of the ranges, no coordinate by more than 0.05 from frame to frame.
fn curve(ranges: &[Range], rng: &mut Rng) -> Vec<Vec<f64>> {
    let wave = |range: &Range| {
        let [a, b, c] = [1.0, 0.4, 0.2].map(|size| size * (0.2 + 0.8 * rng.f64()));
        let [p, q, r] = [(); 3].map(|()| TAU * rng.f64());
        let middle = 0.5 * (range.min + range.max);
        let share = (0.3 + 0.65 * rng.f64()) * 0.5 * (range.max - range.min) / (a + b + c);
        let share = share.min(0.05 * (FRAMES - 1) as f64 / TAU / (a + 2.0 * b + 3.0 * c));
        let at = move |t: f64| a * sin_cos(t + p).0 + b * sin_cos(2.0 * t + q).0 + c * sin_cos(3.0 * t + r).0;
        (0..FRAMES).map(|i| middle + share * at(TAU * i as f64 / (FRAMES - 1) as f64)).collect::<Vec<_>>()
    };
    let waves: Vec<_> = ranges.iter().map(wave).collect();
    (0..FRAMES).map(|i| waves.iter().map(|wave| wave[i]).collect()).collect()
}

/// Sum of the squared steps.
fn roughness(rows: &[&[f64]]) -> f64 {
    let square = |pair: &[&[f64]]| pair[0].iter().zip(pair[1]).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    rows.windows(2).map(square).sum()
}

/// What is told is so: frames are reached within limits, and changes are small except at the jumps.
fn hold_to(arm: &Arm, ranges: &[Range], frames: &[PoseTarget], way: &Trajectory) {
    let rows: Vec<&[f64]> = way.coordinates.chunks_exact(ranges.len()).collect();
    assert_eq!(rows.len(), frames.len());
    for (i, (row, asked)) in rows.iter().zip(frames).enumerate() {
        let (place, stands) = arm.forward(row);
        let is_there = place.distance(asked.position) < 1.1e-6;
        let is_turned = !asked.mask.rotation.any() || stands.dot(asked.rotation).abs() > 1.0 - 1e-11;
        assert_eq!(is_there && is_turned, way.missed_at(i).is_none(), "{i}");
        assert!(row.iter().zip(ranges).all(|(&q, range)| range.contains(q)), "{i}: {row:?}");
        let change = |last: &&[f64]| row.iter().zip(*last).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let largest = i.checked_sub(1).map_or(0.0, |last| change(&rows[last]));
        assert_eq!(largest > 0.1 * (1.0 + 1e-9), way.jumps.contains(&i), "{i}: {largest}");
    }
}

#[test]
fn where_a_way_without_a_jump_is_known_one_is_found() {
    let (mut from_seed, mut broken, mut rough) = (0, Vec::new(), Vec::new());
    for case in 0..60 {
        let mut rng = Rng::with_seed(case);
        let (arm, ranges) = random_arm(&mut rng);
        let known = curve(&ranges, &mut rng);
        let ask = |values: &Vec<f64>| {
            let (place, stands) = arm.forward(values);
            if case % 3 == 2 { PoseTarget::position(place) } else { PoseTarget::frame(place, stands) }
        };
        let frames: Vec<PoseTarget> = known.iter().map(ask).collect();
        let middle: Vec<f64> = ranges.iter().map(|range| 0.5 * (range.min + range.max)).collect();
        let way = arm.path(&frames, &middle, &PathOptions::default());
        hold_to(&arm, &ranges, &frames, &way);
        broken.extend((!way.jumps.is_empty() || !way.missed.is_empty()).then_some(case));
        let alone = arm.path(&frames, &middle, &PathOptions { alternatives: 0, ..PathOptions::default() });
        hold_to(&arm, &ranges, &frames, &alone);
        from_seed += i32::from(alone.jumps.is_empty());
        if !alone.jumps.is_empty() {
            let rows: Vec<&[f64]> = way.coordinates.chunks_exact(ranges.len()).collect();
            rough.push(roughness(&rows) / roughness(&known.iter().map(Vec::as_slice).collect::<Vec<_>>()));
        }
    }
    // Following the seed's own answer must fail often, or these are no test.
    assert!(from_seed < 45, "{from_seed}");
    assert!(broken.is_empty(), "{broken:?}");
    // Drawn here and there they would be twice as rough as the known ones.
    rough.sort_by(f64::total_cmp);
    assert!(rough[rough.len() / 2] < 1.6, "{rough:?}");
}

#[test]
fn whole_turns_are_chosen_by_where_the_path_leads() {
    // A turntable that allows two turns goes round almost twice: it must begin near one of its ends, whatever the seed.
    let range = Range::new(-TAU, TAU);
    let hinge = |axis: DVec3, range: Range| Kind::Hinge { axis, range };
    let bend = Range::new(0.2, 2.5);
    let arm = arm_of(&[hinge(DVec3::Z, range), hinge(DVec3::Y, bend)], &[DVec3::Z, DVec3::X, DVec3::X]);
    for turn in [1.9, -1.9] {
        let frames: Vec<PoseTarget> = (0..=400)
            .map(|i| PoseTarget::position(arm.forward(&[turn * TAU * (f64::from(i) / 400.0 - 0.5), 1.0]).0))
            .collect();
        for seed in [-5.0, 0.0, 5.0] {
            let way = arm.path(&frames, &[seed, 1.0], &PathOptions::default());
            hold_to(&arm, &[range, bend], &frames, &way);
            assert_eq!((&way.jumps[..], &way.missed[..]), (&[][..], &[][..]), "{turn} {seed}");
        }
        // One turn more is too much: one jump, as late as it can be.
        let farther = (0..=100).map(|i| turn * TAU * (0.5 + 0.005 * f64::from(i)));
        let farther = farther.map(|angle| PoseTarget::position(arm.forward(&[angle, 1.0]).0));
        let frames: Vec<PoseTarget> = frames.iter().copied().chain(farther).collect();
        let way = arm.path(&frames, &[0.0, 1.0], &PathOptions::default());
        hold_to(&arm, &[range, bend], &frames, &way);
        assert_eq!((way.jumps.len(), way.missed.len()), (1, 0), "{turn}: {:?}", way.jumps);
        assert!(way.jumps[0] > 400);
    }
}

#[test]
fn frames_out_of_reach_are_missed_without_a_jump_and_nonsense_is_survived() {
    let range = Range::new(-2.5, 2.5);
    let hinge = Kind::Hinge { axis: DVec3::Z, range };
    let arm = arm_of(&[hinge, hinge], &[DVec3::ZERO, DVec3::X, DVec3::X]);
    let out = |i: i32| PoseTarget::position(DVec3::new(1.5 + 0.6 * sin_cos(f64::from(i) * 0.003_14).0, 0.0, 0.0));
    let mut frames: Vec<PoseTarget> = (0..=2000).map(out).collect();
    let way = arm.path(&frames, &[0.3, -0.6], &PathOptions::default());
    hold_to(&arm, &[range; 2], &frames, &way);
    assert!(!way.missed.is_empty() && way.missed.iter().all(|missed| frames[missed.frame].position.x > 2.0));
    assert!(way.jumps.is_empty(), "{:?}", way.jumps);
    for at in [0, 7, 8, 2000] {
        frames[at].position.y = f64::NAN;
    }
    let way = arm.path(&frames, &[0.3, -0.6], &PathOptions::default());
    assert!([0, 7, 8, 2000].iter().all(|&at| way.missed_at(at).is_some()) && way.jumps.is_empty());
    assert!(way.coordinates.len() == 2 * frames.len() && way.coordinates.iter().all(|q| q.is_finite()));
    assert_eq!(arm.path(&[], &[0.0; 2], &PathOptions::default()), Trajectory::default());
}

#[test]
fn missed_frames_say_why_and_how_far_the_arm_comes() {
    let hinge = |axis| Kind::Hinge { axis, range: Range::new(-2.9, 2.9) };
    let kinds = [DVec3::Z, DVec3::Y, DVec3::Y, DVec3::X, DVec3::Y, DVec3::X].map(hinge);
    // An elbow beside the forearm's own axis, and a wrist whose axes meet at the end of the forearm.
    let pieces = [(0.0, 0.29), (0.0, 0.0), (0.0, 0.27), (0.0, 0.07), (0.302, 0.0), (0.072, 0.0), (0.0, 0.0)];
    let arm = arm_of(&kinds, &pieces.map(|(x, z)| DVec3::new(x, 0.0, z)));
    let down = DQuat::from_rotation_y(TAU / 4.0);
    let longest = 0.27 + 0.302_f64.hypot(0.07);
    let outwards = |i: i32| DVec3::new(longest - 0.05 + 0.01 * f64::from(i), 0.0, 0.29 - 0.072);
    let frames: Vec<PoseTarget> = (0..10).map(|i| PoseTarget::frame(outwards(i), down)).collect();
    let way = arm.path(&frames, &[0.0; 6], &PathOptions { step: 1.0, ..PathOptions::default() });
    assert_eq!(way.missed.iter().map(|missed| missed.frame).collect::<Vec<_>>(), [6, 7, 8, 9]);
    assert_eq!(way.missed_at(6), way.missed.first());
    assert!(way.missed_at(5).is_none());
    for missed in &way.missed {
        assert_eq!(missed.nearest.status, Status::OutOfReach, "the tip alone would reach: {missed:?}");
        let stands = arm.forward(&way.coordinates[6 * missed.frame..][..6]).0;
        assert!((missed.left.position - (frames[missed.frame].position - stands)).length() < 1e-12);
        let off = |left: IkSolution| left.position.length().hypot(left.rotation.length());
        assert!(off(missed.nearest) < off(missed.left) + 1e-9 && off(missed.nearest) > 0.005, "{missed:?}");
    }
    let alone: Vec<PoseTarget> = (0..10).map(|i| PoseTarget::position(outwards(i))).collect();
    assert!(arm.path(&alone, &[0.0; 6], &PathOptions { step: 1.0, ..PathOptions::default() }).missed.is_empty());
}

#[test]
fn no_frame_that_an_arm_has_is_called_out_of_its_reach() {
    let mut rng = Rng::with_seed(5);
    for _ in 0..500 {
        let (arm, ranges) = random_arm(&mut rng);
        for share in [0.0, 0.3, 1.0] {
            // Also stretched, and all the way at an end.
            let values: Vec<f64> =
                ranges.iter().map(|range| range.min + share * rng.f64() * (range.max - range.min)).collect();
            let (position, rotation) = arm.forward(&values);
            let blind = Serial { iterations: 0, restarts: 0, ..Serial::default() };
            for target in [PoseTarget::position(position), PoseTarget::frame(position, rotation)] {
                let (seed, mut answer) = (vec![0.1; values.len()], vec![0.0; values.len()]);
                let found = arm.solve(&target, &seed, &blind, &mut answer);
                assert_ne!(found.status, Status::OutOfReach, "{arm:?} {values:?}");
            }
        }
    }
}
