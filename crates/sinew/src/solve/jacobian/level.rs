//! The rows of one level that a step is made from, and what steps compute in.

use alloc::vec::Vec;

use crate::solve::budget::Budget;
use crate::solve::seen::make_room;

/// Rows of one level: `height × width`, column after column, with zeros for what may not move.
#[derive(Debug)]
pub(super) struct Level<'a> {
    pub(super) columns: &'a [f64],
    pub(super) height: usize,
    pub(super) error: &'a [f64],
    /// The square of all that is left, which damping goes by.
    pub(super) square: f64,
    /// Damping squared of a step with the curvature, beyond the method's.
    pub(super) calm: f64,
    /// The same before what is fixed has moved.
    pub(super) asked: &'a [f64],
    /// Which rows belong together, by block.
    pub(super) owner: &'a [u32],
    /// The second derivative of half the error's square (`width × width`).
    pub(super) curvature: Option<&'a [f64]>,
    /// The step that a damping with the curvature draws to; none to rest.
    pub(super) drawn: Option<&'a [f64]>,
    /// The step of what is fixed.
    pub(super) bound: &'a [f64],
    pub(super) fixed: &'a [bool],
}

/// What methods compute in.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) gram: Vec<f64>,
    pub(super) vector: Vec<f64>,
    pub(super) turned: Vec<f64>,
    pub(super) free: Vec<u32>,
    /// The work that the solve may still do.
    pub(super) budget: Budget,
}

impl Scratch {
    /// Grows the buffers at once; `size` is that of the largest system.
    pub(super) fn fit(&mut self, rows: usize, freedoms: usize, size: usize) {
        for (buffer, size) in [
            (&mut self.gram, size * size),
            (&mut self.vector, rows.max(freedoms)),
            (&mut self.turned, rows * (freedoms + rows + 1)),
        ] {
            make_room(buffer, size);
        }
        make_room(&mut self.free, freedoms);
    }
}

/// One freedom's column.
pub(super) fn column(matrix: &[f64], height: usize, place: usize) -> &[f64] {
    &matrix[place * height..(place + 1) * height]
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// `a += b · scale`.
pub(super) fn add(a: &mut [f64], b: &[f64], scale: f64) {
    for (x, y) in a.iter_mut().zip(b) {
        *x += y * scale;
    }
}
