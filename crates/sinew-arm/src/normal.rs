//! The damped normal equations of six rows: `(C Cᵀ + λ) y = e`.
//!
//! Source: Golub & Van Loan, *Matrix Computations*, algorithm 4.1.2, as [`sinew::solve::author::ldl`] has it for any size.

use crate::number::Lanes;

/// A vector with a number a row: three of place, three of rotation.
pub(crate) type Six<L = f64> = [L; 6];

/// `L D Lᵀ` of a matrix of six rows: `L` below the diagonal, one over `D` on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factors<L>([Six<L>; 6]);

#[inline(always)]
pub(crate) fn dot<L: Lanes>(a: &Six<L>, b: &Six<L>) -> L {
    (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5])
}

#[allow(clippy::needless_range_loop, reason = "index arithmetic")]
impl<L: Lanes> Factors<L> {
    /// The factors of `C Cᵀ + damping`; the damping must be above zero.
    #[inline(always)]
    pub(crate) fn new<const N: usize>(columns: &[Six<L>; N], damping: L) -> Self {
        let mut a = [[damping.of(0.0); 6]; 6];
        for row in 0..6 {
            a[row][row] = damping;
        }
        // In two parts, since the sums of one fit into sixteen registers.
        for column in columns {
            for row in 0..4 {
                for other in 0..=row {
                    a[row][other] = a[row][other] + column[row] * column[other];
                }
            }
        }
        for column in columns {
            for row in 4..6 {
                for other in 0..=row {
                    a[row][other] = a[row][other] + column[row] * column[other];
                }
            }
        }
        for row in 0..6 {
            for column in 0..row {
                let mut sum = a[row][column];
                for k in 0..column {
                    sum = sum - a[row][k] * a[column][k];
                }
                // L·D until the pivot is known.
                a[row][column] = sum;
            }
            let mut pivot = a[row][row];
            for column in 0..row {
                let scaled = a[row][column];
                a[row][column] = scaled * a[column][column];
                pivot = pivot - scaled * a[row][column];
            }
            // Rounding may leave nothing of what damping keeps above zero.
            a[row][row] = damping.of(1.0) / (damping.of(0.5) * damping).or_more(pivot);
        }
        Self(a)
    }

    /// The solution for `vector`.
    #[inline(always)]
    pub(crate) fn solve(&self, mut vector: Six<L>) -> Six<L> {
        let a = &self.0;
        for row in 1..6 {
            for column in 0..row {
                vector[row] = vector[row] - a[row][column] * vector[column];
            }
        }
        for row in 0..6 {
            vector[row] = vector[row] * a[row][row];
        }
        for row in (0..5).rev() {
            for below in row + 1..6 {
                vector[row] = vector[row] - a[below][row] * vector[below];
            }
        }
        vector
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_solves() {
        let number = |i: usize| ((i * 7919 + 13) % 101) as f64 / 50.0 - 1.0;
        let columns: [Six; 7] = core::array::from_fn(|i| core::array::from_fn(|row| number(6 * i + row)));
        let right: Six = core::array::from_fn(|row| number(100 + row));
        let y = Factors::new(&columns, 0.01).solve(right);
        for row in 0..6 {
            let along = |i: usize| columns[i][row] * dot(&columns[i], &y);
            let got = (0..7).map(along).sum::<f64>() + 0.01 * y[row];
            assert!((got - right[row]).abs() < 1e-13, "{got} {}", right[row]);
        }
    }
}
