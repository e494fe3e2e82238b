//! How a limb of two bones lies in the pose given, seen from its root joint: from local rotations alone, so that the limb's own joints need
//! no model transforms.

use crate::block::Tile;
use crate::crowd::Crowd;
use crate::forward::frame;
use crate::number::Lanes;
use crate::two_bone::Limb;
use crate::vector::{Turn, Vector};

/// A limb in the pose given. A rotation that is `None` is none.
#[derive(Clone, Copy)]
pub(crate) struct Given<L: Lanes> {
    /// Rotation of the frame that the root joint turns in, and where the root is (model space).
    pub(crate) above: Option<Turn<L>>,
    pub(crate) from: Vector<L>,
    /// Local rotations of the root and of the middle joint.
    pub(crate) root: Turn<L>,
    pub(crate) mid: Turn<L>,
    /// Rotation of the frame that the middle joint turns in, in the root joint's frame.
    pub(crate) upper: Option<Turn<L>>,
    /// Both bones in the root joint's frame, and the second one in the middle joint's.
    pub(crate) a: Vector<L>,
    pub(crate) c: Vector<L>,
    pub(crate) second: Vector<L>,
    /// Lengths of both, and one over the first one's.
    pub(crate) l1: L,
    pub(crate) l2: L,
    pub(crate) r1: L,
    /// Length below which nothing has a direction.
    pub(crate) tiny: L,
}

/// First `turn`, then the other one, if there is one.
#[inline(always)]
pub(crate) fn after<L: Lanes>(other: Option<Turn<L>>, turn: Turn<L>) -> Turn<L> {
    if let Some(other) = other { other.then_after(turn) } else { turn }
}

/// A rotation as seen in a frame.
#[inline(always)]
pub(crate) fn inside<L: Lanes>(frame: Option<Turn<L>>, turn: Turn<L>) -> Turn<L> {
    if let Some(frame) = frame { frame.conjugate().then_after(turn) } else { turn }
}

/// A vector of a frame.
#[inline(always)]
pub(crate) fn rotated<L: Lanes>(frame: Option<Turn<L>>, v: Vector<L>) -> Vector<L> {
    if let Some(frame) = frame { frame.rotate(v) } else { v }
}

impl<L: Lanes> Given<L> {
    /// Reads it; the model transform of the joint above the root must be up to date.
    #[inline(always)]
    pub(crate) fn read(like: L, crowd: &Crowd, limb: &Limb, tile: &Tile<'_>, at: usize) -> Self {
        let (above, from) = frame(like, crowd, limb.root, tile, at);
        let mid = tile.local(like, limb.mid, at);
        let (a, upper, l1) = bone(like, crowd, &limb.to_mid, tile, at);
        let (second, _, l2) = bone(like, crowd, &limb.to_tip, tile, at);
        let tiny = (l1 + l2) * like.of(1e-6);
        Self {
            above,
            from,
            root: tile.local(like, limb.root, at),
            mid,
            upper,
            a,
            c: rotated(upper, mid.rotate(second)),
            second,
            l1,
            l2,
            r1: like.of(1.0) / l1.or_more(tiny).or_more(like.of(TINY)),
            tiny,
        }
    }

    /// The root joint's rotation in model space.
    #[inline(always)]
    pub(crate) fn turn(&self) -> Turn<L> {
        after(self.above, self.root)
    }

    /// The middle joint's local rotation once it is turned in the root joint's frame.
    #[inline(always)]
    pub(crate) fn folded(&self, fold: Turn<L>) -> Turn<L> {
        inside(self.upper, fold.then_after(after(self.upper, self.mid)))
    }

    /// A pole, a direction or a point, seen from the root, and where there is none.
    #[inline(always)]
    pub(crate) fn pole(&self, pole: Vector<L>, is_point: L) -> (Vector<L>, L::Mask) {
        let zero = is_point.of(0.0);
        let seen = Vector::select(zero.is_less(is_point), pole - self.from, pole);
        (seen, pole.dot(pole).is_at_most(zero) & is_point.is_at_most(zero))
    }

    /// From the root to the tip in model space.
    #[inline(always)]
    pub(crate) fn tip(&self) -> Vector<L> {
        self.turn().rotate(self.a + self.c)
    }
}

/// What no bone that counts is as short as (metres), so that nothing is divided by 0.
pub(crate) const TINY: f32 = 1e-30;

/// From a joint to the last one of those below it, in its frame; the rotation of the frame of the last one, and how far it is.
#[inline(always)]
fn bone<L: Lanes>(
    like: L,
    crowd: &Crowd,
    below: &[usize],
    tile: &Tile<'_>,
    at: usize,
) -> (Vector<L>, Option<Turn<L>>, L) {
    if let [only] = *below {
        return (crowd.bone(like, only, tile.lengths, at), None, crowd.length(like, only, tile.lengths, at));
    }
    let (mut turn, mut place, mut above) = (None, Vector::of(like, [0.0; 3]), None);
    for &joint in below {
        if let Some(above) = above {
            turn = Some(after(turn, tile.local(like, above, at)));
        }
        place = place + rotated(turn, crowd.bone(like, joint, tile.lengths, at));
        above = Some(joint);
    }
    (place, turn, place.length())
}
