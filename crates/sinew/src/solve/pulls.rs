//! Relative strength against competing goals: pulls as shares of the largest, whatever the size of the numbers.
//!
//! Pull says nothing else: a goal alone is met the same at any pull, at 0 too. Beside others, a goal of pull 0 yields to them.

/// Least share: so much less than the strongest loses to all digits that goals are met to.
const LEAST: f64 = 1e-12;

/// The largest pull of goals that are solved together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pulls(f64);

impl Pulls {
    pub(super) fn of(pulls: impl Iterator<Item = f64>) -> Self {
        Self(pulls.fold(0.0, f64::max))
    }

    /// A pull as a share of the largest, above 0; 1 where all are 0.
    pub(super) fn share(self, pull: f64) -> f64 {
        if self.0 > 0.0 { (pull / self.0).max(LEAST) } else { 1.0 }
    }

    /// Whether a goal of this pull yields to all others of its priority.
    pub(super) fn yields(self, pull: f64) -> bool {
        pull == 0.0 && self.0 > 0.0
    }
}
