//! A way that was drawn here and there, drawn straight: every frame's values half way between its neighbours', as far as
//! frame, limits and step allow.
//!
//! Source: successive over-relaxation (Young, 1954) of the sum of squared steps.

use super::PathOptions;
use super::ways::Turns;
use crate::aims::Aims;
use crate::arm::Aim;
use crate::descend::Patience;
use crate::frames::Sized;
use crate::step::Bounds;

/// Times that all frames are gone through. HEURISTIC.
const ROUNDS: u32 = 30;
/// Part of the way to the middle that values go, at most 2.
const FURTHER: f64 = 1.8;
/// Share of the step by which the largest change in a round is none.
const STILL: f64 = 1e-3;

impl<const N: usize> Sized<'_, N> {
    /// Moves all but the first frame's values.
    pub(super) fn smooth(&self, way: &mut [[f64; N]], turns: &Turns<N>, aims: &[Option<Aim>], following: &PathOptions) {
        let patience = Patience { steps: following.serial.iterations, idle: 1 };
        for _ in 0..ROUNDS {
            let mut largest = 0.0_f64;
            for (at, aim) in aims.iter().enumerate().take(way.len()).skip(1) {
                let (now, last) = (way[at], way[at - 1]);
                let next = way.get(at + 1).copied().unwrap_or(last);
                let bounds = self.between(&now, [&last, &next], turns, following.step);
                let start =
                    core::array::from_fn(|i| bounds.clamp(i, now[i] + FURTHER * (0.5 * (last[i] + next[i]) - now[i])));
                let found = aim.as_ref().map(|aim| self.descend(&start, &bounds, &Aims::of(0.0, aim), patience));
                if let Some(found) = found.filter(|found| found.is_met) {
                    let change = |i: usize| (found.values[i] - now[i]).abs() * self.arm.slots[i].scale;
                    largest = (0..N).map(change).fold(largest, f64::max);
                    way[at] = found.values;
                }
            }
            if largest < STILL * following.step {
                break;
            }
        }
    }

    /// Within a step of both neighbours.
    fn between(&self, now: &[f64; N], neighbours: [&[f64; N]; 2], turns: &Turns<N>, step: f64) -> Bounds<N> {
        let [last, next] = neighbours.map(|values| self.near(values, turns, step));
        // Rounding may leave it outside.
        Bounds {
            low: core::array::from_fn(|i| last.low[i].max(next.low[i]).min(now[i])),
            high: core::array::from_fn(|i| last.high[i].min(next.high[i]).max(now[i])),
        }
    }
}
