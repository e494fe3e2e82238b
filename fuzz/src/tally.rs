//! What a run found, counted and printed.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::judge::{Broken, Check};
use crate::known::{self, KNOWN};
use crate::make::SOLVERS;

/// Seeds named for each broken promise.
const NAMED: usize = 5;

/// One promise, broken by one solver in one mood.
#[derive(Debug, Default)]
struct Entry {
    count: u64,
    worst: f64,
    how: BTreeSet<&'static str>,
    /// The lowest ones.
    seeds: BTreeSet<u64>,
}

/// Counts of a mood's run; those of several threads are added up.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) seeds: u64,
    /// Skeletons that the builder refused.
    pub(crate) refused: u64,
    /// Solves, by place in [`SOLVERS`].
    solves: [u64; SOLVERS.len()],
    broken: BTreeMap<(usize, Check), Entry>,
}

impl Tally {
    /// Counts a solve and what it broke; a panic is what it broke.
    pub(crate) fn judged(&mut self, solver: usize, seed: u64, judged: std::thread::Result<Option<Vec<Broken>>>) {
        let found = match judged {
            Ok(Some(found)) => found,
            Ok(None) => return,
            Err(_) => vec![Broken { check: Check::Panic, size: 0.0, how: "" }],
        };
        self.solves[solver] += 1;
        for broken in &found {
            self.broke(solver, seed, broken);
        }
    }

    pub(crate) fn broke(&mut self, solver: usize, seed: u64, broken: &Broken) {
        let entry = self.broken.entry((solver, broken.check)).or_default();
        entry.count += 1;
        entry.worst = entry.worst.max(broken.size);
        if !broken.how.is_empty() {
            entry.how.insert(broken.how);
        }
        entry.name_seeds([seed]);
    }

    /// Takes another thread's counts.
    pub(crate) fn add(&mut self, other: Self) {
        self.seeds += other.seeds;
        self.refused += other.refused;
        for (sum, more) in self.solves.iter_mut().zip(other.solves) {
            *sum += more;
        }
        for (key, more) in other.broken {
            let entry = self.broken.entry(key).or_default();
            entry.count += more.count;
            entry.worst = entry.worst.max(more.worst);
            entry.how.extend(more.how);
            entry.name_seeds(more.seeds);
        }
    }

    /// Prints one line for each broken promise; whether any is not excused.
    pub(crate) fn report(&self, mood: &str) -> bool {
        let (seeds, refused, solves) = (self.seeds, self.refused, self.solves.iter().sum::<u64>());
        println!("{mood}: {solves} solves of {seeds} seeds ({refused} skeletons refused by the builder)");
        let mut failed = false;
        for (&(solver, check), entry) in &self.broken {
            let name = SOLVERS[solver];
            let excuse = known::reason(name, check);
            failed |= excuse.is_none();
            let word = if excuse.is_some() { "excused" } else { "FAIL" };
            let how: Vec<&str> = entry.how.iter().copied().collect();
            let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join("; ")) };
            let seeds: Vec<String> = entry.seeds.iter().map(u64::to_string).collect();
            let reason = excuse.map_or(String::new(), |reason| format!("; {reason}"));
            println!(
                "  {word} {mood} {name} {check}: {} times in {} solves, worst {:.1e}{how}, seeds {}{reason}",
                entry.count,
                self.solves[solver],
                entry.worst,
                seeds.join(" ")
            );
        }
        failed
    }

    /// Names excuses that nothing needed.
    pub(crate) fn report_stale(&self) {
        for (name, check, _) in KNOWN {
            let occurred = self.broken.keys().any(|&(solver, found)| SOLVERS[solver] == *name && found == *check);
            let ran = SOLVERS.iter().zip(self.solves).any(|(solver, count)| solver == name && count > 0);
            if ran && !occurred {
                println!("stale: {name} {check} did not occur; delete it from fuzz/src/known.rs if it holds by now");
            }
        }
    }
}

impl Entry {
    fn name_seeds(&mut self, seeds: impl IntoIterator<Item = u64>) {
        self.seeds.extend(seeds);
        while self.seeds.len() > NAMED {
            self.seeds.pop_last();
        }
    }
}
