//! Sixteen characters side by side: what a core works on at a time.

use crate::crowd::Crowd;
use crate::crowd::Step;
use crate::lanes::{Kernel, Width};
use crate::number::Lanes;
use crate::{aim, forward, two_bone};

/// Characters in a block.
pub const BLOCK: usize = 16;

/// One number of each character of a block, in a cache line of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Line(pub(crate) [f32; BLOCK]);

impl Line {
    pub(crate) const ZERO: Self = Self([0.0; BLOCK]);
}

/// Sixteen characters and their goals, apart from all others: [`Crowd::blocks`] lends them to any job system.
#[derive(Debug)]
pub struct Block<'a> {
    /// Four lines a joint.
    pub(crate) rotations: &'a mut [Line],
    /// Three lines a root.
    pub(crate) places: &'a [Line],
    /// A line a joint, or none where all are of the rest lengths.
    pub(crate) lengths: &'a [Line],
    /// Rotation and position: seven lines a joint.
    pub(crate) models: &'a mut [Line],
    /// Target, pole, weight and whether the pole is a point: eight lines a step.
    pub(crate) goals: &'a [Line],
    /// Status and error: two lines a step.
    pub(crate) results: &'a mut [Line],
}

impl Block<'_> {
    /// Solves the goals of these characters and brings their model transforms up to date.
    pub fn solve(&mut self, crowd: &Crowd, width: Width) {
        width.run(Solve { crowd, block: self });
    }
}

/// All steps on one block.
struct Solve<'a, 'b> {
    crowd: &'a Crowd,
    block: &'a mut Block<'b>,
}

impl Kernel for Solve<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self, like: L) {
        let Self { crowd, block } = self;
        for at in (0..BLOCK).step_by(L::LANES) {
            for (index, step) in crowd.steps.iter().enumerate() {
                forward::run(like, crowd, &crowd.passes[index], block, at);
                match step {
                    Step::TwoBone(limb) => two_bone::run(like, limb, index, block, at),
                    Step::Aim(sight) => aim::run(like, sight, index, block, at),
                }
            }
            forward::run(like, crowd, &crowd.passes[crowd.steps.len()], block, at);
        }
    }
}
