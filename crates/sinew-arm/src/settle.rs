//! The last steps where a target is not met: Newton's, with the curvature, down to where no value brings the tip nearer, so
//! that solving again from there ends there.
//!
//! The kernel's steps leave the curvature out. Beside a target that is met that costs nothing; far from one they circle
//! around the nearest place without coming to it.

use sinew::math::ops;
use sinew::solve::author::ldl;

use crate::aims::Aims;
use crate::descend::{Descent, Patience, is_met};
use crate::frames::{Frames, Sized};
use crate::normal::{Six, dot};
use crate::step::Bounds;

/// Descents that may each find something better than the last.
const ROUNDS: u32 = 8;
/// Share of the squared error, and part of the error itself (units and radians), that an answer must gain to be another
/// one: less is rounding.
const ROUNDING: f64 = 1e-12;
const NOISE: f64 = 1e-14;
/// Share of a tolerance within which it counts as kept.
const NEARLY: f64 = 1.01;
/// Change of a value (radians or units) that is none, and the largest in a step.
const STILL: f64 = 1e-13;
const LONGEST: f64 = 0.5;
/// Damping where there must be some, by how much it grows and shrinks, and what is too much.
const DAMPING: f64 = 1e-4;
const GROWTH: f64 = 10.0;
const MOST: f64 = 1e4;

impl<const N: usize> Descent<N> {
    /// Whether this is better than another by more than rounding.
    pub(crate) fn beats(&self, other: &Self) -> bool {
        let rounding = ROUNDING * other.square + NOISE * ops::sqrt(other.square);
        self.is_met || self.square < other.square - rounding
    }
}

#[allow(clippy::needless_range_loop, reason = "index arithmetic")]
impl<const N: usize> Sized<'_, N> {
    /// Goes on from the end of a descent until another one from there gains nothing.
    pub(crate) fn settle(
        &self,
        from: &Descent<N>,
        bounds: &Bounds<N>,
        aims: &Aims<f64>,
        patience: Patience,
    ) -> Descent<N> {
        let mut best = self.polish(from, bounds, aims, patience.steps);
        for _ in 0..ROUNDS {
            if best.is_met {
                break;
            }
            let next = self.descend(&best.values, bounds, aims, patience);
            let next = self.polish(&next, bounds, aims, patience.steps);
            let (steps, is_better) = (best.steps + next.steps, next.beats(&best));
            if is_better {
                best = next;
            }
            (best.steps, best.is_spent) = (steps, is_better && !best.is_met);
            if !is_better {
                break;
            }
        }
        best
    }

    /// [`frames`](Self::frames) as a function of its own: what is called here and there need not be compiled at each place.
    #[inline(never)]
    pub(crate) fn frames_of(&self, values: &[f64; N], aims: &Aims<f64>) -> Frames<N, f64> {
        self.frames(values, aims)
    }

    /// What is left at some values.
    pub(crate) fn at(&self, values: &[f64; N], aims: &Aims<f64>) -> Descent<N> {
        let error = self.frames_of(values, aims).error;
        Descent { error, square: dot(&error, &error), is_met: is_met(&error, aims), ..Descent::at(*values) }
    }

    /// Whether a target is met but for rounding: what was met when it was written may not be as it is read again.
    pub(crate) fn is_nearly_met(&self, values: &[f64; N], aims: &Aims<f64>) -> bool {
        let near = Aims { near: NEARLY * aims.near, turn: NEARLY * aims.turn, ..*aims };
        is_met(&self.frames_of(values, aims).error, &near)
    }

    /// Newton's steps as long as they gain.
    #[inline(never)]
    fn polish(&self, from: &Descent<N>, bounds: &Bounds<N>, aims: &Aims<f64>, most: u32) -> Descent<N> {
        let (mut now, mut damping) = (*from, 0.0);
        let mut frames = self.frames_of(&now.values, aims);
        for _ in 0..most {
            if now.is_met || damping > MOST {
                break;
            }
            let (values, way) = self.newton(&frames, &now.values, bounds, &mut damping);
            if way.is_nan() || way <= STILL {
                break;
            }
            let next = self.frames_of(&values, aims);
            let square = dot(&next.error, &next.error);
            now.steps += 1;
            if square < now.square {
                now = Descent { values, error: next.error, square, is_met: is_met(&next.error, aims), ..now };
                (frames, damping) = (next, if damping > DAMPING { damping / GROWTH } else { 0.0 });
            } else {
                damping = (damping * GROWTH).max(DAMPING);
            }
        }
        now
    }

    /// The values after one step, and the largest change; raises the damping to where the system is definite.
    fn newton(
        &self,
        frames: &Frames<N, f64>,
        values: &[f64; N],
        bounds: &Bounds<N>,
        damping: &mut f64,
    ) -> ([f64; N], f64) {
        let columns = self.by_value(&frames.columns, &frames.counts);
        let (mut free, mut size) = ([0; N], 0);
        for i in 0..self.arm.slots.len().min(N) {
            let pull = dot(&columns[i], &frames.error);
            let is_at_end = if pull < 0.0 { values[i] <= bounds.low[i] } else { values[i] >= bounds.high[i] };
            if pull != 0.0 && !is_at_end {
                (free[size], size) = (i, size + 1);
            }
        }
        let free = &free[..size];
        let second = self.second(frames, &columns);
        let (mut matrix, mut step) = ([[0.0; N]; N], [0.0; N]);
        loop {
            let factors = &mut matrix.as_flattened_mut()[..size * size];
            for (row, &i) in free.iter().enumerate() {
                for (column, &j) in free[..=row].iter().enumerate() {
                    factors[row * size + column] = 0.5 * (second[i][j] + second[j][i]);
                }
                factors[row * size + row] += *damping;
                step[row] = dot(&columns[i], &frames.error);
            }
            if ldl::factor(factors, size) {
                ldl::solve(factors, size, &mut step[..size]);
                break;
            }
            *damping = (*damping * GROWTH).max(DAMPING);
            if *damping > MOST {
                return (*values, 0.0);
            }
        }
        let longest = step[..size].iter().fold(0.0_f64, |longest, y| longest.max(y.abs()));
        let share = if longest > LONGEST { LONGEST / longest } else { 1.0 };
        let (mut next, mut way) = (*values, 0.0_f64);
        for (&i, &y) in free.iter().zip(&step) {
            next[i] = bounds.clamp(i, values[i] + y * share);
            way = way.max((next[i] - values[i]).abs());
        }
        (next, way)
    }

    /// The second derivative of half the squared error: its mean with its transpose is exact for places, and to second
    /// order of what is left for rotations.
    fn second(&self, frames: &Frames<N, f64>, columns: &[Six; N]) -> [[f64; N]; N] {
        let mut second = [[0.0; N]; N];
        for j in 0..self.arm.slots.len().min(N) {
            let mut one = [0.0; N];
            // `bent` goes half way.
            one[j] = 2.0;
            let bent = self.by_value(&self.bent(&frames.columns, &one), &frames.counts);
            for i in 0..N {
                let change: Six = core::array::from_fn(|row| bent[i][row] - columns[i][row]);
                second[i][j] = dot(&columns[i], &columns[j]) - dot(&change, &frames.error);
            }
        }
        second
    }
}
