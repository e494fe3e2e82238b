//! k's Jacobian solver, which keeps limits but never starts again: here it does, from random places within the limits,
//! until the problem's time is up.

use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use cpu_time::ThreadTime;
use fastrand::Rng;
use k::nalgebra as na;
use k::{InverseKinematicsSolver as _, JacobianIkSolver, SerialChain};

use crate::robots::file::{Answer, Problems, Results, Row};

/// How k is asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) name: &'static str,
    /// Share of each Newton step that is taken; k's default is a half.
    multiplier: f64,
    /// Steps a start; k's default is 10, which half steps need more than to come to 1e-6.
    steps: usize,
}

/// Of the pairs tried, the quickest near a seed, and the one that solves most: no one pair is both.
pub(super) const WAYS: [Settings; 2] =
    [Settings { name: "k", multiplier: 1.0, steps: 10 }, Settings { name: "k-half", multiplier: 0.5, steps: 30 }];

/// k's arm with a file's problems.
struct Arm<'a> {
    chain: SerialChain<f64>,
    solver: JacobianIkSolver<f64>,
    problems: &'a Problems,
    /// The file's place of each of k's joints, and its limits.
    places: Vec<usize>,
    limits: Vec<(f64, f64)>,
    /// k's first link to the file's base.
    base: na::Isometry3<f64>,
}

/// Answers to the first problems, solved twice, as ours are; `None` where other joints move the tip.
pub(super) fn solve(way: Settings, problems: &Problems, count: usize) -> Result<Option<Results>> {
    let Some(arm) = Arm::new(way, problems)? else { return Ok(None) };
    let pass = || problems.rows.iter().take(count).enumerate().map(|(i, row)| arm.answer(i, row)).collect();
    let _for_the_caches: Vec<Answer> = pass();
    let answers = pass();
    let Settings { multiplier, steps, .. } = way;
    let settings = format!(
        "`JacobianIkSolver`, multiplier {multiplier}, {steps} steps a start; our restarts, random within the limits, for \
         {} ms of its thread's time",
        1e3 * problems.timeout
    );
    Ok(Some(Results { version: "0.32.0".into(), settings, answers }))
}

impl<'a> Arm<'a> {
    fn new(way: Settings, problems: &'a Problems) -> Result<Option<Self>> {
        let path = &problems.urdf;
        let robot = k::Chain::<f64>::from_urdf_file(path).map_err(|error| anyhow!("{}: {error}", path.display()))?;
        let link = |name: &str| robot.find_link(name).with_context(|| format!("it sees no link {name}"));
        let (base, tip) = (link(&problems.links[0])?, link(&problems.links[1])?);
        robot.update_transforms();
        let base = base.world_transform().unwrap_or_else(na::Isometry3::identity);
        let chain = SerialChain::from_end(tip);
        let place = |joint: &String| problems.joints.iter().position(|name| name == joint);
        let moving = chain.iter_joints().filter(|joint| joint.is_movable());
        let joints: Vec<(String, Option<(f64, f64)>)> =
            moving.map(|joint| (joint.name.clone(), joint.limits.map(|range| (range.min, range.max)))).collect();
        let places: Option<Vec<usize>> = joints.iter().map(|(name, _)| place(name)).collect();
        let Some(places) = places.filter(|places| places.len() == problems.joints.len()) else { return Ok(None) };
        let turn = (-std::f64::consts::PI, std::f64::consts::PI);
        let limits = joints.iter().map(|(_, limits)| limits.unwrap_or(turn)).collect();
        let [metres, radians] = problems.tolerance;
        let solver = JacobianIkSolver::new(metres, radians, way.multiplier, way.steps);
        Ok(Some(Self { chain, solver, problems, places, limits, base }))
    }

    /// The same draws each time.
    fn answer(&self, i: usize, row: &Row) -> Answer {
        let (p, r) = (row.position, row.rotation);
        let rotation = na::UnitQuaternion::from_quaternion(na::Quaternion::new(r.w, r.x, r.y, r.z));
        let target = self.base * na::Isometry3::from_parts(na::Translation3::new(p.x, p.y, p.z), rotation);
        let mut rng = Rng::with_seed(i as u64);
        let mut from: Vec<f64> = self.places.iter().map(|&place| row.seed[place]).collect();
        // What else the machine does shortens nobody's time.
        let clock = ThreadTime::now();
        let start = Instant::now();
        let is_solved = loop {
            self.chain.set_joint_positions_clamped(&from);
            if self.solver.solve(&self.chain, &target).is_ok() {
                break true;
            }
            if clock.elapsed().as_secs_f64() >= self.problems.timeout {
                break false;
            }
            from.iter_mut().zip(&self.limits).for_each(|(q, (low, high))| *q = low + (high - low) * rng.f64());
        };
        let nanoseconds = start.elapsed().as_nanos() as f64;
        let mut coordinates = row.seed.clone();
        self.places.iter().zip(self.chain.joint_positions()).for_each(|(&place, q)| coordinates[place] = q);
        Answer { is_solved, nanoseconds, coordinates }
    }
}
