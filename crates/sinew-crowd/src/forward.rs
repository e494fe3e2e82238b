//! Forward kinematics of the joints that a step needs.

use crate::block::Tile;
use crate::crowd::Crowd;
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// Brings the model transforms of some joints up to date, in depth-first order.
#[inline(always)]
pub(crate) fn run<L: Lanes>(like: L, crowd: &Crowd, joints: &[u32], tile: &mut Tile<'_>, at: usize) {
    for &index in joints {
        let joint = index as usize;
        let bone = &crowd.bones[joint];
        let local = Turn::load(like, &tile.rotations[4 * joint..][..4], at);
        let (turn, place, offset) = if let Some(parent) = bone.parent {
            let model = &tile.models[7 * parent as usize..][..7];
            let (turn, place) = (Turn::load(like, model, at), Vector::load(like, &model[4..], at));
            (turn, place, crowd.bone(like, joint, tile.lengths, at))
        } else {
            let offset = Vector::load(like, &tile.places[3 * bone.root..][..3], at);
            (Turn::of(like, bone.base), Vector::of(like, bone.offset), offset)
        };
        let model = &mut tile.models[7 * joint..][..7];
        turn.then_after(local).store(model, at);
        (place + turn.rotate(offset)).store(&mut model[4..], at);
    }
}
