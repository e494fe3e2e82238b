//! Coordinates of one joint in which its limit is a box, or a disc and an interval.
//!
//! A hinge has its angle. A swing and twist has `(u, v)` in the unit disc and the twist, its rotation being
//! `(A u, B v, 0, r)` after the twist, with `A`, `B` the sines of half the largest swings: the ellipse of
//! the limit is the unit circle. Euler ranges have their three angles. A free ball has none, and turns by
//! rotation vectors.

use core::f64::consts::TAU;

use glam::{DQuat, DVec3};

use crate::limit::Range;
use crate::math::{arc, ops};
use crate::pose::Edit;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};
use crate::transform::Transform;

/// Square of a rotation's length, less one, that is rounding.
const ROUNDING: f64 = 1e-14;
/// Largest turn (radians) in one step along one freedom.
const LONGEST: f64 = 1.0;
/// Real part of a swing below which its derivatives, which grow beyond bounds at half a turn, are cut off.
const HALF_TURN: f64 = 1e-3;

/// A joint's rotation, and the coordinates that make it.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Turning {
    /// The local rotation.
    pub(in crate::solve) rotation: DQuat,
    zero: DQuat,
    pub(super) chart: Chart,
    pub(super) values: [f64; 3],
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Chart {
    Fixed,
    Free,
    Hinge {
        axis: DVec3,
        range: Range,
    },
    /// The frame takes z to the twist axis; `size` holds the sines of half the largest swings.
    Swing {
        frame: DQuat,
        size: [f64; 2],
        twist: Range,
    },
    /// Axes and ranges in the order of turning.
    Euler([(DVec3, Range); 3]),
}

/// A way in which a joint can turn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Freedom {
    /// The turn (radians, in the parent's space) for a step of one; a unit vector, or zero.
    pub(super) turn: DVec3,
    /// Smallest and largest step.
    pub(super) low: f64,
    pub(super) high: f64,
    /// Change of the joint's values for a step of one.
    pub(super) way: [f64; 3],
}

impl Turning {
    /// The joint at the allowed rotation nearest to `local`; a hinge at the turn nearest to `near`.
    pub(in crate::solve) fn at(skeleton: &Skeleton, joint: Joint, local: &Transform, near: f64) -> Self {
        let zero = skeleton.zero(joint).rotation;
        let mut rotation = skeleton.nearest_allowed(joint, local, near).rotation;
        if (rotation.dot(rotation) - 1.0).abs() > ROUNDING {
            // A limit makes a rotation a unit; a ball without one leaves it as it is.
            rotation = arc::normalize(rotation);
        }
        let turn = zero.conjugate() * rotation;
        let (chart, values) = match skeleton.kind(joint) {
            Kind::Hinge { axis, .. } => {
                let range = skeleton.range(joint);
                (Chart::Hinge { axis, range }, [range.clamp_angle(arc::twist_angle(turn, axis), near), 0.0, 0.0])
            }
            Kind::Ball(BallLimit::SwingTwist(limit)) => Chart::swing(limit.frame(), limit.sines(), limit.twist(), turn),
            Kind::Ball(BallLimit::EllipticSwing(limit)) => {
                Chart::swing(limit.frame(), limit.sines(), limit.twist(), turn)
            }
            Kind::Ball(BallLimit::Euler(limit)) => (Chart::Euler(limit.turns()), limit.read(turn)),
            Kind::Ball(BallLimit::Free) | Kind::Free => (Chart::Free, [0.0; 3]),
            Kind::Fixed | Kind::Slide { .. } => (Chart::Fixed, [0.0; 3]),
        };
        Self { rotation, zero, chart, values }
    }

    /// A hinge's angle.
    pub(in crate::solve) fn value(&self) -> Option<f64> {
        matches!(self.chart, Chart::Hinge { .. }).then_some(self.values[0])
    }

    /// Writes the joint into a pose.
    pub(in crate::solve) fn write(&self, skeleton: &Skeleton, joint: Joint, edit: &mut Edit<'_>) {
        if let Some(value) = self.value() {
            edit.value(joint, value);
            return;
        }
        // Once more through the limit, for its own bits.
        let local = Transform { rotation: self.rotation, ..*edit.pose().local(joint) };
        edit.local(joint, skeleton.nearest_allowed(joint, &local, 0.0));
    }

    /// The ways in which the joint can turn from here.
    pub(super) fn freedoms(&self) -> [Freedom; 3] {
        let none = Freedom::default();
        let about = |axis: DVec3, place: usize, range: Range| {
            let mut way = [0.0; 3];
            way[place] = 1.0;
            Freedom::new(axis, way, range.min - self.values[place], range.max - self.values[place])
        };
        match self.chart {
            Chart::Fixed => [none; 3],
            Chart::Free => DVec3::AXES.map(|axis| Freedom::new(axis, [0.0; 3], -LONGEST, LONGEST)),
            Chart::Hinge { axis, range } => [about(self.zero * axis, 0, range), none, none],
            Chart::Euler([(first, one), (second, two), (third, three)]) => {
                let after = self.zero * arc::axis_angle(first, self.values[0]);
                let last = after * arc::axis_angle(second, self.values[1]);
                [about(self.zero * first, 0, one), about(after * second, 1, two), about(last * third, 2, three)]
            }
            Chart::Swing { frame, size, twist } => {
                let into = self.zero * frame;
                let (outwards, round, axis) = self.swings(size);
                [outwards, round, about(axis, 2, twist)].map(|freedom| Freedom { turn: into * freedom.turn, ..freedom })
            }
        }
    }

    /// Swings outwards and round the axis, in the limit's frame, and the swung axis.
    fn swings(&self, most: [f64; 2]) -> (Freedom, Freedom, DVec3) {
        let [u, v, _] = self.values;
        let (a, b) = (most[0] * u, most[1] * v);
        let real = ops::sqrt_clamped(1.0 - a * a - b * b);
        let (r, size) = (real.max(HALF_TURN), ops::sqrt(u * u + v * v));
        let (x, y) = if size > 1e-9 { (u / size, v / size) } else { (1.0, 0.0) };
        let swing = |du: f64, dv: f64, low: f64, high: f64| {
            let (da, db) = (most[0] * du, most[1] * dv);
            let along = (a * da + b * db) / r;
            let turn = DVec3::new(a * along + r * da, b * along + r * db, a * db - b * da) * 2.0;
            let speed = arc::length(turn);
            match arc::unit(turn) {
                Some(turn) if speed > 1e-12 => {
                    Freedom::new(turn, [du / speed, dv / speed, 0.0], low * speed, high * speed)
                }
                _ => Freedom::default(),
            }
        };
        let axis = DVec3::new(2.0 * b * real, -2.0 * a * real, 1.0 - 2.0 * (a * a + b * b));
        (swing(x, y, -1.0 - size, 1.0 - size), swing(-y, x, -1.0, 1.0), axis)
    }

    /// The turn (radians, in the parent's space) for a change of each value by one, and how these turns change with the
    /// values, half of each order.
    pub(super) fn rates(&self) -> ([DVec3; 3], [[DVec3; 3]; 3]) {
        let mut bends = [[DVec3::ZERO; 3]; 3];
        let mut both = |i: usize, j: usize, bend: DVec3| (bends[i][j], bends[j][i]) = (bend, bend);
        let rates = match self.chart {
            Chart::Fixed | Chart::Free => [DVec3::ZERO; 3],
            Chart::Hinge { axis, .. } => [self.zero * axis, DVec3::ZERO, DVec3::ZERO],
            Chart::Euler([(first, _), (second, _), (third, _)]) => {
                let after = self.zero * arc::axis_angle(first, self.values[0]);
                let last = after * arc::axis_angle(second, self.values[1]);
                let rates = [self.zero * first, after * second, last * third];
                for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                    both(i, j, rates[i].cross(rates[j]) * 0.5);
                }
                rates
            }
            Chart::Swing { frame, size, .. } => {
                let into = self.zero * frame;
                let (a, b) = (size[0] * self.values[0], size[1] * self.values[1]);
                let real = ops::sqrt_clamped(1.0 - a * a - b * b);
                let r = real.max(HALF_TURN);
                let ways = [(size[0], 0.0), (0.0, size[1])];
                let along = ways.map(|(da, db)| a * da + b * db);
                let swing = |i: usize| {
                    let ((da, db), along) = (ways[i], along[i] / r);
                    into * DVec3::new(a * along + r * da, b * along + r * db, a * db - b * da) * 2.0
                };
                let twist = into * DVec3::new(2.0 * b * real, -2.0 * a * real, 1.0 - 2.0 * (a * a + b * b));
                let rates = [swing(0), swing(1), twist];
                for (i, j) in [(0, 0), (0, 1), (1, 1)] {
                    let straight = ways[i].0 * ways[j].0 + ways[i].1 * ways[j].1;
                    both(i, j, into * DVec3::new(a, b, 0.0) * (2.0 * (straight + along[i] * along[j] / (r * r)) / r));
                }
                (0..2).for_each(|i| both(i, 2, rates[i].cross(twist) * 0.5));
                rates
            }
        };
        (rates, bends)
    }

    /// The joint after a step along its freedoms, inside its limit.
    pub(super) fn moved(&self, freedoms: &[Freedom], step: &[f64]) -> Self {
        let mut next = *self;
        for (freedom, size) in freedoms.iter().zip(step) {
            (0..3).for_each(|place| next.values[place] += freedom.way[place] * size);
        }
        next.rotation = match &self.chart {
            Chart::Fixed => self.rotation,
            Chart::Free => {
                let half = DVec3::new(step[0], step[1], step[2]) * 0.5;
                arc::normalize(DQuat::from_xyzw(half.x, half.y, half.z, 1.0) * self.rotation)
            }
            Chart::Hinge { axis, range } => {
                next.values[0] = range.clamp(next.values[0]);
                self.zero * arc::axis_angle(*axis, next.values[0])
            }
            Chart::Euler(turns) => {
                let mut rotation = self.zero;
                for (value, (axis, range)) in next.values.iter_mut().zip(turns) {
                    *value = range.clamp(*value);
                    rotation *= arc::axis_angle(*axis, *value);
                }
                arc::normalize(rotation)
            }
            Chart::Swing { frame, size, twist } => {
                next.values = clamped_swing(next.values, *twist);
                self.zero * (*frame * swung(next.values, *size) * frame.conjugate())
            }
        };
        next
    }
}

impl Chart {
    /// The chart of a swing and twist, and the values of an allowed turn.
    fn swing(frame: DQuat, size: [f64; 2], twist: Range, turn: DQuat) -> (Self, [f64; 3]) {
        let twist = if twist.max - twist.min >= TAU { Range::FREE } else { twist };
        let local = frame.conjugate() * turn * frame;
        let planar = ops::sqrt(local.z * local.z + local.w * local.w);
        let (sine, cosine) = if planar > 0.0 { (local.z / planar, local.w / planar) } else { (0.0, 1.0) };
        // The swing that is left before that twist.
        let (a, b) = (local.x * cosine - local.y * sine, local.x * sine + local.y * cosine);
        let share = |part: f64, most: f64| if most > 0.0 { part / most } else { 0.0 };
        let angle = twist.clamp_angle(2.0 * ops::atan2(sine, cosine), twist.clamp(0.0));
        (Self::Swing { frame, size, twist }, clamped_swing([share(a, size[0]), share(b, size[1]), angle], twist))
    }
}

impl Freedom {
    fn new(turn: DVec3, way: [f64; 3], low: f64, high: f64) -> Self {
        Self { turn, low: low.clamp(-LONGEST, 0.0), high: high.clamp(0.0, LONGEST), way }
    }
}

/// The values of a swing and twist in the unit disc and the range.
fn clamped_swing([u, v, twist]: [f64; 3], range: Range) -> [f64; 3] {
    let size = ops::sqrt(u * u + v * v).max(1.0);
    [u / size, v / size, range.clamp(twist)]
}

/// The turn of a swing and twist, in the limit's frame.
fn swung([u, v, twist]: [f64; 3], most: [f64; 2]) -> DQuat {
    let (a, b) = (most[0] * u, most[1] * v);
    let real = ops::sqrt_clamped(1.0 - a * a - b * b);
    let (sine, cosine) = ops::sin_cos(0.5 * twist);
    arc::normalize(DQuat::from_xyzw(a * cosine + b * sine, b * cosine - a * sine, real * sine, real * cosine))
}
