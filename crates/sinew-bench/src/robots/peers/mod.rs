//! Arms, ours and the peers', in one run: the same problem files, each problem from its own seed, one thread, turn by turn,
//! so that what else the machine does falls on all alike. Answers are judged by the skeleton's forward kinematics.
//!
//! `k` runs in this process. Python's wheels and IK-Geo are programs called as `PROGRAM PROBLEM RESULT`;
//! where one cannot run, the table says how to get it.

mod k;
mod program;
mod table;
mod tally;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::arms;
use super::file::{Problems, Results};
use program::Program;
pub use table::{Cell, Line, Table};
use tally::{Tally, judge};

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Turns that each solver gets at each file; the best of them counts, problem by problem.
    pub rounds: usize,
    /// Problems of each file, at most.
    pub most: usize,
    /// The Python that has the wheels.
    pub python: PathBuf,
    /// Where the result files (`FILE.SOLVER.ikr`) go. Must exist.
    pub folder: PathBuf,
}

/// Who solves.
#[derive(Debug)]
enum Peer {
    Ours,
    K(k::Settings),
    Program(Program),
}

/// Solves all files with all solvers.
pub fn compare(files: &[PathBuf], options: &Options) -> Result<Table> {
    let peers = peers(&options.python)?;
    let line = |peer: &Peer| Line { name: peer.name().into(), ..Line::default() };
    let mut table = Table { problems: Vec::new(), lines: peers.iter().map(line).collect() };
    for file in files {
        let problems = Problems::read(file)?;
        let count = problems.rows.len().min(options.most);
        let robot = sinew_urdf::load(&problems.urdf)?;
        let mut judge = judge(&robot, &problems)?;
        let mut tallies: Vec<Option<Tally>> = peers.iter().map(|_| Some(Tally::of(count))).collect();
        for _ in 0..options.rounds {
            for ((peer, line), tally) in peers.iter().zip(&mut table.lines).zip(&mut tallies) {
                let Some(so_far) = tally else { continue };
                match peer.solve(file, &problems, count, options) {
                    Ok(Some(results)) => {
                        so_far.add(&mut judge, &problems, &results.answers);
                        (line.version, line.settings) = (results.version, results.settings);
                    }
                    Ok(None) => *tally = None,
                    Err(error) => {
                        line.miss(&format!("{error:#}"));
                        *tally = None;
                    }
                }
            }
        }
        table.problems.push(format!("{} {}", problems.robot, problems.policy));
        for (line, tally) in table.lines.iter_mut().zip(tallies) {
            line.cells.push(tally.map(Tally::cell));
        }
    }
    Ok(table)
}

/// Ours first.
fn peers(python: &Path) -> Result<Vec<Peer>> {
    let wheels = program::WHEELS.iter().map(|wheel| Peer::Program(Program::wheel(wheel, python)));
    let ik_geo = Peer::Program(Program::ik_geo()?);
    Ok([Peer::Ours].into_iter().chain(k::WAYS.map(Peer::K)).chain(wheels).chain([ik_geo]).collect())
}

impl Peer {
    fn name(&self) -> &str {
        match self {
            Self::Ours => "sinew",
            Self::K(way) => way.name,
            Self::Program(program) => program.name,
        }
    }

    /// Answers to the first problems; `None` where the solver is not for such arms. The file of them is left in the folder.
    fn solve(&self, file: &Path, problems: &Problems, count: usize, options: &Options) -> Result<Option<Results>> {
        let stem = file.file_stem().context("a file has a name")?.to_string_lossy();
        let kept = options.folder.join(format!("{stem}.{}.ikr", self.name()));
        let results = match self {
            Self::Program(program) => program.solve(file, &kept, count)?,
            Self::Ours => Some(arms::results(problems, count)?),
            Self::K(way) => k::solve(*way, problems, count)?,
        };
        let Some(results) = results else { return Ok(None) };
        ensure!(results.answers.len() == count, "{} answers to {count} problems", results.answers.len());
        if !matches!(self, Self::Program(_)) {
            let bytes = results.to_bytes(self.name(), problems.joints.len())?;
            fs::write(&kept, bytes).with_context(|| format!("cannot write {}", kept.display()))?;
        }
        Ok(Some(results))
    }
}
