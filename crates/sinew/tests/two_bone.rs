//! The two-bone solver on poses: what an animator sets and expects.

use sinew::glam::{BVec3, DQuat, DVec3};
use sinew::math::ops;
use sinew::solve::two_bone::{End, Reach, TwistBones, TwoBone};
use sinew::{
    Bend, Goal, JointSpec, Kind, Mask, Pole, Pose, Rotation, Sequence, Skeleton, SkeletonBuilder, Solver, Status,
    Tolerance, Transform, Workspace,
};

/// Chest, arm, `arm_twist`, elbow, `elbow_twist`, hand, finger; bones along X, bent at the elbow.
fn arm() -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("chest").translation(DVec3::Y));
    builder
        .add(JointSpec::named("arm").child_of(0).translation(DVec3::X * 0.2).rotation(Rotation::about(DVec3::Z, -0.4)));
    builder.add(JointSpec::named("arm_twist").child_of(1).translation(DVec3::X * 0.15));
    builder.add(
        JointSpec::named("elbow").child_of(2).translation(DVec3::X * 0.15).rotation(Rotation::about(DVec3::Y, -0.3)),
    );
    builder.add(JointSpec::named("elbow_twist").child_of(3).translation(DVec3::X * 0.1));
    builder.add(
        JointSpec::named("hand").child_of(4).translation(DVec3::X * 0.15).rotation(Rotation::about(DVec3::X, 0.2)),
    );
    builder.add(JointSpec::named("finger").child_of(5).translation(DVec3::X * 0.1));
    builder.build().expect("an arm")
}

fn solve(skeleton: &Skeleton, solver: &dyn Solver, goals: &[Goal]) -> (Pose, Workspace, Status) {
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let outcome = solver.solve(skeleton, goals, &mut pose, &mut work);
    (pose, work, outcome.status)
}

fn angle(a: DQuat, b: DQuat) -> f64 {
    sinew::math::arc::rotation_vector(a.conjugate() * b).length()
}

const NEAR: DVec3 = DVec3::new(0.45, 1.1, 0.2);
const FAR: DVec3 = DVec3::new(2.2, 1.0, 0.0);

#[test]
fn the_limb_ends_at_the_nearest_two_bends_and_passes_twist_bones_over() {
    let s = arm();
    let [root, mid, hand] = s.joints(["arm", "elbow", "hand"]).unwrap();
    let limb = TwoBone::ending_at(&s, hand).unwrap();
    assert_eq!((limb.root, limb.mid), (root, mid));
    let between = TwoBone::between(&s, root, hand).unwrap();
    assert_eq!(between.mid, mid);
    assert!(TwoBone::ending_at(&s, root).is_err());
    assert!(TwoBone::new(&s, mid, root, hand).is_err());
}

#[test]
fn poles_as_point_direction_and_of_a_joint_agree() {
    let s = arm();
    let [root, mid, chest, hand] = s.joints(["arm", "elbow", "chest", "hand"]).unwrap();
    let solver = TwoBone::ending_at(&s, hand).unwrap();
    let goal = Goal::position(hand, NEAR);
    let from = s.rest_pose().position(root);
    let (by_point, ..) = solve(&s, &solver, &[goal.pole(from + DVec3::NEG_Z * 4.0)]);
    let (by_direction, ..) = solve(&s, &solver, &[goal.pole(Pole::Direction(DVec3::NEG_Z))]);
    let relative = Goal::position(hand, NEAR - DVec3::Y).relative_to(chest).pole(from - DVec3::Y + DVec3::NEG_Z);
    let (by_joint, ..) = solve(&s, &solver, &[relative]);
    let (by_pole_of, ..) = solve(&s, &solver, &[goal.pole_of(chest, Pole::Direction(DVec3::NEG_Z))]);
    for pose in [&by_point, &by_direction, &by_joint, &by_pole_of] {
        assert!(pose.position(hand).distance(NEAR) < 1e-12);
        assert!(pose.position(mid).distance(by_point.position(mid)) < 1e-12);
        assert!((pose.position(mid) - from).reject_from(NEAR - from).z < -0.05);
    }
    // A quarter turn of the pole.
    let turned = TwoBone { pole_angle: std::f64::consts::FRAC_PI_2, ..solver };
    let (quarter, ..) = solve(&s, &turned, &[goal.pole(Pole::Direction(DVec3::NEG_Z))]);
    let across = |pose: &Pose| (pose.position(mid) - from).reject_from(NEAR - from).normalize();
    assert!(across(&quarter).dot(across(&by_direction)).abs() < 1e-9);
}

#[test]
fn reach_clamp_stretch_and_hold_say_what_happened() {
    let s = arm();
    let [root, hand] = s.joints(["arm", "hand"]).unwrap();
    let solver = TwoBone::ending_at(&s, hand).unwrap();
    let from = s.rest_pose().position(root);
    let short = FAR.distance(from) - 0.55;
    let (pose, work, status) = solve(&s, &solver, &[Goal::position(hand, FAR)]);
    assert_eq!(status, Status::OutOfReach);
    assert!((work.residuals()[0].position_error() - short).abs() < 1e-9);
    assert!((pose.position(hand).distance(from) - 0.55).abs() < 1e-12);
    let hold = TwoBone { reach: Reach::Hold, ..solver };
    let (pose, _, status) = solve(&s, &hold, &[Goal::position(hand, FAR)]);
    assert_eq!((status, &pose), (Status::Held, &s.rest_pose()));
    let stretch = TwoBone { reach: Reach::Stretch { limit: 4.0 }, ..solver };
    let (mut pose, mut work, status) = solve(&s, &stretch, &[Goal::position(hand, FAR)]);
    assert_eq!(status, Status::Reached);
    assert!(pose.position(hand).distance(FAR) < 1e-12);
    // Warm starts do not grow bones, and the limb shrinks back.
    for _ in 0..100 {
        let _ = stretch.solve(&s, &[Goal::position(hand, FAR)], &mut pose, &mut work);
    }
    assert!(pose.position(hand).distance(FAR) < 1e-12);
    let _ = stretch.solve(&s, &[Goal::position(hand, NEAR)], &mut pose, &mut work);
    assert_eq!(pose.local(hand).translation, s.rest(hand).translation);
    let little = TwoBone { reach: Reach::Stretch { limit: 1.1 }, ..solver };
    let (pose, _, status) = solve(&s, &little, &[Goal::position(hand, FAR)]);
    assert_eq!(status, Status::OutOfReach);
    assert!((pose.position(hand).distance(from) - 0.605).abs() < 1e-12);
    let near_tolerance = Goal::position(hand, FAR).tolerance(Tolerance { position: short + 1e-3, rotation: 1.0 });
    assert_eq!(solve(&s, &solver, &[near_tolerance]).2, Status::Reached);
}

#[test]
fn the_end_rides_keeps_matches_or_blends() {
    let s = arm();
    let [mid, hand] = s.joints(["elbow", "hand"]).unwrap();
    let solver = TwoBone::ending_at(&s, hand).unwrap();
    let rest = s.rest_pose();
    let position = Goal::position(hand, NEAR);
    let (rides, ..) = solve(&s, &solver, &[position]);
    assert_eq!(rides.local(hand).rotation, rest.local(hand).rotation);
    let keep = TwoBone { end: End::Model, ..solver };
    let (kept, ..) = solve(&s, &keep, &[position]);
    assert!(angle(kept.rotation(hand), rest.rotation(hand)) < 1e-9);
    let wanted = Rotation::about(DVec3::new(1.0, 2.0, 0.5), 1.0).quaternion();
    let (matched, _, status) = solve(&s, &solver, &[Goal::frame(hand, NEAR, wanted)]);
    assert_eq!(status, Status::Reached);
    assert!(angle(matched.rotation(hand), wanted) < 1e-9 && matched.position(hand).distance(NEAR) < 1e-12);
    let half = TwoBone { end: End::Model, match_rotation: 0.5, ..solver };
    let (blended, ..) = solve(&s, &half, &[Goal::frame(hand, NEAR, wanted)]);
    let (to_goal, from_rest) =
        (angle(blended.rotation(hand), wanted), angle(blended.rotation(hand), rest.rotation(hand)));
    assert!((to_goal - from_rest).abs() < 1e-9);
    // Two goals, position and rotation, are one frame.
    let (both, ..) = solve(&s, &solver, &[position, Goal::rotation(hand, wanted)]);
    assert!(both.position(mid).distance(matched.position(mid)) < 1e-12);
    // A rotation alone turns nothing else.
    let (turned, ..) = solve(&s, &solver, &[Goal::rotation(hand, wanted)]);
    assert!(angle(turned.rotation(hand), wanted) < 1e-9 && turned.local(mid) == rest.local(mid));
}

#[test]
fn an_offset_point_of_the_tip_arrives_whatever_the_end_does() {
    let s = arm();
    let hand = s.joint("hand").unwrap();
    let solver = TwoBone::ending_at(&s, hand).unwrap();
    let offset = DVec3::new(0.05, 0.02, -0.03);
    let wanted = Rotation::about(DVec3::Y, 0.8);
    for (solver, goal) in [
        (solver, Goal::position(hand, NEAR)),
        (TwoBone { end: End::Model, ..solver }, Goal::position(hand, NEAR)),
        (solver, Goal::frame(hand, NEAR, wanted)),
    ] {
        let (pose, _, status) = solve(&s, &solver, &[goal.offset(offset)]);
        assert_eq!(status, Status::Reached);
        assert!(pose.model(hand).transform_point3(offset).distance(NEAR) < 1e-12, "{goal:?}");
    }
}

#[test]
fn twist_is_shared_along_the_bones() {
    let s = arm();
    let [root, upper, mid, lower, hand] = s.joints(["arm", "arm_twist", "elbow", "elbow_twist", "hand"]).unwrap();
    let rigid = TwoBone::ending_at(&s, hand).unwrap();
    let shared = TwoBone { twist_bones: TwistBones::Shared, ..rigid };
    let wanted = s.rest_pose().rotation(hand) * DQuat::from_rotation_x(1.2);
    let goal = Goal::frame(hand, NEAR, wanted).pole(Pole::Direction(DVec3::NEG_Y));
    let (a, ..) = solve(&s, &rigid, &[goal]);
    let (mut b, mut work, status) = solve(&s, &shared, &[goal]);
    assert_eq!(status, Status::Reached);
    // Same places, same hand; only the turns between are spread.
    for joint in [mid, hand] {
        assert!(a.position(joint).distance(b.position(joint)) < 1e-12);
    }
    assert!(angle(a.rotation(hand), b.rotation(hand)) < 1e-9);
    let twist = |pose: &Pose, joint| {
        let turn = s.rest(joint).rotation.conjugate() * pose.local(joint).rotation;
        2.0 * ops::atan2(turn.x, turn.w)
    };
    let total = twist(&a, root);
    assert!(total.abs() > 0.2);
    assert!((twist(&b, upper) - total / 2.0).abs() < 1e-9 && (twist(&b, root) - total / 2.0).abs() < 1e-9);
    assert!(twist(&b, lower).abs() > 0.05 && (twist(&b, lower) - twist(&b, hand)).abs() < 0.2);
    let once = b.clone();
    for _ in 0..100 {
        let _ = shared.solve(&s, &[goal], &mut b, &mut work);
    }
    assert!(s.iter().all(|j| angle(once.local(j).rotation, b.local(j).rotation) < 1e-9));
}

#[test]
fn a_hinge_keeps_axis_and_range_and_names_itself() {
    let knee = Kind::hinge(DVec3::X).within(0.0, 1.5);
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("hip").translation(DVec3::Y));
    builder.add(JointSpec::named("knee").child_of(0).translation(DVec3::NEG_Y * 0.4).kind(knee));
    builder.add(JointSpec::named("foot").child_of(1).translation(DVec3::NEG_Y * 0.4));
    let s = builder.build().unwrap();
    let [hip, knee, foot] = s.joints(["hip", "knee", "foot"]).unwrap();
    let solver = TwoBone::new(&s, hip, knee, foot).unwrap();
    let (pose, _, status) = solve(&s, &solver, &[Goal::position(foot, DVec3::new(0.1, 0.4, 0.2))]);
    assert_eq!(status, Status::Reached);
    let bend = pose.local(knee).rotation;
    assert!(bend.y.abs() < 1e-12 && bend.z.abs() < 1e-12);
    assert!((0.0..=1.5).contains(&pose.coordinates()[0]));
    // Too near for the knee: it blocks, and the miss is the least there is.
    let target = DVec3::new(0.0, 0.9, 0.0);
    let (pose, work, status) = solve(&s, &solver, &[Goal::position(foot, target)]);
    assert_eq!(status, Status::Limited);
    assert_eq!(work.blocking(0).collect::<Vec<_>>(), [knee]);
    assert!((pose.coordinates()[0] - 1.5).abs() < 1e-9);
    let shortest = 0.8 * ops::sin_cos(0.75).1;
    assert!((pose.position(foot).distance(target) - (shortest - 0.1)).abs() < 1e-9);
}

#[test]
fn scale_that_is_not_uniform_inside_the_limb_still_arrives() {
    let mut builder = SkeletonBuilder::new();
    let scaled = |t: DVec3, scale: DVec3| Transform { translation: t, scale, ..Transform::IDENTITY };
    builder.add(JointSpec::named("a").rest(scaled(DVec3::ZERO, DVec3::new(1.3, 0.7, -1.1))));
    builder.add(JointSpec::named("b").child_of(0).rest(scaled(DVec3::Y, DVec3::new(0.8, 1.2, 1.0))).bend(DVec3::X));
    builder.add(JointSpec::named("c").child_of(1).rest(scaled(DVec3::new(0.1, 1.0, 0.2), DVec3::ONE)));
    let s = builder.build().unwrap();
    let [a, b, c] = s.joints(["a", "b", "c"]).unwrap();
    let solver = TwoBone::new(&s, a, b, c).unwrap();
    for target in [DVec3::new(0.4, 0.5, 0.6), DVec3::new(-0.9, 0.2, 0.1), DVec3::new(0.0, -0.6, 0.5)] {
        let (pose, _, status) = solve(&s, &solver, &[Goal::position(c, target)]);
        assert_eq!(status, Status::Reached);
        assert!(pose.position(c).distance(target) < 1e-9);
    }
}

#[test]
fn several_targets_weights_masks_and_strangers() {
    let s = arm();
    let [chest, hand, finger] = s.joints(["chest", "hand", "finger"]).unwrap();
    let solver = TwoBone::ending_at(&s, hand).unwrap();
    let other = NEAR + DVec3::Y * 0.04;
    let (pose, _, status) = solve(&s, &solver, &[Goal::position(hand, NEAR).pull(3.0), Goal::position(hand, other)]);
    assert!(pose.position(hand).distance(NEAR + DVec3::Y * 0.01) < 1e-12 && status == Status::Stalled);
    let (half, _, status) = solve(&s, &solver, &[Goal::position(hand, NEAR).weight(0.5)]);
    assert_eq!(status, Status::Softened);
    let rest = s.rest_pose().position(hand);
    assert!(half.position(hand).distance(NEAR) < rest.distance(NEAR));
    // Only the height counts.
    let height = Mask { position: BVec3::new(false, true, false), ..Mask::default() };
    let (pose, _, status) = solve(&s, &solver, &[Goal::position(hand, DVec3::new(9.0, 1.0, 9.0)).mask(height)]);
    assert!((pose.position(hand).y - 1.0).abs() < 1e-12 && status == Status::Reached);
    // Goals that are not its own are ignored, and say so.
    let strangers =
        [Goal::position(finger, NEAR), Goal::aim(hand, DVec3::X, NEAR), Goal::position(hand, NEAR).base(hand)];
    let (pose, work, status) = solve(&s, &solver, &strangers);
    assert_eq!((status, &pose), (Status::Ignored, &s.rest_pose()));
    assert!(work.residuals().iter().all(|r| r.status == Status::Ignored));
    assert!(solver.serves(&s, &Goal::position(hand, NEAR).base(chest)));
}

#[test]
fn in_a_sequence_weights_refer_to_the_pose_that_entered() {
    let s = arm();
    let hand = s.joint("hand").unwrap();
    // At rest: the bend given to the second solver is the one that the first leaves.
    let solver = TwoBone { bend: Bend::Rest, ..TwoBone::ending_at(&s, hand).unwrap() };
    let goal = Goal::position(hand, NEAR).weight(0.5);
    let (once, ..) = solve(&s, &solver, &[goal]);
    let (twice, _, status) = solve(&s, &Sequence::new().then(solver).then(solver), &[goal]);
    assert_eq!(status, Status::Softened);
    assert!(twice.position(hand).distance(once.position(hand)) < 1e-12);
}

#[test]
fn in_a_sequence_a_goal_with_a_base_owns_its_joints_and_one_moved_away_has_stalled() {
    let s = arm();
    let [root, elbow_twist, hand, finger] = s.joints(["arm", "elbow_twist", "hand", "finger"]).unwrap();
    let reach = TwoBone::ending_at(&s, hand).unwrap();
    let point = TwoBone::between(&s, elbow_twist, finger).unwrap();
    let far_side = Goal::position(finger, NEAR + DVec3::new(-0.2, 0.1, 0.1));
    // With a base the first goal keeps its joints, of which the second would move some.
    let owned = [Goal::position(hand, NEAR).base(root), far_side];
    let (pose, work, status) = solve(&s, &Sequence::new().then(reach).then(point), &owned);
    assert!(pose.position(hand).distance(NEAR) < 1e-12);
    assert_eq!(
        (status, work.residuals()[0].status, work.residuals()[1].status),
        (Status::Stalled, Status::Reached, Status::Stalled)
    );
    // Without one the second solver moves the hand away, and the report says so.
    let shared = [Goal::position(hand, NEAR), far_side];
    let (pose, work, _) = solve(&s, &Sequence::new().then(reach).then(point), &shared);
    assert!(pose.position(hand).distance(NEAR) > 1e-3);
    assert_eq!(work.residuals()[0].status, Status::Stalled);
    assert!((work.residuals()[0].position_error() - pose.position(hand).distance(NEAR)).abs() < 1e-12);
    // The ownership ends with the sequence.
    let mut work = work;
    let mut pose = s.rest_pose();
    assert_eq!(point.solve(&s, &[far_side], &mut pose, &mut work).iterations, 1);
}

#[test]
fn a_pose_that_is_no_number_is_refused_and_left_alone() {
    let s = arm();
    let [chest, hand] = s.joints(["chest", "hand"]).unwrap();
    let solver = TwoBone::ending_at(&s, hand).unwrap();
    let (mut pose, mut work) = (s.rest_pose(), Workspace::default());
    pose.edit(&s).rotation(chest, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    let before = pose.local(hand).rotation;
    assert_eq!(solver.solve(&s, &[Goal::position(hand, NEAR)], &mut pose, &mut work).status, Status::Invalid);
    assert_eq!(pose.local(hand).rotation, before);
    // Very far, but a number: as far as the arm goes, and an error that is one, too.
    pose.reset(&s);
    let outcome = solver.solve(&s, &[Goal::position(hand, DVec3::X * 1e300)], &mut pose, &mut work);
    assert_eq!(outcome.status, Status::OutOfReach);
    assert!((outcome.position_error / 1e300 - 1.0).abs() < 1e-9);
}

#[test]
fn masked_rotations_do_not_count() {
    let s = arm();
    let hand = s.joint("hand").unwrap();
    let turn = Goal::rotation(hand, s.rest_pose().rotation(hand) * DQuat::from_rotation_x(0.3));
    let none = Mask { rotation: BVec3::FALSE, ..Mask::default() };
    let rest = s.rest_pose();
    assert!(sinew::Residual::measured(&turn, &rest, Status::Reached).rotation_error() > 0.29);
    assert_eq!(sinew::Residual::measured(&turn.mask(none), &rest, Status::Reached).rotation_error(), 0.0);
}
