//! Three numbers side by side without any vector instruction: lanes that every machine has, and an odd many of them.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use sinew::math::ops;

use crate::number::Lanes;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Triple([f64; 3]);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Truths([bool; 3]);

impl Triple {
    pub(crate) const ZERO: Self = Self([0.0; 3]);

    fn with(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    fn is(self, other: Self, f: impl Fn(f64, f64) -> bool) -> Truths {
        Truths(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

macro_rules! operators {
    ($($trait:ident $name:ident $operator:tt)*) => {
        $(impl $trait for Triple {
            type Output = Self;
            fn $name(self, other: Self) -> Self {
                self.with(other, |a, b| a $operator b)
            }
        })*
    };
}

operators!(Add add + Sub sub - Mul mul * Div div /);

impl Neg for Triple {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl BitAnd for Truths {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] && other.0[i]))
    }
}

impl BitOr for Truths {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] || other.0[i]))
    }
}

impl Not for Truths {
    type Output = Self;
    fn not(self) -> Self {
        Self(self.0.map(|truth| !truth))
    }
}

impl Lanes for Triple {
    type Mask = Truths;
    const LANES: usize = 3;

    fn of(self, x: f64) -> Self {
        Self([x; 3])
    }

    fn sqrt(self) -> Self {
        Self(self.0.map(ops::sqrt))
    }

    fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }

    fn is_less(self, than: Self) -> Truths {
        self.is(than, |a, b| a < b)
    }

    fn is_at_most(self, than: Self) -> Truths {
        self.is(than, |a, b| a <= b)
    }

    fn has_bit(self, bit: u32) -> Truths {
        self.is(self, |x, _| x.to_bits() >> bit & 1 == 1)
    }

    fn select(mask: Truths, yes: Self, no: Self) -> Self {
        Self(std::array::from_fn(|i| if mask.0[i] { yes.0[i] } else { no.0[i] }))
    }

    fn any(mask: Truths) -> bool {
        mask.0.contains(&true)
    }

    fn holds(mask: Truths, lane: usize) -> bool {
        mask.0[lane]
    }

    fn lane(&self, lane: usize) -> f64 {
        self.0[lane]
    }

    fn set_lane(&mut self, lane: usize, x: f64) {
        self.0[lane] = x;
    }
}
