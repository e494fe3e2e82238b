//! What a limb's goal asks, and what came of it: new rotations, status and error.

use crate::bend::bend;
use crate::block::{TOLD, Tile};
use crate::given::{Given, inside};
use crate::goals::{HELD, IGNORED, INVALID, REACHED, SINGULAR, SOFTENED, is};
use crate::inside::Inside;
use crate::limited::{self, Limits};
use crate::number::Lanes;
use crate::two_bone::Limb;
use crate::vector::{Turn, Vector};

/// Share of the distance asked for within which a goal of part weight is met all the same.
const SHORT: f32 = 1e-5;

/// What a limb is asked, seen from its root.
pub(crate) struct Asked<L: Lanes> {
    /// Where its tip should be, and where it should be at weight one.
    pub(crate) p: Vector<L>,
    pub(crate) whole: Vector<L>,
    /// To where it bends, and where it has no pole.
    pub(crate) seen: Vector<L>,
    pub(crate) free: L::Mask,
    /// As [`share`] says.
    pub(crate) share: L,
}

/// The weight of a goal, at most 1. A goal without weight counts as a whole one, since its answer is not used, and part of the way
/// takes longer.
#[inline(always)]
pub(crate) fn share<L: Lanes>(weight: L) -> L {
    let (zero, one) = (weight.of(0.0), weight.of(1.0));
    L::select(weight.is_at_most(zero), one, weight.or_less(one))
}

/// What came of it.
pub(crate) struct Bent<L: Lanes> {
    /// The root joint's new rotation in model space, and how its middle joint turns before that, in the root joint's frame.
    turn: Turn<L>,
    fold: Turn<L>,
    /// The new local rotations of both joints, and of a tip that keeps its rotation in model space.
    root: Turn<L>,
    mid: Turn<L>,
    kept: Option<(usize, Turn<L>)>,
    /// Where the tip is, seen from the root, in the lanes that move.
    pub(crate) end: Vector<L>,
    pub(crate) moves: L::Mask,
    pub(crate) status: L,
    /// Where a limit may stop the limb, so that the core must look.
    pub(crate) left: L::Mask,
}

/// How a limb bends to what is asked, in the lanes in which it can.
#[inline(always)]
pub(crate) fn bend_to<L: Lanes>(
    like: L,
    limb: &Limb,
    limits: Option<&Limits>,
    given: &Given<L>,
    asked: &Asked<L>,
    weight: L,
) -> Bent<L> {
    let Asked { p, seen, .. } = *asked;
    let Given { l1, l2, tiny, .. } = *given;
    let (zero, all) = (like.of(0.0), like.every_lane());
    let d = p.length();
    let (turn, fold, mid, line, (solved, status), clear) = if let Some(limits) = limits {
        let limited::Found { turn, fold, mid, line, span, clear } = limited::bend(like, limb, limits, given, asked, d);
        (turn, fold, mid, line, span, clear)
    } else {
        let span = limb.span(d, [l1, l2], [(l1 - l2).abs(), l1 + l2]);
        let (turn, fold, line) = bend(like, limb, given, asked, (d, span.0));
        (turn, fold, given.folded(fold), line, span, all)
    };

    let (root, mid) = (inside(given.above, turn).renormalized(), mid.renormalized());
    let solid = tiny.is_less(l1) & tiny.is_less(l2) & zero.is_less(l1 + l2);
    // The pose given counts, too, whether it is needed or not.
    let check = p.dot(p) + seen.dot(seen) + l1 + l2 + weight + given.root.sum() + given.mid.sum();
    let heavy = zero.is_less(weight) | !weight.is_finite();
    let (finite, left) = if let Some(limits) = limits {
        let finite = check.is_finite();
        (finite, finite & solid & heavy & !(clear & limits.hold(root, mid)))
    } else {
        ((check + root.w + mid.w).is_finite(), like.no_lane())
    };
    let held = if limb.holds { status.is_less(like.of(HELD)) } else { all };
    let moves = finite & solid & heavy & held & !left;
    let status = L::select(solid, status, like.of(SINGULAR));
    let status = L::select(finite, status, like.of(INVALID));
    Bent { turn, fold, root, mid, kept: None, end: line * solved, moves, status, left }
}

impl<L: Lanes> Bent<L> {
    /// How what hangs on the limb is turned now that the limb carries it along, from the root joint's rotation in the pose given (model
    /// space).
    #[inline(always)]
    pub(crate) fn moved(&self, root: Turn<L>) -> Turn<L> {
        self.turn.then_after(self.fold).then_after(root.conjugate())
    }

    /// Keeps a tip's rotation in model space below a joint that is carried along by a turn, as far as its limit lets it.
    #[inline(always)]
    pub(crate) fn keep_turn(
        &mut self,
        like: L,
        carried: Turn<L>,
        (above, tip): (usize, usize),
        limit: &Inside,
        tile: &Tile<'_>,
        at: usize,
    ) {
        let above = carried.then_after(tile.turn(like, above, at));
        let new = above.conjugate().then_after(tile.turn(like, tip, at)).normalized();
        self.leave(!limit.holds(new));
        self.kept = Some((tip, new));
    }

    /// Leaves lanes that would move to the core.
    #[inline(always)]
    pub(crate) fn leave(&mut self, lanes: L::Mask) {
        self.left = self.left | (self.moves & lanes);
        self.moves = self.moves & !self.left;
    }

    /// Writes the new local rotations in the lanes that move.
    #[inline(always)]
    pub(crate) fn write(&self, limb: &Limb, tile: &mut Tile<'_>, at: usize) {
        tile.set_local(limb.root, self.root, self.moves, at);
        tile.set_local(limb.mid, self.mid, self.moves, at);
        if let Some((tip, new)) = self.kept {
            tile.set_local(tip, new, self.moves, at);
        }
    }

    /// Writes status, error and iterations: how far the end is from what was `asked`, seen from the root, or
    /// as far as it is `away` where nothing moves.
    #[inline(always)]
    pub(crate) fn tell(
        &self,
        like: L,
        (asked, away): (Vector<L>, Vector<L>),
        weight: L,
        step: usize,
        tile: &mut Tile<'_>,
        at: usize,
    ) {
        let (zero, one) = (like.of(0.0), like.of(1.0));
        let heavy = zero.is_less(weight) | !weight.is_finite();
        let result = &mut tile.results[TOLD * step..][..TOLD];
        let mut miss = (self.end - asked).length();
        if L::any(!self.moves) {
            miss = L::select(self.moves, miss, away.length());
        }
        let mut status = self.status;
        if L::any(weight.is_less(one)) {
            // Short of the goal on purpose.
            let short = weight.is_less(one) & (asked.length() * like.of(SHORT)).is_less(miss);
            status = L::select(short & is(status, REACHED), like.of(SOFTENED), status);
        }
        L::select(heavy, status, like.of(IGNORED)).store(&mut result[0].0[at..]);
        L::select(heavy & miss.is_finite(), miss, zero).store(&mut result[1].0[at..]);
        L::select(self.moves, one, zero).store(&mut result[2].0[at..]);
    }
}
