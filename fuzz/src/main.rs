//! Random skeletons, goals, solvers and springs against the promises of the documentation.
//!
//! Everything is made from a seed, and judged by forward kinematics and a test of limits of this program's own
//! (`judge`), so that a fault in the engine's mathematics cannot hide itself.

mod judge;
mod known;
mod make;
mod mood;
mod run;
mod tally;
mod watch;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use clap::builder::{PossibleValue, PossibleValuesParser};

use make::SOLVERS;
use mood::{MOODS, Mood};
use run::Run;
use tally::Tally;

const EXAMPLES: &str = "\
Examples:
  cargo run --release -p sinew-fuzz -- plain                  1,000 problems for all solvers
  cargo run --release -p sinew-fuzz -- all 0 3000 --seconds 120    all moods, as in .ci/run
  cargo run --release -p sinew-fuzz -- wild 1000000 50000 Fabrik    other seeds, one solver
  cargo run --release -p sinew-fuzz -- wild 4711 1 Fabrik     one problem again, told in full

A line that begins with FAIL names a mood, a solver, the promise (fuzz/src/judge/mod.rs says what each means), how
often and how far it was broken, and seeds to see it again. The exit code is 1 then. Lines that begin with 'excused'
stand in fuzz/src/known.rs with their reason.";

/// Tries to break what sinew's documentation promises, with random problems and springs.
#[derive(Debug, Parser)]
#[command(name = "sinew-fuzz", after_help = EXAMPLES, version)]
struct Arguments {
    /// What kind of problems
    #[arg(value_parser = PossibleValuesParser::new(mood_values()))]
    mood: String,
    /// The first seed
    #[arg(default_value_t = 0)]
    first: u64,
    /// How many seeds
    #[arg(default_value_t = 1000)]
    count: u64,
    /// One solver alone
    #[arg(value_parser = PossibleValuesParser::new(SOLVERS))]
    solver: Option<String>,
    /// Stop after so many seconds, shared by the moods
    #[arg(long)]
    seconds: Option<u64>,
    /// Also find solves of more than 20 ms of processor time; other work on the machine slows them
    #[arg(long)]
    slow: bool,
    /// Threads; as many as the machine has cores by default
    #[arg(long)]
    threads: Option<usize>,
}

fn mood_values() -> impl Iterator<Item = PossibleValue> {
    let each = MOODS.iter().map(|mood| PossibleValue::new(mood.name).help(mood.about));
    each.chain([PossibleValue::new("all").help("each of these in turn")])
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let moods: Vec<&Mood> = MOODS.iter().filter(|mood| ["all", mood.name].contains(&&*arguments.mood)).collect();
    let only = arguments.solver.as_ref().and_then(|name| SOLVERS.iter().position(|solver| solver == name));
    let run = Run {
        seeds: arguments.first..arguments.first.saturating_add(arguments.count),
        only,
        time: arguments.seconds.map(|seconds| Duration::from_secs(seconds) / moods.len() as u32),
        threads: arguments.threads.or_else(|| std::thread::available_parallelism().ok().map(usize::from)).unwrap_or(1),
        slow: arguments.slow,
    };
    if let (1, [mood], Some(solver)) = (arguments.count, &moods[..], only) {
        run::tell(arguments.first, mood, solver);
    } else {
        // A panic is a broken promise that is counted; its message comes when one problem is told.
        std::panic::set_hook(Box::new(|_| {}));
    }
    let (mut all, mut failed) = (Tally::default(), false);
    for mood in moods {
        let tally = run.of(mood);
        failed |= tally.report(mood.name);
        all.add(tally);
    }
    if arguments.count > 1 {
        all.report_stale();
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
