//! Many goals on one body, by descent: what each kind reaches, who wins, and what is said.

use std::sync::Arc;

use crate::body::body;
use sinew::Start;
use sinew::glam::{BVec3, DVec3};
use sinew::limit::{Range, SwingTwist};
use sinew::solve::jacobian::{Columns, Jacobian, Method, Posture, Task};
use sinew::{
    BallLimit, Goal, Joint, JointSpec, Kind, Mask, Outcome, Pose, Rotation, Skeleton, SkeletonBuilder, Solver, Status,
    Tolerance, Workspace,
};

fn solve(solver: &Jacobian, skeleton: &Skeleton, goals: &[Goal]) -> (Pose, Outcome, Workspace) {
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let outcome = solver.solve(skeleton, goals, &mut pose, &mut work);
    (pose, outcome, work)
}

fn joint(skeleton: &Skeleton, name: &str) -> Joint {
    skeleton.joint(name).expect("a joint of the body")
}

fn statuses(work: &Workspace) -> Vec<Status> {
    work.residuals().iter().map(|residual| residual.status).collect()
}

#[test]
fn five_goals_at_once_are_reached_by_every_method() {
    let body = body(|_| 1.0);
    let [l, r, left, right, head] =
        body.joints(["hand_l", "hand_r", "foot_l", "foot_r", "head"]).expect("joints of the body");
    let goals = [
        Goal::position(l, DVec3::new(0.4, 1.5, 0.3)),
        Goal::position(r, DVec3::new(-0.3, 1.1, 0.4)),
        Goal::position(left, DVec3::new(0.1, 0.1, 0.1)),
        Goal::frame(right, DVec3::new(-0.1, 0.3, 0.2), Rotation::about(DVec3::X, 0.3)),
        Goal::axis(head, DVec3::Z, DVec3::new(0.3, -0.2, 1.0)).up(DVec3::Y),
    ];
    let methods = [
        (Method::LevenbergMarquardt, 30),
        (Method::Continuous, 30),
        (Method::DampedLeastSquares { damping: 0.1 }, 60),
        (Method::SelectivelyDamped, 60),
        (Method::Transpose, 2000),
    ];
    for (method, iterations) in methods {
        let near = Tolerance { position: 1e-4, rotation: 1e-4 };
        let solver = Jacobian { method, iterations, ..Jacobian::default() };
        let (goals, mut work) = (goals.map(|goal| goal.tolerance(near)), Workspace::default());
        // So many steps of a body are more work than a solve's.
        let outcome = solver.solve(&body, &goals, &mut body.rest_pose(), work.patience(10));
        assert_eq!(statuses(&work), [Status::Reached; 5], "{method:?}: {outcome:?}");
    }
}

#[test]
fn pull_says_who_wins_where_goals_compete() {
    let body = body(|_| 1.0);
    let hand = joint(&body, "hand_l");
    let (a, b) = (DVec3::new(0.4, 1.5, 0.3), DVec3::new(0.5, 1.2, 0.4));
    let goals = [Goal::position(hand, a).pull(3.0), Goal::position(hand, b)];
    let (pose, _, work) = solve(&Jacobian::default(), &body, &goals);
    assert!(pose.position(hand).distance((a * 3.0 + b) / 4.0) < 1e-6, "{}", pose.position(hand));
    assert_eq!(statuses(&work), [Status::Stalled; 2]);
    // A goal that does not pull is measured all the same.
    let (pose, _, work) = solve(&Jacobian::default(), &body, &[goals[0], goals[1].pull(0.0)]);
    assert!(pose.position(hand).distance(a) < 1e-9);
    assert_eq!(statuses(&work), [Status::Reached, Status::Stalled]);
    assert!((work.residuals()[1].position_error() - a.distance(b)).abs() < 1e-9);
}

#[test]
fn priorities_are_strict() {
    let body = body(|_| 1.0);
    let [l, r] = body.joints(["hand_l", "hand_r"]).expect("joints of the body");
    // The hands want to be farther apart than both arms are long.
    let (first, second) = (DVec3::new(0.8, 1.4, 0.2), DVec3::new(-1.6, 1.3, 0.1));
    for (a, b) in [(0, 1), (1, 0)] {
        let goals = [Goal::position(l, first).priority(a), Goal::position(r, second).priority(b)];
        let (_, _, work) = solve(&Jacobian::default(), &body, &goals);
        let errors = [work.residuals()[0].position_error(), work.residuals()[1].position_error()];
        if a == 0 {
            assert_eq!(work.residuals()[0].status, Status::Reached, "{errors:?}");
            assert!(errors[1] > 0.05 && errors[1] < 1.0, "{errors:?}");
        } else {
            // The second is out of reach by itself: it gets all it can.
            let (_, alone, _) = solve(&Jacobian::default(), &body, &goals[1..]);
            assert!(errors[1] < alone.position_error * 1.01, "{errors:?} {alone:?}");
        }
    }
}

#[test]
fn goals_measured_from_joints_close_loops() {
    let body = body(|_| 1.0);
    let [l, r] = body.joints(["hand_l", "hand_r"]).expect("joints of the body");
    let grip = DVec3::new(-0.1, 0.0, 0.0);
    let goals = [Goal::position(l, DVec3::new(0.1, 1.3, 0.4)), Goal::position(r, grip).relative_to(l)];
    let (pose, outcome, _) = solve(&Jacobian::default(), &body, &goals);
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
    assert!(pose.position(r).distance(pose.model(l).transform_point3(grip)) < 1e-9);
}

#[test]
fn a_goal_moves_no_joint_above_its_base() {
    let body = body(|_| 1.0);
    let [l, r, arm, chest] = body.joints(["hand_l", "hand_r", "arm_l", "chest"]).expect("joints of the body");
    let reach = Goal::position(l, DVec3::new(0.4, 1.5, 0.3)).base(arm);
    let (pose, outcome, _) = solve(&Jacobian::default(), &body, &[reach]);
    assert_eq!(outcome.status, Status::Reached);
    let rest = body.rest_pose();
    assert!(body.iter().all(|joint| body.is_below(joint, arm) || pose.local(joint) == rest.local(joint)));
    // Another goal leans the chest; the arm makes up for it.
    let lean = Goal::position(r, DVec3::new(-0.3, 1.0, 0.6));
    let (pose, outcome, _) = solve(&Jacobian::default(), &body, &[lean, reach]);
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
    assert!(pose.rotation(chest).dot(rest.rotation(chest)).abs() < 1.0 - 1e-3);
    // However far the arm would like to go, it does not pull the chest from the other's goal.
    let far = Goal::position(l, DVec3::new(4.0, 1.5, 0.3));
    let (_, _, work) = solve(&Jacobian::default(), &body, &[lean, far.base(arm)]);
    assert_eq!(statuses(&work), [Status::Reached, Status::OutOfReach]);
    let (_, _, work) = solve(&Jacobian::default(), &body, &[lean, far]);
    assert_ne!(work.residuals()[0].status, Status::Reached);
}

#[test]
fn masks_and_tolerances_leave_the_rest_alone() {
    let body = body(|_| 1.0);
    let hand = joint(&body, "hand_l");
    let height = Mask { position: BVec3::new(false, true, false), ..Mask::default() };
    let start = body.rest_pose().position(hand);
    let goal = Goal::position(hand, DVec3::new(9.0, start.y + 0.1, -9.0)).mask(height);
    let (pose, outcome, _) = solve(&Jacobian::default(), &body, &[goal]);
    assert_eq!(outcome.status, Status::Reached);
    assert!((pose.position(hand).y - start.y - 0.1).abs() < 1e-9 && pose.position(hand).distance(start) < 0.2);
    // Near enough is where the goal says: here at once.
    let near = Tolerance { position: 0.2, rotation: 0.0 };
    let (pose, outcome, _) = solve(&Jacobian::default(), &body, &[goal.tolerance(near)]);
    assert!(pose == body.rest_pose() && outcome.status == Status::Reached && outcome.iterations == 0);
}

#[test]
fn the_centre_of_mass_goes_where_it_is_wanted() {
    let body = body(|_| 1.0);
    let [hips, left, right] = body.joints(["hips", "foot_l", "foot_r"]).expect("joints of the body");
    let feet = [left, right].map(|foot| Goal::position(foot, body.rest_pose().position(foot)));
    let over = DVec3::new(0.05, 1.05, 0.02);
    let (pose, outcome, work) =
        solve(&Jacobian::default(), &body, &[feet[0], feet[1], Goal::center_of_mass(hips, over)]);
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
    let moment: DVec3 = body.iter().map(|joint| pose.model(joint).transform_point3(body.mass(joint).center)).sum();
    assert!((moment / body.len() as f64).distance(over) < 1e-8);
    assert!(work.residuals()[2].position_error() < 1e-8);
    // Nothing weighs: nothing to move.
    let bones = Skeleton::from_lengths(&[1.0]).expect("a bone");
    let (_, outcome, _) = solve(&Jacobian::default(), &bones, &[Goal::center_of_mass(joint(&bones, "joint_0"), over)]);
    assert_eq!(outcome.status, Status::Singular);
}

#[test]
fn weights_move_the_target_part_of_the_way() {
    let body = body(|_| 1.0);
    let [hand, head] = body.joints(["hand_l", "head"]).expect("joints of the body");
    let rest = body.rest_pose();
    let (from, to) = (rest.position(hand), DVec3::new(0.4, 1.5, 0.3));
    let (pose, outcome, _) = solve(&Jacobian::default(), &body, &[Goal::position(hand, to).weight(0.25)]);
    assert_eq!(outcome.status, Status::Softened);
    assert!(pose.position(hand).distance(from.lerp(to, 0.25)) < 1e-9);
    let turn = Rotation::about(DVec3::Y, 1.0).quaternion() * rest.rotation(head);
    let (pose, _, _) = solve(&Jacobian::default(), &body, &[Goal::rotation(head, turn).weight(0.5)]);
    let half = Rotation::about(DVec3::Y, 0.5).quaternion() * rest.rotation(head);
    assert!(pose.rotation(head).dot(half).abs() > 1.0 - 1e-15);
    let aim = Goal::axis(head, DVec3::Z, DVec3::new(1.0, 0.0, 1.0)).up(DVec3::X);
    let (pose, _, _) = solve(&Jacobian::default(), &body, &[aim.weight(1e-6)]);
    assert!(pose.rotation(head).dot(rest.rotation(head)).abs() > 1.0 - 1e-10);
    // At zero the goal is dropped, whatever the pose.
    let mut outside = rest.clone();
    outside.edit(&body).rotation(hand, Rotation::about(DVec3::X, 3.0));
    let before = outside.clone();
    let goal = Goal::position(hand, to).weight(0.0);
    let outcome = Jacobian::default().solve(&body, &[goal], &mut outside, &mut Workspace::default());
    assert!(outside == before && outcome.status == Status::Ignored);
}

#[test]
fn a_posture_takes_what_is_free_and_no_more() {
    let body = body(|_| 1.0);
    let hand = joint(&body, "hand_l");
    let goal = Goal::position(hand, DVec3::new(0.3, 1.2, 0.5));
    let apart = |pose: &Pose, to: &Pose| -> f64 {
        let chain = body.iter().filter(|&joint| body.is_below(hand, joint));
        chain.map(|joint| 1.0 - pose.local(joint).rotation.dot(to.local(joint).rotation).abs()).sum()
    };
    let rest = body.rest_pose();
    let mut away = rest.clone();
    for joint in body.iter() {
        away.edit(&body).rotation(joint, Rotation::about(DVec3::new(0.3, 1.0, -0.5), 0.4));
    }
    for (posture, wanted) in [(Posture::Rest, rest.clone()), (Posture::Pose(away.clone()), away.clone())] {
        let mut plain = away.clone();
        let _ = Jacobian::default().solve(&body, &[goal], &mut plain, &mut Workspace::default());
        let mut pose = away.clone();
        let solver = Jacobian { posture: Some(posture), exact_posture: true, ..Jacobian::default() };
        let outcome = solver.solve(&body, &[goal], &mut pose, &mut Workspace::default());
        assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
        assert!(outcome.position_error < 1e-9);
        assert!(
            apart(&pose, &wanted) < 0.7 * apart(&plain, &wanted) + 1e-3,
            "{} {}",
            apart(&pose, &wanted),
            apart(&plain, &wanted)
        );
        // And rests there.
        let first = pose.clone();
        let _ = solver.solve(&body, &[goal], &mut pose, &mut Workspace::default());
        assert!(apart(&pose, &first) < 1e-6, "{}", apart(&pose, &first));
    }
    // Without goals it is met outright, by the joints that may move.
    let mut pose = away.clone();
    let arm = joint(&body, "arm_l");
    let still = Goal::position(joint(&body, "hips"), rest.position(joint(&body, "hips")));
    let solver =
        Jacobian { posture: Some(Posture::Rest), joints: Some(vec![arm]), tasks: vec![], ..Jacobian::default() };
    let _ = solver.solve(&body, &[goal.pull(0.0), still], &mut pose, &mut Workspace::default());
    assert!(body.iter().filter(|&joint| joint != arm).all(|joint| pose.local(joint) == away.local(joint)));
}

#[test]
fn frame_by_frame_a_pose_leans_to_its_posture() {
    let body = body(|_| 1.0);
    let hand = joint(&body, "hand_l");
    let goal = Goal::position(hand, DVec3::new(0.3, 1.2, 0.5));
    let rest = body.rest_pose();
    let mut away = rest.clone();
    for joint in body.iter() {
        away.edit(&body).rotation(joint, Rotation::about(DVec3::new(0.3, 1.0, -0.5), 0.4));
    }
    let apart = |pose: &Pose| -> f64 {
        let chain = body.iter().filter(|&joint| body.is_below(hand, joint));
        chain.map(|joint| 1.0 - pose.local(joint).rotation.dot(rest.local(joint).rotation).abs()).sum()
    };
    let run = |solver: &Jacobian, frames: u32| {
        let (mut pose, mut work) = (away.clone(), Workspace::default());
        for frame in 0..frames {
            let outcome = solver.solve(&body, &[goal], &mut pose, &mut work);
            assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
            assert!(frame < 3 || solver.exact_posture || outcome.iterations <= 5, "{frame}: {outcome:?}");
        }
        pose
    };
    let leaning = Jacobian { posture: Some(Posture::Rest), ..Jacobian::default() };
    let plain = apart(&run(&Jacobian::default(), 1));
    let exact = apart(&run(&Jacobian { exact_posture: true, ..leaning.clone() }, 1));
    let leant = apart(&run(&leaning, 60));
    assert!(exact < 0.7 * plain && leant < 1.02 * exact + 1e-3, "{plain}, {exact}, {leant}");
    // A body without limits has no middle of them.
    let nothing = Jacobian { posture: Some(Posture::LimitCentre), ..Jacobian::default() };
    assert!(run(&nothing, 1) == run(&Jacobian::default(), 1));
}

#[test]
fn the_middle_of_limits_is_kept_to() {
    let mut builder = SkeletonBuilder::new();
    for i in 0..6 {
        let kind = Kind::hinge(if i % 2 == 0 { DVec3::X } else { DVec3::Z }).within(-1.0, 1.6);
        let spec = JointSpec::named(format!("j{i}")).kind(kind).translation(DVec3::Y * 0.2);
        builder.add(if i == 0 { spec } else { spec.child_of(i - 1) });
    }
    let chain = builder.build().expect("a chain");
    let tip = joint(&chain, "j5");
    let goal = Goal::position(tip, DVec3::new(0.2, 0.6, 0.3));
    let off = |pose: &Pose| -> f64 { pose.coordinates().iter().map(|q| (q - 0.3) * (q - 0.3)).sum() };
    let (plain, _, _) = solve(&Jacobian::default(), &chain, &[goal]);
    let solver = Jacobian { posture: Some(Posture::LimitCentre), exact_posture: true, ..Jacobian::default() };
    let (centred, outcome, _) = solve(&solver, &chain, &[goal]);
    assert!(outcome.status == Status::Reached && off(&centred) < off(&plain), "{} {}", off(&centred), off(&plain));
    // No small motion that keeps the tip brings it nearer: projected gradient by brute force.
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..200 {
        let mut other = centred.clone();
        for i in 0..5 {
            let q = other.coordinates()[i] + 0.02 * (rng.f64() - 0.5);
            other.edit(&chain).coordinate(i, q);
        }
        let _ = Jacobian::default().solve(&chain, &[goal], &mut other, &mut Workspace::default());
        assert!(off(&other) > off(&centred) - 1e-4, "{} {}", off(&other), off(&centred));
    }
}

/// The hands on one level: a task of a user's own.
#[derive(Debug)]
struct Level {
    hands: [Joint; 2],
}

impl Task for Level {
    fn rows(&self) -> usize {
        1
    }

    fn error(&self, _: &Skeleton, pose: &Pose, error: &mut [f64]) {
        error[0] = pose.position(self.hands[1]).y - pose.position(self.hands[0]).y;
    }

    fn derivative(&self, _: &Skeleton, pose: &Pose, columns: &mut Columns<'_>) {
        columns.each(|motion, column| {
            for (hand, sign) in self.hands.into_iter().zip([1.0, -1.0]) {
                if motion.moves(hand) {
                    column[0] += sign * motion.velocity(pose.position(hand)).y;
                }
            }
        });
    }
}

#[test]
fn tasks_of_ones_own_are_solved_with_the_goals() {
    let body = body(|_| 1.0);
    let [l, r] = body.joints(["hand_l", "hand_r"]).expect("joints of the body");
    let solver = Jacobian { tasks: vec![Arc::new(Level { hands: [l, r] })], ..Jacobian::default() };
    let (pose, outcome, _) = solve(&solver, &body, &[Goal::position(l, DVec3::new(0.5, 1.6, 0.2))]);
    assert_eq!(outcome.status, Status::Reached);
    assert!((pose.position(l).y - pose.position(r).y).abs() < 1e-8 && pose.position(l).y > 1.59);
    // Where it cannot be met, the outcome says so.
    let apart = [Goal::position(l, DVec3::new(0.5, 1.6, 0.2)), Goal::position(r, DVec3::new(-0.5, 1.1, 0.2))];
    let (_, outcome, work) = solve(&Jacobian { tasks: solver.tasks.clone(), ..Jacobian::default() }, &body, &apart);
    assert!(outcome.status >= Status::Stalled, "{outcome:?} {:?}", statuses(&work));
    // Alone, too.
    let mut pose = pose;
    pose.edit(&body).rotation(joint(&body, "arm_l"), Rotation::about(DVec3::Z, 1.0));
    let outcome = solver.solve(&body, &[], &mut pose, &mut Workspace::default());
    assert!(outcome.iterations > 0 && (pose.position(l).y - pose.position(r).y).abs() < 1e-8);
}

#[test]
fn tasks_of_ones_own_are_told_of() {
    let body = body(|_| 1.0);
    let [l, r] = body.joints(["hand_l", "hand_r"]).expect("joints of the body");
    let solver = Jacobian { tasks: vec![Arc::new(Level { hands: [l, r] })], ..Jacobian::default() };
    let high = Goal::position(l, DVec3::new(0.5, 1.6, 0.2));
    let (_, _, work) = solve(&solver, &body, &[high]);
    assert_eq!((work.tasks().len(), work.tasks()[0].status, work.tasks()[0].tolerance), (1, Status::Reached, 1e-9));
    // A second goal stands against it: what is left is said in the task's own unit.
    let apart = [high, Goal::position(r, DVec3::new(-0.5, 1.1, 0.2))];
    let (pose, _, work) = solve(&solver, &body, &apart);
    let left = (pose.position(l).y - pose.position(r).y).abs();
    assert!(left > 0.01 && (work.tasks()[0].error - left).abs() < 1e-9, "{left} {:?}", work.tasks());
    assert!(work.tasks()[0].status >= Status::Stalled, "{:?}", work.tasks());
    // Another solver has none.
    let mut work = work;
    let _ = Jacobian::default().solve(&body, &[high], &mut body.rest_pose(), &mut work);
    assert!(work.tasks().is_empty());
}

#[test]
fn slides_free_joints_and_followers_move() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("cart").kind(Kind::slide(DVec3::X).within(-1.0, 1.0)));
    builder.add(JointSpec::named("lift").child_of(0).kind(Kind::slide(DVec3::Y)));
    builder.add(JointSpec::named("knuckle").child_of(1).translation(DVec3::Z).kind(Kind::hinge(DVec3::X)));
    let follower = JointSpec::named("follower").child_of(2).translation(DVec3::Z).kind(Kind::hinge(DVec3::X));
    builder.add(follower.mimic("knuckle", 0.7, 0.1));
    builder.add(JointSpec::named("tip").child_of(3).translation(DVec3::Z).kind(Kind::Fixed));
    let gantry = builder.build().expect("a gantry");
    let tip = joint(&gantry, "tip");
    let mut there = gantry.rest_pose();
    there.edit(&gantry).coordinate(0, 0.6).coordinate(1, 0.4).coordinate(2, 0.5);
    let goal = Goal::frame(tip, there.position(tip), there.rotation(tip));
    let (pose, outcome, _) = solve(&Jacobian::default(), &gantry, &[goal]);
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
    assert!(pose.coordinates().iter().zip(there.coordinates()).all(|(a, b)| (a - b).abs() < 1e-8));
    // The cart ends at its range; the lift and the hinges do what is left.
    let (pose, outcome, work) = solve(&Jacobian::default(), &gantry, &[Goal::position(tip, DVec3::new(3.0, 0.0, 2.0))]);
    assert!((pose.coordinates()[0] - 1.0).abs() < 1e-12 && outcome.status == Status::Limited);
    assert!((outcome.position_error - 2.0).abs() < 1e-6, "{outcome:?}");
    assert_eq!(work.blocking(0).collect::<Vec<_>>(), [joint(&gantry, "cart")]);

    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("drone").kind(Kind::Free));
    builder.add(JointSpec::named("hook").child_of(0).translation(DVec3::NEG_Y * 0.1));
    let drone = builder.build().expect("a drone");
    let hook = joint(&drone, "hook");
    let goal =
        Goal::frame(hook, DVec3::new(50.0, 20.0, -3.0), Rotation::about(DVec3::Z, 2.0)).base(joint(&drone, "drone"));
    let (pose, outcome, _) =
        solve(&Jacobian { joints: Some(vec![joint(&drone, "drone")]), ..Jacobian::default() }, &drone, &[goal]);
    assert!(outcome.status == Status::Reached && pose.position(hook).distance(DVec3::new(50.0, 20.0, -3.0)) < 1e-6);
}

#[test]
fn every_end_has_its_word() {
    let body = body(|_| 1.0);
    let [hand, arm] = body.joints(["hand_l", "arm_l"]).expect("joints of the body");
    let goal = |place: DVec3| Goal::position(hand, place).base(arm);
    let near = body.rest_pose().position(arm);
    let status = |solver: &Jacobian, goal: Goal| solve(solver, &body, &[goal]).1.status;
    let plain = Jacobian::default();
    assert_eq!(status(&plain, goal(near + DVec3::X * 9.0)), Status::OutOfReach);
    assert_eq!(status(&plain, goal(near + DVec3::X * 0.01)), Status::TooClose);
    assert_eq!(status(&plain, Goal::scale(hand, DVec3::ONE)), Status::Ignored);
    assert_eq!(status(&plain, Goal::aim(hand, DVec3::ZERO, near)), Status::Singular);
    assert_eq!(status(&plain, Goal::position(hand, DVec3::NAN)), Status::Invalid);
    let hasty = Jacobian { iterations: 1, ..Jacobian::default() };
    assert_eq!(status(&hasty, goal(near + DVec3::new(0.1, 0.2, 0.3))), Status::OutOfIterations);
    let other = Skeleton::from_lengths(&[1.0]).expect("a bone");
    let foreign = Jacobian { posture: Some(Posture::Pose(other.rest_pose())), ..Jacobian::default() };
    assert_eq!(status(&foreign, goal(near)), Status::Invalid);
    assert!(plain.serves(&body, &goal(near)) && !plain.serves(&body, &Goal::scale(hand, DVec3::ONE)));
}

#[test]
fn no_more_steps_are_made_than_allowed() {
    // The chain is set out as a whole, as far as its limits let it, and a posture has a step of its own.
    let cone = SwingTwist::new(DVec3::Y, 0.2, Range::new(-0.5, 0.5)).expect("a cone");
    let bone = |i| JointSpec::named(format!("bone_{i}")).kind(Kind::Ball(BallLimit::SwingTwist(cone)));
    let mut builder = SkeletonBuilder::new();
    builder.add(bone(0));
    (1..6).for_each(|i| _ = builder.add(bone(i).child_of(i - 1).translation(DVec3::Y)));
    let chain = builder.build().expect("a chain");
    let tip = chain.iter().last().expect("a tip");
    let mut bent = chain.rest_pose();
    chain.iter().for_each(|joint| _ = bent.edit(&chain).rotation(joint, Rotation::about(DVec3::X, 0.1)));
    let goal = Goal::position(tip, DVec3::new(1.0, 4.2, 0.5));
    for posture in [None, Some(Posture::Pose(bent))] {
        for iterations in [0, 1, 2, 5] {
            let solver = Jacobian { iterations, posture: posture.clone(), ..Jacobian::default() };
            let (pose, outcome, _) = solve(&solver, &chain, &[goal]);
            assert!(outcome.iterations <= iterations, "{outcome:?} of {iterations}");
            assert_eq!(pose == chain.rest_pose(), iterations == 0, "{iterations} steps");
        }
    }
}

#[test]
fn from_rest_the_answer_forgets_the_pose() {
    let body = body(|_| 1.0);
    let hand = joint(&body, "hand_l");
    let solver = Jacobian { start: Start::Rest, ..Jacobian::default() };
    let goal = Goal::position(hand, DVec3::new(0.3, 1.2, 0.5));
    let (wanted, _, _) = solve(&solver, &body, &[goal]);
    let mut pose = body.rest_pose();
    for joint in body.iter().filter(|&joint| body.is_below(hand, joint)) {
        pose.edit(&body).rotation(joint, Rotation::about(DVec3::ONE, 0.8));
    }
    let _ = solver.solve(&body, &[goal], &mut pose, &mut Workspace::default());
    assert!(
        body.iter().filter(|&joint| body.is_below(hand, joint)).all(|joint| pose.local(joint) == wanted.local(joint))
    );
}

#[test]
fn limits_of_a_range_count_in_turns() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("wheel").kind(Kind::Hinge { axis: DVec3::Z, range: Range::new(7.0, 8.0) }));
    builder.add(JointSpec::named("rim").child_of(0).translation(DVec3::X));
    let wheel = builder.build().expect("a wheel");
    let (sine, cosine) = sinew::math::ops::sin_cos(7.5);
    let (pose, outcome, _) =
        solve(&Jacobian::default(), &wheel, &[Goal::position(joint(&wheel, "rim"), DVec3::new(cosine, sine, 0.0))]);
    assert!(outcome.status == Status::Reached && (pose.coordinates()[0] - 7.5).abs() < 1e-8);
}

/// A head that keeps its place above a straight spine stands at the end of its reach: there it moves by the square of a bend alone.
#[test]
fn a_head_kept_above_a_straight_spine_costs_few_steps() {
    let mut builder = SkeletonBuilder::new();
    let hips = builder.add(JointSpec::named("hips"));
    let mut above = hips;
    for name in ["waist", "chest", "neck"] {
        above = builder.add(JointSpec::named(name).child_of(above).translation([0.0, 0.15, 0.0]));
    }
    builder.add(JointSpec::named("head").child_of(above).translation([0.0, 0.2, 0.0]));
    for (side, x) in [("left", 1.0), ("right", -1.0)] {
        let arm = builder.add(JointSpec::named(format!("{side} arm")).child_of(2).translation([0.15 * x, 0.1, 0.0]));
        let elbow =
            builder.add(JointSpec::named(format!("{side} elbow")).child_of(arm).translation([0.3 * x, 0.0, 0.0]));
        builder.add(JointSpec::named(format!("{side} hand")).child_of(elbow).translation([0.25 * x, 0.0, 0.02]));
    }
    let skeleton = builder.build().unwrap();
    let rest = skeleton.rest_pose();
    let [head, left, right] = ["head", "left hand", "right hand"].map(|name| joint(&skeleton, name));
    let random = &mut fastrand::Rng::with_seed(3);
    let mut work = Workspace::default();
    let mut steps = Vec::new();
    for _ in 0..40 {
        let aside = DVec3::new(random.f64() - 0.6, random.f64() - 0.5, random.f64() - 0.5) * 0.3;
        let goals = [
            Goal::position(head, rest.position(head)),
            Goal::position(left, rest.position(left) - DVec3::X * 0.15 + aside),
            Goal::position(right, rest.position(right)),
        ];
        let mut pose = rest.clone();
        let outcome = Jacobian { restarts: 0, ..Jacobian::default() }.solve(&skeleton, &goals, &mut pose, &mut work);
        assert!(outcome.status == Status::Reached && outcome.position_error < 2e-6, "{outcome:?}");
        steps.push(outcome.iterations);
    }
    steps.sort_unstable();
    assert!(steps[20] < 30, "{steps:?}");
}
