//! From one start downhill, until the target is met or nothing is gained.

use super::arm::Aim;
use super::frames::Sized;
use super::normal::{Six, dot};
use super::step::Bounds;

/// Where a descent ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Descent<const N: usize> {
    pub(super) values: [f64; N],
    /// What is left (units and radians), and its square.
    pub(super) error: Six,
    pub(super) square: f64,
    pub(super) is_met: bool,
    pub(super) steps: u32,
    /// Whether it ended because its steps were spent.
    pub(super) is_spent: bool,
}

/// How long a descent goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    pub(super) steps: u32,
    /// Steps in a row without [`PROGRESS`].
    pub(super) idle: u32,
}

/// Share of the squared error that counts as progress.
const PROGRESS: f64 = 0.5;

impl<const N: usize> Sized<'_, N> {
    /// Steps from `values` on; the best values seen.
    #[inline(never)]
    pub(super) fn descend(&self, values: &[f64; N], bounds: &Bounds<N>, aim: &Aim, patience: Patience) -> Descent<N> {
        let mut now = *values;
        let mut best =
            Descent { values: now, error: [0.0; 6], square: f64::INFINITY, is_met: false, steps: 0, is_spent: false };
        let (mut milestone, mut idle) = (f64::INFINITY, 0);
        loop {
            let frames = self.frames(&now, aim);
            let square = dot(&frames.error, &frames.error);
            if square < best.square {
                (best.values, best.error, best.square) = (now, frames.error, square);
            }
            if is_met(&frames.error, aim) {
                return Descent { values: now, error: frames.error, square, is_met: true, ..best };
            }
            if square < PROGRESS * milestone {
                (milestone, idle) = (square, 0);
            } else {
                idle += 1;
            }
            best.is_spent = best.steps >= patience.steps;
            if best.is_spent || idle > patience.idle || !square.is_finite() {
                return best;
            }
            let step = self.step(&frames, square, &now, bounds, aim);
            for i in 0..N {
                now[i] = bounds.clamp(i, now[i] + step[i]);
            }
            best.steps += 1;
        }
    }

    /// Values at an end of their range that would have to go beyond it to come nearer: a bit each.
    pub(super) fn blocking(&self, values: &[f64; N], bounds: &Bounds<N>, aim: &Aim) -> u64 {
        let frames = self.frames(values, aim);
        let columns = self.columns((&frames.linear, &frames.angular), &frames.counts, aim);
        let size = dot(&frames.error, &frames.error);
        let mut blocking = 0;
        for i in 0..self.arm.coordinates.len() {
            let pull = dot(&columns[i], &frames.error);
            let is_at_end = if pull < 0.0 { values[i] <= bounds.low[i] } else { values[i] >= bounds.high[i] };
            if is_at_end && pull * pull > MATTERS * MATTERS * dot(&columns[i], &columns[i]) * size {
                blocking |= 1 << i;
            }
        }
        blocking
    }
}

/// Cosine between a column and what is left that a joint at its end must have to be blamed.
const MATTERS: f64 = 1e-3;

#[inline(always)]
fn is_met(error: &Six, aim: &Aim) -> bool {
    let [x, y, z, a, b, c] = *error;
    x * x + y * y + z * z <= aim.near * aim.near && a * a + b * b + c * c <= aim.turn * aim.turn
}
