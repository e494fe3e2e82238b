//! Several tips at once, from random reachable poses: each arm on its own where it shares nothing, the general solver where
//! tips share joints or the base travels.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use fastrand::Rng;
use sinew::{Goal, Jacobian, Kind, Skeleton, Solver, Status, Tolerance, Workspace};

use super::arms::SETTINGS;
use crate::judge::Verdict;
use crate::table::{Row, percent, percentile};

/// Metres and radians that are asked for, and rounding.
const MET: [f64; 2] = [1.000_001e-6; 2];

/// What came out for one robot and some of its tips.
#[derive(Clone, Debug)]
pub struct Report {
    /// The tips.
    pub tips: String,
    /// Poses asked for.
    pub asked: usize,
    /// Those of which every tip is in its frame, within 1e-6 m and rad, and every joint within its limit.
    pub solved: usize,
    /// Nanoseconds of each, in order of size.
    pub nanoseconds: Vec<f64>,
}

impl Row for Report {
    const COLUMNS: &'static [(&'static str, usize)] =
        &[("tips", 44), ("asked", 7), ("solved", 8), ("median us", 9), ("p99 us", 8)];

    fn cells(&self) -> Vec<String> {
        let at = |percent: usize| format!("{:.1}", percentile(&self.nanoseconds, percent) / 1e3);
        vec![
            self.tips.clone(),
            self.asked.to_string(),
            format!("{:.2}%", percent(self.solved, self.asked)),
            at(50),
            at(99),
        ]
    }
}

/// Frames of the tips from random poses within the limits, solved from the neutral pose; the base travels where
/// `floating`.
pub fn run(file: &Path, tips: &[&str], floating: bool, count: usize) -> Result<Report> {
    let mut robot = sinew_urdf::load(file)?;
    if floating {
        let base = robot.base();
        robot.skeleton = robot.skeleton.revised(|joint, spec| {
            if joint == base {
                spec.kind = Kind::Free;
            }
        })?;
    }
    let (skeleton, names) = (&robot.skeleton, tips.join(" "));
    let tips = tips.iter().map(|tip| robot.link(tip)).collect::<Result<Vec<_>, _>>().context("a tip")?;
    let general = Jacobian { restarts: 100, ..Jacobian::default() };
    let solver: &dyn Solver = if floating { &general } else { &SETTINGS };
    let tolerance = Tolerance { position: 1e-6, rotation: 1e-6 };
    let mut rng = Rng::with_seed(1);
    let (mut work, mut there, mut pose) = (Workspace::default(), skeleton.neutral_pose(), skeleton.neutral_pose());
    let mut report = Report { tips: names, asked: count, solved: 0, nanoseconds: Vec::with_capacity(count) };
    for _ in 0..count {
        scatter(skeleton, &mut rng, &mut there);
        let goal = |&tip| Goal::frame(tip, there.position(tip), there.rotation(tip)).tolerance(tolerance);
        let goals: Vec<Goal> = tips.iter().map(goal).collect();
        pose.clone_from(&skeleton.neutral_pose());
        let start = Instant::now();
        let outcome = solver.solve(skeleton, &goals, &mut pose, &mut work);
        report.nanoseconds.push(start.elapsed().as_nanos() as f64);
        let verdict = Verdict::of(skeleton, &pose, goals, skeleton.iter());
        report.solved += usize::from(outcome.status == Status::Reached && verdict.is_met(MET, 0.0));
    }
    report.nanoseconds.sort_by(f64::total_cmp);
    Ok(report)
}

/// Every coordinate anywhere in its range.
fn scatter(skeleton: &Skeleton, rng: &mut Rng, pose: &mut sinew::Pose) {
    let mut edit = pose.edit(skeleton);
    for (coordinate, spec) in skeleton.coordinates().iter().enumerate() {
        let (low, high) = (spec.range.min.max(-3.1), spec.range.max.min(3.1));
        edit.coordinate(coordinate, low + (high - low) * rng.f64());
    }
}
