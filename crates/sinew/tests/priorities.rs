//! Priorities: goals of a lower number come first and strictly, in every solver that serves several.
#![allow(clippy::unwrap_used, reason = "the rig has these joints")]

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::laws::rigs::direction;
use sinew::{
    Auto, Ccd, Fabrik, Goal, Jacobian, Joint, JointSpec, Kind, MassSpring, Pose, Sequence, Skeleton, SkeletonBuilder,
    Solver, Status, Workspace,
};

/// A spine of two joints and two arms of two.
fn body() -> (Skeleton, [Joint; 2]) {
    let mut builder = SkeletonBuilder::new();
    let spine = builder.add(JointSpec::named("spine"));
    let chest = builder.add(JointSpec::named("chest").child_of(spine).translation(DVec3::Y * 0.3));
    for (name, x) in [("left", 0.2), ("right", -0.2)] {
        let shoulder = JointSpec::named(name).child_of(chest).translation(DVec3::new(x, 0.3, 0.0));
        let shoulder = builder.add(shoulder);
        let elbow = JointSpec::named(format!("{name} elbow")).child_of(shoulder).translation(DVec3::new(x, -0.2, 0.0));
        let elbow = builder.add(elbow.kind(Kind::hinge(DVec3::Y).within(-2.5, 2.5)));
        let hand = JointSpec::named(format!("{name} hand")).child_of(elbow).translation(DVec3::new(x, -0.2, 0.05));
        builder.add(hand);
    }
    let skeleton = builder.build().unwrap();
    let hands = skeleton.joints(["left hand", "right hand"]).unwrap();
    (skeleton, hands)
}

fn solvers() -> Vec<Box<dyn Solver>> {
    vec![
        Box::new(Auto::default()),
        Box::new(Auto { restarts: 3, ..Auto::default() }),
        Box::new(Ccd::default()),
        Box::new(Fabrik::default()),
        Box::new(Jacobian::default()),
        Box::new(Jacobian { restarts: 4, ..Jacobian::default() }),
        Box::new(MassSpring::default()),
        Box::new(Sequence::new().then(Fabrik::default()).then(Jacobian::default())),
        Box::new(Sequence::new().then(Jacobian::default()).then(Ccd::default())),
    ]
}

fn errors(pose: &Pose, goals: &[(Joint, DVec3); 2]) -> [f64; 2] {
    goals.map(|(joint, place)| pose.position(joint).distance(place))
}

#[test]
fn a_later_goal_takes_nothing_from_an_earlier_one() {
    let (skeleton, hands) = body();
    let (mut torn, mut nearer) = (0, 0);
    for seed in 0..30 {
        let rng = &mut Rng::with_seed(seed);
        // One hand's place is in reach, the other's far off to the other side.
        let first = usize::from(rng.bool());
        let near = DVec3::new(0.0, 0.5, 0.0) + direction(rng) * 0.3;
        let far = -direction(rng) * 3.0;
        let places = if first == 0 { [near, far] } else { [far, near] };
        let goals = [0, 1].map(|i| (hands[i], places[i]));
        for solver in solvers() {
            let solve = |priorities: [u8; 2]| {
                let goals = [0, 1].map(|i| Goal::position(hands[i], places[i]).priority(priorities[i]));
                let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
                let _ = solver.solve(&skeleton, &goals, &mut pose, &mut work);
                let [one, other] = [0, 1].map(|i| work.residuals()[i].status);
                let left = errors(&pose, &[0, 1].map(|i| (hands[i], places[i])));
                (left, [one, other])
            };
            let (left, statuses) = solve(if first == 0 { [2, 7] } else { [7, 2] });
            assert_eq!(statuses[first], Status::Reached, "seed {seed}: {solver:?}");
            assert!(left[first] < 1e-4, "seed {seed}: {solver:?} leaves {} of the first goal", left[first]);
            assert_ne!(statuses[1 - first], Status::Reached, "seed {seed}: {solver:?}");
            // Without priorities they tear at each other.
            torn += i32::from(solve([0, 0]).0[first] > 0.01);
            let rest = errors(&skeleton.rest_pose(), &goals);
            nearer += i32::from(left[1 - first] < rest[1 - first] - 0.05);
        }
    }
    assert!(torn > 100, "{torn}");
    // The later goal gets what is left.
    assert!(nearer > 220, "{nearer} of 270");
}

#[test]
fn goals_that_can_all_be_met_are() {
    let (skeleton, hands) = body();
    let mut met = 0;
    for seed in 0..30 {
        let rng = &mut Rng::with_seed(seed);
        let places =
            [DVec3::new(0.25, 0.5, 0.1), DVec3::new(-0.25, 0.5, 0.1)].map(|place| place + direction(rng) * 0.15);
        for solver in solvers() {
            let goals = [0, 1].map(|i| Goal::position(hands[i], places[i]).priority(i as u8));
            let mut pose = skeleton.rest_pose();
            met += i32::from(
                solver.solve(&skeleton, &goals, &mut pose, &mut Workspace::default()).status == Status::Reached,
            );
        }
    }
    assert!(met > 260, "{met} of 270");
}
