//! Numbers that the kernels count with: one `f32`, or several side by side.
//!
//! Every kernel is written once, over [`Lanes`]. `f32` is the reference; wider ones get the same bits, since every operation
//! is rounded exactly, none is fused or estimated, and what depends on data is selected lane by lane.

use core::fmt::Debug;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use crate::lanes::Kernel;

/// One `f32`, or several side by side. Every operation must give each lane the bits that it gives an `f32` alone, and be
/// `#[inline(always)]`.
pub(crate) trait Lanes:
    Copy + Debug + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A truth a lane.
    type Mask: Copy + Debug + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;
    /// How many lanes there are.
    const LANES: usize;

    /// `x` in every lane.
    fn of(self, x: f32) -> Self;
    /// The first numbers of a slice, which must hold as many.
    fn load(self, from: &[f32]) -> Self;
    /// Writes the lanes to the front of a slice, which must hold as many.
    fn store(self, to: &mut [f32]);
    /// Runs a job as a function of its own, with the same instructions.
    fn apart(self, job: impl Kernel);
    /// Square root.
    fn sqrt(self) -> Self;
    /// Without its sign.
    fn abs(self) -> Self;
    /// `self < than`.
    fn is_less(self, than: Self) -> Self::Mask;
    /// `self <= than`.
    fn is_at_most(self, than: Self) -> Self::Mask;
    /// `yes` in the lanes where the mask holds, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Whether the mask holds in any lane.
    fn any(mask: Self::Mask) -> bool;

    /// A mask that holds nowhere.
    #[inline(always)]
    fn no_lane(self) -> Self::Mask {
        let zero = self.of(0.0);
        zero.is_less(zero)
    }

    /// A mask that holds everywhere.
    #[inline(always)]
    fn every_lane(self) -> Self::Mask {
        let zero = self.of(0.0);
        zero.is_at_most(zero)
    }

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

    /// Whether it is a number, not infinite.
    #[inline(always)]
    fn is_finite(self) -> Self::Mask {
        self.abs().is_at_most(self.of(f32::MAX))
    }

    /// Square root; 0 of what rounding made negative.
    #[inline(always)]
    fn sqrt_clamped(self) -> Self {
        self.or_more(self.of(0.0)).sqrt()
    }
}

impl Lanes for f32 {
    type Mask = bool;
    const LANES: usize = 1;

    #[inline(always)]
    fn of(self, x: f32) -> Self {
        x
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> Self {
        from[0]
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        to[0] = self;
    }

    #[inline(never)]
    fn apart(self, job: impl Kernel) {
        job.run(self);
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // IEEE 754 rounds square roots exactly, on every platform.
        f32::sqrt(self)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        f32::abs(self)
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
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
}
