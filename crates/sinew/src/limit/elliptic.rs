//! A ball joint's elliptic swing and twist range: a shoulder that swings farther to the side than
//! back. The nearest swing at the nearest allowed twist, without trigonometry after construction.
//!
//! In the frame of the twist axis (z) a rotation is a swing `(a, b, 0, r)` after a twist. The swing is
//! allowed where `(a/A)² + (b/B)² <= 1` with `A`, `B` the sines of half the largest swings. On unit
//! quaternions that is the quadratic cone `a² (1/A² - 1) + b² (1/B² - 1) <= r²`, and the nearest point
//! of a cone is a secular equation in one multiplier, on which Newton from zero rises to the root
//! (Moré and Sorensen 1983, for trust regions). Where `A` or `B` is zero the cone is flat: what lies across
//! it goes, and what is left is clamped.

use core::f64::consts::PI;

use glam::{DQuat, DVec3};

use super::Range;
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

/// Swing within an ellipse about an axis, twist about it within a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EllipticSwing {
    axis: DVec3,
    across: DVec3,
    swing: [f64; 2],
    twist: Range,
    /// Takes z to the twist axis and x to the direction across.
    frame: DQuat,
    /// Sines of half the largest swings about x and y, 0 where they are next to nothing.
    sines: (f64, f64),
    /// Their cosines.
    cosines: (f64, f64),
    /// One over the squares of the sines; infinite where these are 0.
    steep: (f64, f64),
    nearest: TwistRange,
}

impl EllipticSwing {
    /// Swings of the twist axis `axis` (any length, in the joint's zero frame), within an ellipse: by at most
    /// `swing[0]` radians about `across` (made perpendicular to the axis) and by at most `swing[1]` about the third
    /// axis, `axis × across`; the ellipse is in half-angle sines. The twist is within a range. Radians, 0 to π. `None`
    /// when a number is NaN, a swing is negative, the range is empty, or the axes have no direction or the same one.
    pub fn new(axis: impl Into<DVec3>, across: impl Into<DVec3>, swing: [f64; 2], twist: Range) -> Option<Self> {
        let axis = arc::unit(axis.into())?;
        let across = arc::unit_reject(across.into(), axis, 1e-9)?;
        if !(twist.is_valid() && swing.iter().all(|&each| each >= 0.0)) {
            return None;
        }
        let swing = swing.map(|each| each.min(PI));
        let [(sine_x, cosine_x), (sine_y, cosine_y)] = swing.map(|each| ops::sin_cos(0.5 * each));
        let sines = (if sine_x > NONE { sine_x } else { 0.0 }, if sine_y > NONE { sine_y } else { 0.0 });
        Some(Self {
            axis,
            across,
            swing,
            twist,
            frame: arc::from_frame(across, axis.cross(across)),
            sines,
            steep: (1.0 / (sines.0 * sines.0), 1.0 / (sines.1 * sines.1)),
            cosines: (cosine_x.max(0.0), cosine_y.max(0.0)),
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

    /// Largest swings in radians: about [`across`](Self::across), and about the axis perpendicular to
    /// it and the twist's.
    pub fn swing(&self) -> [f64; 2] {
        self.swing
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
    pub(crate) fn sines(&self) -> [f64; 2] {
        [self.sines.0, self.sines.1]
    }

    /// The nearest swing at the nearest allowed twist, for `q` (a unit quaternion measured from the
    /// joint's zero); `q` itself, bit for bit, where it is allowed.
    pub fn project(&self, q: DQuat) -> DQuat {
        let local = self.frame.conjugate() * q * self.frame;
        if self.clearly_allows(local) {
            return q;
        }
        let planar = ops::sqrt(local.z * local.z + local.w * local.w);
        let (mut twist, allowed) = self.nearest.nearest(local, planar);
        let (mut x, mut y, mut real) = swing_before(local, twist);
        let mut inside = self.contains(x, y, 2.0 * SLACK / planar.max(HALF_TURN));
        let mut is_own = allowed && inside;
        if planar <= HALF_TURN && !is_own {
            (twist, is_own) = self.twist_of_half_turn(local.x, local.y);
            (x, y, real) = swing_before(local, twist);
            inside = self.contains(x, y, 2.0 * SLACK);
            is_own &= inside;
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
        let swung = a * a * self.steep.0 + b * b * self.steep.1;
        let most = planar * (x * x + y * y + planar);
        planar > CLEAR && swung < (1.0 - CLEAR) * most && self.nearest.allows((z, w))
    }

    /// A half-turn swing has no twist of its own: `(sin, cos)` of half the allowed one that lays it nearest to the
    /// wider swing, and whether it lies along that.
    fn twist_of_half_turn(&self, x: f64, y: f64) -> ((f64, f64), bool) {
        let wide_x = self.sines.0 >= self.sines.1;
        let size = ops::sqrt(x * x + y * y);
        let along = if wide_x { (-y / size, x / size) } else { (x / size, y / size) };
        if self.nearest.allows(along) {
            return (along, true);
        }
        let [low, high] = self.nearest.ends();
        let overlap = |end: (f64, f64)| (along.0 * end.0 + along.1 * end.1).abs();
        (if overlap(high) > overlap(low) { high } else { low }, false)
    }

    /// Whether the swing lies in the ellipse, but for rounding of so much.
    fn contains(&self, x: f64, y: f64, slack: f64) -> bool {
        let share = |value: f64, most: f64| {
            let value = (value.abs() - slack).max(0.0);
            if value > 0.0 { value / most } else { 0.0 }
        };
        let (along, across) = (share(x, self.sines.0), share(y, self.sines.1));
        along * along + across * across <= 1.0
    }

    /// The `(x, y)` in the ellipse of the swing nearest to one outside, and its real part.
    fn nearest_swing(&self, x: f64, y: f64, real: f64) -> (f64, f64, f64) {
        if self.sines.0 == 0.0 {
            let (b, r) = flat_swing(y, real, (self.sines.1, self.cosines.1));
            return (0.0, b, r);
        }
        if self.sines.1 == 0.0 {
            let (a, r) = flat_swing(x, real, (self.sines.0, self.cosines.0));
            return (a, 0.0, r);
        }
        let (square_x, square_y) = (self.sines.0 * self.sines.0, self.sines.1 * self.sines.1);
        let (reach_x, reach_y) = (x * self.cosines.0 * self.sines.0, y * self.cosines.1 * self.sines.1);
        // Without a real part the multiplier is infinite: `(x A², y B²)`.
        let mut multiplier = f64::INFINITY;
        if real > 1e-12 {
            // Either term alone is at most the whole.
            multiplier = (reach_x.abs() / real - square_x).max(reach_y.abs() / real - square_y).max(0.0);
            for _ in 0..STEPS {
                let (u, v) = (reach_x / (square_x + multiplier), reach_y / (square_y + multiplier));
                let size = ops::sqrt(u * u + v * v);
                let slope = u * u / (square_x + multiplier) + v * v / (square_y + multiplier);
                let step = if slope > 0.0 { size * size * (size - real) / (slope * real) } else { 0.0 };
                multiplier += step.max(0.0);
                if step <= GAIN * multiplier {
                    break;
                }
            }
        }
        let weight = |square: f64| if multiplier.is_infinite() { square } else { square / (square + multiplier) };
        let (a, b) = (x * weight(square_x), y * weight(square_y));
        // Onto the ellipse itself, so that the answer is its own answer.
        let (along, across) = (a / self.sines.0, b / self.sines.1);
        let size = ops::sqrt(along * along + across * across);
        if size == 0.0 {
            return (0.0, 0.0, 1.0);
        }
        let (along, across) = (along / size * self.cosines.0, across / size * self.cosines.1);
        (a / size, b / size, ops::sqrt(along * along + across * across))
    }
}

/// The swing `(x, y)` and real part that are left of a rotation before a twist, given by `(sin, cos)` of its half.
fn swing_before(q: DQuat, (sine, cosine): (f64, f64)) -> (f64, f64, f64) {
    let real = q.z * sine + q.w * cosine;
    let (x, y) = (q.x * cosine - q.y * sine, q.x * sine + q.y * cosine);
    let norm = ops::sqrt(x * x + y * y + real * real) * if real < 0.0 { -1.0 } else { 1.0 };
    (x / norm, y / norm, real / norm)
}

/// The half-angle sine and cosine, up to the largest, nearest to a swing whose part across is gone; none where
/// nothing is left of it.
fn flat_swing(sine: f64, real: f64, (most, least): (f64, f64)) -> (f64, f64) {
    let size = ops::sqrt(sine * sine + real * real);
    match sine / size {
        _ if size == 0.0 => (0.0, 1.0),
        sine if sine > most => (most, least),
        sine if sine < -most => (-most, least),
        sine => (sine, real / size),
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
            let (x, y, _) = swing_before(local, twist);
            let slowly = allowed && limit.contains(x, y, 0.0);
            let quickly = limit.clearly_allows(local);
            assert!(slowly || !quickly, "{limit:?} {q}");
            inside[0] += usize::from(slowly);
            inside[1] += usize::from(quickly);
        }
        assert!(inside[0] > 10_000 && inside[0] - inside[1] < 10, "{inside:?}");
    }
}
