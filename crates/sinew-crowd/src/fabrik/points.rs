//! Chains without limits: points for a sweep, then unit directions of the bones, in the lines of their tiles.

use super::Chain;
use super::closing::{Closing, solve};
use crate::block::{Block, Line, TOLD, Tile, places};
use crate::crowd::Crowd;
use crate::goals::{OUT_OF_ITERATIONS, PENDING, REACHED, is};
use crate::number::Lanes;
use crate::vector::Vector;

/// Square of a length below which two points are one (square metres).
const TINY: f32 = 1e-30;
/// What a Newton step must leave at most of the distance, so that no sweep comes before the next one.
const GAIN: f32 = 0.5;

/// A register of chains, in the lines of the block.
#[derive(Clone, Copy)]
struct Group<L: Lanes> {
    tile: usize,
    at: usize,
    /// The first line of the tile's model transforms.
    models: usize,
    /// That of its lengths, if there are any.
    lengths: usize,
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
    /// Lengths of the bones that lead to a joint.
    #[inline(always)]
    fn bone(&self, like: L, crowd: &Crowd, joint: usize, lengths: &[Line]) -> L {
        crowd.length(like, joint, lengths.get(self.lengths..).unwrap_or(&[]), self.at)
    }

    /// Begins to lay the bones from the base out.
    #[inline(always)]
    fn begin(&mut self, like: L, models: &[Line], base: usize) {
        self.tip = Vector::load(like, &models[self.models + 7 * base + 4..][..3], self.at);
        self.sums = Closing::new_across(like, self.length);
    }

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

/// A length over the distance between two points, whose difference this is.
#[inline(always)]
fn over<L: Lanes>(length: L, line: Vector<L>) -> L {
    length / (line.dot(line) + length.of(TINY)).sqrt()
}

/// The point at a length from another, towards a third.
#[inline(always)]
pub(super) fn toward<L: Lanes>(from: Vector<L>, to: Vector<L>, length: L) -> Vector<L> {
    let line = to - from;
    from + line * over(length, line)
}

/// Works until every chain has ended. A chain's numbers hang on no other's.
#[inline(always)]
pub(super) fn run<L: Lanes>(like: L, crowd: &Crowd, chain: &Chain, step: usize, block: &mut Block<'_>) {
    let mut work = Work { crowd, chain, step, block };
    // Each bone of a sweep waits for the one before, which leaves room for others; the more the fewer numbers each holds.
    if L::LANES < 16 { work.run::<L, 4>(like) } else { work.run::<L, 2>(like) }
}

impl Work<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes, const GROUPS: usize>(&mut self, like: L) {
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
                let mut active = [groups[0].active; GROUPS];
                for (active, group) in active.iter_mut().zip(&groups) {
                    *active = group.active;
                }
                self.sweep(like, &mut groups, active);
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
            at,
            models,
            lengths: lines.lengths.len() / self.block.tiles * tile,
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
        let mut slow = if is_swept { group.active & !group.active } else { group.active };
        loop {
            if L::any(slow) {
                self.place(like, group);
                self.sweep(like, core::array::from_mut(group), [slow]);
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
        let before = like.load(&lines[0].0[group.at..]);
        L::select(ends, code, before).store(&mut lines[0].0[group.at..]);
        group.passes.store(&mut lines[2].0[group.at..]);
        group.active = group.active & !ends;
        !L::any(group.active)
    }

    /// A sweep of FABRIK back and forth: directions of the bones, in the lines of rotations, which are made anew at the end.
    #[inline(always)]
    fn sweep<L: Lanes, const GROUPS: usize>(
        &mut self,
        like: L,
        groups: &mut [Group<L>; GROUPS],
        sweeps: [L::Mask; GROUPS],
    ) {
        let (crowd, Chain { joints, ends, .. }) = (self.crowd, self.chain);
        let Tile { models, lengths, .. } = &mut self.block.lines;
        let bones = joints.iter().zip(ends);
        for group in &mut *groups {
            group.tip = group.target;
        }
        for (&joint, &end) in bones.clone().skip(1).rev() {
            for group in &mut *groups {
                let lines = &mut models[group.models + 7 * joint + 4..][..3];
                let before = Vector::load(like, lines, group.at);
                group.tip = toward(group.tip, before, group.bone(like, crowd, end, lengths));
                group.tip.store(lines, group.at);
            }
        }
        for group in &mut *groups {
            group.begin(like, models, joints[0]);
        }
        for (index, (&joint, &end)) in bones.enumerate() {
            for (group, sweeps) in groups.iter_mut().zip(sweeps) {
                let to = if let Some(next) = joints.get(index + 1) {
                    Vector::load(like, &models[group.models + 7 * next + 4..][..3], group.at)
                } else {
                    group.target
                };
                let lines = &mut models[group.models + 7 * joint..][..3];
                let line = to - group.tip;
                let unit = line * over(like.of(1.0), line);
                let unit = Vector::select(sweeps, unit, Vector::load(like, lines, group.at));
                unit.store(lines, group.at);
                group.lay(unit, group.bone(like, crowd, end, lengths));
            }
        }
    }

    /// Puts the joints where the directions of the bones lead, for another sweep.
    #[inline(always)]
    fn place<L: Lanes>(&mut self, like: L, group: &mut Group<L>) {
        let Tile { models, lengths, .. } = &mut self.block.lines;
        let has_moved = like.of(0.0).is_less(group.passes);
        let Chain { joints, ends, .. } = self.chain;
        let mut at = Vector::load(like, &models[group.models + 7 * joints[0] + 4..][..3], group.at);
        for ((&joint, &next), &end) in joints.iter().zip(&joints[1..]).zip(ends) {
            let unit = Vector::load(like, &models[group.models + 7 * joint..][..3], group.at);
            at = at + unit * group.bone(like, self.crowd, end, lengths);
            let lines = &mut models[group.models + 7 * next + 4..][..3];
            Vector::select(has_moved, at, Vector::load(like, lines, group.at)).store(lines, group.at);
        }
    }

    /// A Newton step of all bones' directions.
    #[inline(always)]
    fn turn<L: Lanes>(&mut self, like: L, group: &mut Group<L>) {
        let (crowd, Chain { joints, ends, .. }) = (self.crowd, self.chain);
        let Tile { models, lengths, .. } = &mut self.block.lines;
        let push = solve(&group.sums, group.target - group.tip);
        group.begin(like, models, joints[0]);
        for (&joint, &end) in joints.iter().zip(ends) {
            let lines = &mut models[group.models + 7 * joint..][..3];
            let before = Vector::load(like, lines, group.at);
            let line = before + push.reject(before);
            let unit = Vector::select(group.active, line * over(like.of(1.0), line), before);
            unit.store(lines, group.at);
            group.lay(unit, group.bone(like, crowd, end, lengths));
        }
    }
}
