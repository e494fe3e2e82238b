//! Whether an answer is one, and the best of several turns.

use anyhow::{Context, Result, ensure};
use sinew::glam::DVec3;
use sinew::{Joint, Pose};
use sinew_urdf::Robot;

use super::table::Cell;
use crate::robots::file::{Answer, Problems, Row};
use crate::robots::protocol::place;

/// Metres and radians that count as solved.
const SOLVED: f64 = 1e-5;
/// Radians or metres outside the limits that are let pass.
const SLACK: f64 = 1e-6;

/// The forward kinematics of a file's robot.
#[derive(Debug)]
pub(super) struct Judge {
    robot: Robot,
    base: Joint,
    tip: Joint,
    /// The skeleton's place of each of the file's coordinates.
    coordinates: Vec<usize>,
    pose: Pose,
}

impl Judge {
    pub(super) fn new(problems: &Problems) -> Result<Self> {
        let robot = sinew_urdf::load(&problems.urdf)?;
        let [base, tip] = [robot.link(&problems.links[0])?, robot.link(&problems.links[1])?];
        let coordinate = |name: &String| robot.coordinate(name).with_context(|| format!("no joint {name} moves"));
        let coordinates = problems.joints.iter().map(coordinate).collect::<Result<_>>()?;
        let pose = robot.skeleton.rest_pose();
        ensure!(!problems.rows.is_empty(), "no problems for {}", problems.robot);
        Ok(Self { robot, base, tip, coordinates, pose })
    }

    /// Whether the tip is in its frame and all coordinates are within their limits.
    fn is_solved(&mut self, row: &Row, values: &[f64]) -> bool {
        let limits = self.coordinates.iter().map(|&coordinate| self.robot.skeleton.coordinates()[coordinate].range);
        let is_inside = limits.zip(values).all(|(range, &q)| range.min - SLACK <= q && q <= range.max + SLACK);
        if values.len() != self.coordinates.len() || !is_inside || !values.iter().all(|q| q.is_finite()) {
            return false;
        }
        place(&self.robot, &self.coordinates, values, &mut self.pose);
        let base = self.pose.rotation(self.base).conjugate();
        let position = base * (self.pose.position(self.tip) - self.pose.position(self.base));
        let turn = row.rotation.conjugate() * base * self.pose.rotation(self.tip);
        // Half the turn's sine: at these sizes twice that is the turn.
        let turn = 2.0 * DVec3::new(turn.x, turn.y, turn.z).length();
        position.distance(row.position) <= SOLVED && turn <= SOLVED
    }
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
    pub(super) fn add(&mut self, judge: &mut Judge, problems: &Problems, answers: &[Answer]) {
        for (i, (answer, row)) in answers.iter().zip(&problems.rows).enumerate() {
            let is_solved = judge.is_solved(row, &answer.coordinates);
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
        let microseconds = |at: usize| self.nanoseconds.get(at).copied().unwrap_or(0.0) * 1e-3;
        Cell {
            solved: self.solved.iter().filter(|&&is_solved| is_solved).count() as f64 / count.max(1) as f64,
            falsely: self.falsely.iter().filter(|&&is_false| is_false).count(),
            median: microseconds(count / 2),
            mean: 1e-3 * self.nanoseconds.iter().sum::<f64>() / count.max(1) as f64,
            p99: microseconds(99 * count / 100),
        }
    }
}
