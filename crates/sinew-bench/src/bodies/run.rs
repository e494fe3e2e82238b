//! A method on a problem file: what it answers and how long it takes.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use sinew::glam::DVec3;

use super::contender::Contender;
use crate::table::median;

/// Timed passes, at least.
const PASSES: usize = 3;

/// Answers and times.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// Positions of all joints, record by record.
    pub rows: Vec<f64>,
    /// Sweeps or steps of each record.
    pub iterations: Vec<u32>,
    /// Nanoseconds of each record: the mean of all.
    pub nanoseconds: Vec<f64>,
    /// Median over passes of the mean time of a record (nanoseconds).
    pub mean: f64,
    /// Passes timed.
    pub passes: usize,
}

/// Solves all records once for their answers (as many as `cap` allows), then again for time until `least` is
/// spent.
pub fn run(contender: &mut dyn Contender, count: usize, least: Duration, cap: Option<Duration>) -> Ran {
    let mut ran = Ran::default();
    let start = Instant::now();
    contender.reset();
    for record in 0..count {
        if cap.is_some_and(|cap| start.elapsed() >= cap) {
            break;
        }
        ran.iterations.push(contender.solve(record));
        ran.rows.extend(contender.positions().iter().flat_map(DVec3::to_array));
    }
    let count = ran.iterations.len();
    let (mut means, mut spent) = (Vec::new(), Duration::ZERO);
    while count > 0 && (means.len() < PASSES || spent < least) && cap.is_none_or(|cap| start.elapsed() < 4 * cap) {
        contender.reset();
        let pass = ThreadTime::now();
        for record in 0..count {
            contender.solve(record);
        }
        let time = pass.elapsed();
        means.push(time.as_nanos() as f64 / count as f64);
        spent += time.max(Duration::from_nanos(100));
    }
    ran.passes = means.len();
    ran.mean = median(means);
    // One reading of the clock costs as much as a short solve, so each has the mean of its pass.
    ran.nanoseconds = vec![ran.mean; count];
    ran
}
