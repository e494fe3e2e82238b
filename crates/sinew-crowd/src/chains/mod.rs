//! Chains in lanes. Those without limits are points, laid by FABRIK (Aristidou and Lasenby 2011): a backward pass lays the bones
//! from the target to the base, a forward pass from the base out again, and Newton steps close what is left. Others are bodies
//! whose rotations stay inside the limits, and go downhill from the pose given. A lane whose chain has ended takes the next chain
//! of its block.

mod bodies;
mod chain;
mod closing;
mod compliance;
mod finish;
mod points;
mod queue;
mod ready;
mod sweep;

pub(crate) use chain::Chain;
pub(crate) use finish::run as finish;
pub(crate) use ready::run as ready;

use crate::block::Block;
use crate::crowd::Crowd;
use crate::lanes::{Kernel, Width};
use crate::number::Lanes;

/// Makes the passes of a chain of all characters of a block, between [`ready`] and [`finish`].
pub(crate) fn solve(width: Width, crowd: &Crowd, chain: &Chain, step: usize, block: &mut Block<'_>) {
    let job = Job { crowd, chain, step, block };
    if chain.free {
        width.run(OfPoints(job));
    } else {
        width.run(OfBodies(job));
    }
}

/// A chain of a block.
struct Job<'a, 'b> {
    crowd: &'a Crowd,
    chain: &'a Chain,
    step: usize,
    block: &'a mut Block<'b>,
}

/// The passes of chains without limits, of those with limits.
struct OfPoints<'a, 'b>(Job<'a, 'b>);
struct OfBodies<'a, 'b>(Job<'a, 'b>);

impl Kernel for OfPoints<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self, like: L) {
        let job = self.0;
        points::run(like, job.crowd, job.chain, job.step, job.block);
    }
}

impl Kernel for OfBodies<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self, like: L) {
        let job = self.0;
        queue::run(like, job.crowd, job.chain, job.step, job.block);
    }
}
