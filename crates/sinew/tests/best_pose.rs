//! Every iterative solver leaves the best pose that it has seen: no worse than the one given, goals of lower numbers first.

use sinew::glam::DVec3;
use sinew::laws::rigs::{direction, rotation};
use sinew::limit::{Range, SwingTwist};
use sinew::solve::jacobian::Method;
use sinew::{
    BallLimit, Ccd, Fabrik, Goal, Jacobian, Joint, JointSpec, Kind, MassSpring, Pose, Skeleton, SkeletonBuilder,
    Solver, Workspace,
};

const METHODS: [Method; 5] = [
    Method::Transpose,
    Method::LevenbergMarquardt,
    Method::DampedLeastSquares { damping: 0.1 },
    Method::SelectivelyDamped,
    Method::Continuous,
];

fn skeleton(specs: &[JointSpec]) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    for spec in specs {
        builder.add(spec.clone());
    }
    builder.build().expect("a skeleton")
}

#[test]
fn no_method_flies_away_where_priorities_leave_little_free() {
    let cone = SwingTwist::new(DVec3::Y, 0.3, Range::new(-0.2, 0.2)).expect("a cone");
    let body = skeleton(&[
        JointSpec::named("a").kind(Kind::Ball(BallLimit::SwingTwist(cone))),
        JointSpec::named("b").child_of(0).translation(DVec3::Y).kind(Kind::Free),
        JointSpec::named("c").child_of(1).translation(DVec3::Y).kind(Kind::Fixed),
    ]);
    let [a, b, c] = body.joints(["a", "b", "c"]).expect("its joints");
    for seed in 0..100 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let goals = [
            Goal::rotation(a, rotation(&mut rng)),
            Goal::position(b, direction(&mut rng) * 30.0).priority(2),
            Goal::center_of_mass(c, direction(&mut rng) * 100.0),
        ];
        for method in METHODS {
            let mut pose = body.rest_pose();
            let solver = Jacobian { method, ..Jacobian::default() };
            let outcome = solver.solve(&body, &goals, &mut pose, &mut Workspace::default());
            let far = pose.position(b).length().max(pose.position(c).length());
            assert!(far < 110.0, "{seed} {method:?}: {far} m away, {outcome:?}");
        }
    }
}

/// A body of seven balls and hinges, some limited, with two arms.
fn body(rng: &mut fastrand::Rng) -> Skeleton {
    let kind = |rng: &mut fastrand::Rng| match rng.u8(0..4) {
        0 => Kind::BALL,
        1 => Kind::hinge(direction(rng)).within(-1.0 - rng.f64(), 0.2 + rng.f64()),
        _ => {
            let twist = Range::new(-0.1 - rng.f64(), 0.1 + rng.f64());
            let cone = SwingTwist::new(DVec3::Y, 0.2 + rng.f64(), twist);
            Kind::Ball(BallLimit::SwingTwist(cone.expect("a cone")))
        }
    };
    let mut specs = vec![JointSpec::named("root").kind(kind(rng))];
    for (name, above) in [("spine", 0), ("left", 1), ("l", 2), ("right", 1), ("r", 4)] {
        specs.push(JointSpec::named(name).child_of(above).translation(direction(rng) * 0.4).kind(kind(rng)));
    }
    for (name, above) in [("left_tip", 3), ("right_tip", 5)] {
        specs.push(JointSpec::named(name).child_of(above).translation(direction(rng) * 0.4).kind(Kind::Fixed));
    }
    skeleton(&specs)
}

/// Squared distances left, weighted by pull.
fn left(pose: &Pose, goals: &[Goal]) -> f64 {
    let target = |goal: &Goal| goal.target.position().expect("a place");
    goals.iter().map(|goal| goal.pull * target(goal).distance_squared(pose.position(goal.joint))).sum()
}

/// The same as shares of the bones from the root to each goal's joint, as `Fabrik` counts.
fn left_by_reach(body: &Skeleton, pose: &Pose, goals: &[Goal]) -> f64 {
    let reach = |tip: Joint| -> f64 {
        core::iter::successors(Some(tip), |&joint| body.parent(joint))
            .map(|joint| body.rest(joint).translation.length())
            .sum()
    };
    goals.iter().map(|goal| left(pose, &[*goal]) / (reach(goal.joint) * reach(goal.joint))).sum()
}

fn tips(body: &Skeleton) -> [Joint; 3] {
    body.joints(["left_tip", "right_tip", "spine"]).expect("its joints")
}

#[test]
fn the_first_priority_is_no_worse_than_in_the_pose_given() {
    for seed in 0..crate::cases(200) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let body = body(&mut rng);
        let [left_tip, right_tip, spine] = tips(&body);
        let first = [Goal::position(left_tip, direction(&mut rng) * 3.0 * rng.f64())];
        let goals = [
            first[0],
            Goal::position(right_tip, direction(&mut rng) * 3.0 * rng.f64()).priority(1),
            Goal::position(spine, direction(&mut rng) * 0.5).priority(2),
        ];
        for method in METHODS {
            for iterations in [1, 3, 20, 200] {
                let mut pose = body.neutral_pose();
                let before = left(&pose, &first);
                let solver = Jacobian { method, iterations, ..Jacobian::default() };
                let _ = solver.solve(&body, &goals, &mut pose, &mut Workspace::default());
                let after = left(&pose, &first);
                assert!(after <= before * (1.0 + 1e-6) + 1e-20, "{seed} {method:?} {iterations}: {before} to {after}");
            }
        }
    }
}

#[test]
fn competing_goals_are_no_worse_together_than_in_the_pose_given() {
    let solvers: [&dyn Solver; 7] = [
        &Jacobian { method: Method::Transpose, ..Jacobian::default() },
        &Jacobian::default(),
        &Fabrik::default(),
        &Fabrik { restarts: 0, ..Fabrik::default() },
        &Ccd::default(),
        &Ccd { restarts: 0, iterations: 3, ..Ccd::default() },
        &MassSpring::default(),
    ];
    for seed in 0..crate::cases(200) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let body = body(&mut rng);
        let goals =
            tips(&body).map(|tip| Goal::position(tip, direction(&mut rng) * 2.0 * rng.f64()).pull(0.1 + rng.f64()));
        let mut pose = body.neutral_pose();
        for solver in solvers {
            let by_reach = format!("{solver:?}").starts_with("Fabrik");
            let cost = |pose: &Pose| if by_reach { left_by_reach(&body, pose, &goals) } else { left(pose, &goals) };
            let before = cost(&pose);
            let _ = solver.solve(&body, &goals, &mut pose, &mut Workspace::default());
            let after = cost(&pose);
            assert!(after <= before * (1.0 + 1e-6) + 1e-20, "{seed} {solver:?}: {before} to {after}");
        }
    }
}
