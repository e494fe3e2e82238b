//! The least bent way over what lies below: a beam on obstacles.

use std::ops::Range;

/// Times that obstacles are taken up or let go of at most, for each value.
const ROUNDS: usize = 10;
/// What is nearer to an obstacle than this share of the largest height lies on it, and pulls smaller than this share are none.
const ON: f64 = 1e-9;

/// [`Beam::bend`] with a beam of its own.
pub(crate) fn least_bent(times: &[f64], values: &mut [f64], bounds: [&[f64]; 2], held: [usize; 2], fades: f64) {
    Beam::default().bend(times, values, bounds, held, fades);
}

/// A beam over some times: the matrix of what is least, and what it is solved in. Kept from one way to the next it allocates only for
/// longer ones.
#[derive(Debug, Default)]
pub(crate) struct Beam {
    /// The diagonal and the two beside it, and what pulls each value to where it was.
    rows: Vec<[f64; 3]>,
    pulls: Vec<f64>,
    given: Vec<f64>,
    /// Which way each value is pushed by what it lies on; none where it is free.
    pushed: Vec<f64>,
    /// What is farthest outside of each stretch.
    found: Vec<usize>,
    lower: Vec<[f64; 2]>,
    pivots: Vec<f64>,
    solved: Vec<f64>,
}

impl Beam {
    /// One that does not allocate for ways of so many values.
    pub(crate) fn of_length(count: usize) -> Self {
        let mut beam = Self { found: Vec::with_capacity(count), ..Self::default() };
        beam.lay(&vec![0.0; count], &vec![0.0; count], 1.0);
        (beam.lower, beam.pivots, beam.solved) = (vec![[0.0; 2]; count], vec![1.0; count], vec![0.0; count]);
        beam
    }

    /// Bends `values` as little as it may so that they are between `lowest` and `highest`: to those of the least
    /// `∫ z''² + (z - z₀)² / fades⁴` over time, for the given z₀. Where both bounds cross, the lowest counts. `held` of the first and the
    /// last stay as they are; where two do, the speed there stays, too.
    ///
    /// An obstacle problem, by an active set: what comes to a bound is fixed there, and let go of where the beam would leave it.
    /// What is not settled after so many rounds is brought inside its bounds without being smooth.
    pub(crate) fn bend(
        &mut self,
        times: &[f64],
        values: &mut [f64],
        [lowest, highest]: [&[f64]; 2],
        held: [usize; 2],
        fades: f64,
    ) {
        let free = held[0]..values.len().saturating_sub(held[1]);
        self.lay(times, values, fades);
        let finite = lowest.iter().chain(highest).chain(&*values).filter(|value| value.is_finite());
        let most = finite.fold(f64::MIN_POSITIVE, |most, value| most.max(value.abs()));
        let inside = |at: usize, value: f64| value.min(highest[at]).max(lowest[at]);
        for _ in 0..ROUNDS * values.len() {
            self.settle(&free, values);
            let fixed = |at: usize| !free.contains(&at) || self.pushed[at] != 0.0;
            let out = |at: usize| if fixed(at) { 0.0 } else { inside(at, values[at]) - values[at] };
            // Of each stretch that is outside what is farthest.
            let farthest = |at: &usize| {
                let far = out(*at).abs();
                let before = at.checked_sub(1).map_or(0.0, |before| out(before).abs());
                let after = if at + 1 < values.len() { out(at + 1).abs() } else { 0.0 };
                far > ON * most && far >= before && far > after
            };
            self.found.clear();
            self.found.extend(free.clone().filter(farthest));
            if self.found.is_empty() {
                let held = free.clone().filter(|&at| self.pushed[at] != 0.0);
                let pushes = held.map(|at| (at, self.pushed[at] * self.push(values, at) / self.rows[at][0]));
                let pulled = pushes.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, push)| *push < -ON * most);
                let Some((at, _)) = pulled else { break };
                self.pushed[at] = 0.0;
            }
            for &at in &self.found {
                let value = inside(at, values[at]);
                self.pushed[at] = (value - values[at]).signum();
                values[at] = value;
            }
        }
        for at in free {
            values[at] = inside(at, values[at]);
        }
    }

    /// Begins with given values at some times, free of all bounds.
    fn lay(&mut self, times: &[f64], given: &[f64], fades: f64) {
        let (count, last) = (times.len(), times.len().saturating_sub(1));
        let lasts = |at: usize| 0.5 * (times[(at + 1).min(last)] - times[at.saturating_sub(1)]);
        self.given.clear();
        self.given.extend_from_slice(given);
        self.pushed.clear();
        self.pushed.resize(count, 0.0);
        self.pulls.clear();
        self.pulls.extend((0..count).map(|at| lasts(at) / (fades * fades * fades * fades)));
        self.rows.clear();
        self.rows.extend(self.pulls.iter().map(|&pull| [pull, 0.0, 0.0]));
        for at in 1..last {
            let (before, after) = (times[at] - times[at - 1], times[at + 1] - times[at]);
            let both = before + after;
            let [first, third] = [before, after].map(|length| 2.0 / (length * both));
            let (bend, weight) = ([first, -first - third, third], 0.5 * both);
            for (from, row) in self.rows[at - 1..=at + 1].iter_mut().enumerate() {
                for (to, entry) in row.iter_mut().enumerate().take(3 - from) {
                    *entry += weight * bend[from] * bend[from + to];
                }
            }
        }
    }

    /// What the rest of the beam presses a value down with.
    fn push(&self, values: &[f64], at: usize) -> f64 {
        let above = |by: usize| if by <= at { self.rows[at - by][by] * values[at - by] } else { 0.0 };
        let below = |by: usize| values.get(at + by).map_or(0.0, |value| self.rows[at][by] * value);
        below(0) + below(1) + below(2) + above(1) + above(2) - self.pulls[at] * self.given[at]
    }

    /// Has all but the held and the pushed values come to rest: `L D Lᵀ` of five diagonals.
    fn settle(&mut self, free: &Range<usize>, values: &mut [f64]) {
        let Self { rows, pulls, given, pushed, lower, pivots, solved, .. } = self;
        let count = values.len();
        let fixed = |at: usize| !free.contains(&at) || pushed[at] != 0.0;
        lower.resize(count, [0.0; 2]);
        pivots.resize(count, 1.0);
        solved.resize(count, 0.0);
        for at in 0..count {
            if fixed(at) {
                (lower[at], pivots[at], solved[at]) = ([0.0; 2], 1.0, 0.0);
                continue;
            }
            // What is fixed stands on the right side.
            let mut right = pulls[at] * given[at];
            for by in 1..=2 {
                if at >= by && fixed(at - by) {
                    right -= rows[at - by][by] * values[at - by];
                }
                if at + by < count && fixed(at + by) {
                    right -= rows[at][by] * values[at + by];
                }
            }
            let entry = |by: usize| if at >= by && !fixed(at - by) { rows[at - by][by] } else { 0.0 };
            let two = entry(2);
            let far = if at >= 2 { two / pivots[at - 2] } else { 0.0 };
            let one = entry(1) - if at >= 2 { two * lower[at - 1][0] } else { 0.0 };
            let near = if at >= 1 { one / pivots[at - 1] } else { 0.0 };
            lower[at] = [near, far];
            pivots[at] = rows[at][0] - near * one - far * two;
            solved[at] = right
                - if at >= 1 { near * solved[at - 1] } else { 0.0 }
                - if at >= 2 { far * solved[at - 2] } else { 0.0 };
        }
        for at in (0..count).rev().filter(|&at| !fixed(at)) {
            let mut value = solved[at] / pivots[at];
            for by in 1..=2 {
                if at + by < count && !fixed(at + by) {
                    value -= lower[at + by][by - 1] * values[at + by];
                }
            }
            values[at] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Beam {
        fn of(times: &[f64], given: &[f64], fades: f64) -> Self {
            let mut beam = Self::default();
            beam.lay(times, given, fades);
            beam
        }
    }

    fn times(count: u32) -> Vec<f64> {
        (0..count).map(|at| f64::from(at) * 0.01 + 0.002 * f64::from(at % 2)).collect()
    }

    /// The least of a convex sum is known by its pushes: none where the way is free, none that pull where it lies on something.
    #[test]
    fn ways_lie_on_obstacles_and_are_nowhere_held_down() {
        let times = times(60);
        let given: Vec<f64> = times.iter().map(|time| 0.2 * time).collect();
        for (begin, end, high) in [(20, 22, 0.3), (5, 30, 0.2), (30, 58, 0.25), (10, 11, 0.05)] {
            let floor: Vec<f64> =
                (0..60).map(|at| if at >= begin && at < end { high } else { f64::from(at % 7) * 0.02 - 0.1 }).collect();
            let mut values = given.clone();
            least_bent(&times, &mut values, [&floor, &[f64::INFINITY; 60]], [2, 2], 0.3);
            assert_eq!((&values[..2], &values[58..]), (&given[..2], &given[58..]));
            let beam = Beam::of(&times, &given, 0.3);
            for at in 2..58 {
                let (over, push) = (values[at] - floor[at], beam.push(&values, at) / beam.rows[at][0]);
                assert!(over >= 0.0 && push > -1e-9, "{begin} {at}: {over} {push}");
                assert!(over < 1e-9 || push < 1e-9, "{begin} {at}: {over} over, and pushed by {push}");
            }
        }
    }

    /// A long way over ground of many edges between which it must stay low is settled before it is given up.
    #[test]
    fn long_ways_over_many_edges_are_settled() {
        let (count, times) = (3000, times(3000));
        let mut random = fastrand::Rng::with_seed(7);
        let mut high = 0.0;
        let mut floor = Vec::new();
        for at in 0..count {
            if at % 23 == 0 {
                high = random.f64() * 0.3;
            }
            floor.push(high + 0.01 * random.f64());
        }
        let roof: Vec<f64> = floor.iter().map(|floor| floor + 0.2 + 0.2 * random.f64()).collect();
        let given = vec![0.0; count];
        let mut values = given.clone();
        least_bent(&times, &mut values, [&floor, &roof], [0, 0], 0.1);
        let beam = Beam::of(&times, &given, 0.1);
        let mut lies = 0;
        for at in 0..count {
            let push = beam.push(&values, at) / beam.rows[at][0];
            let (low, high) = (values[at] - floor[at], roof[at] - values[at]);
            assert!(low >= 0.0 && high >= 0.0, "{at}: {low} over, {high} under");
            let free = low > 1e-9 && high > 1e-9;
            lies += usize::from(!free);
            assert!(!free || push.abs() < 1e-8, "{at}: free, and pushed by {push}");
            assert!(low > 1e-9 || push > -1e-8, "{at}: held down by {push}");
        }
        assert!(lies > 100, "{lies}");
    }

    /// Held at both ends, over one obstacle in the middle: a clamped beam, bent by `24 h / T²` at its ends.
    #[test]
    fn one_obstacle_bends_a_way_as_it_does_a_beam() {
        let times: Vec<f64> = (0..103_u32).map(|at| f64::from(at) * 0.01).collect();
        let (mut values, mut floor) = (vec![0.0; 103], vec![-1.0; 103]);
        floor[51] = 0.1;
        least_bent(&times, &mut values, [&floor, &[f64::INFINITY; 103]], [2, 2], 1e3);
        let bent = |at: usize| (values[at - 1] - 2.0 * values[at] + values[at + 1]) / 1e-4;
        assert!((bent(2) / 2.4 - 1.0).abs() < 0.1 && (bent(51) / -2.4 - 1.0).abs() < 0.1, "{} {}", bent(2), bent(51));
    }

    /// With nothing in the way what is even stays.
    #[test]
    fn even_ways_stay_as_they_are() {
        let times = times(30);
        let given: Vec<f64> = times.iter().map(|time| 3.0 * time - 1.0).collect();
        for held in [[0, 0], [2, 0], [2, 2]] {
            let mut values = given.clone();
            least_bent(&times, &mut values, [&[-2.0; 30], &[f64::INFINITY; 30]], held, 0.2);
            assert!(values.iter().zip(&given).all(|(a, b)| (a - b).abs() < 1e-9));
        }
        let mut one = [1.0];
        least_bent(&[0.0], &mut one, [&[2.0], &[1.5]], [0, 0], 0.2);
        assert_eq!(one, [2.0]);
    }
}
