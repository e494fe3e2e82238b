//! How far a chain gives way to a push at its tip, from the tip to the base: a least squares step of all joints at once, in time
//! that grows with the number of joints.
//!
//! A step turns joints about their axes by amounts `x`, so that bone `k` turns by `φ`, the sum of all turns above it. It makes
//! `|e - Σ φ × b|² + Σ d |φ|² + λ Σ x²` least: what is left of the way `e` to the target, and what the bones `b` resist. A bone
//! that is turned bends the tip's way to second order by at most `d`, half of `|e| |b| + e · b`; with that the step also knows
//! how a chain whose target is out of reach comes to rest. The least is found as in linear-quadratic control: joint by joint
//! the turn that is best is eliminated, which leaves a stiffness and a moment of the push for the bones above.

use super::closing::{Closing, solve};
use crate::limit::Axis;
use crate::number::Lanes;
use crate::vector::Vector;

/// Resistance of a joint, as a share of the square of the chain's length.
const RESISTS: f32 = 1e-4;
/// Share of the largest resistance that each bone has at least.
const LEAST: f32 = 0.1;

/// The part of a chain from some joint to its tip.
pub(super) struct Compliance<L> {
    /// From the tip to the target, and how far that is.
    way: Vector<L>,
    far: L,
    /// By how much bones resist more, or less, than that way says.
    caution: L,
    resists: L,
    /// The tip's way for a push: `Σ v vᵀ / (a A a + λ)`.
    sums: Closing<L>,
    /// What turns of the bone above meet: `φ A φ / 2`.
    stiffness: Closing<L>,
    /// Rows of the matrix that gives the moment of a push on the bone above.
    moment: [Vector<L>; 3],
}

/// One axis of a joint: it turns by `share (moment · push - stiffness · φ)`, where the bone above has turned by `φ`.
#[derive(Clone, Copy)]
pub(super) struct Eliminated<L> {
    pub(super) line: Vector<L>,
    pub(super) stiffness: Vector<L>,
    pub(super) moment: Vector<L>,
    pub(super) share: L,
}

impl<L: Lanes> Compliance<L> {
    /// A tip, and the way from there to its target.
    #[inline(always)]
    pub(super) fn new(way: Vector<L>, length: L, caution: L) -> Self {
        let like = length;
        let none = Vector::of(like, [0.0; 3]);
        Self {
            far: way.length(),
            way,
            caution,
            resists: length * length * like.of(RESISTS),
            sums: Closing::new(like),
            stiffness: Closing::new(like),
            moment: [none; 3],
        }
    }

    /// Adds the bone above, in model space.
    #[inline(always)]
    pub(super) fn add_bone(&mut self, bone: Vector<L>) {
        let (like, most) = (self.far, self.far * bone.length());
        let along = (most + self.way.dot(bone)).or_more(like.of(0.0));
        let resists = most * like.of(LEAST) + along * like.of(0.5 * (1.0 - LEAST));
        self.stiffness.add_diagonal(resists * self.caution);
        let ([x, y, z], zero) = (&mut self.moment, like.of(0.0));
        *x = *x + Vector(zero, -bone.2, bone.1);
        *y = *y + Vector(bone.2, zero, -bone.0);
        *z = *z + Vector(-bone.1, bone.0, zero);
    }

    /// Adds an axis of the joint above that bone.
    #[inline(always)]
    pub(super) fn add_axis(&mut self, axis: Axis<L>) -> Eliminated<L> {
        let ([x, y, z], Axis { line, gives, resists }) = (self.moment, axis);
        let moment = x * line.0 + y * line.1 + z * line.2;
        let stiffness = self.stiffness.times(line);
        let resists = self.resists + resists;
        let share = gives / (line.dot(stiffness) + resists).or_more(resists);
        let part = stiffness * share;
        self.sums.subtract(-(moment * share), moment);
        self.stiffness.subtract(part, stiffness);
        self.moment = [x - moment * part.0, y - moment * part.1, z - moment * part.2];
        Eliminated { line, stiffness, moment, share }
    }

    /// The push that brings the tip to its target, as far as joints and bones give way, and the share of the way that stays.
    #[inline(always)]
    pub(super) fn push(mut self) -> (Vector<L>, L) {
        self.sums.add_diagonal(self.far.of(1.0));
        let push = solve(&self.sums, self.way);
        (push, push.length() / self.far.or_more(self.far.of(f32::MIN_POSITIVE)))
    }
}
