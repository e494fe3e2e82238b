//! A ball joint's swing, within quarters of ellipses, and twist range: a shoulder that swings farther to the front than
//! back. The nearest swing at the nearest allowed twist, without trigonometry after construction.
//!
//! In the frame of the twist axis (z) a rotation is a swing `(a, b, 0, r)` after a twist. The swing is
//! allowed where `(a/A)² + (b/B)² <= 1` with `A`, `B` the sines of half the largest swings to the sides of `a` and `b` (ranges
//! that are four quarters of ellipses: Aristidou & Lasenby 2011, *Graphical Models* 73:243). On unit
//! quaternions that is the quadratic cone `a² (1/A² - 1) + b² (1/B² - 1) <= r²`, and the nearest point
//! of a cone is a secular equation in one multiplier, on which Newton from zero rises to the root
//! (Moré and Sorensen 1983, for trust regions). It lies in the quarter of the swing itself, or, since a turn is also the
//! rest of a whole turn the other way, in the one opposite. Where `A` or `B` is zero the cone is flat: what lies across
//! it goes, and what is left is clamped.

use core::f64::consts::PI;

use glam::{DQuat, DVec3};

use super::Range;
use super::sines::{Sines, side};
use super::twist::{SLACK, TwistRange};
use crate::math::{arc, ops};

/// Steps of Newton's method at most; most rotations need four, thin ellipses many.
const STEPS: u32 = 24;
/// Share of the multiplier below which a step is rounding.
const GAIN: f64 = 1e-15;
/// Cosine of half a swing that counts as a half turn: next to nothing is known of its twist, and so of its
/// direction.
const HALF_TURN: f64 = 1e-13;
/// Farther than rounding from half a turn, and inside (squares, shares of squares).
const CLEAR: f64 = 1e-9;
/// Sine of half a swing that is none: rounding moves rotations farther.
const NONE: f64 = SLACK;
/// Least cosine of half a swing that is divided by.
const LEAST: f64 = 1e-150;

/// Swing within an ellipse, or quarters of ellipses, about an axis, twist about it within a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EllipticSwing {
    axis: DVec3,
    across: DVec3,
    twist: Range,
    /// Takes z to the twist axis and x to the direction across.
    frame: DQuat,
    /// About x and about y, each backward and forward.
    ends: [[End; 2]; 2],
    nearest: TwistRange,
}

/// The sine and cosine of half the largest swing to one side; 0 where it is next to nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    sine: f64,
    cosine: f64,
}

impl End {
    fn new(swing: f64) -> Self {
        let (sine, cosine) = ops::sin_cos(0.5 * swing);
        let sine = if sine > NONE { sine } else { 0.0 };
        Self { sine, cosine: cosine.max(0.0) }
    }

    fn swing(self) -> f64 {
        2.0 * ops::atan2(self.sine, self.cosine)
    }
}

impl EllipticSwing {
    /// Swings of the twist axis `axis` (any length, in the joint's zero frame), within an ellipse: by at most
    /// `swing[0]` radians about `across` (made perpendicular to the axis) and by at most `swing[1]` about the third
    /// axis, `axis × across`; the ellipse is in half-angle sines. The twist is within a range. Radians, 0 to π. `None`
    /// when a number is NaN, a swing is negative, the range is empty, or the axes have no direction or the same one.
    pub fn new(axis: impl Into<DVec3>, across: impl Into<DVec3>, swing: [f64; 2], twist: Range) -> Option<Self> {
        Self::uneven(axis, across, swing.map(|most| Range::new(-most, most)), twist)
    }

    /// The same with swings that are as far as they are to each side: from `swing[0].min` to `swing[0].max` radians about
    /// `across`, and so about the third axis. Each range holds 0; between two neighbouring ends the rim is a quarter of an
    /// ellipse.
    pub fn uneven(axis: impl Into<DVec3>, across: impl Into<DVec3>, swing: [Range; 2], twist: Range) -> Option<Self> {
        let axis = arc::unit(axis.into())?;
        let across = arc::unit_reject(across.into(), axis, 1e-9)?;
        if !(twist.is_valid() && swing.iter().all(|range| range.contains(0.0))) {
            return None;
        }
        Some(Self {
            axis,
            across,
            twist,
            frame: arc::from_frame(across, axis.cross(across)),
            ends: swing.map(|Range { min, max }| [-min, max].map(|most| End::new(most.min(PI)))),
            nearest: TwistRange::new(twist),
        })
    }

    /// The unit twist axis in the joint's zero frame.
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// The unit direction, perpendicular to the axis, about which the first swing turns.
    pub fn across(&self) -> DVec3 {
        self.across
    }

    /// Largest swings in radians, each range holding 0: about [`across`](Self::across), and about the axis perpendicular
    /// to it and the twist's.
    pub fn swing(&self) -> [Range; 2] {
        self.ends.map(|[low, high]| Range::new(-low.swing(), high.swing()))
    }

    /// Range of the twist in radians.
    pub fn twist(&self) -> Range {
        self.twist
    }

    /// Takes z to the twist axis and x to the direction across.
    pub(crate) fn frame(&self) -> DQuat {
        self.frame
    }

    /// Sines of half the largest swings about x and y of the frame.
    pub(crate) fn sines(&self) -> Sines {
        Sines(self.ends.map(|ends| ends.map(|end| end.sine)))
    }

    /// The ends of the quarter in which a swing lies.
    fn quarter(&self, x: f64, y: f64) -> [End; 2] {
        let [about_x, about_y] = self.ends;
        let sines = |[low, high]: [End; 2]| [low.sine, high.sine];
        [about_x[side(x, sines(about_x))], about_y[side(y, sines(about_y))]]
    }

    /// The nearest swing at the nearest allowed twist, for `q` (a unit quaternion measured from the
    /// joint's zero); `q` itself, bit for bit, where it is allowed.
    pub fn project(&self, q: DQuat) -> DQuat {
        // A turn of the axes turns the vector part alone.
        let turn = self.frame.conjugate() * DVec3::new(q.x, q.y, q.z);
        if self.clearly_allows(DQuat::from_xyzw(turn.x, turn.y, turn.z, q.w)) {
            return q;
        }
        let local = self.frame.conjugate() * q * self.frame;
        let planar = ops::sqrt(local.z * local.z + local.w * local.w);
        let (mut twist, allowed) = self.nearest.nearest(local, planar);
        let (mut x, mut y, mut real) = swing_before(local, twist);
        let mut inside = self.contains([x, y, real], 2.0 * SLACK / planar.max(HALF_TURN));
        let mut is_own = allowed && inside;
        if planar <= HALF_TURN {
            (twist, is_own) = self.twist_of_half_turn(local);
            (x, y, real) = swing_before(local, twist);
            inside = is_own;
        }
        if is_own {
            return q;
        }
        let (a, b, r) = if inside { (x, y, real) } else { self.nearest_swing(x, y, real) };
        let (sine, cosine) = twist;
        let nearest = DQuat::from_xyzw(a * cosine + b * sine, b * cosine - a * sine, r * sine, r * cosine);
        let result = self.frame * nearest * self.frame.conjugate();
        arc::normalize(if result.dot(q) < 0.0 { -result } else { result })
    }

    /// Whether a rotation in the frame of the twist axis is inside by more than rounding, without a root or a division: most are.
    fn clearly_allows(&self, DQuat { x, y, z, w }: DQuat) -> bool {
        let planar = z * z + w * w;
        // The swing before the twist, times the length of `(z, w)`.
        let (a, b) = (x * w - y * z, x * z + y * w);
        let [about_x, about_y] = self.quarter(a, b);
        let [most_x, most_y] = [about_x, about_y].map(|end| end.sine * end.sine);
        let swung = a * a * most_y + b * b * most_x;
        let most = planar * (x * x + y * y + planar) * most_x * most_y;
        planar > CLEAR && swung < (1.0 - CLEAR) * most && self.nearest.allows((z, w))
    }

    /// A half-turn swing has no twist of its own: `(sin, cos)` of half an allowed one with which it lies within, along an
    /// axis of the ellipse or at an end; else of the one that lays it nearest to the wider swing.
    fn twist_of_half_turn(&self, q: DQuat) -> ((f64, f64), bool) {
        let [wide_x, wide_y] = self.ends.map(|[low, high]| low.sine.max(high.sine));
        let size = ops::sqrt(q.x * q.x + q.y * q.y);
        let along = [(-q.y / size, q.x / size), (q.x / size, q.y / size)];
        let [first, second] = if wide_x >= wide_y { along } else { [along[1], along[0]] };
        let [low, high] = self.nearest.ends();
        let is_within = |&twist: &(f64, f64)| {
            let (x, y, real) = swing_before(q, twist);
            self.contains([x, y, real], 2.0 * SLACK)
        };
        let axes = [first, second].into_iter().filter(|&twist| self.nearest.allows(twist));
        if let Some(own) = axes.chain([low, high]).find(is_within) {
            return (own, true);
        }
        let overlap = |end: (f64, f64)| (first.0 * end.0 + first.1 * end.1).abs();
        let end = if overlap(high) > overlap(low) { high } else { low };
        (if self.nearest.allows(first) { first } else { end }, false)
    }

    /// Whether the swing lies in its quarter's ellipse, but for rounding of so much. Half a turn is one to either side.
    fn contains(&self, [x, y, real]: [f64; 3], slack: f64) -> bool {
        let share = |value: f64, most: f64| {
            let value = (value.abs() - slack).max(0.0);
            if value > 0.0 { value / most } else { 0.0 }
        };
        let within = |[about_x, about_y]: [End; 2]| {
            let (along, across) = (share(x, about_x.sine), share(y, about_y.sine));
            along * along + across * across <= 1.0
        };
        within(self.quarter(x, y)) || real <= HALF_TURN && within(self.quarter(-x, -y))
    }

    /// The allowed `(x, y)` and real part of the swing nearest to one outside.
    fn nearest_swing(&self, x: f64, y: f64, real: f64) -> (f64, f64, f64) {
        let (own, other) = (self.quarter(x, y), self.quarter(-x, -y));
        let (a, b, r) = nearest_of(own, x, y, real);
        if own.iter().zip(&other).all(|(own, other)| other.sine <= own.sine) {
            return (a, b, r);
        }
        // The other way round, from beyond half a turn.
        let (c, d, s) = nearest_of(other, -x, -y, -real);
        if -(x * c + y * d + real * s) > x * a + y * b + real * r { (c, d, s) } else { (a, b, r) }
    }
}

/// The `(x, y)` in an ellipse, and its real part, nearest to a swing outside; of one beyond half a turn, whose real part is
/// negative, none at all where the whole quarter is more than a quarter turn (of the quaternion) away.
fn nearest_of([about_x, about_y]: [End; 2], x: f64, y: f64, real: f64) -> (f64, f64, f64) {
    if about_x.sine == 0.0 {
        let (b, r) = flat_swing(y, real, about_y);
        return (0.0, b, r);
    }
    if about_y.sine == 0.0 {
        let (a, r) = flat_swing(x, real, about_x);
        return (a, 0.0, r);
    }
    let squares = [about_x, about_y].map(|end| end.sine * end.sine);
    // Beyond half a turn the multiplier's own sign, and that of all it is added to, turns round.
    let behind = real < 0.0;
    let cosines = [about_x, about_y].map(|end| if behind { end.cosine.max(LEAST) } else { end.cosine });
    let [base_x, base_y] = if behind { cosines.map(|cosine| cosine * cosine) } else { squares };
    let (reach_x, reach_y) = (x * cosines[0] * about_x.sine, y * cosines[1] * about_y.sine);
    let size_at = |multiplier: f64| {
        let (u, v) = (reach_x / (base_x + multiplier), reach_y / (base_y + multiplier));
        (u, v, ops::sqrt(u * u + v * v))
    };
    // Without a real part the multiplier is infinite: `(x A², y B²)`.
    let mut multiplier = f64::INFINITY;
    let real = real.abs();
    if behind && size_at(0.0).2 <= real {
        return (0.0, 0.0, 1.0);
    }
    if real > 1e-12 {
        // Either term alone is at most the whole.
        multiplier = (reach_x.abs() / real - base_x).max(reach_y.abs() / real - base_y).max(0.0);
        for _ in 0..STEPS {
            let (u, v, size) = size_at(multiplier);
            let slope = u * u / (base_x + multiplier) + v * v / (base_y + multiplier);
            let step = if slope > 0.0 { size * size * (size - real) / (slope * real) } else { 0.0 };
            multiplier += step.max(0.0);
            if step <= GAIN * multiplier {
                break;
            }
        }
    }
    let weight = |square: f64, base: f64| {
        if multiplier.is_infinite() { square } else { square / (base + multiplier) }
    };
    let (a, b) = (x * weight(squares[0], base_x), y * weight(squares[1], base_y));
    // Onto the ellipse itself, so that the answer is its own answer.
    let (along, across) = (a / about_x.sine, b / about_y.sine);
    let size = ops::sqrt(along * along + across * across);
    if size == 0.0 {
        return (0.0, 0.0, 1.0);
    }
    let (along, across) = (along / size * about_x.cosine, across / size * about_y.cosine);
    (a / size, b / size, ops::sqrt(along * along + across * across))
}

/// The swing `(x, y)` and real part that are left of a rotation before a twist, given by `(sin, cos)` of its half.
fn swing_before(q: DQuat, (sine, cosine): (f64, f64)) -> (f64, f64, f64) {
    let real = q.z * sine + q.w * cosine;
    let (x, y) = (q.x * cosine - q.y * sine, q.x * sine + q.y * cosine);
    let norm = ops::sqrt(x * x + y * y + real * real) * if real < 0.0 { -1.0 } else { 1.0 };
    // Half a turn away from the twist nothing of a swing is left.
    if norm == 0.0 { (0.0, 0.0, 1.0) } else { (x / norm, y / norm, real / norm) }
}

/// The half-angle sine and cosine, up to the largest to its side, nearest to a swing whose part across is gone; none where
/// nothing is left of it.
fn flat_swing(sine: f64, real: f64, most: End) -> (f64, f64) {
    let size = ops::sqrt(sine * sine + real * real);
    match sine / size {
        _ if size == 0.0 => (0.0, 1.0),
        share if share.abs() > most.sine || real < 0.0 => (most.sine.copysign(share), most.cosine),
        share => (share, real / size),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quick answer is none but the slow one's.
    #[test]
    fn what_is_clearly_inside_is_inside() {
        let random = &mut fastrand::Rng::with_seed(3);
        let mut inside = [0; 2];
        for _ in 0..200_000 {
            let mut number = || 2.0 * random.f64() - 1.0;
            let (axis, across) = (DVec3::new(number(), number(), number()), DVec3::new(number(), number(), number()));
            let swing = [number(), number()].map(|each| each.abs() * PI);
            let (one, other) = (number() * PI, number() * PI);
            let Some(limit) = EllipticSwing::new(axis, across, swing, Range::new(one.min(other), one.max(other)))
            else {
                continue;
            };
            let q = arc::normalize(DQuat::from_xyzw(number(), number(), number(), number()));
            let local = limit.frame.conjugate() * q * limit.frame;
            let planar = ops::sqrt(local.z * local.z + local.w * local.w);
            let (twist, allowed) = limit.nearest.nearest(local, planar);
            let (x, y, real) = swing_before(local, twist);
            let slowly = allowed && limit.contains([x, y, real], 0.0);
            let quickly = limit.clearly_allows(local);
            assert!(slowly || !quickly, "{limit:?} {q}");
            inside[0] += usize::from(slowly);
            inside[1] += usize::from(quickly);
        }
        assert!(inside[0] > 10_000 && inside[0] - inside[1] < 10, "{inside:?}");
    }
}
