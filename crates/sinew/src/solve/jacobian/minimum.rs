//! Whether the second derivative shows a minimum.

use super::level::{column, dot};
use super::system::System;

/// Share of the errors' square that a second derivative may be negative by. A straight chain whose target lies on its line has
/// one of about the error's size.
const FLAT: f64 = 1e-2;

impl System {
    /// Whether the second derivative by what is free is nowhere negative, but for what the errors left make of a pose that is
    /// nearly at rest; where something is fixed, only if that may be.
    pub(super) fn is_convex(&mut self, may_be_fixed: bool) -> bool {
        (may_be_fixed || !self.fixed.contains(&true)) && self.is_curved_up()
    }

    /// Whether the pose is at a minimum by what is free: the second derivative is nowhere negative, as [`is_convex`](Self::is_convex)
    /// has it, and a step, which is written, would gain less than this share of the square of the errors.
    pub(super) fn is_at_rest(&mut self, share: f64) -> bool {
        self.is_curved_up() && self.left_to_gain() < share
    }

    /// The share of the square of the errors that Newton's step, which is written, would gain at a pose whose second derivative was
    /// found [curved up](Self::is_convex).
    pub(super) fn left_to_gain(&mut self) -> f64 {
        let square = self.square();
        let Self { scratch, matrix, height, error, step, .. } = self;
        let slope = |place: usize| dot(column(matrix, *height, place), error);
        scratch.solve(slope);
        step.fill(0.0);
        scratch.free.iter().zip(&scratch.vector).for_each(|(&place, y)| step[place as usize] = *y);
        let gain: f64 = scratch.free.iter().map(|&place| slope(place as usize) * step[place as usize]).sum();
        gain / square
    }

    /// Factorises the second derivative by what is free; whether it is definite, but for so little.
    fn is_curved_up(&mut self) -> bool {
        let flat = FLAT * self.square();
        let Self { curvature: Some(curvature), fixed, scratch, .. } = self else { return false };
        scratch.free.clear();
        scratch.free.extend((0..fixed.len() as u32).rev().filter(|&place| !fixed[place as usize]));
        scratch.factor(curvature, fixed.len(), flat)
    }
}
