//! The best of several turns.

use anyhow::{Context, Result, ensure};
use sinew_urdf::Robot;

use super::table::Cell;
use crate::judge::arm::ArmJudge;
use crate::robots::SOLVED;
use crate::robots::file::{Answer, Problems};
use crate::table::{mean, percentile};

/// Radians or metres outside the limits that are let pass.
const SLACK: f64 = 1e-6;

/// The judge of a file's arm.
pub(super) fn judge<'a>(robot: &'a Robot, problems: &Problems) -> Result<ArmJudge<'a>> {
    let ends = [robot.link(&problems.links[0])?, robot.link(&problems.links[1])?];
    let coordinate = |name: &String| robot.coordinate(name).with_context(|| format!("no joint {name} moves"));
    let coordinates = problems.joints.iter().map(coordinate).collect::<Result<Vec<_>>>()?;
    ensure!(!problems.rows.is_empty(), "no problems for {}", problems.robot);
    Ok(ArmJudge::new(&robot.skeleton, ends, &coordinates))
}

/// What several turns at the same problems came to.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    /// Least time of each problem (ns): of the turns that solved it, if any did.
    nanoseconds: Vec<f64>,
    solved: Vec<bool>,
    /// Whether the solver said so of an answer that is none.
    falsely: Vec<bool>,
}

impl Tally {
    pub(super) fn of(count: usize) -> Self {
        Self { nanoseconds: vec![f64::INFINITY; count], solved: vec![false; count], falsely: vec![false; count] }
    }

    /// A turn.
    pub(super) fn add(&mut self, judge: &mut ArmJudge<'_>, problems: &Problems, answers: &[Answer]) {
        for (i, (answer, row)) in answers.iter().zip(&problems.rows).enumerate() {
            let verdict = judge.verdict(row.position, Some(row.rotation), &answer.coordinates);
            let is_solved = verdict.is_met(SOLVED, SLACK);
            let best = &mut self.nanoseconds[i];
            *best = match (self.solved[i], is_solved) {
                (false, true) => answer.nanoseconds,
                (true, false) => *best,
                _ => best.min(answer.nanoseconds),
            };
            self.solved[i] |= is_solved;
            self.falsely[i] |= answer.is_solved && !is_solved;
        }
    }

    pub(super) fn cell(mut self) -> Cell {
        self.nanoseconds.sort_by(f64::total_cmp);
        let count = self.nanoseconds.len();
        let microseconds = |share: usize| percentile(&self.nanoseconds, share) * 1e-3;
        Cell {
            solved: self.solved.iter().filter(|&&is_solved| is_solved).count() as f64 / count.max(1) as f64,
            falsely: self.falsely.iter().filter(|&&is_false| is_false).count(),
            median: microseconds(50),
            mean: 1e-3 * mean(&self.nanoseconds),
            p99: microseconds(99),
        }
    }
}
