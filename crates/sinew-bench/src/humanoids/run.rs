//! Many problems on one body, solved and judged, on as many threads as asked for.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::ValueEnum;
use cpu_time::ThreadTime;
use sinew::{Auto, Fabrik, Jacobian, MassSpring, Pose, Solver, Tolerance, Workspace};

use super::body::Humanoid;
use super::sample::Problem;
use crate::judge::humanoid::{self, Judged, judge};

/// What the solver counts as met, as a share of what the judge does: the last digits are not its business.
const SOLVED: f64 = 0.5;
/// Problems that a thread takes at a time.
const BATCH: usize = 50;
/// Problems between two lines of progress.
const NEWS: usize = 1000;

/// The solvers that take whole bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Descent, with restarts.
    #[default]
    Jacobian,
    /// Springs in balance, once.
    MassSpring,
    /// The choice by the goals, with restarts.
    Auto,
    /// Points drawn along bones, once.
    Fabrik,
}

/// How many problems, and how they are solved.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// Problems.
    pub count: usize,
    /// Chooses the problems.
    pub seed: u64,
    /// Whether rotations are asked for, too.
    pub frames: bool,
    /// The solver.
    pub method: Method,
    /// Other starts that the solver may try, where it does.
    pub restarts: u32,
    /// Threads that solve.
    pub threads: usize,
    /// Whether to say on the standard error how far it is.
    pub news: bool,
}

/// One problem's answer.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// Place of the problem.
    pub number: usize,
    /// What it is worth.
    pub judged: Judged,
    /// Restarts with which it was reached (0, then the powers of two and the number asked for); `None` where
    /// it was not.
    pub needed: Option<u32>,
    /// Processor time of the solve with all restarts allowed (microseconds).
    pub micros: f64,
    /// Steps of that solve.
    pub steps: u32,
}

/// Solves and judges; answers in the problems' order.
pub fn run(body: &Humanoid, asked: &RunOptions) -> Vec<Answer> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(asked.count)));
    let begun = Instant::now();
    let work = || {
        let mut hand = Hand::of(body, asked);
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= asked.count {
                return;
            }
            let answers: Vec<Answer> =
                (first..asked.count.min(first + BATCH)).map(|number| hand.solve(number)).collect();
            let Ok(mut done) = done.lock() else { return };
            let before = done.len();
            done.extend(answers);
            if asked.news && before / NEWS < done.len() / NEWS {
                news(body, asked, &done, begun);
            }
        }
    };
    std::thread::scope(|scope| {
        (1..asked.threads).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    let mut answers = done.into_inner().unwrap_or_default();
    answers.sort_by_key(|answer| answer.number);
    answers
}

fn news(body: &Humanoid, asked: &RunOptions, done: &[Answer], begun: Instant) {
    let missed = done.iter().filter(|answer| !answer.judged.is_reached()).count();
    let seconds = begun.elapsed().as_secs_f64();
    eprintln!("{}: {} of {} solved in {seconds:.1} s, {missed} not reached", body.name, done.len(), asked.count);
}

/// What one thread works with.
#[derive(Debug)]
struct Hand<'a> {
    body: &'a Humanoid,
    asked: &'a RunOptions,
    start: Pose,
    pose: Pose,
    work: Workspace,
}

impl<'a> Hand<'a> {
    fn of(body: &'a Humanoid, asked: &'a RunOptions) -> Self {
        let start = body.skeleton.neutral_pose();
        Self { body, asked, pose: start.clone(), start, work: Workspace::default() }
    }

    fn solve(&mut self, number: usize) -> Answer {
        let problem = self.body.problem(self.asked.seed, number, self.asked.frames);
        let begun = ThreadTime::now();
        let steps = self.attempt(&problem, self.asked.restarts);
        let micros = begun.elapsed().as_secs_f64() * 1e6;
        let judged = judge(self.body, &problem.targets, &self.pose);
        let needed = judged.is_reached().then(|| self.needed(&problem));
        Answer { number, judged, needed, micros, steps }
    }

    /// Solves from the neutral pose; the steps made.
    fn attempt(&mut self, problem: &Problem, restarts: u32) -> u32 {
        let [position, rotation] = [humanoid::NEAR * self.body.height, humanoid::NEAR_TURN].map(|near| SOLVED * near);
        let goals = self.body.goals_at(&problem.targets, Tolerance { position, rotation });
        self.pose.clone_from(&self.start);
        let (skeleton, pose, work) = (&self.body.skeleton, &mut self.pose, &mut self.work);
        let outcome = match self.asked.method {
            Method::Jacobian => Jacobian { restarts, ..Jacobian::default() }.solve(skeleton, &goals, pose, work),
            Method::MassSpring => MassSpring::default().solve(skeleton, &goals, pose, work),
            Method::Auto => Auto { restarts, ..Auto::default() }.solve(skeleton, &goals, pose, work),
            Method::Fabrik => Fabrik::default().solve(skeleton, &goals, pose, work),
        };
        outcome.iterations
    }

    /// The least of 0, 1, 2, 4, … restarts with which the problem is reached.
    fn needed(&mut self, problem: &Problem) -> u32 {
        let most = self.asked.restarts;
        let tries = std::iter::once(0).chain((0..32).map(|power| 1 << power)).take_while(|&tries| tries < most);
        for restarts in tries {
            self.attempt(problem, restarts);
            if judge(self.body, &problem.targets, &self.pose).is_reached() {
                return restarts;
            }
        }
        most
    }
}
