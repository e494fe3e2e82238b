//! The least of a quadratic inside bounds: few unknowns, solved exactly by an active set.

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
        let mut free = Free::<M>::NONE;
        let steepest = self.slope.iter().fold(0.0, |most: f64, slope| most.max(slope.abs()));
        for i in 0..M {
            let stopped = if self.slope[i] < 0.0 { self.low[i] >= 0.0 } else { self.high[i] <= 0.0 };
            if self.low[i] < self.high[i] && !stopped {
                free.add(i);
            }
        }
        for _ in 0..ROUNDS * M {
            let ideal = free.ideal(self, &step, damping)?;
            // As far towards the best step as the first bound in the way.
            let (mut share, mut stopped) = (1.0, None);
            for (place, &i) in free.places().iter().enumerate() {
                let (from, to) = (step[i], ideal[place]);
                let bound = if to > self.high[i] { self.high[i] } else { self.low[i] };
                if (to > self.high[i] || to < self.low[i]) && (bound - from) / (to - from) < share {
                    (share, stopped) = ((bound - from) / (to - from), Some((place, bound)));
                }
            }
            for (&i, to) in free.places().iter().zip(ideal) {
                step[i] += share * (to - step[i]);
            }
            if let Some((place, bound)) = stopped {
                step[free.remove(place)] = bound;
                continue;
            }
            // A bound from which the slope leads back inside lets go.
            let held = (0..M).filter(|&i| self.low[i] < self.high[i] && !free.places().contains(&i));
            let inwards = |i: usize| {
                if step[i] >= self.high[i] { -self.down(&step, i, damping) } else { self.down(&step, i, damping) }
            };
            let best =
                held.map(|i| (i, inwards(i))).fold((0, 0.0), |best, next| if next.1 > best.1 { next } else { best });
            if best.1 <= FLAT * steepest {
                break;
            }
            free.add(best.0);
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
}

/// The unknowns that no bound holds, in order, and the factors `L D Lᵀ` of their part of the matrix.
///
/// Rows are factored one after another, so that those before an unknown that leaves or comes back stay as they are.
struct Free<const M: usize> {
    places: [usize; M],
    count: usize,
    /// Rows that are factored.
    factored: usize,
    /// Rows of `L`, and of `L D`.
    lower: [[f64; M]; M],
    scaled: [[f64; M]; M],
}

impl<const M: usize> Free<M> {
    const NONE: Self = Self { places: [0; M], count: 0, factored: 0, lower: [[0.0; M]; M], scaled: [[0.0; M]; M] };

    fn places(&self) -> &[usize] {
        &self.places[..self.count]
    }

    fn add(&mut self, unknown: usize) {
        let place = self.places().iter().take_while(|&&other| other < unknown).count();
        self.places[place..=self.count].rotate_right(1);
        self.places[place] = unknown;
        self.count += 1;
        self.factored = self.factored.min(place);
    }

    fn remove(&mut self, place: usize) -> usize {
        self.places[place..self.count].rotate_left(1);
        self.count -= 1;
        self.factored = self.factored.min(place);
        self.places[self.count]
    }

    /// The best step of what is free, by place, with the others where they are.
    fn ideal(&mut self, quadratic: &Quadratic<M>, step: &[f64; M], damping: f64) -> Option<[f64; M]> {
        for row in self.factored..self.count {
            self.factor(quadratic, row, damping)?;
        }
        self.factored = self.count;
        let mut ideal = [0.0; M];
        for (row, &i) in self.places().iter().enumerate() {
            let held = (0..M).filter(|k| step[*k] != 0.0 && !self.places().contains(k));
            let slope = held.fold(quadratic.slope[i], |slope, k| slope - quadratic.entry(i, k) * step[k]);
            let known: f64 = self.lower[row][..row].iter().zip(&ideal).map(|(l, x)| l * x).sum();
            ideal[row] = slope - known;
        }
        for (row, value) in ideal[..self.count].iter_mut().enumerate() {
            *value /= self.scaled[row][row];
        }
        for row in (0..self.count).rev() {
            let solved = ideal[row];
            for (left, l) in ideal[..row].iter_mut().zip(&self.lower[row]) {
                *left -= l * solved;
            }
        }
        ideal.iter().all(|value| value.is_finite()).then_some(ideal)
    }

    /// Factors a row after those before it; `None` where the matrix is not definite.
    fn factor(&mut self, quadratic: &Quadratic<M>, row: usize, damping: f64) -> Option<()> {
        let from = &quadratic.matrix[self.places[row]];
        let mut lower = [0.0; M];
        for column in 0..row {
            let taken = lower[..column].iter().zip(&self.scaled[column]);
            let entry = taken.fold(from[self.places[column]], |entry, (l, scaled)| entry - l * scaled);
            lower[column] = entry / self.scaled[column][column];
            self.scaled[row][column] = entry;
        }
        let taken = lower[..row].iter().zip(&self.scaled[row]);
        let pivot = taken.fold(from[self.places[row]] + damping, |pivot, (l, scaled)| pivot - l * scaled);
        (self.lower[row], self.scaled[row][row]) = (lower, pivot);
        (pivot > 0.0).then_some(())
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
