//! Pull is the relative strength against competing goals, whatever the size of the numbers, and nothing else; targets may be as far as
//! numbers go.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::laws::rigs::direction;
use sinew::solve::ccd::Balls;
use sinew::solve::jacobian::Method;
use sinew::solve::mass_spring::Root;
use sinew::solve::two_bone::Reach;
use sinew::{
    Auto, Ccd, Fabrik, Goal, Jacobian, JointSpec, Kind, MassSpring, Pose, Skeleton, SkeletonBuilder, Solver, Status,
    ThreeLink, TwoBone, Workspace,
};

/// Far too strong, far too weak, and none.
const PULLS: [f64; 9] = [0.0, 1e-300, 1e-12, 1e-4, 1.0, 1e4, 1e12, 1e155, 1e300];

fn solvers() -> Vec<Box<dyn Solver>> {
    let jacobian = |method| Box::new(Jacobian { method, ..Jacobian::default() });
    vec![
        jacobian(Method::LevenbergMarquardt),
        jacobian(Method::Transpose),
        jacobian(Method::DampedLeastSquares { damping: 0.1 }),
        jacobian(Method::SelectivelyDamped),
        jacobian(Method::Continuous),
        Box::new(Ccd::default()),
        Box::new(Ccd { balls: Balls::PerAxis, ..Ccd::default() }),
        Box::new(Fabrik::default()),
        Box::new(MassSpring::default()),
        Box::new(Auto::default()),
    ]
}

fn solve(solver: &dyn Solver, skeleton: &Skeleton, goals: &[Goal]) -> (Pose, Workspace) {
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let _ = solver.solve(skeleton, goals, &mut pose, &mut work);
    (pose, work)
}

fn is_finite(skeleton: &Skeleton, pose: &Pose) -> bool {
    skeleton.iter().all(|joint| pose.local(joint).is_finite() && pose.model(joint).is_finite())
}

#[test]
fn a_goal_alone_is_met_the_same_at_any_pull() {
    let skeleton = Skeleton::from_lengths(&[0.3; 4]).unwrap();
    let tip = skeleton.joint("joint_4").unwrap();
    let goals = [
        Goal::position(tip, DVec3::new(0.6, 0.3, 0.2)),
        Goal::aim(tip, DVec3::new(0.9, 0.1, 0.2), DVec3::new(3.0, 2.0, 1.0)),
    ];
    for (solver, goal) in solvers().iter().flat_map(|solver| goals.map(|goal| (solver, goal))) {
        let plain = solve(&**solver, &skeleton, &[goal]).0;
        for pull in PULLS {
            let (pose, _) = solve(&**solver, &skeleton, &[goal.pull(pull)]);
            assert!(pose == plain, "{solver:?}: another answer at a pull of {pull:e}");
        }
        // Nor does it matter that two of the same pull are pulled by nothing.
        let both = |pull: f64| solve(&**solver, &skeleton, &[goals[0].pull(pull), goals[1].pull(pull)]).0;
        assert!(both(0.0) == both(1.0) && both(1e300) == both(1.0), "{solver:?}");
    }
}

#[test]
fn without_pull_a_goal_yields_to_others_and_is_met_where_it_need_not() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("root").kind(Kind::Fixed));
    for side in [-1.0, 1.0] {
        for i in 0..4 {
            let name = |i: usize| format!("{}{i}", if side < 0.0 { "l" } else { "r" });
            let at = if i == 0 { DVec3::X * side } else { DVec3::Y * 0.4 };
            let spec = JointSpec::named(name(i)).translation(at);
            builder.add(if i == 0 { spec.child_of("root") } else { spec.child_of(name(i - 1).as_str()) });
        }
    }
    let skeleton = builder.build().unwrap();
    let [left, right] = skeleton.joints(["l3", "r3"]).unwrap();
    let (a, b) = (DVec3::new(-0.6, 0.8, 0.2), DVec3::new(0.6, 0.9, -0.3));
    // The transpose alone is slow to settle one goal in what another leaves.
    for solver in solvers().into_iter().filter(|solver| !format!("{solver:?}").contains("Transpose")) {
        let near = |pose: &Pose, joint, place: DVec3| pose.position(joint).distance(place) < 2e-6;
        let (pose, _) = solve(&*solver, &skeleton, &[Goal::position(left, a), Goal::position(right, b).pull(0.0)]);
        assert!(near(&pose, left, a) && near(&pose, right, b), "{solver:?}: apart");
        let (pose, work) =
            solve(&*solver, &skeleton, &[Goal::position(left, a), Goal::position(left, a + DVec3::Y * 0.1).pull(0.0)]);
        let won = work.residuals()[0].status == Status::Reached && work.residuals()[1].status != Status::Reached;
        assert!(won && near(&pose, left, a), "{solver:?}: together, {:?}", work.residuals());
    }
}

#[test]
fn targets_as_far_as_numbers_go_give_poses_and_say_out_of_reach() {
    for size in [1e-12, 1.0, 1e12] {
        let skeleton = Skeleton::from_lengths(&[0.3 * size; 3]).unwrap();
        let [root, mid, tip] = skeleton.joints(["joint_1", "joint_2", "joint_3"]).unwrap();
        let mut solvers = solvers();
        for reach in [Reach::Clamp, Reach::SOFT, Reach::Soft { ratio: 1.0, stretch: 1.0 }] {
            solvers.push(Box::new(TwoBone { reach, ..TwoBone::new(&skeleton, root, mid, tip).unwrap() }));
            solvers.push(Box::new(ThreeLink { reach, ..ThreeLink::ending_at(&skeleton, tip).unwrap() }));
        }
        for (solver, far) in solvers.iter().flat_map(|solver| [1e60, 1e150, 1e299].map(|far| (solver, far))) {
            let to = DVec3::new(0.6, 0.7, 0.3) * far;
            let (pose, work) = solve(&**solver, &skeleton, &[Goal::position(tip, to)]);
            assert!(is_finite(&skeleton, &pose), "{solver:?} to {far:e} of {size:e}");
            let residual = work.residuals()[0];
            assert!(residual.status == Status::OutOfReach, "{solver:?} to {far:e} of {size:e}: {residual:?}");
            assert!((residual.position - to).length() <= 1e-15 * far, "{solver:?}: {residual:?}");
            let (pose, _) = solve(&**solver, &skeleton, &[Goal::aim(tip, DVec3::X, to), Goal::position(mid, to)]);
            assert!(is_finite(&skeleton, &pose), "{solver:?} aims at {far:e} of {size:e}");
        }
    }
}

/// The hips' travel is no turn and no slide: what follows their coordinate stays in its range.
#[test]
fn hips_that_travel_do_not_throw_followers() {
    let mut rng = Rng::with_seed(1);
    for kind in [Kind::hinge(DVec3::X).within(-1.0, 1.0), Kind::slide(DVec3::Y).within(-1.0, 1.0)] {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("root").kind(kind));
        builder.add(JointSpec::named("mid").child_of(0).translation(DVec3::Y));
        builder.add(JointSpec::named("tip").child_of(1).translation(DVec3::Y));
        let follower = JointSpec::named("follower").child_of(2).kind(Kind::hinge(DVec3::Z)).mimic("root", 3.0, 0.0);
        builder.add(follower.translation(DVec3::Y * 0.1));
        let skeleton = builder.build().unwrap();
        let [root, tip, follower] = skeleton.joints(["root", "tip", "follower"]).unwrap();
        for hips in [Root::Free, Root::Pulled { stiffness: 1.0 }] {
            let solver = MassSpring { root: Some(hips), ..MassSpring::default() };
            for far in [1.0, 1e4] {
                let (pose, _) = solve(&solver, &skeleton, &[Goal::position(tip, direction(&mut rng) * far)]);
                let [value, followed] = [root, follower].map(|joint| pose.value(&skeleton, joint));
                assert!(value.abs() <= 1.0 && followed == 3.0 * value, "{kind:?} {hips:?}: {value} and {followed}");
            }
        }
    }
}
