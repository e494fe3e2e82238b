//! Singular values by turning rows in pairs until they are orthogonal (one-sided Jacobi).
//!
//! With `A = U S Vᵀ` the turned rows are `Uᵀ A = S Vᵀ`: their lengths are the singular values, their
//! directions the right singular vectors, small ones as exact as large ones. Numbers written beside
//! a row turn with it: an identity there becomes `Uᵀ`, a right-hand side `b` becomes `Uᵀ b`.
//!
//! Source: Hestenes, *Inversion of Matrices by Biorthogonalization* (1958); Demmel & Veselić 1992.

use super::wide_dot;
use crate::math::ops;

/// Cosine between two rows, by the root of their length, below which they count as orthogonal: less is rounding, by which sweeps would
/// go on to the last.
const ORTHOGONAL: f64 = 1e-15;
/// Length, as a share of the whole matrix's, below which a row is rounding and is let be.
const ROUNDING: f64 = 1e-16;
/// Sweeps at most; six are usual.
const SWEEPS: usize = 40;

/// Turns the rows of `matrix` (each `width` numbers) until their first `columns` numbers are
/// orthogonal to one another's; the numbers after those turn along. The sweeps made.
pub(crate) fn orthogonalize(matrix: &mut [f64], width: usize, columns: usize) -> usize {
    if width == 0 {
        return 0;
    }
    let rows = matrix.len() / width;
    let square: f64 = matrix.chunks_exact(width).map(|row| wide_dot(&row[..columns], &row[..columns])).sum();
    let least = ROUNDING * ROUNDING * square;
    for sweep in 1..=SWEEPS {
        let mut turned = false;
        for first in 0..rows {
            let (head, tail) = matrix.split_at_mut((first + 1) * width);
            let own = &mut head[first * width..];
            let mut square = wide_dot(&own[..columns], &own[..columns]);
            for other in tail.chunks_exact_mut(width) {
                turned |= turn((own, &mut square), other, columns, least);
            }
        }
        if !turned {
            return sweep;
        }
    }
    SWEEPS
}

/// Turns a pair of rows, of which the first comes with its square; `false` where they are orthogonal already, or the square of one is
/// rounding.
fn turn((first, square): (&mut [f64], &mut f64), second: &mut [f64], columns: usize, least: f64) -> bool {
    let (own, other) = (&first[..columns], &second[..columns]);
    let (alpha, beta, gamma) = (*square, wide_dot(other, other), wide_dot(own, other));
    let scale = ops::sqrt(alpha) * ops::sqrt(beta);
    // Not a number: nothing to be had from turning.
    if gamma.is_nan() || gamma.abs() <= ORTHOGONAL * ops::sqrt(columns as f64) * scale || alpha.min(beta) <= least {
        return false;
    }
    let zeta = (beta - alpha) / (2.0 * gamma);
    let tangent = 1.0 / (zeta.abs() + ops::sqrt(1.0 + zeta * zeta));
    let tangent = if zeta < 0.0 { -tangent } else { tangent };
    let cosine = 1.0 / ops::sqrt(1.0 + tangent * tangent);
    let sine = cosine * tangent;
    for (x, y) in first.iter_mut().zip(second) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
    *square = wide_dot(&first[..columns], &first[..columns]);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    #[test]
    fn a_known_case() {
        // Singular values of [[3, 0], [4, 5]] are sqrt 45 and sqrt 5.
        let mut a = [3.0, 0.0, 4.0, 5.0];
        orthogonalize(&mut a, 2, 2);
        let mut squares = [a[0] * a[0] + a[1] * a[1], a[2] * a[2] + a[3] * a[3]];
        squares.sort_by(f64::total_cmp);
        assert!((squares[0] - 5.0).abs() < 1e-14 && (squares[1] - 45.0).abs() < 1e-13, "{squares:?}");
    }

    #[test]
    fn small_values_keep_their_digits() {
        // Nearly parallel rows: the small singular value is 1e-9 / sqrt 2 to its own digits.
        let mut a = [1.0, 0.0, 1.0, 1e-9];
        orthogonalize(&mut a, 2, 2);
        let square = |row: &[f64]| row[0] * row[0] + row[1] * row[1];
        let small = square(&a[..2]).min(square(&a[2..]));
        assert!((small * 2e18 - 1.0).abs() < 1e-6, "{small:e}");
    }

    #[test]
    fn zeros_and_what_is_no_number_end() {
        let mut a = [0.0, 0.0, 1.0, 2.0, f64::NAN, 1.0];
        orthogonalize(&mut a, 2, 2);
        assert_eq!(a[..4], [0.0, 0.0, 1.0, 2.0]);
        orthogonalize(&mut [], 0, 0);
    }

    proptest! {
        #[test]
        fn rows_end_orthogonal_and_rebuild_the_matrix(rows in 1..7_usize, columns in 1..9_usize, numbers in prop::collection::vec(-1.0..1.0_f64, 63)) {
            let width = columns + rows;
            let mut a: Vec<f64> = (0..rows * width).map(|k| {
                let (row, column) = (k / width, k % width);
                if column < columns { numbers[row * 9 + column] } else { f64::from(u8::from(column - columns == row)) }
            }).collect();
            orthogonalize(&mut a, width, columns);
            let row = |i: usize| &a[i * width..(i + 1) * width];
            for i in 0..rows {
                for j in 0..i {
                    let dot: f64 = row(i)[..columns].iter().zip(row(j)).map(|(x, y)| x * y).sum();
                    let size = |i: usize| row(i)[..columns].iter().map(|x| x * x).sum::<f64>();
                    prop_assert!(dot.abs() < 1e-14 * ops::sqrt(size(i) * size(j)).max(1.0), "{dot:e}");
                }
                // U (S Vᵀ): the companion holds Uᵀ.
                for column in 0..columns {
                    let rebuilt: f64 = (0..rows).map(|k| row(k)[columns + i] * row(k)[column]).sum();
                    prop_assert!((rebuilt - numbers[i * 9 + column]).abs() < 1e-13);
                }
            }
        }
    }
}
