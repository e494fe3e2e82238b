//! Small dense factorisations in the caller's memory: `+ - * / sqrt` in a fixed order, nothing
//! allocated.

pub(crate) mod blocks;
pub mod ldl;
pub(crate) mod orthogonal;

/// The product of two long vectors, in four sums side by side: in one, each addition waits for the one before.
pub(crate) fn wide_dot(a: &[f64], b: &[f64]) -> f64 {
    let (fours, left) = a.as_chunks::<4>();
    let (others, rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (x, y) in fours.iter().zip(others) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + left.iter().zip(rest).map(|(x, y)| x * y).sum::<f64>()
}
