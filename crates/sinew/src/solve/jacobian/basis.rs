//! What a level's rows move, as an orthonormal basis, so that later levels and the posture leave it alone.
//!
//! Source: Gram and Schmidt, each row twice (Kahan; Parlett, *The Symmetric Eigenvalue Problem*, 1980, section 6.9); with
//! the longest row first where rows nearly depend on each other (Golub & Van Loan, *Matrix Computations*, section 5.4).

use alloc::vec::Vec;

use super::level::{Level, add, dot};
use crate::linear::wide_dot;
use crate::math::ops;

/// Share of the longest row's length below which what is left of a row counts as lost.
const LOST: f64 = 1e-8;
/// Share of the longest row's length that must be left of each for rows to be taken in their own order.
const APART: f64 = 1e-4;

/// Appends to `basis` unit rows (each `width` wide), square to each other, that span what the level's rows move: one after
/// another, or, where one lies nearly along others, the longest first, and the lost ones left out. `rows` is scratch.
pub(super) fn protect(level: &Level<'_>, width: usize, rows: &mut Vec<f64>, basis: &mut Vec<f64>) {
    write_rows(level, width, rows);
    let longest = rows.chunks_exact(width).map(|row| dot(row, row)).fold(0.0, f64::max);
    let first = basis.len();
    if !span(rows, width, APART * APART * longest, basis) {
        basis.truncate(first);
        write_rows(level, width, rows);
        span_longest_first(rows, width, LOST * LOST * longest, basis);
    }
}

/// The level's rows, each `width` wide.
fn write_rows(level: &Level<'_>, width: usize, rows: &mut Vec<f64>) {
    rows.clear();
    for row in 0..level.height {
        rows.extend((0..width).map(|place| level.columns[place * level.height + row]));
    }
}

/// Appends the rows made square to each other, and units; `false` where the square of what is left of one is too small.
/// Rows of zeros span nothing.
fn span(rows: &mut [f64], width: usize, least: f64, basis: &mut Vec<f64>) -> bool {
    let first = basis.len();
    for row in rows.chunks_exact_mut(width) {
        if row.iter().all(|&x| x == 0.0) {
            continue;
        }
        // Twice is enough (Kahan).
        outside(&basis[first..], row);
        outside(&basis[first..], row);
        let square = dot(row, row);
        if square.is_nan() || square <= least {
            return false;
        }
        append(row, square, basis);
    }
    true
}

/// The same, always with the longest row that is left, until the square of that is too small.
fn span_longest_first(rows: &mut [f64], width: usize, least: f64, basis: &mut Vec<f64>) {
    let first = basis.len();
    for done in 0..rows.len() / width {
        let square = |row: &[f64]| dot(row, row);
        let squares = rows.chunks_exact(width).map(square).enumerate().skip(done);
        let Some((longest, _)) = squares.max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        let (taken, rest) = rows[done * width..].split_at_mut(width);
        if longest > done {
            taken.swap_with_slice(&mut rest[(longest - done - 1) * width..][..width]);
        }
        outside(&basis[first..], taken);
        let square = dot(taken, taken);
        if square.is_nan() || square <= least {
            return;
        }
        append(taken, square, basis);
        let unit = basis.len() - width;
        rest.chunks_exact_mut(width).for_each(|row| outside(&basis[unit..], row));
    }
}

fn append(row: &[f64], square: f64, basis: &mut Vec<f64>) {
    let length = ops::sqrt(square);
    basis.extend(row.iter().map(|x| x / length));
}

/// Takes what lies in the span of the unit rows of `basis` out of `vector`.
pub(super) fn outside(basis: &[f64], vector: &mut [f64]) {
    for row in basis.chunks_exact(vector.len().max(1)) {
        let share = wide_dot(row, vector);
        add(vector, row, -share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    #[test]
    fn rows_that_depend_on_each_other_span_what_they_are_made_of() {
        let mut rng = Rng::with_seed(1);
        for (count, rank, width) in [(3, 2, 4), (9, 5, 12), (30, 20, 60), (12, 3, 3), (6, 6, 8), (4, 0, 5)] {
            let numbers = |rng: &mut Rng, n: usize| -> Vec<f64> { (0..n).map(|_| rng.f64() - 0.5).collect() };
            let made_of = numbers(&mut rng, rank * width);
            let mut rows = Vec::new();
            for _ in 0..count {
                let mut row = std::vec![0.0; width];
                made_of.chunks_exact(width).for_each(|part| add(&mut row, part, rng.f64() - 0.5));
                rows.extend(row);
            }
            let (given, mut basis) = (rows.clone(), Vec::new());
            span_longest_first(&mut rows, width, 1e-20, &mut basis);
            assert_eq!(basis.len(), rank * width, "{count} rows of rank {rank}");
            for (i, one) in basis.chunks_exact(width).enumerate() {
                for (j, other) in basis.chunks_exact(width).enumerate() {
                    let square = f64::from(u8::from(i == j));
                    assert!((dot(one, other) - square).abs() < 1e-13, "{count}, {rank}: {i}, {j}");
                }
            }
            for row in given.chunks_exact(width) {
                let mut left = row.to_vec();
                outside(&basis, &mut left);
                assert!(dot(&left, &left) < 1e-24, "{count} rows of rank {rank}: {left:?}");
            }
        }
    }

    #[test]
    fn a_short_row_counts_after_longer_ones_that_are_alike() {
        let mut basis = Vec::new();
        span_longest_first(&mut [3.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0], 3, 1e-16, &mut basis);
        assert_eq!(basis, [1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn what_is_no_number_spans_nothing() {
        let mut basis = Vec::new();
        span_longest_first(&mut [f64::NAN, 1.0, 0.0, 2.0], 2, 0.0, &mut basis);
        assert!(basis.iter().all(|x| x.is_finite()));
    }
}
