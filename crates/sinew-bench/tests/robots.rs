//! Robot arms: problem files survive, and real robots are solved, followed and told apart from what they cannot do.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::path::PathBuf;

use sinew::glam::{DMat3, DQuat, DVec3};
use sinew_arm::{Arm, PathOptions, PoseTarget, Width};
use sinew_bench::robots::arms::{Ready, SETTINGS};
use sinew_bench::robots::file::{Answer, Problems, Results};
use sinew_bench::robots::{paths, protocol, tips};
use sinew_bench::table::Row as _;

/// A crane of three joints; the problem asks for what its second row of coordinates gives.
const CRANE: &str = r#"<robot name="crane">
    <link name="base"/> <link name="boom"/> <link name="trolley"/> <link name="hook"/>
    <joint name="slew" type="continuous">
        <parent link="base"/> <child link="boom"/> <axis xyz="0 0 1"/>
    </joint>
    <joint name="travel" type="prismatic">
        <parent link="boom"/> <child link="trolley"/> <origin xyz="1 0 2"/>
        <axis xyz="1 0 0"/> <limit lower="0" upper="3" effort="1" velocity="1"/>
    </joint>
    <joint name="spin" type="revolute">
        <parent link="trolley"/> <child link="hook"/> <origin xyz="0 0 -1"/>
        <axis xyz="0 0 1"/> <limit lower="-3" upper="3" effort="1" velocity="1"/>
    </joint>
</robot>"#;

fn header(n: usize) -> String {
    format!(
        "IKP1\nrobot crane\npolicy mid\nurdf crane.urdf\nbase base\ntip hook\ndof 3\njoints spin slew travel\nn {n}\n\
         tol_pos 1e-06\ntol_rot 1e-06\ntimeout_s 0.005\nrow 15\ndata\n"
    )
}

#[test]
fn problems_in_results_out() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("crane.urdf"), CRANE).unwrap();
    // Slewed by 0.7, travelled by 1.5, spun by -0.4: the hook at 2.5 m, turned by 0.3.
    let frame = DMat3::from_rotation_z(0.3);
    let place = DVec3::new(2.5 * 0.7_f64.cos(), 2.5 * 0.7_f64.sin(), 1.0);
    let rows = [0, 1, 2].map(|i| [frame.x_axis[i], frame.y_axis[i], frame.z_axis[i], place[i]]);
    let numbers = [0.0, 0.1, 1.0].into_iter().chain(rows.into_iter().flatten());
    let mut bytes = header(1).into_bytes();
    bytes.extend(numbers.flat_map(f64::to_le_bytes));
    let file = folder.path().join("crane.ikp");
    std::fs::write(&file, &bytes).unwrap();
    let problems = Problems::read(&file).unwrap();
    let ready = Ready::new(&problems).unwrap();
    let answers = ready.run(usize::MAX, Width::new());
    assert_eq!(ready.run_together(usize::MAX, Width::new())[0].coordinates, answers[0].coordinates);
    let [Answer { is_solved: true, coordinates, nanoseconds }] = &answers[..] else { panic!("{answers:?}") };
    let truth = [-0.4, 0.7, 1.5];
    assert!(coordinates.iter().zip(truth).all(|(q, truth)| (q - truth).abs() < 2e-6), "{coordinates:?}");
    let results = Results { version: "1".into(), settings: "as it is".into(), answers: answers.clone() };
    let written = results.to_bytes("sinew", 3).unwrap();
    let text = String::from_utf8_lossy(&written);
    assert!(text.starts_with("IKR1\nsolver sinew\nversion 1\nnote cpu_ns_per_solve="));
    assert!(text.contains("\ndof 3\nn 1\nrow 5\ndata\n"));
    let row: Vec<f64> = written[written.len() - 40..].as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect();
    assert_eq!(row[..2], [1.0, *nanoseconds]);
    assert_eq!(row[2..], coordinates[..]);
    assert_eq!(Results::parse(&written).unwrap(), results);
    assert!(results.to_bytes("sinew", 4).is_err());
}

#[test]
fn malformed_problems_are_refused() {
    let good: Vec<u8> = header(1).into_bytes().into_iter().chain([0; 120]).collect();
    assert!(Problems::parse(&good).is_ok());
    for cut in 0..good.len() {
        assert!(Problems::parse(&good[..cut]).is_err(), "{cut} bytes");
    }
    for (from, to) in [
        ("IKP1", "IKP2"),
        ("dof 3", "dof 4"),
        ("n 1", "n 18446744073709551615"),
        ("row 15", "row 0"),
        ("dof 3", "dof x"),
    ] {
        let bad = header(1).replacen(from, to, 1);
        assert!(Problems::parse(bad.as_bytes()).is_err(), "{to}");
    }
}

/// A real robot.
fn real(file: &str) -> PathBuf {
    PathBuf::from(std::env::var_os("SINEW_TEST_DATA").expect("SINEW_TEST_DATA names the folder of real files"))
        .join("urdf")
        .join(file)
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn every_arm_of_real_robots_reaches_what_is_in_reach() {
    for file in ["panda.urdf", "ur5e.urdf", "fetch.urdf", "sawyer.urdf", "nao.urdf", "robotis_op3.urdf"] {
        let file = real(file);
        let reports = protocol::run(&file, 5, 100).unwrap();
        assert!(!reports.is_empty());
        for report in reports {
            assert_eq!((report.solved, report.falsely), (100, 0), "{}", report.line());
        }
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn several_tips_are_reached_at_once() {
    let file = real("g1_29dof_with_hand.urdf");
    let all = ["left_wrist_yaw_link", "right_wrist_yaw_link", "left_ankle_roll_link", "right_ankle_roll_link"];
    for (tips, floating) in [(&all[..2], false), (&all[1..], false), (&all[..], false), (&all[..], true)] {
        let report = tips::run(&file, tips, floating, 20).unwrap();
        assert_eq!(report.solved, 20, "{tips:?} {floating}");
    }
    let file = real("baxter.urdf");
    assert_eq!(tips::run(&file, &["left_gripper", "right_gripper"], false, 50).unwrap().solved, 50);
}

/// Follows frames, and gives the largest change of a coordinate; every frame must be reached, without a jump.
fn follow(arm: &Arm, frames: &[(DVec3, DQuat)], seed: &[f64]) -> f64 {
    let asked: Vec<PoseTarget> =
        frames.iter().map(|&(position, rotation)| PoseTarget::frame(position, rotation)).collect();
    let way = arm.path(&asked, seed, &PathOptions { serial: SETTINGS, ..PathOptions::default() });
    assert_eq!((&way.jumps[..], &way.missed[..]), (&[][..], &[][..]));
    let rows: Vec<&[f64]> = way.coordinates.chunks(seed.len()).collect();
    for (row, (position, _)) in rows.iter().zip(frames) {
        assert!(arm.forward(row).0.distance(*position) < 1.1e-6);
    }
    let change = |pair: &[&[f64]]| pair[0].iter().zip(pair[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    rows.windows(2).map(change).fold(0.0, f64::max)
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn circles_and_lines_by_singular_poses_are_followed() {
    for (file, tip, middle) in [
        ("panda.urdf", "panda_hand_tcp", &[0.2, 0.1, -0.1, -2.0, 0.1, 2.1, 0.5][..]),
        ("ur5e.urdf", "tool0", &[0.3, -1.2, 1.6, -1.9, -1.5, 0.4][..]),
    ] {
        let file = real(file);
        let robot = sinew_urdf::load(&file).unwrap();
        let arm = Arm::new(&robot.skeleton, robot.base(), robot.link(tip).unwrap()).unwrap();
        let (place, stands) = arm.forward(middle);
        let seed = vec![0.0; middle.len()];
        let circle = |i: u32| {
            let (s, c) = (f64::from(i) * std::f64::consts::TAU / 1000.0).sin_cos();
            (place + DVec3::new(0.05 * c, 0.15 * s, 0.1 * s), stands)
        };
        let frames: Vec<_> = (0..=1000).map(circle).collect();
        assert!(follow(&arm, &frames, &seed) <= 0.1);
        // The wrist straight, half way along a line of 20 cm, missed by two hundredths of a radian.
        let mut straight = middle.to_vec();
        let wrist = if middle.len() == 6 { 4 } else { 5 };
        straight[wrist] = 0.02;
        let (place, stands) = arm.forward(&straight);
        let line: Vec<_> = (0..=1000).map(|i| (place + DVec3::Y * (0.000_2 * f64::from(i) - 0.1), stands)).collect();
        assert!(follow(&arm, &line, &straight) <= 0.1);
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn paths_that_need_no_jump_are_followed_without_one() {
    for file in ["panda.urdf", "ur5e.urdf", "irb120.urdf", "prismatic_mixed_robot.urdf"] {
        let file = real(file);
        for kind in paths::KINDS {
            for report in paths::run(&file, 4, kind, 3).unwrap() {
                assert_eq!((report.broken.len(), report.false_ones), (0, 0), "{}", report.line());
            }
        }
    }
}
