//! One problem after another, each from its own seed, nothing carried over.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use sinew::{Status, Tolerance};
use sinew_arm::{Arm, IkSolution, PoseTarget, Serial, Width};

use super::file::{Answer, Problems, Results};

/// How hard problems are searched for.
pub const SETTINGS: Serial =
    Serial { iterations: 50, restarts: 1000, position_tolerance: 1e-10, rotation_tolerance: 1e-10, width: Width::ONE };

/// Answers to the first so many problems, with what made them.
pub fn results(problems: &Problems, most: usize) -> Result<Results> {
    results_in_lanes(problems, most, 1, false)
}

/// The same with so many restarts side by side, or `together` all in one call, so many targets at a time.
pub fn results_in_lanes(problems: &Problems, most: usize, lanes: usize, together: bool) -> Result<Results> {
    let width = Width::all().find(|width| width.lanes() == lanes);
    let width = width.with_context(|| format!("this machine has no instructions for {lanes} lanes"))?;
    let Serial { iterations, restarts, .. } = SETTINGS;
    let call = match (lanes, together) {
        (1, false) => "`Arm::solve`".into(),
        (_, false) => format!("`Arm::solve` in {lanes} lanes"),
        (_, true) => format!("`Arm::solve_many` in {lanes} lanes"),
    };
    let settings = format!("{call}, {iterations} steps a start, at most {restarts} restarts, no clock");
    let ready = Ready::new(problems)?;
    let answers = if together { ready.run_together(most, width) } else { ready.run(most, width) };
    Ok(Results { version: env!("CARGO_PKG_VERSION").into(), settings, answers })
}

/// An arm made ready, with its problems in its own order of coordinates.
#[derive(Clone, Debug)]
pub struct Ready {
    arm: Arm,
    problems: Vec<(Vec<f64>, PoseTarget)>,
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
            (seed, PoseTarget::frame(row.position, row.rotation).tolerance(tolerance))
        };
        let problems = problems.rows.iter().map(ask).collect();
        Ok(Self { arm, problems, places })
    }

    /// Solves the first so many, each twice: once for the caches, once timed.
    pub fn run(&self, most: usize, width: Width) -> Vec<Answer> {
        let settings = Serial { width, ..SETTINGS };
        let mut out = vec![0.0; self.places.len()];
        let mut answers = Vec::new();
        for timed in [false, true] {
            answers.clear();
            for (seed, asked) in self.problems.iter().take(most) {
                let start = Instant::now();
                let found = self.arm.solve(asked, seed, &settings, &mut out);
                let nanoseconds = if timed { start.elapsed().as_nanos() as f64 } else { 0.0 };
                answers.push(self.answer(&found, &out, nanoseconds));
            }
        }
        answers
    }

    /// Solves the first so many in one call, twice, and shares its time out evenly.
    pub fn run_together(&self, most: usize, width: Width) -> Vec<Answer> {
        let problems = || self.problems.iter().take(most);
        let asked: Vec<PoseTarget> = problems().map(|(_, asked)| *asked).collect();
        let seeds: Vec<f64> = problems().flat_map(|(seed, _)| seed.iter().copied()).collect();
        let settings = Serial { width, ..SETTINGS };
        let (mut out, mut found, mut nanoseconds) = (seeds.clone(), Vec::new(), 0.0);
        for _ in 0..2 {
            let start = Instant::now();
            self.arm.solve_many(&asked, &seeds, &settings, (&mut out, &mut found));
            nanoseconds = start.elapsed().as_nanos() as f64 / asked.len().max(1) as f64;
        }
        let answers = found.iter().zip(out.chunks_exact(self.places.len()));
        answers.map(|(found, out)| self.answer(found, out, nanoseconds)).collect()
    }

    fn answer(&self, found: &IkSolution, out: &[f64], nanoseconds: f64) -> Answer {
        let coordinates = self.places.iter().map(|&place| out[place]).collect();
        Answer { is_solved: found.status == Status::Reached, nanoseconds, coordinates }
    }
}
