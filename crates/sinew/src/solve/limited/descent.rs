//! A chain of limited joints, and damped Newton steps that bring its tip to a place.

use glam::{DMat3, DQuat, DVec3};

use super::chart::{Turning, Ways};
use super::step::{MOST, Quadratic};
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

/// Starts that are kept, at most.
const MOST_KEPT: usize = 24;

/// Steps from each of many starts in turn, and how many of them go on then. HEURISTIC: measured by `benches/blocked_limbs.rs`.
const NARROWED: [(u32, usize); 3] = [(3, 8), (6, 3), (40, 1)];

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

    /// Half the square of what is left, to second order in the joints' ways.
    fn quadratic(&self, joints: &[Turning; N], ways: &[Ways; N], left: DVec3) -> Quadratic {
        let points = self.points(joints);
        // How the tip moves, as the parent of each joint above sees it; outside, at last.
        let mut moves = [[DVec3::ZERO; MOST]; N];
        let mut quadratic = Quadratic { size: 3 * N, ..Quadratic::default() };
        let mut lefts = [left; N];
        for k in 1..N {
            let outwards = DMat3::from_quat(joints[k - 1].rotation) * self.maps[k - 1];
            lefts[k] = outwards.transpose() * lefts[k - 1];
        }
        for k in (0..N).rev() {
            let (point, way, left) = (points[k], &ways[k], lefts[k]);
            if k + 1 < N {
                let outwards = DMat3::from_quat(joints[k].rotation) * self.maps[k];
                (3 * k + 3..3 * N).for_each(|i| moves[k][i] = outwards * moves[k + 1][i]);
            }
            let lever = point.cross(left);
            for i in 0..3 {
                let (row, turn) = (3 * k + i, way.turns[i]);
                moves[k][row] = turn.cross(point);
                (quadratic.low[row], quadratic.high[row]) = (way.low[i], way.high[i]);
                let across = left.cross(turn);
                for j in 0..=i {
                    // Of a turn by v a point moves by v × x + ½ v × (v × x).
                    let along = turn.dot(point) * way.turns[j].dot(left) + way.turns[j].dot(point) * turn.dot(left);
                    let bent = way.bends[i][j].dot(lever) + 0.5 * along - turn.dot(way.turns[j]) * point.dot(left);
                    quadratic.matrix[row][3 * k + j] = -bent;
                }
                for (below, moved) in moves[k][..3 * N].iter().enumerate().skip(3 * k + 3) {
                    quadratic.matrix[below][row] = -across.dot(*moved);
                }
            }
        }
        let columns = &moves[0];
        for i in 0..3 * N {
            quadratic.slope[i] = columns[i].dot(left);
            (0..=i).for_each(|j| quadratic.matrix[i][j] += columns[i].dot(columns[j]));
        }
        quadratic
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

    /// The joints nearest to `start` at which the tip is nearest to `target`, to the last digit, and how far off.
    pub(in crate::solve) fn nearest(&self, start: [Turning; N], target: DVec3) -> ([Turning; N], f64) {
        self.descend(start, target, ANSWER)
    }

    /// Joints, from `joints` on, at which the tip is at `target` or as near as steps lead, and how far off.
    fn descend(&self, joints: [Turning; N], target: DVec3, effort: Effort) -> ([Turning; N], f64) {
        let mut descent = Descent::from(self, joints, target);
        descent.go_on(self, target, effort);
        (descent.joints, descent.miss)
    }
}

/// A descent on its way.
#[derive(Clone, Copy, Debug)]
struct Descent<const N: usize> {
    joints: [Turning; N],
    /// From the tip to the target, and its length.
    left: DVec3,
    miss: f64,
    extra_damping: f64,
    /// Whether no step gains any more.
    ended: bool,
}

impl<const N: usize> Descent<N> {
    fn from(links: &Links<N>, joints: [Turning; N], target: DVec3) -> Self {
        let left = target - links.tip(&joints);
        Self { joints, left, miss: arc::length(left), extra_damping: CAUTION, ended: false }
    }

    /// Steps until the tip has arrived, or little is gained.
    fn go_on(&mut self, links: &Links<N>, target: DVec3, effort: Effort) {
        for _ in 0..effort.steps {
            if self.ended || self.miss <= ARRIVED * links.length {
                return;
            }
            let before = self.miss;
            let careful = self.step(links, target);
            if !careful {
                self.extra_damping *= BOLD;
            }
            self.ended |= before - self.miss <= effort.gain * before;
        }
    }

    /// One step, damped until it gains; whether it had to be damped more.
    fn step(&mut self, links: &Links<N>, target: DVec3) -> bool {
        let ways = self.joints.map(|joint| joint.ways());
        let quadratic = links.quadratic(&self.joints, &ways, self.left);
        let unit = links.length * self.miss;
        let mut careful = false;
        while self.extra_damping <= HOPELESS {
            if let Some(step) = quadratic.least(self.extra_damping * unit) {
                let mut next = self.joints;
                for (i, joint) in next.iter_mut().enumerate() {
                    *joint = joint.moved(&ways[i], &step[3 * i..3 * i + 3]);
                }
                let left = target - links.tip(&next);
                let miss = arc::length(left);
                if miss < self.miss {
                    (self.joints, self.left, self.miss) = (next, left, miss);
                    return careful;
                }
            }
            (self.extra_damping, careful) = ((self.extra_damping * CAREFUL).max(CAUTION), true);
        }
        self.ended = true;
        careful
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

    /// How far off the nearest so far is.
    pub(in crate::solve) fn miss(&self) -> f64 {
        self.best.1
    }

    /// Another descent; whether the search has arrived.
    pub(in crate::solve) fn try_from(&mut self, start: [Turning; N]) -> bool {
        if !self.has_arrived() {
            let beat = self.best.1 * (1.0 - BETTER);
            let found = self.links.descend(start, self.target, SEARCH);
            if found.1 < beat {
                self.best = found;
            }
        }
        self.has_arrived()
    }

    /// Descents from many starts: a few steps from each, some more from those that are nearest then, and all from the last
    /// ones. The first in order that arrives is taken, else the nearest.
    pub(in crate::solve) fn narrow(&mut self, starts: Nearest<'_, N>) {
        if self.has_arrived() {
            return;
        }
        let mut kept: [Option<Descent<N>>; MOST_KEPT] = [None; MOST_KEPT];
        for (slot, start) in kept.iter_mut().zip(starts.starts()) {
            *slot = Some(Descent::from(self.links, start, self.target));
        }
        for (steps, most) in NARROWED {
            for descent in kept.iter_mut().flatten() {
                descent.go_on(self.links, self.target, Effort { steps, ..SEARCH });
                if descent.miss <= MET * self.links.length {
                    self.best = (descent.joints, descent.miss);
                    return;
                }
            }
            let mut misses = kept.map(|descent| descent.map_or(f64::INFINITY, |descent| descent.miss));
            misses.sort_unstable_by(f64::total_cmp);
            let last = misses[most - 1];
            kept.iter_mut()
                .filter(|kept| kept.is_some_and(|descent| descent.miss > last))
                .for_each(|kept| *kept = None);
        }
        for descent in kept.iter().flatten() {
            if descent.miss < self.best.1 * (1.0 - BETTER) {
                self.best = (descent.joints, descent.miss);
            }
        }
    }

    /// Another descent where none has arrived: its end is taken unless it misses more than the nearest so far.
    pub(in crate::solve) fn prefer(&mut self, start: [Turning; N]) {
        if !self.has_arrived() {
            let found = self.links.descend(start, self.target, SEARCH);
            if found.1 <= self.best.1 * (1.0 + BETTER) {
                self.best = found;
            }
        }
    }

    /// The answer, to the last digit, and how far off it is.
    pub(in crate::solve) fn finished(self) -> ([Turning; N], f64) {
        if self.has_arrived() { self.best } else { self.links.descend(self.best.0, self.target, ANSWER) }
    }
}

/// Of many starts those from which the tip misses least.
#[derive(Debug)]
pub(in crate::solve) struct Nearest<'a, const N: usize> {
    links: &'a Links<N>,
    target: DVec3,
    count: usize,
    /// How many are kept.
    most: usize,
    /// Each with its number and its miss.
    kept: [Option<(usize, f64, [Turning; N])>; MOST_KEPT],
}

impl<'a, const N: usize> Nearest<'a, N> {
    pub(in crate::solve) fn to(links: &'a Links<N>, target: DVec3, most: usize) -> Self {
        Self { links, target, count: 0, most: most.min(MOST_KEPT), kept: [None; MOST_KEPT] }
    }

    /// Keeps a start in the place of the farthest, where it is nearer.
    pub(in crate::solve) fn offer(&mut self, start: [Turning; N]) {
        let miss = arc::length(self.target - self.links.tip(&start));
        let far = |at: usize| self.kept[at].as_ref().map_or(f64::INFINITY, |&(_, miss, _)| miss);
        let farthest = (0..self.most).fold(0, |most, at| if far(at) > far(most) { at } else { most });
        if miss < far(farthest) {
            self.kept[farthest] = Some((self.count, miss, start));
        }
        self.count += 1;
    }

    /// In the order in which they were offered.
    pub(in crate::solve) fn starts(mut self) -> impl Iterator<Item = [Turning; N]> {
        self.kept.sort_unstable_by_key(|kept| kept.as_ref().map_or(usize::MAX, |&(number, ..)| number));
        self.kept.into_iter().flatten().map(|(_, _, start)| start)
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::laws::rigs::{direction, rotation};
    use crate::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};
    use crate::skeleton::{BallLimit, JointSpec, Kind, SkeletonBuilder};
    use crate::transform::Transform;

    /// Hinge, cone, ellipse, Euler ranges, free ball.
    fn kind(rng: &mut Rng) -> Kind {
        let range = Range::new(-1.0, 1.2);
        let axis = direction(rng);
        match rng.u8(0..5) {
            0 => Kind::hinge(axis).within(-1.0, 1.2),
            1 => Kind::Ball(BallLimit::SwingTwist(SwingTwist::new(axis, 1.3, range).unwrap())),
            2 => {
                let ellipse = EllipticSwing::new(axis, direction(rng), [1.4, 0.7], range);
                Kind::Ball(BallLimit::EllipticSwing(ellipse.unwrap()))
            }
            3 => Kind::Ball(BallLimit::Euler(EulerRanges::new(EulerOrder::Zxy, range, range, range).unwrap())),
            _ => Kind::BALL,
        }
    }

    fn joint(rng: &mut Rng) -> Turning {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("0").kind(kind(rng)).rotation(rotation(rng)));
        let skeleton = builder.build().unwrap();
        let joint = skeleton.at(0).unwrap();
        let turn = rotation(rng).quaternion();
        Turning::at(&skeleton, joint, &Transform { rotation: turn, ..*skeleton.rest(joint) }, 0.0)
    }

    #[test]
    fn slopes_and_bends_are_those_of_differences() {
        const STEP: f64 = 1e-4;
        let mut rng = Rng::with_seed(5);
        let mut bends = 0;
        for case in 0..300 {
            let joints = [(); 3].map(|()| joint(&mut rng));
            let sheared = |rng: &mut Rng| {
                DMat3::from_quat(rotation(rng).quaternion()) * DMat3::from_diagonal(DVec3::new(1.0, 1.2, 0.9))
            };
            let links = Links {
                offsets: [(); 3].map(|()| direction(&mut rng)),
                maps: [sheared(&mut rng), sheared(&mut rng), DMat3::IDENTITY],
                length: 3.0,
            };
            let target = direction(&mut rng) * 4.0 * rng.f64();
            let ways = joints.map(|joint| joint.ways());
            let quadratic = links.quadratic(&joints, &ways, target - links.tip(&joints));
            let half = |step: &[f64; MOST]| {
                let mut next = joints;
                for (i, joint) in next.iter_mut().enumerate() {
                    *joint = joint.moved(&ways[i], &step[3 * i..3 * i + 3]);
                }
                let left = target - links.tip(&next);
                0.5 * left.dot(left)
            };
            // Limits cut off what is outside.
            let inside = |i: usize| quadratic.low[i] < -2.0 * STEP && quadratic.high[i] > 2.0 * STEP;
            let at = |i: usize, a: f64, j: usize, b: f64| {
                let mut step = [0.0; MOST];
                step[i] += a * STEP;
                step[j] += b * STEP;
                half(&step)
            };
            for i in (0..MOST).filter(|&i| inside(i)) {
                let slope = (at(i, -1.0, i, 0.0) - at(i, 1.0, i, 0.0)) / (2.0 * STEP);
                assert!((slope - quadratic.slope[i]).abs() < 1e-5, "{case}: {slope} {}", quadratic.slope[i]);
                for j in (0..=i).filter(|&j| inside(j)) {
                    let across = at(i, 1.0, j, 1.0) - at(i, 1.0, j, -1.0) - at(i, -1.0, j, 1.0) + at(i, -1.0, j, -1.0);
                    let bend = across / (4.0 * STEP * STEP);
                    let told = quadratic.matrix[i][j];
                    assert!((bend - told).abs() < 1e-5 * (1.0 + told.abs()) + 1e-4, "{case} {i} {j}: {bend} {told}");
                    bends += 1;
                }
            }
        }
        assert!(bends > 4000, "{bends}");
    }
}
