//! Aiming on poses: the ray of forward kinematics meets the mark, by shares, hinges, limits, weights,
//! below mirrors and scale.

use proptest::prelude::*;
use sinew::Start;
use sinew::glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew::laws::rigs;
use sinew::limit::{Range, SwingTwist};
use sinew::solve::aim::{Aim, Share};
use sinew::{
    BallLimit, ChainError, Goal, Joint, JointSpec, Kind, Pose, Rotation, Sequence, Skeleton, SkeletonBuilder, Solver,
    Status, Workspace,
};

fn vector() -> impl Strategy<Value = DVec3> {
    (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(DVec3::from).prop_filter("short", |v| v.length() > 0.1)
}

fn rotation() -> impl Strategy<Value = DQuat> {
    (vector(), -3.1..3.1_f64).prop_map(|(axis, angle)| Rotation::about(axis, angle).quaternion())
}

/// Angle by arithmetic of its own.
fn angle(a: DVec3, b: DVec3) -> f64 {
    libm::atan2(a.cross(b).length(), a.dot(b))
}

fn sine(a: DVec3, b: DVec3) -> f64 {
    a.normalize().cross(b.normalize()).length()
}

fn turned(a: DQuat, b: DQuat) -> f64 {
    let q = a * b.conjugate();
    2.0 * libm::atan2(DVec3::new(q.x, q.y, q.z).length(), q.w.abs())
}

/// How far from the joint's ray the point lies, and how far along it.
fn miss(pose: &Pose, joint: Joint, axis: DVec3, offset: DVec3, point: DVec3) -> (f64, f64) {
    let model = pose.model(joint);
    let along = model.transform_vector3(axis).normalize();
    let to = point - model.transform_point3(offset);
    (to.cross(along).length(), to.dot(along))
}

/// A chain of `kinds`, each at a place and with a rest rotation of its own, below an affine base.
fn chain(base: DAffine3, kinds: &[Kind], places: &[DVec3], rests: &[DQuat]) -> (Skeleton, Vec<Joint>) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec { base, ..JointSpec::named("root").kind(Kind::Fixed) });
    for (i, &kind) in kinds.iter().enumerate() {
        let spec = JointSpec::named(format!("j{i}")).child_of(i).kind(kind);
        builder.add(spec.translation(places[i]).rotation(rests[i]));
    }
    let skeleton = builder.build().expect("a chain");
    let joints = (0..kinds.len()).map(|i| skeleton.joint(&format!("j{i}")).expect("named so")).collect();
    (skeleton, joints)
}

fn cone(swing: f64, twist: f64) -> Kind {
    Kind::Ball(BallLimit::SwingTwist(
        SwingTwist::new(DVec3::Y, swing, Range::new(-twist, twist)).expect("a cone in range"),
    ))
}

/// Rigid, scaled, mirrored or scaled unevenly.
fn base() -> impl Strategy<Value = DAffine3> {
    let scale = prop::sample::select(vec![
        DVec3::ONE,
        DVec3::splat(0.01),
        DVec3::new(-2.0, 2.0, 2.0),
        DVec3::new(1.0, 3.0, 0.4),
    ]);
    (scale, rotation(), vector()).prop_map(|(s, q, t)| DAffine3::from_scale_rotation_translation(s, q, t))
}

#[allow(clippy::large_types_passed_by_value, reason = "goals are built in place")]
fn solve(solver: &Aim, skeleton: &Skeleton, goal: Goal, pose: &mut Pose) -> sinew::Outcome {
    solver.solve(skeleton, &[goal], pose, &mut Workspace::default())
}

fn posed(skeleton: &Skeleton, joints: &[Joint], turns: &[DQuat]) -> Pose {
    let mut pose = skeleton.rest_pose();
    for (&joint, &turn) in joints.iter().zip(turns) {
        let local = sinew::Transform { rotation: turn, ..*pose.local(joint) };
        pose.edit(skeleton).local(joint, skeleton.nearest_allowed(joint, &local, 0.0));
    }
    pose
}

const FREE: [Kind; 3] = [Kind::BALL; 3];
type Three<T> = [T; 3];

fn three<S: Strategy>(s: impl Fn() -> S) -> impl Strategy<Value = Three<S::Value>> {
    [s(), s(), s()]
}

/// Where limits forbid an aim, what is left is no more than in the best of random poses, but for the few that
/// the search leaves in a valley beside it.
#[test]
fn limited_aims_end_near_the_best_of_random_poses() {
    let (mut limited, mut behind) = (0, Vec::new());
    for seed in 0..600 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let rng = &mut rng;
        let kinds = [0; 3].map(|_| cone(0.1 + 1.1 * rng.f64(), rng.f64()));
        let places = [0; 3].map(|_| rigs::direction(rng));
        let rests = [0; 3].map(|_| rigs::rotation(rng).quaternion());
        let (skeleton, joints) = chain(DAffine3::IDENTITY, &kinds, &places, &rests);
        let (head, axis, way) = (joints[2], rigs::direction(rng), rigs::direction(rng));
        let solver = Aim::over(&skeleton, joints[0], head).unwrap();
        let mut pose = skeleton.neutral_pose();
        let outcome = solver.solve(&skeleton, &[Goal::axis(head, axis, way)], &mut pose, &mut Workspace::default());
        if outcome.status == Status::Reached {
            continue;
        }
        limited += 1;
        let left = |pose: &Pose| angle(pose.rotation(head) * axis, way);
        let random =
            (0..300).map(|_| left(&posed(&skeleton, &joints, &[0; 3].map(|_| rigs::rotation(rng).quaternion()))));
        let over = left(&pose) - random.fold(9.0, f64::min);
        if over > 1e-3 {
            behind.push(over);
        }
    }
    assert!(limited > 100, "{limited}");
    assert!(behind.len() <= 2 && behind.iter().all(|&over| over < 0.05), "of {limited}: {behind:?}");
}

proptest! {
    #[test]
    fn a_free_chain_aims_below_any_base(base in base(), places in three(vector), rests in three(rotation), turns in three(rotation), axis in vector(), offset in vector(), far in 1.5..9.0_f64, way in vector(), up in vector(), hinted in prop::bool::ANY, roll in prop::option::of(-3.0..3.0_f64), scale in three(|| prop::sample::select(vec![-1.3, 0.4, 1.0, 2.0]))) {
        let (skeleton, joints) = chain(base, &FREE, &places, &rests);
        let head = joints[2];
        let mut start = posed(&skeleton, &joints, &turns);
        // Uneven and perhaps mirrored scale inside the chain, too.
        start.edit(&skeleton).scale(joints[1], DVec3::from(scale));
        let solver = Aim { roll, ..Aim::over(&skeleton, joints[0], head).unwrap() };
        let offset = offset * 0.2;
        let mark = base.transform_point3(way.normalize() * far * 4.0);
        let goal = Goal::aim(head, axis, mark).offset(offset);
        let goal = if hinted { goal.up(up) } else { goal };
        let mut pose = start.clone();
        let outcome = solve(&solver, &skeleton, goal, &mut pose);
        let (off, ahead) = miss(&pose, head, axis, offset, mark);
        prop_assert!(off < 1e-11 * (ahead.abs() + 1.0), "{off} {ahead} {outcome:?}");
        prop_assert_eq!(outcome.status == Status::Reached, ahead > 0.0);
        // Only the chain turned, and a second time nothing does.
        for joint in skeleton.iter() {
            prop_assert_eq!(pose.local(joint).translation, start.local(joint).translation);
            prop_assert!(joints.contains(&joint) || pose.local(joint) == start.local(joint));
        }
        let once = pose.clone();
        let _ = solve(&solver, &skeleton, goal, &mut pose);
        prop_assert_eq!(&pose, &once);

        // Along a direction: the offset does not matter.
        let mut pose = start.clone();
        let goal = Goal::axis(head, axis, way).offset(offset);
        let outcome = solve(&solver, &skeleton, if hinted { goal.up(up) } else { goal }, &mut pose);
        prop_assert!(angle(pose.model(head).transform_vector3(axis), way) < 1e-11);
        prop_assert_eq!(outcome.status, Status::Reached);
        prop_assert!(outcome.rotation_error < 1e-11);
    }

    #[test]
    fn up_is_as_near_as_any_roll_brings_it(places in three(vector), rests in three(rotation), turns in three(rotation), axis in vector(), up_axis in vector(), up in vector(), way in vector(), named in prop::bool::ANY) {
        let (skeleton, joints) = chain(DAffine3::IDENTITY, &FREE, &places, &rests);
        let head = joints[2];
        // Unnamed, it is the joint's direction along the hint at rest.
        let own = skeleton.rest_pose().model(head).matrix3.inverse() * up;
        let up_axis = if named { up_axis } else { own };
        let solver = Aim { up_axis: named.then_some(up_axis), ..Aim::over(&skeleton, joints[0], head).unwrap() };
        let mut pose = posed(&skeleton, &joints, &turns);
        let mark = way * 30.0;
        let _ = solve(&solver, &skeleton, Goal::aim(head, axis, mark).up(up), &mut pose);
        let along = (mark - pose.position(head)).normalize();
        prop_assume!(sine(axis, up_axis) > 1e-3 && sine(along, up) > 1e-3);
        let now = pose.rotation(head) * up_axis;
        let best = (0..3600).map(|i| DQuat::from_axis_angle(along, f64::from(i) * std::f64::consts::TAU / 3600.0) * now).map(|v| angle(v, up)).fold(9.0, f64::min);
        prop_assert!(angle(now, up) <= best + 1e-9);
    }

    #[test]
    fn the_roll_counts_from_the_up_or_from_rest(places in three(vector), rests in three(rotation), turns in three(rotation), others in three(rotation), axis in vector(), up in vector(), way in vector(), roll in -3.0..3.0_f64, hinted in prop::bool::ANY, offset in vector()) {
        let (skeleton, joints) = chain(DAffine3::IDENTITY, &FREE, &places, &rests);
        let head = joints[2];
        let alone = Aim::new(&skeleton, head).unwrap();
        let chain = Aim::over(&skeleton, joints[0], head).unwrap();
        let aimed = |roll: f64, solver: &Aim, start: &Pose, goal: Goal| {
            let mut pose = start.clone();
            let _ = solve(&Aim { roll: Some(roll), ..solver.clone() }, &skeleton, goal, &mut pose);
            pose.rotation(head)
        };
        let mark = way * 30.0;
        let goal = Goal::aim(head, axis, mark).offset(offset * 0.2);
        let goal = if hinted { goal.up(up) } else { goal };
        prop_assume!(sine(mark, up) > 0.05 && sine(rests[0] * rests[1] * rests[2] * axis, up) > 0.05);
        let start = posed(&skeleton, &joints, &turns);
        let along = (mark - start.position(head)).normalize();
        let rolled = DQuat::from_axis_angle(along, roll) * aimed(0.0, &alone, &start, goal);
        prop_assert!(turned(rolled, aimed(roll, &alone, &start, goal)) < 1e-9);
        // Along a direction, whatever the pose that the chain comes from.
        let goal = Goal::axis(head, axis, way);
        let goal = if hinted { goal.up(up) } else { goal };
        let other = posed(&skeleton, &joints, &others);
        prop_assert!(turned(aimed(roll, &chain, &start, goal), aimed(roll, &chain, &other, goal)) < 1e-9);
        let rest = skeleton.rest_pose().rotation(head);
        if !hinted && angle(rest * axis, way) < 3.0 {
            let about = Rotation::about((rest * axis).cross(way), angle(rest * axis, way));
            let shortest = about.quaternion() * rest;
            prop_assert!(turned(aimed(0.0, &chain, &start, goal), shortest) < 1e-9);
        }
    }

    #[test]
    fn joints_take_their_shares(places in three(vector), rests in three(rotation), shares in [0.0..2.0_f64, 0.1..2.0, 0.1..2.0], axis in vector(), way in vector(), up in vector(), hinted in prop::bool::ANY) {
        let (skeleton, joints) = chain(DAffine3::IDENTITY, &FREE, &places, &rests);
        let head = joints[2];
        let joints = joints.iter().zip(shares).map(|(&joint, share)| Share { joint, share }).collect::<Vec<_>>();
        let solver = Aim { joints: joints.clone(), ..Aim::new(&skeleton, head).unwrap() };
        let mut pose = skeleton.rest_pose();
        let goal = Goal::axis(head, axis, way);
        let _ = solve(&solver, &skeleton, if hinted { goal.up(up) } else { goal }, &mut pose);
        let whole = turned(pose.rotation(head), skeleton.rest_pose().rotation(head));
        prop_assume!(whole < 3.1);
        for Share { joint, share } in joints {
            let own = turned(pose.local(joint).rotation, skeleton.rest(joint).rotation);
            prop_assert!((own - whole * share / shares.iter().sum::<f64>()).abs() < 1e-9, "{own} of {whole}");
        }
    }

    #[test]
    fn limits_hold_and_the_others_take_up(places in three(vector), rests in three(rotation), swings in three(|| 0.1..1.2_f64), twists in three(|| 0.0..1.0_f64), turns in three(rotation), axis in vector(), way in vector(), up in prop::option::of(vector()), point in prop::bool::ANY) {
        let kinds = [0, 1, 2].map(|i| cone(swings[i], twists[i]));
        let (skeleton, joints) = chain(DAffine3::IDENTITY, &kinds, &places, &rests);
        let head = joints[2];
        let solver = Aim::over(&skeleton, joints[0], head).unwrap();
        let mut pose = posed(&skeleton, &joints, &turns);
        let goal = if point { Goal::aim(head, axis, way * 20.0) } else { Goal::axis(head, axis, way) };
        let goal = up.map_or(goal, |up| goal.up(up));
        let left = |pose: &Pose| angle(pose.rotation(head) * axis, if point { way * 20.0 - pose.position(head) } else { way });
        let mut work = Workspace::default();
        let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
        for &joint in &joints {
            let local = pose.local(joint);
            prop_assert!(turned(skeleton.nearest_allowed(joint, local, 0.0).rotation, local.rotation) < 1e-9);
        }
        prop_assert!((left(&pose) - outcome.rotation_error).abs() < 1e-12);
        prop_assert_eq!(outcome.status == Status::Reached, left(&pose) <= 1e-9);
        if outcome.status != Status::Reached {
            prop_assert_eq!(outcome.status, Status::Limited, "{:?}", outcome);
            prop_assert!(work.blocking(0).count() > 0);
        }
    }

    #[test]
    fn a_turret_aims_with_yaw_and_pitch(base in base(), yaw in vector(), tilt in -0.1..0.1_f64, places in [vector(), vector()], rests in [rotation(), rotation()], starts in [[-9.0..9.0_f64, -1.2..1.2], [-9.0..9.0_f64, -1.2..1.2]], offset in vector(), far in 10.0..100.0_f64, hinted in prop::bool::ANY) {
        // The source lies nearly across the yaw axis and across the pitch axis, as in a gun's mount.
        let yaw = yaw.normalize();
        let up = rests[1].conjugate() * yaw;
        let pitch = up.any_orthonormal_vector();
        let source = pitch.cross(up) + up * tilt;
        let kinds = [Kind::hinge(yaw), Kind::hinge(pitch).within(-1.2, 1.2)];
        let (skeleton, joints) = chain(base, &kinds, &places, &rests);
        let gun = joints[1];
        let [start, end] = starts.map(|[yaw, pitch]| {
            let mut pose = skeleton.rest_pose();
            pose.edit(&skeleton).coordinate(0, yaw).coordinate(1, pitch);
            pose
        });
        // A mark that the gun can hit.
        let mark = end.model(gun).transform_point3(offset + source * far);
        let goal = Goal::aim(gun, source, mark).offset(offset);
        let goal = if hinted { goal.up(yaw) } else { goal };
        let solver = Aim::over(&skeleton, joints[0], gun).unwrap();
        let mut pose = start.clone();
        let outcome = solve(&solver, &skeleton, goal, &mut pose);
        let (off, ahead) = miss(&pose, gun, source, offset, mark);
        prop_assert!(off < 1e-9 * ahead && outcome.status == Status::Reached, "off {off} at {ahead}, {outcome:?}");
        prop_assert!((pose.coordinates()[1] - end.coordinates()[1]).abs() < 1e-7);
        // The short way round.
        prop_assert!((pose.coordinates()[0] - start.coordinates()[0]).abs() < std::f64::consts::PI + 1e-9);
        let once = pose.clone();
        let _ = solve(&solver, &skeleton, goal, &mut pose);
        prop_assert_eq!(pose, once);
    }

    #[test]
    fn rest_starts_do_not_depend_on_the_pose(places in three(vector), rests in three(rotation), turns in three(rotation), axis in vector(), way in vector(), swing in 0.2..2.0_f64) {
        let kinds = [cone(swing, 0.5), Kind::hinge(DVec3::X).within(-20.0, 20.0), Kind::BALL];
        let (skeleton, joints) = chain(DAffine3::IDENTITY, &kinds, &places, &rests);
        let solver = Aim { start: Start::Rest, ..Aim::over(&skeleton, joints[0], joints[2]).unwrap() };
        let goal = Goal::aim(joints[2], axis, way * 30.0);
        let (mut from_rest, mut from_pose) = (skeleton.rest_pose(), posed(&skeleton, &joints, &turns));
        from_pose.edit(&skeleton).coordinate(0, 13.0);
        let _ = solve(&solver, &skeleton, goal, &mut from_rest);
        let _ = solve(&solver, &skeleton, goal, &mut from_pose);
        prop_assert_eq!(&from_rest, &from_pose);
        let _ = solve(&solver, &skeleton, goal, &mut from_pose);
        prop_assert_eq!(&from_rest, &from_pose);
    }
}

#[test]
fn weights_blend_from_nothing_to_all() {
    let (skeleton, joints) =
        chain(DAffine3::IDENTITY, &[cone(0.6, 0.5), Kind::BALL, cone(1.0, 0.2)], &[DVec3::Y; 3], &[DQuat::IDENTITY; 3]);
    let solver = Aim::over(&skeleton, joints[0], joints[2]).unwrap();
    let goal = Goal::axis(joints[2], DVec3::Z, DVec3::X).up(DVec3::Y);
    let start =
        posed(&skeleton, &joints, &[DQuat::from_rotation_x(0.3), DQuat::from_rotation_z(-0.5), DQuat::IDENTITY]);
    let mut outside = start.clone();
    outside.edit(&skeleton).rotation(joints[0], DQuat::from_rotation_z(2.0));
    let mut pose = outside.clone();
    assert_eq!(solve(&solver, &skeleton, goal.weight(0.0), &mut pose).status, Status::Ignored);
    assert_eq!(pose, outside);
    let mut last = start.clone();
    for step in 1..=1000 {
        let mut pose = start.clone();
        let outcome = solve(&solver, &skeleton, goal.weight(f64::from(step) / 1000.0), &mut pose);
        assert_eq!(outcome.status, if step == 1000 { Status::Reached } else { Status::Softened });
        for &joint in &joints {
            assert!(turned(pose.local(joint).rotation, last.local(joint).rotation) < 5e-3);
        }
        last = pose;
    }
    // In a sequence the weight refers to the pose that entered it.
    let inside = |weight: f64| {
        let mut pose = start.clone();
        let twice = Sequence::new().then(solver.clone()).then(solver.clone());
        let _ = twice.solve(&skeleton, &[goal.weight(weight)], &mut pose, &mut Workspace::default());
        pose
    };
    let mut once = start.clone();
    let _ = solve(&solver, &skeleton, goal.weight(1e-3), &mut once);
    assert!(joints.iter().all(|&j| turned(inside(1e-3).local(j).rotation, start.local(j).rotation) < 1e-2));
}

#[test]
fn ten_thousand_frames_are_one() {
    let free = chain(DAffine3::IDENTITY, &FREE, &[DVec3::Y; 3], &[DQuat::from_rotation_x(0.2); 3]);
    let limited = chain(DAffine3::IDENTITY, &[cone(0.3, 0.2); 3], &[DVec3::Y; 3], &[DQuat::from_rotation_x(0.2); 3]);
    for (skeleton, joints) in [free, limited] {
        let solver = Aim::over(&skeleton, joints[0], joints[2]).unwrap();
        for goal in [
            Goal::aim(joints[2], DVec3::Z, DVec3::new(3.0, 4.0, -2.0)).up(DVec3::Y),
            Goal::aim(joints[2], DVec3::Z, DVec3::new(3.0, 4.0, 6.0)).offset(DVec3::X * 0.3),
            Goal::axis(joints[2], DVec3::Z, DVec3::new(0.1, 0.2, 1.0)).up(DVec3::X),
        ] {
            let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
            let _ = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
            let first = pose.clone();
            for _ in 0..crate::cases(10_000) {
                let _ = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
            }
            assert_eq!(pose, first, "{goal:?}");
        }
    }
}

#[test]
fn degenerate_input_has_an_answer() {
    let (skeleton, joints) = chain(DAffine3::IDENTITY, &FREE, &[DVec3::Y; 3], &[DQuat::IDENTITY; 3]);
    let head = joints[2];
    let solver = Aim::over(&skeleton, joints[0], head).unwrap();
    let rest = skeleton.rest_pose();
    let place = rest.position(head);
    let at = |goal: Goal| {
        let mut pose = rest.clone();
        let outcome = solve(&solver, &skeleton, goal, &mut pose);
        assert!(skeleton.iter().all(|joint| pose.model(joint).is_finite()), "{goal:?}");
        (outcome.status, pose)
    };
    assert_eq!(at(Goal::aim(head, DVec3::Z, place)), (Status::TooClose, rest.clone()));
    assert_eq!(at(Goal::aim(head, DVec3::ZERO, DVec3::X)), (Status::Singular, rest.clone()));
    assert_eq!(at(Goal::axis(head, DVec3::Z, DVec3::ZERO)), (Status::Singular, rest.clone()));
    for bad in [
        Goal::aim(head, DVec3::NAN, DVec3::X),
        Goal::aim(head, DVec3::Z, DVec3::INFINITY),
        Goal::axis(head, DVec3::Z, DVec3::X).up(DVec3::NAN),
        Goal::aim(head, DVec3::Z, DVec3::X).offset(DVec3::NAN),
    ] {
        assert_eq!(at(bad), (Status::Invalid, rest.clone()), "{bad:?}");
    }
    // Half turns, ups along the line of sight or zero, a far and a very near point.
    for goal in [
        Goal::axis(head, DVec3::Z, DVec3::NEG_Z),
        Goal::axis(head, DVec3::Z, DVec3::NEG_Z).up(DVec3::Y),
        Goal::axis(head, DVec3::Z, DVec3::X).up(DVec3::X),
        Goal::axis(head, DVec3::Z, DVec3::X).up(DVec3::ZERO),
        Goal::axis(head, DVec3::Z * 1e-200, DVec3::X * 1e200),
        Goal::aim(head, DVec3::Z, DVec3::X * 1e200),
    ] {
        assert_eq!(at(goal).0, Status::Reached, "{goal:?}");
    }
    // A point behind the muzzle is on the line all the same; one inside the source's circle is as near
    // as a turn brings it.
    let alone = Aim::new(&skeleton, head).unwrap();
    let mut pose = rest.clone();
    let (point, offset) = (place + DVec3::X, DVec3::new(0.3, 0.0, 5.0));
    assert_eq!(
        solve(&alone, &skeleton, Goal::aim(head, DVec3::Z, point).offset(offset), &mut pose).status,
        Status::TooClose
    );
    let (off, ahead) = miss(&pose, head, DVec3::Z, offset, point);
    assert!(off < 1e-12 && ahead < 0.0);
    let (point, offset) = (place + DVec3::X * 0.2, DVec3::new(0.3, 0.0, 0.0));
    assert_eq!(
        solve(&alone, &skeleton, Goal::aim(head, DVec3::Z, point).offset(offset), &mut pose).status,
        Status::TooClose
    );
    assert!((miss(&pose, head, DVec3::Z, offset, point).0 - 0.1).abs() < 1e-12);
    // A scale of zero leaves no aim.
    let mut flat = rest.clone();
    flat.edit(&skeleton).scale(joints[0], DVec3::ZERO);
    let before = flat.clone();
    assert_eq!(solve(&alone, &skeleton, Goal::aim(head, DVec3::Z, point), &mut flat).status, Status::Singular);
    assert_eq!(flat, before);
    // Settings that are no chain of the skeleton.
    let reversed = Aim { joints: solver.joints.iter().rev().copied().collect(), ..solver.clone() };
    let empty = Aim { joints: Vec::new(), ..solver.clone() };
    let none = Aim { roll: Some(f64::NAN), ..solver.clone() };
    for bad in [reversed, empty, none] {
        let mut pose = rest.clone();
        assert_eq!(solve(&bad, &skeleton, Goal::aim(joints[0], DVec3::Z, DVec3::X), &mut pose).status, Status::Invalid);
        assert_eq!(pose, rest);
    }
}

#[test]
fn a_fixed_camera_is_aimed_by_the_joints_above() {
    let kinds = [Kind::hinge(DVec3::Y), Kind::hinge(DVec3::X).within(-1.0, 1.0), Kind::Fixed];
    let (skeleton, joints) = chain(
        DAffine3::IDENTITY,
        &kinds,
        &[DVec3::Y, DVec3::X * 0.2, DVec3::Z],
        &[DQuat::IDENTITY, DQuat::IDENTITY, DQuat::from_rotation_y(0.3)],
    );
    let camera = joints[2];
    assert!(matches!(Aim::new(&skeleton, camera), Err(ChainError::Stiff { .. })));
    let solver = Aim::over(&skeleton, joints[0], camera).unwrap();
    let mut pose = skeleton.rest_pose();
    let point = DVec3::new(-6.0, 3.0, -4.0);
    let outcome = solve(&solver, &skeleton, Goal::aim(camera, DVec3::Z, point), &mut pose);
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
    assert!(miss(&pose, camera, DVec3::Z, DVec3::ZERO, point).0 < 1e-9);
    // Overhead the pitch stops, and is named.
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let outcome =
        solver.solve(&skeleton, &[Goal::aim(camera, DVec3::Z, DVec3::new(0.0, 30.0, 5.0))], &mut pose, &mut work);
    assert_eq!(outcome.status, Status::Limited);
    assert_eq!(work.blocking(0).collect::<Vec<_>>(), [joints[1]]);
}

#[test]
fn goals_are_served_by_joint_kind_and_base_and_owned_joints_stay() {
    let (skeleton, joints) = chain(DAffine3::IDENTITY, &FREE, &[DVec3::Y; 3], &[DQuat::IDENTITY; 3]);
    let [spine, neck, head] = [joints[0], joints[1], joints[2]];
    let solver = Aim::over(&skeleton, neck, head).unwrap();
    let goal = Goal::aim(head, DVec3::Z, DVec3::X * 9.0);
    assert!(solver.serves(&skeleton, &goal) && solver.serves(&skeleton, &goal.base(spine)));
    assert!(!solver.serves(&skeleton, &goal.base(head)) && !solver.serves(&skeleton, &Goal::position(head, DVec3::X)));
    assert!(!solver.serves(&skeleton, &Goal::aim(neck, DVec3::Z, DVec3::X)));
    // The neck's own goal owns spine and neck: the head does the rest alone.
    let held = Goal::axis(neck, DVec3::Z, DVec3::new(0.0, 1.0, 1.0)).base(spine);
    let both = Sequence::new()
        .then(Aim::over(&skeleton, spine, neck).unwrap())
        .then(Aim::over(&skeleton, spine, head).unwrap());
    let mut pose = skeleton.rest_pose();
    let outcome = both.solve(&skeleton, &[goal, held], &mut pose, &mut Workspace::default());
    assert_eq!(outcome.status, Status::Reached);
    assert!(angle(pose.rotation(neck) * DVec3::Z, DVec3::new(0.0, 1.0, 1.0)) < 1e-12);
    assert!(miss(&pose, head, DVec3::Z, DVec3::ZERO, DVec3::X * 9.0).0 < 1e-12);
    // A tolerance decides what counts as reached.
    let (skeleton, joints) = chain(DAffine3::IDENTITY, &[cone(0.3, 0.3)], &[DVec3::Y], &[DQuat::IDENTITY]);
    let solver = Aim::new(&skeleton, joints[0]).unwrap();
    let goal = Goal::axis(joints[0], DVec3::Y, DMat3::from_rotation_x(0.35) * DVec3::Y);
    let mut pose = skeleton.rest_pose();
    let outcome = solve(&solver, &skeleton, goal, &mut pose);
    assert!(outcome.status == Status::Limited && (outcome.rotation_error - 0.05).abs() < 1e-9);
    let near = sinew::Tolerance { position: 0.0, rotation: 0.06 };
    assert_eq!(solve(&solver, &skeleton, goal.tolerance(near), &mut pose).status, Status::Reached);
}

#[test]
fn marks_and_ups_may_be_another_joints() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("body").kind(Kind::Fixed).rotation(DQuat::from_rotation_y(0.4)));
    builder.add(JointSpec::named("head").child_of(0).translation(DVec3::Y).rotation(DQuat::from_rotation_x(0.2)));
    builder.add(JointSpec::named("hand").child_of(0).translation(DVec3::new(1.0, 0.5, 2.0)));
    let skeleton = builder.build().unwrap();
    let [head, hand] = skeleton.joints(["head", "hand"]).unwrap();
    let mut pose = skeleton.rest_pose();
    pose.edit(&skeleton).rotation(hand, DQuat::from_rotation_z(1.0));
    let (point, up) = (DVec3::new(0.3, 0.1, 0.0), DVec3::new(0.1, 1.0, 0.2));
    let goal = Goal::aim(head, DVec3::Z, point).up(up).relative_to(hand);
    let aim = Aim::new(&skeleton, head).unwrap();
    assert_eq!(solve(&aim, &skeleton, goal, &mut pose).status, Status::Reached);
    let mark = pose.model(hand).transform_point3(point);
    assert!(miss(&pose, head, DVec3::Z, DVec3::ZERO, mark).0 < 1e-14);
    // The head's up is what lies along the hand's at rest; line of sight, up and hint share a plane.
    let rest = skeleton.rest_pose();
    let own = rest.rotation(head).conjugate() * rest.rotation(hand) * up;
    let along = mark - pose.position(head);
    let (now, hint) = (pose.rotation(head) * own, pose.rotation(hand) * up);
    assert!(angle(now.reject_from(along), hint.reject_from(along)) < 1e-12);
}

#[test]
fn a_roll_joint_leans_the_up() {
    let kinds = [Kind::hinge(DVec3::Y), Kind::hinge(DVec3::X).within(-1.5, 1.5), Kind::hinge(DVec3::Z)];
    let (skeleton, joints) = chain(DAffine3::IDENTITY, &kinds, &[DVec3::Y; 3], &[DQuat::IDENTITY; 3]);
    let aim = Aim::over(&skeleton, joints[0], joints[2]).unwrap();
    let mut pose = skeleton.rest_pose();
    let (way, up) = (DVec3::new(-1.0, 0.4, -2.0), DVec3::new(0.3, 1.0, 0.2));
    let _ = solve(
        &Aim { up_axis: Some(DVec3::Y), ..aim.clone() },
        &skeleton,
        Goal::axis(joints[2], DVec3::Z, way).up(up),
        &mut pose,
    );
    assert!(angle(pose.rotation(joints[2]) * DVec3::Z, way) < 1e-12);
    assert!(angle(pose.rotation(joints[2]) * DVec3::Y, up.reject_from(way)) < 1e-9);
    // Without an up it has nothing to do.
    let roll = pose.coordinates()[2];
    let _ = solve(&aim, &skeleton, Goal::axis(joints[2], DVec3::Z, -up), &mut pose);
    assert!(angle(pose.rotation(joints[2]) * DVec3::Z, -up) < 1e-9);
    assert_eq!(pose.coordinates()[2], roll);
}

/// Rounds of a long chain that limits hold, for a mark that it cannot see.
#[test]
fn the_work_of_a_long_chain_is_bounded_unless_more_is_allowed() {
    let (kinds, places, rests) =
        (vec![cone(0.02, 0.01); 120], vec![DVec3::new(0.1, 1.0, 0.2); 120], vec![DQuat::IDENTITY; 120]);
    let (skeleton, joints) = chain(DAffine3::IDENTITY, &kinds, &places, &rests);
    let solver = Aim::over(&skeleton, joints[0], joints[119]).unwrap();
    let goal = Goal::aim(joints[119], DVec3::Y, DVec3::new(4.0, -300.0, 1.0)).up(DVec3::X);
    let [usual, more] = [1, 100].map(|patience| {
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        solver.solve(&skeleton, &[goal], &mut pose, work.patience(patience)).iterations
    });
    assert!(usual < 120 && 2 * usual < more, "{usual}, {more}");
}
