//! Systems with a symmetric positive definite matrix: `A = L D Lᵀ`, without square roots.
//!
//! Source: Golub & Van Loan, *Matrix Computations*, algorithm 4.1.2; by rows, no pivoting, which a
//! definite matrix does not need.

use core::array;

/// Columns that are taken out of what is right of them at once, so that memory is passed over less often: a ball's freedoms, which
/// reach the same rows.
const PANEL: usize = 3;

/// Factorises `matrix` in place (`size × size`, row after row; only the lower triangle is read): `D` on the diagonal, the
/// unit triangle `L` below. What was above is lost. `false` when a pivot is not above zero, so that the matrix is not
/// positive definite or not finite; the values written are then of no use.
///
/// A few columns at a time are taken out of what is right of them, row by row, which vector registers take side by side. Rows that
/// they do not reach are passed over: of a tree's, listed from the tips up, most are.
pub fn factor(matrix: &mut [f64], size: usize) -> bool {
    let panels = size - size % PANEL;
    (0..panels).step_by(PANEL).all(|first| take_out::<PANEL>(matrix, size, first))
        && (panels..size).all(|first| take_out::<1>(matrix, size, first))
}

/// Takes `N` columns out of what is right of them; `false` when a pivot is not above zero.
fn take_out<const N: usize>(matrix: &mut [f64], size: usize, first: usize) -> bool {
    let (above, below) = matrix.split_at_mut((first + N) * size);
    let own = &mut above[first * size..];
    let at = |column: usize, row: usize| column * size + first + row;
    let mut pivots = [0.0; N];
    for column in 0..N {
        pivots[column] = own[at(column, column)];
        if pivots[column].is_nan() || pivots[column] <= 0.0 {
            return false;
        }
        for row in column + 1..N {
            let entry = own[at(row, column)];
            // A column as it was lies in its row, right of the diagonal.
            own[at(column, row)] = entry;
            own[at(row, column)] = entry / pivots[column];
            for place in column + 1..=row {
                own[at(row, place)] -= own[at(row, column)] * own[at(column, place)];
            }
        }
    }
    for (row, entries) in (N..).zip(below.chunks_exact_mut(size)) {
        let (column_entries, left) = entries[first..=first + row].split_at_mut(N);
        let mut shares = [0.0; N];
        for column in 0..N {
            let taken = |entry, before| entry - shares[before] * own[at(before, column)];
            own[at(column, row)] = (0..column).fold(column_entries[column], taken);
            shares[column] = own[at(column, row)] / pivots[column];
        }
        column_entries.copy_from_slice(&shares);
        if shares == [0.0; N] {
            continue;
        }
        let taken: [&[f64]; N] = array::from_fn(|column| &own[at(column, N)..=at(column, row)]);
        let taken = taken.map(|column| &column[..left.len()]);
        for (place, left) in left.iter_mut().enumerate() {
            *left = (0..N).fold(*left, |left, column| left - shares[column] * taken[column][place]);
        }
    }
    true
}

/// Nanoseconds that [`factor`] and [`solve`] took where they were measured.
pub(crate) fn price(size: usize) -> usize {
    100 + size * size * size / 45
}

/// Solves `A x = b` with the factors of `A`; `vector` holds `b` and then `x`.
pub fn solve(factors: &[f64], size: usize, vector: &mut [f64]) {
    for row in 0..size {
        let known: f64 = factors[row * size..row * size + row].iter().zip(&*vector).map(|(l, x)| l * x).sum();
        vector[row] -= known;
    }
    for row in 0..size {
        vector[row] /= factors[row * size + row];
    }
    for row in (0..size).rev() {
        let solved = vector[row];
        for (left, l) in vector[..row].iter_mut().zip(&factors[row * size..row * size + row]) {
            *left -= l * solved;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn a_known_case() {
        // Wikipedia's example of the decomposition: D = (4, 1, 9).
        let mut a = [4.0, 0.0, 0.0, 12.0, 37.0, 0.0, -16.0, -43.0, 98.0];
        assert!(factor(&mut a, 3));
        assert_eq!([a[0], a[4], a[8]], [4.0, 1.0, 9.0]);
        assert_eq!([a[3], a[6], a[7]], [3.0, -4.0, 5.0]);
        // A (1, 2, 3) = b.
        let mut b = [4.0 + 24.0 - 48.0, 12.0 + 74.0 - 129.0, -16.0 - 86.0 + 294.0];
        solve(&a, 3, &mut b);
        assert_eq!(b, [1.0, 2.0, 3.0]);
    }

    #[test]
    fn what_is_not_definite_is_noticed() {
        assert!(!factor(&mut [1.0, 0.0, 1.0, 1.0], 2));
        assert!(!factor(&mut [-1.0], 1));
        assert!(!factor(&mut [f64::NAN], 1));
        assert!(!factor(&mut [0.0], 1));
        assert!(factor(&mut [], 0));
    }

    #[test]
    fn columns_that_reach_few_rows_are_taken_out_of_them() {
        // Chains of five freedoms that meet in the last: each row is reached by some columns of a panel and not by others.
        const SIZE: usize = 11;
        let mut a = [0.0; SIZE * SIZE];
        for row in 0..SIZE {
            let chain = if row == SIZE - 1 { 0 } else { row / 5 * 5 };
            (chain..row).for_each(|column| a[row * SIZE + column] = 0.1 * (row + 2 * column) as f64);
            a[row * SIZE + row] = 20.0 + row as f64;
        }
        let wanted: Vec<f64> = (0..SIZE).map(|row| 1.0 + row as f64).collect();
        let at = |i: usize, j: usize| a[i.max(j) * SIZE + i.min(j)];
        let mut x: Vec<f64> = (0..SIZE).map(|i| (0..SIZE).map(|j| at(i, j) * wanted[j]).sum()).collect();
        let mut factors = a;
        assert!(factor(&mut factors, SIZE));
        solve(&factors, SIZE, &mut x);
        assert!(x.iter().zip(&wanted).all(|(x, wanted)| (x - wanted).abs() < 1e-12), "{x:?}");
    }

    proptest! {
        #[test]
        fn solutions_solve(size in 1..9_usize, numbers in prop::collection::vec(-1.0..1.0_f64, 81), b in prop::collection::vec(-1.0..1.0_f64, 9)) {
            // B Bᵀ + 0.01: definite.
            let at = |i: usize, j: usize| {
                let dot: f64 = (0..9).map(|k| numbers[i * 9 + k] * numbers[j * 9 + k]).sum();
                dot + if i == j { 0.01 } else { 0.0 }
            };
            let mut a: Vec<f64> = (0..size * size).map(|k| at(k / size, k % size)).collect();
            prop_assert!(factor(&mut a, size));
            let mut x = vec![0.0; size];
            x.copy_from_slice(&b[..size]);
            solve(&a, size, &mut x);
            for (i, wanted) in b[..size].iter().enumerate() {
                let got: f64 = (0..size).map(|j| at(i, j) * x[j]).sum();
                prop_assert!((got - wanted).abs() < 1e-11, "{got} {wanted}");
            }
        }
    }
}
