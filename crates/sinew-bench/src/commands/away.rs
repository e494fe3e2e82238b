//! `away [FILE...]`: hands, feet and head of a smooth motion, some of them carried out of reach, frame after frame, on every
//! humanoid given (the human built in by default). A table.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;

use crate::away::{self, CASES, Report};
use crate::humanoids::Humanoid;
use crate::sweeps::{self, Method};
use crate::table::Row as _;

/// Carries goals out of reach.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// glTF, GLB, VRM or BVH files of humanoids; the human built in where there are none.
    files: Vec<PathBuf>,
    /// The solver.
    #[arg(long, value_enum, default_value = "auto")]
    method: Method,
    /// Motions of 180 frames.
    #[arg(long, default_value_t = 3)]
    motions: usize,
    /// Chooses the motions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Prints the table.
pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    let bodies = Humanoid::all(&arguments.files)?;
    for body in &bodies {
        let solver =
            sweeps::solver(arguments.method, body, &body.skeleton).context("the solver does not take this body")?;
        println!("{}\n{}", body.name, Report::heading());
        let mut in_reach = [None; 2];
        for case in &CASES {
            let mut report = away::run(body, &*solver, case, arguments.motions, arguments.seed);
            report.in_reach = *in_reach[usize::from(case.frames)].get_or_insert(report.median());
            println!("{}", report.line());
        }
    }
    Ok(true)
}
