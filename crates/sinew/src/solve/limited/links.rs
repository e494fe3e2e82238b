//! A chain of limited joints, and how its tip moves as they turn.

use glam::{DMat3, DQuat, DVec3};

use super::chart::{Turning, Ways};
use super::step::Quadratic;

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
    pub(super) fn ends(&self, joints: &[Turning; N]) -> [DVec3; N] {
        let (mut end, mut map) = (DVec3::ZERO, DMat3::IDENTITY);
        core::array::from_fn(|i| {
            let turned = map * DMat3::from_quat(joints[i].rotation);
            end += turned * self.offsets[i];
            map = turned * self.maps[i];
            end
        })
    }

    /// The tip as each joint's parent sees it, from that joint.
    pub(super) fn points(&self, rotations: [DQuat; N]) -> [DVec3; N] {
        let mut points = [DVec3::ZERO; N];
        let mut point = DVec3::ZERO;
        for i in (0..N).rev() {
            point = rotations[i] * self.beyond(i, point);
            points[i] = point;
        }
        points
    }

    /// Half the square of what is left, to second order in the joints' ways; `points` are the tip's (see [`points`](Self::points)).
    pub(super) fn quadratic(
        &self,
        joints: &[Turning; N],
        points: &[DVec3; N],
        ways: &[Ways; N],
        left: DVec3,
    ) -> Quadratic<M> {
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
