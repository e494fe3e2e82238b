//! Solves that take too long for a frame.

use std::time::Duration;

use cpu_time::ThreadTime;
use sinew::Workspace;

use super::{Answer, Broken, Check};
use crate::make::{Made, Problem};

/// Processor time of this thread that a solve may take.
pub(super) const MOST: Duration = Duration::from_millis(20);
/// Solves of which the quickest counts: other load slows the processor itself, too.
const SOLVES: u32 = 3;

/// The finding where each of some solves takes longer than it may.
pub(crate) fn judge(problem: &Problem, made: &Made) -> Option<Broken> {
    let mut work = Workspace::default();
    let mut least = Duration::MAX;
    for _ in 0..SOLVES {
        let begun = ThreadTime::now();
        let _ = Answer::of(problem, made, &problem.goals, &problem.before, &mut work);
        least = least.min(begun.elapsed());
        if least <= MOST {
            return None;
        }
    }
    Some(Broken { check: Check::Slow, size: least.as_secs_f64(), how: "seconds" })
}
