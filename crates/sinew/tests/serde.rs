//! Goals, poses, settings and outcomes written and read again, and what is refused on the way.

use serde_json::{Value, from_value, json, to_value};
use sinew::glam::{DQuat, DVec3};
use sinew::limit::Range;
use sinew::solve::follow::Pace;
use sinew::solve::scale::Limit;
use sinew::solve::two_bone::Reach;
use sinew::{
    Aim, Auto, Bend, Ccd, Fabrik, Follow, Goal, Jacobian, JointSpec, Kind, Mask, MassSpring, NamedJoint, Orient,
    Outcome, Pole, Residual, Rotation, SavedPose, SavedPoseError, ScaleTarget, Skeleton, SkeletonBuilder, Slack,
    Solver, Start, Status, ThreeLink, Tolerance, TwoBone, Workspace,
};

fn arm() -> Skeleton {
    Skeleton::from_lengths(&[0.3, 0.25, 0.1]).expect("a chain")
}

/// Written as text and read again.
fn again<T: ::serde::Serialize + ::serde::de::DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).expect("it can be written");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn goals(arm: &Skeleton) -> Vec<Goal> {
    let [root, hand] = arm.joints(["joint_0", "joint_3"]).expect("joints");
    let (place, turn) = (DVec3::new(0.1, 1.0 / 3.0, -0.2), DQuat::from_rotation_x(0.7));
    let slack = Slack { position: DVec3::new(0.1, f64::INFINITY, 0.0), ..Slack::NONE };
    vec![
        Goal::position(hand, place).pole(DVec3::Z).weight(0.3).pull(2.0).priority(3).base(root),
        Goal::rotation(hand, turn)
            .relative_to(root)
            .mask(Mask { rotation: [true, false, true].into(), ..Mask::default() }),
        Goal::frame(hand, place, turn).slack(slack).tolerance(Tolerance { position: 1e-3, rotation: 0.1 }),
        Goal::aim(hand, DVec3::X, place).up(DVec3::Y).offset(DVec3::ONE),
        Goal::axis(hand, DVec3::X, place).pole_of(root, Pole::Direction(DVec3::Y)),
        Goal::scale(hand, DVec3::splat(2.0)),
        Goal::center_of_mass(root, place),
    ]
}

#[test]
fn goals_come_back() {
    let arm = arm();
    for goal in goals(&arm) {
        assert_eq!(again(&goal), goal);
    }
    let mut carried = goals(&arm)[0];
    let (mut pose, mut work) = (arm.rest_pose(), Workspace::default());
    let limb = TwoBone::ending_at(&arm, carried.joint).expect("a limb");
    let _ = limb.solve(&arm, &[carried.base(limb.root)], &mut pose, &mut work);
    carried.swivel = work.residuals()[0].swivel;
    assert!(carried.swivel.is_some() && again(&carried) == carried);
}

#[test]
fn a_goal_needs_a_joint_and_a_target_and_no_more() {
    let arm = arm();
    let hand = arm.joint("joint_3").expect("a joint");
    let short = json!({ "joint": hand, "target": { "position": [0.1, 0.2, 0.3] } });
    let goal: Goal = from_value(short).expect("a goal");
    assert_eq!(goal, Goal::position(hand, DVec3::new(0.1, 0.2, 0.3)));
}

#[test]
fn goals_that_no_solver_would_take_are_refused() {
    let arm = arm();
    let whole = to_value(goals(&arm)[2]).expect("json");
    let refused = |path: &str, value: Value| {
        let mut goal = whole.clone();
        *goal.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = value;
        assert!(from_value::<Goal>(goal).is_err(), "{path}");
    };
    assert!(from_value::<Goal>(whole.clone()).is_ok());
    refused("/weight", json!(1.5));
    refused("/weight", json!(-0.1));
    refused("/pull", json!(-1.0));
    refused("/pull", json!(null));
    refused("/slack/position", json!([-1.0, 0.0, 0.0]));
    refused("/slack/position", json!(["inf", 0.0, 0.0]));
    refused("/tolerance/position", json!(-1.0));
    refused("/target/frame/position", json!([0.0, 0.0]));
    refused("/target/frame/position", json!([0.0, null, 0.0]));
    refused("/target/frame/rotation", json!([0.0, 0.0, 0.0, 0.0]));
    refused("/target", json!({ "position": [0.0, 0.0, 0.0], "rotation": [0.0, 0.0, 0.0, 1.0] }));
    refused("/target", json!({ "places": [0.0, 0.0, 0.0] }));
    refused("/joint", json!(3));
    let mut more = whole.clone();
    more["wieght"] = json!(0.5);
    assert!(from_value::<Goal>(more).is_err(), "an unknown name");
    // A rotation of another length is one.
    let mut long = whole;
    long["target"]["frame"]["rotation"] = json!([0.0, 0.0, 2.0, 0.0]);
    let goal: Goal = from_value(long).expect("a goal");
    assert_eq!(goal.target.rotation(), Some(DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0)));
}

#[test]
fn a_joint_of_nowhere_is_noticed_by_the_solve() {
    let arm = arm();
    let mut goal = to_value(goals(&arm)[0]).expect("json");
    goal["joint"]["index"] = json!(4_000_000_000_u32);
    let goal: Goal = from_value(goal).expect("numbers are numbers");
    let (mut pose, mut work) = (arm.rest_pose(), Workspace::default());
    assert_eq!(Auto::default().solve(&arm, &[goal], &mut pose, &mut work).status, Status::Invalid);
}

/// A hinge with a follower, a slide and a ball.
fn machine() -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("hinge").kind(Kind::hinge(DVec3::Z)));
    let spec = JointSpec::named("follower").child_of(0).translation(DVec3::X).kind(Kind::hinge(DVec3::Z));
    builder.add(spec.mimic("hinge", -0.5, 0.2));
    builder.add(JointSpec::named("slide").child_of(1).translation(DVec3::X).kind(Kind::slide(DVec3::X)));
    builder.add(JointSpec::named("ball").child_of(2).translation(DVec3::X));
    builder.build().expect("a skeleton")
}

#[test]
fn poses_come_back_bit_for_bit() {
    let machine = machine();
    let mut pose = machine.rest_pose();
    assert_eq!(again(&pose.saved()).restore(&machine), Ok(pose.clone()));
    let [slide, ball] = machine.joints(["slide", "ball"]).expect("joints");
    // More than a turn, which the local transform alone does not tell.
    pose.edit(&machine).coordinate(0, 7.3).translation(slide, DVec3::new(0.1, 0.2, 0.3));
    pose.edit(&machine)
        .rotation(ball, Rotation::about(DVec3::new(1.0, 2.0, 3.0), 0.4))
        .scale(ball, DVec3::new(1.0, -2.0, 0.0));
    assert_eq!(again(&pose.saved()).restore(&machine), Ok(pose.clone()));
}

#[test]
fn poses_that_do_not_fit_are_refused() {
    let machine = machine();
    let mut pose = machine.rest_pose();
    pose.edit(&machine).coordinate(0, 0.5);
    let whole = to_value(pose.saved()).expect("json");
    let named = |index| NamedJoint::of(&machine, machine.at(index).expect("a joint"));
    let coordinate = |index: usize| machine.coordinates()[index].name.clone();
    let refused = |path: &str, value: Value, error: SavedPoseError| {
        let mut saved = whole.clone();
        *saved.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = value;
        let saved: SavedPose = from_value(saved).expect("a saved pose");
        assert_eq!(saved.restore(&machine).map(|_| ()), Err(error), "{path}");
    };
    refused("/coordinates", json!([0.5]), SavedPoseError::Length);
    refused("/coordinates", json!([0.5, 0.0, 0.0]), SavedPoseError::Length);
    refused("/joints", json!([]), SavedPoseError::Length);
    refused("/skeleton/0", json!(7), SavedPoseError::OtherSkeleton);
    refused("/joints/1/rotation", json!([0.0, 0.0, 0.0, 0.0]), SavedPoseError::Joint(named(1)));
    refused("/joints/2/rotation", json!([0.0, 0.0, 0.0, 1.1]), SavedPoseError::Joint(named(2)));
    refused("/coordinates/0", json!(0.6), SavedPoseError::Coordinate { index: 0, name: coordinate(0) });
    refused("/coordinates/1", json!(0.1), SavedPoseError::Coordinate { index: 1, name: coordinate(1) });
    assert_eq!(pose.saved().restore(&arm()).map(|_| ()), Err(SavedPoseError::OtherSkeleton));
    // Formats that have NaN and infinity.
    let mut nan = machine.rest_pose();
    nan.edit(&machine).translation(machine.at(3).expect("the ball"), DVec3::NAN);
    let error = nan.saved().restore(&machine).unwrap_err();
    assert_eq!(error, SavedPoseError::Joint(named(3)));
    assert!(error.to_string().starts_with("joint 3 'ball' "), "{error}");
}

#[test]
fn settings_come_back() {
    let arm = arm();
    let [root, mid, hand] = arm.joints(["joint_0", "joint_1", "joint_3"]).expect("joints");
    let limb = TwoBone { reach: Reach::SOFT, bend: Bend::Rest, ..TwoBone::new(&arm, root, mid, hand).expect("a limb") };
    assert_eq!(again(&limb), limb);
    let links = ThreeLink::ending_at(&arm, hand).expect("a limb");
    assert_eq!(again(&links), links);
    let aim = Aim { roll: Some(0.1), ..Aim::over(&arm, root, hand).expect("a chain") };
    assert_eq!(again(&aim), aim);
    assert_eq!(again(&Orient { joint: hand }), Orient { joint: hand });
    let auto = Auto { start: Start::Rest, reach: Reach::Stretch { limit: f64::INFINITY }, ..Auto::default() };
    assert_eq!(again(&auto), auto);
    for damping in [f64::INFINITY, 0.3] {
        let ccd = Ccd { damping, base: Some(mid), ..Ccd::default() };
        assert_eq!(again(&ccd), ccd);
    }
    assert_eq!(again(&Fabrik::from_base(mid)), Fabrik::from_base(mid));
    assert_eq!(again(&MassSpring::default()), MassSpring::default());
    let scale = ScaleTarget { limits: vec![Limit::new(mid, Range::new(0.5, 2.0))], ..ScaleTarget::default() };
    assert_eq!(again(&scale), scale);
    let follow = Follow { turns: Pace { speed: 3.0, ..Pace::ANY }, ..Follow::new(auto) };
    assert_eq!(again(&follow), follow);
    assert_eq!(to_value(Range { min: f64::NEG_INFINITY, max: 1.0 }).expect("json"), json!({ "min": null, "max": 1.0 }));
    assert_eq!(again(&Range::FREE), Range::FREE);
    for range in [Range::new(f64::NAN, 1.0), Range::new(f64::INFINITY, 1.0), Range::new(0.0, f64::NAN)] {
        assert!(to_value(range).is_err(), "{range:?}");
    }
    let jacobian = Jacobian { joints: Some(vec![root, mid]), iterations: 7, ..Jacobian::default() };
    assert_eq!(format!("{:?}", again(&jacobian)), format!("{jacobian:?}"));
}

#[test]
fn settings_may_be_left_out_and_unknown_ones_are_refused() {
    let ccd: Ccd = from_value(json!({ "iterations": 3, "order": "tip_to_root" })).expect("settings");
    assert_eq!(ccd, Ccd { iterations: 3, order: sinew::solve::ccd::Order::TipToRoot, ..Ccd::default() });
    assert!(from_value::<Ccd>(json!({ "iteration": 3 })).is_err());
    assert!(from_value::<Ccd>(json!({ "damping": "inf" })).is_err());
    assert!(from_value::<Ccd>(json!({ "iterations": -3 })).is_err());
    assert!(from_value::<Auto>(json!({ "reach": "clamped" })).is_err());
}

#[test]
fn outcomes_and_residuals_come_back_with_the_words_of_reports() {
    let arm = arm();
    let (mut pose, mut work) = (arm.rest_pose(), Workspace::default());
    for goal in goals(&arm) {
        let outcome = Jacobian::default().solve(&arm, &[goal], &mut pose, &mut work);
        assert_eq!(again::<Outcome>(&outcome), outcome);
        assert_eq!(again::<Residual>(&work.residuals()[0]), work.residuals()[0]);
        assert_eq!(to_value(outcome.status).expect("json"), json!(outcome.status.name()));
    }
}
