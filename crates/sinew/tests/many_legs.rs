//! Many limbs of one body: goals that share no joint are solved apart.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use sinew::glam::DVec3;
use sinew::laws::rigs::direction;
use sinew::math::ops;
use sinew::{
    Auto, Goal, Jacobian, JointSpec, Kind, MassSpring, Sequence, Skeleton, SkeletonBuilder, Solver, Status, Workspace,
};

const LEGS: usize = 24;

/// A trunk with legs all round: hip, knee, ankle and foot, the hips balls and the others hinges.
fn millipede(trunk: Kind) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("trunk").kind(trunk));
    for leg in 0..LEGS {
        let (sine, cosine) = ops::sin_cos(std::f64::consts::TAU * leg as f64 / LEGS as f64);
        let (out, across) = (DVec3::new(cosine, 0.0, sine), DVec3::new(-sine, 0.0, cosine));
        let hip = JointSpec::named(format!("hip_{leg}")).child_of(0).translation(out);
        let hip = builder.add(hip.kind(Kind::BALL));
        let knee = JointSpec::named(format!("knee_{leg}")).child_of(hip).translation(out * 0.3 + DVec3::Y * 0.3);
        let knee = builder.add(knee.kind(Kind::hinge(across).within(-1.5, 1.5)));
        let ankle = JointSpec::named(format!("ankle_{leg}")).child_of(knee).translation(out * 0.3 - DVec3::Y * 0.4);
        let ankle = builder.add(ankle.kind(Kind::hinge(across).within(-1.0, 1.0)));
        let foot = JointSpec::named(format!("foot_{leg}")).child_of(ankle).translation(DVec3::Y * -0.3);
        builder.add(foot.kind(Kind::Fixed));
    }
    builder.build().unwrap()
}

/// A place for every foot, some of them out of reach.
fn goals(skeleton: &Skeleton, based: bool) -> Vec<Goal> {
    let (rest, mut rng) = (skeleton.rest_pose(), fastrand::Rng::with_seed(4));
    let goal = |leg: usize| {
        let [hip, foot] = ["hip", "foot"].map(|name| skeleton.joint(&format!("{name}_{leg}")).unwrap());
        let way = if leg % 6 == 5 { direction(&mut rng) * 3.0 } else { direction(&mut rng) * 0.1 };
        let goal = Goal::position(foot, rest.position(foot) + way);
        if based { goal.base(hip) } else { goal }
    };
    (0..LEGS).map(goal).collect()
}

/// Another target for one leg must leave all others as they are, to the bit.
fn are_solved_apart(solver: &dyn Solver, skeleton: &Skeleton, based: bool) {
    let solved = |goals: &[Goal]| {
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        let _ = solver.solve(skeleton, goals, &mut pose, &mut work);
        (pose, work.residuals().iter().map(|residual| residual.status).collect::<Vec<Status>>())
    };
    let goals = goals(skeleton, based);
    let (pose, told) = solved(&goals);
    for (leg, status) in told.iter().enumerate() {
        let wanted = if leg % 6 == 5 { Status::OutOfReach } else { Status::Reached };
        assert_eq!(*status, wanted, "{solver:?}, leg {leg}");
    }
    for moved in [0, 5, 16] {
        let mut others = goals.clone();
        others[moved].target = goals[moved + 1].target;
        let (other, _) = solved(&others);
        let joints = |leg: usize| ["hip", "knee", "ankle", "foot"].map(|name| format!("{name}_{leg}"));
        for leg in (0..LEGS).filter(|&leg| leg != moved) {
            let same = skeleton.joints(joints(leg).each_ref().map(String::as_str)).unwrap();
            let same = same.iter().all(|&joint| pose.local(joint) == other.local(joint));
            assert!(same, "{solver:?}, bases: {based}: leg {leg} moves with {moved}");
        }
        let own = skeleton.joint(&format!("hip_{moved}")).unwrap();
        assert!(pose.local(own) != other.local(own));
    }
}

#[test]
fn goals_that_share_no_joint_are_solved_apart() {
    let solvers: [&dyn Solver; 3] = [&Auto::default(), &Jacobian::default(), &MassSpring::default()];
    for solver in solvers {
        // On a trunk that could move, each leg has a base; on one that cannot, none need it.
        are_solved_apart(solver, &millipede(Kind::BALL), true);
        are_solved_apart(solver, &millipede(Kind::Fixed), false);
    }
}

#[test]
fn a_joint_of_another_skeleton_is_served_by_nothing() {
    let (one, other) = (millipede(Kind::BALL), Skeleton::from_lengths(&[1.0]).unwrap());
    let foot = one.joint("foot_23").unwrap();
    assert!(Jacobian::default().serves(&one, &Goal::position(foot, DVec3::ZERO)));
    assert!(!Jacobian::default().serves(&other, &Goal::position(foot, DVec3::ZERO)));
}

/// Steps that a solver makes for feet that are all out of reach, with so much patience.
fn steps_in_vain(solver: &dyn Solver, patience: u32) -> u32 {
    let skeleton = millipede(Kind::Free);
    let far = |goal: Goal| Goal::position(goal.joint, skeleton.rest_pose().position(goal.joint) * 9.0);
    let goals: Vec<Goal> = goals(&skeleton, false).into_iter().map(far).collect();
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    work.patience(patience);
    solver.solve(&skeleton, &goals, &mut pose, &mut work).iterations
}

/// Steps of a large body are dear: restarts that each had all of theirs took a second.
#[test]
fn a_large_body_has_fewer_steps_unless_more_are_allowed() {
    let solver = Jacobian { restarts: 8, ..Jacobian::default() };
    let (usual, more) = (steps_in_vain(&solver, 1), steps_in_vain(&solver, 10));
    assert!(usual < 120 && 2 * usual < more, "{usual}, {more}");
}

/// A sequence that gave each of its solvers the work of a whole solve would take as many times as long.
#[test]
fn the_solvers_of_a_sequence_share_the_work_of_one_solve() {
    let solver = Jacobian { restarts: 8, ..Jacobian::default() };
    let one = steps_in_vain(&solver, 1);
    let both = steps_in_vain(&Sequence::new().then(solver.clone()).then(solver.clone()), 1);
    let first = steps_in_vain(&Sequence::new().then(solver).then(Sequence::new()), 1);
    // The first leaves the second a share, too.
    assert!(
        both > first && both < one + one / 2 && first < one - one / 4,
        "{both} of two, {first} of the first, {one}"
    );
}
