//! Twist bones beside a forearm, in lanes: each has its share of the hand's roll, as in `sinew_rig`.

use crate::angle::sin_cos;
use crate::block::Tile;
use crate::body::limb::Placed;
use crate::body::parts::{Limb, Span};
use crate::number::Lanes;
use crate::vector::Turn;

/// Twist bones of an arm, at most.
pub(crate) const MOST: usize = 4;
/// Where a bone is turned by nearly half a turn aside, its roll is not known (square of the cosine of half the turn).
const KNOWN: f32 = 1e-3;

/// A bone that hangs on a forearm, with what more than that it has of the hand's roll, as a share.
#[derive(Clone, Debug)]
pub(crate) struct Twist {
    pub(crate) span: Span,
    pub(crate) share: f32,
}

impl Twist {
    /// Its local rotation: as it is in the pose given, but for the roll about its own line to the hand; and where that is clear and inside
    /// its limit.
    #[inline(always)]
    pub(crate) fn local<L: Lanes>(
        &self,
        limb: &Limb,
        placed: &Placed<L>,
        tile: &Tile<'_>,
        at: usize,
    ) -> (Turn<L>, L::Mask) {
        let (like, span) = (placed.total, &self.span);
        let riding = span.against_t_pose(tile.local(like, span.joint, at));
        let hand = limb.end.bone(like, tile.lengths, at).0 - span.bone(like, tile.lengths, at).0;
        let own = riding.conjugate().rotate(hand);
        let own = own * (like.of(1.0) / own.length());
        let twist = Turn { v: own * own.dot(riding.v), w: riding.w };
        let size = twist.v.dot(twist.v) + twist.w * twist.w;
        let none = Turn::of(like, [0.0, 0.0, 0.0, 1.0]);
        let (s, c) = sin_cos(placed.total * like.of(0.5 * self.share));
        let turned = riding.then_after(twist.normalized().conjugate()).then_after(Turn { v: own * s, w: c });
        let local = span.local(none, turned);
        (local, like.of(KNOWN).is_less(size) & span.inside.holds(local))
    }
}
