//! How a limit stands around a joint, to second order: the walls that a small turn would pass.
//!
//! A turn by the rotation vector `v` changes a chart's value by `row · v + ½ v·B v`, where the rows are the inverse of
//! the values' rates. A range's end is a wall along its row; the disc of a swing has one across the direction in which
//! it is left, which bends with the circle too.

use glam::{DMat3, DVec3};

use super::chart::{Chart, Turning};
use crate::limit::Range;
use crate::math::{arc, ops};

/// Turn (radians, or shares of a swing) beyond a wall that is rounding.
const ROUNDING: f64 = 1e-12;
/// Volume of the rates' units below which they span no space: no walls are known there.
const FLAT: f64 = 1e-9;

/// What holds a turn `v` (radians, in the parent's space) to `normal · v <= room`.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Wall {
    /// Outwards.
    pub(in crate::solve) normal: DVec3,
    pub(in crate::solve) room: f64,
    /// Second derivative of what is held.
    pub(in crate::solve) bent: DMat3,
    /// Whether it holds from both sides.
    pub(in crate::solve) frozen: bool,
}

/// The limit around a joint where it is.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Walls {
    /// By value of the chart.
    pub(super) rows: [DVec3; 3],
    pub(super) bends: [[DVec3; 3]; 3],
    pub(super) values: [f64; 3],
    pub(super) ranges: [Range; 3],
    /// Whether the first two values lie in the unit disc.
    pub(super) disc: bool,
    /// Values that cannot change.
    pub(super) frozen: [bool; 3],
}

impl Walls {
    /// Around a joint inside its limit; `None` of one without.
    pub(in crate::solve) fn around(turning: &Turning) -> Option<Self> {
        let (mut rates, bends) = turning.rates();
        let (disc, ranges, [flat_x, flat_y]) = match turning.chart {
            Chart::Swing { size, twist, .. } => (true, [Range::FREE, Range::FREE, twist], size.none()),
            Chart::Euler(turns) => (false, turns.map(|(_, range)| range), [false; 2]),
            _ => return None,
        };
        let frozen = [flat_x, flat_y, false];
        // A swing of no size does not move: what is across the others is held.
        match frozen {
            [true, true, _] => {
                rates[0] = arc::any_perpendicular(rates[2]);
                rates[1] = rates[2].cross(rates[0]);
            }
            [true, false, _] => rates[0] = rates[1].cross(rates[2]),
            [false, true, _] => rates[1] = rates[2].cross(rates[0]),
            _ => {}
        }
        let map = DMat3::from_cols(rates[0], rates[1], rates[2]);
        let sizes: f64 = rates.iter().map(|rate| arc::length(*rate)).product();
        let inverse = if map.determinant().abs() > FLAT * sizes { map.inverse().transpose() } else { DMat3::ZERO };
        let rows = [inverse.x_axis, inverse.y_axis, inverse.z_axis];
        Some(Self { rows, bends, values: turning.values, ranges, disc, frozen })
    }

    /// The walls that a turn passes, by place; what is frozen is always held.
    pub(in crate::solve) fn passed(&self, turn: DVec3) -> [Option<Wall>; 3] {
        let way = self.rows.map(|row| row.dot(turn));
        let mut walls = [0, 1, 2].map(|place| self.end(place, way[place]));
        if self.disc && !(self.frozen[0] && self.frozen[1]) {
            let share = |place: usize| if self.frozen[place] { 0.0 } else { self.values[place] + way[place] };
            let (u, v) = (share(0), share(1));
            let size = ops::sqrt(u * u + v * v);
            // A place that is frozen has its own wall.
            let place = usize::from(self.frozen[0]);
            if size > 1.0 + ROUNDING {
                walls[place] = Some(self.rim([u / size, v / size]));
            }
        }
        walls
    }

    /// The end of a range that a way passes.
    fn end(&self, place: usize, way: f64) -> Option<Wall> {
        let (row, range, value) = (self.rows[place], self.ranges[place], self.values[place]);
        let frozen = self.frozen[place];
        let (normal, room) = if frozen {
            (row, 0.0)
        } else if value + way > range.max + ROUNDING {
            (row, range.max - value)
        } else if value + way < range.min - ROUNDING {
            (-row, value - range.min)
        } else {
            return None;
        };
        Some(Wall { normal, room: room.max(0.0), bent: self.bent(normal), frozen })
    }

    /// The disc's rim across a direction.
    fn rim(&self, [u, v]: [f64; 2]) -> Wall {
        let normal = self.rows[0] * u + self.rows[1] * v;
        let round = self.rows[1] * u - self.rows[0] * v;
        let room = (1.0 - u * self.values[0] - v * self.values[1]).max(0.0);
        Wall { normal, room, bent: self.bent(normal) + outer(round, round), frozen: false }
    }

    /// The second derivative of what has the derivative `normal`.
    fn bent(&self, normal: DVec3) -> DMat3 {
        let mut sum = DMat3::ZERO;
        for (row, bends) in self.rows.iter().zip(&self.bends) {
            for (other, bend) in self.rows.iter().zip(bends) {
                sum -= outer(*row, *other) * normal.dot(*bend);
            }
        }
        sum
    }
}

/// `a bᵀ`.
pub(super) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::limit::{EllipticSwing, EulerOrder, EulerRanges, SwingTwist};
    use crate::math::arc;
    use crate::skeleton::{BallLimit, JointSpec, Kind, Skeleton, SkeletonBuilder};
    use crate::transform::Transform;

    fn skeleton(limit: BallLimit) -> Skeleton {
        let mut builder = SkeletonBuilder::new();
        let rotation = arc::axis_angle(arc::unit(DVec3::new(0.3, 0.5, -0.8)).unwrap(), 0.7);
        builder.add(JointSpec::named("0").kind(Kind::Ball(limit)).rotation(rotation));
        builder.build().unwrap()
    }

    fn limits() -> [BallLimit; 4] {
        let (axis, across) = (DVec3::new(0.2, 0.9, -0.1), DVec3::new(1.0, 0.1, 0.3));
        let twist = Range::new(-0.7, 0.9);
        [
            BallLimit::EllipticSwing(EllipticSwing::new(axis, across, [1.3, 0.6], twist).unwrap()),
            BallLimit::EllipticSwing(
                EllipticSwing::uneven(axis, across, [twist, Range::new(-1.4, 0.5)], twist).unwrap(),
            ),
            BallLimit::SwingTwist(SwingTwist::new(axis, 1.1, twist).unwrap()),
            BallLimit::Euler(EulerRanges::new(EulerOrder::Xyz, twist, twist, twist).unwrap()),
        ]
    }

    fn turning(skeleton: &Skeleton, rotation: DQuat) -> Turning {
        let joint = skeleton.at(0).unwrap();
        Turning::at(skeleton, joint, &Transform { rotation, ..*skeleton.rest(joint) }, 0.0)
    }

    /// How far a swing goes, as a share of the largest.
    fn swing(turning: &Turning) -> f64 {
        let [u, v, _] = turning.values;
        ops::sqrt(u * u + v * v)
    }

    #[test]
    fn walls_stand_and_bend_as_they_say() {
        const STEP: f64 = 1e-3;
        for limit in limits() {
            let skeleton = skeleton(limit);
            let zero = skeleton.zero(skeleton.at(0).unwrap()).rotation;
            let start = turning(&skeleton, zero * arc::axis_angle(arc::unit(DVec3::new(0.5, -0.2, 0.7)).unwrap(), 0.4));
            let walls = Walls::around(&start).unwrap();
            for place in [0, 1, 2] {
                // Of a swing the first value stands for its size, and the second is passed over.
                let rim = walls.disc && place == 0;
                if walls.disc && place == 1 {
                    continue;
                }
                let mut wall =
                    Wall { normal: walls.rows[place], room: 0.0, bent: walls.bent(walls.rows[place]), frozen: false };
                if rim {
                    let size = swing(&start);
                    let [u, v] = [start.values[0] / size, start.values[1] / size];
                    wall = walls.rim([u, v]);
                    let round = walls.rows[1] * u - walls.rows[0] * v;
                    wall.bent += outer(round, round) * (1.0 / size - 1.0);
                }
                for way in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.5, -0.4, 0.8)] {
                    let of = |size: f64| {
                        let turn = arc::axis_angle(arc::unit(way).unwrap(), size * arc::length(way));
                        let there = turning(&skeleton, turn * start.rotation);
                        if rim { swing(&there) } else { there.values[place] }
                    };
                    let first = (of(STEP) - of(-STEP)) / (2.0 * STEP);
                    let second = (of(STEP) - 2.0 * of(0.0) + of(-STEP)) / (STEP * STEP);
                    let expected = (wall.normal.dot(way), way.dot(wall.bent * way));
                    assert!((first - expected.0).abs() < 1e-5, "{limit:?} {place}: {first} {expected:?}");
                    assert!((second - expected.1).abs() < 1e-4, "{limit:?} {place} {way}: {second} {expected:?}");
                }
            }
        }
    }
}
