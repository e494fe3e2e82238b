//! The trunk in lanes: bent as people bend it, then by Newton's method until the head is in its place.

use sinew_rig::body::author::{DAMPING, LEAST_SHARE, LONGEST};

use crate::block::Line;
use crate::body::natural::{Natural, TrunkSeen};
use crate::body::parts::Span;
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// Joints of a trunk without the head, at most.
pub(crate) const MOST: usize = 8;
/// Newton steps at most; two or three are usual.
const STEPS: usize = 12;
/// Distance from the target that is none, and one that is left to the core, as shares of the length.
const THERE: f32 = 4e-7;
const FAR: f32 = 2e-6;
/// A trunk so straight is the core's (the least pivot, a share of the squared length).
const STRAIGHT: f32 = 3e-5;
/// Lean and head may not be turned by nearly half a turn (cosine of half the angle): there the shortest way changes.
const BACKWARDS: f32 = 0.02;

/// A trunk that is bent, in the frame of the hips.
pub(crate) struct Bent<L: Lanes> {
    /// Rotations of the joints without the head, against the T-pose.
    pub(crate) turns: [Turn<L>; MOST],
    /// Where the chest is, from the first joint.
    pub(crate) chest: Vector<L>,
    /// How far the head is from its target (metres).
    pub(crate) off: L,
    /// Where the lanes know it.
    pub(crate) clear: L::Mask,
}

/// The bones of a trunk and its joints' shares of a step.
struct Bones<L: Lanes> {
    each: [Vector<L>; MOST],
    shares: [L; MOST],
    length: L,
}

/// Bends a trunk whose head should be at `head` from its first joint, turned so; `hands` as [`TrunkSeen`] has them.
#[inline(always)]
pub(crate) fn bend<L: Lanes>(
    natural: &Natural,
    spans: &[Span],
    chest: usize,
    (head, rotation, hands): (Vector<L>, Turn<L>, [Vector<L>; 2]),
    (lengths, at): (&[Line], usize),
) -> Bent<L> {
    let like = head.0;
    let (zero, one) = (like.of(0.0), like.of(1.0));
    let none = Vector(zero, zero, zero);
    let spans = &spans[..spans.len().min(MOST)];
    let mut own = Bones { each: [none; MOST], shares: [zero; MOST], length: zero };
    let (mut places, mut straight) = ([zero; MOST], none);
    for (place, span) in spans.iter().enumerate() {
        let (bone, long) = span.bone(like, lengths, at);
        own.each[place] = bone;
        own.shares[place] = long;
        places[place] = own.length;
        own.length = own.length + long;
        straight = straight + bone;
    }
    let per = one / own.length;
    let (long, far) = (straight.length(), head.length());
    let (from, to) = (straight * (one / long), head * (one / far));
    let sum = from + to;
    let lean = Turn { v: from.cross(to), w: one + from.dot(to) }.normalized();
    let seen = TrunkSeen { lean: lean.vector(), head: rotation.vector(), stretch: far / long - one, hands };
    let [first, more] = natural.trunk(&seen);
    let mut bent = Bent { turns: [Turn { v: none, w: one }; MOST], chest: none, off: zero, clear: like.every_lane() };
    for ((place, share), turn) in places.iter().zip(&mut own.shares).zip(&mut bent.turns).take(spans.len()) {
        *share = (*share * per).or_more(like.of(LEAST_SHARE as f32));
        *turn = Turn::by(first + more * (*place * per));
    }
    let backwards = like.of(BACKWARDS);
    bent.clear = backwards.is_less(rotation.w.abs()) & (backwards + backwards).is_less(sum.length());
    reach(&own, spans.len(), chest, head, &mut bent);
    bent
}

/// Newton's method on all joints at once, those of longer bones turning more, until the head is there.
#[inline(always)]
fn reach<L: Lanes>(own: &Bones<L>, joints: usize, chest: usize, head: Vector<L>, bent: &mut Bent<L>) {
    let like = head.0;
    let none = Vector(like.of(0.0), like.of(0.0), like.of(0.0));
    for step in 0..=STEPS {
        let (mut from, mut end) = ([none; MOST], none);
        for ((from, turn), bone) in from.iter_mut().zip(&bent.turns).zip(&own.each).take(joints) {
            *from = end;
            end = end + turn.rotate(*bone);
        }
        let off = head - end;
        (bent.chest, bent.off) = (from[chest], off.length());
        let moves = (own.length * like.of(THERE)).is_less(bent.off);
        if step == STEPS || !L::any(moves) {
            break;
        }
        let (pull, clear) = pull(own, joints, &from, end, off);
        bent.clear = bent.clear & (clear | !moves);
        turn(own, joints, (&from, end), pull, moves, &mut bent.turns);
    }
    bent.clear = bent.clear & bent.off.is_at_most(own.length * like.of(FAR));
}

/// What pulls at the head: the normal equations of its three coordinates, damped, solved; and where they are well told.
#[inline(always)]
fn pull<L: Lanes>(
    own: &Bones<L>,
    joints: usize,
    from: &[Vector<L>; MOST],
    end: Vector<L>,
    off: Vector<L>,
) -> (Vector<L>, L::Mask) {
    let like = off.0;
    let square = own.length * own.length;
    let damping = square * like.of(DAMPING as f32);
    let zero = like.of(0.0);
    let ([mut xx, mut yy, mut zz], [mut xy, mut xz, mut yz]) = ([damping; 3], [zero; 3]);
    for (from, share) in from.iter().zip(&own.shares).take(joints) {
        let (Vector(x, y, z), share) = (end - *from, *share);
        xx = xx + share * (y * y + z * z);
        yy = yy + share * (x * x + z * z);
        zz = zz + share * (x * x + y * y);
        xy = xy - share * (x * y);
        xz = xz - share * (x * z);
        yz = yz - share * (y * z);
    }
    // L D Lᵀ.
    let (a, b) = (xy / xx, xz / xx);
    let (second, mixed) = (yy - a * xy, yz - a * xz);
    let c = mixed / second;
    let third = zz - b * xz - c * mixed;
    let y = off.1 - a * off.0;
    let z = (off.2 - b * off.0 - c * y) / third;
    let y = y / second - c * z;
    let least = square * like.of(STRAIGHT);
    let clear = least.is_less(xx) & least.is_less(second) & least.is_less(third);
    (Vector(off.0 / xx - a * y - b * z, y, z), clear)
}

/// Turns the joints, each with all above it, none by more than so much.
#[inline(always)]
fn turn<L: Lanes>(
    own: &Bones<L>,
    joints: usize,
    (from, end): (&[Vector<L>; MOST], Vector<L>),
    pull: Vector<L>,
    moves: L::Mask,
    turns: &mut [Turn<L>; MOST],
) {
    let like = pull.0;
    let zero = like.of(0.0);
    let (mut ways, mut longest) = ([Vector(zero, zero, zero); MOST], zero);
    for place in 0..joints {
        let way = (end - from[place]).cross(pull) * own.shares[place];
        longest = longest.or_more(way.dot(way));
        ways[place] = way;
    }
    let shorter = (like.of(LONGEST as f32) / longest.sqrt()).or_less(like.of(1.0));
    let mut sum = Vector(zero, zero, zero);
    for place in 0..joints {
        sum = sum + ways[place] * shorter;
        let new = Turn::by(sum).then_after(turns[place]).renormalized();
        turns[place] = Turn::select(moves, new, turns[place]);
    }
}
