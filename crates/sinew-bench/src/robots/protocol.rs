//! TRAC-IK's protocol: random reachable frames, from the middle of the limits.
//!
//! Source: Beeson & Ames, *TRAC-IK: An Open-Source Library for Improved Solving of Generic Inverse Kinematics* (2015).

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use fastrand::Rng;
use sinew::{Joint, Status, Tolerance};
use sinew_arm::{Arm, PoseTarget};
use sinew_urdf::Robot;

use super::SOLVED;
use super::arms::SETTINGS;
use super::ranges::{anywhere, middle, ranges};
use crate::judge::arm::ArmJudge;
use crate::table::{Row, mean, percent, percentile};

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

impl Row for Report {
    const COLUMNS: &'static [(&'static str, usize)] = &[
        ("arm", 44),
        ("dof", 4),
        ("asked", 7),
        ("solved", 8),
        ("false", 6),
        ("median us", 9),
        ("mean us", 8),
        ("p99 us", 8),
    ];

    fn cells(&self) -> Vec<String> {
        let at = |percent: usize| percentile(&self.nanoseconds, percent) / 1e3;
        vec![
            self.name.clone(),
            self.coordinates.to_string(),
            self.asked.to_string(),
            format!("{:.2}%", percent(self.solved, self.asked)),
            self.falsely.to_string(),
            format!("{:.2}", at(50)),
            format!("{:.2}", mean(&self.nanoseconds) / 1e3),
            format!("{:.1}", at(99)),
        ]
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
    let mut judge = ArmJudge::new(&robot.skeleton, [robot.base(), tip], arm.coordinates());
    let ranges = ranges(&judge);
    let seed = middle(&ranges);
    let (mut answer, coordinates) = (seed.clone(), seed.len());
    let mut report =
        Report { name, coordinates, asked: count, solved: 0, falsely: 0, nanoseconds: Vec::with_capacity(count) };
    for _ in 0..count {
        let (position, rotation) = judge.place(&anywhere(&ranges, &mut rng));
        let asked = PoseTarget::frame(position, rotation).tolerance(Tolerance { position: 1e-6, rotation: 1e-6 });
        let start = Instant::now();
        let found = arm.solve(&asked, &seed, &SETTINGS, &mut answer);
        report.nanoseconds.push(start.elapsed().as_nanos() as f64);
        let is_solved = judge.verdict(position, Some(rotation), &answer).is_met(SOLVED, 0.0);
        report.solved += usize::from(is_solved);
        report.falsely += usize::from(found.status == Status::Reached && !is_solved);
    }
    report.nanoseconds.sort_by(f64::total_cmp);
    report
}
