//! Where limbs bend without a pole: in the plane of the pose given, or as at rest.
#![allow(clippy::unwrap_used, reason = "the rigs have these joints")]

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::laws::rigs::{self, Rig, direction};
use sinew::math::{arc, ops};
use sinew::{
    Auto, Bend, Goal, Joint, JointSpec, Kind, Pole, Pose, Rotation, Skeleton, SkeletonBuilder, Solver, Start,
    ThreeLink, TwoBone, Workspace,
};

/// Bones of the arms below (metres).
const BONE: f64 = 0.3;
/// A centimetre.
const STEP: f64 = 0.01;

/// An arm with bones along +X, hanging from a chest; its elbow a ball that prefers to bend about `prefers`, or a hinge.
fn arm(elbow: Kind, prefers: Option<DVec3>) -> (Skeleton, [Joint; 3]) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("chest").translation(DVec3::Y).rotation(Rotation::about(DVec3::ONE, 0.3)));
    builder.add(JointSpec::named("arm").child_of(0).translation(DVec3::X * 0.2));
    let spec = JointSpec::named("elbow").child_of(1).translation(DVec3::X * BONE).kind(elbow);
    builder.add(prefers.map_or(spec.clone(), |axis| spec.bend(axis)));
    builder.add(JointSpec::named("hand").child_of(2).translation(DVec3::X * BONE));
    let skeleton = builder.build().unwrap();
    let joints = skeleton.joints(["arm", "elbow", "hand"]).unwrap();
    (skeleton, joints)
}

fn any_rotation(rng: &mut Rng) -> Rotation {
    Rotation::about(direction(rng), 3.0 * rng.f64())
}

/// The arm turned at random, its elbow bent by an angle about its own axis.
fn bent(skeleton: &Skeleton, [root, mid, _]: [Joint; 3], axis: DVec3, angle: f64, rng: &mut Rng) -> Pose {
    let mut pose = skeleton.rest_pose();
    let turn = any_rotation(rng);
    pose.edit(skeleton).rotation(root, turn).rotation(mid, Rotation::about(axis, angle));
    pose
}

fn solve(solver: &dyn Solver, skeleton: &Skeleton, goal: &Goal, pose: &mut Pose) {
    let _ = solver.solve(skeleton, core::slice::from_ref(goal), pose, &mut Workspace::default());
}

/// Limbs of two and three links as the laws have them, and what solves them.
fn limbs(rig: &Rig) -> Vec<Box<dyn Solver>> {
    let skeleton = &rig.skeleton;
    match rig.low {
        Some(low) => vec![Box::new(ThreeLink::new(skeleton, rig.root, rig.mid, low, rig.tip).unwrap())],
        None => vec![Box::new(TwoBone::new(skeleton, rig.root, rig.mid, rig.tip).unwrap()), Box::new(Auto::default())],
    }
}

const RIGS: [sinew::laws::MakeRig; 8] = [
    rigs::free_limb,
    rigs::hinged_limb,
    rigs::skew_limb,
    rigs::limited_limb,
    rigs::odd::odd_shoulder_limb,
    rigs::free_three_link,
    rigs::finger,
    rigs::hind_leg,
];

#[test]
fn a_goal_where_the_tip_is_moves_nothing() {
    for seed in 0..200 {
        let rng = &mut Rng::with_seed(seed);
        for (kind, make) in RIGS.into_iter().enumerate() {
            let rig = make(rng);
            let given = rig.allowed_pose(rng);
            let goal = Goal::position(rig.tip, given.position(rig.tip)).base(rig.root);
            for solver in limbs(&rig) {
                let mut pose = given.clone();
                solve(solver.as_ref(), &rig.skeleton, &goal, &mut pose);
                for joint in rig.limb() {
                    let moved = pose.position(joint).distance(given.position(joint));
                    assert!(moved < 1e-9 * rig.length(), "rig {kind}, seed {seed}: {moved} {solver:?}");
                }
            }
        }
    }
}

#[test]
fn a_target_a_centimetre_away_moves_the_elbow_by_two() {
    for seed in 0..500 {
        let rng = &mut Rng::with_seed(seed);
        for elbow in [Kind::BALL, Kind::hinge(DVec3::Z)] {
            let (skeleton, joints) = arm(elbow, None);
            let [root, mid, hand] = joints;
            // Swivelled at random; the elbow's interior angle is from 60° to 120°.
            let axis =
                if elbow == Kind::BALL { arc::unit(DVec3::new(0.0, rng.f64() - 0.5, 1.0)).unwrap() } else { DVec3::Z };
            let given = bent(&skeleton, joints, axis, 1.05 + 1.05 * rng.f64(), rng);
            let target = given.position(hand) + direction(rng) * STEP;
            let forms: [Box<dyn Solver>; 2] =
                [Box::new(TwoBone::new(&skeleton, root, mid, hand).unwrap()), Box::new(Auto::default())];
            for solver in forms {
                let mut pose = given.clone();
                solve(solver.as_ref(), &skeleton, &Goal::position(hand, target).base(root), &mut pose);
                assert!(pose.position(hand).distance(target) < 1e-9);
                let moved = pose.position(mid).distance(given.position(mid));
                assert!(moved < 2.0 * STEP, "seed {seed}: the elbow moved by {moved}, {solver:?}");
            }
        }
    }
}

/// The side to which a limb bends: from its line to its middle joint.
fn side(pose: &Pose, [root, mid, tip]: [Joint; 3]) -> DVec3 {
    let [root, mid, tip] = [root, mid, tip].map(|joint| pose.position(joint));
    arc::unit_reject(mid - root, arc::unit(tip - root).unwrap(), 1e-6).unwrap()
}

#[test]
fn a_straight_limb_bends_as_it_prefers() {
    for (elbow, prefers, axis) in [
        (Kind::BALL, Some(DVec3::Y), DVec3::Y),
        (Kind::BALL, Some(DVec3::NEG_Z), DVec3::NEG_Z),
        (Kind::hinge(DVec3::Z), None, DVec3::Z),
        (Kind::hinge(DVec3::Z), Some(DVec3::NEG_Z), DVec3::NEG_Z),
    ] {
        let (skeleton, joints) = arm(elbow, prefers);
        let [root, mid, hand] = joints;
        let solver = TwoBone::new(&skeleton, root, mid, hand).unwrap();
        for seed in 0..50 {
            let rng = &mut Rng::with_seed(seed);
            // Exactly straight, straight up to rounding, folded flat.
            let hair = if elbow == Kind::BALL { 1e-12 } else { 0.0 };
            for angle in [0.0, hair, core::f64::consts::PI] {
                let given = bent(&skeleton, joints, DVec3::Z, angle, rng);
                let mut pose = given.clone();
                let from = given.position(root);
                let line = if angle > 1.0 { given.position(mid) - from } else { given.position(hand) - from };
                solve(&solver, &skeleton, &Goal::position(hand, from + line * 0.7), &mut pose);
                // Turned by the root's own turn: the middle joint goes to line × axis.
                let wanted = given.rotation(root) * DVec3::X.cross(axis);
                if angle < 1.0 {
                    let off = side(&pose, joints).distance(wanted);
                    assert!(off < 1e-6, "seed {seed}, {angle}: off by {off} {elbow:?} {prefers:?}");
                }
                assert!(pose.position(hand).distance(from + line * 0.7) < 1e-9);
            }
        }
    }
}

/// The elbow of a human bends back a little, or not at all. Whatever it is said to prefer, and on whichever side of straight it is
/// given, the shoulder turns no further than the fold asks.
#[test]
fn a_hinge_that_folds_to_one_side_rolls_no_root() {
    for back in [0.0, 0.2] {
        for prefers in [DVec3::Z, DVec3::NEG_Z] {
            let (skeleton, [root, mid, hand]) = arm(Kind::hinge(DVec3::Z).within(-back, 2.5), Some(prefers));
            let solver = TwoBone::new(&skeleton, root, mid, hand).unwrap();
            for value in [-0.2, -0.1, -1e-2, -1e-4, -1e-9, 0.0, 1e-9, 1e-4, 1e-2, 0.1] {
                let mut given = skeleton.rest_pose();
                given.edit(&skeleton).rotation(mid, Rotation::about(DVec3::Z, f64::max(value, -back)));
                for fold in [1e-3, 0.1, 0.5, 2.0] {
                    let (mut pose, reach) = (given.clone(), 2.0 * BONE * ops::sin_cos(0.5 * fold).1);
                    let from = pose.position(root);
                    let line = (pose.position(hand) - from).normalize();
                    solve(&solver, &skeleton, &Goal::position(hand, from + line * reach), &mut pose);
                    assert!(pose.position(hand).distance(from + line * reach) < 1e-9);
                    let turned = pose.local(root).rotation.angle_between(given.local(root).rotation);
                    let least = 0.5 * (fold + f64::abs(value)) + 1e-6;
                    assert!(
                        turned < least,
                        "back {back}, {prefers}, {value} to {fold}: the shoulder turns by {turned}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_bent_limb_keeps_its_plane_and_at_rest_goes_back() {
    let (skeleton, joints) = arm(Kind::BALL, Some(DVec3::Z));
    let [root, mid, hand] = joints;
    let kept = TwoBone::new(&skeleton, root, mid, hand).unwrap();
    assert_eq!(kept.bend, Bend::Given);
    let rest = TwoBone { bend: Bend::Rest, ..kept };
    let rng = &mut Rng::with_seed(5);
    let given = bent(&skeleton, joints, DVec3::Y, 1.0, rng);
    let from = given.position(root);
    let target = from + (given.position(hand) - from) * 0.8;
    let [mut by_given, mut by_rest, mut again] = [given.clone(), given.clone(), skeleton.rest_pose()];
    solve(&kept, &skeleton, &Goal::position(hand, target), &mut by_given);
    solve(&rest, &skeleton, &Goal::position(hand, target), &mut by_rest);
    solve(&rest, &skeleton, &Goal::position(hand, target), &mut again);
    assert!(side(&by_given, joints).distance(side(&given, joints)) < 1e-9);
    // The old rule: the pose given does not count.
    assert!(by_rest.position(mid).distance(again.position(mid)) < 1e-12);
    assert!(by_rest.position(mid).distance(by_given.position(mid)) > 0.05);
    // Auto from rest returns, too.
    let [mut by_auto, mut by_auto_again] = [given, skeleton.rest_pose()];
    let auto = Auto { start: Start::Rest, ..Auto::default() };
    solve(&auto, &skeleton, &Goal::position(hand, target).base(root), &mut by_auto);
    solve(&auto, &skeleton, &Goal::position(hand, target).base(root), &mut by_auto_again);
    assert!(by_auto.position(mid).distance(by_auto_again.position(mid)) < 1e-12);
}

/// An arm that swings and bends smoothly, through straight where `through`: frame `i` of many.
fn animated(skeleton: &Skeleton, [root, mid, _]: [Joint; 3], through: bool, i: u32) -> Pose {
    let t = 1e-4 * f64::from(i);
    let wave = |speed: f64, shift: f64| ops::sin_cos(speed * t * core::f64::consts::TAU + shift).0;
    let swing = arc::axis_angle(DVec3::Z, 0.8 * wave(1.0, 0.0)) * arc::axis_angle(DVec3::Y, 0.5 * wave(2.0, 1.0));
    let roll = arc::axis_angle(DVec3::X, 0.6 * wave(1.0, 2.0));
    let angle = if through { 0.3 * wave(1.0, 0.4) } else { 0.8 + 0.3 * wave(1.0, 0.4) };
    let lean = if through { 0.4 } else { 0.0 };
    let bend = arc::axis_angle(arc::unit(DVec3::new(0.0, lean, 1.0)).unwrap(), angle);
    let mut pose = skeleton.rest_pose();
    pose.edit(skeleton).rotation(root, swing * roll).rotation(mid, bend);
    pose
}

/// The middle joint's largest speed along an animated path that is fed anew each frame, over that of what is given: its
/// own, or the target's.
fn speed(through: bool, elbow: Kind, hand_at: impl Fn(DVec3, DVec3, u32) -> DVec3) -> f64 {
    let (skeleton, joints) = arm(elbow, Some(DVec3::Z));
    let [root, mid, hand] = joints;
    let solver = TwoBone::new(&skeleton, root, mid, hand).unwrap();
    let (mut fastest, mut last): (f64, Option<[DVec3; 3]>) = (0.0, None);
    for i in 0..10_000 {
        let given = animated(&skeleton, joints, through, i);
        let target = hand_at(given.position(root), given.position(hand), i);
        let mut pose = given.clone();
        solve(&solver, &skeleton, &Goal::position(hand, target), &mut pose);
        let now = [pose.position(mid), given.position(mid), target];
        if let Some(before) = last {
            let gone = |k: usize| now[k].distance(before[k]);
            fastest = fastest.max(gone(0) / gone(1).max(gone(2)));
        }
        last = Some(now);
    }
    fastest
}

#[test]
fn animated_limbs_move_smoothly() {
    let shifted = |_: DVec3, hand: DVec3, i: u32| hand + DVec3::Y * 0.03 * ops::sin_cos(1e-3 * f64::from(i)).0;
    let nearer = |root: DVec3, hand: DVec3, _: u32| root + (hand - root) * 0.9;
    for elbow in [Kind::BALL, Kind::hinge(DVec3::Z)] {
        let fastest = speed(false, elbow, shifted);
        assert!(fastest < 3.0, "{elbow:?} bent: {fastest}");
        // Through straight, where the other side of the line is half a turn away.
        let fastest = speed(true, elbow, nearer);
        assert!(fastest < 40.0, "{elbow:?} through straight: {fastest}");
    }
}

/// Adds a number's bits to a hash (FNV-1a).
fn add(bits: &mut u64, number: f64) {
    *bits = (*bits ^ number.to_bits()).wrapping_mul(0x0100_0000_01b3);
}

/// `Bend::Rest` gives the answers that limbs gave before they looked at the pose given, bit for bit, but for hinges that end
/// straight: those come in with the plane that they had.
#[test]
fn rest_answers_as_before() {
    let mut bits = 0xcbf2_9ce4_8422_2325_u64;
    for seed in 0..60 {
        let rng = &mut Rng::with_seed(seed);
        for (i, make) in RIGS.into_iter().enumerate() {
            let rig = make(rng);
            let skeleton = &rig.skeleton;
            let solver: Box<dyn Solver> = if let Some(low) = rig.low {
                let limb = ThreeLink::new(skeleton, rig.root, rig.mid, low, rig.tip).unwrap();
                Box::new(ThreeLink { bend: Bend::Rest, ..limb })
            } else {
                let limb = TwoBone::new(skeleton, rig.root, rig.mid, rig.tip).unwrap();
                Box::new(TwoBone { bend: Bend::Rest, ..limb })
            };
            let from = skeleton.rest_pose().position(rig.root);
            let (mut pose, mut work, mut swivel) = (rig.allowed_pose(rng), Workspace::default(), None);
            for frame in 0..4 {
                let goal = Goal::position(rig.tip, from + direction(rng) * rig.length() * 1.2 * rng.f64());
                let goal = if frame == 2 { goal.pole(Pole::Direction(direction(rng))) } else { goal };
                let goal = goal.swivel(swivel.filter(|_| frame > 1 && i % 2 == 0));
                let _ = solver.solve(skeleton, &[goal], &mut pose, &mut work);
                swivel = work.residuals()[0].swivel;
                for joint in rig.limb() {
                    let rotation: DQuat = pose.local(joint).rotation;
                    rotation.to_array().into_iter().for_each(|x| add(&mut bits, x));
                }
            }
        }
    }
    assert_eq!(bits, 0x832c_753a_f7d8_c17a, "{bits:#x}");
}

/// A pole without a direction asks for nothing: the answer is that to the goal without it.
#[test]
fn a_pole_without_a_direction_changes_nothing() {
    let rng = &mut Rng::with_seed(4);
    for _ in 0..40 {
        for make in RIGS {
            let rig = make(rng);
            let given = rig.allowed_pose(rng);
            let plain = Goal::position(rig.tip, rig.allowed_pose(rng).position(rig.tip));
            for solver in limbs(&rig) {
                let solve = |goal: Goal| {
                    let (mut pose, mut work) = (given.clone(), Workspace::default());
                    let outcome = solver.solve(&rig.skeleton, &[goal], &mut pose, &mut work);
                    (pose, outcome)
                };
                for goal in [plain, plain.weight(0.5)] {
                    assert_eq!(solve(goal.pole(Pole::Direction(DVec3::ZERO))), solve(goal), "{solver:?}");
                }
            }
        }
    }
}
