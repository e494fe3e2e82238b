//! No sets of vector instructions: of other machines than x86-64 none is chosen yet, and without `std` none can be.

use crate::number::Kernel;

/// A set of instructions that this machine has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Set {}

impl Set {
    /// Narrowest first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        core::iter::empty()
    }

    /// Numbers at a time.
    pub(crate) fn lanes(self) -> usize {
        match self {}
    }

    /// Runs a job with its numbers.
    pub(crate) fn dispatch(self, _: impl Kernel) {
        match self {}
    }
}
