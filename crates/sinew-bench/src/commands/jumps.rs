//! `jumps [FILE...]`: where answers jump between targets as near each other as may be, on all humanoids given together (the human
//! built in by default). A table, or with `--json` a line of JSON each.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum as _};

use crate::humanoids::Humanoid;
use crate::jumps::{Ask, Asked, Report};
use crate::sweeps::Method;
use crate::table;

/// Counts true jumps.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// glTF, GLB, VRM or BVH files of humanoids; the human built in where there are none.
    files: Vec<PathBuf>,
    /// The solver.
    #[arg(long, value_enum, default_value = "body")]
    method: Method,
    /// One set of goals alone.
    #[arg(long, value_enum)]
    goals: Option<Asked>,
    /// With limits alone, or without.
    #[arg(long, value_parser = ["none", "preset"])]
    limits: Option<String>,
    /// Writes lines of JSON instead of a table, with every jump.
    #[arg(long)]
    json: bool,
}

/// Whether nothing jumps.
pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    let bodies = Humanoid::all(&arguments.files)?;
    table::print_heading::<Report>(arguments.json);
    let mut is_calm = true;
    for limited in [false, true] {
        if arguments.limits.as_ref().is_some_and(|only| limited != (only == "preset")) {
            continue;
        }
        for fed in [false, true] {
            for &goals in Asked::value_variants().iter().filter(|&&one| arguments.goals.is_none_or(|only| only == one))
            {
                let mut report = Report::new(Ask { method: arguments.method, goals, limited, fed });
                for (number, body) in bodies.iter().enumerate() {
                    report.add(body, number)?;
                }
                table::print(&report, arguments.json)?;
                is_calm &= report.jumps == 0;
            }
        }
    }
    Ok(is_calm)
}
