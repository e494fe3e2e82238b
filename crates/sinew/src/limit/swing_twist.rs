//! A ball joint's round swing cone and twist range, as one projection: the nearest allowed
//! rotation, without trigonometry after construction.
//!
//! In the frame of the twist axis (z) a rotation `(x, y, z, w)` is a swing with half-angle sine
//! `|(x, y)|` and a twist in the plane `(z, w)`. The nearest allowed rotation clamps the twist to
//! the end with the larger overlap, then the swing to the cone; clamping one after the other by
//! angles is up to 1.5 rad worse.

use core::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};

use super::Range;
use crate::math::{arc, ops};

/// Slack on the cone and the twist (in half-angle sine), so that the projection's own result is
/// left bit for bit.
const SLACK: f64 = 4e-16;

/// Swing within `swing` radians of an axis, twist about it within a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwingTwist {
    axis: DVec3,
    swing: f64,
    twist: Range,
    /// Takes z to the twist axis.
    frame: DQuat,
    /// Sine and cosine of half the swing.
    cone: (f64, f64),
    /// `(sin, cos)` of half of: lowest, highest, middle twist.
    lowest: (f64, f64),
    highest: (f64, f64),
    middle: (f64, f64),
    /// Cosine of a quarter of the twist range's width.
    width: f64,
}

impl SwingTwist {
    /// A cone of half-angle `swing` (radians, 0 to π) about `axis` (any length, in the joint's zero
    /// frame) with a twist range in radians. `None` where a number is NaN, the axis has no
    /// direction, the range is empty, or the swing is negative.
    pub fn new(axis: impl Into<DVec3>, swing: f64, twist: Range) -> Option<Self> {
        let axis = arc::unit(axis.into())?;
        if !(twist.is_valid() && swing >= 0.0) {
            return None;
        }
        let swing = swing.min(PI);
        // A range of a turn or more allows every twist.
        let full = twist.max - twist.min >= TAU;
        let (low, high) = if full { (-PI, PI) } else { (twist.min, twist.max) };
        Some(Self {
            axis,
            swing,
            twist,
            frame: arc::arc(DVec3::Z, axis, DVec3::X),
            cone: ops::sin_cos(0.5 * swing),
            lowest: ops::sin_cos(0.5 * low),
            highest: ops::sin_cos(0.5 * high),
            middle: ops::sin_cos(0.25 * (low + high)),
            width: if full { 0.0 } else { ops::sin_cos(0.25 * (high - low)).1 },
        })
    }

    /// The unit twist axis in the joint's zero frame.
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// Half-angle of the swing cone in radians.
    pub fn swing(&self) -> f64 {
        self.swing
    }

    /// Range of the twist in radians.
    pub fn twist(&self) -> Range {
        self.twist
    }

    /// The allowed rotation nearest to `q` (a unit quaternion measured from the joint's zero);
    /// `q` itself, bit for bit, where it is allowed.
    pub fn project(&self, q: DQuat) -> DQuat {
        let local = self.frame.conjugate() * q * self.frame;
        let planar = ops::sqrt(local.z * local.z + local.w * local.w);
        let (twist, twist_allowed) = self.nearest_twist(local, planar);
        let mut real = local.z * twist.0 + local.w * twist.1;
        let (mut x, mut y) = (local.x, local.y);
        if real < 0.0 {
            (real, x, y) = (-real, -x, -y);
        }
        let swing = ops::sqrt(x * x + y * y);
        let norm = ops::sqrt(swing * swing + real * real);
        let (mut sine, mut cosine) = (swing / norm, real / norm);
        if sine > self.cone.0 + SLACK {
            (sine, cosine) = self.cone;
        } else if twist_allowed {
            return q;
        }
        let (ux, uy) = if swing > 0.0 { (x / swing, y / swing) } else { (1.0, 0.0) };
        // `(x, y)` is measured after the twist: result = (P·unit(x, y), R·twist).
        let nearest = DQuat::from_xyzw(sine * ux, sine * uy, cosine * twist.0, cosine * twist.1);
        let result = self.frame * nearest * self.frame.conjugate();
        arc::normalize(if result.dot(q) < 0.0 { -result } else { result })
    }

    /// `(sin, cos)` of half the nearest allowed twist, and whether it is the rotation's own.
    fn nearest_twist(&self, q: DQuat, planar: f64) -> ((f64, f64), bool) {
        let along = |e: (f64, f64)| (q.z * e.0 + q.w * e.1).abs();
        if planar > 0.0 && along(self.middle) >= (self.width - SLACK) * planar {
            return ((q.z / planar, q.w / planar), true);
        }
        let end = if along(self.highest) > along(self.lowest) { self.highest } else { self.lowest };
        // With no twist of its own (a half-turn swing) any allowed twist is as near.
        (end, planar == 0.0 && self.width <= 0.0)
    }
}
