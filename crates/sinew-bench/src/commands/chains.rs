//! `chains`: how straight chains, free or inside cones, share their bends when they are drawn in from full stretch, and how fast their
//! joints go when the target passes full reach. A table, or with `--json` a line of JSON each.

use anyhow::Result;
use clap::{Args, ValueEnum as _};

use crate::chains::{Ask, BONES, CONES, Report};
use crate::sweeps::Method;
use crate::table;

/// The largest turn beside the mean, and the fastest joint beside the target, that are right.
const BEND: f64 = 3.0;
const SPEED: f64 = 5.0;

/// Draws chains in from full stretch, and through full reach.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// One solver alone.
    #[arg(long, value_enum)]
    method: Option<Method>,
    /// Writes lines of JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// Whether no joint turns over 3 times the mean, or goes over 5 times as fast as the target.
pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    table::print_heading::<Report>(arguments.json);
    let mut is_right = true;
    for &method in Method::value_variants().iter().filter(|&&one| arguments.method.is_none_or(|only| only == one)) {
        for (cone, bones) in CONES.into_iter().flat_map(|cone| BONES.map(|bones| (cone, bones))) {
            let Some(report) = (Ask { method, bones, cone }).run()? else { continue };
            table::print(&report, arguments.json)?;
            is_right &= report.bend.iter().all(|&bend| bend <= BEND) && report.speed[0] <= SPEED;
        }
    }
    Ok(is_right)
}
