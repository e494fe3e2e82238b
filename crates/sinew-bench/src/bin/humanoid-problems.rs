//! `humanoid-problems [FILE...]`: both hands, both feet and the head at once, from random allowed poses, on every
//! humanoid given (the human built in by default). A table, or with `--json` a line of JSON each.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use sinew_bench::humanoids::{Humanoid, Method, Report, RunOptions, run};

/// Solves hands, feet and head of humanoids at once.
#[derive(Debug, Parser)]
struct Arguments {
    /// glTF, GLB or VRM files of humanoids; the human built in where there are none.
    files: Vec<PathBuf>,
    /// Problems a character.
    #[arg(long, default_value_t = 10_000)]
    count: usize,
    /// Chooses the problems.
    #[arg(long, default_value_t = 1)]
    seed: u64,
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

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let asked = RunOptions {
        count: arguments.count,
        seed: arguments.seed,
        method: arguments.method,
        restarts: arguments.restarts,
        threads: arguments.threads,
        news: true,
    };
    if !arguments.json {
        println!("{}", Report::heading());
    }
    let mut bodies: Vec<_> = arguments.files.iter().map(|file| Humanoid::load(file)).collect();
    if bodies.is_empty() {
        bodies.push(Humanoid::built_in());
    }
    let mut all = true;
    for body in bodies {
        match body {
            Ok(body) => {
                let report = Report::of(&body, &run(&body, &asked));
                println!("{}", if arguments.json { report.json().to_string() } else { report.line() });
                all &= report.reached == report.problems;
            }
            Err(error) => {
                eprintln!("humanoid-problems: {error:#}");
                all = false;
            }
        }
    }
    if all { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
