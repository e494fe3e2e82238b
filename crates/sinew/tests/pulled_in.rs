//! Chains that are pulled in from full stretch: all joints bend, none folds for the others.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "helpers of tests may fail too")]

use sinew::glam::DVec3;
use sinew::limit::{Range, SwingTwist};
use sinew::math::arc;
use sinew::{
    Auto, BallLimit, Ccd, Fabrik, Goal, Jacobian, JointSpec, Kind, MassSpring, Pose, Skeleton, SkeletonBuilder, Solver,
    Start, Status, Workspace,
};

/// A straight chain of balls, free or inside cones of so many degrees.
fn chain(bones: usize, cone: Option<f64>) -> Skeleton {
    let kind = cone.map_or(Kind::BALL, |degrees| {
        let limit = SwingTwist::new(DVec3::Y, degrees.to_radians(), Range::new(-0.5, 0.5)).unwrap();
        Kind::Ball(BallLimit::SwingTwist(limit))
    });
    let mut builder = SkeletonBuilder::new();
    for i in 0..=bones {
        let spec = JointSpec::named(format!("joint_{i}")).kind(if i == 0 { Kind::BALL } else { kind });
        builder.add(if i == 0 { spec } else { spec.child_of(i - 1).translation(DVec3::Y / bones as f64) });
    }
    builder.build().unwrap()
}

/// The largest and the mean turn between neighbouring bones.
fn turns(skeleton: &Skeleton, pose: &Pose) -> (f64, f64) {
    let places: Vec<DVec3> = skeleton.iter().map(|joint| pose.position(joint)).collect();
    let bones: Vec<DVec3> = places.windows(2).map(|pair| (pair[1] - pair[0]).normalize()).collect();
    let turns: Vec<f64> = bones.windows(2).map(|pair| pair[0].angle_between(pair[1])).collect();
    (turns.iter().copied().fold(0.0, f64::max), turns.iter().sum::<f64>() / turns.len() as f64)
}

/// Brings the tip from full stretch to a share of it, by an angle, in so many frames; the largest turn over the mean.
fn pulled_in(solver: &dyn Solver, skeleton: &Skeleton, (end, angle): (f64, f64), frames: u32) -> f64 {
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let tip = skeleton.iter().last().unwrap();
    let mut worst = 0.0_f64;
    for frame in 1..=frames {
        let share = f64::from(frame) / f64::from(frames);
        let way = arc::axis_angle(DVec3::Z, angle * share) * DVec3::Y;
        let goal = Goal::position(tip, way * (1.0 - (1.0 - end) * share));
        let outcome = solver.solve(skeleton, &[goal], &mut pose, &mut work);
        assert_eq!(outcome.status, Status::Reached, "{solver:?} to {end} by {angle}, frame {frame} of {frames}");
        let (largest, mean) = turns(skeleton, &pose);
        worst = worst.max(largest / mean);
    }
    worst
}

#[test]
fn bends_are_shared_along_a_free_chain() {
    for bones in [5, 10, 20, 200] {
        let skeleton = chain(bones, None);
        let solvers: [&dyn Solver; 4] = [
            &Fabrik::default(),
            &Auto::default(),
            &Fabrik { start: Start::Rest, ..Fabrik::default() },
            &Auto { start: Start::Rest, ..Auto::default() },
        ];
        for solver in solvers {
            for end in [0.95, 0.5, 0.2].into_iter().flat_map(|end| [0.0, 0.3, 1.5].map(|angle| (end, angle))) {
                for frames in [1, 20] {
                    let worst = pulled_in(solver, &skeleton, end, frames);
                    assert!(worst < 3.0, "{bones} bones, {frames} frames to {end:?}: {worst}, {solver:?}");
                }
            }
        }
    }
}

#[test]
fn bends_are_shared_along_a_chain_of_cones() {
    for bones in [5, 10, 20] {
        let skeleton = chain(bones, Some(45.0));
        for solver in [&Fabrik::default() as &dyn Solver, &Auto::default()] {
            for end in [0.95, 0.5].into_iter().flat_map(|end| [0.0, 0.3, 1.5].map(|angle| (end, angle))) {
                for frames in [1, 20] {
                    let worst = pulled_in(solver, &skeleton, end, frames);
                    assert!(worst < 3.0, "{bones} bones, {frames} frames to {end:?}: {worst}, {solver:?}");
                }
            }
        }
    }
}

#[test]
fn small_steps_share_bends_too() {
    for (bones, cone) in [5, 10, 20].into_iter().flat_map(|bones| [(bones, None), (bones, Some(45.0))]) {
        let skeleton = chain(bones, cone);
        for end in [0.98, 0.95, 0.5].into_iter().flat_map(|end| [0.0, 0.3, 1.5].map(|angle| (end, angle))) {
            for frames in [1, 20] {
                let worst = pulled_in(&Jacobian::default(), &skeleton, end, frames);
                assert!(worst < 3.0, "{bones} bones, {frames} frames to {end:?}: {worst}");
                // Springs that turn far bend least where the joints next to the root take the turn.
                if end.1 < 1.0 {
                    let worst = pulled_in(&MassSpring::default(), &skeleton, end, frames);
                    assert!(worst < 3.0, "springs, {bones} bones, {frames} frames to {end:?}: {worst}");
                }
            }
        }
    }
}

#[test]
fn joint_after_joint_shares_the_first_bends() {
    for bones in [5, 10, 20, 200] {
        let skeleton = chain(bones, None);
        for end in [0.95, 0.5, 0.2].into_iter().flat_map(|end| [0.0, 0.3, 1.5].map(|angle| (end, angle))) {
            let worst = pulled_in(&Ccd::default(), &skeleton, end, 1);
            assert!(worst < 3.0, "{bones} bones to {end:?}: {worst}");
        }
    }
}

#[test]
fn out_and_in_again_leaves_a_chain_where_it_was() {
    let solvers: [&dyn Solver; 3] = [&Auto::default(), &Fabrik::default(), &Jacobian::default()];
    for solver in solvers {
        for (bones, centre, width) in [4, 10].into_iter().flat_map(|bones| [(bones, 0.5, 0.2), (bones, 0.8, 0.19)]) {
            let skeleton = chain(bones, None);
            let tip = skeleton.iter().last().unwrap();
            let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
            let mut lap = || {
                for frame in 0..60 {
                    let place = centre + width * (f64::from(frame) / 60.0 * std::f64::consts::TAU).sin();
                    let goal = Goal::position(tip, DVec3::new(0.1, place, 0.0));
                    assert_eq!(solver.solve(&skeleton, &[goal], &mut pose, &mut work).status, Status::Reached);
                }
                pose.clone()
            };
            let laps: Vec<Pose> = (0..20).map(|_| lap()).collect();
            let drift = laps[18].difference(&laps[19]).angle;
            assert!(drift < 0.02, "{bones} bones around {centre}: {drift} rad a lap, {solver:?}");
            let (largest, mean) = turns(&skeleton, &laps[19]);
            assert!(largest < 2.0 * mean, "{bones} bones around {centre}: {largest} {mean}, {solver:?}");
        }
    }
}
