//! The joints that may turn, as rigid bodies: each with the points where the bodies below hang on it, so
//! that hips and chests keep their shape. Joints that cannot turn are part of the body above.
//!
//! A body's rotation and place are in the space of its topmost body's parent, so that scale, mirrors and
//! shear above cost nothing. Between its rotation `r`, that of the body above and the joint's local
//! rotation `l` stand constants: `l = M(p⁻¹ r_above⁻¹ r) k`, where `M` mirrors below a mirror.

use glam::{DAffine3, DQuat, DVec3};

use crate::limit::Range;
use crate::math::fit::{self, Pair};
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton, hinge_rotation};
use crate::transform::Transform;

/// No body.
pub(super) const NONE: usize = usize::MAX;
/// Share of a small turn that a limit must hold back to count.
const HELD_BACK: f64 = 1e-3;
/// Rounds in which a limited ball fits and projects.
const ROUNDS: u32 = 3;

/// How a body's joint may turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum BodyMotion {
    Free,
    Limited,
    Hinge { axis: DVec3, range: Range },
}

/// One joint that turns.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Body {
    pub(super) joint: Joint,
    pub(super) motion: BodyMotion,
    /// The body above, the first below, the next beside; or [`NONE`].
    pub(super) above: usize,
    pub(super) below: usize,
    pub(super) beside: usize,
    pub(super) space: usize,
    /// Whether its local rotation is another than the pose's.
    pub(super) turned: bool,
    /// Whether it travels: a free root.
    pub(super) travels: bool,
    /// Place in the frame of the body above; of a topmost body, its place.
    pub(super) offset: DVec3,
    /// The constants `p`, `M` and `k`.
    pub(super) before: DQuat,
    pub(super) mirrored: bool,
    pub(super) after: DQuat,
    /// Whether `p` and `k` are no turns and `M` is no mirror: of a joint whose parent is the body above.
    pub(super) is_next: bool,
    pub(super) place: DVec3,
    pub(super) turn: DQuat,
    pub(super) local: DQuat,
    /// Value of a hinge (radians).
    pub(super) value: f64,
    /// Where the passes want it, how it would be turned, and whether that turn means anything.
    pub(super) wanted: DVec3,
    pub(super) wanted_turn: DQuat,
    pub(super) aimed: bool,
    /// Pull of the goals that act on the body above through this one.
    pub(super) lift: f64,
    /// Share of its turns that it takes: the least stiffness of those that turn over its own.
    pub(super) ease: f64,
}

/// A joint's rotation in the space of a solve, and whether a mirror is in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) turn: DQuat,
    pub(super) mirrored: bool,
    /// Whether lengths below are the same in every direction and there is no mirror.
    pub(super) plain: bool,
    /// Whether it is the frame above, turned by the joint's local rotation alone.
    pub(super) follows: bool,
}

impl Frame {
    pub(super) const SPACE: Self = Self { turn: DQuat::IDENTITY, mirrored: false, plain: true, follows: true };

    /// The frame of a joint below one with `self`; `None` where a scale of zero leaves none.
    pub(super) fn below(&self, local: &Transform, model: &DAffine3, into: &DAffine3) -> Option<Self> {
        let scale = local.scale;
        let even = scale.x > 0.0 && scale.x == scale.y && scale.y == scale.z;
        if self.plain && scale.min_element() > 0.0 {
            let turn = arc::normalize(self.turn * local.rotation);
            return Some(Self { turn, mirrored: false, plain: even, follows: true });
        }
        let linear = into.matrix3 * model.matrix3;
        let (turn, mirrored) = (arc::rotation_of(&linear)?, linear.determinant() < 0.0);
        Some(Self { turn, mirrored, plain: false, follows: false })
    }
}

/// The same rotation seen in a mirror across x.
fn mirror(q: DQuat, mirrored: bool) -> DQuat {
    if mirrored { DQuat::from_xyzw(q.x, -q.y, -q.z, q.w) } else { q }
}

impl Body {
    /// A body from the frames of its joint, its parent joint and the body above.
    pub(super) fn new(
        skeleton: &Skeleton,
        pose: &Pose,
        joint: Joint,
        frame: Frame,
        parent: Frame,
        above: DQuat,
    ) -> Self {
        let local = pose.local(joint).rotation;
        let is_next = frame.follows && above == parent.turn;
        let (before, after) = if is_next {
            (DQuat::IDENTITY, DQuat::IDENTITY)
        } else {
            let between = mirror(parent.turn.conjugate() * frame.turn, parent.mirrored);
            (above.conjugate() * parent.turn, between.conjugate() * local)
        };
        let motion = match skeleton.kind(joint) {
            Kind::Hinge { axis, .. } => BodyMotion::Hinge { axis, range: skeleton.range(joint) },
            Kind::Ball(BallLimit::Free) | Kind::Free => BodyMotion::Free,
            _ => BodyMotion::Limited,
        };
        Self {
            joint,
            motion,
            above: NONE,
            below: NONE,
            beside: NONE,
            space: 0,
            turned: false,
            travels: false,
            offset: DVec3::ZERO,
            before,
            mirrored: parent.mirrored,
            after,
            is_next,
            place: DVec3::ZERO,
            turn: frame.turn,
            local,
            value: pose.value(skeleton, joint),
            wanted: DVec3::ZERO,
            wanted_turn: frame.turn,
            aimed: false,
            lift: 0.0,
            ease: 1.0,
        }
    }

    /// The turn that a local rotation gives it on the body above.
    fn on_above(&self, local: DQuat) -> DQuat {
        if self.is_next { local } else { self.before * mirror(local * self.after.conjugate(), self.mirrored) }
    }

    /// The rotation of its joint's parent below a body turned so.
    fn parent(&self, above: DQuat) -> DQuat {
        if self.is_next { above } else { above * self.before }
    }

    /// The rotation that a local rotation gives below a body turned so.
    pub(super) fn carried(&self, above: DQuat, local: DQuat) -> DQuat {
        arc::normalize(above * self.on_above(local))
    }

    /// The local rotation that gives `turn` below a body turned so.
    fn local_of(&self, above: DQuat, turn: DQuat) -> DQuat {
        let below = self.parent(above).conjugate() * turn;
        arc::normalize(if self.is_next { below } else { mirror(below, self.mirrored) * self.after })
    }

    /// The rotation of the body above at which this one, turned so, has a local rotation.
    pub(super) fn above_for(&self, turn: DQuat, local: DQuat) -> DQuat {
        arc::normalize(turn * self.on_above(local).conjugate())
    }

    /// A turn in the space of the solve as one of the joint in its parent.
    fn vector_in_parent(&self, above: DQuat, vector: DVec3) -> DVec3 {
        let v = self.parent(above).conjugate() * vector;
        // An axis of rotation is mirrored the other way round.
        if self.mirrored { DVec3::new(v.x, -v.y, -v.z) } else { v }
    }

    /// The same the other way round.
    fn vector_in_space(&self, above: DQuat, v: DVec3) -> DVec3 {
        let v = if self.mirrored { DVec3::new(v.x, -v.y, -v.z) } else { v };
        self.parent(above) * v
    }

    /// A hinge's axis in the space of the solve.
    pub(super) fn axis(&self, skeleton: &Skeleton, above: DQuat, axis: DVec3) -> DVec3 {
        self.vector_in_space(above, skeleton.zero(self.joint).rotation * axis)
    }

    /// Sets the local rotation (and a hinge's value) below a body turned so.
    fn set(&mut self, above: DQuat, local: DQuat, value: f64) {
        self.local = local;
        self.value = value;
        self.turn = self.carried(above, local);
    }

    /// Sets a hinge's value (radians).
    pub(super) fn set_value(&mut self, skeleton: &Skeleton, value: f64) {
        if let BodyMotion::Hinge { axis, .. } = self.motion {
            self.local = hinge_rotation(skeleton.zero(self.joint), axis, value);
            self.value = value;
        }
    }

    /// Turns as near to `turn` as the limit allows.
    pub(super) fn turn_to(&mut self, skeleton: &Skeleton, above: DQuat, turn: DQuat) {
        let local = self.local_of(above, turn);
        let (local, value) = self.nearest(skeleton, local);
        self.set(above, local, value);
    }

    /// The allowed local rotation nearest to one, with a hinge's value.
    pub(super) fn nearest(&self, skeleton: &Skeleton, local: DQuat) -> (DQuat, f64) {
        match self.motion {
            BodyMotion::Free => (local, 0.0),
            BodyMotion::Limited => (skeleton.nearest_turn(self.joint, local), 0.0),
            BodyMotion::Hinge { axis, range } => {
                let zero = skeleton.zero(self.joint);
                let angle = arc::twist_angle(zero.rotation.conjugate() * local, axis);
                let value = range.clamp_angle(angle, self.value);
                (hinge_rotation(zero, axis, value), value)
            }
        }
    }

    /// Turns so that the pairs come nearest, from its local rotation below a body turned so; see [`Body::fit_turned`].
    pub(super) fn fit(&mut self, skeleton: &Skeleton, above: DQuat, pairs: &[Pair]) {
        self.turn = self.carried(above, self.local);
        self.fit_turned(skeleton, above, pairs);
    }

    /// Turns so that the pairs come nearest, from where it is turned, a share of the way where it is stiff; see
    /// [`Body::fit_whole`].
    pub(super) fn fit_turned(&mut self, skeleton: &Skeleton, above: DQuat, pairs: &[Pair]) {
        let (local, value) = (self.local, self.value);
        self.fit_whole(skeleton, above, pairs);
        if self.ease < 1.0 {
            if let BodyMotion::Hinge { range, .. } = self.motion {
                // A value that was outside its range comes in at once.
                self.set_value(skeleton, range.clamp(value + (self.value - value) * self.ease));
            } else {
                self.local = self.nearest(skeleton, arc::nlerp(local, self.local, self.ease)).0;
            }
            self.turn = self.carried(above, self.local);
        }
    }

    /// Turns so that the pairs come nearest, as far as the limit allows. Where the limit is in the way of one pair, what it
    /// leaves free yields.
    fn fit_whole(&mut self, skeleton: &Skeleton, above: DQuat, pairs: &[Pair]) {
        if pairs.is_empty() {
            return;
        }
        match self.motion {
            BodyMotion::Free => self.turn_to(skeleton, above, fit::fitted(self.turn, pairs)),
            BodyMotion::Hinge { axis, range } => {
                let (sine, cosine) = fit::about(self.axis(skeleton, above, axis), self.turn, pairs);
                if sine != 0.0 || cosine != 0.0 {
                    let value = range.clamp_angle(self.value + ops::atan2(sine, cosine), self.value);
                    self.set(above, hinge_rotation(skeleton.zero(self.joint), axis, value), value);
                }
            }
            BodyMotion::Limited => {
                for _ in 0..ROUNDS {
                    let wanted = self.local_of(above, fit::fitted(self.turn, pairs));
                    let (allowed, _) = self.nearest(skeleton, wanted);
                    self.set(above, allowed, 0.0);
                    if allowed == wanted {
                        break;
                    }
                }
            }
        }
    }

    /// Turns by a small rotation vector of the space of the solve, as far as the limit allows; the unit
    /// direction that it does not, if it holds back more than a little.
    pub(super) fn nudge(&mut self, skeleton: &Skeleton, above: DQuat, vector: DVec3) -> Option<DVec3> {
        let v = self.vector_in_parent(above, vector);
        if let BodyMotion::Hinge { axis, range } = self.motion {
            let wanted = (skeleton.zero(self.joint).rotation * axis).dot(v);
            let value = range.clamp(self.value + wanted);
            let held_back = (value - self.value - wanted).abs() > HELD_BACK * wanted.abs();
            self.set_value(skeleton, value);
            return held_back.then_some(vector).and_then(arc::unit);
        }
        let turn = arc::normalize(DQuat::from_xyzw(0.5 * v.x, 0.5 * v.y, 0.5 * v.z, 1.0));
        let wanted = arc::normalize(turn * self.local);
        let (local, _) = self.nearest(skeleton, wanted);
        self.local = local;
        if local == wanted {
            return None;
        }
        let off = wanted * local.conjugate();
        let off = DVec3::new(off.x, off.y, off.z) * (2.0 * off.w.signum());
        (off.dot(off) > HELD_BACK * HELD_BACK * v.dot(v)).then(|| arc::unit(self.vector_in_space(above, off)))?
    }
}
