//! How many descents go side by side on this machine.

use crate::lanes::Set;
use crate::number::Kernel;
#[cfg(all(test, not(debug_assertions)))]
use crate::three::Triple;

/// How many descents go side by side, in the lanes of a vector register. The answers are the same, bit for bit.
///
/// A seed that leads to the target costs the same at every width. What takes many restarts is found sooner, and many targets
/// for one arm ([`Arm::solve_many`](crate::Arm::solve_many)) cost half each in 4 lanes, a third in 8.
#[derive(Clone, Copy, Debug)]
pub struct Width(Numbers);

#[derive(Clone, Copy, Debug)]
enum Numbers {
    One,
    Side(Set),
    /// Lanes that every machine has, and an odd many of them.
    #[cfg(all(test, not(debug_assertions)))]
    Three,
}

impl Default for Width {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Width {
    fn eq(&self, other: &Self) -> bool {
        self.lanes() == other.lanes()
    }
}

impl Width {
    /// One descent after another, which is the reference.
    pub const ONE: Self = Self(Numbers::One);
    /// For the unit tests.
    #[cfg(all(test, not(debug_assertions)))]
    pub(crate) const THREE: Self = Self(Numbers::Three);

    /// The widest that this machine can: 8 lanes with AVX-512, 4 with AVX2, else 1. Always 1 without the feature `std`, and
    /// with debug assertions, where the other widths would take minutes to compile.
    pub fn new() -> Self {
        Self::all().last().unwrap_or(Self::ONE)
    }

    /// Every width that this machine can, narrowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        core::iter::once(Self::ONE).chain(Set::all().map(|set| Self(Numbers::Side(set))))
    }

    /// Descents that go side by side.
    pub fn lanes(self) -> usize {
        match self.0 {
            Numbers::One => 1,
            Numbers::Side(set) => set.lanes(),
            #[cfg(all(test, not(debug_assertions)))]
            Numbers::Three => 3,
        }
    }

    /// Runs a job with numbers side by side; nothing at [`ONE`](Self::ONE), where one follows another.
    #[inline(always)]
    pub(crate) fn dispatch(self, job: impl Kernel) {
        match self.0 {
            Numbers::One => {}
            Numbers::Side(set) => set.dispatch(job),
            #[cfg(all(test, not(debug_assertions)))]
            Numbers::Three => job.run(Triple::ZERO),
        }
    }
}
