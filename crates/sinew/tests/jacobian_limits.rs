//! Descent inside limits: rates on chains, misses against many starts, straight chains, no
//! allocation.

use std::f64::consts::FRAC_PI_4;

use sinew::glam::DVec3;
use sinew::laws::rigs::direction;
use sinew::solve::jacobian::{Jacobian, Method, Posture};
use sinew::{Goal, Joint, JointSpec, Kind, Skeleton, SkeletonBuilder, Solver, Status, Transform, Workspace};

use crate::determinism::scenes::arms::{allowed_pose, chain, cones, narrow_arm};

/// Hinges of ±45°, about Z and Y in turn.
fn hinges(joints: usize) -> (Skeleton, Joint) {
    let axis = |i: usize| if i.is_multiple_of(2) { DVec3::Z } else { DVec3::Y };
    chain(joints, |i| Kind::hinge(axis(i)).within(-FRAC_PI_4, FRAC_PI_4))
}

/// Share of reachable goals that are reached from the middle of the limits.
fn rate((skeleton, tip): &(Skeleton, Joint), method: Method, tries: u32) -> f64 {
    let solver = Jacobian { method, position_tolerance: 1e-4, ..Jacobian::default() };
    let mut rng = fastrand::Rng::with_seed(11);
    let (mut work, mut pose, mut reached) = (Workspace::default(), skeleton.neutral_pose(), 0);
    for _ in 0..tries {
        let there = allowed_pose(skeleton, &mut rng).position(*tip);
        pose.clone_from(&skeleton.neutral_pose());
        let outcome = solver.solve(skeleton, &[Goal::position(*tip, there)], &mut pose, &mut work);
        assert_eq!(outcome.status == Status::Reached, pose.position(*tip).distance(there) <= 1e-4, "{outcome:?}");
        for joint in skeleton.iter() {
            let allowed = skeleton.nearest_allowed(joint, pose.local(joint), pose.value(skeleton, joint));
            let off = allowed.rotation - pose.local(joint).rotation;
            assert!(off.length() < 1e-9, "outside its limit");
        }
        reached += u32::from(outcome.status == Status::Reached);
    }
    f64::from(reached) / f64::from(tries)
}

#[test]
fn hinges_and_cones_of_forty_five_degrees_are_solved() {
    for joints in [5, 10, 20] {
        let hinged = rate(&hinges(joints), Method::default(), 1000);
        assert!(hinged >= 0.998, "{joints} hinges: {hinged}");
        let coned = rate(&cones(joints), Method::default(), 300);
        assert!(coned >= 0.998, "{joints} cones: {coned}");
        let selective = rate(&hinges(joints), Method::SelectivelyDamped, 300);
        assert!(selective >= 0.99, "{joints} hinges, selectively: {selective}");
        let damped = rate(&hinges(joints), Method::DampedLeastSquares { damping: 0.1 }, 300);
        assert!(damped >= 0.98, "{joints} hinges, damped: {damped}");
    }
    // Slow, and stuck more often: what it costs to solve no system.
    let transposed = rate(&hinges(5), Method::Transpose, 100);
    assert!(transposed >= 0.7, "the transpose: {transposed}");
}

#[test]
fn what_limits_forbid_is_missed_by_hardly_more_than_the_best_of_many_starts() {
    let (arms, starts) = if cfg!(debug_assertions) { (40, 60) } else { (100, 1000) };
    let solver = Jacobian { restarts: 16, position_tolerance: 1e-6, ..Jacobian::default() };
    let single = Jacobian { restarts: 0, ..solver.clone() };
    let (mut limited, mut alone) = (0, 0);
    for seed in 0..arms {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (arm, tip) = narrow_arm(&mut rng);
        let goal = Goal::position(tip, direction(&mut rng) * 3.0 * rng.f64());
        let mut work = Workspace::default();
        let mut pose = arm.neutral_pose();
        let outcome = solver.solve(&arm, &[goal], &mut pose, &mut work);
        let mut first = arm.neutral_pose();
        let first = single.solve(&arm, &[goal], &mut first, &mut work).position_error;
        let best = (0..starts).fold(f64::INFINITY, |best, _| {
            let mut other = allowed_pose(&arm, &mut rng);
            best.min(single.solve(&arm, &[goal], &mut other, &mut work).position_error)
        });
        let miss = outcome.position_error;
        assert!(miss <= best * 1.05 + 1e-5, "arm {seed}: {miss}, of {starts} starts {best}");
        limited += u32::from(outcome.status == Status::Limited);
        alone += u32::from(first <= best * 1.05 + 1e-5);
    }
    assert!(limited * 2 > arms as u32, "too few goals that limits forbid: {limited}");
    // One descent is most often enough.
    assert!(f64::from(alone) >= 0.7 * arms as f64, "alone: {alone} of {arms}");
}

#[test]
fn what_was_solved_stays_as_it_is_with_restarts_too() {
    for seed in 0..20 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (arm, tip) = narrow_arm(&mut rng);
        let goal = Goal::position(tip, direction(&mut rng) * 3.0 * rng.f64());
        for restarts in [0, 8] {
            let solver = Jacobian { restarts, ..Jacobian::default() };
            let (mut pose, mut work) = (arm.neutral_pose(), Workspace::default());
            let outcome = solver.solve(&arm, &[goal], &mut pose, &mut work);
            let first = pose.clone();
            for _ in 0..3 {
                let _ = solver.solve(&arm, &[goal], &mut pose, &mut work);
            }
            assert!(pose == first, "arm {seed}, {restarts} restarts, {outcome:?}");
        }
    }
}

#[test]
fn a_blocked_joint_is_named_and_the_others_take_up_its_share() {
    let (chain, tip) =
        chain(3, |i| if i == 1 { Kind::hinge(DVec3::Z).within(-0.1, 0.1) } else { Kind::hinge(DVec3::Z) });
    let solver = Jacobian::default();
    let (mut pose, mut work) = (chain.rest_pose(), Workspace::default());
    let outcome = solver.solve(&chain, &[Goal::position(tip, DVec3::new(0.3, 0.75, 0.0))], &mut pose, &mut work);
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
    // Nearer than the stiff middle lets it fold.
    let outcome = solver.solve(&chain, &[Goal::position(tip, DVec3::new(0.05, 0.0, 0.0))], &mut pose, &mut work);
    assert_eq!(outcome.status, Status::Limited, "{outcome:?}");
    assert_eq!(work.blocking(0).collect::<Vec<_>>(), [chain.joint("j1").expect("a joint")]);
    // With the middle at its end the outer bones fold back: what is left by hand.
    let at_end = (pose.coordinates()[1].abs() - 0.1).abs() < 1e-12;
    assert!(at_end, "{:?}", pose.coordinates());
}

#[test]
fn a_dog_leg_bends_as_it_should() {
    let ranges = [(-1.0, 1.0), (0.0, 2.6), (-2.6, 0.0)];
    let (leg, tip) = chain(3, |i| Kind::hinge(DVec3::Z).within(ranges[i].0, ranges[i].1));
    for distance in [0.95, 0.8, 0.65, 0.5] {
        // Straight at rest, and the target on the line.
        let mut pose = leg.rest_pose();
        let goal = Goal::position(tip, DVec3::X * distance);
        let outcome = Jacobian::default().solve(&leg, &[goal], &mut pose, &mut Workspace::default());
        assert_eq!(outcome.status, Status::Reached, "{distance}: {outcome:?}");
        let [_, knee, heel] = [0, 1, 2].map(|i| pose.coordinates()[i]);
        assert!(knee >= 0.0 && heel <= 0.0 && knee - heel > 0.2, "{distance}: knee {knee}, heel {heel}");
        // A posture in what is free does not pull it off its target.
        let solver = Jacobian { posture: Some(Posture::LimitCentre), ..Jacobian::default() };
        let outcome = solver.solve(&leg, &[goal], &mut pose, &mut Workspace::default());
        assert!(outcome.status == Status::Reached && pose.position(tip).distance(DVec3::X * distance) < 1e-9);
    }
}

#[test]
fn straight_chains_bend_the_way_they_prefer_and_stay_straight_at_full_reach() {
    let arm = Skeleton::from_lengths(&[0.3, 0.2, 0.3, 0.2]).expect("an arm");
    let tip = arm.joint("joint_4").expect("its tip");
    let solve = |place: DVec3| {
        let mut pose = arm.rest_pose();
        let outcome =
            Jacobian::default().solve(&arm, &[Goal::position(tip, place)], &mut pose, &mut Workspace::default());
        (pose, outcome)
    };
    let (pose, outcome) = solve(DVec3::Y * 0.7);
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
    // Bones prefer to fold by positive turns about X: the middle swings to -Z.
    let middle = pose.position(arm.joint("joint_2").expect("a joint"));
    assert!(middle.x.abs() < 1e-9 && middle.z < -0.1, "{middle}");
    for far in [1.0, 1.5] {
        let (pose, outcome) = solve(DVec3::Y * far);
        let ends = [Status::Reached, Status::OutOfReach];
        assert!(ends.contains(&outcome.status), "{outcome:?}");
        assert!(arm.iter().all(|joint| pose.position(joint).x.abs() + pose.position(joint).z.abs() < 1e-4));
    }
}

#[test]
fn nothing_is_allocated_once_a_workspace_knows_the_skeleton() {
    let (arm, tip) = cones(6);
    let goals = |place: DVec3| {
        [
            Goal::frame(tip, place, sinew::Rotation::about(DVec3::Y, 0.3)),
            Goal::axis(tip, DVec3::Z, DVec3::X).up(DVec3::Y).priority(1),
            Goal::center_of_mass(tip, place).pull(0.5),
        ]
    };
    for method in [Method::LevenbergMarquardt, Method::SelectivelyDamped, Method::Transpose, Method::Continuous] {
        for posture in [None, Some(Posture::Rest)] {
            let solver = Jacobian { method, posture, restarts: 2, iterations: 40, ..Jacobian::default() };
            let (mut pose, mut work) = (arm.neutral_pose(), Workspace::default());
            let mut run = |place: DVec3, count: usize| {
                pose.reset(&arm);
                allocation_counter::measure(|| {
                    let _ = solver.solve(&arm, &goals(place)[..count], &mut pose, &mut work);
                })
                .count_total
            };
            run(DVec3::new(0.3, 0.4, 0.2), 3);
            // Also where a goal is met for the first time, missed for the first time, or alone.
            for place in [DVec3::new(0.5, 0.3, 0.2), DVec3::X * 3.0, DVec3::X * 0.5] {
                assert_eq!(run(place, 3), 0, "{method:?}");
            }
            run(DVec3::X * 3.0, 1);
            assert_eq!(run(DVec3::X * 2.0, 1) + run(DVec3::X * 0.5, 1), 0, "{method:?}");
        }
    }
}

#[test]
fn a_hinge_that_rests_askew_ends_on_its_axis_though_its_range_holds_it() {
    let mut builder = SkeletonBuilder::new();
    // Turned out of the plane at rest, and a goal that pushes against the end of the range.
    let askew = Transform::from_rotation(sinew::Rotation::about(DVec3::Y, 0.2));
    let zero = Some(Transform::IDENTITY);
    let hinge = Kind::hinge(DVec3::Z).within(0.0, 1.0);
    builder.add(JointSpec { zero, ..JointSpec::named("hinge") }.rest(askew).kind(hinge));
    builder.add(JointSpec::named("tip").child_of(0).translation(DVec3::X).kind(Kind::Fixed));
    let skeleton = builder.build().expect("a hinge");
    let [hinge, tip] = skeleton.joints(["hinge", "tip"]).expect("its joints");
    let mut pose = skeleton.rest_pose();
    let goal = Goal::position(tip, DVec3::new(0.5, -0.5, 0.0));
    let _ = Jacobian::default().solve(&skeleton, &[goal], &mut pose, &mut Workspace::default());
    let allowed = skeleton.nearest_allowed(hinge, pose.local(hinge), 0.0);
    assert!((allowed.rotation - pose.local(hinge).rotation).length() < 1e-12, "{:?}", pose.local(hinge));
    assert!(pose.position(tip).z.abs() < 1e-12);
}
