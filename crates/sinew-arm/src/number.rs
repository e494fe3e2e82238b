//! Numbers that the kernel counts with: one, or several side by side.
//!
//! The kernel is written once, over [`Lanes`]. `f64` is the reference; wider ones get the same bits, since every operation
//! is rounded exactly, none is fused, and what depends on data is selected lane by lane.

use core::fmt::Debug;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use sinew::math::ops;

/// Numbers that [`Lanes`] may hold at most.
pub(crate) const MOST_LANES: usize = 8;

/// One `f64`, or several side by side that are counted with at once. Every operation must give each lane the bits that it
/// gives an `f64` alone, and be `#[inline(always)]`.
pub(crate) trait Lanes:
    Copy + Debug + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A truth a lane.
    type Mask: Copy + Debug + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;
    /// How many lanes there are, [`MOST_LANES`] at most.
    const LANES: usize;

    /// `x` in every lane.
    fn of(self, x: f64) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Without its sign.
    fn abs(self) -> Self;
    /// `self < than`.
    fn is_less(self, than: Self) -> Self::Mask;
    /// `self <= than`.
    fn is_at_most(self, than: Self) -> Self::Mask;
    /// Whether this bit of the number's representation is set, the last one being bit 0.
    fn has_bit(self, bit: u32) -> Self::Mask;
    /// `yes` in the lanes where the mask holds, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Whether the mask holds in any lane.
    fn any(mask: Self::Mask) -> bool;
    /// Whether the mask holds in one lane.
    fn holds(mask: Self::Mask, lane: usize) -> bool;
    /// One lane's number.
    fn lane(&self, lane: usize) -> f64;
    /// Sets one lane's number.
    fn set_lane(&mut self, lane: usize, x: f64);

    /// The larger one; `self` where either is not finite.
    #[inline(always)]
    fn or_more(self, other: Self) -> Self {
        Self::select(self.is_less(other), other, self)
    }

    /// The smaller one; `self` where either is not finite.
    #[inline(always)]
    fn or_less(self, other: Self) -> Self {
        Self::select(other.is_less(self), other, self)
    }
}

impl Lanes for f64 {
    type Mask = bool;
    const LANES: usize = 1;

    #[inline(always)]
    fn of(self, x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        ops::sqrt(self)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn is_less(self, than: Self) -> bool {
        self < than
    }

    #[inline(always)]
    fn is_at_most(self, than: Self) -> bool {
        self <= than
    }

    #[inline(always)]
    fn has_bit(self, bit: u32) -> bool {
        self.to_bits() >> bit & 1 == 1
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }

    #[inline(always)]
    fn holds(mask: bool, _lane: usize) -> bool {
        mask
    }

    #[inline(always)]
    fn lane(&self, _lane: usize) -> f64 {
        *self
    }

    #[inline(always)]
    fn set_lane(&mut self, _lane: usize, x: f64) {
        *self = x;
    }
}

/// Something to count with numbers of any width.
#[cfg_attr(not(all(feature = "std", target_arch = "x86_64")), allow(dead_code, reason = "no lanes"))]
pub(crate) trait Kernel {
    /// Counts with numbers as wide as `like`; `#[inline(always)]` all the way down.
    fn run<L: Lanes>(self, like: L);
}
