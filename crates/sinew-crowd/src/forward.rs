//! Forward kinematics of the joints that a step needs.

use crate::block::Block;
use crate::crowd::Crowd;
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// Brings the model transforms of some joints up to date, in depth-first order.
#[inline(always)]
pub(crate) fn run<L: Lanes>(like: L, crowd: &Crowd, joints: &[u32], block: &mut Block<'_>, at: usize) {
    for &index in joints {
        let joint = index as usize;
        let bone = &crowd.bones[joint];
        let local = Turn::load(like, &block.rotations[4 * joint..][..4], at);
        let (turn, place, offset) = if let Some(parent) = bone.parent {
            let model = &block.models[7 * parent as usize..][..7];
            let (turn, place) = (Turn::load(like, model, at), Vector::load(like, &model[4..], at));
            let offset = Vector::of(like, bone.offset);
            let own = block.lengths.get(joint).map(|line| offset * like.load(&line.0[at..]));
            (turn, place, own.unwrap_or(offset))
        } else {
            let offset = Vector::load(like, &block.places[3 * bone.root..][..3], at);
            (Turn::of(like, bone.base), Vector::of(like, bone.offset), offset)
        };
        let model = &mut block.models[7 * joint..][..7];
        turn.then_after(local).store(model, at);
        (place + turn.rotate(offset)).store(&mut model[4..], at);
    }
}
