//! Limbs that never pop: with soft reach and the swivel passed back, the middle joint is never faster than
//! the ratio asked for, along sweeps, spirals and wild paths.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use crate::some;
use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::laws::rigs::direction;
use sinew::solve::two_bone::{self, Limb, Prepared, Reach, TwoBone};
use sinew::{
    Goal, Joint, JointSpec, Kind, Pole, Pose, Rotation, Skeleton, SkeletonBuilder, Solver, Status, Swivel, Workspace,
};

const STEP: f64 = 2e-4;

/// Rests bent about X, its bones along Y; the pole is +Z.
fn limb(l1: f64, l2: f64, mid: Kind) -> (Skeleton, [Joint; 3]) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("root"));
    builder.add(
        JointSpec::named("mid")
            .child_of(0)
            .translation(DVec3::Y * l1)
            .rotation(Rotation::about(DVec3::X, -0.4))
            .kind(mid),
    );
    builder.add(JointSpec::named("tip").child_of(1).translation(DVec3::Y * l2));
    let skeleton = builder.build().unwrap();
    let joints = skeleton.joints(["root", "mid", "tip"]).unwrap();
    (skeleton, joints)
}

/// Follows a path with the swivel carried along; each step's elbow travel, target travel, and the target.
fn follow(l1: f64, l2: f64, mid: Kind, reach: Reach, path: impl Iterator<Item = DVec3>) -> Vec<(f64, f64, DVec3)> {
    let (skeleton, [root, elbow, tip]) = limb(l1, l2, mid);
    let solver = TwoBone { reach, ..TwoBone::new(&skeleton, root, elbow, tip).unwrap() };
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let (mut swivel, mut last, mut travels): (_, Option<(DVec3, DVec3)>, _) = (None, None, Vec::new());
    for target in path {
        let goal = Goal::position(tip, target).pole(Pole::Direction(DVec3::Z)).swivel(swivel);
        let _ = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
        swivel = work.residuals()[0].swivel;
        let at = pose.position(elbow);
        if let Some((before, from)) = last {
            travels.push((at.distance(before), target.distance(from), target));
        }
        last = Some((at, target));
    }
    travels
}

/// Largest ratio of travels; the bound near the root is the ratio with `l1 / d` in quadrature.
fn excess(travels: &[(f64, f64, DVec3)], l1: f64, l2: f64, ratio: f64) -> f64 {
    let over = |&(elbow, target, at): &(f64, f64, DVec3)| {
        let near = at.length_squared() < l1 * l1 + l2 * l2;
        // The nearer end of the step.
        let d = at.length() - target;
        let bound = if near { ratio.hypot(l1 / d.max(1e-9)) } else { ratio };
        elbow / (bound * target)
    };
    travels.iter().map(over).fold(0.0, f64::max)
}

fn kinds() -> [Kind; 3] {
    [Kind::BALL, Kind::hinge(DVec3::X), Kind::hinge(DVec3::new(1.0, 0.3, -0.2))]
}

#[test]
fn sweeps_through_full_stretch_and_full_fold() {
    for (l1, l2) in some([(0.5, 0.5), (0.6, 0.4), (0.35, 0.65), (0.5001, 0.4999)]) {
        for (ratio, stretch) in some([(3.0, 1.0), (1.5, 1.0), (10.0, 1.0), (3.0, 1.15)]) {
            for kind in kinds() {
                let direction = DVec3::new(0.6, 0.8, 0.1).normalize();
                // From beyond reach to a hair from the root, and out again: radial, so no quadrature.
                let distances = (0..6000).map(|i| 1.2 - STEP * f64::from(i)).filter(|d| *d > 0.01);
                let path = distances.clone().chain(distances.rev()).map(|d| direction * d);
                let travels = follow(l1, l2, kind, Reach::Soft { ratio, stretch }, path);
                let fastest = travels.iter().map(|(elbow, target, _)| elbow / target.max(1e-9)).fold(0.0, f64::max);
                assert!(fastest <= ratio * (1.0 + 1e-6), "{l1} {l2} {ratio} {stretch} {kind:?}: {fastest}");
                // The limb does bend: it is not slow because it stands still.
                assert!(fastest > 0.45, "{l1} {l2} {ratio} {kind:?}: {fastest}");
            }
        }
    }
}

#[test]
fn spirals_across_both_ends_of_the_pole_line() {
    for (l1, l2) in [(0.5, 0.5), (0.6, 0.4)] {
        for kind in kinds() {
            for end in [1.0, -1.0] {
                // Inward round the pole line and out again, at distances that also pass full stretch.
                let path = (0..=20_000).map(|i| {
                    let t = f64::from(i) / 20_000.0;
                    let (angle, radius) = (60.0 * t, 0.3 * (1.0 - 2.0 * t).abs());
                    DVec3::new(radius * angle.cos(), radius * angle.sin(), end * (0.9 + 0.15 * (5.0 * t).sin()))
                });
                let travels = follow(l1, l2, kind, Reach::SOFT, path);
                let over = excess(&travels, l1, l2, 3.0);
                assert!(over <= 1.0 + 1e-6, "{l1} {l2} {kind:?} {end}: {over} of what is allowed");
            }
        }
    }
}

#[test]
fn wild_paths() {
    for seed in 0..crate::cases(40) {
        let mut rng = Rng::with_seed(seed);
        let (l1, kind) = (0.3 + 0.4 * rng.f64(), kinds()[rng.usize(0..3)]);
        let (l2, ratio) = (1.0 - l1, [1.2, 3.0, 6.0][rng.usize(0..3)]);
        let (mut at, mut velocity) = (direction(&mut rng) * 0.7, DVec3::ZERO);
        let path = (0..4000).map(|_| {
            velocity = (velocity + direction(&mut rng) * 0.3).clamp_length_max(1.0);
            at += velocity * 10.0 * STEP;
            // Back toward the middle of the reach.
            at *= if at.length() > 1.1 { 0.999 } else { 1.0 };
            at
        });
        let travels = follow(l1, l2, kind, Reach::Soft { ratio, stretch: 1.0 }, path);
        let over = excess(&travels, l1, l2, ratio);
        assert!(over <= 1.0 + 1e-3, "seed {seed}: {over} of what is allowed");
    }
}

/// The step that the peers answer with a jump of 0.83 of the limb.
#[test]
fn a_hair_across_the_pole_line_moves_the_elbow_by_a_hair() {
    for reach in [Reach::Clamp, Reach::SOFT] {
        let path = (-40..=40).map(|i| DVec3::new(1e-7, 1.6e-4 * f64::from(i), 0.6));
        let travels = follow(0.5, 0.5, Kind::BALL, reach, path);
        let fastest = travels.iter().map(|(elbow, target, _)| elbow / target).fold(0.0, f64::max);
        assert!(fastest <= 3.0 * (1.0 + 1e-9), "{reach:?}: {fastest}");
    }
}

#[test]
fn a_resting_target_rests_and_a_loop_repeats_from_its_second_lap() {
    let (skeleton, [root, mid, tip]) = limb(0.6, 0.4, Kind::BALL);
    let solver = TwoBone { reach: Reach::SOFT, ..TwoBone::new(&skeleton, root, mid, tip).unwrap() };
    let (mut pose, mut work, mut swivel) = (skeleton.rest_pose(), Workspace::default(), None);
    let mut to = |target: DVec3, pose: &mut Pose| {
        let goal = Goal::position(tip, target).pole(Pole::Direction(DVec3::Z)).swivel(swivel);
        let _ = solver.solve(&skeleton, &[goal], pose, &mut work);
        swivel = work.residuals()[0].swivel;
    };
    // A loop that crosses the pole line on its way.
    let lap = |i: usize| {
        let (s, c) = (i as f64 / 500.0 * std::f64::consts::TAU).sin_cos();
        DVec3::new(0.25 * s, 0.25 * c - 0.2501, 0.7 + 0.1 * s)
    };
    let mut laps: Vec<Vec<DVec3>> = Vec::new();
    for _ in 0..3 {
        laps.push(
            (0..500)
                .map(|i| {
                    to(lap(i), &mut pose);
                    pose.position(mid)
                })
                .collect(),
        );
    }
    for (i, (second, third)) in laps[1].iter().zip(&laps[2]).enumerate() {
        assert!(second.distance(*third) < 1e-9, "step {i}: {}", second.distance(*third));
    }
    // Stopped just past the line, where the bend has not caught up with the pole yet.
    to(DVec3::new(0.01, 0.0, 0.7), &mut pose);
    to(DVec3::new(-0.01, 0.0, 0.7), &mut pose);
    let bend = swivel_bend(&pose, mid);
    assert!(bend.z < 0.99, "the pole is already met: {bend}");
    let stopped = pose.clone();
    for _ in 0..10_000 {
        to(DVec3::new(-0.01, 0.0, 0.7), &mut pose);
    }
    assert_eq!(pose, stopped);
}

fn swivel_bend(pose: &Pose, mid: Joint) -> DVec3 {
    pose.position(mid).normalize()
}

#[test]
fn the_bend_arrives_at_the_pole_when_the_target_moves_on() {
    let path = (0..3000).map(|i| DVec3::new(0.0, -0.02 + STEP * f64::from(i), 0.7));
    let (skeleton, [root, mid, tip]) = limb(0.5, 0.5, Kind::BALL);
    let solver = TwoBone::new(&skeleton, root, mid, tip).unwrap();
    let (mut carried, mut plain, mut work, mut swivel) =
        (skeleton.rest_pose(), skeleton.rest_pose(), Workspace::default(), None);
    let (mut furthest, mut left) = (0.0_f64, 0.0);
    for target in path {
        let goal = Goal::position(tip, target).pole(Pole::Direction(DVec3::Z));
        let _ = solver.solve(&skeleton, &[goal.swivel(swivel)], &mut carried, &mut work);
        swivel = work.residuals()[0].swivel;
        let outcome = solver.solve(&skeleton, &[goal], &mut plain, &mut work);
        assert_eq!(outcome.status, Status::Reached);
        left = carried.position(mid).distance(plain.position(mid));
        furthest = furthest.max(left);
    }
    assert!(furthest > 0.3 && left < 1e-9, "{furthest} at most, {left} at the end");
}

#[test]
fn the_pure_forms_carry_the_bend_as_the_solver_does() {
    let (skeleton, [root, mid, tip]) = limb(0.6, 0.4, Kind::BALL);
    let solver = TwoBone { reach: Reach::SOFT, ..TwoBone::new(&skeleton, root, mid, tip).unwrap() };
    let prepared = Prepared::new(&skeleton, root, mid, tip).unwrap().with_reach(Reach::SOFT);
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let mut states: [Option<Swivel>; 3] = [None; 3];
    let rest = skeleton.rest_pose();
    let points = Limb { root: rest.position(root), mid: rest.position(mid), tip: rest.position(tip) };
    let pole = Pole::Direction(DVec3::Z);
    for i in -200..200 {
        let target = DVec3::new(1e-4, 1e-3 * f64::from(i), 0.9);
        let goal = Goal::position(tip, target).pole(pole).swivel(states[0]);
        let _ = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
        states[0] = work.residuals()[0].swivel;
        let (bent, state) = prepared.solve_carried(target, pole, states[1].as_ref());
        states[1] = state;
        let (turns, state) = two_bone::bend_carried(&points, target, pole, Reach::SOFT, states[2].as_ref());
        states[2] = state;
        let elbow = bent.rotations[0] * (DVec3::Y * 0.6);
        let turned: DVec3 = turns.root * points.mid;
        let tip_of = |root: DQuat, mid: DQuat| root * (DVec3::Y * 0.6 + mid * (DVec3::Y * 0.4));
        assert!(elbow.distance(pose.position(mid)) < 1e-9, "step {i}");
        assert!(turned.distance(pose.position(mid)) < 1e-9, "step {i}");
        assert!(tip_of(bent.rotations[0], bent.rotations[1]).distance(pose.position(tip)) < 1e-9, "step {i}");
    }
}
