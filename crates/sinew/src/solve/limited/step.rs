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

    /// Where it is least with `damping` on the diagonal; `None` where it falls without end along what is free. What `free` holds
    /// does not count.
    pub(super) fn least(&self, damping: f64, free: &mut Free<M>) -> Option<[f64; M]> {
        let mut step = [0.0; M];
        free.begin(self.slope);
        let steepest = self.slope.iter().fold(0.0, |most: f64, slope| most.max(slope.abs()));
        for i in 0..M {
            let stopped = if self.slope[i] < 0.0 { self.low[i] >= 0.0 } else { self.high[i] <= 0.0 };
            if self.low[i] < self.high[i] && !stopped {
                free.places[free.count] = i;
                free.count += 1;
            }
        }
        for _ in 0..ROUNDS * M {
            let ideal = free.ideal(self, damping)?;
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
                let i = free.remove(place);
                step[i] = bound;
                free.hold(self, i, bound);
                continue;
            }
            // A bound from which the slope leads back inside lets go.
            let mut best = (0, 0.0);
            for i in (0..M).filter(|&i| self.low[i] < self.high[i] && !free.places().contains(&i)) {
                let inside = free
                    .places()
                    .iter()
                    .fold(free.slope[i] - damping * step[i], |down, &k| down - self.entry(i, k) * step[k]);
                let inwards = if step[i] >= self.high[i] { -inside } else { inside };
                if inwards > best.1 {
                    best = (i, inwards);
                }
            }
            if best.1 <= FLAT * steepest {
                break;
            }
            free.hold(self, best.0, -step[best.0]);
            free.add(best.0);
        }
        Some(step)
    }

    fn entry(&self, i: usize, k: usize) -> f64 {
        if k <= i { self.matrix[i][k] } else { self.matrix[k][i] }
    }
}

/// The unknowns that no bound holds, in order, and the factors `L D Lᵀ` of their part of the matrix.
///
/// Rows are factored one after another, so that those before an unknown that leaves or comes back stay as they are.
#[derive(Debug)]
pub(super) struct Free<const M: usize> {
    places: [usize; M],
    count: usize,
    /// Rows that are factored.
    factored: usize,
    /// Rows of `L`, columns of `L D`, and one over `D`.
    lower: [[f64; M]; M],
    scaled: [[f64; M]; M],
    inverse: [f64; M],
    /// The slope where all is held that bounds hold, and nothing else has gone.
    slope: [f64; M],
}

impl<const M: usize> Free<M> {
    pub(super) fn none() -> Self {
        let none = [[0.0; M]; M];
        Self { places: [0; M], count: 0, factored: 0, lower: none, scaled: none, inverse: [0.0; M], slope: [0.0; M] }
    }

    fn begin(&mut self, slope: [f64; M]) {
        (self.count, self.factored, self.slope) = (0, 0, slope);
    }

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

    /// Moves what is held by `by` along one unknown.
    fn hold(&mut self, quadratic: &Quadratic<M>, unknown: usize, by: f64) {
        if by != 0.0 {
            for (i, slope) in self.slope.iter_mut().enumerate() {
                *slope -= quadratic.entry(i, unknown) * by;
            }
        }
    }

    /// The best step of what is free, by place, with the others where they are.
    fn ideal(&mut self, quadratic: &Quadratic<M>, damping: f64) -> Option<[f64; M]> {
        for row in self.factored..self.count {
            self.factor(quadratic, row, damping)?;
        }
        self.factored = self.count;
        let mut ideal = [0.0; M];
        for (row, &i) in self.places().iter().enumerate() {
            let known = self.lower[row][..row].iter().zip(&ideal).fold(self.slope[i], |left, (l, x)| left - l * x);
            ideal[row] = known;
        }
        for row in (0..self.count).rev() {
            // The nearest last: it is the last one known.
            let below = (row + 1..self.count)
                .rev()
                .fold(ideal[row] * self.inverse[row], |solved, below| solved - self.lower[below][row] * ideal[below]);
            ideal[row] = below;
        }
        ideal.iter().all(|value| value.is_finite()).then_some(ideal)
    }

    /// Factors a row after those before it; `None` where the matrix is not definite.
    fn factor(&mut self, quadratic: &Quadratic<M>, row: usize, damping: f64) -> Option<()> {
        let from = &quadratic.matrix[self.places[row]];
        let mut pivot = from[self.places[row]] + damping;
        let mut left = [0.0; M];
        left.iter_mut().zip(self.places()).take(row).for_each(|(left, &place)| *left = from[place]);
        for column in 0..row {
            let entry = left[column];
            let lower = entry * self.inverse[column];
            let behind = left[column + 1..row].iter_mut().zip(&self.scaled[column][column + 1..row]);
            behind.for_each(|(left, scaled)| *left -= lower * scaled);
            (self.lower[row][column], self.scaled[column][row]) = (lower, entry);
            pivot -= lower * entry;
        }
        self.inverse[row] = 1.0 / pivot;
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
            let step = quadratic.least(damping, &mut Free::none()).unwrap();
            for i in 0..9 {
                let down = (0..9).fold(slope[i] - damping * step[i], |down, k| down - quadratic.entry(i, k) * step[k]);
                prop_assert!(step[i] >= low[i] && step[i] <= high[i]);
                prop_assert!(step[i] >= high[i] || down < 1e-9);
                prop_assert!(step[i] <= low[i] || down > -1e-9);
            }
        }
    }
}
