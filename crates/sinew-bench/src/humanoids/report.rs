//! What a run came to: a line of a table, or JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::body::Humanoid;
use super::run::Answer;
use crate::table::{Columns, mean, percent, percentile};

const COLUMNS: Columns<11> = Columns([
    ("character", 24),
    ("free", 4),
    ("problems", 8),
    ("reached", 9),
    ("worst miss", 10),
    ("outside", 7),
    ("backwards", 9),
    ("median µs", 9),
    ("p99 µs", 9),
    ("mean µs", 9),
    ("no restart", 10),
]);

/// The answers of one body, added up.
#[derive(Clone, Debug)]
pub struct Report {
    /// The body's name.
    pub name: String,
    /// Freedoms that the goals hang on.
    pub freedoms: usize,
    /// Problems.
    pub problems: usize,
    /// Problems reached, inside the limits.
    pub reached: usize,
    /// Those that no restart was needed for.
    pub at_once: usize,
    /// The largest miss of a goal, as a share of the height.
    pub worst: f64,
    /// Answers with a joint outside its limit, or out of its place.
    pub outside: usize,
    /// Answers with an elbow or knee that bends backwards.
    pub backwards: usize,
    /// Processor time (microseconds) of a solve: median, 99th percentile, mean.
    pub micros: [f64; 3],
    /// Problems by the restarts that they needed, ascending; 0 first.
    pub needed: Vec<(u32, usize)>,
    /// Numbers of the problems not reached.
    pub missed: Vec<usize>,
}

impl Report {
    /// Adds up.
    pub fn of(body: &Humanoid, answers: &[Answer]) -> Self {
        let count = |fits: &dyn Fn(&Answer) -> bool| answers.iter().filter(|answer| fits(answer)).count();
        let mut kinds: Vec<u32> = answers.iter().filter_map(|answer| answer.needed).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let missed = answers.iter().filter(|answer| !answer.judged.is_reached()).map(|answer| answer.number);
        Self {
            name: body.name.clone(),
            freedoms: body.freedoms(),
            problems: answers.len(),
            reached: count(&|answer| answer.judged.is_reached()),
            at_once: count(&|answer| answer.needed == Some(0)),
            worst: answers.iter().map(|answer| answer.judged.verdict.miss).fold(0.0, f64::max),
            outside: count(&|answer| !answer.judged.is_inside()),
            backwards: count(&|answer| answer.judged.backwards > 0),
            micros: micros(answers),
            needed: kinds.iter().map(|&kind| (kind, count(&|answer| answer.needed == Some(kind)))).collect(),
            missed: missed.collect(),
        }
    }

    /// Share of the problems that are reached (0 to 1).
    pub fn rate(&self) -> f64 {
        self.reached as f64 / self.problems.max(1) as f64
    }

    /// The table's first line.
    pub fn heading() -> String {
        COLUMNS.heading() + "  restarts needed"
    }

    /// A line of the table.
    pub fn line(&self) -> String {
        let [median, late, mean] = self.micros.map(|micros| format!("{micros:.1}"));
        let mut line = COLUMNS.line([
            self.name.clone(),
            self.freedoms.to_string(),
            self.problems.to_string(),
            format!("{:.3}%", 100.0 * self.rate()),
            format!("{:.2e}", self.worst),
            self.outside.to_string(),
            self.backwards.to_string(),
            median,
            late,
            mean,
            format!("{:.3}%", percent(self.at_once, self.problems)),
        ]);
        line += " ";
        for (restarts, count) in self.needed.iter().filter(|(restarts, _)| *restarts > 0) {
            // Writing to a string does not fail.
            let _ = write!(line, " {restarts}: {count}");
        }
        line
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        json!({
            "character": self.name,
            "freedoms": self.freedoms,
            "problems": self.problems,
            "reached": self.reached,
            "reached_without_restarts": self.at_once,
            "worst_miss_of_height": self.worst,
            "outside_limits": self.outside,
            "bent_backwards": self.backwards,
            "micros": { "median": self.micros[0], "p99": self.micros[1], "mean": self.micros[2] },
            "needed_restarts": self.needed.iter().map(|(restarts, count)| json!([restarts, count])).collect::<Vec<_>>(),
            "missed": self.missed,
        })
    }
}

/// Median, 99th percentile, mean.
fn micros(answers: &[Answer]) -> [f64; 3] {
    let mut micros: Vec<f64> = answers.iter().map(|answer| answer.micros).collect();
    micros.sort_by(f64::total_cmp);
    [percentile(&micros, 50), percentile(&micros, 99), mean(&micros)]
}
