//! Lanes without vector registers: pairs of pairs of single numbers.

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use crate::lanes::Kernel;
use crate::number::Lanes;

/// Twice as many lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<T>(pub(crate) T, pub(crate) T);

/// An operator, half by half.
macro_rules! by_halves {
    ($($trait:ident $name:ident),*) => {$(
        impl<T: $trait<Output = T>> $trait for Pair<T> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(self.0.$name(other.0), self.1.$name(other.1))
            }
        }
    )*};
}

by_halves!(Add add, Sub sub, Mul mul, Div div, BitAnd bitand, BitOr bitor);

impl<T: Neg<Output = T>> Neg for Pair<T> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl<T: Not<Output = T>> Not for Pair<T> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0, !self.1)
    }
}

impl<L: Lanes> Lanes for Pair<L> {
    type Mask = Pair<L::Mask>;
    const LANES: usize = 2 * L::LANES;

    #[inline(always)]
    fn of(self, x: f32) -> Self {
        let half = self.0.of(x);
        Self(half, half)
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> Self {
        Self(self.0.load(from), self.1.load(&from[L::LANES..]))
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        self.0.store(to);
        self.1.store(&mut to[L::LANES..]);
    }

    #[inline(never)]
    fn apart(self, job: impl Kernel) {
        job.run(self);
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs(), self.1.abs())
    }

    #[inline(always)]
    fn is_less(self, than: Self) -> Self::Mask {
        Pair(self.0.is_less(than.0), self.1.is_less(than.1))
    }

    #[inline(always)]
    fn is_at_most(self, than: Self) -> Self::Mask {
        Pair(self.0.is_at_most(than.0), self.1.is_at_most(than.1))
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self(L::select(mask.0, yes.0, no.0), L::select(mask.1, yes.1, no.1))
    }

    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        L::any(mask.0) || L::any(mask.1)
    }
}
