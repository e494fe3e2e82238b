//! What a file becomes: names, kinds, channels, and poses of frames.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use sinew::Kind;
use sinew::glam::DVec3;
use sinew_bvh::{Axis, Channel, parse};

const ORDERS: &[u8] = include_bytes!("golden/orders.bvh");
const ODD: &[u8] = include_bytes!("golden/odd.bvh");

#[test]
fn names_kinds_and_channels_are_the_files() {
    let clip = parse(ODD).unwrap();
    let skeleton = &clip.skeleton;
    let names = (0..skeleton.len()).map(|index| skeleton.name(skeleton.from_caller(index).unwrap()).unwrap());
    let expected =
        ["Bip01 Pelvis", "Bip01 L Thigh", "knee", "heel", "heel_end", "foot", "foot_tip", "prop", "prop_tip"];
    assert_eq!(names.collect::<Vec<_>>(), expected);
    let kind = |name: &str| skeleton.kind(skeleton.joint(name).unwrap());
    assert_eq!(kind("Bip01 Pelvis"), Kind::hinge(DVec3::Y));
    assert_eq!(kind("Bip01 L Thigh"), Kind::BALL);
    assert_eq!(kind("knee"), Kind::hinge(DVec3::X));
    assert_eq!((kind("heel"), kind("foot"), kind("prop")), (Kind::Fixed, Kind::Fixed, Kind::Fixed));
    let ends = skeleton.iter().filter(|&joint| clip.is_end_site(joint)).count();
    assert_eq!((ends, skeleton.roots().len()), (3, 2));
    let pelvis = skeleton.joint("Bip01 Pelvis").unwrap();
    assert_eq!(clip.channels(pelvis), [Channel::Position(Axis::Y), Channel::Rotation(Axis::Y)]);
    assert_eq!(clip.motion.frame_time, 0.041_708_333_333_333_33);
}

#[test]
fn ends_of_lines_and_byte_order_marks_do_not_matter() {
    let clip = parse(ORDERS).unwrap();
    let text = String::from_utf8(ORDERS.to_vec()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for end in ["\n", "\r", "\r\n", " \n\n\t\r\n"] {
        let again = parse(format!("\u{feff}{}{end}", lines.join(end)).as_bytes()).unwrap();
        assert_eq!(again.motion, clip.motion, "{end:?}");
        assert_eq!(again.skeleton.rest_pose(), clip.skeleton.rest_pose(), "{end:?}");
    }
}

#[test]
fn hinges_have_coordinates_in_radians() {
    let clip = parse(ODD).unwrap();
    let mut pose = clip.skeleton.rest_pose();
    assert!(clip.pose_frame(1, &mut pose));
    let knee = clip.skeleton.coordinate("knee").unwrap();
    assert!((pose.coordinates()[knee] - 65_f64.to_radians()).abs() < 1e-12);
}

/// Position channels stand in for the offset along their axes; the others keep it.
#[test]
fn positions_stand_in_for_offsets() {
    let clip = parse(ODD).unwrap();
    let mut pose = clip.skeleton.rest_pose();
    clip.pose_frame(0, &mut pose);
    assert_eq!(pose.position(clip.skeleton.joint("prop").unwrap()), DVec3::new(1.0, 2.0, 3.0));
    clip.pose_frame(2, &mut pose);
    assert_eq!(pose.position(clip.skeleton.joint("Bip01 Pelvis").unwrap()), DVec3::new(0.0, -1.0, 0.0));
}

#[test]
fn files_without_motion_are_skeletons() {
    let text = String::from_utf8(ODD.to_vec()).unwrap();
    let (head, _) = text.split_once("MOTION").unwrap();
    for text in [head.to_owned(), format!("{head}MOTION\nFrames: 0\nFrame Time: 0.5")] {
        let clip = parse(text.as_bytes()).unwrap();
        assert!(clip.motion.is_empty() && clip.motion.frame_time > 0.0);
        let mut pose = clip.skeleton.rest_pose();
        assert!(!clip.pose_frame(0, &mut pose));
        assert_eq!(pose, clip.skeleton.rest_pose());
    }
}

/// A pose of another skeleton is taken over; what a solver moved goes back to where the frame has it.
#[test]
fn a_frame_says_everything_about_a_pose() {
    let (clip, other) = (parse(ORDERS).unwrap(), parse(ODD).unwrap());
    let (mut pose, mut fresh) = (other.skeleton.rest_pose(), clip.skeleton.rest_pose());
    clip.pose_frame(3, &mut pose);
    clip.pose_frame(3, &mut fresh);
    assert_eq!(pose, fresh);
    for joint in clip.skeleton.iter() {
        pose.edit(&clip.skeleton).translation(joint, DVec3::ONE);
    }
    clip.pose_frame(3, &mut pose);
    assert_eq!(pose, fresh);
}

#[test]
fn rows_that_are_not_there_are_none() {
    let mut motion = parse(ORDERS).unwrap().motion;
    let row = motion.row(4).unwrap().to_vec();
    assert!(motion.row(5).is_none() && motion.row_mut(5).is_none() && motion.row(usize::MAX).is_none());
    motion.push(&row);
    assert_eq!(motion.row(5), Some(row.as_slice()));
    motion.truncate(1);
    assert_eq!((motion.len(), motion.rows().len()), (1, 1));
}

#[test]
fn posing_a_frame_allocates_nothing() {
    let clip = parse(ORDERS).unwrap();
    let mut pose = clip.skeleton.rest_pose();
    let counted = allocation_counter::measure(|| {
        (0..clip.motion.len()).for_each(|frame| assert!(clip.pose_frame(frame, &mut pose)));
    });
    assert_eq!(counted.count_total, 0);
}
