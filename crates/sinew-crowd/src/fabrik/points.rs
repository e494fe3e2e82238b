//! Chains without limits: points and lengths, in the lines of their tiles.

use super::Chain;
use super::closing::{Closing, solve};
use crate::block::{Block, Line, TOLD, Tile, places};
use crate::crowd::Crowd;
use crate::goals::{OUT_OF_ITERATIONS, PENDING, REACHED, is};
use crate::number::Lanes;
use crate::vector::Vector;

/// Length below which two points are one (metres).
const TINY: f32 = 1e-15;
/// Registers of chains that are worked on side by side: each bone waits for the one before, which leaves room for others.
const GROUPS: usize = 4;

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
    /// How near is near enough.
    near: L,
    passes: L,
    active: L::Mask,
}

impl<L: Lanes> Group<L> {
    /// Lengths of the bones that lead to a joint.
    #[inline(always)]
    fn bone(&self, like: L, crowd: &Crowd, joint: usize, lengths: &[Line]) -> L {
        crowd.length(like, joint, lengths.get(self.lengths..).unwrap_or(&[]), self.at)
    }
}

/// The chains of a block.
struct Work<'a, 'b> {
    crowd: &'a Crowd,
    chain: &'a Chain,
    step: usize,
    block: &'a mut Block<'b>,
}

/// The point at a length from another, towards a third.
#[inline(always)]
pub(super) fn toward<L: Lanes>(from: Vector<L>, to: Vector<L>, length: L) -> Vector<L> {
    let line = to - from;
    from + line * (length / line.length().or_more(length.of(TINY)))
}

/// Works until every chain has ended: a register of chains that have makes room for the next. A chain's numbers hang on no
/// other's.
#[inline(always)]
pub(super) fn run<L: Lanes>(like: L, crowd: &Crowd, chain: &Chain, step: usize, block: &mut Block<'_>) {
    let zero = like.of(0.0);
    let mut waiting = places(like, block.tiles);
    let mut work = Work { crowd, chain, step, block };
    let none = Group {
        tile: 0,
        at: 0,
        models: 0,
        lengths: 0,
        target: Vector(zero, zero, zero),
        near: zero,
        passes: zero,
        active: zero.is_less(zero),
    };
    let (mut groups, mut held) = ([none; GROUPS], 0);
    loop {
        while held < GROUPS {
            let Some((tile, at)) = waiting.next() else { break };
            groups[held] = work.take(like, tile, at);
            held += usize::from(L::any(groups[held].active));
        }
        if held == 0 {
            return;
        }
        let errors = work.pass(like, &groups[..held]);
        for index in (0..held).rev() {
            if work.has_ended(like, &mut groups[index], errors[index]) {
                held -= 1;
                groups[index] = groups[held];
            }
        }
    }
}

impl Work<'_, '_> {
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
        Group {
            tile,
            at,
            models,
            lengths: lines.lengths.len() / self.block.tiles * tile,
            target: Vector::load(like, &lines.models[models + 7 * self.chain.tip + 4..][..3], at),
            near: length * like.of(self.chain.tolerance),
            passes: like.of(0.0),
            active: is(code, PENDING),
        }
    }

    /// The first line of the chain's results.
    fn result(&self, tile: usize) -> usize {
        self.block.lines.results.len() / self.block.tiles * tile + TOLD * self.step
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

    /// One sweep back and forth and a Newton step of all bones' directions; the distances left.
    #[inline(always)]
    fn pass<L: Lanes>(&mut self, like: L, groups: &[Group<L>]) -> [L; GROUPS] {
        let (crowd, chain, zero) = (self.crowd, self.chain, like.of(0.0));
        let (joints, bones) = (&chain.joints[..], chain.joints.len());
        let Tile { models, lengths, .. } = &mut self.block.lines;
        let ends = &chain.ends[..bones];
        let mut at: [Vector<L>; GROUPS] = [Vector(zero, zero, zero); GROUPS];
        for (at, group) in at.iter_mut().zip(groups) {
            *at = group.target;
        }
        for index in (1..bones).rev() {
            for (at, group) in at.iter_mut().zip(groups) {
                let lines = place(models, group, joints[index]);
                let before = Vector::load(like, lines, group.at);
                *at = toward(*at, before, group.bone(like, crowd, ends[index], lengths));
                Vector::select(group.active, *at, before).store(lines, group.at);
            }
        }
        // Forward: the directions of the bones, in the lines of rotations, which are made anew at the end.
        for (at, group) in at.iter_mut().zip(groups) {
            *at = Vector::load(like, place(models, group, joints[0]), group.at);
        }
        let from = at;
        let mut sums = [Closing::new(like); GROUPS];
        for index in 0..bones {
            for ((at, sums), group) in at.iter_mut().zip(&mut sums).zip(groups) {
                let to = if index + 1 < bones {
                    Vector::load(like, place(models, group, joints[index + 1]), group.at)
                } else {
                    group.target
                };
                let (line, length) = (to - *at, group.bone(like, crowd, ends[index], lengths));
                let unit = line * (like.of(1.0) / line.length().or_more(like.of(TINY)));
                sums.add_across(unit, length);
                unit.store(&mut models[group.models + 7 * joints[index]..][..3], group.at);
                *at = *at + unit * length;
            }
        }
        let mut push = at;
        for ((push, sums), group) in push.iter_mut().zip(&sums).zip(groups) {
            *push = solve(sums, group.target - *push);
        }
        at = from;
        for index in 0..bones {
            for ((at, push), group) in at.iter_mut().zip(push).zip(groups) {
                let unit = Vector::load(like, &models[group.models + 7 * joints[index]..][..3], group.at);
                let line = unit + push.reject(unit);
                *at =
                    *at + line * (group.bone(like, crowd, ends[index], lengths) / line.length().or_more(like.of(TINY)));
                if index + 1 < bones {
                    let lines = place(models, group, joints[index + 1]);
                    Vector::select(group.active, *at, Vector::load(like, lines, group.at)).store(lines, group.at);
                }
            }
        }
        let mut errors = [zero; GROUPS];
        for ((error, at), group) in errors.iter_mut().zip(at).zip(groups) {
            *error = (at - group.target).length();
        }
        errors
    }
}

/// The lines of a joint's place.
#[inline(always)]
fn place<'l, L: Lanes>(models: &'l mut [Line], group: &Group<L>, joint: usize) -> &'l mut [Line] {
    &mut models[group.models + 7 * joint + 4..][..3]
}
