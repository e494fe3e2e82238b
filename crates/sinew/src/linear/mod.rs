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

/// Adds the outer products of columns with themselves, all times `scale`, to a lower triangle (rows of so many entries), from one row and
/// column on. A ball's three freedoms, which reach the same rows, are added at once: memory is passed over once.
pub(crate) fn add_outer<const N: usize>(
    matrix: &mut [f64],
    size: usize,
    first: usize,
    columns: [&[f64]; N],
    scale: f64,
) {
    for i in 0..columns[0].len() {
        let shares = columns.map(|column| column[i] * scale);
        if shares == [0.0; N] {
            continue;
        }
        let left = columns.map(|column| &column[..=i]);
        let row = &mut matrix[(first + i) * size + first..][..=i];
        for (place, sum) in row.iter_mut().enumerate() {
            *sum = (0..N).fold(*sum, |sum, column| sum + left[column][place] * shares[column]);
        }
    }
}
