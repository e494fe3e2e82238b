//! `elbow-speed OUT.svg`: draws elbow speed against target speed, for sinew and a peer.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;

use crate::elbow_speed;

/// Draws elbow speed against target speed.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Where the chart is written: .svg.
    chart: PathBuf,
}

pub(super) fn run(Arguments { chart }: &Arguments) -> Result<bool> {
    std::fs::write(chart, elbow_speed::chart()?).with_context(|| chart.display().to_string())?;
    println!("wrote {}", chart.display());
    Ok(true)
}
