//! What is met stays when it is solved again: ups that lean as far as they can, and tolerances below rounding.

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::laws::rigs::{direction, rotation};
use sinew::limit::{Range, SwingTwist};
use sinew::solve::jacobian::Method;
use sinew::{
    Auto, BallLimit, Ccd, Fabrik, Goal, Jacobian, Joint, JointSpec, Kind, MassSpring, Pose, Skeleton, SkeletonBuilder,
    Solver, Status, Tolerance, Workspace,
};

use crate::limited_bodies;

/// A chain of cones, and of hinges now and then, each at rest anywhere; its tip.
fn chain(rng: &mut Rng, joints: usize) -> (Skeleton, Joint) {
    let mut builder = SkeletonBuilder::new();
    for number in 0..joints {
        let kind = if rng.u8(0..3) == 0 {
            Kind::hinge(direction(rng)).within(-1.5 * rng.f64(), 1.5 * rng.f64())
        } else {
            let twist = Range::new(-rng.f64(), rng.f64());
            Kind::Ball(BallLimit::SwingTwist(SwingTwist::new(direction(rng), 1.2 * rng.f64(), twist).expect("a cone")))
        };
        let spec = JointSpec::default().translation(direction(rng)).rotation(rotation(rng)).kind(kind);
        builder.add(if number > 0 { spec.child_of(number - 1) } else { spec });
    }
    let skeleton = builder.build().expect("a chain");
    let tip = skeleton.at(joints - 1).expect("its tip");
    (skeleton, tip)
}

/// Limits let many an up lean only part of the way: another solve must not lean it on.
#[test]
fn ups_that_lean_as_far_as_they_can_stay() {
    let dls = Method::DampedLeastSquares { damping: 1e-6 };
    let solvers: [(&str, Box<dyn Solver>); 4] = [
        ("auto", Box::new(Auto::default())),
        ("jacobian", Box::new(Jacobian::default())),
        ("damped", Box::new(Jacobian { method: dls, ..Jacobian::default() })),
        ("restarted", Box::new(Jacobian { restarts: 3, ..Jacobian::default() })),
    ];
    let (mut work, mut met, mut moved) = (Workspace::default(), [0; 4], Vec::new());
    for seed in 0..2000 {
        let rng = &mut Rng::with_seed(seed);
        let joints = rng.usize(1..5);
        let (skeleton, tip) = chain(rng, joints);
        let goal = Goal::aim(tip, direction(rng), direction(rng) * 4.0).up(direction(rng));
        for (number, (name, solver)) in solvers.iter().enumerate() {
            let mut pose = skeleton.neutral_pose();
            let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
            if outcome.status != Status::Reached || outcome.iterations >= Jacobian::default().iterations {
                continue;
            }
            met[number] += 1;
            let before = pose.clone();
            let again = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
            if pose != before || again.status != Status::Reached {
                moved.push((*name, seed, pose.difference(&before).angle));
            }
        }
    }
    assert!(met.iter().all(|&met| met > 600), "{met:?} met");
    assert!(moved.is_empty(), "{moved:?}");
}

/// What no number can tell from met is met.
#[test]
fn tolerances_of_nothing_are_met_within_rounding() {
    let none = Tolerance { position: 0.0, rotation: 0.0 };
    let mut work = Workspace::default();
    for seed in 0..100 {
        let rng = &mut Rng::with_seed(seed);
        let chain = Skeleton::from_lengths(&[0.3; 4]).expect("a chain");
        let tip = chain.at(4).expect("its tip");
        let goal = Goal::aim(tip, direction(rng), direction(rng) * 3.0).up(direction(rng)).tolerance(none);
        let mut pose = chain.rest_pose();
        let first = Jacobian::default().solve(&chain, &[goal], &mut pose, &mut work);
        let before = pose.clone();
        let again = Jacobian::default().solve(&chain, &[goal], &mut pose, &mut work);
        assert_eq!(
            (first.status, again.status, again.iterations),
            (Status::Reached, Status::Reached, 0),
            "seed {seed}"
        );
        assert_eq!(pose, before, "seed {seed}");
    }
}

/// Where a joint that hardly matters is outside its limits, solvers look at their goals themselves.
#[test]
fn what_is_there_within_rounding_is_left() {
    let none = Tolerance { position: 0.0, rotation: 0.0 };
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::default());
    for number in 0..3 {
        builder.add(JointSpec::default().child_of(number).translation(DVec3::Y * 0.4));
    }
    let cone = SwingTwist::new(DVec3::Y, 0.1, Range::new(-0.1, 0.1)).expect("a cone");
    builder.add(JointSpec::default().child_of(3).kind(Kind::Ball(BallLimit::SwingTwist(cone))));
    let skeleton = builder.build().expect("a chain");
    let tip = skeleton.at(4).expect("its tip");
    let solvers: [(&str, Box<dyn Solver>); 4] = [
        ("fabrik", Box::new(Fabrik::default())),
        ("ccd", Box::new(Ccd::default())),
        ("jacobian", Box::new(Jacobian::default())),
        ("mass-spring", Box::new(MassSpring::default())),
    ];
    for seed in 0..20 {
        let rng = &mut Rng::with_seed(seed);
        let mut given = skeleton.rest_pose();
        let turn = |pose: &mut Pose, joint: Joint, rng: &mut Rng| {
            pose.edit(&skeleton).rotation(joint, rotation(rng));
        };
        skeleton.iter().for_each(|joint| turn(&mut given, joint, rng));
        let goal = Goal::position(tip, given.position(tip) * (1.0 + 4e-16)).tolerance(none);
        for (name, solver) in &solvers {
            let (mut pose, mut work) = (given.clone(), Workspace::default());
            let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
            assert_eq!(outcome.status, Status::Reached, "{name}, seed {seed}");
            let off =
                skeleton.iter().filter(|&joint| joint != tip).find(|&joint| pose.local(joint) != given.local(joint));
            assert!(off.is_none(), "{name}, seed {seed}: {off:?} moved");
        }
    }
}

/// The work of a solve has a bound: what is left of it for other starts, where they run out, is no worse than none.
#[test]
fn more_restarts_than_there_is_work_for_come_no_less_far() {
    let (skeleton, joints) = limited_bodies::body();
    let hips = skeleton.at(0).expect("hips");
    let mut work = Workspace::default();
    for seed in 0..4 {
        let wanted = limited_bodies::allowed(&skeleton, &mut Rng::with_seed(3000 + seed));
        let from = wanted.position(hips);
        let goals = joints.map(|joint| Goal::position(joint, from + (wanted.position(joint) - from) * 1.5));
        let mut left = |restarts: u32| {
            let mut pose = skeleton.neutral_pose();
            let _ = Jacobian { restarts, ..Jacobian::default() }.solve(&skeleton, &goals, &mut pose, &mut work);
            work.residuals().iter().map(|residual| residual.position.length_squared()).sum::<f64>()
        };
        let (none, many) = (left(0), left(1000));
        assert!(many <= none * (1.0 + 1e-3), "seed {seed}: {many} left, without {none}");
    }
}

/// Bones that are nothing beside the way to the target make steps beyond all numbers.
#[test]
fn bones_of_next_to_nothing_stay_finite() {
    let turn = DQuat::from_xyzw(
        0.169_009_056_005_238_97,
        0.096_095_982_799_704_23,
        -0.908_038_069_116_319_7,
        0.371_036_879_721_521_2,
    );
    let far = DVec3::new(-5.559_932_385_408_491e149, 8.299_180_286_371_052e149, 4.590_843_539_001_386_5e148);
    for (upper, lower) in [(1.0, 1e-6), (1e-6, 1.0), (1e6, 1e-6), (1.0, 1.0)] {
        let mut builder = SkeletonBuilder::new();
        let mut root = JointSpec::default().translation(DVec3::Y * 0.354_887_714_623_416_84).rotation(turn);
        (root.rest.scale, root.stiffness) = (-DVec3::ONE, upper);
        builder.add(root);
        let hinge = Kind::Hinge { axis: DVec3::Y, range: Range::new(f64::NEG_INFINITY, 0.411_646_668_227_300_1) };
        let mut tip = JointSpec::default().child_of(0).translation(DVec3::Y * 1e-300).kind(hinge);
        (tip.rest.scale, tip.stiffness) = (DVec3::ZERO, lower);
        builder.add(tip);
        let skeleton = builder.build().expect("a chain");
        let [root, tip] = [0, 1].map(|index| skeleton.at(index).expect("a joint"));
        let near = DVec3::new(2.273_310_192_587_683_5, 3.645_909_112_463_727_7, 0.041_456_612_673_189_95);
        let goals = [Goal::position(tip, near).relative_to(root), Goal::position(tip, far), Goal::position(tip, far)];
        for method in [Method::LevenbergMarquardt, Method::DampedLeastSquares { damping: 0.0 }] {
            let solver = Jacobian { method, ..Jacobian::default() };
            let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
            let _ = solver.solve(&skeleton, &goals, &mut pose, &mut work);
            let finite = skeleton.iter().all(|joint| pose.local(joint).is_finite());
            assert!(finite && pose.coordinates().iter().all(|q| q.is_finite()), "{upper}, {lower}, {method:?}");
        }
    }
}
