//! Chains without limits: points for a sweep, then unit directions of the bones, in the lines of their tiles.

#[cfg(test)]
mod cost;

use super::Chain;
use super::closing::{Closing, solve};
use super::sweep::{Bones, Place, Sweep, Swept, over};
use crate::block::{Block, TOLD, Tile, places};
use crate::crowd::Crowd;
use crate::goals::{OUT_OF_ITERATIONS, PENDING, REACHED, is};
use crate::number::Lanes;
use crate::vector::Vector;

/// Registers that are swept side by side: each bone of a sweep waits for the one before, which leaves room for others.
const GROUPS: usize = 4;
/// What a Newton step must leave at most of the distance, so that no sweep comes before the next one.
const GAIN: f32 = 0.5;

/// A register of chains, in the lines of the block.
#[derive(Clone, Copy)]
struct Group<L: Lanes> {
    tile: usize,
    place: Place,
    target: Vector<L>,
    /// Length of the chain.
    length: L,
    /// How near is near enough.
    near: L,
    passes: L,
    active: L::Mask,
    /// What the directions of the bones make of the tip.
    tip: Vector<L>,
    sums: Closing<L>,
}

impl<L: Lanes> Group<L> {
    /// A sweep of some lanes.
    #[inline(always)]
    fn sweep(self, sweeps: L::Mask) -> Sweep<L> {
        Sweep { place: self.place, target: self.target, sweeps, tip: self.target }
    }

    /// Begins to lay the bones from the base out.
    #[inline(always)]
    fn begin(&self, like: L, bones: &Bones<'_>, base: usize) -> Laid<L> {
        let tip = self.place.load(like, bones, self.place.point(base));
        Laid { tip, sums: Closing::new_across(like, self.length) }
    }
}

/// Bones laid from the base out: by themselves, so that their numbers stay in registers.
struct Laid<L: Lanes> {
    tip: Vector<L>,
    sums: Closing<L>,
}

impl<L: Lanes> Laid<L> {
    /// Lays the next bone.
    #[inline(always)]
    fn lay(&mut self, unit: Vector<L>, length: L) {
        let bone = unit * length;
        self.sums.subtract(bone, unit);
        self.tip = self.tip + bone;
    }
}

/// The chains of a block.
struct Work<'a, 'b> {
    crowd: &'a Crowd,
    chain: &'a Chain,
    step: usize,
    block: &'a mut Block<'b>,
}

/// Works until every chain has ended. A chain's numbers hang on no other's.
#[inline(always)]
pub(super) fn run<L: Lanes>(like: L, crowd: &Crowd, chain: &Chain, step: usize, block: &mut Block<'_>) {
    Work { crowd, chain, step, block }.run(like);
}

impl Work<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, like: L) {
        let mut waiting = places(like, self.block.tiles);
        let mut groups = [self.take(like, 0, 0); GROUPS];
        loop {
            let mut held = 0;
            while held < GROUPS {
                let Some((tile, at)) = waiting.next() else { break };
                groups[held] = self.take(like, tile, at);
                held += usize::from(L::any(groups[held].active));
            }
            let are_swept = held == GROUPS;
            if are_swept {
                let [a, b, c, d] = &groups;
                let [a, b, c, d] = [a.sweep(a.active), b.sweep(b.active), c.sweep(c.active), d.sweep(d.active)];
                let ((a, b), (c, d)) = self.sweep(like, ((a, b), (c, d)));
                for (group, sweep) in groups.iter_mut().zip([a, b, c, d]) {
                    group.tip = sweep.tip;
                }
            }
            for group in &mut groups[..held] {
                self.close(like, group, are_swept);
            }
            if held < GROUPS {
                return;
            }
        }
    }

    /// The chains of some lanes that have something to do.
    #[inline(always)]
    fn take<L: Lanes>(&self, like: L, tile: usize, at: usize) -> Group<L> {
        let lines = &self.block.lines;
        let models = lines.models.len() / self.block.tiles * tile;
        let lengths = self.block.lengths_of(tile);
        let mut length = like.of(0.0);
        for &end in &self.chain.ends {
            length = length + self.crowd.length(like, end, lengths, at);
        }
        let code = like.load(&lines.results[self.result(tile)].0[at..]);
        let target = Vector::load(like, &lines.models[models + 7 * self.chain.tip + 4..][..3], at);
        Group {
            tile,
            place: Place { models, lengths: lines.lengths.len() / self.block.tiles * tile, at },
            target,
            length,
            near: length * like.of(self.chain.tolerance),
            passes: like.of(0.0),
            active: is(code, PENDING),
            tip: target,
            sums: Closing::new(like),
        }
    }

    /// The first line of the chain's results.
    fn result(&self, tile: usize) -> usize {
        self.block.lines.results.len() / self.block.tiles * tile + TOLD * self.step
    }

    /// Newton steps until all chains of a register have ended, and sweeps before those that gain too little.
    #[inline(always)]
    fn close<L: Lanes>(&mut self, like: L, group: &mut Group<L>, is_swept: bool) {
        let mut slow = if is_swept { like.no_lane() } else { group.active };
        if is_swept {
            self.gather(like, group);
        }
        loop {
            if L::any(slow) {
                self.place(like, group);
                group.tip = self.sweep(like, group.sweep(slow)).tip;
                self.gather(like, group);
            }
            let before = (group.tip - group.target).length();
            self.turn(like, group);
            let error = (group.tip - group.target).length();
            if self.has_ended(like, group, error) {
                return;
            }
            slow = group.active & (before * like.of(GAIN)).is_less(error);
        }
    }

    /// Writes how the chains fared that have ended with this pass; whether all have.
    #[inline(always)]
    fn has_ended<L: Lanes>(&mut self, like: L, group: &mut Group<L>, error: L) -> bool {
        let one = like.of(1.0);
        group.passes = L::select(group.active, group.passes + one, group.passes);
        let reached = error.is_at_most(group.near);
        let ends = group.active & (reached | like.of(self.chain.iterations as f32).is_at_most(group.passes));
        let first = self.result(group.tile);
        let lines = &mut self.block.lines.results[first..][..TOLD];
        let code = L::select(reached, like.of(REACHED), like.of(OUT_OF_ITERATIONS));
        let before = like.load(&lines[0].0[group.place.at..]);
        L::select(ends, code, before).store(&mut lines[0].0[group.place.at..]);
        group.passes.store(&mut lines[2].0[group.place.at..]);
        group.active = group.active & !ends;
        !L::any(group.active)
    }

    /// The bones, and all else.
    #[inline(always)]
    fn bones(&mut self) -> (Bones<'_>, &Chain) {
        let Tile { models, lengths, .. } = &mut self.block.lines;
        (Bones { crowd: self.crowd, models, lengths }, self.chain)
    }

    /// A sweep of FABRIK back and forth.
    #[inline(always)]
    fn sweep<L: Lanes, S: Swept<L>>(&mut self, like: L, mut swept: S) -> S {
        let (mut bones, Chain { joints, ends, .. }) = self.bones();
        for (&joint, &end) in joints.iter().zip(ends).skip(1).rev() {
            swept.back(like, &mut bones, joint, end);
        }
        swept.begin(like, &bones, joints[0]);
        for (index, (&joint, &end)) in joints.iter().zip(ends).enumerate() {
            swept.forth(like, &mut bones, joint, end, joints.get(index + 1).copied());
        }
        swept
    }

    /// What the next Newton step needs of the directions of the bones. A sweep does not gather it, since its numbers would not stay in
    /// registers.
    #[inline(always)]
    fn gather<L: Lanes>(&mut self, like: L, group: &mut Group<L>) {
        let (bones, Chain { joints, ends, .. }) = self.bones();
        let mut laid = group.begin(like, &bones, joints[0]);
        for (&joint, &end) in joints.iter().zip(ends) {
            let unit = group.place.load(like, &bones, group.place.direction(joint));
            laid.lay(unit, group.place.bone(like, &bones, end));
        }
        (group.tip, group.sums) = (laid.tip, laid.sums);
    }

    /// Puts the joints where the directions of the bones lead, for another sweep.
    #[inline(always)]
    fn place<L: Lanes>(&mut self, like: L, group: &mut Group<L>) {
        let (mut bones, Chain { joints, ends, .. }) = self.bones();
        let (has_moved, place) = (like.of(0.0).is_less(group.passes), group.place);
        let mut at = place.load(like, &bones, place.point(joints[0]));
        for ((&joint, &next), &end) in joints.iter().zip(&joints[1..]).zip(ends) {
            at = at + place.load(like, &bones, place.direction(joint)) * place.bone(like, &bones, end);
            let point = place.point(next);
            let new = Vector::select(has_moved, at, place.load(like, &bones, point));
            place.store(new, &mut bones, point);
        }
    }

    /// A Newton step of all bones' directions.
    #[inline(always)]
    fn turn<L: Lanes>(&mut self, like: L, group: &mut Group<L>) {
        let push = solve(&group.sums, group.target - group.tip);
        let (mut bones, Chain { joints, ends, .. }) = self.bones();
        let (place, mut laid) = (group.place, group.begin(like, &bones, joints[0]));
        for (&joint, &end) in joints.iter().zip(ends) {
            let direction = place.direction(joint);
            let before = place.load(like, &bones, direction);
            let line = before + push.reject(before);
            let unit = Vector::select(group.active, line * over(like.of(1.0), line), before);
            place.store(unit, &mut bones, direction);
            laid.lay(unit, place.bone(like, &bones, end));
        }
        (group.tip, group.sums) = (laid.tip, laid.sums);
    }
}
