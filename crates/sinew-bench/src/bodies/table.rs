//! Every method on the same problems in one process, judged by lengths of bones and distances of tips, from positions alone.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Result;
use sinew::Joint;
use sinew::glam::DVec3;

use super::body::Body;
use super::contender::{NAMES, RunOptions, contender};
use super::run::{Ran, run};
use crate::judge::{Bone, Verdict};
use crate::table::{Columns, percent};

const COLUMNS: Columns<5> =
    Columns([("method", 14), ("us", 10), ("reached", 9), ("worst miss", 11), ("iterations", 11)]);

/// CPU time for each method, at least, where nobody says.
pub const LEAST: Duration = Duration::from_millis(300);
/// Iterations at most, as in the checker.
const ITERATIONS: u32 = 1000;
/// Error of a bone's length over it that still counts as kept.
const STRETCH: f64 = 2e-3;

/// The table of a file's problems, to a distance of `tolerance` (metres); each method is timed for `least`.
pub fn table(body: &Body, tolerance: f64, least: Duration) -> Result<String> {
    let (count, joints, tips) = (body.count(), body.joints.len(), body.tips.len());
    let mut page = format!("{count} problems on {joints} joints with {tips} targets, to {tolerance:e}\n");
    let _ = writeln!(page, "{}", COLUMNS.heading());
    for name in NAMES {
        let Some(mut contender) = contender(name, body, RunOptions { tolerance, iterations: ITERATIONS })? else {
            continue;
        };
        let ran = run(&mut *contender, count, least, None);
        let (reached, worst) = judge(body, &ran, tolerance);
        let mean = ran.iterations.iter().map(|&n| f64::from(n)).sum::<f64>() / count.max(1) as f64;
        let line = COLUMNS.line([
            name.to_owned(),
            format!("{:.2}", ran.mean * 1e-3),
            format!("{:.1}%", percent(reached, count)),
            format!("{worst:.1e}"),
            format!("{mean:.1}"),
        ]);
        let _ = writeln!(page, "{line}");
    }
    Ok(page)
}

/// How many records were solved, and the largest distance of a tip from its target.
fn judge(body: &Body, ran: &Ran, tolerance: f64) -> (usize, f64) {
    let rest = body.skeleton.rest_pose();
    let place = |joint| body.joints.iter().position(|&other| other == joint);
    let bone = |(at, &joint): (usize, &Joint)| {
        let parent = body.skeleton.parent(joint)?;
        let length = rest.position(joint).distance(rest.position(parent));
        Some(Bone { ends: [place(parent)?, at], length, unit: length.max(f64::MIN_POSITIVE) })
    };
    let bones: Vec<Bone> = body.joints.iter().enumerate().filter_map(bone).collect();
    let tips: Vec<usize> = body.tips.iter().filter_map(|&tip| place(tip)).collect();
    let (mut reached, mut worst) = (0, 0.0_f64);
    for (record, row) in ran.rows.chunks_exact(3 * body.joints.len()).enumerate() {
        let points: Vec<DVec3> = row.chunks_exact(3).map(DVec3::from_slice).collect();
        let targets = tips.iter().copied().zip(body.targets(record).iter().copied());
        let Verdict { miss, stretch, .. } = Verdict::of_points(&points, targets, &bones);
        worst = worst.max(miss);
        reached += usize::from(miss <= 1.02 * tolerance + 5e-8 && stretch <= STRETCH);
    }
    (reached, worst)
}
