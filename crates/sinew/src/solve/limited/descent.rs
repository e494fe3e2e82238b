//! Damped Newton steps that bring the tip of a chain to a place.

use glam::{DQuat, DVec3};

use super::chart::{Turned, Turning, Ways};
use super::links::Links;
use super::step::Free;
use crate::math::arc;

/// Steps of an answer at most, and relative gain of a step below which nothing more is to be gained: it must not depend on the way there.
pub(super) const ANSWER: Effort = Effort { steps: 40, gain: 1e-14 };
/// Relative distance at which the tip has arrived: rounding.
const ARRIVED: f64 = 1e-15;
/// Chords of half a turn: outside a limit by rounding alone, and within which two answers are one.
const ALLOWED: f64 = 1e-11;
const SAME: f64 = 1e-5;
/// Relative difference below which one of two misses is no better.
const AS_GOOD: f64 = 1e-12;
/// Damping at the start, where it gives up, and what failing and gaining make of it.
const CAUTION: f64 = 1e-3;
const HOPELESS: f64 = 1e6;
const CAREFUL: f64 = 10.0;
const BOLD: f64 = 0.1;
/// Damping that steps no longer feel, and how much more than the square of a step's relative gain the next one gains.
const UNDAMPED: f64 = 1e-5;
const NEXT: f64 = 100.0;
/// A step that gains at most this share of the square of the miss gains less than rounding, and so does any shorter one.
const UNSEEN: f64 = 1e-17;

/// How long to go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) steps: u32,
    pub(super) gain: f64,
}

impl<const N: usize, const M: usize> Links<N, M> {
    /// `best`, or the rotations given where they are allowed, differ by no more than where steps end, and miss
    /// no more: what is solved stays as it is.
    pub(in crate::solve) fn settled(
        &self,
        (best, miss): ([Turning; N], f64),
        given: [(Turning, DQuat); N],
        target: DVec3,
    ) -> [Turning; N] {
        let near = |a: DQuat, b: DQuat, most: f64| {
            let off = a - b * a.dot(b).signum();
            off.dot(off) < most * most
        };
        let same = given.iter().zip(&best).all(|((turning, rotation), answer)| {
            near(*rotation, turning.rotation, ALLOWED) && near(*rotation, answer.rotation, SAME)
        });
        let given = given.map(|(turning, _)| turning);
        let as_good = same && arc::length(target - self.tip(&given)) <= miss * (1.0 + AS_GOOD) + ARRIVED * self.length;
        if as_good { given } else { best }
    }

    /// The joints nearest to `start` at which the tip is nearest to `target`, to the last digit, and how far off.
    pub(in crate::solve) fn nearest(&self, start: [Turning; N], target: DVec3) -> ([Turning; N], f64) {
        let Descent { joints, miss, .. } = self.descend(start, target, ANSWER);
        (joints, miss)
    }

    /// A descent from `joints` on to where the tip is at `target` or as near as steps lead.
    pub(super) fn descend(&self, joints: [Turning; N], target: DVec3, effort: Effort) -> Descent<N> {
        let mut descent = Descent::from(self, joints, target);
        descent.go_on(self, target, effort, |_, _| false);
        descent
    }
}

/// A descent on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Descent<const N: usize> {
    pub(super) joints: [Turning; N],
    /// The tip as each joint's parent sees it.
    points: [DVec3; N],
    /// From the tip to the target, and its length.
    left: DVec3,
    pub(super) miss: f64,
    extra_damping: f64,
    /// Whether no step gains any more.
    pub(super) ended: bool,
}

impl<const N: usize> Descent<N> {
    pub(super) fn from<const M: usize>(links: &Links<N, M>, joints: [Turning; N], target: DVec3) -> Self {
        let points = links.points(joints.map(|joint| joint.rotation));
        let left = target - points[0];
        Self { joints, points, left, miss: arc::length(left), extra_damping: CAUTION, ended: false }
    }

    /// Steps until the tip has arrived, little is gained, or `is_lost` says so, told what the last step gained; how
    /// many.
    pub(super) fn go_on<const M: usize>(
        &mut self,
        links: &Links<N, M>,
        target: DVec3,
        effort: Effort,
        is_lost: impl Fn(&Self, f64) -> bool,
    ) -> u32 {
        let mut free = Free::none();
        for taken in 0..effort.steps {
            if self.ended || self.miss <= ARRIVED * links.length {
                return taken;
            }
            let before = self.miss;
            let careful = self.step(links, target, &mut free);
            let gain = 1.0 - self.miss / before;
            let next = if self.extra_damping <= UNDAMPED { (NEXT * gain).min(1.0) * gain } else { gain };
            if !careful {
                self.extra_damping *= BOLD;
            }
            self.ended |= next <= effort.gain || is_lost(self, before - self.miss);
        }
        effort.steps
    }

    /// One step, damped until it gains; whether it had to be damped more.
    fn step<const M: usize>(&mut self, links: &Links<N, M>, target: DVec3, free: &mut Free<M>) -> bool {
        let mut ways = [Ways::default(); N];
        self.joints.iter().zip(&mut ways).for_each(|(joint, ways)| joint.ways(ways));
        let quadratic = links.quadratic(&self.joints, &self.points, &ways, self.left);
        let unit = links.length * self.miss;
        let mut careful = false;
        while self.extra_damping <= HOPELESS {
            if let Some(step) = quadratic.least(self.extra_damping * unit, free) {
                let gain: f64 = quadratic.slope.iter().zip(&step).map(|(slope, step)| slope * step).sum();
                if gain <= UNSEEN * self.miss * self.miss {
                    break;
                }
                let next: [Turned; N] =
                    core::array::from_fn(|i| self.joints[i].turned(&ways[i], &step[3 * i..3 * i + 3]));
                let points = links.points(next.map(|turned| turned.rotation));
                let left = target - points[0];
                let miss = arc::length(left);
                if miss < self.miss {
                    (self.points, self.left, self.miss) = (points, left, miss);
                    self.joints.iter_mut().zip(next).for_each(|(joint, next)| joint.set(next));
                    return careful;
                }
            }
            (self.extra_damping, careful) = ((self.extra_damping * CAREFUL).max(CAUTION), true);
        }
        self.ended = true;
        careful
    }
}
