//! One step: damped, of third order, inside the limits.
//!
//! Newton's step first; then the columns half way along it, which make the step that of Halley's method. A value that
//! would leave its range goes to the end of it and no further, its column leaves the system, and the rest makes up for
//! what it falls short.
//!
//! Sources: Lloyd, Irani & Ahmadi (2022) for the second system; Chan & Lawrence, *General Inverse Kinematics with the
//! Error Damped Pseudoinverse* (1988) and Sugihara, *Solvability-Unconcerned Inverse Kinematics by the
//! Levenberg-Marquardt Method* (2011) for damping by what is left.

use super::arm::{Aim, Arm};
use super::frames::{Frames, Sized};
use super::normal::{Factors, Six, dot};
use crate::math::ops;

/// Ends of every value; infinite for round ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<const N: usize> {
    pub(super) low: [f64; N],
    pub(super) high: [f64; N],
}

impl<const N: usize> Bounds<N> {
    /// What the joints' limits allow.
    pub(super) fn of(arm: &Arm) -> Self {
        let mut bounds = Self { low: [0.0; N], high: [0.0; N] };
        for (i, slot) in arm.slots.iter().enumerate().take(N) {
            let ends = (slot.range.min, slot.range.max);
            (bounds.low[i], bounds.high[i]) = if slot.is_round { (f64::NEG_INFINITY, f64::INFINITY) } else { ends };
        }
        bounds
    }

    pub(super) fn clamp(&self, i: usize, value: f64) -> f64 {
        value.max(self.low[i]).min(self.high[i])
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
    /// How the values should change, given the square of what is left.
    #[inline(always)]
    pub(super) fn step(
        &self,
        frames: &Frames<N>,
        square: f64,
        values: &[f64; N],
        bounds: &Bounds<N>,
        aim: &Aim,
    ) -> [f64; N] {
        let damping = DAMPING * square + LEAST;
        let wanted = saturated(&frames.error);
        let mut columns = self.columns((&frames.linear, &frames.angular), &frames.counts, aim);
        if square > NEAR {
            let y = Factors::new(&columns, damping).solve(wanted);
            let mut step = [0.0; N];
            for i in 0..N {
                step[i] = dot(&columns[i], &y);
            }
            shorten(&mut step);
            let (linear, angular) = self.bent(frames, &step);
            columns = self.columns((&linear, &angular), &frames.counts, aim);
        }
        let mut step = within(&columns, wanted, damping, values, bounds);
        shorten(&mut step);
        step
    }
}

/// The least change of values that makes good what is wanted, as far as damping and ends allow.
#[inline(always)]
fn within<const N: usize>(
    columns: &[Six; N],
    wanted: Six,
    damping: f64,
    values: &[f64; N],
    bounds: &Bounds<N>,
) -> [f64; N] {
    let (mut step, mut rest, mut active, mut used) = ([0.0; N], wanted, *columns, [true; N]);
    // Every round takes a value out.
    for _ in 0..=N {
        let y = Factors::new(&active, damping).solve(rest);
        let mut is_within = true;
        for i in 0..N {
            if used[i] {
                step[i] = dot(&active[i], &y);
                let next = values[i] + step[i];
                is_within &= next >= bounds.low[i] && next <= bounds.high[i];
            }
        }
        if is_within {
            break;
        }
        for i in 0..N {
            let next = values[i] + step[i];
            if used[i] && !(next >= bounds.low[i] && next <= bounds.high[i]) {
                used[i] = false;
                step[i] = bounds.clamp(i, next) - values[i];
                for row in 0..6 {
                    rest[row] -= active[i][row] * step[i];
                }
                active[i] = [0.0; 6];
            }
        }
    }
    step
}

/// What is left, shortened where it is far.
#[inline(always)]
fn saturated(error: &Six) -> Six {
    let [x, y, z, a, b, c] = *error;
    let share = |square: f64| if square > FAR * FAR { FAR / ops::sqrt(square) } else { 1.0 };
    let (place, turn) = (share(x * x + y * y + z * z), share(a * a + b * b + c * c));
    [x * place, y * place, z * place, a * turn, b * turn, c * turn]
}

#[inline(always)]
fn shorten<const N: usize>(step: &mut [f64; N]) {
    let longest = step.iter().fold(0.0_f64, |longest, x| longest.max(x.abs()));
    if longest > LONGEST {
        let share = LONGEST / longest;
        for x in step {
            *x *= share;
        }
    }
}
