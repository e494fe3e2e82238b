//! What is written reads back as itself, and poses as the rows that they came from.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::fmt::Write as _;

use proptest::prelude::*;
use sinew::glam::DVec3;
use sinew::{Pose, Rotation, Transform};
use sinew_bvh::{Bvh, WriteError, parse};

const ORDERS: &[u8] = include_bytes!("golden/orders.bvh");
const ODD: &[u8] = include_bytes!("golden/odd.bvh");

const CHANNELS: [&str; 6] = ["Xposition", "Yrotation", "Zposition", "Xrotation", "Yposition", "Zrotation"];

/// A joint: how far back its parent is, its channels as places in a shuffled list, its offset, whether an end hangs on it.
type Made = (usize, usize, u64, [f64; 3], bool);

/// Any number that a file may hold, common ones often.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -400.0..400.0,
        1 => prop::num::f64::NORMAL.prop_map(|x| x % 1e100),
        1 => Just(-0.0),
        1 => Just(90.0),
    ]
}

fn joints() -> impl Strategy<Value = Vec<Made>> {
    prop::collection::vec((0_usize..4, 0_usize..7, any::<u64>(), [number(), number(), number()], any::<bool>()), 1..12)
}

/// The text of a random file; every joint's parent is on the way up from the one before.
fn text(joints: &[Made], rows: &[Vec<f64>], frame_time: f64) -> (String, usize) {
    let (mut text, mut depth, mut total) = ("HIERARCHY\n".to_owned(), 0_usize, 0);
    for (index, (up, channels, seed, [x, y, z], end)) in joints.iter().enumerate() {
        let above = depth.saturating_sub(*up);
        text += &"}\n".repeat(depth - above);
        let mut names = CHANNELS;
        fastrand::Rng::with_seed(*seed).shuffle(&mut names);
        let word = if above == 0 { "ROOT" } else { "JOINT" };
        writeln!(text, "{word} the joint {index}\n{{ OFFSET {x:e} {y} {z}").unwrap();
        writeln!(text, "CHANNELS {channels} {}", names[..*channels].join("\t")).unwrap();
        total += channels;
        depth = above + 1;
        if *end {
            text += "End Site { OFFSET 0 1 0\n}\n";
        }
    }
    let rows = if total == 0 { &[] } else { rows };
    write!(text, "{}MOTION\nFrames: {}\nFrame Time: {frame_time:?}", "}\n".repeat(depth), rows.len()).unwrap();
    for row in rows {
        text += "\n";
        row.iter().cycle().take(total).for_each(|x| write!(text, "{x:?} ").unwrap());
    }
    (text, total)
}

fn is_same(a: &Bvh, b: &Bvh) {
    assert_eq!(a.motion, b.motion);
    let bits = |clip: &Bvh| clip.motion.rows().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(a), bits(b));
    assert_eq!(a.skeleton.rest_pose(), b.skeleton.rest_pose());
    for (one, other) in a.skeleton.iter().zip(b.skeleton.iter()) {
        assert_eq!(a.skeleton.name(one), b.skeleton.name(other));
        assert_eq!(a.channels(one), b.channels(other));
        assert_eq!(a.is_end_site(one), b.is_end_site(other));
        assert_eq!(a.skeleton.caller_index(one), b.skeleton.caller_index(other));
    }
}

/// How far two poses are apart: the sine of half the greatest turn, and the greatest move.
fn apart(clip: &Bvh, a: &Pose, b: &Pose) -> f64 {
    let of = |joint| {
        let (a, b): (&Transform, &Transform) = (a.local(joint), b.local(joint));
        (a.rotation.conjugate() * b.rotation).xyz().length().max(a.translation.distance(b.translation))
    };
    clip.skeleton.iter().map(of).fold(0.0, f64::max)
}

proptest! {
    /// Random hierarchies and numbers: read, written and read again they are the same, to the bit.
    #[test]
    fn written_clips_read_back(
        joints in joints(),
        rows in prop::collection::vec(prop::collection::vec(number(), 7), 0..4),
        frame_time in 1e-6..10.0,
    ) {
        let (text, channels) = text(&joints, &rows, frame_time);
        let clip = parse(text.as_bytes()).unwrap();
        prop_assert_eq!(clip.motion.channels(), channels);
        is_same(&clip, &parse(&clip.to_vec().unwrap()).unwrap());
    }

    /// A row is recorded from its pose as it was, and from another row as one that comes to the same pose.
    #[test]
    fn poses_come_back_from_the_rows_they_are_recorded_in(
        joints in joints(),
        row in prop::collection::vec(-400.0..400.0, 7),
        before in prop::collection::vec(-400.0..400.0, 5),
    ) {
        let clip = parse(text(&joints, &[row, before], 1.0).0.as_bytes()).unwrap();
        prop_assume!(!clip.motion.is_empty());
        let mut pose = clip.skeleton.rest_pose();
        clip.pose_frame(0, &mut pose);
        let (own, mut recorded) = (clip.motion.row(0).unwrap(), clip.motion.row(1).unwrap().to_vec());
        let mut same = own.to_vec();
        clip.record(&pose, &mut same);
        prop_assert_eq!(same.as_slice(), own);
        clip.record(&pose, &mut recorded);
        let mut again = clip.skeleton.rest_pose();
        clip.pose_row(&recorded, &mut again);
        prop_assert!(apart(&clip, &pose, &again) < 1e-9, "{}", apart(&clip, &pose, &again));
        prop_assert!(clip.lost(&pose).is_empty());
    }
}

#[test]
fn odd_files_read_back() {
    for bytes in [ORDERS, ODD] {
        let clip = parse(bytes).unwrap();
        is_same(&clip, &parse(&clip.to_vec().unwrap()).unwrap());
    }
}

/// Where the middle turn is a quarter, many angles come to the same.
#[test]
fn locked_gimbals_are_recorded() {
    let clip = parse(ORDERS).unwrap();
    let (mut pose, mut again) = (clip.skeleton.rest_pose(), clip.skeleton.rest_pose());
    for quarter in [90.0, -90.0, 270.0] {
        let row: Vec<f64> =
            (0..clip.motion.channels()).map(|i| if i % 3 == 1 { quarter } else { 20.0 * i as f64 }).collect();
        for from in 0..clip.motion.len() {
            clip.pose_row(&row, &mut pose);
            let mut recorded = clip.motion.row(from).unwrap().to_vec();
            clip.record(&pose, &mut recorded);
            clip.pose_row(&recorded, &mut again);
            assert!(apart(&clip, &pose, &again) < 1e-7, "{}", apart(&clip, &pose, &again));
        }
    }
}

/// A motion that is recorded frame by frame from the row before keeps to its turn: no jump of half or whole turns, also
/// where the middle turn passes a quarter.
#[test]
fn recorded_motion_does_not_jump() {
    let clip = parse(ORDERS).unwrap();
    let joint = clip.skeleton.joint("order_0").unwrap();
    for (axis, number) in [(DVec3::new(1.0, 0.2, 0.1), 6), (DVec3::Y, 7)] {
        let mut row = vec![0.0; clip.motion.channels()];
        let mut pose = clip.skeleton.rest_pose();
        for step in 1..200 {
            let before = row.clone();
            pose.edit(&clip.skeleton).rotation(joint, Rotation::about(axis, 0.1 * f64::from(step)));
            clip.record(&pose, &mut row);
            let most = (6..9).map(|i| (row[i] - before[i]).abs()).fold(0.0, f64::max);
            assert!(most < 20.0, "step {step}: {most}");
        }
        assert!(row[number] > 1000.0);
    }
}

#[test]
fn what_channels_cannot_hold_is_told() {
    let clip = parse(ODD).unwrap();
    let joint = |name: &str| clip.skeleton.joint(name).unwrap();
    let mut pose = clip.skeleton.rest_pose();
    pose.edit(&clip.skeleton)
        .rotation(joint("Bip01 Pelvis"), Rotation::about(DVec3::Y, 1.0))
        .rotation(joint("Bip01 L Thigh"), Rotation::about(DVec3::Y, 1.0))
        .translation(joint("prop"), DVec3::new(7.0, 8.0, 9.0))
        .translation(joint("foot"), DVec3::ONE)
        .rotation(joint("knee"), Rotation::about(DVec3::X, 1.0));
    assert_eq!(clip.lost(&pose), [joint("Bip01 L Thigh"), joint("foot")]);
}

#[test]
fn files_are_written_whole_or_not_at_all() {
    let folder = std::env::temp_dir().join(format!("sinew-bvh-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("clip.bvh");
    let mut clip = parse(ORDERS).unwrap();
    clip.write(&path).unwrap();
    is_same(&clip, &sinew_bvh::load(&path).unwrap());
    let before = std::fs::read(&path).unwrap();
    clip.motion.row_mut(1).unwrap()[2] = f64::NAN;
    assert!(matches!(clip.write(&path), Err(WriteError::NotFinite { .. })));
    clip.motion.truncate(1);
    clip.motion.frame_time = 0.0;
    assert!(matches!(clip.write(&path), Err(WriteError::FrameTime { .. })));
    clip.skeleton = parse(ODD).unwrap().skeleton;
    assert!(matches!(clip.write(&path), Err(WriteError::OtherSkeleton { .. })));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let mut clip = parse(ORDERS).unwrap();
    clip.motion.truncate(0);
    assert!(matches!(clip.write(folder.join("no/such/folder/clip.bvh")), Err(WriteError::Io { .. })));
    std::fs::remove_dir_all(&folder).unwrap();
}
