//! Paths of a thousand frames that can be followed without a jump, since they were made so ([`ways`](super::ways)), given
//! to [`Arm::path`] with a seed that knows nothing of it.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use fastrand::Rng;
use sinew_arm::{Arm, PathOptions, PoseTarget, Trajectory};

use super::protocol::arms;
use super::ranges::{anywhere, middle, ranges};
use super::ways::{Shape, draw};
use crate::judge::arm::ArmJudge;
use crate::table::{Row, percentile};

/// Metres and radians within which a frame is reached: what is asked, and rounding.
const THERE: [f64; 2] = [1.01e-6; 2];
/// Draws before a shape is given up.
const DRAWS: usize = 200;

/// What is asked of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// How the known way looks.
    pub shape: Shape,
    /// Whether the rotation counts.
    pub stands: bool,
    /// Whether the seed is anywhere, or else in the middle of the ranges.
    pub anywhere: bool,
}

/// All of them, with names.
pub const KINDS: [(&str, Kind); 5] = [
    ("curve", Kind { shape: Shape::Curve, stands: true, anywhere: false }),
    ("curve, random seed", Kind { shape: Shape::Curve, stands: true, anywhere: true }),
    ("curve, places only", Kind { shape: Shape::Curve, stands: false, anywhere: false }),
    ("singular line", Kind { shape: Shape::Line, stands: true, anywhere: false }),
    ("singular circle", Kind { shape: Shape::Circle, stands: true, anywhere: false }),
];

/// What came out for one arm and kind.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Robot, tip and kind.
    pub name: String,
    /// Paths followed.
    pub paths: usize,
    /// Numbers of those with a jump or a missed frame, though there is a way with none.
    pub broken: Vec<usize>,
    /// Jumps and missed frames of all.
    pub jumps: usize,
    /// As above.
    pub missed: usize,
    /// Those whose answer is not what it says: out of place, outside limits, a jump that is not told.
    pub false_ones: usize,
    /// Sum of squared steps of each by that of the known way, in order of size.
    pub roughness: Vec<f64>,
    /// Milliseconds of each, in order of size.
    pub milliseconds: Vec<f64>,
}

impl Row for Report {
    const COLUMNS: &'static [(&'static str, usize)] = &[
        ("arm and path", 64),
        ("paths", 5),
        ("broken", 6),
        ("jumps", 5),
        ("missed", 6),
        ("false", 5),
        ("rough", 6),
        ("median ms", 9),
        ("most ms", 9),
    ];

    fn cells(&self) -> Vec<String> {
        vec![
            self.name.clone(),
            self.paths.to_string(),
            self.broken.len().to_string(),
            self.jumps.to_string(),
            self.missed.to_string(),
            self.false_ones.to_string(),
            format!("{:.2}", percentile(&self.roughness, 50)),
            format!("{:.1}", percentile(&self.milliseconds, 50)),
            format!("{:.1}", percentile(&self.milliseconds, 100)),
        ]
    }
}

/// So many paths of a kind for every arm of a URDF file.
pub fn run(file: &Path, least: usize, (name, kind): (&str, Kind), count: usize) -> Result<Vec<Report>> {
    let robot = sinew_urdf::load(file)?;
    let stem = file.file_stem().context("a file has a name")?.to_string_lossy();
    let named = |(tip, arm): (sinew::Joint, Arm)| {
        let link = robot.skeleton.name(tip).unwrap_or_default();
        let judge = ArmJudge::new(&robot.skeleton, [robot.base(), tip], arm.coordinates());
        measure(judge, &arm, format!("{stem} {link} ({}) {name}", arm.coordinates().len()), kind, count)
    };
    Ok(arms(&robot, least).into_iter().map(named).collect())
}

fn measure(mut judge: ArmJudge<'_>, arm: &Arm, name: String, kind: Kind, count: usize) -> Report {
    let ranges = ranges(&judge);
    let mut report = Report { name, ..Report::default() };
    for number in 0..count {
        let mut rng = Rng::with_seed(number as u64);
        let Some(known) = (0..DRAWS).find_map(|_| draw(arm, &ranges, kind.shape, &mut rng)) else { continue };
        let ask = |values: &Vec<f64>| {
            let (place, stands) = arm.forward(values);
            if kind.stands { PoseTarget::frame(place, stands) } else { PoseTarget::position(place) }
        };
        let frames: Vec<PoseTarget> = known.iter().map(ask).collect();
        let seed = if kind.anywhere { anywhere(&ranges, &mut rng) } else { middle(&ranges) };
        let following = PathOptions::default();
        let start = Instant::now();
        let followed = arm.path(&frames, &seed, &following);
        report.milliseconds.push(start.elapsed().as_secs_f64() * 1e3);
        report.paths += 1;
        report.jumps += followed.jumps.len();
        report.missed += followed.missed.len();
        if followed.jumps.len() + followed.missed.len() > 0 {
            report.broken.push(number);
        }
        report.false_ones += usize::from(!is_true(&mut judge, &frames, &followed, following.step));
        let rows: Vec<Vec<f64>> = followed.coordinates.chunks(ranges.len()).map(<[f64]>::to_vec).collect();
        report.roughness.push(squares(&rows) / squares(&known));
    }
    report.milliseconds.sort_by(f64::total_cmp);
    report.roughness.sort_by(f64::total_cmp);
    report
}

/// Sum of the squared steps.
fn squares(rows: &[Vec<f64>]) -> f64 {
    let square = |pair: &[Vec<f64>]| pair[0].iter().zip(&pair[1]).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    rows.windows(2).map(square).sum()
}

/// Whether frames are reached within limits, and without a jump, wherever nothing else is told.
fn is_true(judge: &mut ArmJudge<'_>, frames: &[PoseTarget], followed: &Trajectory, step: f64) -> bool {
    let rows: Vec<&[f64]> = followed.coordinates.chunks(judge.ranges().count()).collect();
    let mut is_there = |(i, (row, asked)): (usize, (&&[f64], &PoseTarget))| {
        let rotation = asked.mask.rotation.any().then_some(asked.rotation);
        judge.verdict(asked.position, rotation, row).is_met(THERE, 0.0) || followed.missed_at(i).is_some()
    };
    let is_small = |i: usize| rows[i].iter().zip(rows[i - 1]).all(|(a, b)| (a - b).abs() <= step * (1.0 + 1e-9));
    rows.len() == frames.len()
        && rows.iter().zip(frames).enumerate().all(&mut is_there)
        && (1..rows.len()).all(|i| is_small(i) || followed.jumps.contains(&i))
}
