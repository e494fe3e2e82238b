//! A goal that no solver takes marks itself, says why, and stops the others only where the caller wants that.

use sinew::glam::{DQuat, DVec3};
use sinew::{
    Auto, Goal, GoalError, Jacobian, JointSpec, Sequence, Skeleton, SkeletonBuilder, Slack, Solver, Status, Swivel,
    Tolerance, TwoBone, Workspace,
};

fn body() -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("chest"));
    for (side, x) in [("left", -0.2), ("right", 0.2)] {
        let arm = builder.add(JointSpec::named(format!("{side} arm")).child_of(0).translation(DVec3::new(x, 0.4, 0.0)));
        let elbow = builder.add(JointSpec::named(format!("{side} elbow")).child_of(arm).translation(DVec3::X * x));
        builder.add(JointSpec::named(format!("{side} hand")).child_of(elbow).translation(DVec3::new(x, 0.0, 0.05)));
    }
    builder.build().expect("two arms")
}

#[test]
fn the_check_says_what_is_wrong() {
    let (skeleton, other) = (body(), Skeleton::from_lengths(&[1.0; 12]).expect("a chain"));
    let hand = skeleton.joint("left hand").expect("named so");
    let stranger = other.joint("joint_11").expect("named so");
    let good = Goal::position(hand, DVec3::ONE);
    let nan = f64::NAN;
    let swivel = Swivel { target: DVec3::X, bend: DVec3::Y, mid: DVec3::X, turn: nan };
    let cases = [
        (Goal::position(stranger, DVec3::ONE), GoalError::UnknownJoint(stranger)),
        (good.base(stranger), GoalError::UnknownJoint(stranger)),
        (Goal::position(hand, DVec3::new(0.0, nan, 0.0)), GoalError::Target),
        (Goal::rotation(hand, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)), GoalError::Target),
        (good.offset(DVec3::INFINITY), GoalError::Offset),
        (good.pole(DVec3::NAN), GoalError::Pole),
        (good.swivel(Some(swivel)), GoalError::Pole),
        (good.tolerance(Tolerance { position: -1.0, rotation: 0.0 }), GoalError::Tolerance),
        (good.slack(Slack { position: DVec3::NEG_X, ..Slack::NONE }), GoalError::Slack),
        (good.weight(1.0 + 1e-9), GoalError::Weight),
        (good.pull(f64::INFINITY), GoalError::Pull),
    ];
    assert_eq!(good.check(&skeleton), Ok(()));
    for (goal, error) in cases {
        assert_eq!(goal.check(&skeleton), Err(error), "{goal:?}");
        assert!(!goal.is_valid(&skeleton) && !error.to_string().is_empty());
    }
    assert!(GoalError::UnknownJoint(stranger).to_string().starts_with("joint 11 is not one of this skeleton"));
}

#[test]
fn the_others_are_served_where_the_caller_says_so() {
    let skeleton = body();
    let hands = skeleton.joints(["left hand", "right hand"]).expect("named so");
    let places = [DVec3::new(-0.3, 0.5, 0.3), DVec3::new(0.4, 0.3, 0.2)];
    let goals = [Goal::position(hands[0], places[0]), Goal::position(hands[1], places[1])];
    let bad = Goal::position(hands[0], DVec3::NAN);
    let limb = TwoBone::ending_at(&skeleton, hands[0]).expect("three joints");
    let sequence = Sequence::new().then(limb).then(Auto::default());
    for solver in [&Auto::default() as &dyn Solver, &Jacobian::default(), &sequence] {
        let mut alone = skeleton.rest_pose();
        let expected = solver.solve(&skeleton, &goals, &mut alone, &mut Workspace::default());
        let beside = [goals[0], bad, goals[1]];
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        let told = |work: &Workspace| [0, 1, 2].map(|place| work.residuals()[place].status);
        let refused = solver.solve(&skeleton, &beside, &mut pose, &mut work);
        assert_eq!((refused.status, &pose), (Status::Invalid, &skeleton.rest_pose()));
        assert_eq!(told(&work), [Status::Ignored, Status::Invalid, Status::Ignored]);
        let served = solver.solve(&skeleton, &beside, &mut pose, work.skip_invalid(true));
        assert_eq!((served.status, &pose), (Status::Invalid, &alone));
        assert_eq!(told(&work), [Status::Reached, Status::Invalid, Status::Reached]);
        assert_eq!((served.iterations, served.position_error), (expected.iterations, expected.position_error));
        // All are valid again: nothing is left of it.
        let mut pose = skeleton.rest_pose();
        assert_eq!(solver.solve(&skeleton, &goals, &mut pose, &mut work), expected);
        assert_eq!((pose, work.residuals().len()), (alone, 2));
    }
}
