//! `body-problems CLIP.bvh OUT.csv --trackers 3|6|11 [--limits preset] [--film FILM.png]`: a body recovered from trackers on a real one, for
//! `shared/bench/body/check.py` to judge.

use std::path::PathBuf;

use crate::people::clip::Clip;
use crate::people::film;
use crate::people::trackers::{self, Trackers};
use anyhow::{Context as _, Result};
use clap::Args;

/// Recovers a body from a few trackers.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The motion.
    clip: PathBuf,
    /// Where the answer is written.
    out: PathBuf,
    /// 3 (head, hands), 6 (also hips, feet) or 11 (also chest, elbows, knees).
    #[arg(long, default_value_t = 6)]
    trackers: usize,
    /// `preset` gives the body a human's limits.
    #[arg(long, value_parser = ["none", "preset"], default_value = "none")]
    limits: String,
    /// Draws frames of the real person above those recovered, as a PNG file.
    #[arg(long)]
    film: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    let clip = Clip::load(&arguments.clip)?;
    let clip = if arguments.limits == "preset" { clip.limited()? } else { clip };
    let trackers = Trackers::of(&clip, arguments.trackers)?;
    let table = trackers::run(&clip, &trackers)?;
    if let Some(path) = &arguments.film {
        let name = arguments.clip.file_stem().unwrap_or_default().to_string_lossy();
        let title = format!("{name}: {} trackers", arguments.trackers);
        std::fs::write(path, film::png(&clip, &trackers, &title)?).with_context(|| path.display().to_string())?;
    }
    std::fs::write(&arguments.out, table).with_context(|| arguments.out.display().to_string())?;
    Ok(true)
}
