//! `character-problems METHOD PROBLEM OUT TOL MAXITER MIN_S`: a problem file in, a solution file and one line of JSON out.
//! `character-problems compare PROBLEM [TOL]`: all methods, as a table.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde::Serialize;

use crate::bodies::{self, Body, Ran, RunOptions};
use crate::compare;
use crate::limb::{self, Limb};
use crate::methods::{Entry, METHODS};
use crate::problem::ProblemFile;
use crate::solution::Solution;
use crate::timing;

const USAGE: &str =
    "usage: character-problems METHOD PROBLEM OUT TOL MAXITER MIN_S, or character-problems compare PROBLEM [TOL]";

/// Solves a problem file with one method, writes the answers and prints a line of JSON; or compares all methods.
/// `CAP_S` in the environment: seconds after which the first pass stops.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The method, the problem file, where answers go, tolerance, iterations at most, seconds at least; or: compare PROBLEM [TOL]
    #[arg(required = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    let words: Vec<String> = arguments.words.iter().map(text).collect();
    println!("{}", report(&words, std::env::var_os("CAP_S").as_ref().map(text).as_deref())?.trim_end());
    Ok(true)
}

/// Runs the command and gives what it prints. `cap` is the environment's `CAP_S`: seconds after
/// which the first pass stops.
pub fn report(arguments: &[String], cap: Option<&str>) -> Result<String> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let cap = cap.map(|cap| seconds("CAP_S", cap)).transpose()?;
    match arguments[..] {
        ["compare", problem] => compare_all(problem, 1e-3),
        ["compare", problem, tolerance] => {
            compare_all(problem, tolerance.parse().with_context(|| format!("TOL {tolerance} is no number"))?)
        }
        [method, problem, out, tolerance, iterations, least] => {
            // A closed form has no use for either, but a slip in them should not pass.
            let tolerance: f64 = tolerance.parse().with_context(|| format!("TOL {tolerance} is no number"))?;
            ensure!(tolerance >= 0.0, "TOL {tolerance} is negative");
            let iterations = iterations.parse().with_context(|| format!("MAXITER {iterations} is no whole number"))?;
            let asked = RunOptions { tolerance, iterations };
            let job = Job { method: method.into(), asked, out: out.into(), least: seconds("MIN_S", least)?, cap };
            let file = ProblemFile::read(Path::new(problem))?;
            if file.kind == limb::KIND { job.run(&file) } else { job.run_on_body(&file) }
        }
        _ => bail!(USAGE),
    }
}

/// All methods on one file; limbs have closed forms, which ask for no tolerance.
fn compare_all(problem: &str, tolerance: f64) -> Result<String> {
    let file = ProblemFile::read(Path::new(problem))?;
    if file.kind == limb::KIND {
        compare::table(&Limb::all(&file)?)
    } else {
        bodies::table(&Body::of(&file)?, tolerance, bodies::LEAST)
    }
}

#[derive(Debug)]
struct Job {
    method: String,
    asked: RunOptions,
    out: PathBuf,
    least: Duration,
    cap: Option<Duration>,
}

impl Job {
    fn run(&self, file: &ProblemFile) -> Result<String> {
        // What chains and trees are solved with, limbs can be too, but not to a pole.
        if !METHODS.iter().any(|entry| entry.name == self.method) && bodies::NAMES.contains(&self.method.as_str()) {
            return skip(&self.method, file.kind);
        }
        let mut runner = Entry::named(&self.method)?.prepare(&Limb::all(file)?)?;
        let count = timing::solve_within(&mut *runner, self.cap);
        let answers: Vec<_> = (0..count).map(|i| runner.answer(i)).collect();
        let timing = timing::measure(&mut *runner, count, self.least);
        Solution::new(&answers, timing.problems)?.write(&self.out)?;
        Ok(serde_json::to_string(&Said::Limbs { ns_hot: timing.hot, ns_stream: timing.stream })?)
    }

    fn run_on_body(&self, file: &ProblemFile) -> Result<String> {
        if METHODS.iter().any(|entry| entry.name == self.method) && !bodies::NAMES.contains(&self.method.as_str()) {
            return skip(&self.method, file.kind);
        }
        let body = Body::of(file)?;
        let Some(mut contender) = bodies::contender(&self.method, &body, self.asked)? else {
            return skip(&self.method, file.kind);
        };
        let ran = bodies::run(&mut *contender, body.count(), self.least, self.cap);
        let (width, mean, passes) = (3 * body.joints.len(), ran.mean, ran.passes);
        let Ran { rows, nanoseconds, iterations, .. } = ran;
        Solution { kind: 1, width, rows, nanoseconds, iterations }.write(&self.out)?;
        Ok(serde_json::to_string(&Said::Bodies { ns_med: mean, passes })?)
    }
}

/// What the checkers of `shared/bench` read.
#[derive(Serialize)]
#[serde(untagged)]
enum Said {
    /// Nanoseconds of a limb.
    Limbs { ns_hot: f64, ns_stream: f64 },
    /// Nanoseconds of a chain or tree.
    Bodies { ns_med: f64, passes: usize },
    /// Why nothing was solved.
    Skipped { skip: String },
}

fn skip(method: &str, kind: u32) -> Result<String> {
    Ok(serde_json::to_string(&Said::Skipped { skip: format!("{method} does not serve {}", problems(kind)) })?)
}

/// What problems of a kind are.
fn problems(kind: u32) -> &'static str {
    match kind {
        1 => "two-bone limbs",
        2 => "free chains",
        3 => "chains with cone limits",
        4 => "chains of hinges",
        5 => "trees",
        6 => "chains over frames",
        _ => "problems of an unknown kind",
    }
}

fn seconds(what: &str, text: &str) -> Result<Duration> {
    let seconds: f64 = text.parse().with_context(|| format!("{what} {text} is no number of seconds"))?;
    Duration::try_from_secs_f64(seconds).with_context(|| format!("{what} {text} is no number of seconds"))
}
