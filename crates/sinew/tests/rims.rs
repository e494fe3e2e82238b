//! Chains near and beyond their full stretch: soft reach, stretch and hold, in every solver that has the setting.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use sinew::glam::DVec3;
use sinew::laws::rigs::direction;
use sinew::limit::{Range, SwingTwist};
use sinew::solve::two_bone::Reach;
use sinew::{
    Auto, BallLimit, Ccd, Fabrik, Goal, Jacobian, Joint, JointSpec, Kind, MassSpring, Pose, Skeleton, SkeletonBuilder,
    Solver, Status, Tolerance, Workspace,
};

/// Bones of a chain and their length.
const BONES: usize = 8;
const BONE: f64 = 0.1;

fn solvers(reach: Reach) -> Vec<Box<dyn Solver>> {
    vec![
        Box::new(Fabrik { reach, ..Fabrik::default() }),
        Box::new(Ccd { reach, ..Ccd::default() }),
        Box::new(Jacobian { reach, ..Jacobian::default() }),
        Box::new(MassSpring { reach, ..MassSpring::default() }),
        Box::new(Auto { reach, ..Auto::default() }),
    ]
}

fn bent(skeleton: &Skeleton) -> (Pose, Joint, Vec<Joint>) {
    let mut pose = skeleton.rest_pose();
    let joints: Vec<Joint> = skeleton.iter().collect();
    for (i, joint) in joints.iter().enumerate() {
        let angle = 0.15 + 0.02 * i as f64;
        pose.edit(skeleton).rotation(*joint, sinew::math::arc::axis_angle(DVec3::Z, angle));
    }
    (pose, *joints.last().unwrap(), joints)
}

/// Drives a target out along a line and back; the fastest joint over the target, and what was said on the way.
fn drive(solver: &dyn Solver, seed: u64) -> (f64, Vec<(f64, Status, f64)>) {
    let skeleton = Skeleton::from_lengths(&[BONE; BONES]).unwrap();
    let (mut pose, tip, joints) = bent(&skeleton);
    let length = BONE * BONES as f64;
    let way = pose.position(tip) / pose.position(tip).length();
    let across = direction(&mut fastrand::Rng::with_seed(seed));
    let way = (way + 0.3 * across) / (way + 0.3 * across).length();
    let mut work = Workspace::default();
    let (mut fastest, mut told) = (0.0_f64, Vec::new());
    let mut before: Option<(Pose, f64)> = None;
    for step in 0..800 {
        let share = f64::from(step) / 400.0;
        let distance = length * (0.7 + 0.4 * if share > 1.0 { 2.0 - share } else { share });
        let outcome = solver.solve(&skeleton, &[Goal::position(tip, way * distance)], &mut pose, &mut work);
        told.push((distance / length, outcome.status, pose.position(tip).length() / length));
        if let Some((old, at)) = &before {
            let moved = joints.iter().map(|&joint| (pose.position(joint) - old.position(joint)).length());
            if step > 1 {
                fastest = fastest.max(moved.fold(0.0, f64::max) / (distance - at).abs());
            }
        }
        before = Some((pose.clone(), distance));
    }
    (fastest, told)
}

#[test]
fn soft_reach_keeps_inner_joints_slow() {
    for seed in 0..crate::cases(3) {
        for (soft, hard) in solvers(Reach::SOFT).iter().zip(solvers(Reach::Clamp)) {
            let ((slow, told), (fast, _)) = (drive(soft.as_ref(), seed), drive(hard.as_ref(), seed));
            assert!(slow < 4.0 && fast > 10.0, "{seed} {soft:?}: {slow} beside {fast}");
            for (asked, status, distance) in told {
                let span = Reach::SOFT.span(asked, 0.5, 0.5);
                let on_the_rim = (asked - 1.0).abs() < 1e-12;
                assert!(status == span.status || on_the_rim, "{seed} {soft:?} at {asked}: {status}");
                assert!((distance - span.distance).abs() < 1e-5, "{seed} {soft:?} at {asked}: {distance}");
            }
        }
    }
}

#[test]
fn a_chain_of_two_is_softened_as_a_limb() {
    let skeleton = Skeleton::from_lengths(&[0.3, 0.25]).unwrap();
    let [mid, tip] = skeleton.joints(["joint_1", "joint_2"]).unwrap();
    let mut bent = skeleton.rest_pose();
    bent.edit(&skeleton).rotation(mid, sinew::math::arc::axis_angle(DVec3::Z, 0.7));
    for solver in solvers(Reach::SOFT) {
        for distance in [0.04, 0.06, 0.3, 0.5, 0.54, 0.5499, 0.6, 2.0] {
            let (mut pose, mut work) = (bent.clone(), Workspace::default());
            let outcome = solver.solve(&skeleton, &[Goal::position(tip, DVec3::X * distance)], &mut pose, &mut work);
            let span = Reach::SOFT.span(distance, 0.3, 0.25);
            assert_eq!(outcome.status, span.status, "{solver:?} at {distance}");
            let at = pose.position(tip).length();
            assert!((at - span.distance).abs() < 1e-5, "{solver:?} at {distance}: {at}, not {}", span.distance);
        }
    }
}

#[test]
fn bones_are_lengthened_to_arrive_and_come_back() {
    let skeleton = Skeleton::from_lengths(&[BONE; BONES]).unwrap();
    let (given, tip, joints) = bent(&skeleton);
    let length = BONE * BONES as f64;
    // Straight chains are come to slowly.
    let near = Tolerance { position: 2e-5, rotation: 1e-6 };
    for solver in solvers(Reach::Stretch { limit: 1.3 }) {
        let (mut pose, mut work) = (given.clone(), Workspace::default());
        for (distance, status) in
            [(0.7, Status::Reached), (0.96, Status::Reached), (1.5, Status::OutOfReach), (0.7, Status::Reached)]
        {
            // A point beside the last bone is brought there, too; what it is off is not lengthened.
            for offset in [DVec3::ZERO, DVec3::new(0.03, 0.05, 0.02)] {
                let goal = Goal::position(tip, DVec3::new(0.8, 0.6, 0.0) * distance).offset(offset).tolerance(near);
                let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
                assert_eq!(outcome.status, status, "{solver:?} at {distance}: {outcome:?}");
                let factor = ((distance - offset.length()) / length).clamp(1.0, 1.3);
                for joint in &joints[1..] {
                    let longer = pose.local(*joint).translation.length() / BONE;
                    assert!((longer - factor).abs() < 1e-9, "{solver:?} at {distance}: {longer}, not {factor}");
                }
            }
        }
    }
}

#[test]
fn a_chain_that_holds_stays_as_it_is() {
    let skeleton = Skeleton::from_lengths(&[BONE; BONES]).unwrap();
    let (given, tip, _) = bent(&skeleton);
    for solver in solvers(Reach::Hold) {
        let (mut pose, mut work) = (given.clone(), Workspace::default());
        let far = solver.solve(&skeleton, &[Goal::position(tip, DVec3::X)], &mut pose, &mut work);
        assert!(far.status == Status::Held && pose == given, "{solver:?}: {far:?}");
        assert!((far.position_error - (DVec3::X - given.position(tip)).length()).abs() < 1e-12);
        let near = solver.solve(&skeleton, &[Goal::position(tip, DVec3::X * 0.5)], &mut pose, &mut work);
        assert_eq!(near.status, Status::Reached, "{solver:?}");
    }
}

#[test]
fn what_hangs_on_a_moving_body_is_not_softened() {
    let skeleton = Skeleton::from_lengths(&[BONE; BONES]).unwrap();
    let (given, tip, joints) = bent(&skeleton);
    let solver = Jacobian { reach: Reach::Hold, ..Jacobian::default() };
    // The hand alone is out of its reach, but the body brings it there.
    let hand = Goal::position(tip, DVec3::new(0.5, 0.3, 0.0)).base(joints[6]);
    let body = Goal::position(joints[6], DVec3::new(0.35, 0.2, 0.0));
    let (mut pose, mut work) = (given.clone(), Workspace::default());
    assert_eq!(solver.solve(&skeleton, &[hand], &mut pose, &mut work).status, Status::Held);
    let both = solver.solve(&skeleton, &[hand, body], &mut pose, &mut work);
    assert_eq!(both.status, Status::Reached, "{:?}", work.residuals());
}

/// A straight chain of a free joint and joints with cones of that many degrees, 1 long.
fn of_cones(bones: usize, degrees: f64) -> Skeleton {
    let cone = SwingTwist::new(DVec3::Y, degrees.to_radians(), Range::new(-0.5, 0.5)).unwrap();
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("0").kind(Kind::BALL));
    for i in 1..=bones {
        let spec = JointSpec::named(format!("{i}")).kind(Kind::Ball(BallLimit::SwingTwist(cone)));
        builder.add(spec.child_of(i - 1).translation(DVec3::Y / bones as f64));
    }
    builder.build().unwrap()
}

/// The target is nearer than the cones let the tip come, goes out beyond reach and back: no swivel is better than another.
#[test]
fn a_chain_whose_cones_keep_it_from_its_target_keeps_its_swivel() {
    for (bones, degrees) in [(2, 45.0), (2, 20.0), (3, 45.0), (3, 20.0)] {
        let skeleton = of_cones(bones, degrees);
        let tip = skeleton.iter().last().unwrap();
        let solver = Auto { reach: Reach::SOFT, ..Auto::default() };
        for way in [DVec3::Y, DVec3::new(0.6, 0.8, 0.0), DVec3::new(1.0, 0.2, 0.1).normalize()] {
            let across = way.any_orthonormal_vector() * 0.05;
            let distance = |step: i32| 0.8 + 0.4 * (1.0 - (f64::from(step) / 200.0 - 1.0).abs());
            let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
            for step in 0..400 {
                let (before, target) = (pose.clone(), way * distance(step) + across);
                let _ = solver.solve(&skeleton, &[Goal::position(tip, target)], &mut pose, &mut work);
                let moved = skeleton.iter().map(|joint| pose.position(joint).distance(before.position(joint)));
                let speed = moved.fold(0.0, f64::max) / (distance(step) - distance(step - 1)).abs();
                // The first frame comes from rest.
                assert!(
                    step == 0 || speed < 4.0,
                    "{bones} bones, {degrees} at {:.3} of {way}: {speed}",
                    distance(step)
                );
            }
        }
    }
}
