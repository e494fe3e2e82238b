//! One problem after another, each from its own seed, nothing carried over.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use sinew::solve::serial::{Arm, Asked};
use sinew::{Serial, Status, Tolerance};

use super::file::{Answer, Problems, Results};

/// How hard problems are searched for.
pub const SETTINGS: Serial =
    Serial { iterations: 50, restarts: 1000, position_tolerance: 1e-10, rotation_tolerance: 1e-10 };

/// Answers to the first so many problems, with what made them.
pub fn results(problems: &Problems, most: usize) -> Result<Results> {
    let Serial { iterations, restarts, .. } = SETTINGS;
    let settings = format!("`Arm::solve`, {iterations} steps a start, at most {restarts} restarts, no clock");
    Ok(Results { version: env!("CARGO_PKG_VERSION").into(), settings, answers: Ready::new(problems)?.run(most) })
}

/// An arm made ready, with its problems in its own order of coordinates.
#[derive(Clone, Debug)]
pub struct Ready {
    arm: Arm,
    problems: Vec<(Vec<f64>, Asked)>,
    /// The arm's place of each of the problem's coordinates.
    places: Vec<usize>,
}

impl Ready {
    /// Loads the robot.
    pub fn new(problems: &Problems) -> Result<Self> {
        let robot = sinew_urdf::load(&problems.urdf)?;
        let [base, tip] = [robot.link(&problems.links[0])?, robot.link(&problems.links[1])?];
        let arm = Arm::new(&robot.skeleton, base, tip)?;
        let place = |name: &String| {
            let coordinate = robot.coordinate(name);
            let place = coordinate.and_then(|wanted| arm.coordinates().iter().position(|&other| other == wanted));
            place.with_context(|| format!("joint {name} is none that moves {}", problems.links[1]))
        };
        let places = problems.joints.iter().map(place).collect::<Result<Vec<_>>>()?;
        ensure!(places.len() == arm.coordinates().len(), "{} joints move the tip", arm.coordinates().len());
        let tolerance = Tolerance { position: problems.tolerance[0], rotation: problems.tolerance[1] };
        let ask = |row: &super::file::Row| {
            let mut seed = vec![0.0; places.len()];
            places.iter().zip(&row.seed).for_each(|(&place, &q)| seed[place] = q);
            (seed, Asked::frame(row.position, row.rotation).tolerance(tolerance))
        };
        let problems = problems.rows.iter().map(ask).collect();
        Ok(Self { arm, problems, places })
    }

    /// Solves the first so many, each twice: once for the caches, once timed.
    pub fn run(&self, most: usize) -> Vec<Answer> {
        let mut out = vec![0.0; self.places.len()];
        let mut answers = Vec::new();
        for timed in [false, true] {
            answers.clear();
            for (seed, asked) in self.problems.iter().take(most) {
                let start = Instant::now();
                let found = self.arm.solve(asked, seed, &SETTINGS, &mut out);
                let nanoseconds = if timed { start.elapsed().as_nanos() as f64 } else { 0.0 };
                let coordinates = self.places.iter().map(|&place| out[place]).collect();
                answers.push(Answer { is_solved: found.status == Status::Reached, nanoseconds, coordinates });
            }
        }
        answers
    }
}
