//! What a run came to: a line of a table, or JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::body::Humanoid;
use super::run::Answer;

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
        let missed = answers.iter().filter(|answer| !answer.verdict.is_reached()).map(|answer| answer.number);
        Self {
            name: body.name.clone(),
            freedoms: body.freedoms(),
            problems: answers.len(),
            reached: count(&|answer| answer.verdict.is_reached()),
            at_once: count(&|answer| answer.needed == Some(0)),
            worst: answers.iter().map(|answer| answer.verdict.miss).fold(0.0, f64::max),
            outside: count(&|answer| answer.verdict.outside > 0 || answer.verdict.moved),
            backwards: count(&|answer| answer.verdict.backwards > 0),
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
        format!(
            "{:24} {:>4} {:>8} {:>9} {:>10} {:>7} {:>9} {:>9} {:>9} {:>9} {:>10}  restarts needed",
            "character",
            "free",
            "problems",
            "reached",
            "worst miss",
            "outside",
            "backwards",
            "median µs",
            "p99 µs",
            "mean µs",
            "no restart"
        )
    }

    /// A line of the table.
    pub fn line(&self) -> String {
        let [median, late, mean] = self.micros;
        let mut line = format!(
            "{:24} {:>4} {:>8} {:>8.3}% {:>10.2e} {:>7} {:>9} {median:>9.1} {late:>9.1} {mean:>9.1} {:>9.3}% ",
            self.name,
            self.freedoms,
            self.problems,
            100.0 * self.rate(),
            self.worst,
            self.outside,
            self.backwards,
            100.0 * self.at_once as f64 / self.problems.max(1) as f64,
        );
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
    let at = |percent: usize| micros.get((micros.len() * percent / 100).min(micros.len().saturating_sub(1)));
    let of = |value: Option<&f64>| value.copied().unwrap_or(0.0);
    [of(at(50)), of(at(99)), micros.iter().sum::<f64>() / micros.len().max(1) as f64]
}
