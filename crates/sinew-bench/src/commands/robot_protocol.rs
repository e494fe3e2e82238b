//! `robot-protocol FILE...`: random reachable frames for every arm of URDF files, from the middle of their limits; or, with
//! `--tips a,b`, of several links at once. A table.

use std::path::PathBuf;

use crate::robots::{protocol, tips};
use crate::table::Row as _;
use anyhow::Result;
use clap::Args;

/// Solves random reachable frames.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// URDF files.
    files: Vec<PathBuf>,
    /// Frames an arm.
    #[arg(long, default_value_t = 10_000)]
    count: usize,
    /// Coordinates that must move a tip, to count as an arm.
    #[arg(long, default_value_t = 5)]
    least: usize,
    /// Links that take their frames at once.
    #[arg(long, value_delimiter = ',')]
    tips: Vec<String>,
    /// Whether the root link travels; with `--tips`.
    #[arg(long)]
    floating: bool,
}

/// Whether all were solved.
pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    let mut all = true;
    if !arguments.tips.is_empty() {
        println!("{}", tips::Report::heading());
        let names: Vec<&str> = arguments.tips.iter().map(String::as_str).collect();
        for file in &arguments.files {
            let report = tips::run(file, &names, arguments.floating, arguments.count)?;
            println!("{}", report.line());
            all &= report.solved == report.asked;
        }
        return Ok(all);
    }
    println!("{}", protocol::Report::heading());
    for file in &arguments.files {
        for report in protocol::run(file, arguments.least, arguments.count)? {
            println!("{}", report.line());
            all &= report.solved == report.asked;
        }
    }
    Ok(all)
}
