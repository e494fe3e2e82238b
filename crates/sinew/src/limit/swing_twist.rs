//! A ball joint's round swing cone and twist range, as one projection: the nearest allowed
//! rotation, without trigonometry after construction.
//!
//! In the frame of the twist axis (z) a rotation `(x, y, z, w)` is a swing with half-angle sine
//! `|(x, y)|` and a twist in the plane `(z, w)`. The nearest allowed rotation clamps the twist to
//! the end with the larger overlap, then the swing to the cone; clamping one after the other by
//! angles is up to 1.5 rad worse.

use core::f64::consts::PI;

use glam::{DQuat, DVec3};

use super::Range;
use super::sines::Sines;
use super::twist::{SLACK, TwistRange};
use crate::math::{arc, ops};

/// Square of half a swing's sine that may be rounding.
const ROUNDING: f64 = 1e-14;

/// Swing within `swing` radians of an axis, twist about it within a range.
#[doc(alias = "cone limit")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwingTwist {
    axis: DVec3,
    swing: f64,
    twist: Range,
    /// Takes z to the twist axis.
    frame: DQuat,
    /// Sine and cosine of half the swing.
    cone: (f64, f64),
    nearest: TwistRange,
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
        Some(Self {
            axis,
            swing,
            twist,
            frame: arc::arc(DVec3::Z, axis, DVec3::X),
            cone: ops::sin_cos(0.5 * swing),
            nearest: TwistRange::new(twist),
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

    /// Takes z to the twist axis.
    pub(crate) fn frame(&self) -> DQuat {
        self.frame
    }

    /// Sines of half the largest swings about x and y of the frame.
    pub(crate) fn sines(&self) -> Sines {
        Sines::round(self.cone.0)
    }

    /// Whether the swing is inside the cone, and not only just.
    fn is_swung_less(&self, q: DQuat) -> bool {
        let turn = DVec3::new(q.x, q.y, q.z);
        let (along, whole) = (turn.dot(self.axis), q.dot(q));
        turn.dot(turn) - along * along <= (self.cone.0 * self.cone.0 - ROUNDING) * whole
    }

    /// The allowed rotation nearest to `q` (a unit quaternion measured from the joint's zero);
    /// `q` itself, bit for bit, where it is allowed.
    pub fn project(&self, q: DQuat) -> DQuat {
        // Without a twist's range the swing alone counts.
        if self.nearest.is_full() && self.is_swung_less(q) {
            return q;
        }
        let local = self.frame.conjugate() * q * self.frame;
        let planar = ops::sqrt(local.z * local.z + local.w * local.w);
        let (twist, twist_allowed) = self.nearest.nearest(local, planar);
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
}
