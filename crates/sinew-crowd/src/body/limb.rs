//! Arms and legs in lanes: collar bones that go with the hand, limbs bent as people bend them, the roll of hands.

use core::f32::consts::PI;

use sinew_rig::body::author::{ALONG, BENT, FARTHEST, FOLLOWS, LEANS, MIDDLE};

use crate::angle::{atan2, sin_cos};
use crate::block::Line;
use crate::body::fold::Fold;
use crate::body::natural::Natural;
use crate::body::parts::Limb;
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// A limb so nearly straight or folded flat is the core's (share of its length).
const RIM: f32 = 2e-6;
/// So is one whose bend is so nearly along the line between its ends.
const FLAT: f32 = 2e-3;
/// And a collar bone that would have to turn by nearly half a turn.
const BACKWARDS: f32 = 0.02;
/// Steps that find how far a collar bone follows.
const STEPS: usize = 8;

/// Rotations of a limb's joints, against the T-pose, in the frame that it hangs on.
#[derive(Clone, Copy)]
pub(crate) struct Placed<L: Lanes> {
    pub(crate) collar: Turn<L>,
    pub(crate) upper: Turn<L>,
    pub(crate) lower: Turn<L>,
    pub(crate) end: Turn<L>,
    /// The roll of a hand, as far as forearm and twist bones share it (radians).
    pub(crate) total: L,
    /// Where the lanes know it.
    pub(crate) clear: L::Mask,
}

impl<L: Lanes> Placed<L> {
    /// Not turned at all.
    #[inline(always)]
    pub(crate) fn none(like: L) -> Self {
        let none = Turn::of(like, [0.0, 0.0, 0.0, 1.0]);
        Self { collar: none, upper: none, lower: none, end: none, total: like.of(0.0), clear: like.no_lane() }
    }
}

/// A leg whose foot should be there, turned so, in the frame of the hips.
#[inline(always)]
pub(crate) fn leg<L: Lanes>(
    natural: &Natural,
    limb: &Limb,
    (foot, turn): (Vector<L>, Turn<L>),
    (lengths, at): (&[Line], usize),
) -> Placed<L> {
    let away = Away::of(limb, foot - limb.upper.bone(foot.0, lengths, at).0, (lengths, at));
    Placed { end: turn, ..away.bent(limb, natural.knee(away.line, turn, limb.sign), (lengths, at)) }
}

/// An arm whose hand should be there, turned so, in the frame of the chest.
#[inline(always)]
pub(crate) fn arm<L: Lanes>(
    natural: &Natural,
    limb: &Limb,
    (hand, turn): (Vector<L>, Turn<L>),
    (lengths, at): (&[Line], usize),
) -> Placed<L> {
    let like = hand.0;
    let reach = limb.reach(like, lengths, at);
    let none = Turn::of(like, [0.0, 0.0, 0.0, 1.0]);
    let (upper, long) = limb.upper.bone(like, lengths, at);
    let (collar, start, near) = if let Some(span) = &limb.collar {
        let base = span.bone(like, lengths, at).0;
        let (collar, shoulder, clear) = collar_bone(natural, limb, hand - base, (upper, long), reach);
        (collar, base + shoulder, clear)
    } else {
        // Farther than that the trunk would lean.
        (none, upper, (hand - upper).length().is_at_most(reach * like.of(LEANS as f32)))
    };
    let away = Away::of(limb, hand - start, (lengths, at));
    let mut placed = away.bent(limb, natural.elbow(away.line, away.far / reach, turn, limb.sign), (lengths, at));
    placed.total = roll(limb, placed.lower, turn);
    // A hinge does not roll.
    if limb.fold.is_none() {
        let (s, c) = sin_cos(placed.total * like.of(0.5 * limb.share));
        placed.lower = placed.lower.then_after(Turn { v: Vector::of(like, limb.line) * s, w: c });
    }
    Placed { collar, end: turn, clear: placed.clear & near, ..placed }
}

/// Where a limb's end should be, seen from its root.
struct Away<L: Lanes> {
    line: Vector<L>,
    far: L,
    /// One over it, and the lengths of both bones.
    per: L,
    bones: [L; 2],
}

impl<L: Lanes> Away<L> {
    #[inline(always)]
    fn of(limb: &Limb, away: Vector<L>, (lengths, at): (&[Line], usize)) -> Self {
        let far = away.length();
        let per = far.of(1.0) / far;
        let bones = [limb.lower.bone(far, lengths, at).1, limb.end.bone(far, lengths, at).1];
        Self { line: away * per, far, per, bones }
    }

    /// The limb, its middle towards a direction.
    #[inline(always)]
    fn bent(&self, limb: &Limb, towards: Vector<L>, (lengths, at): (&[Line], usize)) -> Placed<L> {
        if let Some(fold) = &limb.fold {
            return self.folded(fold, limb.factors(self.far, lengths, at), towards);
        }
        let Self { line, far, per, bones: [a, b] } = *self;
        let (one, half) = (far.of(1.0), far.of(0.5));
        let (size, apart) = (a + b, (a - b).abs());
        let along = half * (far * far + (a - b) * size) * per;
        let area = ((size - far) * (size + far)) * ((far - apart) * (far + apart));
        let across = half * area.sqrt_clamped() * per;
        let rest = towards.reject(line).reject(line);
        let shown = rest.length();
        let bend = rest * (one / shown);
        let hinge = bend.cross(line);
        let middle = line * along + bend * across;
        let rim = size * far.of(RIM);
        let clear = far.is_less(size - rim) & (apart + rim).is_less(far) & far.of(FLAT).is_less(shown);
        Placed {
            upper: lies(middle * (one / a), hinge, limb.frames[0]),
            lower: lies((line * far - middle) * (one / b), hinge, limb.frames[1]),
            clear,
            ..Placed::none(far)
        }
    }

    /// The limb about a hinge.
    #[inline(always)]
    fn folded(&self, fold: &Fold, factors: [L; 2], towards: Vector<L>) -> Placed<L> {
        let (like, line) = (self.far, self.line);
        let ([outer, inner], _) = fold.spans(factors);
        let folded = fold.fold(factors, like);
        let rest = towards.reject(line).reject(line);
        let shown = rest.length();
        let across = (rest * (like.of(1.0) / shown)).cross(line);
        let upper = Turn::between_frames(folded.line, folded.across, line, across).renormalized();
        let rim = outer * like.of(RIM);
        let clear = like.is_less(outer - rim) & (inner + rim).is_less(like) & like.of(FLAT).is_less(shown);
        Placed {
            upper,
            lower: upper.then_after(folded.lower).renormalized(),
            clear: clear & folded.clear,
            ..Placed::none(like)
        }
    }
}

/// A bone that points there and folds about `hinge`, `frame` being how these lie in the T-pose.
#[inline(always)]
fn lies<L: Lanes>(to: Vector<L>, hinge: Vector<L>, frame: [f32; 4]) -> Turn<L> {
    Turn::of_axes(to, hinge, to.cross(hinge)).then_after(Turn::of(to.0, frame)).renormalized()
}

/// How a collar bone is turned whose hand is there from it, in the frame of the chest, and where the shoulder then is; where the trunk
/// need not lean along.
#[inline(always)]
fn collar_bone<L: Lanes>(
    natural: &Natural,
    limb: &Limb,
    hand: Vector<L>,
    (bone, long): (Vector<L>, L),
    reach: L,
) -> (Turn<L>, Vector<L>, L::Mask) {
    let like = reach;
    let (zero, one) = (like.of(0.0), like.of(1.0));
    let plain = natural.collar((hand - bone) * (one / reach), limb.sign);
    let shoulder = plain.rotate(bone);
    let follow = Follow::of((shoulder, long), hand, reach);
    // Beyond that the trunk leans along.
    let clear = like.of(BACKWARDS).is_less(follow.spread) & follow.lacks(like.of(ALONG as f32)).is_at_most(zero);
    let short = follow.lacks(zero);
    let follows = zero.is_less(short);
    if !L::any(follows) {
        return (plain, shoulder, clear);
    }
    let whole = follow.lacks(one);
    let new = follow.shoulder(follow.share(short, whole));
    let turn = Turn { v: follow.from.cross(new), w: long + follow.from.dot(new) }.normalized();
    let followed = turn.then_after(plain).renormalized();
    let clear = clear & (!follows | whole.is_less(zero));
    (Turn::select(follows, followed, plain), Vector::select(follows, new, shoulder), clear)
}

/// A collar bone on its way to the hand: three quarters of it.
struct Follow<L: Lanes> {
    /// Where it begins, and how it is turned in the end: directions.
    from: Vector<L>,
    to: Vector<L>,
    /// How long it is.
    long: L,
    /// To the hand: direction and distance.
    line: Vector<L>,
    far: L,
    reach: L,
    /// Twice the cosine of half the whole way.
    spread: L,
}

impl<L: Lanes> Follow<L> {
    #[inline(always)]
    fn of((shoulder, long): (Vector<L>, L), hand: Vector<L>, reach: L) -> Self {
        let (one, far) = (reach.of(1.0), hand.length());
        let (from, line) = (shoulder * (one / long), hand * (one / far));
        let sum = from + line;
        let spread = sum.length();
        let to = sum * (one / spread) + line;
        Self { from, to: to * (one / to.length()), long, line, far, reach, spread }
    }

    /// The shoulder at a share of the way.
    #[inline(always)]
    fn shoulder(&self, share: L) -> Vector<L> {
        let way = self.from * (share.of(1.0) - share) + self.to * share;
        way * (self.long / way.length())
    }

    /// How much the arm is too short there.
    #[inline(always)]
    fn lacks(&self, share: L) -> L {
        let (one, along) = (share.of(1.0), self.line.dot(self.shoulder(share)));
        let opened = one - share.of(1.0 - FOLLOWS as f32) * (one - share) * (one - share);
        let arm = self.reach * opened;
        self.far - along - (arm * arm - self.long * self.long + along * along).sqrt_clamped()
    }

    /// The share from which on it is not, `short` at the beginning and `whole` in the end being what it lacks: by false position; an end
    /// that stays counts half.
    #[inline(always)]
    fn share(&self, short: L, whole: L) -> L {
        let (zero, one, half) = (short.of(0.0), short.of(1.0), short.of(0.5));
        let (mut low, mut high) = ((zero, short), (one, whole));
        let (mut share, mut last) = (zero, zero);
        for _ in 0..STEPS {
            share = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
            let lack = self.lacks(share);
            let stays = L::select(zero.is_less(lack * last), half, one);
            let is_short = zero.is_less(lack);
            low = (L::select(is_short, share, low.0), L::select(is_short, lack, stays * low.1));
            high = (L::select(is_short, high.0, share), L::select(is_short, stays * high.1, lack));
            last = lack;
        }
        share
    }
}

/// The roll (radians) of a hand that is turned so on a forearm that is placed without, as far as it is shared.
#[inline(always)]
fn roll<L: Lanes>(limb: &Limb, lower: Turn<L>, hand: Turn<L>) -> L {
    let (like, whole) = (hand.w, hand.w.of(2.0 * PI));
    let (zero, pi, one) = (like.of(0.0), like.of(PI), like.of(1.0));
    let Turn { v, w } = lower.conjugate().then_after(hand);
    let line = Vector::of(like, limb.line);
    let along = line.dot(v);
    let middle = like.of(-limb.sign * MIDDLE as f32);
    let off = like.of(2.0) * atan2(along, w) - middle;
    let off = L::select(pi.is_less(off), off - whole, off);
    let off = L::select(off.is_less(-pi), off + whole, off);
    let farthest = FARTHEST as f32;
    let back = (pi - off.abs()) * like.of(farthest / (PI - farthest));
    let much = off.abs().or_less(back);
    let told = ((along * along + w * w) * like.of(1.0 / BENT as f32)).or_less(one);
    (middle + L::select(off.is_less(zero), -much, much)) * told
}
