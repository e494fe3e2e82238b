//! Chains without limits: points and lengths.

use super::Chain;
use super::chain::MOST;
use super::closing::{Closing, solve};
use super::queue::{Row, Slot, WIDE, Work};
use crate::block::Block;
use crate::crowd::Crowd;
use crate::number::Lanes;
use crate::vector::Vector;

/// Length below which two points are one (metres).
const TINY: f32 = 1e-15;

/// Places of the joints, the last one the tip's, lengths of the bones, and the target.
pub(super) struct Points {
    places: [[Row; 3]; MOST + 1],
    lengths: [Row; MOST],
    target: [Row; 3],
}

/// A vector a lane.
#[inline(always)]
pub(super) fn vector<L: Lanes>(like: L, rows: &[Row; 3]) -> Vector<L> {
    Vector(like.load(&rows[0].0), like.load(&rows[1].0), like.load(&rows[2].0))
}

/// Writes a vector a lane.
#[inline(always)]
pub(super) fn set<L: Lanes>(rows: &mut [Row; 3], v: Vector<L>) {
    v.0.store(&mut rows[0].0);
    v.1.store(&mut rows[1].0);
    v.2.store(&mut rows[2].0);
}

impl Work for Points {
    #[allow(clippy::large_stack_arrays, reason = "a frame allocates nothing")]
    #[inline(always)]
    fn new() -> Self {
        Self { places: [[Row::ZERO; 3]; MOST + 1], lengths: [Row([1.0; WIDE]); MOST], target: [Row::ZERO; 3] }
    }

    fn take(&mut self, crowd: &Crowd, chain: &Chain, block: &Block<'_>, slot: Slot, lane: usize) {
        let lengths = block.lengths_of(slot.tile);
        let ends = chain.joints.iter().skip(1).chain([&chain.tip]);
        for (index, &end) in ends.enumerate() {
            let place = block.model(slot, chain.joints[index]);
            (0..3).for_each(|axis| self.places[index][axis].0[lane] = place[4 + axis]);
            self.lengths[index].0[lane] = crowd.bone(0.0_f32, end, lengths, slot.lane).length();
        }
        let target = block.model(slot, chain.tip);
        (0..3).for_each(|axis| self.target[axis].0[lane] = target[4 + axis]);
    }

    fn give(&self, chain: &Chain, block: &mut Block<'_>, slot: Slot, lane: usize) {
        for (index, joint) in chain.joints.iter().enumerate() {
            let place = self.places[index].map(|row| row.0[lane]);
            block.set_model(slot, 7 * joint + 4, &place);
        }
    }

    #[inline(always)]
    fn pass<L: Lanes>(&mut self, like: L, chain: &Chain) -> L {
        let bones = chain.joints.len();
        let target = vector(like, &self.target);
        let mut place = target;
        for index in (1..bones).rev() {
            place = toward(place, vector(like, &self.places[index]), like.load(&self.lengths[index].0));
            set(&mut self.places[index], place);
        }
        let mut place = vector(like, &self.places[0]);
        for index in 0..bones {
            let next = if index + 1 < bones { vector(like, &self.places[index + 1]) } else { target };
            place = toward(place, next, like.load(&self.lengths[index].0));
            set(&mut self.places[index + 1], place);
        }
        self.close(like, bones, target)
    }
}

/// The point at a length from another, towards a third.
#[inline(always)]
pub(super) fn toward<L: Lanes>(from: Vector<L>, to: Vector<L>, length: L) -> Vector<L> {
    let line = to - from;
    from + line * (length / line.length().or_more(length.of(TINY)))
}

impl Points {
    /// One Newton step of all bones' directions towards the target.
    #[inline(always)]
    fn close<L: Lanes>(&mut self, like: L, bones: usize, target: Vector<L>) -> L {
        let one = like.of(1.0);
        let mut sums = Closing::new(like);
        let mut from = vector(like, &self.places[0]);
        for index in 0..bones {
            let to = vector(like, &self.places[index + 1]);
            let length = like.load(&self.lengths[index].0);
            sums.add_across((to - from) * (one / length.or_more(like.of(TINY))), length);
            from = to;
        }
        let push = solve(&sums, target - from);
        let mut before = vector(like, &self.places[0]);
        let mut place = before;
        for index in 0..bones {
            let length = like.load(&self.lengths[index].0);
            let to = vector(like, &self.places[index + 1]);
            let line = (to - before) * (one / length.or_more(like.of(TINY)));
            before = to;
            let line = line + push - line * line.dot(push);
            place = place + line * (length / line.length());
            set(&mut self.places[index + 1], place);
        }
        (place - target).length()
    }
}
