//! Joints between those of a body, which hold their pose: lanes know them as they are at rest.

use sinew::{Joint, Skeleton};
use sinew_rig::body::author::Layout;

use crate::block::Tile;
use crate::body::MET;
use crate::limit::narrow;
use crate::number::Lanes;
use crate::vector::Turn;

/// A joint between two of a body.
#[derive(Clone, Debug)]
pub(crate) struct Between {
    joint: usize,
    /// The joint of the body below it.
    end: usize,
    rest: [f32; 4],
}

/// Joints above one of the body, from the nearest up to the next of the body; none of the hips.
pub(crate) fn others(layout: &Layout, skeleton: &Skeleton, joint: Joint) -> impl Iterator<Item = Joint> {
    let is_other = |joint: &Joint| layout.joints.iter().all(|(own, _)| own != joint);
    let above = core::iter::successors(skeleton.parent(joint), |&joint| skeleton.parent(joint));
    above.take_while(is_other).filter(move |_| joint != layout.hips)
}

impl Between {
    /// All of them.
    pub(crate) fn all(layout: &Layout, skeleton: &Skeleton) -> Vec<Self> {
        let above = |end: Joint| {
            others(layout, skeleton, end).map(move |joint| Self {
                joint: joint.index(),
                end: end.index(),
                rest: narrow(skeleton.rest(joint).rotation),
            })
        };
        layout.joints.iter().flat_map(|&(joint, _)| above(joint)).collect()
    }

    /// Where it is turned as at rest, and its bone as many times as long as that of the joint below.
    #[inline(always)]
    pub(crate) fn is_at_rest<L: Lanes>(&self, like: L, tile: &Tile<'_>, at: usize) -> L::Mask {
        let off = tile.local(like, self.joint, at).conjugate().then_after(Turn::of(like, self.rest)).v;
        let rests = off.dot(off).is_at_most(like.of(MET * MET));
        let (Some(own), Some(end)) = (tile.lengths.get(self.joint), tile.lengths.get(self.end)) else { return rests };
        let apart = like.load(&own.0[at..]) - like.load(&end.0[at..]);
        rests & apart.abs().is_at_most(like.of(0.0))
    }
}
