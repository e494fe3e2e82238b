//! Solves that take too long for a frame.

use std::time::Duration;

use sinew::Workspace;

use super::{Answer, Check, Findings};
use crate::make::{Made, Problem};

/// Processor time of this thread that a solve may take.
const MOST: Duration = Duration::from_millis(20);
/// Solves more, of which the quickest counts: other load slows the processor itself, too.
const AGAIN: u32 = 2;

/// Whether the solve, and each of some more, took longer than it may.
pub(super) fn check(problem: &Problem, made: &Made, answer: &Answer, work: &mut Workspace, found: &mut Findings) {
    let mut least = answer.took;
    for _ in 0..AGAIN {
        if least <= MOST {
            return;
        }
        least = least.min(Answer::of(problem, made, &problem.goals, &problem.before, work).took);
    }
    if least > MOST {
        found.add(Check::Slow, least.as_secs_f64(), "seconds");
    }
}
