//! Signs of life on standard error, where that is a terminal and no program reads.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar: `baking [====>   ] 3/12 frames, 2s left`.
pub(crate) fn bar(doing: &str, count: usize, things: &str, hidden: bool) -> ProgressBar {
    let template = format!("{doing} [{{bar:40}}] {{pos}}/{{len}} {things}, {{eta}} left");
    shown(count, &template, hidden)
}

/// A line that moves while nobody can say how far it is: `⠙ following 1200 frames, 3s so far`.
pub(crate) fn spinner(doing: &str, count: usize, things: &str, hidden: bool) -> ProgressBar {
    let spinner = shown(count, &format!("{{spinner}} {doing} {{len}} {things}, {{elapsed}} so far"), hidden);
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

fn shown(count: usize, template: &str, hidden: bool) -> ProgressBar {
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(count as u64), target).with_style(style.progress_chars("=> "))
}
