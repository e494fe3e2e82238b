//! Another reader of BVH (`golden/read.py`) puts every joint where this one does, at rest and in every frame.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::path::{Path, PathBuf};
use std::process::Command;

use sinew::Pose;
use sinew::glam::DMat3;
use sinew_bvh::Bvh;

/// What the other reader says of a joint in a frame: three numbers of its place, nine of its rotation, row by row.
const NUMBERS: usize = 12;

/// The greatest difference between the clip and what the other reader says, places as parts of the clip's extent.
fn apart(clip: &Bvh, numbers: &[f64]) -> f64 {
    let (joints, frames) = (clip.skeleton.len(), clip.motion.len());
    assert_eq!((joints as f64, frames as f64), (numbers[0], numbers[1]));
    assert_eq!(numbers.len(), 2 + joints * (frames + 1) * NUMBERS);
    let size = numbers.iter().fold(1.0, |most: f64, number| most.max(number.abs()));
    let (mut pose, mut most) = (clip.skeleton.rest_pose(), 0.0_f64);
    for (frame, theirs) in numbers[2..].chunks_exact(joints * NUMBERS).enumerate() {
        assert!(frame == 0 || clip.pose_frame(frame - 1, &mut pose));
        for (place, joint) in theirs.chunks_exact(NUMBERS).enumerate() {
            let (position, rotation) = of_joint(clip, &pose, place);
            let off = |at: usize| position[at] - joint[at];
            let turned = |at: usize| rotation.row(at / 3)[at % 3] - joint[3 + at];
            most = (0..3).fold(most, |most, at| most.max(off(at).abs() / size));
            most = (0..9).fold(most, |most, at| most.max(turned(at).abs()));
        }
    }
    most
}

fn of_joint(clip: &Bvh, pose: &Pose, place: usize) -> ([f64; 3], DMat3) {
    let joint = clip.skeleton.from_caller(place).unwrap();
    (pose.position(joint).to_array(), pose.model(joint).matrix3)
}

/// Orders of all kinds, position channels in between, CRLF, tabs, exponents, no final newline; and a file as odd as it may
/// be. See `golden/read.py`.
#[test]
fn clips_of_our_own_agree_with_another_reader() {
    let golden: serde_json::Value = serde_json::from_str(include_str!("golden/expected.json")).unwrap();
    for (file, bytes) in
        [("orders.bvh", include_bytes!("golden/orders.bvh").as_slice()), ("odd.bvh", include_bytes!("golden/odd.bvh"))]
    {
        let numbers = golden[file].as_array().unwrap().iter().map(|number| number.as_f64().unwrap());
        let most = apart(&sinew_bvh::parse(bytes).unwrap(), &numbers.collect::<Vec<_>>());
        assert!(most < 1e-12, "{file}: {most:e}");
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA and python3"]
fn real_files_agree_with_another_reader() {
    let data =
        PathBuf::from(std::env::var_os("SINEW_TEST_DATA").expect("SINEW_TEST_DATA names the folder of real files"));
    let reader = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/read.py");
    let index: serde_json::Value =
        serde_json::from_slice(&std::fs::read(data.join("bvh/index.json")).unwrap()).unwrap();
    for entry in index.as_array().unwrap() {
        let file = data.join(entry["file"].as_str().unwrap());
        let said = Command::new("python3").arg(&reader).arg(&file).output().unwrap();
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        let numbers: Vec<f64> =
            said.stdout.chunks_exact(8).map(|bytes| f64::from_ne_bytes(bytes.try_into().unwrap())).collect();
        let most = apart(&sinew_bvh::load(&file).unwrap(), &numbers);
        println!("{most:.1e} {}", file.display());
        assert!(most < 1e-9, "{}: {most:e}", file.display());
    }
}
