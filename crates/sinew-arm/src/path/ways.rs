//! Ways followed together, frame by frame, each drawn towards a posture of its own.
//!
//! The draw moves an arm only as far as the frame leaves it free, so the ways spread over what can be reached from where
//! they began. One that breaks off is replaced by a branch of one that goes on. Of a joint that allows an angle in several
//! turns all are left open that fit the way so far.

use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::TAU;

use super::PathOptions;
use crate::aims::Aims;
use crate::arm::Aim;
use crate::descend::Patience;
use crate::frames::Sized;
use crate::step::Bounds;

/// Share of a turn that rounding may cost.
const ROUNDING: f64 = 1e-12;
/// Steps in a row without progress.
const IDLE: u32 = 2;

/// Fewest and most whole turns that may be added to a value.
pub(super) type Turns<const N: usize> = [(f64, f64); N];

/// Where a way is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<const N: usize> {
    pub(super) values: [f64; N],
    /// How it came from the frame before.
    step: [f64; N],
    /// Those that fit all values so far.
    pub(super) turns: Turns<N>,
    /// Sum of the squared steps.
    pub(super) cost: f64,
    /// What it is drawn towards.
    posture: Option<[f64; N]>,
}

/// Ways through some frames, all as long.
#[derive(Clone, Debug)]
pub(super) struct Ways<const N: usize> {
    /// At the last frame that was reached.
    pub(super) heads: Vec<Head<N>>,
    /// Of each frame in turn the values of every way, and which one of the frame before they come from.
    values: Vec<[f64; N]>,
    parents: Vec<usize>,
}

impl<const N: usize> Ways<N> {
    pub(super) fn new(heads: Vec<Head<N>>) -> Self {
        Self { values: heads.iter().map(|head| head.values).collect(), parents: (0..heads.len()).collect(), heads }
    }

    /// Frames that were reached.
    pub(super) fn frames(&self) -> usize {
        self.values.len() / self.heads.len().max(1)
    }

    /// Values of the way to a head, last frame first, and which of the first heads it began as.
    pub(super) fn back_from(&self, head: usize) -> (Vec<[f64; N]>, usize) {
        let (count, mut at) = (self.heads.len(), head);
        let mut way = Vec::with_capacity(self.frames());
        for frame in (0..self.frames()).rev() {
            way.push(self.values[frame * count + at]);
            at = self.parents[frame * count + at];
        }
        (way, at)
    }

    /// The same ways, to go on from where they began.
    pub(super) fn turned(&self) -> Self {
        let beginning = |(i, head): (usize, &Head<N>)| {
            let (_, first) = self.back_from(i);
            Head { values: self.values[first], step: [0.0; N], ..*head }
        };
        Self::new(self.heads.iter().enumerate().map(beginning).collect())
    }

    /// Adds a frame, where any way leads there.
    fn push(&mut self, next: &[Option<Head<N>>]) -> bool {
        let mut alive: Vec<usize> = (0..next.len()).filter(|&i| next[i].is_some()).collect();
        if alive.is_empty() {
            return false;
        }
        // Not always the same ones.
        let shift = self.frames() % alive.len();
        alive.rotate_left(shift);
        let mut replacements = alive.iter().cycle();
        for (i, head) in self.heads.iter_mut().enumerate() {
            let from = if next[i].is_some() { i } else { *replacements.next().unwrap_or(&i) };
            if let Some(next) = next[from] {
                *head = Head { posture: head.posture, ..next };
            }
            self.values.push(head.values);
            self.parents.push(from);
        }
        true
    }
}

impl<const N: usize> Sized<'_, N> {
    /// Where a way begins.
    pub(super) fn head(&self, values: [f64; N], posture: Option<[f64; N]>) -> Head<N> {
        let turns = [(f64::NEG_INFINITY, f64::INFINITY); N];
        let turns = self.turns(&turns, &values);
        Head { values, step: [0.0; N], turns, cost: 0.0, posture }
    }

    /// Answers to a frame, one a posture: the nearest to it, or another where none was found from there; none where none
    /// was found at all.
    pub(super) fn answers(&self, aim: &Aim, postures: core::ops::Range<u32>, following: &PathOptions) -> Vec<Head<N>> {
        let bounds = Bounds::of(self.arm);
        let patience = Patience { steps: following.serial.iterations, idle: IDLE };
        let answer = |from: &[f64; N]| {
            Some(self.descend(from, &bounds, &Aims::of(0.0, aim), patience)).filter(|found| found.is_met)
        };
        let postures: Vec<_> = postures.map(|number| self.even(self.arm.starts.step(), number + 1, &bounds)).collect();
        let answers: Vec<_> = postures.iter().map(|posture| answer(posture).map(|found| found.values)).collect();
        let mut scores = self.scores(aim);
        let missing = answers.iter().filter(|answer| answer.is_none()).count();
        let starts = (1..=following.serial.restarts).map(|number| self.next_start(number, &mut scores, &bounds));
        let others: Vec<_> = starts.filter_map(|start| Some(answer(&start)?.values)).take(missing).collect();
        let found: Vec<_> = others.into_iter().chain(answers.iter().flatten().copied()).collect();
        let mut found = found.iter().cycle();
        let all = answers
            .iter()
            .zip(postures)
            .map_while(|(answer, posture)| Some(self.head(answer.or_else(|| found.next().copied())?, Some(posture))));
        all.collect()
    }

    /// Goes on to each of the frames in turn, as far as any way leads.
    pub(super) fn follow<'a>(
        &self,
        mut ways: Ways<N>,
        aims: impl Iterator<Item = &'a Option<Aim>>,
        following: &PathOptions,
    ) -> Ways<N> {
        let mut next = vec![None; ways.heads.len()];
        for aim in aims {
            let Some(aim) = aim else { break };
            for (next, head) in next.iter_mut().zip(&ways.heads) {
                *next = self.go_on(head, aim, following);
            }
            if !ways.push(&next) {
                break;
            }
        }
        ways
    }

    /// The next frame's values, within a step.
    fn go_on(&self, head: &Head<N>, aim: &Aim, following: &PathOptions) -> Option<Head<N>> {
        let bounds = self.near(&head.values, &head.turns, following.step);
        let patience = Patience { steps: following.serial.iterations, idle: IDLE };
        let (mut drawn, mut further) = (head.values, head.values);
        for i in 0..N {
            further[i] = bounds.clamp(i, head.values[i] + head.step[i]);
            if let Some(posture) = &head.posture {
                let most = following.step / self.arm.slots[i].scale;
                drawn[i] = bounds.clamp(i, head.values[i] + (posture[i] - head.values[i]).max(-most).min(most));
            }
        }
        let starts = [drawn, head.values, further];
        let starts = &starts[usize::from(head.posture.is_none())..];
        let found = starts
            .iter()
            .map(|start| self.descend(start, &bounds, &Aims::of(0.0, aim), patience))
            .find(|found| found.is_met)?;
        Some(self.moved(head, &found.values))
    }

    fn moved(&self, head: &Head<N>, values: &[f64; N]) -> Head<N> {
        let step = core::array::from_fn(|i| values[i] - head.values[i]);
        let cost = step.iter().fold(head.cost, |cost, x| cost + x * x);
        Head { values: *values, step, turns: self.turns(&head.turns, values), cost, ..*head }
    }

    /// Within a step, and inside the limits in any turn that is left.
    pub(super) fn near(&self, values: &[f64; N], turns: &Turns<N>, step: f64) -> Bounds<N> {
        let mut bounds = Bounds { low: *values, high: *values };
        for (i, slot) in self.arm.slots.iter().enumerate().take(N) {
            let (fewest, most) = if slot.is_round { turns[i] } else { (0.0, 0.0) };
            let (low, high) = (slot.range.min - TAU * most, slot.range.max - TAU * fewest);
            let (value, within) = (values[i], step / slot.scale);
            // A value that rounding put beyond its end may stay there.
            bounds.low[i] = low.max(value - within).min(value);
            bounds.high[i] = high.min(value + within).max(value);
        }
        bounds
    }

    /// The turns that are left at other values.
    fn turns(&self, turns: &Turns<N>, values: &[f64; N]) -> Turns<N> {
        let mut turns = *turns;
        for (i, slot) in self.arm.slots.iter().enumerate().take(N) {
            if slot.is_round {
                let fewest = libm::ceil((slot.range.min - values[i]) / TAU - ROUNDING);
                let most = libm::floor((slot.range.max - values[i]) / TAU + ROUNDING);
                turns[i] = (turns[i].0.max(fewest), turns[i].1.min(most));
            }
        }
        turns
    }

    /// Coordinates of the values of a way, in turns that begin as near to the seed's as may be.
    pub(super) fn coordinates(&self, way: &[[f64; N]], turns: &Turns<N>, seed: &[f64]) -> Vec<f64> {
        let mut coordinates = Vec::with_capacity(way.len() * seed.len());
        for values in way {
            for i in 0..seed.len() {
                let (slot, (fewest, most)) = (&self.arm.slots[i], turns[i]);
                let turns = || libm::round((seed[i] - way[0][i]) / TAU).max(fewest).min(most);
                let value = if slot.is_round { values[i] + TAU * turns() } else { values[i] };
                coordinates.push(slot.limit.clamp(value * slot.scale));
            }
        }
        coordinates
    }
}
