//! `away [FILE...]`: hands, feet and head of a smooth motion, some of them carried out of reach, frame after frame, on every
//! humanoid given (the human built in by default). A table.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;
use sinew::solve::jacobian::Posture;
use sinew::{Jacobian, Solver};

use crate::away::{self, CASES, Report};
use crate::humanoids::Humanoid;
use crate::sweeps::{self, Method, freed};
use crate::table::Row as _;

/// Carries goals out of reach. `beside` is the price beside that of goals in reach, or without a posture.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// glTF, GLB, VRM or BVH files of humanoids; the human built in where there are none.
    files: Vec<PathBuf>,
    /// The solver.
    #[arg(long, value_enum, default_value = "auto")]
    method: Method,
    /// `none` lets joints turn freely.
    #[arg(long, value_parser = ["none", "preset"], default_value = "preset")]
    limits: String,
    /// Measures `Jacobian` that leans to the rest pose, beside `Jacobian` that does not.
    #[arg(long, conflicts_with = "method")]
    posture: bool,
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
        let skeleton = if arguments.limits == "preset" { body.skeleton.clone() } else { freed(&body.skeleton)? };
        let run =
            |solver: &dyn Solver, case| away::run(body, &skeleton, solver, case, arguments.motions, arguments.seed);
        let solver = sweeps::solver(arguments.method, body, &skeleton).context("the solver does not take this body")?;
        println!("{}\n{}", body.name, Report::heading());
        let mut in_reach = [None; 2];
        for case in &CASES {
            let report = if arguments.posture {
                let leaning = Jacobian { posture: Some(Posture::Rest), ..Jacobian::default() };
                Report { beside: run(&Jacobian::default(), case).median(), ..run(&leaning, case) }
            } else {
                let report = run(&*solver, case);
                Report { beside: *in_reach[usize::from(case.frames)].get_or_insert(report.median()), ..report }
            };
            println!("{}", report.line());
        }
    }
    Ok(true)
}
