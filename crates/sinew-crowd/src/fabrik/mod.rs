//! FABRIK in lanes (Aristidou and Lasenby 2011): a backward pass lays the bones from the target to the base, a forward pass
//! from the base out again, and Newton steps close what is left. Chains without limits are points, others are bodies whose
//! rotations stay inside the limits. A lane whose chain has ended takes the next chain of its block.

mod bodies;
mod chain;
mod closing;
mod finish;
mod points;
mod queue;
mod ready;

pub(crate) use chain::Chain;

use crate::block::{Block, places};
use crate::crowd::Crowd;
use crate::lanes::{Kernel, Width};
use crate::number::{Lanes, Pair};
use bodies::Bodies;
use points::Points;

/// Solves a chain of all characters of a block; model transforms from the tip up must be up to date.
pub(crate) fn solve(width: Width, crowd: &Crowd, chain: &Chain, step: usize, block: &mut Block<'_>) {
    let mut job = Job { crowd, chain, step, block };
    width.run(Ready(&mut job));
    if chain.free {
        width.run(OfPoints(&mut job));
    } else {
        width.run(OfBodies(&mut job));
    }
    width.run(Finish(&mut job));
}

/// A chain of a block.
struct Job<'a, 'b> {
    crowd: &'a Crowd,
    chain: &'a Chain,
    step: usize,
    block: &'a mut Block<'b>,
}

/// What comes before the passes.
struct Ready<'j, 'a, 'b>(&'j mut Job<'a, 'b>);
/// The passes of chains without limits, of those with limits.
struct OfPoints<'j, 'a, 'b>(&'j mut Job<'a, 'b>);
struct OfBodies<'j, 'a, 'b>(&'j mut Job<'a, 'b>);
/// What comes after the passes.
struct Finish<'j, 'a, 'b>(&'j mut Job<'a, 'b>);

impl Kernel for Ready<'_, '_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self, like: L) {
        let job = self.0;
        for (tile, at) in places(like, job.block.tiles) {
            ready::run(like, job.crowd, job.chain, job.step, &mut job.block.tile(tile), at);
        }
    }
}

impl Kernel for OfPoints<'_, '_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self, like: L) {
        let job = self.0;
        // Two registers at a time: each bone waits for the one before, which leaves room for another chain.
        queue::run::<_, Points>(Pair(like, like), job.crowd, job.chain, job.step, job.block);
    }
}

impl Kernel for OfBodies<'_, '_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self, like: L) {
        let job = self.0;
        queue::run::<_, Bodies>(like, job.crowd, job.chain, job.step, job.block);
    }
}

impl Kernel for Finish<'_, '_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self, like: L) {
        let job = self.0;
        for (tile, at) in places(like, job.block.tiles) {
            finish::run(like, job.crowd, job.chain, job.step, &mut job.block.tile(tile), at);
        }
    }
}
