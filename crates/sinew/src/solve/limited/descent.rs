//! A chain of limited joints, and damped Newton steps that bring its tip to a place.

use glam::{DMat3, DQuat, DVec3};

use super::chart::{Turned, Turning, Ways};
use super::step::{Free, Quadratic};
use crate::math::arc;

/// Steps at most, and relative gain of a step below which nothing more is to be gained: of a search, where a
/// place that is reached takes about five steps, and of its answer, which must not depend on the way there.
const SEARCH: Effort = Effort { steps: 40, gain: 1e-9 };
const ANSWER: Effort = Effort { steps: 40, gain: 1e-14 };
/// Relative miss from which steps may still arrive, and steps at most then.
const ARRIVING: f64 = 1e-4;
const SLOW: u32 = 200;
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

/// A step that gains at most this share of the square of the miss gains less than rounding, and so does any shorter one.
const UNSEEN: f64 = 1e-17;

/// Starts that are kept, at most.
pub(super) const MOST_KEPT: usize = 24;
/// Damping that steps no longer feel, and how much more than the square of a step's relative gain the next one gains.
const UNDAMPED: f64 = 1e-5;
const NEXT: f64 = 100.0;
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

/// How long to go on.
#[derive(Clone, Copy, Debug)]
struct Effort {
    steps: u32,
    gain: f64,
}

/// A chain of `N` joints, which have `M` ways (three each). A point of the next joint's parent space is at `offset + map · point` with this
/// joint's rotation undone; the tip is the last joint's offset.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Links<const N: usize, const M: usize> {
    pub(in crate::solve) offsets: [DVec3; N],
    pub(in crate::solve) maps: [DMat3; N],
    /// Length of the chain, the unit of tolerances.
    pub(in crate::solve) length: f64,
}

impl<const N: usize, const M: usize> Links<N, M> {
    /// The tip, in the space of the first joint's parent, from its origin.
    pub(in crate::solve) fn tip(&self, joints: &[Turning; N]) -> DVec3 {
        self.tip_at(joints.map(|joint| joint.rotation))
    }

    /// The same by the joints' rotations.
    pub(in crate::solve) fn tip_at(&self, rotations: [DQuat; N]) -> DVec3 {
        self.points(rotations)[0]
    }

    /// A point in the frame of the next joint's parent, seen from a joint whose rotation is undone.
    pub(in crate::solve) fn beyond(&self, joint: usize, point: DVec3) -> DVec3 {
        self.offsets[joint] + self.maps[joint] * point
    }

    /// The ends of the links, in the space of the first joint's parent, from its origin.
    fn ends(&self, joints: &[Turning; N]) -> [DVec3; N] {
        let (mut end, mut map) = (DVec3::ZERO, DMat3::IDENTITY);
        core::array::from_fn(|i| {
            let turned = map * DMat3::from_quat(joints[i].rotation);
            end += turned * self.offsets[i];
            map = turned * self.maps[i];
            end
        })
    }

    /// The tip as each joint's parent sees it, from that joint.
    fn points(&self, rotations: [DQuat; N]) -> [DVec3; N] {
        let mut points = [DVec3::ZERO; N];
        let mut point = DVec3::ZERO;
        for i in (0..N).rev() {
            point = rotations[i] * self.beyond(i, point);
            points[i] = point;
        }
        points
    }

    /// Half the square of what is left, to second order in the joints' ways; `points` are the tip's (see [`points`](Self::points)).
    fn quadratic(&self, joints: &[Turning; N], points: &[DVec3; N], ways: &[Ways; N], left: DVec3) -> Quadratic<M> {
        // How the tip moves, as the parent of each joint above sees it; outside, at last.
        let mut moves = [DVec3::ZERO; M];
        let mut quadratic = Quadratic::<M>::ZERO;
        let mut lefts = [left; N];
        let mut outwards = [DMat3::IDENTITY; N];
        for (outwards, (joint, map)) in outwards.iter_mut().zip(joints.iter().zip(&self.maps)).take(N - 1) {
            *outwards = DMat3::from_quat(joint.rotation) * *map;
        }
        for k in 1..N {
            lefts[k] = outwards[k - 1].transpose() * lefts[k - 1];
        }
        for k in (0..N).rev() {
            let (point, way, left) = (points[k], &ways[k], lefts[k]);
            if k + 1 < N {
                moves[3 * k + 3..3 * N].iter_mut().for_each(|moved| *moved = outwards[k] * *moved);
            }
            let lever = point.cross(left);
            let (along, toward) = (way.turns.map(|turn| turn.dot(point)), way.turns.map(|turn| turn.dot(left)));
            let straight = point.dot(left);
            for i in (0..3).filter(|&i| way.low[i] < way.high[i]) {
                let (row, turn) = (3 * k + i, way.turns[i]);
                moves[row] = turn.cross(point);
                (quadratic.low[row], quadratic.high[row]) = (way.low[i], way.high[i]);
                let across = left.cross(turn);
                for j in 0..=i {
                    // Of a turn by v a point moves by v × x + ½ v × (v × x).
                    let both = along[i] * toward[j] + along[j] * toward[i];
                    let bent = way.bends[i][j].dot(lever) + 0.5 * both - turn.dot(way.turns[j]) * straight;
                    quadratic.matrix[row][3 * k + j] = -bent;
                }
                for (below, moved) in moves.iter().enumerate().skip(3 * k + 3) {
                    quadratic.matrix[below][row] = -across.dot(*moved);
                }
            }
        }
        for i in (0..3 * N).filter(|&i| quadratic.low[i] < quadratic.high[i]) {
            quadratic.slope[i] = moves[i].dot(left);
            (0..=i).for_each(|j| quadratic.matrix[i][j] += moves[i].dot(moves[j]));
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
        let Descent { joints, miss, .. } = self.descend(start, target, ANSWER);
        (joints, miss)
    }

    /// A descent from `joints` on to where the tip is at `target` or as near as steps lead.
    fn descend(&self, joints: [Turning; N], target: DVec3, effort: Effort) -> Descent<N> {
        let mut descent = Descent::from(self, joints, target);
        descent.go_on(self, target, effort, |_, _| false);
        descent
    }
}

/// A descent on its way.
#[derive(Clone, Copy, Debug)]
struct Descent<const N: usize> {
    joints: [Turning; N],
    /// The tip as each joint's parent sees it.
    points: [DVec3; N],
    /// From the tip to the target, and its length.
    left: DVec3,
    miss: f64,
    extra_damping: f64,
    /// Whether no step gains any more.
    ended: bool,
}

impl<const N: usize> Descent<N> {
    fn from<const M: usize>(links: &Links<N, M>, joints: [Turning; N], target: DVec3) -> Self {
        let points = links.points(joints.map(|joint| joint.rotation));
        let left = target - points[0];
        Self { joints, points, left, miss: arc::length(left), extra_damping: CAUTION, ended: false }
    }

    /// Steps until the tip has arrived, little is gained, or `is_lost` says so, told what the last step gained; how
    /// many.
    fn go_on<const M: usize>(
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

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::super::chart::Chart;
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
                let swing = [Range::new(-0.9, 1.4), Range::new(-0.7, 0.4)];
                let ellipse = EllipticSwing::uneven(axis, direction(rng), swing, range);
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
            let links = Links::<3, 9> {
                offsets: [(); 3].map(|()| direction(&mut rng)),
                maps: [sheared(&mut rng), sheared(&mut rng), DMat3::IDENTITY],
                length: 3.0,
            };
            let target = direction(&mut rng) * 4.0 * rng.f64();
            let mut ways = [Ways::default(); 3];
            joints.iter().zip(&mut ways).for_each(|(joint, ways)| joint.ways(ways));
            let points = links.points(joints.map(|joint| joint.rotation));
            let quadratic = links.quadratic(&joints, &points, &ways, target - points[0]);
            let half = |step: &[f64; 9]| {
                let mut next = joints;
                for (i, joint) in next.iter_mut().enumerate() {
                    joint.set(joint.turned(&ways[i], &step[3 * i..3 * i + 3]));
                }
                let left = target - links.tip(&next);
                0.5 * left.dot(left)
            };
            // Limits cut off what is outside.
            let inside = |i: usize| quadratic.low[i] < -2.0 * STEP && quadratic.high[i] > 2.0 * STEP;
            // From one quarter of an ellipse to the next the rim bends otherwise.
            let between = |i: usize| {
                let Turning { chart, values: [u, v, _], .. } = &joints[i / 3];
                matches!(chart, Chart::Swing { .. }) && u.abs().min(v.abs()) < 0.01
            };
            let at = |i: usize, a: f64, j: usize, b: f64| {
                let mut step = [0.0; 9];
                step[i] += a * STEP;
                step[j] += b * STEP;
                half(&step)
            };
            for i in (0..9).filter(|&i| inside(i)) {
                let slope = (at(i, -1.0, i, 0.0) - at(i, 1.0, i, 0.0)) / (2.0 * STEP);
                let told = quadratic.slope[i];
                assert!((slope - told).abs() < 1e-5 * (1.0 + told.abs()), "{case}: {slope} {told}");
                for j in (0..=i).filter(|&j| inside(j) && !between(i) && !between(j)) {
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
