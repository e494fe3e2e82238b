//! The least of a quadratic inside bounds: few unknowns, solved exactly by an active set.

use crate::linear::ldl;

/// Rounds an unknown, in which one leaves or comes back.
const ROUNDS: usize = 4;
/// Share of the steepest slope below which a bound does not let go.
const FLAT: f64 = 1e-12;

/// `½ sᵀ H s - gᵀ s`, of `s` between bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quadratic<const M: usize> {
    /// Rows of `H`, of which the lower triangle is read.
    pub(super) matrix: [[f64; M]; M],
    pub(super) slope: [f64; M],
    pub(super) low: [f64; M],
    pub(super) high: [f64; M],
}

impl<const M: usize> Quadratic<M> {
    pub(super) const ZERO: Self = Self { matrix: [[0.0; M]; M], slope: [0.0; M], low: [0.0; M], high: [0.0; M] };

    /// Where it is least with `damping` on the diagonal; `None` where it falls without end along what is free.
    pub(super) fn least(&self, damping: f64) -> Option<[f64; M]> {
        let mut step = [0.0; M];
        let mut free = [false; M];
        let steepest = self.slope.iter().fold(0.0, |most: f64, slope| most.max(slope.abs()));
        for (i, free) in free.iter_mut().enumerate() {
            let stopped = if self.slope[i] < 0.0 { self.low[i] >= 0.0 } else { self.high[i] <= 0.0 };
            *free = self.low[i] < self.high[i] && !stopped;
        }
        for _ in 0..ROUNDS * M {
            let ideal = self.ideal(&step, &free, damping)?;
            // As far towards the best step as the first bound in the way.
            let (mut share, mut stopped) = (1.0, None);
            for i in (0..M).filter(|&i| free[i]) {
                let (from, to) = (step[i], ideal[i]);
                let bound = if to > self.high[i] { self.high[i] } else { self.low[i] };
                if (to > self.high[i] || to < self.low[i]) && (bound - from) / (to - from) < share {
                    (share, stopped) = ((bound - from) / (to - from), Some((i, bound)));
                }
            }
            for i in (0..M).filter(|&i| free[i]) {
                step[i] += share * (ideal[i] - step[i]);
            }
            if let Some((i, bound)) = stopped {
                (step[i], free[i]) = (bound, false);
                continue;
            }
            // A bound from which the slope leads back inside lets go.
            let held = (0..M).filter(|&i| !free[i] && self.low[i] < self.high[i]);
            let inwards = |i: usize| {
                if step[i] >= self.high[i] { -self.down(&step, i, damping) } else { self.down(&step, i, damping) }
            };
            let best =
                held.map(|i| (i, inwards(i))).fold((0, 0.0), |best, next| if next.1 > best.1 { next } else { best });
            if best.1 <= FLAT * steepest {
                break;
            }
            free[best.0] = true;
        }
        Some(step)
    }

    /// How steeply it falls along one unknown.
    fn down(&self, step: &[f64; M], i: usize, damping: f64) -> f64 {
        (0..M).fold(self.slope[i] - damping * step[i], |down, k| down - self.entry(i, k) * step[k])
    }

    fn entry(&self, i: usize, k: usize) -> f64 {
        if k <= i { self.matrix[i][k] } else { self.matrix[k][i] }
    }

    /// The best step of what is free, with the others where they are.
    fn ideal(&self, step: &[f64; M], free: &[bool; M], damping: f64) -> Option<[f64; M]> {
        let mut places = [0; M];
        let mut count = 0;
        for i in (0..M).filter(|&i| free[i]) {
            (places[count], count) = (i, count + 1);
        }
        let (mut rows, mut vector) = ([[0.0; M]; M], [0.0; M]);
        let matrix = &mut rows.as_flattened_mut()[..count * count];
        for (row, &i) in places[..count].iter().enumerate() {
            vector[row] = self.slope[i];
            for k in (0..M).filter(|&k| !free[k]) {
                vector[row] -= self.entry(i, k) * step[k];
            }
            for (column, &k) in places[..=row].iter().enumerate() {
                matrix[row * count + column] = self.matrix[i][k];
            }
            matrix[row * count + row] += damping;
        }
        if !ldl::factor(matrix, count) {
            return None;
        }
        ldl::solve(matrix, count, &mut vector[..count]);
        let mut ideal = *step;
        for (row, &i) in places[..count].iter().enumerate() {
            ideal[i] = vector[row];
        }
        ideal.iter().all(|value| value.is_finite()).then_some(ideal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// No step inside the bounds is better: along every unknown the slope points out of the bounds.
        #[test]
        fn no_unknown_would_go_on(rows in prop::collection::vec(prop::array::uniform9(-1.0..1.0_f64), 9), slope in prop::array::uniform9(-1.0..1.0_f64), bounds in prop::array::uniform9((0.0..0.5_f64, 0.0..0.5_f64)), exponent in -6..=0_i32) {
            let damping = libm::pow(10.0, f64::from(exponent));
            let mut matrix = [[0.0; 9]; 9];
            for (i, row) in matrix.iter_mut().enumerate() {
                for (k, entry) in row.iter_mut().enumerate() {
                    *entry = rows.iter().map(|row| row[i] * row[k]).sum();
                }
            }
            let (low, high) = (bounds.map(|(low, _)| -low), bounds.map(|(_, high)| high));
            let quadratic = Quadratic { matrix, slope, low, high };
            let step = quadratic.least(damping).unwrap();
            for i in 0..9 {
                let down = quadratic.down(&step, i, damping);
                prop_assert!(step[i] >= low[i] && step[i] <= high[i]);
                prop_assert!(step[i] >= high[i] || down < 1e-9);
                prop_assert!(step[i] <= low[i] || down > -1e-9);
            }
        }
    }
}
