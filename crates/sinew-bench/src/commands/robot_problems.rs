//! `robot-problems PROBLEM RESULT [--numeric] [--lanes N] [--together]`: a problem file of a robot arm (`IKP1`) in, a
//! result file (`IKR1`) out.

use std::path::PathBuf;

use crate::robots::arms;
use crate::robots::file::Problems;
use anyhow::{Context, Result};
use clap::Args;

/// Solves the problems of a file, each from its own seed, in one thread. What is timed is `Arm::solve` or `Arm::solve_many`; the
/// arm is made from its URDF before. `IKP_MAX` in the environment: only the first so many.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The problem file.
    problem: PathBuf,
    /// Where the result goes.
    result: PathBuf,
    /// With the numeric solver. There are no closed forms yet, so this is what runs without it, too.
    #[arg(long)]
    numeric: bool,
    /// With restarts side by side in so many lanes: 1, 4 with AVX2 or 8 with AVX-512.
    #[arg(long, default_value_t = 1)]
    lanes: usize,
    /// All in one call, one a lane; each then takes its share of the time.
    #[arg(long)]
    together: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    let problems = Problems::read(&arguments.problem)?;
    let most = match std::env::var("IKP_MAX") {
        Ok(most) => most.parse().with_context(|| format!("IKP_MAX {most} is no whole number"))?,
        Err(_) => usize::MAX,
    };
    let results = arms::results_in_lanes(&problems, most, arguments.lanes, arguments.together)?;
    let bytes = results.to_bytes("sinew serial", problems.joints.len())?;
    std::fs::write(&arguments.result, bytes).with_context(|| format!("cannot write {}", arguments.result.display()))?;
    Ok(true)
}
