//! What a run came to: a line of a table, or JSON.

use serde::Serialize;

use super::body::Humanoid;
use super::run::Answer;
use crate::table::{Row, mean, percent, percentile};

/// The answers of one body, added up.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The body's name.
    #[serde(rename = "character")]
    pub name: String,
    /// Freedoms that the goals hang on.
    pub freedoms: usize,
    /// Problems.
    pub problems: usize,
    /// Problems reached, inside the limits.
    pub reached: usize,
    /// Those that no restart was needed for.
    #[serde(rename = "reached_without_restarts")]
    pub at_once: usize,
    /// The largest miss of a goal, as a share of the height.
    #[serde(rename = "worst_miss_of_height")]
    pub worst: f64,
    /// Answers with a joint outside its limit, or out of its place.
    #[serde(rename = "outside_limits")]
    pub outside: usize,
    /// Answers with an elbow or knee that bends backwards.
    #[serde(rename = "bent_backwards")]
    pub backwards: usize,
    /// Processor time of a solve.
    pub micros: Micros,
    /// Problems by the restarts that they needed, ascending; 0 first.
    #[serde(rename = "needed_restarts")]
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
            micros: Micros::of(answers),
            needed: kinds.iter().map(|&kind| (kind, count(&|answer| answer.needed == Some(kind)))).collect(),
            missed: missed.collect(),
        }
    }

    /// Share of the problems that are reached (0 to 1).
    pub fn rate(&self) -> f64 {
        self.reached as f64 / self.problems.max(1) as f64
    }
}

impl Row for Report {
    const COLUMNS: &'static [(&'static str, usize)] = &[
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
        ("restarts needed", 24),
    ];

    fn cells(&self) -> Vec<String> {
        let micros = |micros: f64| format!("{micros:.1}");
        let restarts = self.needed.iter().filter(|(restarts, _)| *restarts > 0);
        let restarts: Vec<String> = restarts.map(|(restarts, count)| format!("{restarts}: {count}")).collect();
        vec![
            self.name.clone(),
            self.freedoms.to_string(),
            self.problems.to_string(),
            format!("{:.3}%", 100.0 * self.rate()),
            format!("{:.2e}", self.worst),
            self.outside.to_string(),
            self.backwards.to_string(),
            micros(self.micros.median),
            micros(self.micros.p99),
            micros(self.micros.mean),
            format!("{:.3}%", percent(self.at_once, self.problems)),
            restarts.join("  "),
        ]
    }
}

/// Processor time of a solve (microseconds).
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Micros {
    /// The middle one.
    pub median: f64,
    /// Exceeded by one in a hundred.
    pub p99: f64,
    /// The mean.
    pub mean: f64,
}

impl Micros {
    fn of(answers: &[Answer]) -> Self {
        let mut micros: Vec<f64> = answers.iter().map(|answer| answer.micros).collect();
        micros.sort_by(f64::total_cmp);
        Self { median: percentile(&micros, 50), p99: percentile(&micros, 99), mean: mean(&micros) }
    }
}
