//! Numbers side by side in a vector register, with the instructions that the machine turned out to have.

use core::fmt::Debug;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use pulp::bytemuck::{cast_slice, cast_slice_mut};
use pulp::x86::{V3, V4};
use pulp::{NullaryFnOnce, Simd};

use crate::number::{Kernel, Lanes};

/// Dev builds and the unit tests have none of them, which take three quarters of the compiling.
const COMPILED: bool = !cfg!(any(debug_assertions, test));

/// A set of instructions that this machine has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Set {
    /// Four numbers at a time, by AVX2.
    Four(V3),
    /// Eight, by AVX-512.
    Eight(V4),
}

impl Set {
    /// Narrowest first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        [V3::try_new().map(Self::Four), V4::try_new().map(Self::Eight)].into_iter().flatten().filter(|_| COMPILED)
    }

    /// Numbers at a time.
    pub(crate) fn lanes(self) -> usize {
        match self {
            Self::Four(_) => 4,
            Self::Eight(_) => 8,
        }
    }

    /// Runs a job with its numbers.
    #[inline(always)]
    pub(crate) fn dispatch(self, job: impl Kernel) {
        match self {
            Self::Four(simd) if COMPILED => simd.vectorize(With(simd, job)),
            Self::Eight(simd) if COMPILED => simd.vectorize(With(simd, job)),
            // There are no sets then.
            _ => {}
        }
    }
}

/// A job with numbers as wide as a register.
struct With<S, J>(S, J);

impl<S: Register, J: Kernel> NullaryFnOnce for With<S, J> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.1.run(Packed::zero(self.0));
    }
}

/// Instructions whose registers should lie in memory as they do in cache lines, which `pulp`'s types do not ask for.
trait Register: Simd {
    /// Something as strictly aligned as a register is long.
    type Align: Copy + Debug;
}

/// Begins where 32 bytes do.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Align32;

/// Begins where 64 bytes do.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Align64;

impl Register for V3 {
    type Align = Align32;
}

impl Register for V4 {
    type Align = Align64;
}

/// As many `f64` as one register of `S` has.
#[derive(Clone, Copy, Debug)]
struct Packed<S: Register>(S, S::f64s, [S::Align; 0]);

/// A truth a lane.
#[derive(Clone, Copy, Debug)]
struct Mask<S: Register>(S, S::m64s);

impl<S: Register> Packed<S> {
    /// Zeros.
    #[inline(always)]
    fn zero(simd: S) -> Self {
        Self::new(simd, simd.splat_f64s(0.0))
    }

    #[inline(always)]
    fn new(simd: S, x: S::f64s) -> Self {
        Self(simd, x, [])
    }
}

impl<S: Register> Mask<S> {
    #[inline(always)]
    fn new(simd: S, x: S::m64s) -> Self {
        Self(simd, x)
    }
}

/// An operator of `Packed` or `Mask`, by the instruction for it.
macro_rules! operator {
    ($type:ident: $trait:ident $name:ident $instruction:ident) => {
        impl<S: Register> $trait for $type<S> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self::new(self.0, self.0.$instruction(self.1, other.1))
            }
        }
    };
}

operator!(Packed: Add add add_f64s);
operator!(Packed: Sub sub sub_f64s);
operator!(Packed: Mul mul mul_f64s);
operator!(Packed: Div div div_f64s);
operator!(Mask: BitAnd bitand and_m64s);
operator!(Mask: BitOr bitor or_m64s);

impl<S: Register> Neg for Packed<S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(self.0, self.0.neg_f64s(self.1))
    }
}

impl<S: Register> Not for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self::new(self.0, self.0.not_m64s(self.1))
    }
}

impl<S: Register> Lanes for Packed<S> {
    type Mask = Mask<S>;
    const LANES: usize = S::F64_LANES;

    #[inline(always)]
    fn of(self, x: f64) -> Self {
        Self::new(self.0, self.0.splat_f64s(x))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::new(self.0, self.0.sqrt_f64s(self.1))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self::new(self.0, self.0.abs_f64s(self.1))
    }

    #[inline(always)]
    fn is_less(self, than: Self) -> Mask<S> {
        Mask::new(self.0, self.0.less_than_f64s(self.1, than.1))
    }

    #[inline(always)]
    fn is_at_most(self, than: Self) -> Mask<S> {
        Mask::new(self.0, self.0.less_than_or_equal_f64s(self.1, than.1))
    }

    #[inline(always)]
    fn has_bit(self, bit: u32) -> Mask<S> {
        let wanted = self.0.splat_u64s(1 << bit);
        Mask::new(self.0, self.0.equal_u64s(self.0.and_u64s(self.0.transmute_u64s_f64s(self.1), wanted), wanted))
    }

    #[inline(always)]
    fn select(mask: Mask<S>, yes: Self, no: Self) -> Self {
        Self::new(yes.0, yes.0.select_f64s(mask.1, yes.1, no.1))
    }

    #[inline(always)]
    fn any(mask: Mask<S>) -> bool {
        mask.0.first_true_m64s(mask.1) < Self::LANES
    }

    #[inline(always)]
    fn holds(mask: Mask<S>, lane: usize) -> bool {
        let one = Self::new(mask.0, mask.0.splat_f64s(1.0));
        Self::select(mask, one, Self::zero(mask.0)).lane(lane) > 0.0
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> f64 {
        cast_slice::<S::f64s, f64>(core::slice::from_ref(&self.1))[lane]
    }

    #[inline(always)]
    fn set_lane(&mut self, lane: usize, x: f64) {
        cast_slice_mut::<S::f64s, f64>(core::slice::from_mut(&mut self.1))[lane] = x;
    }
}
