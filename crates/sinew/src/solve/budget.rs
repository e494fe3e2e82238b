//! How much work a solve may do.

/// Work that is left to a solve: nanoseconds that its steps took where they were measured. They are counted, not timed, so that answers
/// are the same everywhere.
#[derive(Debug, Default)]
pub(super) struct Budget(u64);

/// Work of one solve. HEURISTIC: of random problems one in ten thousand takes more than twenty milliseconds on a machine half as fast.
const WHOLE: u64 = 8_000_000;

impl Budget {
    /// Allows the work of so many solves.
    pub(super) fn fill(&mut self, times: u32) {
        self.0 = WHOLE.saturating_mul(u64::from(times.max(1)));
    }

    /// Leaves an even share for the first of some solves; what is set aside for the others.
    pub(super) fn share(&mut self, among: usize) -> Self {
        let share = self.0 / among.max(1) as u64;
        Self(core::mem::replace(&mut self.0, share) - share)
    }

    /// Takes back what was set aside.
    pub(super) fn join(&mut self, aside: &Self) {
        self.0 += aside.0;
    }

    /// Does work of this price, in nanoseconds.
    pub(super) fn spend(&mut self, price: usize) {
        self.0 = self.0.saturating_sub(price as u64);
    }

    pub(super) fn is_spent(&self) -> bool {
        self.0 == 0
    }
}
