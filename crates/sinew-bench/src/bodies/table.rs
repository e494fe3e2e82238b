//! Every method on the same problems in one process, judged by lengths of bones and distances of tips, from positions alone.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Result;

use super::body::Body;
use super::contender::{NAMES, RunOptions, contender};
use super::run::run;
use crate::judge::bodies::judge;
use crate::table::{Row, mean, percent};

/// CPU time for each method, at least, where nobody says.
pub const LEAST: Duration = Duration::from_millis(300);
/// Iterations at most, as in the checker.
const ITERATIONS: u32 = 1000;

/// The table of a file's problems, to a distance of `tolerance` (metres); each method is timed for `least`.
pub fn table(body: &Body, tolerance: f64, least: Duration) -> Result<String> {
    let (count, joints, tips) = (body.count(), body.joints.len(), body.tips.len());
    let mut page = format!("{count} problems on {joints} joints with {tips} targets, to {tolerance:e}\n");
    let _ = writeln!(page, "{}", Line::heading());
    for name in NAMES {
        let Some(mut contender) = contender(name, body, RunOptions { tolerance, iterations: ITERATIONS })? else {
            continue;
        };
        let ran = run(&mut *contender, count, least, None);
        let (reached, worst) = judge(body, &ran.rows, tolerance);
        let iterations: Vec<f64> = ran.iterations.iter().map(|&n| f64::from(n)).collect();
        let line = Line {
            method: name,
            micros: ran.mean * 1e-3,
            reached: percent(reached, count),
            worst,
            iterations: mean(&iterations),
        };
        let _ = writeln!(page, "{}", line.line());
    }
    Ok(page)
}

/// A method's line.
struct Line {
    method: &'static str,
    micros: f64,
    /// Per cent.
    reached: f64,
    worst: f64,
    iterations: f64,
}

impl Row for Line {
    const COLUMNS: &'static [(&'static str, usize)] =
        &[("method", 14), ("us", 10), ("reached", 9), ("worst miss", 11), ("iterations", 11)];

    fn cells(&self) -> Vec<String> {
        vec![
            self.method.to_owned(),
            format!("{:.2}", self.micros),
            format!("{:.1}%", self.reached),
            format!("{:.1e}", self.worst),
            format!("{:.1}", self.iterations),
        ]
    }
}
