//! Motion files whose rest pose is no pose: a body is recognised in a frame that is one, and its limits fit that frame.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::fmt::Write as _;

use sinew::glam::{DQuat, DVec3};
use sinew::math::arc;
use sinew::{Pose, Rotation, Skeleton};
use sinew_bvh::Bvh;
use sinew_rig::{BodyKind, Evidence, Human, LimbKind, Reference, Side, recognize, reference};

/// A human in its T-pose, Y up, looking along +Z: name, parent, offset; ends have none.
const HUMAN: [(&str, usize, [f64; 3]); 24] = [
    ("Hips", 0, [0.0, 95.0, 0.0]),
    ("Spine", 0, [0.0, 12.0, 0.0]),
    ("Chest", 1, [0.0, 20.0, 0.0]),
    ("Neck", 2, [0.0, 22.0, 0.0]),
    ("Head", 3, [0.0, 10.0, 0.0]),
    ("", 4, [0.0, 18.0, 0.0]),
    ("LeftShoulder", 2, [3.0, 17.0, 0.0]),
    ("LeftArm", 6, [14.0, 0.0, 0.0]),
    ("LeftForeArm", 7, [28.0, 0.0, 0.0]),
    ("LeftHand", 8, [26.0, 0.0, 0.0]),
    ("", 9, [18.0, 0.0, 0.0]),
    ("RightShoulder", 2, [-3.0, 17.0, 0.0]),
    ("RightArm", 11, [-14.0, 0.0, 0.0]),
    ("RightForeArm", 12, [-28.0, 0.0, 0.0]),
    ("RightHand", 13, [-26.0, 0.0, 0.0]),
    ("", 14, [-18.0, 0.0, 0.0]),
    ("LeftUpLeg", 0, [9.0, -4.0, 0.0]),
    ("LeftLeg", 16, [0.0, -42.0, 1.0]),
    ("LeftFoot", 17, [0.0, -41.0, -1.0]),
    ("", 18, [0.0, -7.0, 16.0]),
    ("RightUpLeg", 0, [-9.0, -4.0, 0.0]),
    ("RightLeg", 20, [0.0, -42.0, 1.0]),
    ("RightFoot", 21, [0.0, -41.0, -1.0]),
    ("", 22, [0.0, -7.0, 16.0]),
];

/// What joints do in a frame: turns in the axes of the T-pose.
type Turns = &'static [(&'static str, [f64; 3], f64)];

/// Sitting with the arms ahead, arms overhead, the T-pose, a step.
const FRAMES: [Turns; 4] = [
    &[
        ("LeftUpLeg", [1.0, 0.0, 0.0], -1.5),
        ("RightUpLeg", [1.0, 0.0, 0.0], -1.5),
        ("LeftArm", [0.0, 1.0, 0.0], -1.5),
        ("RightArm", [0.0, 1.0, 0.0], 1.5),
    ],
    &[("LeftArm", [0.0, 0.0, 1.0], 1.4), ("RightArm", [0.0, 0.0, 1.0], -1.4)],
    &[],
    &[("LeftUpLeg", [1.0, 0.0, 0.0], -0.5), ("RightUpLeg", [1.0, 0.0, 0.0], 0.5), ("RightLeg", [1.0, 0.0, 0.0], 0.7)],
];

/// Each joint's rotation when the body stands in its T-pose, where the file rests without any: `own` by joint.
fn clip(own: &[DQuat; HUMAN.len()], frames: &[Turns]) -> Bvh {
    let offset = |index: usize| {
        let (_, parent, offset) = HUMAN[index];
        let above = if index == 0 { DQuat::IDENTITY } else { own[parent] };
        above.conjugate() * DVec3::from(offset)
    };
    let (mut text, mut open) = ("HIERARCHY\n".to_owned(), Vec::new());
    for (index, (name, parent, _)) in HUMAN.into_iter().enumerate() {
        while index > 0 && open.last() != Some(&parent) {
            open.pop();
            text += "}\n";
        }
        let word = if index == 0 { "ROOT " } else { "JOINT " };
        let begin = if name.is_empty() { "End Site".to_owned() } else { word.to_owned() + name };
        let DVec3 { x, y, z } = offset(index);
        writeln!(text, "{begin}\n{{\nOFFSET {x} {y} {z}").unwrap();
        match (index, name) {
            (_, "") => {}
            (0, _) => text += "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n",
            _ => text += "CHANNELS 3 Zrotation Xrotation Yrotation\n",
        }
        open.push(index);
    }
    text += &"}\n".repeat(open.len());
    let mut clip = sinew_bvh::parse(text.as_bytes()).unwrap();
    for turns in frames {
        let mut pose = clip.skeleton.rest_pose();
        let mut edit = pose.edit(&clip.skeleton);
        for (index, (name, parent, _)) in HUMAN.into_iter().enumerate().filter(|(_, (name, ..))| !name.is_empty()) {
            let turn = turns.iter().find(|(joint, ..)| *joint == name);
            let turn = turn.map_or(DQuat::IDENTITY, |&(_, axis, angle)| Rotation::about(axis, angle).quaternion());
            let above = if index == 0 { DQuat::IDENTITY } else { own[parent] };
            edit.rotation(clip.skeleton.from_caller(index).unwrap(), above.conjugate() * turn * own[index]);
        }
        drop(edit);
        let mut row = vec![0.0; clip.motion.channels()];
        clip.record(&pose, &mut row);
        clip.motion.push(&row);
    }
    clip
}

fn found(clip: &Bvh) -> Reference {
    reference::find(&Evidence::of_bvh(clip), clip.motion.len(), |frame, pose: &mut Pose| {
        clip.pose_frame(frame, pose);
    })
}

/// The rest pose is the T-pose.
fn plain() -> [DQuat; HUMAN.len()] {
    [DQuat::IDENTITY; HUMAN.len()]
}

/// At rest all first bones lie along +X.
fn along_x() -> [DQuat; HUMAN.len()] {
    let child = |index: usize| (index + 1..HUMAN.len()).find(|&child| HUMAN[child].1 == index);
    let offset = |child: usize| DVec3::from(HUMAN[child].2).normalize();
    std::array::from_fn(|index| {
        child(index).map_or(DQuat::IDENTITY, |child| arc::arc(DVec3::X, offset(child), DVec3::Z))
    })
}

/// The whole body is turned at rest.
fn turned(axis: DVec3, angle: f64) -> [DQuat; HUMAN.len()] {
    [Rotation::about(axis, angle).quaternion(); HUMAN.len()]
}

/// The human at rest in the T-pose.
fn standing() -> Skeleton {
    clip(&plain(), &[]).skeleton
}

#[test]
fn a_rest_that_is_a_pose_is_taken() {
    for frames in [&FRAMES[..], &[]] {
        let reference = found(&clip(&plain(), frames));
        assert_eq!((reference.frame, reference.reason.as_str()), (None, "a T-pose"));
        assert_eq!(reference.skeleton.rest_pose(), standing().rest_pose());
    }
}

#[test]
fn a_rest_that_is_none_gives_way_to_the_frame_that_stands() {
    let quarter = core::f64::consts::FRAC_PI_2;
    for (own, what) in [
        (along_x(), "all bones along one axis"),
        (turned(DVec3::X, quarter), "on its back"),
        (turned(DVec3::X, -quarter), "on its face, Z down"),
        (turned(DVec3::Z, quarter), "on its side"),
    ] {
        let clip = clip(&own, &FRAMES);
        let reference = found(&clip);
        assert_eq!(reference.frame, Some(2), "{what}: {}", reference.reason);
        assert!(reference.reason.contains("T-pose"), "{what}: {}", reference.reason);
        let places = |skeleton: &Skeleton| {
            let rest = skeleton.rest_pose();
            (0..HUMAN.len()).map(|index| rest.position(skeleton.from_caller(index).unwrap())).collect::<Vec<_>>()
        };
        let apart = places(&reference.skeleton).into_iter().zip(places(&standing()));
        assert!(
            apart
                .into_iter()
                .all(|(a, b)| (a - b - (places(&reference.skeleton)[0] - DVec3::Y * 95.0)).length() < 1e-9)
        );
    }
}

/// Parts, facing and limits are those of the same body in a file that rests as it should.
#[test]
fn a_body_is_the_same_however_its_file_rests() {
    let mut skeleton = clip(&along_x(), &FRAMES);
    skeleton.skeleton = found(&skeleton).skeleton;
    let evidence = Evidence::of_bvh(&skeleton);
    let (body, own) = (recognize(&evidence), clip(&plain(), &FRAMES));
    let expected = recognize(&Evidence::of_bvh(&own));
    assert_eq!((body.body, body.up, body.forward), (BodyKind::Humanoid, expected.up, expected.forward));
    let names = |skeleton: &Skeleton, kind, side| {
        let found = if skeleton.rest_pose() == own.skeleton.rest_pose() { &expected } else { &body };
        let limb = found.limb(kind, side).unwrap();
        limb.joints.iter().map(|&joint| skeleton.name(joint).unwrap().to_owned()).collect::<Vec<_>>()
    };
    for kind in [LimbKind::Arm, LimbKind::Leg] {
        for side in [Some(Side::Left), Some(Side::Right)] {
            assert_eq!(names(&skeleton.skeleton, kind, side), names(&own.skeleton, kind, side));
        }
    }
    let limited = Human::default().apply(&skeleton.skeleton, &body).unwrap();
    let same = Human::default().apply(&own.skeleton, &expected).unwrap();
    for frame in 0..FRAMES.len() {
        let off = |clip: &Bvh, skeleton: &Skeleton| {
            let mut clip = clip.clone();
            clip.skeleton = skeleton.clone();
            let mut pose = clip.skeleton.rest_pose();
            clip.pose_frame(frame, &mut pose);
            let outside = |joint| {
                let local = *pose.local(joint);
                let nearest = clip.skeleton.nearest_allowed(joint, &local, pose.value(&clip.skeleton, joint));
                (local.rotation.conjugate() * nearest.rotation).xyz().length()
            };
            (0..HUMAN.len()).map(|index| outside(clip.skeleton.from_caller(index).unwrap())).collect::<Vec<_>>()
        };
        for (index, (a, b)) in off(&skeleton, &limited).into_iter().zip(off(&own, &same)).enumerate() {
            assert!((a - b).abs() < 1e-6, "frame {frame}, {}: {a} and {b}", HUMAN[index].0);
        }
    }
}

/// The axes about which elbow, knee and toes fold here: a human's, turned about the bones by 30, 20 and 0 degrees.
const ELBOW: [f64; 3] = [0.0, -0.866_025_403_784_438_6, -0.5];
const KNEE: [f64; 3] = [0.939_692_620_785_908_4, 0.0, -0.342_020_143_325_668_7];

/// A straight rest does not show how an elbow's hinge lies about its bone; the motion does, and limits follow.
#[test]
fn bends_are_those_that_the_motion_shows() {
    let frames: [Turns; 5] = [
        &[],
        &[("LeftForeArm", ELBOW, 0.5), ("LeftLeg", KNEE, 1.6)],
        &[("LeftForeArm", ELBOW, 2.3), ("LeftLeg", KNEE, 0.3), ("RightForeArm", [1.0, 0.0, 0.0], 0.3)],
        &[("LeftForeArm", ELBOW, 1.0), ("LeftArm", [1.0, 0.0, 0.0], -2.2), ("RightForeArm", [0.0, 1.0, 0.0], 0.1)],
        &[("LeftForeArm", ELBOW, -0.4), ("LeftArm", [1.0, 0.0, 0.0], 1.6)],
    ];
    for (name, own) in [("rests without turns", plain()), ("rests along +X", along_x())] {
        let mut clip = clip(&own, &frames);
        clip.skeleton = found(&clip).skeleton;
        let rest = clip.skeleton.rest_pose();
        let bend = |joint: &str| {
            let joint = clip.skeleton.joint(joint).unwrap();
            clip.skeleton.bend(joint).map(|bend| rest.rotation(joint) * bend)
        };
        // The leg is not quite straight at rest.
        for (joint, axis, near) in [("LeftForeArm", ELBOW, 1e-9), ("LeftLeg", KNEE, 0.03)] {
            let off = bend(joint).unwrap() - DVec3::from(axis).normalize();
            assert!(off.length() < near, "{name}: {joint} {:?}", bend(joint));
        }
        // It rolls, and hardly folds: that shows nothing.
        assert_eq!((bend("RightForeArm"), bend("LeftUpLeg")), (None, None), "{name}");
        let limited = Human::default().apply(&clip.skeleton, &recognize(&Evidence::of_bvh(&clip))).unwrap();
        let mut pose = limited.rest_pose();
        let mut outside = |frame: usize, joint: &str| {
            clip.pose_frame(frame, &mut pose);
            let joint = limited.joint(joint).unwrap();
            let local = *pose.local(joint);
            limited.nearest_allowed(joint, &local, 0.0).rotation.angle_between(local.rotation)
        };
        for (frame, joint, off) in [
            (1, "LeftForeArm", 0.0),
            (2, "LeftForeArm", 0.0),
            // Folded backwards by 0.4, of which fifteen degrees are a human's.
            (4, "LeftForeArm", 0.4 - 15_f64.to_radians()),
            // The upper arm rolls from where the elbow folds ahead: 85 degrees inward, of which 30 are
            // behind it, 107 outward.
            (3, "LeftArm", 0.0),
            (4, "LeftArm", 0.563),
        ] {
            assert!(
                (outside(frame, joint) - off).abs() < 2e-3,
                "{name}: {joint} in {frame}: {}",
                outside(frame, joint)
            );
        }
    }
}

/// Names of no human, and frames that say nothing.
#[test]
fn what_is_no_human_keeps_its_rest() {
    let rope = "HIERARCHY ROOT a\n{ OFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{ OFFSET 1 0 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 1\n0 0 0\n90 0 0\n";
    assert_eq!(found(&sinew_bvh::parse(rope.as_bytes()).unwrap()).frame, None);
}
