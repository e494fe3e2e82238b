//! `sweeps [FILE...]`: a hand of every humanoid given (the human built in by default) along smooth ways, by every solver, with
//! limits and without, from its last answer, from the neutral pose, and from the file's own animation. A table, or with `--json` a line of JSON each.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum as _};

use crate::humanoids::Humanoid;
use crate::sweeps::{self, Method, Path, Report, Start, Sweep};
use crate::table;

/// Sweeps a hand along smooth ways.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// glTF, GLB, VRM or BVH files of humanoids; the human built in where there are none.
    files: Vec<PathBuf>,
    /// One solver alone.
    #[arg(long, value_enum)]
    method: Option<Method>,
    /// One way alone.
    #[arg(long, value_enum)]
    path: Option<Path>,
    /// Frames a lap; three are made.
    #[arg(long, default_value_t = 240, value_parser = clap::value_parser!(u16).range(1..))]
    frames: u16,
    /// Writes lines of JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// Whether nothing pops.
pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    let bodies = Humanoid::all(&arguments.files)?;
    table::print_heading::<Report>(arguments.json);
    let mut calm = true;
    for body in &bodies {
        for &method in Method::value_variants().iter().filter(|&&one| arguments.method.is_none_or(|only| only == one)) {
            for &path in Path::value_variants().iter().filter(|&&one| arguments.path.is_none_or(|only| only == one)) {
                for limited in [false, true] {
                    for &start in Start::value_variants() {
                        let sweep = Sweep { method, path, limited, start, frames: arguments.frames.into() };
                        let Some(report) = sweeps::run(body, &sweep)? else { continue };
                        table::print(&report, arguments.json)?;
                        calm &= report.pops == 0;
                    }
                }
            }
        }
    }
    Ok(calm)
}
