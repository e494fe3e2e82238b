//! `humanoid-problems [FILE...]`: both hands, both feet and the head at once, from random allowed poses, on every
//! humanoid given (the human built in by default). A table, or with `--json` a line of JSON each.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::humanoids::{self, Humanoid, Method, Report, RunOptions};
use crate::table;

/// Solves hands, feet and head of humanoids at once.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// glTF, GLB or VRM files of humanoids; the human built in where there are none.
    files: Vec<PathBuf>,
    /// Problems a character.
    #[arg(long, default_value_t = 10_000)]
    count: usize,
    /// Chooses the problems.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Asks for rotations, too.
    #[arg(long)]
    frames: bool,
    /// The solver.
    #[arg(long, value_enum, default_value_t)]
    method: Method,
    /// Other poses to start from where the neutral pose leads nowhere.
    #[arg(long, default_value_t = 32)]
    restarts: u32,
    /// Threads that solve.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Writes lines of JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// Whether all problems were reached.
pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    let asked = RunOptions {
        count: arguments.count,
        seed: arguments.seed,
        frames: arguments.frames,
        method: arguments.method,
        restarts: arguments.restarts,
        threads: arguments.threads,
        news: true,
    };
    let bodies = Humanoid::all(&arguments.files)?;
    table::print_heading::<Report>(arguments.json);
    let mut all = true;
    for body in bodies {
        let report = Report::of(&body, &humanoids::run(&body, &asked));
        table::print(&report, arguments.json)?;
        all &= report.reached == report.problems;
    }
    Ok(all)
}
