//! Forward kinematics of the joints that a step needs.

use crate::block::Tile;
use crate::crowd::Crowd;
use crate::given::after;
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// Brings the model transforms of some joints up to date, in depth-first order.
#[inline(always)]
pub(crate) fn run<L: Lanes>(like: L, crowd: &Crowd, joints: &[u32], tile: &mut Tile<'_>, at: usize) {
    // Most joints are the child of the one before, whose transform need not be read again.
    let mut last = (None, Turn::of(like, [0.0; 4]), Vector::of(like, [0.0; 3]));
    for &index in joints {
        let joint = index as usize;
        let parent = crowd.bones[joint].parent;
        let (above, place) = if parent.is_some() && parent == last.0 {
            (Some(last.1), last.2 + last.1.rotate(crowd.bone(like, joint, tile.lengths, at)))
        } else {
            frame(like, crowd, joint, tile, at)
        };
        let turn = after(above, tile.local(like, joint, at));
        let model = &mut tile.models[7 * joint..][..7];
        turn.store(model, at);
        place.store(&mut model[4..], at);
        last = (Some(index), turn, place);
    }
}

/// The frame that a joint turns in: its rotation, `None` where it is none, and where the joint is in model space.
#[inline(always)]
pub(crate) fn frame<L: Lanes>(
    like: L,
    crowd: &Crowd,
    joint: usize,
    tile: &Tile<'_>,
    at: usize,
) -> (Option<Turn<L>>, Vector<L>) {
    let bone = &crowd.bones[joint];
    let (turn, place, offset) = if let Some(parent) = bone.parent {
        let parent = parent as usize;
        (tile.turn(like, parent, at), tile.place(like, parent, at), crowd.bone(like, joint, tile.lengths, at))
    } else {
        let place = Vector::load(like, &tile.places[3 * bone.root..][..3], at);
        let base = Vector::of(like, bone.offset);
        if !bone.is_turned {
            return (None, base + place);
        }
        (Turn::of(like, bone.base), base, place)
    };
    (Some(turn), place + turn.rotate(offset))
}
