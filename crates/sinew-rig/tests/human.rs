//! The human's limits: the same anatomy whatever pose a rig rests in, and what a person can and cannot do.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::PathBuf;

use sinew::glam::{DAffine3, DQuat, DVec3};
use sinew::{Joint, JointSpec, Kind, Pose, Rotation, Skeleton, SkeletonBuilder, Transform};
use sinew_gltf::Character;
use sinew_rig::{BodyKind, Digit, Evidence, Human, Part, Recognition, Role, Side, recognize, reference};

fn human() -> Skeleton {
    Character::from_slice(include_bytes!("../../../rigs/human.glb"), None).unwrap().skeleton
}

fn limited(skeleton: &Skeleton) -> (Skeleton, Recognition) {
    let found = recognize(&Evidence::of(skeleton));
    let limited = Human::default().apply(skeleton, &found).unwrap();
    (limited, found)
}

/// Turns a joint in model space, from where it is.
fn turn(skeleton: &Skeleton, pose: &mut Pose, joint: Joint, axis: DVec3, degrees: f64) {
    let above = pose.rotation(skeleton.parent(joint).unwrap());
    let model = DQuat::from_axis_angle(axis, degrees.to_radians()) * pose.rotation(joint);
    pose.edit(skeleton).rotation(joint, Rotation::from(above.conjugate() * model));
}

/// Degrees from the joint's rotation to the nearest that it may take.
fn outside(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> f64 {
    let local = pose.local(joint);
    let near = pose.value(skeleton, joint);
    let nearest = skeleton.nearest_allowed(joint, local, near);
    // What lies off a hinge's axis does not count.
    let kept = match skeleton.kind(joint) {
        Kind::Hinge { .. } => skeleton
            .revised(|at, spec| {
                if at == joint
                    && let Kind::Hinge { axis, .. } = spec.kind
                {
                    spec.kind = Kind::hinge(axis);
                }
            })
            .map(|free| free.nearest_allowed(free.at(joint.index()).unwrap(), local, near))
            .unwrap(),
        _ => *local,
    };
    kept.rotation.angle_between(nearest.rotation).to_degrees()
}

/// Arms level, legs straight down.
fn t_pose(skeleton: &Skeleton, found: &Recognition) -> Pose {
    let mut pose = skeleton.rest_pose();
    for side in SIDES {
        let out = if side == Side::Left { DVec3::X } else { DVec3::NEG_X };
        let arm = [Part::UpperArm, Part::LowerArm, Part::Hand].map(|part| (part, out));
        let leg = [Part::UpperLeg, Part::LowerLeg].map(|part| (part, DVec3::NEG_Y));
        for (part, towards) in arm.into_iter().chain(leg) {
            let joint = found.joint(skeleton, Role::on(side, part)).unwrap();
            let next = match part {
                Part::Hand => Part::Finger(Digit::Middle, 0),
                Part::UpperArm => Part::LowerArm,
                Part::LowerArm => Part::Hand,
                Part::UpperLeg => Part::LowerLeg,
                _ => Part::Foot,
            };
            let next = found.joint(skeleton, Role::on(side, next)).unwrap();
            let bone = (pose.position(next) - pose.position(joint)).normalize();
            let turn = DQuat::from_rotation_arc(bone, towards) * pose.rotation(joint);
            let above = pose.rotation(skeleton.parent(joint).unwrap());
            pose.edit(skeleton).rotation(joint, Rotation::from(above.conjugate() * turn));
        }
    }
    pose
}

/// The skeleton with this pose as its rest.
fn resting(skeleton: &Skeleton, pose: &Pose) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    for index in 0..skeleton.len() {
        let joint = skeleton.from_caller(index).unwrap();
        let parent = skeleton.parent(joint).map(|parent| skeleton.caller_index(parent).into());
        let name = skeleton.name(joint).map(str::to_owned);
        builder.add(JointSpec {
            name,
            parent,
            rest: *pose.local(joint),
            base: *skeleton.base(joint),
            ..JointSpec::default()
        });
    }
    builder.spine("Head");
    builder.build().unwrap()
}

const SIDES: [Side; 2] = [Side::Left, Side::Right];

#[test]
fn a_human_at_rest_is_inside() {
    let plain = human();
    let (skeleton, _) = limited(&plain);
    let rest = skeleton.rest_pose();
    for joint in skeleton.iter() {
        let out = outside(&skeleton, &rest, joint);
        assert!(out < 1e-4, "{:?}: {out} degrees outside", skeleton.name(joint));
    }
    let limited =
        skeleton.iter().filter(|&joint| skeleton.kind(joint) != Kind::BALL && skeleton.kind(joint) != Kind::Fixed);
    assert_eq!(limited.count(), 21 + 30);
}

#[test]
fn a_person_can_do_this_and_not_that() {
    let plain = human();
    let (skeleton, found) = limited(&plain);
    let (left, up, forward) = (DVec3::X, DVec3::Y, DVec3::Z);
    let straight = t_pose(&skeleton, &recognize(&Evidence::of(&skeleton)));
    // Part, axis for the left side, degrees, whether a person can.
    let motions = [
        (Part::UpperArm, forward, 85.0, true),
        (Part::UpperArm, forward, -90.0, true),
        (Part::UpperArm, -up, 110.0, true),
        (Part::UpperArm, -up, -120.0, false),
        (Part::LowerArm, -up, 120.0, true),
        (Part::LowerArm, -up, -20.0, false),
        (Part::LowerArm, -up, 170.0, false),
        (Part::Hand, -forward, 60.0, true),
        (Part::Hand, -forward, 120.0, false),
        (Part::Hand, -left, 140.0, true),
        (Part::Hand, left, 60.0, false),
        (Part::UpperLeg, -left, 100.0, true),
        (Part::UpperLeg, left, 60.0, false),
        (Part::UpperLeg, forward, 30.0, true),
        (Part::UpperLeg, forward, -60.0, false),
        (Part::LowerLeg, left, 120.0, true),
        (Part::LowerLeg, left, -20.0, false),
        (Part::Foot, left, 40.0, true),
        (Part::Foot, -left, 45.0, false),
        (Part::Toes, -left, 60.0, true),
        (Part::Finger(Digit::Index, 0), -forward, 70.0, true),
        (Part::Finger(Digit::Index, 0), -forward, -70.0, false),
        (Part::Finger(Digit::Middle, 1), -forward, 80.0, true),
        (Part::Finger(Digit::Middle, 1), -forward, -45.0, false),
        (Part::Finger(Digit::Little, 2), -forward, 60.0, true),
    ];
    for side in SIDES {
        for (part, axis, degrees, can) in motions {
            // Axes mirror as axial vectors do.
            let axis = if side == Side::Left { axis } else { DVec3::new(axis.x, -axis.y, -axis.z) };
            let joint = found.joint(&plain, Role::on(side, part)).and_then(|joint| skeleton.at(joint.index())).unwrap();
            let mut pose = straight.clone();
            turn(&skeleton, &mut pose, joint, axis, degrees);
            let out = outside(&skeleton, &pose, joint);
            assert!(if can { out < 0.01 } else { out > 3.0 }, "{side:?} {part:?} {degrees}: {out} degrees outside");
        }
    }
    for (part, axis, degrees, can) in [
        (Part::Head, up, 35.0, true),
        (Part::Head, up, 90.0, false),
        (Part::Chest, left, 20.0, true),
        (Part::Chest, left, -40.0, false),
    ] {
        let joint = found.joint(&plain, Role::middle(part)).and_then(|joint| skeleton.at(joint.index())).unwrap();
        let mut pose = skeleton.rest_pose();
        turn(&skeleton, &mut pose, joint, axis, degrees);
        let out = outside(&skeleton, &pose, joint);
        assert!(if can { out < 0.01 } else { out > 3.0 }, "{part:?} {degrees}: {out}");
    }
}

/// Rests as rigs have them: A-pose, hanging arms, bent elbows and knees, arms ahead, and turned about.
fn rests(plain: &Skeleton, found: &Recognition) -> Vec<(&'static str, Skeleton)> {
    let part = |side, part| found.joint(plain, Role::on(side, part)).unwrap();
    let (left, up, forward) = (DVec3::X, DVec3::Y, DVec3::Z);
    // The elbow's own axis goes down with the arm.
    let elbow = DQuat::from_axis_angle(-forward, 40_f64.to_radians()) * -up;
    let posed = |moves: &[(Part, DVec3, f64)]| {
        let mut pose = plain.rest_pose();
        for side in SIDES {
            for &(of, axis, degrees) in moves {
                let axis = if side == Side::Left { axis } else { DVec3::new(axis.x, -axis.y, -axis.z) };
                turn(plain, &mut pose, part(side, of), axis, degrees);
            }
        }
        resting(plain, &pose)
    };
    vec![
        ("A-pose", posed(&[(Part::UpperArm, -forward, 45.0)])),
        ("hanging", posed(&[(Part::UpperArm, -forward, 85.0)])),
        ("bent arms", posed(&[(Part::UpperArm, -forward, 40.0), (Part::LowerArm, elbow, 30.0)])),
        ("arms ahead", posed(&[(Part::UpperArm, -up, 85.0)])),
        ("crouching", posed(&[(Part::UpperLeg, -left, 40.0), (Part::LowerLeg, left, 70.0), (Part::Foot, -left, 30.0)])),
        ("fists", posed(&[(Part::Finger(Digit::Index, 0), -forward, 60.0)])),
    ]
}

#[test]
fn every_rest_pose_gets_the_same_anatomy() {
    let plain = human();
    let plain = resting(&plain, &t_pose(&plain, &recognize(&Evidence::of(&plain))));
    let (wanted, found) = limited(&plain);
    let mut rng = fastrand::Rng::with_seed(7);
    for (name, skeleton) in rests(&plain, &found) {
        let (other, _) = limited(&skeleton);
        for joint in wanted.iter() {
            let same = other.at(joint.index()).unwrap();
            assert_eq!(wanted.name(joint), other.name(same));
            for _ in 0..40 {
                let q =
                    DQuat::from_xyzw(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5).normalize();
                let local = Transform { rotation: q, ..*wanted.rest(joint) };
                // How far outside: the nearest itself may be on either side of a far one.
                let miss =
                    |skeleton: &Skeleton, joint| q.angle_between(skeleton.nearest_allowed(joint, &local, 0.0).rotation);
                let apart = (miss(&wanted, joint) - miss(&other, same)).abs().to_degrees();
                // Fingers do not curl about the axis by which they are turned here.
                let most = if name == "fists" { 10.0 } else { 1.0 };
                assert!(apart < most, "{name}: {:?} differs by {apart} degrees", wanted.name(joint));
            }
        }
    }
}

#[test]
fn limits_move_with_the_model_and_its_mirror() {
    let plain = human();
    let (wanted, _) = limited(&plain);
    for base in [
        DAffine3::from_rotation_x(-1.57) * DAffine3::from_scale(DVec3::splat(100.0)),
        DAffine3::from_rotation_y(2.0),
        DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0)),
    ] {
        let moved = plain.revised(|_, spec| spec.base = base * spec.base).unwrap();
        let up = base.transform_vector3(DVec3::Y).normalize();
        let found = recognize(&Evidence { up, ..Evidence::of(&moved) });
        let other = Human::default().apply(&moved, &found).unwrap();
        let mut rng = fastrand::Rng::with_seed(3);
        for joint in wanted.iter() {
            let same = other.at(joint.index()).unwrap();
            let q = DQuat::from_xyzw(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5).normalize();
            let local = Transform { rotation: q, ..*wanted.rest(joint) };
            let (a, b) = (wanted.nearest_allowed(joint, &local, 0.0), other.nearest_allowed(same, &local, 0.0));
            let apart = a.rotation.angle_between(b.rotation).to_degrees();
            assert!(apart < 0.1, "{base:?}: {:?} differs by {apart} degrees", wanted.name(joint));
        }
    }
}

#[test]
fn bends_and_masses() {
    let plain = human();
    let found = recognize(&Evidence::of(&plain));
    let skeleton = Human { mass: 80.0 }.apply(&plain, &found).unwrap();
    let rest = skeleton.rest_pose();
    let (mut mass, mut center) = (0.0, DVec3::ZERO);
    for joint in skeleton.iter() {
        let own = skeleton.mass(joint);
        mass += own.mass;
        center += rest.model(joint).transform_point3(own.center) * own.mass;
    }
    let center = center / mass;
    assert!((mass - 80.0).abs() < 0.1, "{mass}");
    // The centre of a standing body lies at about 0.55 of its height, in the hips; with level arms a little higher.
    assert!((0.52..0.62).contains(&(center.y / 1.8)) && center.x.abs() < 1e-3 && center.z.abs() < 0.05, "{center}");
    for side in SIDES {
        for (part, towards) in [(Part::LowerArm, DVec3::Z), (Part::LowerLeg, DVec3::NEG_Z)] {
            let joint = found.joint(&plain, Role::on(side, part)).and_then(|joint| skeleton.at(joint.index())).unwrap();
            let axis = rest.rotation(joint) * skeleton.bend(joint).unwrap();
            let child = skeleton.children(joint).next().unwrap();
            let bone = rest.position(child) - rest.position(joint);
            let folded = DQuat::from_axis_angle(axis, 0.5) * bone - bone;
            assert!(folded.normalize().dot(towards) > 0.7, "{side:?} {part:?}: {folded}");
        }
    }
    let untouched = Human { mass: 0.0 }.apply(&plain, &found).unwrap();
    assert!(untouched.iter().all(|joint| untouched.mass(joint).mass == 0.0));
    assert!(Human { mass: -1.0 }.apply(&plain, &found).is_err());
    assert!(Human { mass: f64::NAN }.apply(&plain, &found).is_err());
}

/// A hand cut from the human, with or without a joint above that is no part of a body.
fn lone_hand(control: bool) -> Skeleton {
    let whole = human();
    let rest = whole.rest_pose();
    let hand = recognize(&Evidence::of(&whole)).joint(&whole, Role::on(Side::Left, Part::Hand)).unwrap();
    let mut builder = SkeletonBuilder::new();
    let first = usize::from(control);
    if control {
        builder.add(JointSpec::named("Armature"));
    }
    for joint in whole.iter().filter(|&joint| whole.is_below(joint, hand)) {
        let mut spec = JointSpec::named(whole.name(joint).unwrap()).rest(*whole.rest(joint));
        if joint == hand {
            let (_, rotation, translation) = rest.model(hand).to_scale_rotation_translation();
            spec.rest = Transform { translation, rotation, ..Transform::IDENTITY };
            if control {
                spec = spec.child_of(0);
            }
        } else {
            let parent = whole.parent(joint).unwrap();
            spec = spec.child_of(first + parent.index() - hand.index());
        }
        builder.add(spec);
    }
    builder.build().unwrap()
}

/// The folder of real characters.
fn characters() -> PathBuf {
    PathBuf::from(std::env::var_os("SINEW_TEST_DATA").expect("SINEW_TEST_DATA names the folder of real files"))
        .join("gltf")
}

/// A wrist is bent against a forearm: the wrist of a hand alone is free to turn, and its fingers are a human's.
#[test]
fn a_hand_alone_keeps_its_wrist() {
    keep_their_wrists([lone_hand(false), lone_hand(true)]);
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn real_hands_alone_keep_their_wrists() {
    let load = |file| sinew_gltf::load(characters().join(file)).unwrap().skeleton;
    keep_their_wrists(["webxr_hand_left.glb", "webxr_hand_right.glb"].map(load));
}

fn keep_their_wrists(hands: [Skeleton; 2]) {
    for plain in hands {
        let (skeleton, found) = limited(&plain);
        let wrist = plain.iter().find(|&joint| found.role(joint).is_some_and(|guess| guess.role.part == Part::Hand));
        let wrist = wrist.or(plain.roots().next()).unwrap();
        assert_eq!(skeleton.kind(skeleton.at(wrist.index()).unwrap()), plain.kind(wrist));
        let limits = skeleton.iter().filter(|&joint| skeleton.kind(joint) != Kind::BALL).count();
        assert!(limits >= 14, "{limits} of its joints have limits");
        let (rest, neutral) = (skeleton.rest_pose(), skeleton.neutral_pose());
        for joint in skeleton.roots() {
            assert_eq!(rest.local(joint), neutral.local(joint), "{:?} turns to get inside", skeleton.name(joint));
        }
    }
}

/// What people do lies inside a human's limits, but for elbows and knees that stretch a little too far.
#[test]
#[ignore = "needs motion capture: SINEW_TEST_DATA"]
fn real_motion_lies_inside() {
    let data = PathBuf::from(std::env::var_os("SINEW_TEST_DATA").unwrap());
    let (mut all, mut out, mut far) = (0, 0, 0);
    for file in [
        "bvh/cmu_01_01_jumps",
        "bvh/cmu_131_01_start_walk_stop",
        "bvh/fair1_dab",
        "bvh/fair1_zombie",
        "bvh/pymo_8walk",
        "mocap/deepmimic_cartwheel",
        "mocap/rokoko_jesse_dance",
    ] {
        let mut clip = sinew_bvh::load(data.join(format!("{file}.bvh"))).unwrap();
        let at = |frame: usize, pose: &mut Pose| {
            clip.pose_frame(frame, pose);
        };
        clip.skeleton = reference::find(&Evidence::of_bvh(&clip), clip.motion.len(), at).skeleton;
        let (skeleton, _) = limited(&clip.skeleton);
        let mut pose = skeleton.rest_pose();
        clip.skeleton = skeleton.clone();
        for frame in (0..clip.motion.len()).step_by(5) {
            clip.pose_frame(frame, &mut pose);
            for joint in skeleton.iter().filter(|&joint| !matches!(skeleton.kind(joint), Kind::BALL | Kind::Fixed)) {
                let off = outside(&skeleton, &pose, joint);
                (all, out, far) = (all + 1, out + u32::from(off > 0.01), far + u32::from(off > 10.0));
            }
        }
    }
    assert!(all > 10_000);
    let share = |count: u32| 100.0 * f64::from(count) / f64::from(all);
    assert!(share(out) < 0.1 && share(far) < 0.02, "{:.3} % outside, {:.3} % far", share(out), share(far));
}

/// Rigs of others rest inside a human's limits, or nearly: their makers bend collar bones and feet as they like.
#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn rigs_of_others_rest_inside() {
    let folder = characters();
    let mut seen = 0;
    for file in [
        "CesiumMan.glb",
        "kaykit_Knight.glb",
        "wildjam_Player.glb",
        "godot_platformer_player.glb",
        "cryptovoxels.vrm",
        "isBinary_Overridden.vrm",
    ] {
        let character = sinew_gltf::load(folder.join(file)).unwrap();
        let plain = &character.skeleton;
        let found = recognize(&Evidence::of_character(&character));
        assert_eq!(found.body, BodyKind::Humanoid);
        let skeleton = Human::default().apply(plain, &found).unwrap();
        let rest = skeleton.rest_pose();
        for joint in skeleton.iter() {
            let out = outside(&skeleton, &rest, joint);
            if out > 1.0 {
                println!("{file}: {:?} {} is {out:.1} degrees outside", skeleton.name(joint), joint.index());
            }
            assert!(out < 45.0, "{file}: {:?} is {out} degrees outside", skeleton.name(joint));
            seen += 1;
        }
    }
    assert!(seen > 150);
}
