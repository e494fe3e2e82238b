//! The turns about a line at which a rotation comes to an end of a ball joint's limit, in closed form.
//!
//! As the joint turns about a fixed line by `σ`, its quaternion is `q0 cos σ/2 + q1 sin σ/2` and its matrix has entries
//! `c + a cos σ + b sin σ`. A cone, an end of a twist and an end of an Euler angle are zeros of such entries: two at most.
//! An ellipse is a zero of a sum with `2 σ` in it: four at most, for each of its quarters. What is allowed ends at one of these, so the nearest
//! allowed turn is one of them, if it is not none.

use core::f64::consts::{PI, TAU};

use glam::{DMat3, DQuat, DVec3};

use crate::limit::{EulerRanges, Range, Sines};
use crate::math::ops;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};

/// Ends, at most: four of each quarter of an ellipse and one of each end of a twist.
const MOST: usize = 18;
/// Places at which a sum with twice the angle in it is looked at, and Newton's steps to a zero between two.
const GRID: usize = 24;
const STEPS: u32 = 50;
/// The sine and cosine of its step.
const STEP: [f64; 2] = [0.258_819_045_102_520_76, 0.965_925_826_289_068_3];
/// Step (radians) of Newton's after which what is left is rounding.
const ROUNDING: f64 = 1e-8;

/// `c + a cos σ + b sin σ + e cos 2σ + f sin 2σ`.
#[derive(Clone, Copy, Debug)]
struct Wave([f64; 5]);

/// Turns, nearest to none first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ends {
    turns: [f64; MOST],
    count: usize,
}

impl Ends {
    /// Of a joint that turns about the unit `line` from the local rotation `from`; `None` of a limit that has no width.
    pub(super) fn of(skeleton: &Skeleton, joint: Joint, line: DVec3, from: DQuat) -> Option<Self> {
        let zero = skeleton.zero(joint).rotation.conjugate();
        let half_turn = DQuat::from_xyzw(line.x, line.y, line.z, 0.0) * from;
        let mut ends = Self::default();
        let within = |frame: DQuat, q: DQuat| frame.conjugate() * (zero * q) * frame;
        match skeleton.kind(joint) {
            Kind::Ball(BallLimit::SwingTwist(limit)) => {
                let [one, two] = [from, half_turn].map(|q| within(limit.frame(), q));
                ends.swing_twist([one, two], limit.sines(), limit.twist())?;
            }
            Kind::Ball(BallLimit::EllipticSwing(limit)) => {
                let [one, two] = [from, half_turn].map(|q| within(limit.frame(), q));
                ends.swing_twist([one, two], limit.sines(), limit.twist())?;
            }
            Kind::Ball(BallLimit::Euler(limit)) => ends.euler([zero * from, zero * half_turn], &limit),
            _ => return None,
        }
        ends.turns[..ends.count].sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
        Some(ends)
    }

    /// The nearest that is allowed.
    pub(super) fn nearest(&self, is_allowed: impl Fn(f64) -> bool) -> Option<f64> {
        self.turns[..self.count].iter().copied().find(|&turn| is_allowed(turn))
    }

    fn push(&mut self, turn: f64) {
        if self.count < MOST {
            self.turns[self.count] = turn;
            self.count += 1;
        }
    }

    fn swing_twist(&mut self, [one, two]: [DQuat; 2], size: Sines, twist: Range) -> Option<()> {
        if size.none() != [false; 2] {
            return None;
        }
        // Products of two parts of the quaternion, as sums of waves.
        let product = |(a, c): (f64, f64), (b, d): (f64, f64)| {
            [0.5 * (a * b + c * d), 0.5 * (a * b - c * d), 0.5 * (a * d + b * c)]
        };
        let part = |part: fn(DQuat) -> f64| (part(one), part(two));
        let [x, y, z, w] = [part(|q| q.x), part(|q| q.y), part(|q| q.z), part(|q| q.w)];
        // The swing before the twist is `(x w - y z, x z + y w)` over the length of `(z, w)`.
        let sum = |a: [f64; 3], b: [f64; 3], sign: f64| [a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2]];
        let along = sum(product(x, w), product(y, z), -1.0);
        let across = sum(product(x, z), product(y, w), 1.0);
        let planar = sum(product(z, z), product(w, w), 1.0);
        for [wide, narrow] in size.quarters() {
            if wide == 0.0 || narrow == 0.0 {
                // A side to which there is no swing.
                self.single(if wide == 0.0 { along } else { across });
                continue;
            }
            if wide == narrow {
                let (xx, yy) = (product(x, x), product(y, y));
                self.single([xx[0] + yy[0] - wide * wide, xx[1] + yy[1], xx[2] + yy[2]]);
                continue;
            }
            let square = |[c, a, b]: [f64; 3], share: f64| {
                [c * c + 0.5 * (a * a + b * b), 2.0 * c * a, 2.0 * c * b, 0.5 * (a * a - b * b), a * b]
                    .map(|value| value * share)
            };
            let (first, second) = (square(along, 1.0 / (wide * wide)), square(across, 1.0 / (narrow * narrow)));
            let mut wave = [planar[0], planar[1], planar[2], 0.0, 0.0].map(|value| -value);
            for (value, (first, second)) in wave.iter_mut().zip(first.iter().zip(&second)) {
                *value += first + second;
            }
            self.double(&Wave(wave));
        }
        if twist.max - twist.min < TAU {
            for end in [twist.min, twist.max] {
                // The part of the twist's half across that of the end.
                let (sine, cosine) = ops::sin_cos(0.5 * end);
                let (start, middle) = (z.0 * cosine - w.0 * sine, z.1 * cosine - w.1 * sine);
                self.push(ops::nearest_turn(2.0 * ops::atan2(-start, middle), 0.0));
            }
        }
        Some(())
    }

    fn euler(&mut self, [one, two]: [DQuat; 2], limit: &EulerRanges) {
        let quarter = (one + two) * core::f64::consts::FRAC_1_SQRT_2;
        let [start, half, quarter] = [one, two, quarter].map(DMat3::from_quat);
        let constant = (start + half) * 0.5;
        let (cosine, sine) = ((start - half) * 0.5, quarter - constant);
        for row in limit.ends() {
            let Some((weights, offset)) = row else { continue };
            let of =
                |matrix: &DMat3| weights.iter().map(|&(row, column, weight)| matrix.col(column)[row] * weight).sum();
            let [c, a, b]: [f64; 3] = [of(&constant), of(&cosine), of(&sine)];
            self.single([c - offset, a, b]);
        }
    }

    /// The zeros of `c + a cos σ + b sin σ`.
    fn single(&mut self, [c, a, b]: [f64; 3]) {
        let (middle, aside) = (ops::atan2(b, a), ops::sqrt_clamped(a * a + b * b - c * c));
        if a * a + b * b >= c * c {
            let off = ops::atan2(aside, -c);
            self.push(ops::nearest_turn(middle + off, 0.0));
            self.push(ops::nearest_turn(middle - off, 0.0));
        }
    }

    /// The zeros of a wave with twice the angle in it: between places of a grid on both sides of it, and beside dips.
    fn double(&mut self, wave: &Wave) {
        let step = TAU / GRID as f64;
        let turn = |i: usize| step * i as f64 - PI;
        let (mut values, mut sine, mut cosine) = ([0.0; GRID], 0.0, -1.0);
        for value in &mut values {
            *value = wave.with(sine, cosine);
            (sine, cosine) = (sine * STEP[1] + cosine * STEP[0], cosine * STEP[1] - sine * STEP[0]);
        }
        for i in 0..GRID {
            let (here, after) = (values[i], values[(i + 1) % GRID]);
            if here * after <= 0.0 {
                self.push(wave.zero(turn(i), turn(i) + step));
                continue;
            }
            let before = values[(i + GRID - 1) % GRID];
            let is_lowest = here.abs() <= before.abs() && here.abs() <= after.abs();
            if is_lowest && here * before > 0.0 {
                let dip = wave.slope().zero(turn(i) - step, turn(i) + step);
                if wave.at(dip) * here <= 0.0 {
                    self.push(wave.zero(turn(i) - step, dip));
                    self.push(wave.zero(dip, turn(i) + step));
                }
            }
        }
    }
}

impl Wave {
    fn at(&self, turn: f64) -> f64 {
        let (s, c) = ops::sin_cos(turn);
        self.with(s, c)
    }

    fn with(&self, s: f64, c: f64) -> f64 {
        let [constant, a, b, e, f] = self.0;
        constant + a * c + b * s + e * (c * c - s * s) + 2.0 * f * s * c
    }

    fn slope(&self) -> Self {
        let [_, a, b, e, f] = self.0;
        Self([0.0, b, -a, 2.0 * f, -2.0 * e])
    }

    /// The zero between two turns, where its signs differ: Newton's steps from the chord, halving where these leave.
    fn zero(&self, mut low: f64, mut high: f64) -> f64 {
        let (at_low, at_high, slope) = (self.at(low), self.at(high), self.slope());
        let rising = at_high > at_low;
        let mut turn = low - at_low * (high - low) / (at_high - at_low);
        for _ in 0..STEPS {
            let (s, c) = ops::sin_cos(turn);
            let value = self.with(s, c);
            if (value > 0.0) == rising {
                high = turn;
            } else {
                low = turn;
            }
            let step = value / slope.with(s, c);
            let inside = turn - step > low && turn - step < high;
            let next = if inside { turn - step } else { 0.5 * (low + high) };
            // After a step of the root of rounding the next one is rounding.
            if inside && step.abs() <= ROUNDING || high - low <= ROUNDING * ROUNDING {
                return next;
            }
            turn = next;
        }
        turn
    }
}

#[cfg(test)]
pub(super) mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::laws::rigs::{direction, rotation};
    use crate::limit::{EllipticSwing, EulerOrder, SwingTwist};
    use crate::math::arc;
    use crate::skeleton::{JointSpec, SkeletonBuilder};
    use crate::transform::Transform;

    /// A cone, an ellipse or Euler ranges, askew.
    pub(in crate::solve::two_bone) fn ball(rng: &mut Rng) -> JointSpec {
        let mut range = |least: f64, most: f64| {
            let mut end = || least + (most - least) * rng.f64();
            Range::new(-end(), end())
        };
        let (twist, [x, y, z]) = (range(0.1, 1.5), [range(0.1, 1.2), range(0.1, 1.4), range(0.1, 1.2)]);
        let limit = match rng.u8(0..3) {
            0 => BallLimit::SwingTwist(SwingTwist::new(direction(rng), 0.2 + 1.5 * rng.f64(), twist).unwrap()),
            1 => {
                let mut swing = [0.2 + 1.5 * rng.f64(), 0.1 + 1.2 * rng.f64()].map(|most| Range::new(-most, most));
                if rng.bool() {
                    swing = swing.map(|Range { min, max }| Range::new(min * rng.f64(), max));
                }
                BallLimit::EllipticSwing(EllipticSwing::uneven(direction(rng), direction(rng), swing, twist).unwrap())
            }
            _ => {
                let order = [EulerOrder::Xyz, EulerOrder::Yxz, EulerOrder::Zyx][rng.usize(0..3)];
                BallLimit::Euler(EulerRanges::new(order, x, y, z).unwrap())
            }
        };
        JointSpec::named("0").kind(Kind::Ball(limit)).rotation(rotation(rng))
    }

    /// Each turn at which a scan goes into the limit or out of it is one of the ends, and the nearest end is no farther than
    /// the nearest that the scan finds.
    #[test]
    fn ends_are_where_a_scan_finds_them() {
        const SCAN: i32 = 1440;
        let (mut rng, mut crossings) = (Rng::with_seed(7), 0);
        for case in 0..400 {
            let mut builder = SkeletonBuilder::new();
            builder.add(ball(&mut rng));
            let skeleton = builder.build().unwrap();
            let joint = skeleton.at(0).unwrap();
            let (line, from): (DVec3, DQuat) = (direction(&mut rng), rotation(&mut rng).quaternion());
            let is_allowed = |turn: f64| {
                let local = Transform { rotation: arc::axis_angle(line, turn) * from, ..*skeleton.rest(joint) };
                let allowed = skeleton.nearest_allowed(joint, &local, 0.0).rotation;
                (allowed.dot(local.rotation).abs() - 1.0).abs() < 1e-15
            };
            let ends = Ends::of(&skeleton, joint, line, from).unwrap();
            let turn = |i: i32| PI * f64::from(i) / f64::from(SCAN);
            let mut nearest = f64::INFINITY;
            let mut before = is_allowed(turn(-SCAN));
            for i in 1 - SCAN..=SCAN {
                let now = is_allowed(turn(i));
                if now {
                    nearest = nearest.min(turn(i).abs());
                }
                if now != before {
                    crossings += 1;
                    let is_end = |&end: &f64| end >= turn(i - 1) - 1e-9 && end <= turn(i) + 1e-9;
                    assert!(ends.turns[..ends.count].iter().any(is_end), "{case} {}: {ends:?}", turn(i));
                }
                before = now;
            }
            if nearest.is_finite() && !is_allowed(0.0) {
                let found = ends.nearest(is_allowed);
                assert!(found.is_some_and(|found| found.abs() <= nearest + 1e-9), "{case}: {found:?} {nearest}");
            }
        }
        assert!(crossings > 200, "{crossings}");
    }
}
