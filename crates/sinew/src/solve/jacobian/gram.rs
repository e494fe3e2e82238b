//! The rows' own matrix `J Jᵀ` of a single level, kept from round to round of a step: what a limit takes out is
//! subtracted, so that a round costs no more than its factors.

use alloc::vec::Vec;
use core::ops::Range;

use glam::{DMat3, DVec3};

use super::level::{add, column, dot};
use crate::linear::{add_outer, ldl, wide_dot};
use crate::solve::budget::Budget;
use crate::solve::seen::make_room;

/// Columns, and the rows that each of them reaches: a limb's hold zeros for all goals but its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix<'a> {
    pub(super) entries: &'a [f64],
    pub(super) height: usize,
    pub(super) spans: &'a [Range<usize>],
}

impl<'a> Matrix<'a> {
    /// What a column holds where it reaches, and the first of those rows.
    fn part(self, place: usize) -> (usize, &'a [f64]) {
        let span = self.spans[place].clone();
        (span.start, &column(self.entries, self.height, place)[span])
    }

    /// Adds a multiple of a column to a vector.
    pub(super) fn add_to(self, place: usize, scale: f64, vector: &mut [f64]) {
        add(&mut vector[self.spans[place].clone()], self.part(place).1, scale);
    }

    /// The product of a column with a vector, in four sums side by side.
    pub(super) fn wide_dot(self, place: usize, vector: &[f64]) -> f64 {
        wide_dot(self.part(place).1, &vector[self.spans[place].clone()])
    }

    /// Adds a multiple of a column's outer product with itself to a lower triangle.
    fn add_outer_to(self, to: &mut [f64], place: usize, scale: f64) {
        let (first, part) = self.part(place);
        add_outer(to, self.height, first, [part], scale);
    }

    /// The product of a column with a vector.
    pub(super) fn dot(self, place: usize, vector: &[f64]) -> f64 {
        dot(self.part(place).1, &vector[self.spans[place].clone()])
    }
}

/// Sums of outer products of columns (lower triangles, row after row).
#[derive(Debug, Default)]
pub(super) struct Gram {
    /// Of all freedoms; empty where the columns are new. Columns that turn into each other leave it as it is.
    whole: Vec<f64>,
    /// Of those that are free; empty before the first round.
    free: Vec<f64>,
    /// By freedom: whether it has been taken out.
    out: Vec<bool>,
    factors: Vec<f64>,
    vector: Vec<f64>,
}

impl Gram {
    /// Grows the buffers at once.
    pub(super) fn fit(&mut self, rows: usize, freedoms: usize) {
        for (buffer, size) in [
            (&mut self.whole, rows * rows),
            (&mut self.free, rows * rows),
            (&mut self.factors, rows * rows),
            (&mut self.vector, rows),
        ] {
            make_room(buffer, size);
        }
        make_room(&mut self.out, freedoms);
    }

    /// The columns are new.
    pub(super) fn forget(&mut self) {
        self.whole.clear();
        self.free.clear();
    }

    /// Every freedom is free again.
    pub(super) fn release(&mut self) {
        self.free.clear();
    }

    /// Writes the step `Jᵀ(J Jᵀ + damping)⁻¹ error` of what is not fixed; `false`, and nothing written, where that is fewer
    /// than rows or the matrix is not definite.
    pub(super) fn step(
        &mut self,
        matrix: Matrix<'_>,
        fixed: &[bool],
        error: &[f64],
        damping: f64,
        step: &mut [f64],
        budget: &mut Budget,
    ) -> bool {
        let height = matrix.height;
        if fixed.iter().filter(|&&fixed| !fixed).count() < height {
            return false;
        }
        self.take_out(matrix, fixed, budget);
        budget.spend(ldl::price(height) + height * fixed.len() * 2 / 3);
        self.factors.clone_from(&self.free);
        (0..height).for_each(|i| self.factors[i * height + i] += damping);
        if !ldl::factor(&mut self.factors, height) {
            return false;
        }
        self.vector.clear();
        self.vector.extend_from_slice(error);
        ldl::solve(&self.factors, height, &mut self.vector);
        for (place, (entry, fixed)) in step.iter_mut().zip(fixed).enumerate() {
            if !fixed {
                *entry = matrix.dot(place, &self.vector);
            }
        }
        true
    }

    /// Columns are about to change: those taken out come back first.
    pub(super) fn put_back(&mut self, matrix: Matrix<'_>, places: Range<usize>) {
        if !self.free.is_empty() {
            for place in places {
                if core::mem::replace(&mut self.out[place], false) {
                    matrix.add_outer_to(&mut self.free, place, 1.0);
                }
            }
        }
    }

    /// Makes the matrix of all freedoms, if there is none, and takes them all for free.
    pub(super) fn begin(&mut self, matrix: Matrix<'_>, freedoms: usize, budget: &mut Budget) {
        if self.whole.is_empty() {
            self.whole.resize(matrix.height * matrix.height, 0.0);
            let mut place = 0;
            while place < freedoms {
                let (span, height) = (&matrix.spans[place], matrix.height);
                let is_ball = matrix.spans[place..freedoms].iter().take(3).filter(|other| *other == span).count() == 3;
                let count = if is_ball { 3 } else { 1 };
                budget.spend(count * span.len() * span.len() * 5 / 8);
                if is_ball {
                    let columns = [0, 1, 2].map(|k| matrix.part(place + k).1);
                    add_outer(&mut self.whole, height, span.start, columns, 1.0);
                } else {
                    matrix.add_outer_to(&mut self.whole, place, 1.0);
                }
                place += count;
            }
        }
        self.free.clone_from(&self.whole);
        self.out.clear();
        self.out.resize(freedoms, false);
    }

    /// That of what is free.
    pub(super) fn free(&self) -> &Vec<f64> {
        &self.free
    }

    /// Adds a multiple of a column's outer product with itself.
    pub(super) fn add(&mut self, matrix: Matrix<'_>, place: usize, scale: f64) {
        matrix.add_outer_to(&mut self.free, place, scale);
    }

    /// Adds what a ball's columns make with a symmetric matrix between them.
    pub(super) fn add_ball(&mut self, matrix: Matrix<'_>, first: usize, change: &DMat3) {
        let columns = [0, 1, 2].map(|k| matrix.part(first + k).1);
        let (start, reached) = (matrix.spans[first].start, matrix.spans[first].len());
        for i in 0..reached {
            let mixed = *change * DVec3::new(columns[0][i], columns[1][i], columns[2][i]);
            if mixed == DVec3::ZERO {
                continue;
            }
            let row = (start + i) * matrix.height + start;
            for (column, &scale) in columns.iter().zip(mixed.as_ref()) {
                add(&mut self.free[row..=row + i], &column[..=i], scale);
            }
        }
    }

    /// Brings the matrix of what is free up to date.
    fn take_out(&mut self, matrix: Matrix<'_>, fixed: &[bool], budget: &mut Budget) {
        if self.free.is_empty() {
            self.begin(matrix, fixed.len(), budget);
        }
        for (place, &fixed) in fixed.iter().enumerate() {
            if core::mem::replace(&mut self.out[place], fixed) != fixed {
                matrix.add_outer_to(&mut self.free, place, if fixed { -1.0 } else { 1.0 });
            }
        }
    }
}
