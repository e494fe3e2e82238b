//! Where to start again: values spread evenly over their ranges, those first whose tip is near the target.
//!
//! Source: Roberts, *The Unreasonable Effectiveness of Quasirandom Sequences* (2018). Looking for near ones among so many
//! costs less than one step, and halves the steps that a hard target takes.

use alloc::vec::Vec;
use core::f64::consts::{PI, TAU};

use sinew::glam::{DMat3, DQuat, DVec3};
use sinew::math::arc;

use crate::arm::{Aim, Arm, Link, Slot};
use crate::frames::{Sized, sized};
use crate::step::Bounds;

/// Values that are kept with their tips. HEURISTIC: twice as many gain nothing.
const KEPT: usize = 128;
/// Starts that are chosen among those. HEURISTIC: what is not reached from these is not a matter of nearness.
const CHOSEN: u32 = 32;
/// What a rotation counts beside a distance in units.
const TURN: f64 = 0.2;

/// Values and their tips' frames, as seen from the first joint's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Starts {
    step: f64,
    values: Vec<f64>,
    tips: Vec<(DVec3, DQuat)>,
    /// What they were made for.
    links: Vec<Link>,
    slots: Vec<Slot>,
}

impl Starts {
    /// The sequence's step.
    pub(crate) fn step(&self) -> f64 {
        self.step
    }
}

/// How far each of the kept ones is from a target.
pub(crate) type Scores = [f64; KEPT];
/// None yet.
pub(crate) const NO_SCORES: Scores = [f64::INFINITY; KEPT];

impl Arm {
    /// Fills the starts, which a search with restarts needs, unless they are this arm's already.
    pub(crate) fn spread(&mut self) {
        if self.starts.links == self.links && self.starts.slots == self.slots {
            return;
        }
        let mut starts = core::mem::take(&mut self.starts);
        starts.links.clone_from(&self.links);
        starts.slots.clone_from(&self.slots);
        sized!(self, |sized| sized.spread(&mut starts), ());
        self.starts = starts;
    }

    /// Coordinates of the `number`-th start; those of the seed where there is nothing to choose.
    pub(crate) fn start(&self, number: u32, seed: &[f64]) -> Vec<f64> {
        let mut start = seed.to_vec();
        sized!(
            self,
            |sized| {
                let values = sized.even(self.starts.step, number, &Bounds::of(self));
                for ((q, value), slot) in start.iter_mut().zip(values).zip(&self.slots) {
                    *q = slot.limit.clamp(value * slot.scale);
                }
            },
            ()
        );
        start
    }
}

impl<const N: usize> Sized<'_, N> {
    fn spread(&self, starts: &mut Starts) {
        let count = self.arm.coordinates.len();
        starts.step = golden(count);
        starts.values.clear();
        starts.tips.clear();
        let bounds = Bounds::of(self.arm);
        for number in 0..KEPT {
            let values = self.even(starts.step, number as u32 + 1, &bounds);
            let laid = self.lay(&values);
            starts.tips.push(self.seen_from_first(laid.position.lane(0), &laid.frame.lane(0)));
            starts.values.extend_from_slice(&values[..count]);
        }
    }

    /// A frame as seen from the first joint's.
    fn seen_from_first(&self, position: DVec3, frame: &DMat3) -> (DVec3, DQuat) {
        let into = self.arm.stand.transpose();
        (into * (position - self.arm.start), arc::normalize(arc::from_matrix(&(into * *frame))))
    }

    /// How far the kept starts are from the target.
    pub(crate) fn scores(&self, aim: &Aim) -> Scores {
        let (position, rotation) = self.seen_from_first(aim.position, &aim.frame);
        // Which way masked components lie is not looked at.
        let counted = |rows: &[f64]| rows.iter().filter(|slack| slack.is_finite()).count() as f64;
        let (near, turn) = (counted(&aim.slack[..3]) / 3.0, TURN * counted(&aim.slack[3..]) / 3.0);
        let mut scores = NO_SCORES;
        for (score, (place, stands)) in scores.iter_mut().zip(&self.arm.starts.tips) {
            let way = *place - position;
            let turned = match aim.axis {
                None => 8.0 * (1.0 - stands.dot(rotation).abs()),
                Some(axis) => 2.0 * (1.0 - (*stands * axis).dot(rotation * axis)),
            };
            *score = near * way.dot(way) + turn * turned;
        }
        scores
    }

    /// The values of the `number`-th start (from 1 on): the nearest of the kept ones that is left, later any.
    pub(crate) fn next_start(&self, number: u32, scores: &mut Scores, bounds: &Bounds<N>) -> [f64; N] {
        let starts = &self.arm.starts;
        if number > CHOSEN {
            return self.even(starts.step, number + KEPT as u32 - CHOSEN, bounds);
        }
        let mut nearest = 0;
        for (i, score) in scores.iter().enumerate() {
            if *score < scores[nearest] {
                nearest = i;
            }
        }
        scores[nearest] = f64::INFINITY;
        let count = self.arm.coordinates.len();
        let mut values = [0.0; N];
        values[..count].copy_from_slice(&starts.values[nearest * count..][..count]);
        values
    }

    /// The `number`-th of evenly spread values.
    pub(crate) fn even(&self, step: f64, number: u32, bounds: &Bounds<N>) -> [f64; N] {
        let mut values = [0.0; N];
        let mut power = step;
        for (i, value) in values.iter_mut().enumerate().take(self.arm.coordinates.len()) {
            let t = 0.5 + power * f64::from(number);
            let t = t - libm::floor(t);
            power *= step;
            let (low, high) = (bounds.low[i], bounds.high[i]);
            *value = match (low.is_finite(), high.is_finite()) {
                (true, true) => low + (high - low) * t,
                (true, false) => low + TAU * t,
                (false, true) => high - TAU * t,
                (false, false) => PI * (2.0 * t - 1.0),
            };
        }
        values
    }
}

/// One over the root of `x^(d + 1) = x + 1`: the golden ratio's kin for `d` numbers, by Newton's method.
fn golden(d: usize) -> f64 {
    let mut x = 1.5;
    for _ in 0..60 {
        let mut power = x;
        (0..d).for_each(|_| power *= x);
        x -= (power - x - 1.0) / ((d as f64 + 1.0) * power / x - 1.0);
    }
    1.0 / x
}
