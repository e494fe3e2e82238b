//! Solves that take too long for a frame.

use std::time::Duration;

use cpu_time::ThreadTime;
use sinew::Workspace;

use super::{Answer, Check, Findings};
use crate::make::{Made, Problem};

/// Processor time of this thread that a solve may take.
pub(super) const MOST: Duration = Duration::from_millis(20);
/// Solves of which the quickest counts, where the first was slow: other load slows the processor itself, too.
const AGAIN: u32 = 2;

/// Adds the finding if this solve and those again all take longer.
pub(super) fn check(problem: &Problem, made: &Made, first: Duration, found: &mut Findings) {
    let mut least = first;
    let mut work = Workspace::default();
    for _ in 0..AGAIN {
        if least <= MOST {
            return;
        }
        let begun = ThreadTime::now();
        let _ = Answer::of(problem, made, &problem.goals, &problem.before, &mut work);
        least = least.min(begun.elapsed());
    }
    if least > MOST {
        found.add(Check::Slow, least.as_secs_f64(), "seconds");
    }
}
