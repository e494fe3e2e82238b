//! How long problems take, in CPU time of this thread, so that other load on the machine counts as
//! little as it can.
//!
//! *Hot*: blocks of [`BLOCK`] problems, each repeated while its data is in the cache. *Stream*: all
//! problems, one pass after another.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use crate::runner::Runner;
use crate::table::median;

/// Problems in a block.
pub const BLOCK: usize = 2000;
/// Timed passes over anything, at least.
const PASSES: usize = 3;

/// What a runner took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timing {
    /// Median over blocks and passes of the mean time of a problem (nanoseconds).
    pub hot: f64,
    /// Median over passes of the mean time of a problem (nanoseconds).
    pub stream: f64,
    /// For each problem the least mean time of its block over passes (nanoseconds).
    pub problems: Vec<f64>,
}

/// Solves all problems once and gives how many were solved before `cap` ran out (`None`: all).
pub fn solve_within(runner: &mut dyn Runner, cap: Option<Duration>) -> usize {
    let start = Instant::now();
    for block in blocks(runner.count(), 16) {
        if cap.is_some_and(|cap| start.elapsed() >= cap) {
            return block.start;
        }
        runner.solve(block);
    }
    runner.count()
}

/// Times the first `count` problems; hot and stream get `least` of CPU time each.
pub fn measure(runner: &mut dyn Runner, count: usize, least: Duration) -> Timing {
    let mut problems = Vec::with_capacity(count);
    let mut hot = Vec::new();
    let number = count.div_ceil(BLOCK).max(1) as u32;
    for block in blocks(count, BLOCK) {
        runner.solve(block.clone());
        let passes = passes(runner, &block, least / number);
        problems.extend(block.map(|_| passes.iter().copied().fold(f64::INFINITY, f64::min)));
        hot.extend(passes);
    }
    let stream = passes(runner, &(0..count), least);
    Timing { hot: median(hot), stream: median(stream), problems }
}

/// Mean times of a problem, one for each pass, until `least` is spent.
fn passes(runner: &mut dyn Runner, range: &std::ops::Range<usize>, least: Duration) -> Vec<f64> {
    let mut means = Vec::new();
    let mut spent = Duration::ZERO;
    while means.len() < PASSES || spent < least {
        let time = pass(runner, range.clone());
        means.push(time.as_nanos() as f64 / range.len().max(1) as f64);
        // Whatever the clock's grain, this ends.
        spent += time.max(Duration::from_nanos(100));
    }
    means
}

/// CPU time of one pass.
pub fn pass(runner: &mut dyn Runner, range: std::ops::Range<usize>) -> Duration {
    let start = ThreadTime::now();
    runner.solve(range);
    start.elapsed()
}

/// `0..count` in pieces of `size`.
pub fn blocks(count: usize, size: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..count).step_by(size).map(move |start| start..count.min(start + size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Answer;
    use sinew::glam::DVec3;
    use std::ops::Range;

    /// Counts how often each problem was solved.
    #[derive(Debug)]
    struct Counter(Vec<usize>);

    impl Runner for Counter {
        fn count(&self) -> usize {
            self.0.len()
        }

        fn solve(&mut self, range: Range<usize>) {
            self.0[range].iter_mut().for_each(|n| *n += 1);
        }

        fn answer(&self, _: usize) -> Answer {
            Answer::Positions([DVec3::ZERO; 2])
        }
    }

    #[test]
    fn every_problem_is_solved_equally_often_at_least() {
        let mut counter = Counter(vec![0; 2 * BLOCK + 5]);
        let timing = measure(&mut counter, 2 * BLOCK + 5, Duration::ZERO);
        assert_eq!(timing.problems.len(), 2 * BLOCK + 5);
        // A first look at each block, its passes, and the passes over all.
        assert!(counter.0.iter().all(|&n| n == 1 + 2 * PASSES));
    }

    #[test]
    fn the_cap_stops_the_first_pass() {
        assert_eq!(solve_within(&mut Counter(vec![0; 100]), Some(Duration::ZERO)), 0);
        assert_eq!(solve_within(&mut Counter(vec![0; 100]), None), 100);
        assert!(measure(&mut Counter(vec![]), 0, Duration::ZERO).problems.is_empty());
    }
}
