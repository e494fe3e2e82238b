//! A chain of limited joints, and damped Newton steps that bring its tip to a place.

use glam::{DMat3, DQuat, DVec3};

use super::chart::{Freedom, Turning};
use super::step::{MOST, bounded};
use crate::math::arc;

/// Steps at most, and relative gain of a step below which nothing more is to be gained: of a search, where a
/// place that is reached takes about five steps, and of its answer, which must not depend on the way there.
const SEARCH: Effort = Effort { steps: 40, gain: 1e-9 };
const ANSWER: Effort = Effort { steps: 200, gain: 1e-14 };
/// Relative distance at which the tip has arrived: rounding.
const ARRIVED: f64 = 1e-15;
/// Relative miss at which no other start is tried, and relative gain for which a later one is taken.
const MET: f64 = 1e-12;
const BETTER: f64 = 1e-6;
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

/// How long to go on.
#[derive(Clone, Copy, Debug)]
struct Effort {
    steps: u32,
    gain: f64,
}

/// A chain of `N` joints. A point of the next joint's parent space is at `offset + map · point` with this
/// joint's rotation undone; the tip is the last joint's offset.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Links<const N: usize> {
    pub(in crate::solve) offsets: [DVec3; N],
    pub(in crate::solve) maps: [DMat3; N],
    /// Length of the chain, the unit of tolerances.
    pub(in crate::solve) length: f64,
}

impl<const N: usize> Links<N> {
    /// The tip, in the space of the first joint's parent, from its origin.
    pub(in crate::solve) fn tip(&self, joints: &[Turning; N]) -> DVec3 {
        self.points(joints)[0]
    }

    /// The tip as each joint's parent sees it, from that joint.
    fn points(&self, joints: &[Turning; N]) -> [DVec3; N] {
        let mut points = [DVec3::ZERO; N];
        let mut point = DVec3::ZERO;
        for i in (0..N).rev() {
            point = joints[i].rotation * (self.offsets[i] + self.maps[i] * point);
            points[i] = point;
        }
        points
    }

    /// How the tip moves with each freedom of each joint.
    fn columns(&self, joints: &[Turning; N], freedoms: &[Freedom; MOST]) -> [DVec3; MOST] {
        let mut columns = [DVec3::ZERO; MOST];
        let mut outwards = DMat3::IDENTITY;
        for (i, point) in self.points(joints).into_iter().enumerate() {
            for k in 3 * i..3 * i + 3 {
                columns[k] = outwards * freedoms[k].turn.cross(point);
            }
            outwards = outwards * DMat3::from_quat(joints[i].rotation) * self.maps[i];
        }
        columns
    }

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

    /// Joints, from `joints` on, at which the tip is at `target` or as near as steps lead, and how far off.
    fn descend(&self, mut joints: [Turning; N], target: DVec3, effort: Effort) -> ([Turning; N], f64) {
        let mut left = target - self.tip(&joints);
        let (mut miss, mut caution) = (arc::length(left), CAUTION);
        let mut freedoms = [Freedom::default(); MOST];
        for _ in 0..effort.steps {
            if miss <= ARRIVED * self.length || caution > HOPELESS {
                break;
            }
            for (i, joint) in joints.iter().enumerate() {
                freedoms[3 * i..3 * i + 3].copy_from_slice(&joint.freedoms());
            }
            let columns = self.columns(&joints, &freedoms);
            let damping = caution * self.length * miss.min(self.length);
            let step = bounded(&columns[..3 * N], &freedoms[..3 * N], left, damping);
            let mut next = joints;
            for (i, joint) in next.iter_mut().enumerate() {
                *joint = joint.moved(&freedoms[3 * i..3 * i + 3], &step[3 * i..3 * i + 3]);
            }
            let next_left = target - self.tip(&next);
            let next_miss = arc::length(next_left);
            if next_miss < miss {
                let gained = miss - next_miss > effort.gain * miss;
                (joints, left, miss, caution) = (next, next_left, next_miss, caution * BOLD);
                if !gained {
                    break;
                }
            } else {
                caution *= CAREFUL;
            }
        }
        (joints, miss)
    }
}

/// Descents from several starts: the first that arrives is the answer, else the nearest.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Search<'a, const N: usize> {
    links: &'a Links<N>,
    target: DVec3,
    /// The nearest so far, and how far off it is.
    best: ([Turning; N], f64),
}

impl<'a, const N: usize> Search<'a, N> {
    /// Begins with a descent from `start`.
    pub(in crate::solve) fn from(links: &'a Links<N>, target: DVec3, start: [Turning; N]) -> Self {
        Self { links, target, best: links.descend(start, target, SEARCH) }
    }

    /// Whether no other start need be tried.
    pub(in crate::solve) fn has_arrived(&self) -> bool {
        self.best.1 <= MET * self.links.length
    }

    /// Another descent; whether the search has arrived.
    pub(in crate::solve) fn try_from(&mut self, start: [Turning; N]) -> bool {
        if !self.has_arrived() {
            let found = self.links.descend(start, self.target, SEARCH);
            if found.1 < self.best.1 * (1.0 - BETTER) {
                self.best = found;
            }
        }
        self.has_arrived()
    }

    /// The answer, to the last digit, and how far off it is.
    pub(in crate::solve) fn finished(self) -> ([Turning; N], f64) {
        if self.has_arrived() { self.best } else { self.links.descend(self.best.0, self.target, ANSWER) }
    }
}
