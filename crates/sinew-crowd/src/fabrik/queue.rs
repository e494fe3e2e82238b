//! Lanes that work through the chains of a block: whoever has ended makes room for the next.

use super::Chain;
use super::bodies::Bodies;
use crate::block::{Block, TILE, TOLD};
use crate::crowd::Crowd;
use crate::goals::{OUT_OF_ITERATIONS, PENDING, REACHED};
use crate::number::Lanes;
use crate::vector::Vector;

/// The most lanes that work at once.
pub(super) const WIDE: usize = 16;

/// One number of each chain at work.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [f32; WIDE]);

impl Row {
    pub(super) const ZERO: Self = Self([0.0; WIDE]);
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

/// A character of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) tile: usize,
    pub(super) lane: usize,
}

impl Block<'_> {
    /// Rotation and position of a joint of a character in model space.
    pub(super) fn model(&self, slot: Slot, joint: usize) -> [f32; 7] {
        let each = self.lines.models.len() / self.tiles;
        let lines = &self.lines.models[each * slot.tile + 7 * joint..][..7];
        core::array::from_fn(|index| lines[index].0[slot.lane])
    }

    /// Writes some of these numbers, from a line of the tile on.
    pub(super) fn set_model(&mut self, slot: Slot, from: usize, numbers: &[f32]) {
        let each = self.lines.models.len() / self.tiles;
        for (line, x) in self.lines.models[each * slot.tile + from..].iter_mut().zip(numbers) {
            line.0[slot.lane] = *x;
        }
    }
}

/// A chain in a lane.
#[derive(Clone, Copy, Debug)]
struct Job {
    slot: Slot,
    passes: u32,
}

/// Works until every chain has ended. A chain's numbers hang on no other's, whatever lane it is in.
#[inline(always)]
pub(super) fn run<L: Lanes>(like: L, crowd: &Crowd, chain: &Chain, step: usize, block: &mut Block<'_>) {
    let mut work = Bodies::new();
    let mut jobs: [Option<Job>; WIDE] = [None; WIDE];
    let mut near = Row([-1.0; WIDE]);
    let mut waiting = (0..block.tiles * TILE).map(|index| Slot { tile: index / TILE, lane: index % TILE });
    let told = |block: &Block<'_>, slot: Slot, line: usize| {
        let each = block.lines.results.len() / block.tiles;
        block.lines.results[each * slot.tile + TOLD * step + line].0[slot.lane]
    };
    loop {
        for (lane, job) in jobs.iter_mut().enumerate().take(L::LANES) {
            if job.is_none() {
                let Some(slot) = waiting.find(|&slot| told(block, slot, 0) == PENDING) else { break };
                work.take(crowd, chain, block, slot, lane);
                near.0[lane] = chain.tolerance * chain_length(crowd, chain, block, slot);
                *job = Some(Job { slot, passes: 0 });
            }
        }
        if jobs.iter().all(Option::is_none) {
            return;
        }
        // As many passes as nobody can run out of.
        let passes = jobs.iter().flatten().map(|job| job.passes).max().unwrap_or(0);
        let mut left = chain.iterations.saturating_sub(passes);
        let mut error = like.of(f32::INFINITY);
        let mut made = 0;
        while left > 0 {
            error = work.pass(like, chain);
            (left, made) = (left - 1, made + 1);
            if L::any(error.is_at_most(like.load(&near.0))) {
                break;
            }
        }
        let mut errors = Row::ZERO;
        error.store(&mut errors.0);
        for (lane, place) in jobs.iter_mut().enumerate().take(L::LANES) {
            let Some(job) = place else { continue };
            job.passes += made;
            let reached = errors.0[lane] <= near.0[lane];
            if reached || job.passes >= chain.iterations {
                let slot = job.slot;
                work.give(chain, block, slot, lane);
                let each = block.lines.results.len() / block.tiles;
                let lines = &mut block.lines.results[each * slot.tile + TOLD * step..][..TOLD];
                lines[0].0[slot.lane] = if reached { REACHED } else { OUT_OF_ITERATIONS };
                lines[2].0[slot.lane] = job.passes as f32;
                (*place, near.0[lane]) = (None, -1.0);
            }
        }
    }
}

/// Length of a character's chain (metres).
fn chain_length(crowd: &Crowd, chain: &Chain, block: &Block<'_>, slot: Slot) -> f32 {
    let lengths = block.lengths_of(slot.tile);
    chain.ends.iter().fold(0.0, |sum, &joint| sum + crowd.length(0.0_f32, joint, lengths, slot.lane))
}
