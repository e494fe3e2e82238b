//! TRAC-IK's protocol: random reachable frames, from the middle of the limits.
//!
//! Source: Beeson & Ames, *TRAC-IK: An Open-Source Library for Improved Solving of Generic Inverse Kinematics* (2015).

use std::collections::BTreeSet;
use std::f64::consts::PI;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::limit::Range;
use sinew::{Joint, Pose, Status, Tolerance};
use sinew_arm::{Arm, PoseTarget};
use sinew_urdf::Robot;

use super::arms::SETTINGS;
use crate::table::{Columns, mean, percent, percentile};

/// Metres and radians that count as solved.
const SOLVED: f64 = 1e-5;

/// What came out for one arm.
#[derive(Clone, Debug)]
pub struct Report {
    /// Robot and tip.
    pub name: String,
    /// Coordinates that move it.
    pub coordinates: usize,
    /// Frames asked for.
    pub asked: usize,
    /// Those within the tolerance and the limits, by the skeleton's forward kinematics.
    pub solved: usize,
    /// Those said to be reached that are not solved.
    pub falsely: usize,
    /// Nanoseconds of each, in order of size.
    pub nanoseconds: Vec<f64>,
}

const COLUMNS: Columns<8> = Columns([
    ("arm", 44),
    ("dof", 4),
    ("asked", 7),
    ("solved", 8),
    ("false", 6),
    ("median us", 9),
    ("mean us", 8),
    ("p99 us", 8),
]);

impl Report {
    /// What the columns of [`line`](Self::line) are.
    pub fn heading() -> String {
        COLUMNS.heading()
    }

    /// One line of the table.
    pub fn line(&self) -> String {
        let at = |percent: usize| percentile(&self.nanoseconds, percent) / 1e3;
        COLUMNS.line([
            self.name.clone(),
            self.coordinates.to_string(),
            self.asked.to_string(),
            format!("{:.2}%", percent(self.solved, self.asked)),
            self.falsely.to_string(),
            format!("{:.2}", at(50)),
            format!("{:.2}", mean(&self.nanoseconds) / 1e3),
            format!("{:.1}", at(99)),
        ])
    }
}

/// Every arm of a robot: tips that other coordinates move than those before, if as many as `least`.
pub fn arms(robot: &Robot, least: usize) -> Vec<(Joint, Arm)> {
    let mut known = BTreeSet::new();
    let tips = robot.tips().filter_map(|tip| Some((tip, Arm::new(&robot.skeleton, robot.base(), tip).ok()?)));
    tips.filter(|(_, arm)| arm.coordinates().len() >= least && known.insert(arm.coordinates().to_vec())).collect()
}

/// Runs the protocol on every arm of a URDF file.
pub fn run(file: &Path, least: usize, count: usize) -> Result<Vec<Report>> {
    let robot = sinew_urdf::load(file)?;
    let name = file.file_stem().context("a file has a name")?.to_string_lossy();
    let report = |(tip, arm): (Joint, Arm)| {
        let link = robot.skeleton.name(tip).unwrap_or_default();
        measure(&robot, tip, &arm, format!("{name} {link}"), count)
    };
    Ok(arms(&robot, least).into_iter().map(report).collect())
}

fn measure(robot: &Robot, tip: Joint, arm: &Arm, name: String, count: usize) -> Report {
    let mut rng = Rng::with_seed(1);
    let ranges: Vec<Range> =
        arm.coordinates().iter().map(|&coordinate| ends(robot.skeleton.coordinates()[coordinate].range)).collect();
    let seed: Vec<f64> = ranges.iter().map(|range| 0.5 * (range.min + range.max)).collect();
    let (mut answer, mut pose) = (seed.clone(), robot.skeleton.rest_pose());
    let coordinates = arm.coordinates().len();
    let mut report =
        Report { name, coordinates, asked: count, solved: 0, falsely: 0, nanoseconds: Vec::with_capacity(count) };
    for _ in 0..count {
        let there: Vec<f64> = ranges.iter().map(|range| range.min + (range.max - range.min) * rng.f64()).collect();
        place(robot, arm.coordinates(), &there, &mut pose);
        let target = (pose.position(tip), pose.rotation(tip));
        let asked = PoseTarget::frame(target.0, target.1).tolerance(Tolerance { position: 1e-6, rotation: 1e-6 });
        let start = Instant::now();
        let found = arm.solve(&asked, &seed, &SETTINGS, &mut answer);
        report.nanoseconds.push(start.elapsed().as_nanos() as f64);
        place(robot, arm.coordinates(), &answer, &mut pose);
        let turn = target.1.conjugate() * pose.rotation(tip);
        let turn = 2.0 * DVec3::new(turn.x, turn.y, turn.z).length();
        let is_near = pose.position(tip).distance(target.0) <= SOLVED && turn <= SOLVED;
        let limits = arm.coordinates().iter().map(|&coordinate| robot.skeleton.coordinates()[coordinate].range);
        let is_solved = is_near && limits.zip(&answer).all(|(range, &q)| range.contains(q));
        report.solved += usize::from(is_solved);
        report.falsely += usize::from(found.status == Status::Reached && !is_solved);
    }
    report.nanoseconds.sort_by(f64::total_cmp);
    report
}

/// The range, or half a turn (or so many metres) either way where it has no ends.
pub(super) fn ends(range: Range) -> Range {
    let low = if range.min.is_finite() { range.min } else { range.max.min(PI) - 2.0 * PI };
    Range::new(low, if range.max.is_finite() { range.max } else { low + 2.0 * PI })
}

/// Puts coordinates to values.
pub(super) fn place(robot: &Robot, coordinates: &[usize], values: &[f64], pose: &mut Pose) {
    let mut edit = pose.edit(&robot.skeleton);
    for (&coordinate, &q) in coordinates.iter().zip(values) {
        edit.coordinate(coordinate, q);
    }
}
