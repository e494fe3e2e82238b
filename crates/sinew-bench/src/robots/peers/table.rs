//! The table, as Markdown, and where a peer is ahead.

use std::fmt;

use crate::table::markdown;

/// A solver on one file of problems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Share within 1e-5 m, 1e-5 rad and the limits, 0 to 1.
    pub solved: f64,
    /// Answers said to be solutions that are none.
    pub falsely: usize,
    /// Microseconds a problem, solved or not.
    pub median: f64,
    /// The same.
    pub mean: f64,
    /// The same, exceeded by one in a hundred.
    pub p99: f64,
}

/// A solver on all files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its version; empty where it did not run.
    pub version: String,
    /// How it was asked.
    pub settings: String,
    /// One for each file; `None` where it does not serve.
    pub cells: Vec<Option<Cell>>,
    /// Why it did not run, and what to do about it.
    pub missing: Vec<String>,
}

/// All solvers on all files, ours first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What the files are called.
    pub problems: Vec<String>,
    /// One for each solver.
    pub lines: Vec<Line>,
}

impl Cell {
    /// What is better here than there: a larger share, or as large a one sooner.
    fn ahead_of(&self, other: &Self) -> Option<String> {
        if self.solved > other.solved {
            return Some(format!("solves {} % beside {} %", share(self.solved), share(other.solved)));
        }
        let times =
            [("median", self.median, other.median), ("mean", self.mean, other.mean), ("p99", self.p99, other.p99)];
        let sooner = times.iter().filter(|(_, this, that)| this < that && self.solved == other.solved);
        let parts: Vec<String> =
            sooner.map(|&(what, this, that)| format!("{what} {} beside {} us", time(this), time(that))).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

impl Line {
    /// Remembers a reason, once.
    pub(super) fn miss(&mut self, reason: &str) {
        if !self.missing.iter().any(|known| known == reason) {
            self.missing.push(reason.to_owned());
        }
    }

    fn title(&self) -> String {
        format!("{} {}", self.name, self.version).trim_end().to_owned()
    }
}

impl Table {
    /// One sentence for each solver and file at which it is ahead of ours.
    pub fn ahead(&self) -> Vec<String> {
        let Some((ours, peers)) = self.lines.split_first() else { return Vec::new() };
        let mut sentences = Vec::new();
        for peer in peers {
            for ((problem, theirs), our) in self.problems.iter().zip(&peer.cells).zip(&ours.cells) {
                let Some(what) = theirs.zip(*our).and_then(|(theirs, our)| theirs.ahead_of(&our)) else { continue };
                sentences.push(format!("{} is ahead at {problem}: {what}.", peer.title()));
            }
        }
        sentences
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let around = |first: &str, cells: &[String], last: &str| {
            markdown([first].into_iter().chain(cells.iter().map(String::as_str)).chain([last]))
        };
        writeln!(f, "{}", around("solver", &self.problems, "false claims"))?;
        writeln!(f, "{}", markdown(vec!["---"; self.problems.len() + 2]))?;
        for line in &self.lines {
            let cells: Vec<String> = line.cells.iter().map(Option::as_ref).map(text).collect();
            let falsely: usize = line.cells.iter().flatten().map(|cell| cell.falsely).sum();
            let falsely = if line.version.is_empty() { "-".into() } else { falsely.to_string() };
            writeln!(f, "{}", around(&line.title(), &cells, &falsely))?;
        }
        writeln!(f, "\nPer cent solved / median us (mean, p99).\n")?;
        for line in &self.lines {
            if !line.settings.is_empty() {
                writeln!(f, "- {}: {}", line.title(), line.settings)?;
            }
            for reason in &line.missing {
                writeln!(f, "- {} did not run: {reason}", line.name)?;
            }
        }
        let ahead = self.ahead();
        writeln!(f, "\n{}", if ahead.is_empty() { "No peer is ahead.".into() } else { ahead.join("\n") })
    }
}

fn text(cell: Option<&Cell>) -> String {
    let Some(cell) = cell else { return "-".into() };
    format!("{} / {} ({}, {})", share(cell.solved), time(cell.median), time(cell.mean), time(cell.p99))
}

fn share(solved: f64) -> String {
    if solved == 1.0 { "100".into() } else { format!("{:.2}", 100.0 * solved) }
}

/// Two digits at least.
fn time(microseconds: f64) -> String {
    if microseconds < 10.0 { format!("{microseconds:.1}") } else { format!("{microseconds:.0}") }
}
