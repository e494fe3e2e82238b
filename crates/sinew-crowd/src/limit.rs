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
/// Sine of half the twist by which one counts as at the end of its range, and difference of cosines by which a swing does.
const EDGE: f32 = 2e-6;
/// Sine of half the swing below which a cone lets nothing swing.
const FLAT: f32 = 5e-3;

/// Three axes across one another.
const AXES: [[f32; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

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
    /// The twist axis in the joint's parent, and in the joint.
    axis: [[f32; 3]; 2],
    /// Sine and cosine of half the swing.
    swing: [f32; 2],
    twist: Twist,
}

/// One axis, and a range of turns about it.
#[derive(Clone, Debug)]
pub(crate) struct Hinge {
    zero: [f32; 4],
    axis: [f32; 3],
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

/// A unit axis about which a joint turns, in model space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis<L> {
    pub(crate) line: Vector<L>,
    /// 0 in lanes in which the joint's limit stops it, else 1.
    pub(crate) gives: L,
    /// Torque for each turn with which its limit turns it back.
    pub(crate) resists: L,
}

impl<L: Lanes> Axis<L> {
    #[inline(always)]
    fn free(line: Vector<L>) -> Self {
        let like = line.0;
        Self { line, gives: like.of(1.0), resists: like.of(0.0) }
    }
}

impl Limit {
    /// About how many axes the joint turns.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        if let Self::Hinge(_) = self { 1 } else { 3 }
    }

    /// The joint's axes, [as many](Self::count) as count, given its parent's rotation, its own, and a torque that pulls at it.
    #[inline(always)]
    pub(crate) fn axes<L: Lanes>(&self, above: Turn<L>, own: Turn<L>, pull: Vector<L>) -> [Axis<L>; 3] {
        match self {
            Self::Free => AXES.map(|axis| Axis::free(Vector::of(own.w, axis))),
            Self::Cone(cone) => cone.axes(above, own, pull),
            Self::Hinge(hinge) => [hinge.axis(above, own, pull); 3],
        }
    }

    /// The allowed local rotation nearest to `q`.
    #[inline(always)]
    pub(crate) fn project<L: Lanes>(&self, q: Turn<L>) -> Turn<L> {
        match self {
            Self::Free => q,
            Self::Cone(cone) => cone.project(q),
            Self::Hinge(hinge) => hinge.project(q),
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

    /// 0 where a torque about the axis would turn a half twist, of length 1 or less, out of the range, else 1.
    #[inline(always)]
    fn gives<L: Lanes>(&self, sine: L, cosine: L, pull: L) -> L {
        let (zero, one) = (sine.of(0.0), sine.of(1.0));
        if self.full {
            return one;
        }
        let [s, c] = self.about_middle(sine, cosine);
        let ([ls, lc], [hs, hc]) = (self.lowest, self.highest);
        let edge = s.of(EDGE);
        let (low, high) = ((s * s.of(lc) - c * s.of(ls)).is_less(edge), (c * s.of(hs) - s * s.of(hc)).is_less(edge));
        L::select((low & pull.is_less(zero)) | (high & zero.is_less(pull)), zero, one)
    }

    /// The nearest allowed half twist to `(sine, cosine)`, of length 1, and whether it is that itself.
    #[inline(always)]
    fn nearest<L: Lanes>(&self, sine: L, cosine: L) -> ([L; 2], L::Mask) {
        let (ls, lc) = (sine.of(self.lowest[0]), sine.of(self.lowest[1]));
        let (hs, hc) = (sine.of(self.highest[0]), sine.of(self.highest[1]));
        let slack = sine.of(-SLACK);
        let [s, c] = self.about_middle(sine, cosine);
        let above = slack.is_at_most(s * lc - c * ls);
        let below = slack.is_at_most(c * hs - s * hc);
        let allowed = if self.full { sine.every_lane() } else { above & below };
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
        let axis = [zero * limit.axis(), limit.axis()].map(|axis| axis.as_vec3().to_array());
        Self { left: narrow(zero * frame), right: narrow(frame), axis, swing: [sine as f32, cosine as f32], twist }
    }

    /// Any three axes where nothing stops the joint, else that of the swing, that of the twist, and the one across both.
    #[inline(always)]
    fn axes<L: Lanes>(&self, above: Turn<L>, own: Turn<L>, pull: Vector<L>) -> [Axis<L>; 3] {
        let like = own.w;
        let (zero, one, tiny) = (like.of(0.0), like.of(1.0), like.of(1e-6));
        let [rest, now] = self.axis.map(|axis| Vector::of(like, axis));
        let (rest, now) = (above.rotate(rest), own.rotate(now));
        let (twist, swing) = (rest + now, rest.cross(now));
        let half = Turn::of(like, self.left).conjugate().then_after(above.conjugate().then_after(own));
        let half = half.then_after(Turn::of(like, self.right));
        let twists = self.twist.gives(half.v.2, half.w, pull.dot(twist));
        let ([s, c], is_flat) = (self.swing, self.swing[0] < FLAT);
        let (sine, cosine) = (2.0 * s * c, c * c - s * s);
        let stopped = rest.dot(now).is_less(like.of(cosine + EDGE)) & zero.is_less(pull.dot(swing));
        let free = AXES.map(|axis| Axis::free(Vector::of(like, axis)));
        let is_stopped = stopped | twists.is_less(one);
        if !is_flat && !L::any(is_stopped) {
            return free;
        }
        let is_stopped = if is_flat { like.every_lane() } else { is_stopped };
        let twist = twist.unit_or(tiny, now);
        let swing = swing.unit_or(tiny, twist.any_perpendicular());
        let swings = if is_flat { zero } else { L::select(stopped, zero, one) };
        // What is turned across a cone against which it is pulled goes round it, and so back.
        let back = L::select(stopped, pull.dot(swing) * like.of((cosine / sine.max(FLAT)).max(0.0)), zero);
        let [x, y, z] = free;
        [
            Axis { line: Vector::select(is_stopped, swing, x.line), gives: swings, resists: zero },
            Axis { line: Vector::select(is_stopped, twist, y.line), gives: twists, resists: zero },
            Axis {
                line: Vector::select(is_stopped, swing.cross(twist), z.line),
                gives: if is_flat { zero } else { one },
                resists: back,
            },
        ]
    }

    /// The allowed local rotation nearest to `q`, which it is where that is allowed.
    #[inline(always)]
    fn project<L: Lanes>(&self, q: Turn<L>) -> Turn<L> {
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
        if !L::any(outside | !allowed) {
            return q;
        }
        let sine = L::select(outside, like.of(self.swing[0]), sine);
        let cosine = L::select(outside, like.of(self.swing[1]), cosine);
        let turned = zero.is_less(swing);
        let unit = one / L::select(turned, swing, one);
        let (ux, uy) = (L::select(turned, x * unit, one), y * unit);
        let nearest = Turn { v: Vector(sine * ux, sine * uy, cosine * ts), w: cosine * tc };
        let result = left.then_after(nearest).then_after(right.conjugate()).renormalized();
        Turn::select(allowed & !outside, q, result)
    }
}

impl Hinge {
    /// Its axis.
    #[inline(always)]
    fn axis<L: Lanes>(&self, above: Turn<L>, own: Turn<L>, pull: Vector<L>) -> Axis<L> {
        let like = own.w;
        let axis = Vector::of(like, self.axis);
        let turn = Turn::of(like, self.zero).conjugate().then_after(above.conjugate().then_after(own));
        let line = own.rotate(axis);
        Axis { line, gives: self.twist.gives(axis.dot(turn.v), turn.w, pull.dot(line)), resists: like.of(0.0) }
    }

    /// The allowed local rotation nearest to `q`.
    #[inline(always)]
    fn project<L: Lanes>(&self, q: Turn<L>) -> Turn<L> {
        let like = q.w;
        let (frame, axis) = (Turn::of(like, self.zero), Vector::of(like, self.axis));
        let turn = frame.conjugate().then_after(q);
        let (s, c) = (axis.dot(turn.v), turn.w);
        let scale = like.of(1.0) / (s * s + c * c).sqrt().or_more(like.of(1e-12));
        let ([s, c], _) = self.twist.nearest(s * scale, c * scale);
        frame.then_after(Turn { v: axis * s, w: c }).renormalized()
    }
}
