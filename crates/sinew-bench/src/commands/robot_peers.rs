//! `robot-peers FILE...`: arms, sinew's solver beside others on the same problems. A table in Markdown, and where a peer is
//! ahead.

use std::path::PathBuf;

use crate::robots::made;
use crate::robots::peers::{Options, compare};
use anyhow::{Context, Result};
use clap::Args;

/// Solves the same problems with sinew, k, and whatever of optik, roboticstoolbox, TRAC-IK, EAIK and ik-geo is installed.
/// Each problem from its own seed, one thread, wall time; of the rounds the best counts, problem by problem.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Problem files (IKP1), or URDF files, from which random reachable frames are drawn.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Problems of each file.
    #[arg(long, default_value_t = 2000)]
    count: usize,
    /// Turns that each solver gets.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Coordinates that must move a tip of a URDF file, to count as an arm.
    #[arg(long, default_value_t = 5)]
    least: usize,
    /// The Python that has the wheels.
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// Keep problem and result files in this folder.
    #[arg(long)]
    results: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    let Arguments { count, rounds, least, .. } = *arguments;
    let passing = tempfile::tempdir().context("cannot make a folder for results")?;
    let folder = arguments.results.clone().unwrap_or_else(|| passing.path().to_owned());
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut files = Vec::new();
    for file in &arguments.files {
        if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("urdf")) {
            files.extend(made::files(file, least, count, &folder)?);
        } else {
            files.push(file.clone());
        }
    }
    let options = Options { rounds: rounds.max(1), most: count, python: arguments.python.clone(), folder };
    print!("{}", compare(&files, &options)?);
    Ok(true)
}
