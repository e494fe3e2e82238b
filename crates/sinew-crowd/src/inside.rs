//! Whether a rotation is clearly inside a joint's limit, in lanes. What is near a limit or beyond it is the core's.

use sinew::glam::{DQuat, DVec3};
use sinew::limit::Range;
use sinew::math::{arc, ops};
use sinew::{BallLimit, Joint, Kind, Skeleton};

use crate::error::CrowdError;
use crate::limit::{Twist, narrow, refused, shares};
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// Sine of half the angle by which a rotation must be inside, more than `f32` is off.
pub(crate) const CLEAR: f32 = 2e-5;
/// Length of a rotation's part about its twist axis below which little is known of the twist.
const TWISTS: f32 = 0.05;

/// What a joint's limit takes to look at.
#[derive(Clone, Debug)]
pub(crate) enum Inside {
    Free,
    Swing(Swing),
    Hinge(Turning),
    /// Of some limits lanes do not know: the core always looks at them.
    Unknown,
}

/// A swing in an ellipse, or a cone, and a range of twist.
#[derive(Clone, Debug)]
pub(crate) struct Swing {
    left: [f32; 4],
    right: [f32; 4],
    /// One over the sines of half the largest swings, about x and about y, each backward and forward.
    scale: [[f32; 2]; 2],
    /// Square of the share of the largest swing that is clearly inside.
    most: f32,
    twist: Twist,
}

/// One axis, and a range of turns about it.
#[derive(Clone, Debug)]
pub(crate) struct Turning {
    pub(crate) zero: [f32; 4],
    pub(crate) axis: [f32; 3],
    pub(crate) twist: Twist,
}

impl Inside {
    /// The limit of a joint; an error for one that does not turn, or moves others along.
    pub(crate) fn of(skeleton: &Skeleton, joint: Joint) -> Result<Self, CrowdError> {
        let zero = skeleton.zero(joint).rotation;
        Ok(match skeleton.kind(joint) {
            Kind::Free | Kind::Ball(BallLimit::Free) => Self::Free,
            Kind::Ball(BallLimit::SwingTwist(limit)) => {
                let frame = arc::arc(DVec3::Z, limit.axis(), DVec3::X);
                Self::swing(zero, frame, [Range::new(-limit.swing(), limit.swing()); 2], limit.twist())
            }
            Kind::Ball(BallLimit::EllipticSwing(limit)) => {
                let frame = arc::from_frame(limit.across(), limit.axis().cross(limit.across()));
                Self::swing(zero, frame, limit.swing(), limit.twist())
            }
            Kind::Ball(_) => Self::Unknown,
            Kind::Hinge { .. } if shares(skeleton, joint) => {
                return Err(refused(skeleton, joint, "is a hinge that moves others along"));
            }
            Kind::Hinge { axis, .. } => {
                let twist = Twist::new(skeleton.range(joint));
                Self::Hinge(Turning { zero: narrow(zero), axis: axis.as_vec3().to_array(), twist })
            }
            _ => return Err(refused(skeleton, joint, "does not turn")),
        })
    }

    fn swing(zero: DQuat, frame: DQuat, swing: [Range; 2], twist: Range) -> Self {
        let sines = swing.map(|Range { min, max }| [-min, max].map(|most| ops::sin_cos(0.5 * most).0));
        let least = sines.as_flattened().iter().copied().fold(f64::INFINITY, f64::min);
        let share = 1.0 - f64::from(CLEAR) / least;
        if share < 0.9 {
            // Flat: always at the limit.
            return Self::Unknown;
        }
        Self::Swing(Swing {
            left: narrow(zero * frame),
            right: narrow(frame),
            scale: sines.map(|sines| sines.map(|sine| (1.0 / sine) as f32)),
            most: (share * share) as f32,
            twist: Twist::new(twist),
        })
    }

    pub(crate) fn is_free(&self) -> bool {
        matches!(self, Self::Free)
    }

    /// Whether a local rotation is clearly inside.
    #[inline(always)]
    pub(crate) fn holds<L: Lanes>(&self, q: Turn<L>) -> L::Mask {
        match self {
            Self::Free => q.w.every_lane(),
            Self::Swing(swing) => swing.holds(q),
            Self::Hinge(hinge) => hinge.holds(q),
            Self::Unknown => q.w.no_lane(),
        }
    }
}

impl Swing {
    #[inline(always)]
    fn holds<L: Lanes>(&self, q: Turn<L>) -> L::Mask {
        let like = q.w;
        let (left, right) = (Turn::of(like, self.left), Turn::of(like, self.right));
        let Turn { v: Vector(x, y, z), w } = left.conjugate().then_after(q).then_after(right);
        let planar = (z * z + w * w).sqrt();
        let known = like.of(TWISTS).is_less(planar);
        let scale = like.of(1.0) / planar;
        let (s, c) = (z * scale, w * scale);
        // The swing before the twist.
        let share = |part: L, [back, forth]: [f32; 2]| (part * like.of(forth)).or_more(part * like.of(-back));
        let [along, across] = self.scale;
        let (a, b) = (share(x * c - y * s, along), share(x * s + y * c, across));
        known & like.of(CLEAR).is_less(self.twist.depth(s, c)) & (a * a + b * b).is_less(like.of(self.most))
    }
}

impl Turning {
    #[inline(always)]
    fn holds<L: Lanes>(&self, q: Turn<L>) -> L::Mask {
        let like = q.w;
        let Turn { v, w } = Turn::of(like, self.zero).conjugate().then_after(q);
        let axis = Vector::of(like, self.axis);
        let s = axis.dot(v);
        let off = v - axis * s;
        off.dot(off).is_less(like.of(1e-11)) & like.of(CLEAR).is_less(self.twist.depth(s, w))
    }
}
