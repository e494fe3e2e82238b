//! Vector registers, with the instructions that the machine turned out to have.

use core::fmt::Debug;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use pulp::bytemuck::{cast_slice, cast_slice_mut, from_bytes_mut, pod_read_unaligned};
use pulp::{NullaryFnOnce, Simd};

use crate::number::Lanes;
#[cfg(portable)]
use crate::pair::Pair;

/// Work to do with numbers of any width.
pub(crate) trait Kernel {
    /// Counts with numbers as wide as `like`; `#[inline(always)]` all the way down.
    fn run<L: Lanes>(self, like: L);
}

/// How many characters are counted with at once, and with which instructions. The answers are the same, bit for bit.
#[derive(Clone, Copy, Debug)]
pub struct Width(Set);

/// Builds with debug assertions have one lane alone, since the others take three quarters of the compiling. So do builds without any
/// optimization: there each number in between has room of its own on the stack, which for eight lanes is 6 MB, more than threads have.
/// The unit tests count with one lane, so that this crate is not compiled for all widths twice, unless they measure.
const WIDE: bool = !cfg!(any(unoptimized, debug_assertions, all(test, not(measured))));

/// Numbers of one, four, eight or sixteen lanes.
#[derive(Clone, Copy, Debug)]
enum Set {
    One,
    /// Lanes without vector instructions, which the compiler may find some for.
    #[cfg(portable)]
    Portable,
    #[cfg(target_arch = "x86_64")]
    Sse(pulp::x86::V2),
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3),
    #[cfg(target_arch = "x86_64")]
    Avx512(pulp::x86::V4),
    #[cfg(target_arch = "aarch64")]
    Neon(pulp::aarch64::Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(pulp::wasm::Simd128),
}

impl Default for Width {
    fn default() -> Self {
        Self::new()
    }
}

impl Width {
    /// The quickest that this machine can: 16 lanes with AVX-512, 8 with AVX2, 4 with SSE4.2, NEON and WebAssembly's
    /// `simd128` (where the build asks for it), 4 of the compiler's elsewhere. 1 with debug assertions, and at opt-level 0.
    pub fn new() -> Self {
        Self::all().last().unwrap_or(Self(Set::One))
    }

    /// Every width that this machine can, the quickest last, one lane first, which is the reference.
    pub fn all() -> impl Iterator<Item = Self> {
        let mut sets = vec![Set::One];
        #[cfg(portable)]
        sets.extend(WIDE.then_some(Set::Portable));
        #[cfg(target_arch = "x86_64")]
        {
            sets.extend(pulp::x86::V2::try_new().filter(|_| WIDE).map(Set::Sse));
            sets.extend(pulp::x86::V3::try_new().filter(|_| WIDE).map(Set::Avx2));
            sets.extend(pulp::x86::V4::try_new().filter(|_| WIDE).map(Set::Avx512));
        }
        #[cfg(target_arch = "aarch64")]
        sets.extend(pulp::aarch64::Neon::try_new().filter(|_| WIDE).map(Set::Neon));
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        sets.extend(pulp::wasm::Simd128::try_new().filter(|_| WIDE).map(Set::Simd128));
        sets.into_iter().map(Self)
    }

    /// Characters at a time.
    pub fn lanes(self) -> usize {
        match self.0 {
            Set::One => 1,
            #[cfg(portable)]
            Set::Portable => 4,
            #[cfg(target_arch = "x86_64")]
            Set::Sse(_) => 4,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(_) => 8,
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(_) => 16,
            #[cfg(target_arch = "aarch64")]
            Set::Neon(_) => 4,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Set::Simd128(_) => 4,
        }
    }

    /// The instructions, for reports.
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::One => "one lane",
            #[cfg(portable)]
            Set::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Set::Sse(_) => "SSE4.2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Set::Neon(_) => "NEON",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Set::Simd128(_) => "simd128",
        }
    }

    /// Runs a job with numbers this wide.
    pub(crate) fn run(self, job: impl Kernel) {
        match self.0 {
            #[cfg(portable)]
            Set::Portable if WIDE => job.run(Pair(Pair(0.0_f32, 0.0), Pair(0.0, 0.0))),
            #[cfg(target_arch = "x86_64")]
            Set::Sse(simd) if WIDE => simd.vectorize(With(simd, job)),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(simd) if WIDE => simd.vectorize(With(simd, job)),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(simd) if WIDE => simd.vectorize(With(simd, job)),
            #[cfg(target_arch = "aarch64")]
            Set::Neon(simd) if WIDE => simd.vectorize(With(simd, job)),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Set::Simd128(simd) if WIDE => simd.vectorize(With(simd, job)),
            _ => job.run(0.0_f32),
        }
    }
}

/// A job with numbers as wide as a register.
#[cfg_attr(all(target_arch = "wasm32", not(target_feature = "simd128")), expect(dead_code, reason = "no registers"))]
struct With<S, J>(S, J);

impl<S: Simd, J: Kernel> NullaryFnOnce for With<S, J> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.1.run(Packed(self.0, self.0.splat_f32s(0.0)));
    }
}

/// As many `f32` as one register of `S` has. What is as small as its operators is inlined without having to be, and the kernels are as
/// quick; with `#[inline(always)]` this crate takes twice as long to compile.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(all(target_arch = "wasm32", not(target_feature = "simd128")), expect(dead_code, reason = "no registers"))]
struct Packed<S: Simd>(S, S::f32s);

/// A truth a lane.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(all(target_arch = "wasm32", not(target_feature = "simd128")), expect(dead_code, reason = "no registers"))]
struct Mask<S: Simd>(S, S::m32s);

/// An operator of `Packed` or `Mask`, by the instruction for it.
macro_rules! operator {
    ($type:ident: $trait:ident $name:ident $instruction:ident) => {
        impl<S: Simd> $trait for $type<S> {
            type Output = Self;

            #[inline]
            fn $name(self, other: Self) -> Self {
                Self(self.0, self.0.$instruction(self.1, other.1))
            }
        }
    };
}

operator!(Packed: Add add add_f32s);
operator!(Packed: Sub sub sub_f32s);
operator!(Packed: Mul mul mul_f32s);
operator!(Packed: Div div div_f32s);
operator!(Mask: BitAnd bitand and_m32s);
operator!(Mask: BitOr bitor or_m32s);

impl<S: Simd> Neg for Packed<S> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(self.0, self.0.xor_f32s(self.1, self.0.splat_f32s(-0.0)))
    }
}

impl<S: Simd> Not for Mask<S> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0, self.0.not_m32s(self.1))
    }
}

impl<S: Simd> Lanes for Packed<S> {
    type Mask = Mask<S>;
    const LANES: usize = S::F32_LANES;

    #[inline]
    fn of(self, x: f32) -> Self {
        Self(self.0, self.0.splat_f32s(x))
    }

    #[inline]
    fn load(self, from: &[f32]) -> Self {
        Self(self.0, pod_read_unaligned(cast_slice(&from[..Self::LANES])))
    }

    #[inline]
    fn store(self, to: &mut [f32]) {
        // Numbers of a register are aligned as one is.
        *from_bytes_mut(cast_slice_mut(&mut to[..Self::LANES])) = self.1;
    }

    #[inline(never)]
    fn apart(self, job: impl Kernel) {
        self.0.vectorize(With(self.0, job));
    }

    #[inline]
    fn sqrt(self) -> Self {
        Self(self.0, self.0.sqrt_f32s(self.1))
    }

    #[inline]
    fn abs(self) -> Self {
        // `abs_f32s` and `neg_f32s` are not always inlined.
        Self(self.0, self.0.and_f32s(self.1, self.0.splat_f32s(f32::from_bits(0x7fff_ffff))))
    }

    #[inline]
    fn is_less(self, than: Self) -> Mask<S> {
        Mask(self.0, self.0.less_than_f32s(self.1, than.1))
    }

    #[inline]
    fn is_at_most(self, than: Self) -> Mask<S> {
        Mask(self.0, self.0.less_than_or_equal_f32s(self.1, than.1))
    }

    #[inline]
    fn select(mask: Mask<S>, yes: Self, no: Self) -> Self {
        Self(yes.0, yes.0.select_f32s(mask.1, yes.1, no.1))
    }

    #[inline]
    fn any(mask: Mask<S>) -> bool {
        mask.0.first_true_m32s(mask.1) < Self::LANES
    }
}
