//! The plane in which a limb of two bones bends, and how far: poles, the bend of the pose given or of rest, and part of the way.

use crate::angle::{part_of_turn, turn_between, turned};
use crate::given::{Given, TINY, rotated};
use crate::number::Lanes;
use crate::outcome::Asked;
use crate::two_bone::Limb;
use crate::vector::{Turn, Vector};

/// Sine below which a limb counts as straight and its plane as unknown.
const STRAIGHT: f32 = 1e-5;
/// Sine below which rounding tilts the axis that the limb folds about.
const FLAT: f32 = 0.1;
/// Square of the sine of a pole's angle to the line from which it is clearly across.
const CLEAR: f32 = 0.01;
/// Share of the distance asked for from which the plane given counts wholly, as in `sinew`.
pub(crate) const WHOLE: f32 = 1.0 / 8.0;

/// The root joint's new rotation in model space, the turn of the middle joint before that in the root joint's frame, and the line to the
/// target. What few limbs need is counted only where a lane needs it, and then selected, so that no lane's numbers hang on another's.
#[inline(always)]
pub(crate) fn bend<L: Lanes>(
    like: L,
    limb: &Limb,
    given: &Given<L>,
    asked: &Asked<L>,
    (d, solved): (L, L),
) -> (Turn<L>, Turn<L>, Vector<L>) {
    let Given { a, c, l1, l2, r1, tiny, .. } = *given;
    let Asked { p, seen, free, share, .. } = *asked;
    let (zero, one) = (like.of(0.0), like.of(1.0));
    // How the limb lies: its first bone and the axis about which it folds.
    let first = Vector::select(tiny.is_less(l1) & l1.is_finite(), a * r1, Vector::of(like, [0.0, 1.0, 0.0]));
    let cross = a.cross(c);
    let own = cross.length();
    let bent = (l1 * l2 * like.of(STRAIGHT)).is_less(own);
    let mut normal = cross * (one / own);
    let flat = own.is_less(l1 * l2 * like.of(FLAT));
    if L::any(flat) {
        normal = Vector::select(flat, normal.reject(first).renormalized(), normal);
    }
    // Near straight the plane given counts in part; the second bone turns with it about the first.
    let size = l1 + l2;
    let far = solved.or_more(tiny);
    let r = one / far;
    let forward = like.of(0.5) * (solved * solved + (l1 - l2) * size) * r;
    let area = ((size - solved) * (size + solved)) * ((solved - (l1 - l2).abs()) * (solved + (l1 - l2).abs()));
    let aside = like.of(0.5) * area.sqrt_clamped() * r;
    // A tip on its root: the middle joint is straight aside.
    let folded = solved.is_at_most(tiny);
    let (forward, aside) = (L::select(folded, zero, forward), L::select(folded, l1, aside));
    // The chord is no longer than both bones.
    let part = share.is_less(one);
    let keeps = if limb.rest_bend { like.no_lane() } else { free };
    let straight = !bent | (own.is_less(like.of(1.01 * WHOLE) * aside * size) & (keeps | part));
    let lie = Lie { first, normal, c, own, lean: None };
    let (lie, stance) = if L::any(straight) {
        // Part of the way to another plane the limb begins in the one that it leans to, and folds in its own.
        let own = lie.leaning(like, limb, given, (bent, aside), keeps);
        (own, if L::any(part) { lie.leaning(like, limb, given, (bent, aside), keeps | part) } else { own })
    } else {
        (lie, lie)
    };

    let line = p * (one / d);
    // A pole that is clearly across is rejected once.
    let across = seen.reject(line);
    let square = across.dot(across);
    let clear = (seen.dot(seen) * like.of(CLEAR)).is_less(square) & like.of(1e-30).is_less(square);
    let unclear = !clear | part | d.is_at_most(tiny);
    let (mut line, mut bend) = (line, across * (one / square.sqrt()));
    if L::any(unclear) {
        let other = stance.without_pole(like, limb, given, asked, d);
        (line, bend) = (Vector::select(unclear, other.0, line), Vector::select(unclear, other.1, bend));
    }

    // The middle joint's turn about the normal: from the angle it has to the one that it should have.
    let mid = line * (forward * r1) + bend * (aside * r1);
    let rest = solved - forward;
    let scale = r1 / l2.or_more(tiny).or_more(like.of(TINY));
    let (cos_now, sin_now) = (a.dot(lie.c) * scale, lie.own * scale);
    let (cos_then, sin_then) = ((forward * rest - aside * aside) * scale, aside * solved * scale);
    let root = Turn::between_frames(lie.first, lie.normal, mid, bend.cross(line));
    let turn = (cos_then * cos_now + sin_then * sin_now, sin_then * cos_now - cos_then * sin_now);
    let fold = Turn::about(lie.normal, turn.0, turn.1);
    (root, lie.lean.map_or(fold, |lean| fold.then_after(lean)), line)
}

/// How a limb lies, in its root joint's frame: its first bone's direction, the axis about which it folds, its second bone, and the area between both.
#[derive(Clone, Copy)]
struct Lie<L: Lanes> {
    first: Vector<L>,
    normal: Vector<L>,
    c: Vector<L>,
    own: L,
    /// What the second bone turns by before it folds.
    lean: Option<Turn<L>>,
}

impl<L: Lanes> Lie<L> {
    /// The same with the axis that the limb prefers, where it is straight, and in part where it nearly is and `keeps` its plane.
    #[inline(always)]
    fn leaning(self, like: L, limb: &Limb, given: &Given<L>, (bent, aside): (L::Mask, L), keeps: L::Mask) -> Self {
        let Self { first, normal, c, own, .. } = self;
        let Given { a, tiny, .. } = *given;
        let one = like.of(1.0);
        let axis = Vector::of(like, limb.preferred);
        let preferred = axis.unit_reject_or(first, 1e-6, first.any_perpendicular());
        let normal = Vector::select(bent, normal, preferred);
        let off = own / (a + c).length().or_more(tiny);
        let leaning = off.is_less(like.of(WHOLE) * aside) & keeps;
        if !L::any(leaning) {
            return Self { normal, ..self };
        }
        let part = (off / (like.of(WHOLE) * aside)).or_less(one);
        let fold = part_of_turn(preferred, normal, first, part);
        let along = first * first.dot(c);
        let across = fold.cross(first) * c.reject(first).length();
        let leant = Vector::select(leaning, along + across, c);
        let lean = Turn::arc(c.unit_or(tiny, first), leant.unit_or(tiny, first), first.any_perpendicular());
        let none = Turn::of(like, [0.0, 0.0, 0.0, 1.0]);
        let lean = Some(Turn::select(leaning, lean, none));
        Self { first, normal: Vector::select(leaning, fold, normal), c: leant, own: a.cross(leant).length(), lean }
    }

    /// The line to the target and the bend across it: as far as no pole says it, the one that goes along with the limb. At part of the
    /// weight it is turned from there by that part of the turn that it would have to make at the whole target.
    #[inline(always)]
    fn without_pole(&self, like: L, limb: &Limb, given: &Given<L>, asked: &Asked<L>, d: L) -> (Vector<L>, Vector<L>) {
        let Given { above, tiny, .. } = *given;
        let Asked { p, whole, seen, free, share, .. } = *asked;
        let (one, turn) = (like.of(1.0), given.turn());
        let along = (given.a + self.c).unit_or(tiny, self.first.cross(self.normal));
        let own = (turn.rotate(along), turn.rotate(self.normal));
        let [along, fold] = limb.rest;
        let at_rest = (rotated(above, Vector::of(like, along)), rotated(above, Vector::of(like, fold)));
        // A pole along the line leaves the plane of the pose given, whatever the limb does without one.
        let rests = free & tiny.is_less(d);
        let reference = if limb.rest_bend {
            (Vector::select(rests, at_rest.0, own.0), Vector::select(rests, at_rest.1, own.1))
        } else {
            own
        };
        let line = Vector::select(d.is_at_most(tiny), reference.0, p * (one / d));
        let bend = seen.unit_reject_or(line, 1e-5, line.cross(carried(like, reference, line)));
        let part = share.is_less(one);
        if !L::any(part) {
            return (line, bend);
        }
        let end = whole.unit_or(tiny, line);
        let from = end.cross(carried(like, own, end));
        let to = seen.unit_reject_or(end, 1e-5, end.cross(carried(like, reference, end)));
        let now = line.cross(carried(like, own, line));
        let turn = turn_between(from, to, end) * share;
        (line, Vector::select(part, turned(now, line, turn), bend))
    }
}

/// The fold axis that goes along with a line of the limb and its own fold axis as the line turns, by the shortest turn.
#[inline(always)]
pub(crate) fn carried<L: Lanes>(like: L, (now, kept): (Vector<L>, Vector<L>), line: Vector<L>) -> Vector<L> {
    let square = like.of(1.0) + now.dot(line);
    let opposite = square.is_less(like.of(1e-5));
    let along = kept - (now + line) * (kept.dot(line) / square.or_more(like.of(1e-5)));
    let (carried, clear) = Vector::select(opposite, -kept, along).unit_reject(line, 1e-6);
    if L::any(!clear) { Vector::select(clear, carried, line.any_perpendicular()) } else { carried }
}
