//! Every solver on rigs of every kind of joint and range, judged by a test of limits of its own: each joint that
//! a solve moved ends inside its limits, and so does what follows it.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod judge;
mod rig;
mod shared;
mod shared_twist;
mod slides;

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::limit::{EllipticSwing, Range};
use sinew::math::ops;
use sinew::solve::two_bone::{End, TwistBones};
use sinew::solve::{ccd, fabrik, jacobian};
use sinew::{
    Aim, Auto, Ccd, Fabrik, Goal, Jacobian, Joint, JointSpec, Kind, MassSpring, Orient, Pose, Sequence, Skeleton,
    SkeletonBuilder, Solver, Start, ThreeLink, TwoBone, Workspace,
};

/// Rigs tried with each solver.
const CASES: u64 = crate::cases(1500);

type Make = fn(&mut Rng, &Skeleton, Joint) -> Option<Box<dyn Solver>>;

#[allow(clippy::unnecessary_wraps, reason = "as `Make` has it")]
fn boxed(solver: impl Solver + 'static) -> Option<Box<dyn Solver>> {
    Some(Box::new(solver))
}

fn two_bone(rng: &mut Rng, skeleton: &Skeleton, tip: Joint) -> Option<Box<dyn Solver>> {
    let twist_bones = [TwistBones::Rigid, TwistBones::Shared][rng.usize(..2)];
    let end = [End::Local, End::Model][rng.usize(..2)];
    let limb = if rng.bool() {
        TwoBone::ending_at(skeleton, tip)
    } else {
        TwoBone::between(skeleton, skeleton.iter().next()?, tip)
    };
    boxed(TwoBone { twist_bones, end, ..limb.ok()? })
}

fn aim(rng: &mut Rng, skeleton: &Skeleton, tip: Joint) -> Option<Box<dyn Solver>> {
    let start = [Start::Given, Start::Rest][rng.usize(..2)];
    boxed(Aim { start, ..Aim::over(skeleton, skeleton.iter().next()?, tip).ok()? })
}

fn fabrik(rng: &mut Rng, _: &Skeleton, _: Joint) -> Option<Box<dyn Solver>> {
    let twist = [fabrik::Twist::Given, fabrik::Twist::Shared][rng.usize(..2)];
    boxed(Fabrik { twist, start: [Start::Given, Start::Rest][rng.usize(..2)], ..Fabrik::default() })
}

fn ccd(rng: &mut Rng, _: &Skeleton, _: Joint) -> Option<Box<dyn Solver>> {
    let balls = [ccd::Balls::default(), ccd::Balls::PerAxis][rng.usize(..2)];
    boxed(Ccd { balls, start: [Start::Given, Start::Rest][rng.usize(..2)], ..Ccd::default() })
}

fn jacobian(rng: &mut Rng, _: &Skeleton, _: Joint) -> Option<Box<dyn Solver>> {
    let method = [jacobian::Method::default(), jacobian::Method::SelectivelyDamped][rng.usize(..2)];
    boxed(Jacobian { method, ..Jacobian::default() })
}

const SOLVERS: [(&str, Make); 10] = [
    ("two-bone", two_bone),
    ("three-link", |_, skeleton, tip| boxed(ThreeLink::ending_at(skeleton, tip).ok()?)),
    ("aim", aim),
    ("orient", |_, _, tip| boxed(Orient { joint: tip })),
    ("fabrik", fabrik),
    ("ccd", ccd),
    ("jacobian", jacobian),
    ("mass-spring", |_, _, _| boxed(MassSpring::default())),
    ("auto", |_, _, _| boxed(Auto::default())),
    ("sequence", |_, skeleton, tip| {
        boxed(
            Sequence::new()
                .then(TwoBone::ending_at(skeleton, tip).ok()?)
                .then(Orient { joint: tip })
                .then(Ccd::default()),
        )
    }),
];

/// Solves and names the first joint that was moved and is outside.
fn moved_outside(skeleton: &Skeleton, solver: &dyn Solver, goals: &[Goal], before: &Pose) -> Option<String> {
    let mut pose = before.clone();
    let outcome = solver.solve(skeleton, goals, &mut pose, &mut Workspace::default());
    let value = |pose: &Pose, joint| pose.value(skeleton, joint).to_bits();
    let moved =
        |&joint: &Joint| pose.local(joint) != before.local(joint) || value(&pose, joint) != value(before, joint);
    skeleton.iter().filter(moved).find_map(|joint| {
        let why = judge::outside(skeleton, &pose, joint)?;
        let (from, was) = (before.value(skeleton, joint), judge::outside(skeleton, before, joint));
        let kind = skeleton.kind(joint);
        Some(format!("{}: {why}; {kind:?}, from {from}, {was:?}; {:?}", joint.index(), outcome.status))
    })
}

/// The law for one of the solvers.
fn keeps_limits(which: usize) {
    let (name, make) = SOLVERS[which];
    let (mut broken, mut solved, mut first) = (0, 0, String::new());
    for seed in 0..CASES {
        let mut rng = Rng::with_seed(seed);
        let Some(skeleton) = rig::skeleton(&mut rng) else { continue };
        let before = rig::pose(&mut rng, &skeleton);
        let tip = skeleton.iter().nth(skeleton.len() - 1 - rng.usize(..2)).unwrap();
        let goal = rig::goal(&mut rng, &skeleton, tip);
        let Some(solver) = make(&mut rng, &skeleton, tip) else { continue };
        solved += 1;
        if let Some(why) = moved_outside(&skeleton, solver.as_ref(), &[goal], &before) {
            broken += 1;
            if first.is_empty() {
                first = format!("seed {seed}, joint {why}, {goal:?}");
            }
        }
    }
    assert!(solved > CASES / 4, "{name}: {solved} rigs only");
    assert!(broken == 0, "{name} left a joint that it moved outside in {broken} of {solved}, first: {first}");
}

macro_rules! every_solver {
    ($($test:ident $which:literal),*) => {$(
        #[test]
        fn $test() {
            keeps_limits($which);
        }
    )*};
}

every_solver!(two_bone_keeps_limits 0, three_link_keeps_limits 1, aim_keeps_limits 2, orient_keeps_limits 3,
    fabrik_keeps_limits 4, ccd_keeps_limits 5, jacobian_keeps_limits 6, mass_spring_keeps_limits 7,
    auto_keeps_limits 8, sequence_keeps_limits 9);

/// How far two rotations are apart (half the angle, where it is small).
fn chord(a: DQuat, b: DQuat) -> f64 {
    (a - b).length().min((a + b).length())
}

/// A hinge at the root of a bone along y.
fn hinge(range: Range) -> (Skeleton, [Joint; 2]) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("hinge").kind(Kind::Hinge { axis: DVec3::X, range }));
    builder.add(JointSpec::named("end").child_of(0).translation(DVec3::Y));
    let skeleton = builder.build().unwrap();
    let joints = skeleton.joints(["hinge", "end"]).unwrap();
    (skeleton, joints)
}

#[test]
fn a_hinge_comes_to_the_turn_that_is_allowed() {
    for (range, angle, wanted) in [
        (Range::new(7.0, 8.0), 7.5, 7.5),
        (Range::new(7.0, 8.0), 1.7, 1.7 + std::f64::consts::TAU),
        (Range::new(f64::NEG_INFINITY, 0.3), 2.0, 2.0 - std::f64::consts::TAU),
        (Range::new(4.0, f64::INFINITY), 1.0, 1.0 + std::f64::consts::TAU),
        (Range::new(-20.0, -14.0), 0.5, 0.5 - 3.0 * std::f64::consts::TAU),
    ] {
        let (skeleton, [joint, end]) = hinge(range);
        let goals = [
            Goal::position(end, DQuat::from_rotation_x(angle) * DVec3::Y),
            Goal::rotation(joint, DQuat::from_rotation_x(angle)),
        ];
        let solvers: [(Box<dyn Solver>, Goal); 5] = [
            (Box::new(Orient { joint }), goals[1]),
            (Box::new(Ccd::default()), goals[0]),
            (Box::new(Fabrik::default()), goals[0]),
            (Box::new(Auto::default()), goals[0]),
            (
                Box::new(Aim::new(&skeleton, joint).unwrap()),
                Goal::aim(joint, DVec3::Y, goals[0].target.position().unwrap()),
            ),
        ];
        for (solver, goal) in solvers {
            let mut pose = skeleton.rest_pose();
            let _ = solver.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default());
            let value = pose.value(&skeleton, joint);
            assert!((value - wanted).abs() < 1e-4, "{value} is not {wanted} of {range:?}: {solver:?}");
        }
        // A rotation that is set becomes the turn that is allowed, too.
        let mut pose = skeleton.rest_pose();
        pose.edit(&skeleton).rotation(joint, DQuat::from_rotation_x(angle));
        assert!((pose.value(&skeleton, joint) - wanted).abs() < 1e-12);
    }
}

/// Two hinges of one coordinate on one chain: the one that the goal does not turn says nothing of where both go.
#[test]
fn what_fabrik_does_not_turn_does_not_lead() {
    let mut builder = SkeletonBuilder::new();
    let hinge = Kind::hinge(DVec3::X).within(-1.0, 1.0);
    builder.add(JointSpec::named("root").kind(hinge));
    let follower = Kind::hinge(DVec3::X);
    builder.add(JointSpec::named("mid").child_of(0).translation(DVec3::Y).kind(follower).mimic("root", 0.5, 0.0));
    let skeleton = builder.build().unwrap();
    let [root, mid] = skeleton.joints(["root", "mid"]).unwrap();
    for beyond in [-2.0, 2.0] {
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        pose.edit(&skeleton).coordinate(0, beyond);
        let goal = Goal::position(mid, DVec3::new(0.0, 0.9, 0.4));
        let _ = Fabrik::default().solve(&skeleton, &[goal], &mut pose, &mut work);
        let [value, followed] = [root, mid].map(|joint| pose.value(&skeleton, joint));
        assert!(value.abs() <= 1.0 && followed == 0.5 * value, "from {beyond}: {value} and {followed}");
    }
}

/// A follower that rests elsewhere than its coordinate says is brought there, also where the coordinate stays.
#[test]
fn a_follower_that_rests_elsewhere_is_brought_to_its_value() {
    for (kind, place) in [
        (Kind::hinge(DVec3::X), DVec3::Y + DQuat::from_rotation_x(0.4) * DVec3::Y),
        (Kind::slide(DVec3::X), DVec3::new(0.4, 2.0, 0.0)),
    ] {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("root").kind(Kind::hinge(DVec3::X).within(0.0, 0.0)));
        builder.add(JointSpec::named("mid").child_of(0).translation(DVec3::Y).kind(kind).mimic("root", 1.0, 0.4));
        builder.add(JointSpec::named("tip").child_of(1).translation(DVec3::Y));
        let skeleton = builder.build().unwrap();
        let [mid, tip] = skeleton.joints(["mid", "tip"]).unwrap();
        assert!(skeleton.rest_pose().is_off_value(&skeleton, mid));
        assert!(skeleton.neutral_pose().position(tip).distance(place) < 1e-12);
        let solvers: [Box<dyn Solver>; 5] = [
            Box::new(Fabrik::default()),
            Box::new(MassSpring::default()),
            Box::new(Auto::default()),
            Box::new(Ccd::default()),
            Box::new(Jacobian::default()),
        ];
        // `Fabrik` moves no slides.
        let first = usize::from(matches!(kind, Kind::Slide { .. }));
        for solver in &solvers[first..] {
            let mut pose = skeleton.rest_pose();
            let outcome = solver.solve(&skeleton, &[Goal::position(tip, place)], &mut pose, &mut Workspace::default());
            assert!(pose.position(tip).distance(place) < 1e-12, "{} {outcome:?} {solver:?}", pose.position(tip));
        }
    }
}

#[test]
fn a_joint_may_use_what_its_followers_leave() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("root"));
    builder.add(JointSpec::named("mid").child_of(0).translation(DVec3::Y).kind(Kind::hinge(DVec3::X).within(0.0, 2.6)));
    builder.add(JointSpec::named("tip").child_of(1).translation(DVec3::Y));
    let finger = Kind::hinge(DVec3::X).within(-1.0, 1.0);
    builder
        .add(JointSpec::named("finger").child_of(2).translation(DVec3::Y * 0.1).kind(finger).mimic("mid", -2.0, 0.5));
    let skeleton = builder.build().unwrap();
    let [root, mid, tip, finger] = skeleton.joints(["root", "mid", "tip", "finger"]).unwrap();
    assert_eq!(skeleton.range(mid), Range::new(0.0, 0.75));
    assert_eq!(skeleton.range(finger), Range::new(-1.0, 0.5));
    assert_eq!(skeleton.range(root), Range::FREE);
    let local = sinew::Transform { rotation: DQuat::from_rotation_x(2.0), ..*skeleton.rest(mid) };
    let nearest = skeleton.nearest_allowed(mid, &local, 0.0).rotation;
    assert!(chord(nearest, DQuat::from_rotation_x(0.75)) < 1e-12);
    let solvers: [Box<dyn Solver>; 5] = [
        Box::new(TwoBone::new(&skeleton, root, mid, tip).unwrap()),
        Box::new(Auto::default()),
        Box::new(Ccd::default()),
        Box::new(Fabrik::default()),
        Box::new(Jacobian::default()),
    ];
    for solver in solvers {
        let goal = Goal::position(tip, DVec3::new(0.0, 0.5, 0.6)).base(root);
        let mut pose = skeleton.rest_pose();
        let _ = solver.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default());
        assert!((pose.value(&skeleton, mid) - 0.75).abs() < 1e-6, "{} {solver:?}", pose.value(&skeleton, mid));
    }
}

#[test]
fn a_clamped_angle_is_the_nearest_on_the_circle_and_the_turn_nearest_to_the_one_before() {
    let mut rng = Rng::with_seed(5);
    for _ in 0..100_000 {
        let (range, angle, near) = (rig::range(&mut rng), 12.0 * rig::signed(&mut rng), 12.0 * rig::signed(&mut rng));
        let got = range.clamp_angle(angle, near);
        assert!(range.contains(got), "{range:?} {angle} {near}: {got}");
        let off = |value: f64| ops::nearest_turn(value - angle, 0.0).abs();
        let ends = [range.min, range.max].into_iter().filter(|end| end.is_finite()).map(off).fold(9.0, f64::min);
        let turns = (-9..=9).map(|turns| angle + f64::from(turns) * std::f64::consts::TAU);
        let inside =
            turns.filter(|&turn| range.contains(turn)).min_by(|a, b| (a - near).abs().total_cmp(&(b - near).abs()));
        match inside {
            Some(turn) => assert!((turn - got).abs() < 1e-12, "{range:?} {angle} {near}: {got}, not {turn}"),
            None => assert!(off(got) <= ends + 1e-12, "{range:?} {angle} {near}: {got}"),
        }
    }
}

#[test]
fn a_flat_ellipse_lets_the_joint_nod() {
    let limit = EllipticSwing::new(DVec3::Z, DVec3::X, [1.0, 0.0], Range::new(-1.0, 1.0)).unwrap();
    let nods = DQuat::from_rotation_x(0.1);
    let nudged = DQuat::from_scaled_axis(DVec3::new(0.1, 1e-12, 0.0));
    assert!(chord(limit.project(nudged), nods) < 1e-11);
}
