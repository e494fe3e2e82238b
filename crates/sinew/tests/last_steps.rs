//! The last steps of a descent: how near they lead, how far they turn what hardly matters, and who makes them.

use sinew::glam::{DQuat, DVec3};
use sinew::{Auto, Fabrik, Goal, Jacobian, Skeleton, Solver, Status, Workspace};

use crate::body::body;
use crate::limited_bodies;

/// Steps that double the digits go on beyond the tolerance: the next one costs little and leaves nothing to do.
#[test]
fn what_is_met_quickly_is_met_far_better_than_asked() {
    for joints in [3, 5, 8] {
        let chain = Skeleton::from_lengths(&vec![0.3; joints]).expect("a chain");
        let tip = chain.at(joints).expect("a tip");
        let rng = &mut fastrand::Rng::with_seed(5);
        let mut number = || rng.f64() - 0.5;
        for _ in 0..40 {
            let target = DVec3::new(number(), number(), number()) * 0.3 * joints as f64;
            let (mut pose, mut work) = (chain.rest_pose(), Workspace::default());
            let goal = Goal::position(tip, target);
            let outcome = Jacobian::default().solve(&chain, &[goal], &mut pose, &mut work);
            assert_eq!(outcome.status, Status::Reached);
            assert!(outcome.position_error < 1e-3 * Jacobian::default().position_tolerance, "{joints}: {outcome:?}");
        }
    }
}

/// A hand that is asked a little beyond its reach, beside a head and feet at the end of theirs.
#[test]
fn goals_at_the_end_of_reach_turn_no_joint_far_for_next_to_nothing() {
    let skeleton = body(|_| 1.0);
    let joints = skeleton.joints(["hand_l", "hand_r", "foot_l", "foot_r", "head"]).expect("joints of the body");
    let rest = skeleton.rest_pose();
    for number in 0..24 {
        let round = DQuat::from_rotation_z(0.26 * f64::from(number)) * DVec3::X * 0.01;
        let mut goals = joints.map(|joint| Goal::position(joint, rest.position(joint)));
        goals[0] = Goal::position(joints[0], rest.position(joints[0]) + DVec3::X * 0.03 + round);
        let (mut pose, mut work) = (rest.clone(), Workspace::default());
        let _ = Jacobian::default().solve(&skeleton, &goals, &mut pose, &mut work);
        let turn = pose.difference(&rest).angle;
        assert!(turn < 0.4, "{number}: a joint turns by {turn}");
    }
}

/// Frames of hands, feet and head that limits leave less than a thousandth short: no method that draws points comes nearer, and
/// none is asked.
#[test]
fn what_limits_leave_a_little_short_costs_what_one_method_takes() {
    let (skeleton, joints) = limited_bodies::body();
    let hips = skeleton.at(0).expect("hips");
    let (mut work, mut steps, mut own) = (Workspace::default(), 0, 0);
    for (seed, reach) in [(29, 1.003), (56, 1.03), (72, 1.001), (87, 1.03), (90, 1.03), (127, 1.03)] {
        let wanted = limited_bodies::allowed(&skeleton, &mut fastrand::Rng::with_seed(1000 + seed));
        let from = wanted.position(hips);
        let goals = joints
            .map(|joint| Goal::frame(joint, from + (wanted.position(joint) - from) * reach, wanted.rotation(joint)));
        let mut solve = |solver: &dyn Solver| {
            let mut pose = skeleton.neutral_pose();
            let outcome = solver.solve(&skeleton, &goals, &mut pose, &mut work);
            (outcome.iterations, outcome.position_error)
        };
        let ((made, left), (alone, nearest)) = (solve(&Auto::default()), solve(&Jacobian::default()));
        assert!(nearest > 1e-5 && left < nearest * (1.0 + 1e-6), "seed {seed}: {left} left, not {nearest}");
        (steps, own) = (steps + made, own + alone);
    }
    // The first descent, and the same once more with all its steps.
    assert!(5 * steps < 12 * own, "{steps} steps, {own} by itself");
}

/// A hand that limits keep from its place, beside goals in reach: points drawn along bones are tried from the descent's answer, and
/// where they come no nearer, not again.
#[test]
fn what_came_no_nearer_is_not_tried_again_from_there() {
    let (skeleton, joints) = limited_bodies::body();
    let hips = skeleton.at(0).expect("hips");
    let (mut work, mut tried) = (Workspace::default(), 0);
    for seed in 0..24 {
        let wanted = limited_bodies::allowed(&skeleton, &mut fastrand::Rng::with_seed(2000 + seed));
        let from = wanted.position(hips);
        let mut goals = joints.map(|joint| Goal::position(joint, wanted.position(joint)));
        goals[0] = Goal::position(joints[0], from + (wanted.position(joints[0]) - from) * 1.3);
        let mut pose = skeleton.neutral_pose();
        let made = Auto::default().solve(&skeleton, &goals, &mut pose, &mut work).iterations;
        let mut pose = skeleton.neutral_pose();
        let descent = Jacobian::default().solve(&skeleton, &goals, &mut pose, &mut work).iterations;
        let fine = Fabrik { position_tolerance: 1e-10, rotation_tolerance: 1e-10, ..Fabrik::default() };
        let drawn = fine.solve(&skeleton, &goals, &mut pose, &mut work).iterations;
        tried += u32::from(made > descent);
        assert!(made <= descent + drawn, "seed {seed}: {made} steps, {descent} and {drawn}");
    }
    assert!(tried > 0, "nothing was tried but the descent");
}
