//! Serial arms on poses: several goals, what is above and below the chain, weights, and what is not served.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use fastrand::Rng;
use sinew::glam::{BVec3, DAffine3, DMat3, DVec3};
use sinew::laws::rigs::{direction, rotation, similarity};
use sinew::limit::Range;
use sinew::{
    Goal, Jacobian, JointSpec, Kind, Mask, Pose, Skeleton, SkeletonBuilder, Solver, Status, Tolerance, Workspace,
};
use sinew_arm::{Serial, Width};

const RESTARTS: Serial =
    Serial { iterations: 50, restarts: 200, position_tolerance: 1e-10, rotation_tolerance: 1e-10, width: Width::ONE };

/// A trunk that travels, a waist of two hinges, and two arms of seven hinges on it.
fn body(rng: &mut Rng, base: DAffine3) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec { base, ..JointSpec::named("trunk").rotation(rotation(rng)).kind(Kind::Free) });
    let hinge = |rng: &mut Rng| {
        let range = Range::new(-1.5 - rng.f64(), 1.5 + rng.f64());
        Kind::Hinge { axis: direction(rng), range }
    };
    for i in 0..2 {
        builder.add(JointSpec::named(format!("waist_{i}")).child_of(i).translation(DVec3::Y * 0.2).kind(hinge(rng)));
    }
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let mut above = 2;
        for i in 0..7 {
            let way = if i == 0 { DVec3::new(0.2 * sign, 0.3, 0.0) } else { direction(rng) * 0.2 };
            let joint = JointSpec::named(format!("{side}_{i}")).child_of(above).translation(way);
            above = builder.add(joint.rotation(rotation(rng)).kind(hinge(rng)));
        }
        let hand = JointSpec::named(format!("{side}_hand")).child_of(above).translation(DVec3::Y * 0.1);
        builder.add(hand.kind(Kind::Fixed));
    }
    builder.build().unwrap()
}

fn random_pose(skeleton: &Skeleton, rng: &mut Rng) -> Pose {
    let mut pose = skeleton.rest_pose();
    let mut edit = pose.edit(skeleton);
    for (coordinate, spec) in skeleton.coordinates().iter().enumerate() {
        edit.coordinate(coordinate, spec.range.min + (spec.range.max - spec.range.min) * rng.f64());
    }
    drop(edit);
    pose
}

fn rigid(rng: &mut Rng) -> DAffine3 {
    DAffine3::from_rotation_translation(rotation(rng).quaternion(), direction(rng))
}

/// Distance, and angle, of a joint from where it is in another pose.
fn off(pose: &Pose, there: &Pose, joint: sinew::Joint) -> (f64, f64) {
    let turn = pose.rotation(joint).conjugate() * there.rotation(joint);
    (pose.position(joint).distance(there.position(joint)), 2.0 * DVec3::new(turn.x, turn.y, turn.z).length())
}

#[test]
fn arms_that_share_nothing_are_reached_each_and_arms_on_a_waist_together() {
    let mut rng = Rng::with_seed(1);
    let mut work = Workspace::default();
    for case in 0..60 {
        // Mirrored and scaled bases, too.
        let base = if case % 3 == 0 { similarity(&mut rng).0 } else { rigid(&mut rng) };
        let skeleton = body(&mut rng, base);
        let there = random_pose(&skeleton, &mut rng);
        let [left, right] = skeleton.joints(["left_hand", "right_hand"]).unwrap();
        let [shoulder, other] = skeleton.joints(["left_0", "right_0"]).unwrap();
        let frame = |joint| Goal::frame(joint, there.position(joint), there.rotation(joint));
        // On a waist that is where it should be, and on one that is not.
        let alone = [frame(left).base(shoulder), frame(right).base(other)];
        let together = [frame(left), frame(right)];
        for (goals, waist) in [(alone, true), (together, false)] {
            let mut pose = skeleton.neutral_pose();
            for (coordinate, &q) in there.coordinates().iter().enumerate().take(if waist { 2 } else { 0 }) {
                pose.edit(&skeleton).coordinate(coordinate, q);
            }
            let outcome = RESTARTS.solve(&skeleton, &goals, &mut pose, &mut work);
            assert_eq!(outcome.status, Status::Reached, "{case} {waist}: {outcome:?}");
            for hand in [left, right] {
                let (distance, angle) = off(&pose, &there, hand);
                assert!(distance < 1e-8 && angle < 1e-8, "{case} {waist}: {distance} {angle}");
            }
            let ranges = skeleton.coordinates().iter().map(|coordinate| coordinate.range);
            assert!(ranges.zip(pose.coordinates()).all(|(range, &q)| range.contains(q)));
            // The trunk travels for nobody here.
            let trunk = skeleton.roots().next().unwrap();
            assert_eq!(pose.local(trunk), skeleton.neutral_pose().local(trunk));
            let before = pose.clone();
            assert_eq!(RESTARTS.solve(&skeleton, &goals, &mut pose, &mut work).iterations, 0);
            assert!(skeleton.iter().all(|joint| before.local(joint) == pose.local(joint)), "{case}");
        }
    }
}

#[test]
fn the_answer_is_as_the_general_solver_measures_it() {
    let mut rng = Rng::with_seed(2);
    for case in 0..60 {
        let base = rigid(&mut rng);
        let skeleton = body(&mut rng, base);
        let there = random_pose(&skeleton, &mut rng);
        let [hand, chest] = skeleton.joints(["left_hand", "waist_1"]).unwrap();
        let offset = direction(&mut rng) * 0.1;
        let point = there.model(hand).transform_point3(offset);
        let mask = Mask {
            position: BVec3::new(true, case % 2 == 0, true),
            rotation: BVec3::new(false, true, case % 2 == 1),
            ..Mask::default()
        };
        let into = there.model(chest).inverse();
        let goals = [
            Goal::frame(hand, point, there.rotation(hand)).offset(offset).mask(mask),
            Goal::position(hand, into.transform_point3(point)).offset(offset).relative_to(chest),
            Goal::rotation(hand, there.rotation(hand)),
        ];
        let goal = goals[case % 3];
        let mut pose = skeleton.neutral_pose();
        let mut work = Workspace::default();
        let outcome = RESTARTS.solve(&skeleton, &[goal], &mut pose, &mut work);
        assert_eq!(outcome.status, Status::Reached, "{case}: {outcome:?}");
        let before = pose.clone();
        let judge = Jacobian { position_tolerance: 2e-9, rotation_tolerance: 2e-9, ..Jacobian::default() };
        let judged = judge.solve(&skeleton, &[goal], &mut pose, &mut work);
        assert_eq!((judged.status, judged.iterations), (Status::Reached, 0), "{case}: {judged:?}");
        if case % 3 == 1 {
            // What it is measured from stands still.
            assert_eq!(before.model(chest), skeleton.neutral_pose().model(chest));
        }
    }
}

#[test]
fn weights_go_part_of_the_way_and_none_moves_nothing() {
    let mut rng = Rng::with_seed(3);
    let skeleton = body(&mut rng, DAffine3::IDENTITY);
    let [hand, other] = skeleton.joints(["left_hand", "right_hand"]).unwrap();
    let rest = skeleton.neutral_pose();
    let target = rest.position(hand) + DVec3::new(0.05, -0.03, 0.04);
    for (weight, status) in [(0.0, Status::Ignored), (0.5, Status::Softened), (1.0, Status::Reached)] {
        let (mut pose, mut work) = (rest.clone(), Workspace::default());
        let outcome = RESTARTS.solve(&skeleton, &[Goal::position(hand, target).weight(weight)], &mut pose, &mut work);
        assert_eq!(outcome.status, status);
        let wanted = rest.position(hand).lerp(target, weight);
        assert!(pose.position(hand).distance(wanted) < 1e-9, "{weight}");
        assert!(weight > 0.0 || skeleton.iter().all(|joint| pose.local(joint) == rest.local(joint)));
        let arm = skeleton.subtree(skeleton.joint("right_0").unwrap());
        assert!(arm.map(|i| skeleton.at(i).unwrap()).all(|joint| pose.local(joint) == rest.local(joint)));
    }
    // Two weights together.
    let goals = [Goal::position(hand, target).weight(0.5), Goal::position(other, rest.position(other))];
    let (mut pose, mut work) = (rest.clone(), Workspace::default());
    let _ = RESTARTS.solve(&skeleton, &goals, &mut pose, &mut work);
    let statuses: Vec<Status> = work.residuals().iter().map(|residual| residual.status).collect();
    assert_eq!(statuses, [Status::Softened, Status::Reached]);
    assert!(pose.position(hand).distance(rest.position(hand).lerp(target, 0.5)) < 1e-8);
}

#[test]
fn limits_that_stand_in_the_way_are_named() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("base").kind(Kind::Fixed));
    builder.add(JointSpec::named("hinge").child_of(0).kind(Kind::hinge(DVec3::Z).within(-0.5, 0.5)));
    builder.add(JointSpec::named("tip").child_of(1).translation(DVec3::X).kind(Kind::BALL));
    let skeleton = builder.build().unwrap();
    let [hinge, tip] = skeleton.joints(["hinge", "tip"]).unwrap();
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    // A ball at the tip hides the chain above it: nothing to serve.
    let goal = Goal::position(tip, DVec3::Y);
    assert!(!Serial::default().serves(&skeleton, &goal));
    assert_eq!(Serial::default().solve(&skeleton, &[goal], &mut pose, &mut work).status, Status::Ignored);
    let goal = Goal::position(hinge, DVec3::Y).offset(DVec3::X);
    let outcome = Serial::default().solve(&skeleton, &[goal], &mut pose, &mut work);
    assert_eq!(outcome.status, Status::Limited);
    assert_eq!(work.blocking(0).collect::<Vec<_>>(), [hinge]);
    assert_eq!(pose.coordinates(), [0.5]);
    assert!(
        (outcome.position_error - 2.0 * sinew::math::ops::sin_cos((std::f64::consts::FRAC_PI_2 - 0.5) / 2.0).0).abs()
            < 1e-12
    );
}

#[test]
fn hostile_calls_are_answered() {
    let mut rng = Rng::with_seed(5);
    let skew = DAffine3::from_mat3(DMat3::from_cols(DVec3::X, DVec3::new(0.5, 1.0, 0.0), DVec3::Z));
    for (base, status) in [(skew, Status::Singular), (DAffine3::from_scale(DVec3::splat(0.0)), Status::Singular)] {
        let skeleton = body(&mut rng, base);
        let hand = skeleton.joint("left_hand").unwrap();
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        let outcome = RESTARTS.solve(&skeleton, &[Goal::position(hand, DVec3::X)], &mut pose, &mut work);
        assert_eq!(outcome.status, status);
        assert!(skeleton.iter().all(|joint| pose.local(joint) == skeleton.rest_pose().local(joint)));
    }
    let skeleton = body(&mut rng, DAffine3::IDENTITY);
    let hand = skeleton.joint("left_hand").unwrap();
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    for place in [1e300, -1e-300, 1e18] {
        let outcome = RESTARTS.solve(&skeleton, &[Goal::position(hand, DVec3::splat(place))], &mut pose, &mut work);
        assert!(outcome.position_error.is_finite() || place > 1e200, "{outcome:?}");
        assert!(pose.coordinates().iter().all(|q| q.is_finite()));
    }
    let invalid = [Goal::position(hand, DVec3::NAN)];
    assert_eq!(RESTARTS.solve(&skeleton, &invalid, &mut pose, &mut work).status, Status::Invalid);
    // Tolerances of nothing are never met, and that is said.
    let exact = Tolerance { position: 0.0, rotation: 0.0 };
    let goal = Goal::position(hand, skeleton.rest_pose().position(hand) + DVec3::splat(0.01)).tolerance(exact);
    let outcome = Serial::default().solve(&skeleton, &[goal], &mut pose, &mut work);
    assert!(outcome.position_error < 1e-14);
    // A chain of balls alone is not its business.
    let balls = Skeleton::from_lengths(&[1.0, 1.0]).unwrap();
    let goal = Goal::position(balls.joint("joint_2").unwrap(), DVec3::X);
    assert!(!Serial::default().serves(&balls, &goal));
}

#[test]
fn a_later_priority_does_not_carry_an_earlier_goal_away() {
    let mut builder = SkeletonBuilder::new();
    for spec in [
        JointSpec::named("turret").kind(Kind::hinge(DVec3::Y)),
        JointSpec::named("plate").child_of(0).translation(DVec3::X).kind(Kind::Fixed),
        JointSpec::named("socket").child_of(1).translation(DVec3::X),
        JointSpec::named("h1").child_of(2).translation(DVec3::Y * 0.5).kind(Kind::hinge(DVec3::X)),
        JointSpec::named("h2").child_of(3).translation(DVec3::Y * 0.5).kind(Kind::hinge(DVec3::Z)),
        JointSpec::named("tip").child_of(4).translation(DVec3::Y * 0.5).kind(Kind::Fixed),
    ] {
        builder.add(spec);
    }
    let skeleton = builder.build().unwrap();
    let [plate, tip] = skeleton.joints(["plate", "tip"]).unwrap();
    let mut bent = skeleton.rest_pose();
    bent.edit(&skeleton).coordinate(1, 0.4).coordinate(2, -0.5);
    let serial = Serial { restarts: 16, ..Serial::default() };
    let held = Goal::position(tip, bent.position(tip));
    for priority in [1, 0] {
        let goals = [held, Goal::position(plate, DVec3::Z).priority(priority)];
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        let _ = serial.solve(&skeleton, &goals, &mut pose, &mut work);
        let left = pose.position(tip).distance(bent.position(tip));
        assert!((work.residuals()[0].position_error() - left).abs() < 1e-12);
        // What comes first stays.
        assert!(priority == 0 || (work.residuals()[0].status == Status::Reached && left < 1e-9), "{left}");
    }
}
