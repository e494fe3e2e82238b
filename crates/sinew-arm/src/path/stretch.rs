//! The longest stretch of frames that can be followed without a jump.
//!
//! A way that passes a frame passes it at some answer. So where the best way breaks off, ways are followed back from all
//! answers that are found there, and those that arrive at the first frame are followed on. Where none does, or none leads
//! farther, other answers are tried there and in the middle of what is not passed.

use alloc::vec;
use alloc::vec::Vec;

use super::PathOptions;
use super::ways::{Head, Turns, Ways};
use crate::arm::Aim;
use crate::frames::Sized;

/// Frames that ways are followed through, by those that the best one leads through, before it is done with. HEURISTIC: a
/// second or two for a thousand frames.
const EFFORT: usize = 10;
/// What it takes to look for answers to a frame, in frames.
const SEARCH: usize = 2;
/// One by the part of the ways that are tried first.
const FEW: u32 = 8;
/// Share by which a way's beginning may be farther from the seed, to be smoother.
const FARTHER: f64 = 1.01;

/// Ways back from a frame to the first one, and on from where those began.
struct History<const N: usize> {
    back: Ways<N>,
    on: Ways<N>,
}

impl<const N: usize> History<N> {
    /// Frames from the first one on.
    fn frames(&self) -> usize {
        self.back.frames() - 1 + self.on.frames()
    }

    /// Values from the first frame to one of the ends.
    fn way(&self, end: usize) -> Vec<[f64; N]> {
        let (mut on, beginning) = self.on.back_from(end);
        let (mut way, _) = self.back.back_from(beginning);
        way.pop();
        on.reverse();
        way.extend(on);
        way
    }
}

impl<const N: usize> Sized<'_, N> {
    /// Coordinates from the first frame on: the way from `first` if it leads to the end, or else the one whose beginning is
    /// nearest to the seed of those that were found to lead farthest.
    pub(super) fn stretch(
        &self,
        aims: &[Option<Aim>],
        seed: &[f64],
        first: &[f64],
        following: &PathOptions,
    ) -> Vec<f64> {
        let mut values = [0.0; N];
        for ((value, q), slot) in values.iter_mut().zip(first).zip(&self.arm.slots) {
            *value = q / slot.scale;
        }
        let mut best = self.history(Ways::new(vec![self.head(values, None)]), aims, following);
        let (mut spent, mut number, mut postures) = (0, 0, 0);
        // Ways break off between these frames: followed back, and on.
        let (mut low, mut high) = (best.frames(), best.frames());
        while best.frames() < aims.len() && spent < EFFORT * best.frames() {
            let pivot = if number % 2 == 0 { best.frames() } else { low.midpoint(high) };
            let Some(aim) = &aims[pivot] else { break };
            let count = if number == 0 { following.alternatives.div_ceil(FEW) } else { following.alternatives };
            let heads = self.answers(aim, postures..postures.saturating_add(count), following);
            if heads.is_empty() && pivot == best.frames() {
                break;
            }
            (number, postures) = (number + 1, postures.saturating_add(count));
            let back = self.follow(Ways::new(heads), aims[..pivot].iter().rev(), following);
            spent += SEARCH + back.frames();
            if back.frames() <= pivot {
                (low, high) = (low.min(pivot - back.frames()), pivot);
                continue;
            }
            let next = self.history(back, aims, following);
            spent += next.on.frames();
            if next.frames() > best.frames() {
                best = next;
                (low, high) = (best.frames(), best.frames());
            } else {
                low = pivot;
            }
        }
        let (mut way, turns) = self.nearest_way(&best, seed);
        if number > 0 {
            self.smooth(&mut way, &turns, aims, following);
        }
        self.coordinates(&way, &turns, seed)
    }

    /// On from where ways began that were followed back to the first frame.
    fn history(&self, back: Ways<N>, aims: &[Option<Aim>], following: &PathOptions) -> History<N> {
        let frames = aims[back.frames()..].iter();
        History { on: self.follow(back.turned(), frames, following), back }
    }

    /// The smoothest way of those that begin nearest to the seed, and the turns that it leaves.
    fn nearest_way(&self, history: &History<N>, seed: &[f64]) -> (Vec<[f64; N]>, Turns<N>) {
        let far = |(i, head): (usize, &Head<N>)| {
            let first = self.coordinates(&history.way(i)[..1], &head.turns, seed);
            (i, head.cost, first.iter().zip(seed).map(|(q, seed)| (q - seed) * (q - seed)).sum())
        };
        let ways: Vec<(usize, f64, f64)> = history.on.heads.iter().enumerate().map(far).collect();
        let least = ways.iter().fold(f64::INFINITY, |least, (.., far)| least.min(*far));
        let near = ways.iter().filter(|(.., far)| *far <= FARTHER * least);
        let best = near.min_by(|(_, a, _), (_, b, _)| a.total_cmp(b));
        let best = best.map_or(0, |(i, ..)| *i);
        (history.way(best), history.on.heads[best].turns)
    }
}
