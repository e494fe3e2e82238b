//! Limits in lanes: a ball's cone with its range of twist, and a hinge's range; projections as those of `sinew`.

use sinew::glam::{DQuat, DVec3};
use sinew::limit::{Range, SwingTwist};
use sinew::math::{arc, ops};
use sinew::{BallLimit, Joint, Kind, NamedJoint, Skeleton};

use crate::error::CrowdError;
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// Slack in half-angle sine, so that what a projection gives is left as it is.
const SLACK: f32 = 1e-6;

/// How a joint may turn.
#[derive(Clone, Debug)]
pub(crate) enum Limit {
    Free,
    Cone(Cone),
    Hinge(Hinge),
}

/// A swing cone and a range of twist.
#[derive(Clone, Debug)]
pub(crate) struct Cone {
    /// Takes z of the twist axis to the joint's parent, and to the joint's zero.
    left: [f32; 4],
    right: [f32; 4],
    /// Sine and cosine of half the swing.
    swing: [f32; 2],
    twist: Twist,
}

/// One axis, and a range of turns about it.
#[derive(Clone, Debug)]
pub(crate) struct Hinge {
    zero: [f32; 4],
    pub(crate) axis: [f32; 3],
    twist: Twist,
}

/// Half the lowest, highest and middle twist, as sine and cosine.
#[derive(Clone, Debug)]
pub(crate) struct Twist {
    lowest: [f32; 2],
    highest: [f32; 2],
    middle: [f32; 2],
    full: bool,
}

impl Limit {
    /// The limit of a joint of a chain; an error for kinds and limits that lanes do not keep.
    pub(crate) fn of(skeleton: &Skeleton, joint: Joint) -> Result<Self, CrowdError> {
        let refused = |what| Err(refused(skeleton, joint, what));
        let zero = skeleton.zero(joint).rotation;
        match skeleton.kind(joint) {
            Kind::Free | Kind::Ball(BallLimit::Free) => Ok(Self::Free),
            Kind::Ball(BallLimit::SwingTwist(limit)) => Ok(Self::Cone(Cone::new(zero, &limit))),
            Kind::Hinge { axis, range } => {
                if shares(skeleton, joint) {
                    return refused("is a hinge that moves others along");
                }
                let twist = Twist::new(range);
                Ok(Self::Hinge(Hinge { zero: narrow(zero), axis: axis.as_vec3().to_array(), twist }))
            }
            Kind::Ball(BallLimit::EllipticSwing(_)) => refused("has an elliptic limit"),
            Kind::Ball(_) => refused("has limits about three axes"),
            _ => refused("does not turn"),
        }
    }
}

/// A joint is something that lanes do not keep.
pub(crate) fn refused(skeleton: &Skeleton, joint: Joint, what: &'static str) -> CrowdError {
    CrowdError::Limited { joint: NamedJoint::of(skeleton, joint), what }
}

/// Whether a hinge's coordinate drives another joint, too.
pub(crate) fn shares(skeleton: &Skeleton, joint: Joint) -> bool {
    skeleton.drive(joint).is_some_and(|drive| skeleton.driven(drive.coordinate).count() > 1)
}

pub(crate) fn narrow(q: DQuat) -> [f32; 4] {
    q.as_quat().to_array()
}

impl Twist {
    pub(crate) fn new(range: Range) -> Self {
        use core::f64::consts::{PI, TAU};
        let full = range.max - range.min >= TAU;
        let (low, high) = if full { (-PI, PI) } else { (range.min, range.max) };
        let half = |angle: f64| {
            let (s, c) = ops::sin_cos(0.5 * angle);
            [s as f32, c as f32]
        };
        Self { lowest: half(low), highest: half(high), middle: half(0.5 * (low + high)), full }
    }

    /// By how much a half twist, of length 1, is inside, as a sine; below 0 where it is outside, 1 where all are allowed.
    #[inline(always)]
    pub(crate) fn depth<L: Lanes>(&self, sine: L, cosine: L) -> L {
        if self.full {
            return sine.of(1.0);
        }
        let [s, c] = self.about_middle(sine, cosine);
        let ([ls, lc], [hs, hc]) = (self.lowest, self.highest);
        (s * s.of(lc) - c * s.of(ls)).or_less(c * s.of(hs) - s * s.of(hc))
    }

    /// How near two half twists inside are to one another: the cosine of half the turn between them inside the range.
    #[inline(always)]
    pub(crate) fn nearness<L: Lanes>(&self, [s, c]: [L; 2], [other_s, other_c]: [L; 2]) -> L {
        if self.full {
            return (s * other_s + c * other_c).abs();
        }
        let ([s, c], [other_s, other_c]) = (self.about_middle(s, c), self.about_middle(other_s, other_c));
        s * other_s + c * other_c
    }

    /// The same twist, its sign that which is nearer to the middle of the range.
    #[inline(always)]
    fn about_middle<L: Lanes>(&self, sine: L, cosine: L) -> [L; 2] {
        let turned = (sine * sine.of(self.middle[0]) + cosine * sine.of(self.middle[1])).is_less(sine.of(0.0));
        [L::select(turned, -sine, sine), L::select(turned, -cosine, cosine)]
    }

    /// The nearest allowed half twist to `(sine, cosine)`, of length 1, and whether it is that itself.
    #[inline(always)]
    fn nearest<L: Lanes>(&self, sine: L, cosine: L) -> ([L; 2], L::Mask) {
        let (ls, lc) = (sine.of(self.lowest[0]), sine.of(self.lowest[1]));
        let (hs, hc) = (sine.of(self.highest[0]), sine.of(self.highest[1]));
        let (zero, slack) = (sine.of(0.0), sine.of(-SLACK));
        let [s, c] = self.about_middle(sine, cosine);
        let above = slack.is_at_most(s * lc - c * ls);
        let below = slack.is_at_most(c * hs - s * hc);
        let allowed = if self.full { zero.is_at_most(zero) } else { above & below };
        let high = (s * ls + c * lc).abs().is_less((s * hs + c * hc).abs());
        let (near_s, near_c) = (L::select(high, hs, ls), L::select(high, hc, lc));
        ([L::select(allowed, sine, near_s), L::select(allowed, cosine, near_c)], allowed)
    }
}

impl Cone {
    fn new(zero: DQuat, limit: &SwingTwist) -> Self {
        let frame = arc::arc(DVec3::Z, limit.axis(), DVec3::X);
        let (sine, cosine) = ops::sin_cos(0.5 * limit.swing());
        let twist = Twist::new(limit.twist());
        Self { left: narrow(zero * frame), right: narrow(frame), swing: [sine as f32, cosine as f32], twist }
    }

    /// The allowed local rotation nearest to `q`, which it is where that is allowed.
    #[inline(always)]
    pub(crate) fn project<L: Lanes>(&self, q: Turn<L>) -> Turn<L> {
        let like = q.w;
        let (zero, one) = (like.of(0.0), like.of(1.0));
        let (left, right) = (Turn::of(like, self.left), Turn::of(like, self.right));
        let local = left.conjugate().then_after(q).then_after(right);
        let Vector(x, y, z) = local.v;
        let planar = (z * z + local.w * local.w).sqrt();
        let known = like.of(1e-12).is_less(planar);
        let scale = one / L::select(known, planar, one);
        let (sine, cosine) = (L::select(known, z * scale, zero), L::select(known, local.w * scale, one));
        let ([ts, tc], allowed) = self.twist.nearest(sine, cosine);
        let real = z * ts + local.w * tc;
        let back = real.is_less(zero);
        let sign = L::select(back, -one, one);
        let (x, y, real) = (x * sign, y * sign, real * sign);
        let swing = (x * x + y * y).sqrt();
        let norm = one / (swing * swing + real * real).sqrt().or_more(like.of(1e-12));
        let (sine, cosine) = (swing * norm, real * norm);
        let outside = like.of(self.swing[0] + SLACK).is_less(sine);
        let sine = L::select(outside, like.of(self.swing[0]), sine);
        let cosine = L::select(outside, like.of(self.swing[1]), cosine);
        let turned = zero.is_less(swing);
        let unit = one / L::select(turned, swing, one);
        let (ux, uy) = (L::select(turned, x * unit, one), y * unit);
        let nearest = Turn { v: Vector(sine * ux, sine * uy, cosine * ts), w: cosine * tc };
        let result = left.then_after(nearest).then_after(right.conjugate()).normalized();
        Turn::select(allowed & !outside, q, result)
    }
}

impl Hinge {
    /// The local rotation that turns `from`, in the joint's frame, nearest to the direction `to` in its parent; `now` where
    /// either lies along the axis.
    #[inline(always)]
    pub(crate) fn toward<L: Lanes>(&self, from: Vector<L>, to: Vector<L>, now: Turn<L>) -> Turn<L> {
        let like = now.w;
        let (zero, one, half) = (like.of(0.0), like.of(1.0), like.of(0.5));
        let (frame, axis) = (Turn::of(like, self.zero), Vector::of(like, self.axis));
        let to = frame.conjugate().rotate(to);
        let (sine, cosine) = (axis.dot(from.cross(to)), from.dot(to) - axis.dot(from) * axis.dot(to));
        let size = (sine * sine + cosine * cosine).sqrt();
        let clear = (from.dot(from) * to.dot(to)).sqrt() * like.of(1e-5);
        let known = clear.is_less(size);
        let scale = one / L::select(known, size, one);
        let (sine, cosine) = (sine * scale, cosine * scale);
        let blunt = cosine.is_less(zero);
        let large = ((one + cosine.abs()) * half).sqrt_clamped();
        let small = sine.abs() * half / large.or_more(half);
        let (s, c) = (L::select(blunt, large, small), L::select(blunt, small, large));
        let s = L::select(sine.is_less(zero), -s, s);
        // What the joint has now, about its axis.
        let turn = frame.conjugate().then_after(now);
        let (own_s, own_c) = (axis.dot(turn.v), turn.w);
        let own = (own_s * own_s + own_c * own_c).sqrt();
        let scale = one / own.or_more(like.of(1e-12));
        let (s, c) = (L::select(known, s, own_s * scale), L::select(known, c, own_c * scale));
        let ([s, c], _) = self.twist.nearest(s, c);
        frame.then_after(Turn { v: axis * s, w: c }).normalized()
    }
}
