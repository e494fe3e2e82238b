//! Sees solves that do not end.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::judge::Check;
use crate::make::SOLVERS;

/// A solve with its repetitions may take so long, on a machine that is busy.
pub(crate) const LONGEST: Duration = Duration::from_secs(60);

/// What each thread is at.
#[derive(Debug)]
pub(crate) struct Watch {
    mood: &'static str,
    /// Since when, which seed and solver.
    busy: Vec<Mutex<Option<(Instant, u64, usize)>>>,
}

impl Watch {
    pub(crate) fn new(mood: &'static str, threads: usize) -> Self {
        Self { mood, busy: (0..threads).map(|_| Mutex::new(None)).collect() }
    }

    /// Notes what a thread begins, or that it has ended.
    pub(crate) fn note(&self, thread: usize, now: Option<(u64, usize)>) {
        if let Ok(mut busy) = self.busy[thread].lock() {
            *busy = now.map(|(seed, solver)| (Instant::now(), seed, solver));
        }
    }

    /// Ends the program with a line where a solve takes too long: nothing else can stop it.
    pub(crate) fn look(&self) {
        for busy in &self.busy {
            let Ok(busy) = busy.lock() else { continue };
            if let Some((since, seed, solver)) = *busy
                && since.elapsed() > LONGEST
            {
                let (mood, name, most, hang) = (self.mood, SOLVERS[solver], LONGEST.as_secs(), Check::Hang);
                println!("  FAIL {mood} {name} {hang}: a solve takes more than {most} s, seeds {seed}");
                std::process::exit(1);
            }
        }
    }
}
