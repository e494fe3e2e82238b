//! A vector over time, and how fast it changes.

use glam::{DQuat, DVec3};
use sinew::math::arc;

/// A vector at each of some times: a joint's place, its speed and so on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    times: Vec<f64>,
    values: Vec<DVec3>,
}

impl Course {
    /// A vector at each of these times (seconds, increasing); what has no time is left out.
    pub fn new(mut times: Vec<f64>, mut values: Vec<DVec3>) -> Self {
        let both = times.len().min(values.len());
        times.truncate(both);
        values.truncate(both);
        Self { times, values }
    }

    /// Rotation vectors from each rotation to the next over the time between, halfway between them.
    pub(crate) fn turning(times: &[f64], rotations: &[DQuat]) -> Self {
        let pairs = times.windows(2).zip(rotations.windows(2));
        let turn = |(times, turns): (&[f64], &[DQuat])| {
            let (from, to) = (turns[0], turns[1]);
            // Alike to the last bit is no turn, whatever rounding makes of it.
            let vector = if from == to { DVec3::ZERO } else { arc::rotation_vector(to * from.conjugate()) };
            vector / (times[1] - times[0])
        };
        let middles = times.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
        Self { times: middles.collect(), values: pairs.map(turn).collect() }
    }

    /// When the values are (seconds).
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The values.
    pub fn values(&self) -> &[DVec3] {
        &self.values
    }

    /// The derivative of this order, per second each: of places the speed (1), acceleration (2) and jerk (3); of
    /// [turning](crate::Clip::turning) the angular acceleration (1) and jerk (2).
    ///
    /// Divided differences of `order + 1` neighbours, times the factorial of the order, at the mean of their times: exact
    /// for polynomials of that degree, at whatever times. There are `order` values fewer; none where there are too few.
    pub fn derivative(&self, order: usize) -> Self {
        let mut values = self.values.clone();
        let mut factorial = 1.0;
        for k in 1..=order {
            factorial *= k as f64;
            let next = |i: usize| (values[i + 1] - values[i]) / (self.times[i + k] - self.times[i]);
            values = (0..values.len().saturating_sub(1)).map(next).collect();
        }
        let mean = |span: &[f64]| span.iter().sum::<f64>() / span.len() as f64;
        Self {
            times: self.times.windows(order + 1).map(mean).collect(),
            values: values.into_iter().map(|value| value * factorial).collect(),
        }
    }

    /// Lengths of the values.
    pub fn sizes(&self) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().map(|value| value.length())
    }

    /// The time of the largest value, and its size; zeros when there is no value. NaN counts as the largest.
    pub fn peak(&self) -> (f64, f64) {
        let larger = |most: (f64, f64), one: (f64, f64)| if one.1 > most.1 || one.1.is_nan() { one } else { most };
        self.times.iter().copied().zip(self.sizes()).fold((0.0, 0.0), larger)
    }
}
