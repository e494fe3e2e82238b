//! The reachable space of real arms beside brute force.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "helpers of tests may fail too, and one prints figures")]

use core::f64::consts::PI;
use std::path::PathBuf;

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::limit::Range;
use sinew_arm::{Arm, Directions, ReachableWorkspace, WorkspaceOptions};
use sinew_urdf::Robot;

/// A file, the base, the tip and an edge of cells (metres).
type Case = (&'static str, Option<&'static str>, &'static str, f64);

const CASES: [Case; 6] = [
    ("ur5e", None, "tool0", 0.1),
    ("panda", None, "panda_hand", 0.1),
    ("iiwa14", None, "lbr_iiwa_link_7", 0.1),
    ("fetch", None, "gripper_link", 0.1),
    ("irb120", None, "tool0", 0.1),
    ("solo12", None, "FL_FOOT", 0.04),
];

fn load(file: &str) -> Robot {
    let data =
        PathBuf::from(std::env::var_os("SINEW_TEST_DATA").expect("SINEW_TEST_DATA names the folder of real files"));
    sinew_urdf::load(data.join("urdf").join(format!("{file}.urdf"))).unwrap()
}

fn arm(robot: &Robot, base: Option<&str>, tip: &str) -> (Arm, Vec<Range>) {
    let base = base.map_or(robot.base(), |base| robot.link(base).unwrap());
    let arm = Arm::new(&robot.skeleton, base, robot.link(tip).unwrap()).unwrap();
    let ranges = arm.coordinates().iter().map(|&coordinate| robot.skeleton.coordinates()[coordinate].range).collect();
    (arm, ranges)
}

fn reach(arm: &Arm, cell: f64) -> ReachableWorkspace {
    arm.reach(&WorkspaceOptions { cell, ..WorkspaceOptions::default() }, |_, _| {}).unwrap()
}

/// Tips of random values.
fn tips<'a>(arm: &'a Arm, ranges: &'a [Range], rng: &'a mut Rng) -> impl Iterator<Item = DVec3> + 'a {
    let mut values = vec![0.0; ranges.len()];
    std::iter::repeat_with(move || {
        for (value, range) in values.iter_mut().zip(ranges) {
            let (low, high) = (range.min.max(-2.0 * PI), range.max.min(2.0 * PI));
            *value = low + (high - low) * rng.f64();
        }
        arm.forward(&values).0
    })
}

/// Of so many samples, those in cells that are said to be out of reach; and how many of the cells were sampled.
fn beside_samples(arm: &Arm, ranges: &[Range], reach: &ReachableWorkspace, samples: usize) -> (usize, usize) {
    let mut seen = std::collections::BTreeSet::new();
    let mut missed = 0;
    for tip in tips(arm, ranges, &mut Rng::with_seed(7)).take(samples) {
        let cell = (tip / reach.cell()).round();
        missed += usize::from(!reach.contains(tip));
        seen.insert(cell.to_array().map(|x| x as i64));
    }
    (missed, seen.len())
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn no_sample_falls_where_it_is_said_that_none_can() {
    for (file, base, tip, cell) in CASES {
        let robot = load(file);
        let (arm, ranges) = arm(&robot, base, tip);
        let reach = reach(&arm, cell);
        let (missed, seen) = beside_samples(&arm, &ranges, &reach, 100_000);
        assert_eq!(missed, 0, "{file}");
        // What samples found is most of it, so that little is claimed without need.
        let cells = reach.cells().len();
        assert!(seen * 10 > cells * 7 && seen <= cells, "{file}: {seen} of {cells}");
    }
}

#[test]
#[ignore = "minutes; `cargo test --release -p sinew-arm --test real_reach -- --ignored --nocapture` prints the figures"]
fn ten_million_samples() {
    for (file, base, tip, _) in CASES {
        let robot = load(file);
        let (arm, ranges) = arm(&robot, base, tip);
        for cell in [0.1, 0.05, 0.03] {
            let begun = std::time::Instant::now();
            let reach = reach(&arm, cell);
            let seconds = begun.elapsed().as_secs_f64();
            let (missed, seen) = beside_samples(&arm, &ranges, &reach, 10_000_000);
            let (cells, volume) = (reach.cells().len(), reach.volume());
            eprintln!(
                "{file:8} {cell:.2} m: {cells:7} cells, {seen:7} sampled, {volume:.4} m³, {missed} missed, {seconds:.1} s"
            );
            assert_eq!(missed, 0, "{file} {cell}");
        }
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn more_starts_find_hardly_more_directions() {
    let robot = load("panda");
    let (arm, _) = arm(&robot, None, "panda_hand");
    let (reach, directions) = (reach(&arm, 0.1), Directions::new(DVec3::Z, 20));
    let count = |restarts| -> usize {
        (0..reach.cells().len()).step_by(23).map(|place| directions.count(&arm, &reach, place, restarts)).sum()
    };
    let (few, many) = (count(10), count(100));
    assert!(few > 1500 && few <= many && (many - few) * 500 <= many, "{few} {many}");
}
