//! Lanes that work through the chains of a block: whoever has ended makes room for the next.

use super::Chain;
use super::bodies::{Bodies, Made};
use crate::block::{Block, TILE, TOLD};
use crate::crowd::Crowd;
use crate::goals::{LIMITED, OUT_OF_ITERATIONS, PENDING, REACHED, STALLED};
use crate::number::Lanes;
use crate::vector::Vector;

/// Steps of a chain inside limits that count as a pass.
const STEPS: u32 = 2;

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
    steps: u32,
}

/// Works until every chain has ended. A chain's numbers hang on no other's, whatever lane it is in.
#[inline(always)]
pub(super) fn run<L: Lanes>(like: L, crowd: &Crowd, chain: &Chain, step: usize, block: &mut Block<'_>) {
    let mut work = Bodies::new();
    let mut jobs: [Option<Job>; WIDE] = [None; WIDE];
    let (mut near, most) = (Row([-1.0; WIDE]), chain.iterations.saturating_mul(STEPS));
    let mut waiting = (0..block.tiles * TILE).map(|index| Slot { tile: index / TILE, lane: index % TILE });
    let told = |block: &Block<'_>, slot: Slot, line: usize| {
        let each = block.lines.results.len() / block.tiles;
        block.lines.results[each * slot.tile + TOLD * step + line].0[slot.lane]
    };
    loop {
        for (lane, job) in jobs.iter_mut().enumerate().take(L::LANES) {
            if job.is_none() {
                let Some(slot) = waiting.find(|&slot| told(block, slot, 0) == PENDING) else { break };
                near.0[lane] = chain.tolerance * work.take(crowd, chain, block, slot, lane);
                *job = Some(Job { slot, steps: 0 });
            }
        }
        if jobs.iter().all(Option::is_none) {
            return;
        }
        // As many steps as nobody can run out of.
        let steps = jobs.iter().flatten().map(|job| job.steps).max().unwrap_or(0);
        let mut left = most.saturating_sub(steps);
        let (mut codes, mut ends, mut made) = (Row([OUT_OF_ITERATIONS; WIDE]), Row::ZERO, 0);
        while left > 0 {
            let Made { error, still, stopped } = work.step(like, chain);
            (left, made) = (left - 1, made + 1);
            let (zero, near) = (like.of(0.0), like.load(&near.0));
            let (reached, still) = (error.is_at_most(near), still & zero.is_at_most(near));
            if left == 0 || L::any(reached | still) {
                let missed = L::select(still, like.of(STALLED), like.of(OUT_OF_ITERATIONS));
                let missed = L::select(stopped, like.of(LIMITED), missed);
                L::select(reached, like.of(REACHED), missed).store(&mut codes.0);
                L::select(reached | still, like.of(1.0), zero).store(&mut ends.0);
                break;
            }
        }
        for (lane, place) in jobs.iter_mut().enumerate().take(L::LANES) {
            let Some(job) = place else { continue };
            job.steps += made;
            if ends.0[lane] > 0.0 || job.steps >= most {
                let slot = job.slot;
                work.give(chain, block, slot, lane);
                let each = block.lines.results.len() / block.tiles;
                let lines = &mut block.lines.results[each * slot.tile + TOLD * step..][..TOLD];
                lines[0].0[slot.lane] = codes.0[lane];
                lines[2].0[slot.lane] = job.steps.div_ceil(STEPS) as f32;
                (*place, near.0[lane]) = (None, -1.0);
            }
        }
    }
}
