//! The judge is not taken in: what is not met, not inside its limits or not in one piece is never called met.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::iter;

use sinew::glam::{DQuat, DVec3};
use sinew::limit::{Range, SwingTwist};
use sinew::{BallLimit, Goal, Joint, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder, Target, Transform};
use sinew_bench::answer::Answer;
use sinew_bench::humanoids::Humanoid;
use sinew_bench::judge::arm::ArmJudge;
use sinew_bench::judge::humanoid::judge;
use sinew_bench::judge::{Bone, Verdict, limbs};
use sinew_bench::limb::Limb;

/// What is met, and a fault that is far more than rounding and not much more than that.
const MET: [f64; 2] = [1e-6; 2];
const FAULT: f64 = 3e-6;

/// One joint of each kind in a row, and two tips beside one another.
fn rig() -> (Skeleton, [Joint; 7]) {
    let cone = SwingTwist::new(DVec3::Y, 0.5, Range::new(-0.3, 0.3)).unwrap();
    let kinds = [
        ("base", None, Kind::Free),
        ("ball", Some(0), Kind::Ball(BallLimit::SwingTwist(cone))),
        ("hinge", Some(1), Kind::hinge(DVec3::X).within(-0.4, 0.6)),
        ("slide", Some(2), Kind::slide(DVec3::Y).within(-0.1, 0.2)),
        ("fixed", Some(3), Kind::Fixed),
        ("tip", Some(4), Kind::BALL),
        ("other", Some(4), Kind::BALL),
    ];
    let mut builder = SkeletonBuilder::new();
    for (number, (name, parent, kind)) in kinds.into_iter().enumerate() {
        let spec = JointSpec::named(name).kind(kind).translation(DVec3::new(0.01 * number as f64, 0.3, 0.0));
        builder.add(parent.map_or(spec.clone(), |parent| spec.child_of(parent)));
    }
    let skeleton = builder.build().unwrap();
    let joints = skeleton.joints(kinds.map(|(name, ..)| name)).unwrap();
    (skeleton, joints)
}

/// A pose inside all limits, and away from where it rests.
fn posed(skeleton: &Skeleton, [base, ball, hinge, slide, ..]: [Joint; 7]) -> Pose {
    let mut pose = skeleton.rest_pose();
    let at = |joint| *skeleton.rest(joint);
    let turned = |joint, turn: DVec3| Transform { rotation: DQuat::from_scaled_axis(turn), ..at(joint) };
    pose.edit(skeleton)
        .local(base, Transform { translation: DVec3::new(1.0, -2.0, 0.5), ..turned(base, DVec3::new(0.4, 1.0, -0.7)) })
        .local(ball, turned(ball, DVec3::new(0.2, 0.1, -0.15)))
        .local(hinge, turned(hinge, DVec3::X * 0.3))
        .local(slide, Transform { translation: at(slide).translation + DVec3::Y * 0.15, ..at(slide) });
    pose
}

/// Goals of every kind that the judge looks at, all met by the pose.
fn goals(pose: &Pose, [_, ball, hinge, _, _, tip, other]: [Joint; 7]) -> Vec<Goal> {
    let offset = DVec3::new(0.1, 0.2, -0.1);
    let from = pose.model(ball).inverse();
    let turn = pose.rotation(ball).conjugate() * pose.rotation(other);
    vec![
        Goal::position(hinge, pose.position(hinge)),
        Goal::position(tip, pose.model(tip).transform_point3(offset)).offset(offset),
        Goal::rotation(other, pose.rotation(other)),
        Goal::frame(other, from.transform_point3(pose.position(other)), turn).relative_to(ball),
        Goal::aim(tip, DVec3::Z, pose.model(tip).transform_point3(DVec3::Z * 2.0)),
    ]
}

fn verdict(skeleton: &Skeleton, pose: &Pose, goals: &[Goal]) -> Verdict {
    Verdict::of(skeleton, pose, goals.iter().copied(), skeleton.iter())
}

#[test]
fn a_pose_that_meets_all_is_met() {
    let (skeleton, joints) = rig();
    let pose = posed(&skeleton, joints);
    let verdict = verdict(&skeleton, &pose, &goals(&pose, joints));
    assert!(verdict.is_met([1e-14; 2], 0.0), "{verdict:?}");
}

#[test]
fn a_goal_that_is_missed_is_seen_whichever_it_is() {
    let (skeleton, joints) = rig();
    let [base, .., fixed, tip, other] = joints;
    let pose = posed(&skeleton, joints);
    let met = goals(&pose, joints);
    let (by, turn) = (DVec3::Z * FAULT, DQuat::from_rotation_z(FAULT));
    let place = pose.position(tip);
    // What is met by another joint, by the joint without its offset, by what it is relative to, or by the other half of a turn.
    let faults = [
        ("beside", Goal::position(tip, place + by)),
        ("at another joint's place", Goal::position(other, place)),
        ("at its parent's place", Goal::position(tip, pose.position(fixed))),
        ("without its offset", Goal::position(tip, place).offset(DVec3::X * FAULT)),
        ("in model space", Goal::position(tip, place).relative_to(base)),
        ("in the base's space", Goal::position(tip, pose.model(base).inverse().transform_point3(place))),
        ("turned", Goal::rotation(tip, pose.rotation(tip) * turn)),
        ("turned by half a turn", Goal::rotation(tip, pose.rotation(tip) * DQuat::from_rotation_y(3.1))),
        ("in its place, turned", Goal::frame(tip, place, pose.rotation(tip) * turn)),
        ("as it was turned, beside", Goal::frame(tip, place + by, pose.rotation(tip))),
        ("turned in model space", Goal::frame(tip, place, pose.rotation(tip)).relative_to(base)),
        ("aimed beside", Goal::aim(tip, DVec3::Z, pose.model(tip).transform_point3(DVec3::Z * 2.0) + by)),
        ("aimed away", Goal::aim(tip, DVec3::NEG_Z, pose.model(tip).transform_point3(DVec3::Z * 2.0))),
        ("aimed at nothing", Goal::aim(tip, DVec3::Z, DVec3::NAN)),
        ("nowhere", Goal::position(tip, DVec3::NAN)),
        ("infinitely far", Goal::position(tip, DVec3::INFINITY)),
        ("no rotation", Goal::frame(tip, place, DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0))),
    ];
    for (name, fault) in faults {
        for at in 0..=met.len() {
            let mut goals = met.clone();
            goals.insert(at, fault);
            let verdict = verdict(&skeleton, &pose, &goals);
            assert!(!verdict.is_met(MET, 0.0), "{name}, goal {at}: {verdict:?}");
        }
    }
}

/// Every goal is asked of the faulty pose, so that all of them are met there.
#[test]
fn a_joint_outside_its_limit_or_out_of_its_place_is_seen_whichever_it_is() {
    let (skeleton, joints) = rig();
    let [base, ball, hinge, slide, fixed, tip, _] = joints;
    let good = posed(&skeleton, joints);
    let turned = |joint: Joint, axis: DVec3, by: f64| {
        let local = *good.local(joint);
        (joint, Transform { rotation: skeleton.rest(joint).rotation * DQuat::from_axis_angle(axis, by), ..local })
    };
    let moved = |joint: Joint, by: DVec3| {
        let local = *good.local(joint);
        (joint, Transform { translation: local.translation + by, ..local })
    };
    let scaled = |joint: Joint, by: f64| (joint, Transform { scale: DVec3::new(1.0, by, 1.0), ..*good.local(joint) });
    let raw = |joint: Joint, rotation: [f64; 4]| {
        (joint, Transform { rotation: DQuat::from_array(rotation), ..*good.local(joint) })
    };
    let faults = [
        ("a hinge too far", turned(hinge, DVec3::X, 0.6 + FAULT)),
        ("a hinge too far back", turned(hinge, DVec3::X, -0.4 - FAULT)),
        ("a hinge off its axis", turned(hinge, DVec3::Y, FAULT)),
        ("a ball outside its cone", turned(ball, DVec3::X, 0.5 + FAULT)),
        ("a ball twisted too far", turned(ball, DVec3::Y, -0.3 - FAULT)),
        ("a slide turned", turned(slide, DVec3::Z, FAULT)),
        ("a slide too far", moved(slide, DVec3::Y * (0.05 + FAULT))),
        ("a slide off its axis", moved(slide, DVec3::X * FAULT)),
        ("what is fixed turned", turned(fixed, DVec3::Z, FAULT)),
        ("a hinge out of its place", moved(hinge, DVec3::Y * FAULT)),
        ("a ball out of its place", moved(ball, DVec3::Z * FAULT)),
        ("a tip out of its place", moved(tip, DVec3::X * FAULT)),
        ("what is fixed out of its place", moved(fixed, DVec3::X * FAULT)),
        ("a scale", scaled(base, 1.0 + FAULT)),
        ("a scale of NaN", scaled(slide, f64::NAN)),
        ("a rotation of NaN", raw(tip, [f64::NAN; 4])),
        ("no rotation", raw(tip, [0.0; 4])),
        ("half a rotation", raw(base, [0.0, 0.0, 0.0, 0.5])),
        ("a base that is nowhere", moved(base, DVec3::NAN)),
        ("a base infinitely far", moved(base, DVec3::X * f64::INFINITY)),
    ];
    for (name, (joint, local)) in faults {
        let mut pose = good.clone();
        pose.edit(&skeleton).local(joint, local);
        for goals in [goals(&pose, joints), Vec::new()] {
            let verdict = verdict(&skeleton, &pose, &goals);
            assert!(!verdict.is_met(MET, 0.0), "{name}: {verdict:?}");
        }
    }
}

/// At its limit a joint is inside.
#[test]
fn a_joint_at_its_limit_is_let_pass() {
    let (skeleton, joints) = rig();
    let mut pose = posed(&skeleton, joints);
    let coordinates = skeleton.coordinates();
    let ends: Vec<f64> = coordinates.iter().map(|spec| spec.range.max).collect();
    for (coordinate, end) in ends.into_iter().enumerate() {
        pose.edit(&skeleton).coordinate(coordinate, end);
    }
    assert!(verdict(&skeleton, &pose, &goals(&pose, joints)).is_met(MET, 0.0));
}

#[test]
fn values_of_an_arm_that_are_none_are_seen() {
    let (skeleton, [base, .., fixed, _, other]) = rig();
    let mut judge = ArmJudge::new(&skeleton, [base, fixed], &[0, 1]);
    let there = [0.3, 0.15];
    let (place, turn) = judge.place(&there);
    assert!(judge.verdict(place, Some(turn), &there).is_met(MET, 0.0));
    let faults: [&[f64]; 7] = [
        &[],
        &[0.3],
        &[0.3, 0.15, 0.0],
        &[f64::NAN, 0.15],
        &[0.3, f64::INFINITY],
        &[0.3 + FAULT, 0.15],
        &[0.3, 0.15 + FAULT],
    ];
    for values in faults {
        let verdict = judge.verdict(place, Some(turn), values);
        assert!(!verdict.is_met(MET, 0.0), "{values:?}: {verdict:?}");
    }
    // Where they lead is asked for, but outside the ranges, or a whole turn away.
    for outside in [[0.6 + FAULT, 0.15], [0.3, 0.2 + FAULT], [0.3 + core::f64::consts::TAU, 0.15]] {
        let (place, turn) = judge.place(&outside);
        assert!(!judge.verdict(place, Some(turn), &outside).is_met(MET, 0.0), "{outside:?}");
        assert!(!judge.verdict(place, None, &outside).is_met(MET, 0.0), "{outside:?}");
    }
    // Another tip, and a rotation that was not asked for.
    assert!(!ArmJudge::new(&skeleton, [base, other], &[0, 1]).verdict(place, Some(turn), &there).is_met(MET, 0.0));
    let aside = turn * DQuat::from_rotation_x(FAULT);
    assert!(!judge.verdict(place, Some(aside), &there).is_met(MET, 0.0));
    assert!(judge.verdict(place, None, &there).is_met(MET, 0.0));
    assert!(!judge.verdict(place + DVec3::Y * FAULT, None, &there).is_met(MET, 0.0));
}

#[test]
fn points_apart_from_their_places_or_from_one_another_are_seen() {
    let points = [DVec3::ZERO, DVec3::X, DVec3::X + DVec3::Y * 0.5];
    let bones = [([0, 1], 1.0), ([1, 2], 0.5)].map(|(ends, length)| Bone { ends, length, unit: length });
    let of = |points: &[DVec3], target: (usize, DVec3)| {
        Verdict::of_points(points, iter::once(target), &bones).is_met(MET, 0.0)
    };
    assert!(of(&points, (2, points[2])));
    assert!(!of(&points, (1, points[2])), "the wrong point");
    assert!(!of(&points, (2, points[2] + DVec3::Z * FAULT)), "beside");
    for (point, axis) in [(0, DVec3::X), (1, DVec3::X), (2, DVec3::Y)] {
        for by in [FAULT, -FAULT, f64::NAN, f64::INFINITY] {
            let mut torn = points;
            torn[point] += axis * by;
            assert!(!of(&torn, (2, torn[2])), "a bone longer by {by} at {point}");
        }
    }
}

#[test]
fn a_limb_with_a_longer_bone_or_beside_its_target_is_seen() {
    let limb = Limb {
        lengths: [0.3, 0.25],
        root: DQuat::IDENTITY,
        bend: 0.0,
        target: DVec3::X * 0.55,
        pole: DVec3::Y,
        class: 7,
    };
    let error = |mid: DVec3, tip: DVec3| limbs::judge(iter::once((&limb, Answer::Positions([mid, tip]))))[&7].error;
    let (mid, tip) = (DVec3::X * 0.3, DVec3::X * 0.55);
    assert!(error(mid, tip) < 1e-15);
    for (mid, tip) in [
        (mid + DVec3::X * FAULT, tip),
        (mid - DVec3::X * FAULT, tip),
        (mid, tip + DVec3::X * FAULT),
        (mid, tip + DVec3::Y * FAULT),
        (mid, DVec3::X * 0.05),
    ] {
        assert!(error(mid, tip) > 0.9 * FAULT, "{mid} {tip}");
    }
    let broken = [DVec3::NAN, DVec3::INFINITY].map(|point| (&limb, Answer::Positions([point, tip])));
    assert_eq!(limbs::judge(broken.into_iter())[&7].broken, 2);
}

#[test]
fn a_body_with_one_fault_is_not_reached() {
    let body = Humanoid::built_in().unwrap();
    let skeleton = &body.skeleton;
    let good = skeleton.neutral_pose();
    let places = |pose: &Pose| body.targets_in(pose, false);
    assert!(judge(&body, &places(&good), &good).is_reached());
    // Every joint in turn, its goals asked where they came to be.
    for joint in skeleton.iter().filter(|&joint| skeleton.kind(joint) != Kind::Free) {
        let local = *good.local(joint);
        let faults = [
            ("apart", Transform { translation: local.translation + DVec3::Y * FAULT, ..local }),
            ("scaled", Transform { scale: local.scale * (1.0 + FAULT), ..local }),
            ("no number", Transform { rotation: DQuat::NAN, ..local }),
        ];
        for (name, fault) in faults {
            let mut pose = good.clone();
            pose.edit(skeleton).local(joint, fault);
            assert!(!judge(&body, &places(&pose), &pose).is_reached(), "{:?} is {name}", skeleton.name(joint));
        }
    }
    // Any goal missed, and hands that are where the other is asked to be.
    for goal in 0..5 {
        let mut targets = places(&good);
        targets[goal] = Target::Position(DVec3::NAN);
        assert!(!judge(&body, &targets, &good).is_reached(), "goal {goal}");
    }
    let [left, right, a, b, c] = places(&good);
    assert!(!judge(&body, &[right, left, a, b, c], &good).is_reached());
}
