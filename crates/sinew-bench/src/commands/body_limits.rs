//! `body-limits FILE.bvh...`: which share of real motion lies inside a human's limits (the preset of `--limits preset`), by part.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::people::admitted::{self, Outside};
use crate::people::clip::Clip;
use anyhow::Result;
use clap::Args;

/// Shares of real motion that lie inside a human's limits.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// BVH files of people; others are passed over.
    files: Vec<PathBuf>,
    /// Turns beside a hinge's axis do not count: skeletons roll a forearm at the elbow, and knees wobble.
    #[arg(long)]
    along: bool,
    /// Names what lies outside in every file.
    #[arg(long)]
    each: bool,
    /// Counts files with one of these words in their name apart: motion that the limits were not widened by.
    #[arg(long, value_delimiter = ',')]
    not_shown: Vec<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    let mut parts: BTreeMap<String, Outside> = BTreeMap::new();
    let mut not_shown = Outside::default();
    for file in &arguments.files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let clip = Clip::load(file)?;
        let Some(found) = admitted::measure(&clip, arguments.along)? else {
            eprintln!("{name}: no human in motion, passed over");
            continue;
        };
        for (part, outside) in found {
            if arguments.each && outside.share() > 0.0 {
                println!("{name}: {part} {}", outside.line());
            }
            if arguments.not_shown.iter().any(|word| name.contains(word)) {
                not_shown.add(outside);
            } else {
                parts.entry(part).or_default().add(outside);
            }
        }
    }
    let mut all = Outside::default();
    for (part, outside) in parts {
        println!("{part:18} {}", outside.line());
        all.add(outside);
    }
    println!("{:18} {}", "all", all.line());
    if !arguments.not_shown.is_empty() {
        println!("{:18} {}", "not shown", not_shown.line());
    }
    Ok(true)
}
