//! Coordinates of one joint in which its limit is a box, or a disc and an interval.
//!
//! A hinge has its angle. A swing and twist has `(u, v)` in the unit disc and the twist, its rotation being
//! `(A u, B v, 0, r)` after the twist, with `A`, `B` the sines of half the largest swings to the sides of `u` and `v`: the
//! ellipse of the limit is the unit circle. Euler ranges have their three angles. A free ball has none, and turns by
//! rotation vectors.

use core::f64::consts::TAU;

use glam::{DQuat, DVec3};

use crate::limit::{Range, Sines};
use crate::math::{arc, ops};
use crate::pose::Edit;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};
use crate::transform::Transform;

/// Square of a rotation's length, less one, that is rounding.
const ROUNDING: f64 = 1e-14;
/// Largest turn (radians) in one step along one freedom.
const LONGEST: f64 = 0.6;
/// Share of the largest swing below which its direction is no coordinate, and how far its two values go from there at once.
const MIDDLE: f64 = 0.25;
const INNER: f64 = 0.5;
/// Rotations that are spread over a limit, and share of a range by which they keep from its ends. HEURISTIC: measured by
/// `benches/blocked_limbs.rs`.
const SPREAD: usize = 8;
const CORNER: f64 = 0.1;
/// Turn (radians) for a coordinate's change by one that is rounding.
const STILL: f64 = 1e-12;
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

/// Where a step brings a joint: its rotation, and its coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turned {
    pub(super) rotation: DQuat,
    values: [f64; 3],
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
        size: Sines,
        twist: Range,
    },
    /// Axes and ranges in the order of turning.
    Euler([(DVec3, Range); 3]),
}

/// The ways in which a joint can turn, each measured by its turn (radians), and how these turns change along each other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ways {
    /// The turn (in the parent's space) for a step of one; a unit vector, or zero where there is no such way.
    pub(super) turns: [DVec3; 3],
    /// The second derivative of the turn's rotation vector.
    pub(super) bends: [[DVec3; 3]; 3],
    /// Smallest and largest step.
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
    /// Change of the coordinate for a step of one.
    pace: [f64; 3],
    /// Unit direction of the swing where its coordinates are how far out it is and how far round.
    out: Option<[f64; 2]>,
}

impl Turning {
    /// The joint at the allowed rotation nearest to `local`; a hinge at the turn nearest to `near`.
    pub(in crate::solve) fn at(skeleton: &Skeleton, joint: Joint, local: &Transform, near: f64) -> Self {
        Self::inside(skeleton, joint, skeleton.nearest_allowed(joint, local, near).rotation, near)
    }

    /// The joint at a rotation that is allowed, to rounding; a hinge at the turn nearest to `near`.
    pub(in crate::solve) fn inside(skeleton: &Skeleton, joint: Joint, mut rotation: DQuat, near: f64) -> Self {
        let zero = skeleton.zero(joint).rotation;
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

    /// The ways in which the joint can turn from here, put where none are.
    pub(super) fn ways(&self, ways: &mut Ways) {
        let [x, y, z] = self.values;
        let room = |range: Range, value: f64| (range.min - value, range.max - value);
        let nowhere = (0.0, 0.0);
        match self.chart {
            Chart::Fixed => {}
            Chart::Free => {
                (ways.turns, ways.low, ways.high) = (DVec3::AXES, [-LONGEST; 3], [LONGEST; 3]);
                ways.pace = [1.0; 3];
            }
            Chart::Hinge { range, .. } => ways.put(self.rates(), [room(range, x), nowhere, nowhere], None),
            Chart::Euler([(_, one), (_, two), (_, three)]) => {
                ways.put(self.rates(), [room(one, x), room(two, y), room(three, z)], None);
            }
            Chart::Swing { twist, .. } => {
                let size = ops::sqrt(x * x + y * y);
                if size < MIDDLE {
                    return ways.put(self.rates(), [(-INNER, INNER), (-INNER, INNER), room(twist, z)], None);
                }
                let out = [x / size, y / size];
                let around = (-LONGEST, LONGEST);
                ways.put(self.polar(size, out), [(-1.0 - size, 1.0 - size), around, room(twist, z)], Some(out));
            }
        }
    }

    /// The rates for a swing's size and the angle of its direction, in place of its two values.
    fn polar(&self, size: f64, [u, v]: [f64; 2]) -> ([DVec3; 3], [[DVec3; 3]; 3]) {
        let ([x, y, twist], bends) = self.rates();
        // Each of the two values by size and by angle.
        let by = [[u, v], [-v * size, u * size]];
        let rates = by.map(|[u, v]| x * u + y * v);
        let across = |place: usize| by[place];
        let bent = |a: [f64; 2], b: [f64; 2]| {
            bends[0][0] * (a[0] * b[0]) + bends[0][1] * (a[0] * b[1] + a[1] * b[0]) + bends[1][1] * (a[1] * b[1])
        };
        let twisted = |a: [f64; 2]| bends[0][2] * a[0] + bends[1][2] * a[1];
        let mut polar = [[DVec3::ZERO; 3]; 3];
        let mut both = |i: usize, j: usize, bend: DVec3| (polar[i][j], polar[j][i]) = (bend, bend);
        both(0, 0, bent(across(0), across(0)));
        both(0, 1, bent(across(0), across(1)) + y * u - x * v);
        both(1, 1, bent(across(1), across(1)) - rates[0] * size);
        both(0, 2, twisted(across(0)));
        both(1, 2, twisted(across(1)));
        ([rates[0], rates[1], twist], polar)
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
                let size = size.at(self.values[0], self.values[1]);
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

    /// Where a step along its ways leads, inside its limit.
    pub(super) fn turned(&self, ways: &Ways, step: &[f64]) -> Turned {
        let change = [step[0] * ways.pace[0], step[1] * ways.pace[1], step[2] * ways.pace[2]];
        let [x, y, z] = self.values;
        let mut values = [x + change[0], y + change[1], z + change[2]];
        if let Some([u, v]) = ways.out {
            let size = x * u + y * v + change[0];
            let slant = size / ops::sqrt(1.0 + change[1] * change[1]);
            (values[0], values[1]) = ((u - v * change[1]) * slant, (v + u * change[1]) * slant);
        }
        match &self.chart {
            Chart::Free => {
                let half = DVec3::new(step[0], step[1], step[2]) * 0.5;
                let rotation = arc::normalize(DQuat::from_xyzw(half.x, half.y, half.z, 1.0) * self.rotation);
                return Turned { rotation, values };
            }
            Chart::Swing { size, .. } => {
                // What goes over into another quarter of the ellipse goes on as it was.
                let (from, to) = (size.at(x, y), size.at(values[0], values[1]));
                for place in [0, 1] {
                    if from[place] != to[place] && to[place] > 0.0 {
                        values[place] *= from[place] / to[place];
                    }
                }
            }
            _ => {}
        }
        self.clamped(values)
    }

    /// Where values lead that are brought inside the limit.
    fn clamped(&self, mut values: [f64; 3]) -> Turned {
        let rotation = match &self.chart {
            Chart::Fixed | Chart::Free => self.rotation,
            Chart::Hinge { axis, range } => {
                values[0] = range.clamp(values[0]);
                self.zero * arc::axis_angle(*axis, values[0])
            }
            Chart::Euler(turns) => {
                let mut rotation = self.zero;
                for (value, (axis, range)) in values.iter_mut().zip(turns) {
                    *value = range.clamp(*value);
                    rotation *= arc::axis_angle(*axis, *value);
                }
                arc::normalize(rotation)
            }
            Chart::Swing { frame, size, twist } => {
                values = clamped_swing(values, *size, *twist);
                self.zero * (*frame * swung(values, *size) * frame.conjugate())
            }
        };
        Turned { rotation, values }
    }

    /// Rotations spread over all that the joint may do, whatever it does now: along a hinge's range, and of a ball at the rim
    /// of its swing and near the corners of its other ranges.
    pub(in crate::solve) fn spread(&self) -> [DQuat; SPREAD] {
        // By shares of a range, and of a whole turn, whose ends meet.
        let at = |share: f64, turn: f64, Range { min, max }: Range| {
            if max - min < TAU { min + (max - min) * share } else { TAU * turn }
        };
        let corner = |place: usize, bit: usize, range: Range| {
            let high = f64::from(u8::from(place >> bit & 1 == 1));
            at(CORNER + (1.0 - 2.0 * CORNER) * high, 0.5 * high, range)
        };
        core::array::from_fn(|place| {
            let share = place as f64 / SPREAD as f64;
            match self.chart {
                Chart::Free => {
                    let [x, y, z] = [0, 1, 2].map(|bit| corner(place, bit, Range::new(-0.5, 0.5)));
                    arc::normalize(self.zero * DQuat::from_xyzw(x, y, z, 0.5))
                }
                Chart::Hinge { range, .. } => {
                    let along = place as f64 / (SPREAD - 1) as f64;
                    self.clamped([at(along, share, range), 0.0, 0.0]).rotation
                }
                Chart::Swing { twist, .. } => {
                    let (sine, cosine) = ops::sin_cos(TAU * share);
                    self.clamped([cosine, sine, corner(place, 0, twist)]).rotation
                }
                Chart::Euler(turns) => {
                    let [x, y, z] = [0, 1, 2].map(|bit| corner(place, bit, turns[bit].1));
                    self.clamped([x, y, z]).rotation
                }
                Chart::Fixed => self.rotation,
            }
        })
    }

    /// Takes a step.
    pub(super) fn set(&mut self, Turned { rotation, values }: Turned) {
        (self.rotation, self.values) = (rotation, values);
    }
}

impl Chart {
    /// The chart of a swing and twist, and the values of an allowed turn.
    fn swing(frame: DQuat, size: Sines, twist: Range, turn: DQuat) -> (Self, [f64; 3]) {
        let twist = if twist.max - twist.min >= TAU { Range::FREE } else { twist };
        let local = frame.conjugate() * turn * frame;
        let planar = ops::sqrt(local.z * local.z + local.w * local.w);
        let (sine, cosine) = if planar > 0.0 { (local.z / planar, local.w / planar) } else { (0.0, 1.0) };
        // The swing that is left before that twist; half a turn is one to either side.
        let (a, b) = (local.x * cosine - local.y * sine, local.x * sine + local.y * cosine);
        let share = |part: f64, most: f64| if most > 0.0 { part / most } else { 0.0 };
        let shares = |a: f64, b: f64| {
            let most = size.at(a, b);
            [share(a, most[0]), share(b, most[1])]
        };
        let [u, v] = shares(a, b);
        let [u, v] = if planar < HALF_TURN && u * u + v * v > 1.0 + HALF_TURN { shares(-a, -b) } else { [u, v] };
        let angle = twist.clamp_angle(2.0 * ops::atan2(sine, cosine), twist.clamp(0.0));
        (Self::Swing { frame, size, twist }, clamped_swing([u, v, angle], size, twist))
    }
}

impl Ways {
    /// By rates of coordinates that have so much room.
    fn put(&mut self, (rates, bends): ([DVec3; 3], [[DVec3; 3]; 3]), room: [(f64, f64); 3], out: Option<[f64; 2]>) {
        self.out = out;
        for place in 0..3 {
            let speed = arc::length(rates[place]);
            // What does not turn the joint is no way.
            if speed > STILL {
                let (low, high) = room[place];
                self.pace[place] = 1.0 / speed;
                self.turns[place] = rates[place] / speed;
                (self.low[place], self.high[place]) =
                    ((low * speed).clamp(-LONGEST, 0.0), (high * speed).clamp(0.0, LONGEST));
            }
        }
        for (i, row) in bends.iter().enumerate() {
            for (j, bend) in row.iter().enumerate() {
                self.bends[i][j] = *bend * (self.pace[i] * self.pace[j]);
            }
        }
    }
}

/// The values of a swing and twist in the unit disc and the range.
fn clamped_swing([u, v, twist]: [f64; 3], size: Sines, range: Range) -> [f64; 3] {
    // To a side to which there is no swing nothing goes.
    let most = size.at(u, v);
    let (u, v) = (if most[0] > 0.0 { u } else { 0.0 }, if most[1] > 0.0 { v } else { 0.0 });
    let size = ops::sqrt(u * u + v * v).max(1.0);
    [u / size, v / size, range.clamp(twist)]
}

/// The turn of a swing and twist, in the limit's frame.
fn swung([u, v, twist]: [f64; 3], size: Sines) -> DQuat {
    let most = size.at(u, v);
    let (a, b) = (most[0] * u, most[1] * v);
    let real = ops::sqrt_clamped(1.0 - a * a - b * b);
    let (sine, cosine) = ops::sin_cos(0.5 * twist);
    arc::normalize(DQuat::from_xyzw(a * cosine + b * sine, b * cosine - a * sine, real * sine, real * cosine))
}
