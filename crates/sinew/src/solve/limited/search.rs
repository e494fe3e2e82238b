//! Descents of one chain from several starts, each ended where it leads to no nearer place.

use glam::{DQuat, DVec3};

use super::chart::Turning;
use super::descent::{ANSWER, Descent, Effort};
use super::links::Links;
use crate::math::arc;

/// Steps of a search at most, and relative gain of a step below which nothing more is to be gained: a place that is reached takes
/// about five steps.
const SEARCH: Effort = Effort { steps: 40, gain: 1e-9 };
/// Relative miss from which steps may still arrive, and steps at most then.
const ARRIVING: f64 = 1e-4;
const SLOW: u32 = 200;
/// Relative miss at which no other start is tried, and relative gain for which a later one is taken.
const MET: f64 = 1e-12;
const BETTER: f64 = 1e-6;
/// Starts that are kept, at most.
pub(super) const MOST_KEPT: usize = 24;
/// Relative miss beside the nearest so far within which a descent is at the same place.
const THERE: f64 = 1e-4;
/// Relative gain of a step that may lead past the nearest so far.
const PAST: f64 = 1e-3;
/// Steps that gain as much as the last one, in which a descent must come nearer than the nearest so far.
const AHEAD: f64 = 8.0;
/// Relative miss beyond the nearest within which a start may lead to it.
const NEAR: f64 = 1e-2;
/// Distance of links' ends, in lengths of the chain, at which two postures lead to the same place. HEURISTIC.
const BESIDE: f64 = 0.05;
/// Half turn (radians) of each joint within which a descent goes where another went. HEURISTIC: twice as much loses one limb in
/// thousands.
const ALIKE: f64 = 0.05;

/// Descents from several starts: the first that arrives is the answer, else the nearest.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Search<'a, const N: usize, const M: usize> {
    links: &'a Links<N, M>,
    target: DVec3,
    /// The nearest so far.
    best: Descent<N>,
    /// Steps that other descents may take.
    steps: u32,
    /// Where other descents ended: their joints, and their misses.
    given_up: [([DQuat; N], f64); MOST_KEPT],
    count: usize,
}

impl<'a, const N: usize, const M: usize> Search<'a, N, M> {
    /// Begins with a descent from `start`; all others together may take so many steps.
    pub(in crate::solve) fn from(links: &'a Links<N, M>, target: DVec3, start: [Turning; N], steps: u32) -> Self {
        let best = links.descend(start, target, SEARCH);
        Self { links, target, best, steps, given_up: [([DQuat::IDENTITY; N], 0.0); MOST_KEPT], count: 0 }
    }

    /// Whether no other start need be tried.
    pub(in crate::solve) fn has_arrived(&self) -> bool {
        self.best.miss <= MET * self.links.length
    }

    /// How far off the nearest so far is.
    pub(in crate::solve) fn miss(&self) -> f64 {
        self.best.miss
    }

    /// Allows so many steps from here on.
    pub(in crate::solve) fn go_on(&mut self, steps: u32) {
        self.steps = steps;
    }

    /// Another descent, ended where another step like its last one would not bring it nearer than the nearest so far, or where
    /// it comes to the same place or to the end of another; whether the search has arrived.
    pub(in crate::solve) fn try_from(&mut self, start: [Turning; N]) -> bool {
        if !self.has_arrived() && !self.is_known(&start) {
            let best = self.best.miss;
            let mut descent = Descent::from(self.links, start, self.target);
            let nearest = self.links.ends(&self.best.joints);
            let lost = |at: &Descent<N>, gained: f64| {
                let is_there = || gained < PAST * best || self.is_beside(&self.links.ends(&at.joints), &nearest);
                let no_nearer = at.miss - best > AHEAD * gained || (at.miss - best).abs() < THERE * best && is_there();
                no_nearer || at.miss > best && self.leads_nowhere(&at.joints, at.miss)
            };
            let effort = Effort { steps: self.steps.min(SEARCH.steps), ..SEARCH };
            self.steps -= descent.go_on(self.links, self.target, effort, lost);
            let is_nearer = descent.miss < best * (1.0 - THERE);
            let other = if is_nearer { core::mem::replace(&mut self.best, descent) } else { descent };
            if let Some(end) = self.given_up.get_mut(self.count) {
                *end = (other.joints.map(|joint| joint.rotation), other.miss);
                self.count += 1;
            }
        }
        self.has_arrived()
    }

    /// Whether a start leads to where the nearest so far is, or to where another descent ended.
    fn is_known(&self, start: &[Turning; N]) -> bool {
        let ends = self.links.ends(start);
        let miss = arc::length(self.target - ends[N - 1]);
        self.is_beside(&ends, &self.links.ends(&self.best.joints)) || self.leads_nowhere(start, miss)
    }

    /// Whether a descent that was given up ended where these joints are, and no farther off.
    fn leads_nowhere(&self, joints: &[Turning; N], miss: f64) -> bool {
        let alike = |(joint, end): (&Turning, &DQuat)| joint.rotation.dot(*end).abs() > 1.0 - 0.5 * ALIKE * ALIKE;
        let ends = &self.given_up[..self.count];
        ends.iter().any(|(end, least)| miss >= *least && joints.iter().zip(end).all(alike))
    }

    /// Whether two postures' links lie at the same places.
    fn is_beside(&self, here: &[DVec3; N], there: &[DVec3; N]) -> bool {
        let most = BESIDE * self.links.length;
        here.iter().zip(there).all(|(here, there)| (*here - *there).length_squared() < most * most)
    }

    /// Whether a start is nearly as near as the nearest so far.
    pub(in crate::solve) fn is_near(&self, start: &[Turning; N]) -> bool {
        arc::length(self.target - self.links.tip(start)) <= self.best.miss * (1.0 + NEAR)
    }

    /// Another descent where none has arrived, or from where another one has: its end is taken unless it misses more than the
    /// nearest so far.
    pub(in crate::solve) fn prefer(&mut self, start: [Turning; N]) {
        let most = (self.best.miss * (1.0 + BETTER)).max(MET * self.links.length);
        let mut descent = Descent::from(self.links, start, self.target);
        descent.go_on(self.links, self.target, SEARCH, |at, gained| at.miss - most > AHEAD * gained);
        if descent.miss <= most {
            self.best = descent;
        }
    }

    /// The answer, to the last digit, and how far off it is.
    pub(in crate::solve) fn finished(mut self) -> ([Turning; N], f64) {
        if !self.has_arrived() {
            self.best.ended = false;
            // Where the target is on the rim of what is reached, steps are slow.
            let steps = if self.miss() < ARRIVING * self.links.length { SLOW } else { ANSWER.steps };
            self.best.go_on(self.links, self.target, Effort { steps, ..ANSWER }, |_, _| false);
        }
        (self.best.joints, self.best.miss)
    }
}
