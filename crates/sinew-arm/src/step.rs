//! One step: damped, of third order, inside the limits.
//!
//! Newton's step first; then the columns half way along it, which make the step that of Halley's method. A value that
//! would leave its range goes to the end of it and no further, its column leaves the system, and the rest makes up for
//! what it falls short.
//!
//! Sources: Lloyd, Irani & Ahmadi (2022) for the second system; Chan & Lawrence, *General Inverse Kinematics with the
//! Error Damped Pseudoinverse* (1988) and Sugihara, *Solvability-Unconcerned Inverse Kinematics by the
//! Levenberg-Marquardt Method* (2011) for damping by what is left.

use crate::arm::Arm;
use crate::frames::{Frames, Sized};
use crate::normal::{Factors, Six, dot};
use crate::number::Lanes;

/// Ends of every value; infinite for round ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds<const N: usize> {
    pub(crate) low: [f64; N],
    pub(crate) high: [f64; N],
}

impl<const N: usize> Bounds<N> {
    /// What the joints' limits allow.
    pub(crate) fn of(arm: &Arm) -> Self {
        let mut bounds = Self { low: [0.0; N], high: [0.0; N] };
        for (i, slot) in arm.slots.iter().enumerate().take(N) {
            let ends = (slot.range.min, slot.range.max);
            (bounds.low[i], bounds.high[i]) = if slot.is_round { (f64::NEG_INFINITY, f64::INFINITY) } else { ends };
        }
        bounds
    }

    #[inline(always)]
    pub(crate) fn clamp<L: Lanes>(&self, i: usize, value: L) -> L {
        value.of(self.high[i]).or_less(value.of(self.low[i]).or_more(value))
    }

    #[inline(always)]
    fn admits<L: Lanes>(&self, i: usize, value: L) -> L::Mask {
        value.of(self.low[i]).is_at_most(value) & value.is_at_most(value.of(self.high[i]))
    }
}

// HEURISTIC, all below: measured on nine real arms; twice or half as much changes mean times by a tenth.

/// Part of the squared error that damps.
const DAMPING: f64 = 0.01;
/// Damping that stays, so that the system never loses rank.
const LEAST: f64 = 1e-12;
/// Largest change of a value in a step (radians or units).
const LONGEST: f64 = 1.3;
/// Distance (units) and rotation (radians) that a step tries to make good at most.
const FAR: f64 = 2.0;
/// Squared error below which Newton's step is as good.
const NEAR: f64 = 1e-3;

impl<const N: usize> Sized<'_, N> {
    /// How the values should change, given the square of what is left; in lanes that do not count anything may come out.
    #[inline(always)]
    pub(crate) fn step<L: Lanes>(
        &self,
        frames: &Frames<N, L>,
        square: L,
        values: &[L; N],
        bounds: &Bounds<N>,
        counts: L::Mask,
    ) -> [L; N] {
        let damping = square.of(DAMPING) * square + square.of(LEAST);
        let wanted = saturated(&frames.error);
        let mut columns = self.by_value(&frames.columns, &frames.counts);
        let is_far = square.of(NEAR).is_less(square);
        if L::any(is_far & counts) {
            let y = Factors::new(&columns, damping).solve(wanted);
            let mut step = *values;
            for i in 0..N {
                step[i] = dot(&columns[i], &y);
            }
            shorten(&mut step);
            let bent = self.by_value(&self.bent(&frames.columns, &step), &frames.counts);
            for i in 0..N {
                for row in 0..6 {
                    columns[i][row] = L::select(is_far, bent[i][row], columns[i][row]);
                }
            }
        }
        let mut step = within(columns, wanted, damping, (values, bounds), counts);
        shorten(&mut step);
        step
    }
}

/// The least change of values that makes good what is wanted, as far as damping and ends allow.
#[inline(always)]
fn within<L: Lanes, const N: usize>(
    mut columns: [Six<L>; N],
    mut wanted: Six<L>,
    damping: L,
    (values, bounds): (&[L; N], &Bounds<N>),
    counts: L::Mask,
) -> [L; N] {
    let zero = damping.of(0.0);
    let (mut step, mut used) = ([zero; N], [counts; N]);
    // Every round takes a value out.
    for _ in 0..=N {
        let y = Factors::new(&columns, damping).solve(wanted);
        let mut is_within = true;
        for i in 0..N {
            step[i] = L::select(used[i], dot(&columns[i], &y), step[i]);
            is_within &= !L::any(used[i] & !bounds.admits(i, values[i] + step[i]));
        }
        if is_within {
            break;
        }
        for i in 0..N {
            let next = values[i] + step[i];
            let is_out = used[i] & !bounds.admits(i, next);
            if L::any(is_out) {
                used[i] = used[i] & !is_out;
                step[i] = L::select(is_out, bounds.clamp(i, next) - values[i], step[i]);
                for row in 0..6 {
                    let made_good = columns[i][row] * step[i];
                    wanted[row] = L::select(is_out, wanted[row] - made_good, wanted[row]);
                    columns[i][row] = L::select(is_out, zero, columns[i][row]);
                }
            }
        }
    }
    step
}

/// What is left, shortened where it is far.
#[inline(always)]
fn saturated<L: Lanes>(error: &Six<L>) -> Six<L> {
    let [x, y, z, a, b, c] = *error;
    let (place, turn) = (share(x * x + y * y + z * z), share(a * a + b * b + c * c));
    [x * place, y * place, z * place, a * turn, b * turn, c * turn]
}

/// What part of a vector is no longer than [`FAR`], given its square.
#[inline(always)]
fn share<L: Lanes>(square: L) -> L {
    let (one, is_far) = (square.of(1.0), square.of(FAR * FAR).is_less(square));
    if L::any(is_far) { L::select(is_far, square.of(FAR) / square.sqrt(), one) } else { one }
}

#[inline(always)]
fn shorten<L: Lanes, const N: usize>(step: &mut [L; N]) {
    let mut longest = step[0].of(0.0);
    for x in &*step {
        longest = longest.or_more(x.abs());
    }
    let is_long = longest.of(LONGEST).is_less(longest);
    if L::any(is_long) {
        let share = L::select(is_long, longest.of(LONGEST) / longest, longest.of(1.0));
        for x in step {
            *x = *x * share;
        }
    }
}
