//! `robot-paths FILE...`: paths of 1,001 frames, known to be possible without a jump, for every arm of URDF files. A table;
//! fails where one was followed with a jump.

use std::path::PathBuf;

use crate::robots::paths::{self, KINDS, Report};
use crate::table::Row as _;
use anyhow::Result;
use clap::Args;

/// Follows paths that can be followed.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// URDF files.
    files: Vec<PathBuf>,
    /// Paths of a kind an arm.
    #[arg(long, default_value_t = 20)]
    count: usize,
    /// Coordinates that must move a tip, to count as an arm.
    #[arg(long, default_value_t = 5)]
    least: usize,
    /// Kinds whose name begins so; all by default.
    #[arg(long, default_value = "")]
    kind: String,
}

/// Whether none was followed with a jump.
pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    println!("{}", Report::heading());
    let (mut paths, mut broken) = (0, 0);
    for file in &arguments.files {
        for kind in KINDS.into_iter().filter(|(name, _)| name.starts_with(&arguments.kind)) {
            for report in paths::run(file, arguments.least, kind, arguments.count)? {
                println!("{} {:?}", report.line(), report.broken);
                paths += report.paths;
                broken += report.broken.len();
            }
        }
    }
    println!("{broken} of {paths} broken");
    Ok(broken == 0)
}
