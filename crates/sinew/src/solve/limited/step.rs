//! The step of least squares inside bounds: few rows, few columns, solved exactly by an active set.

use glam::DVec3;

use super::chart::Freedom;
use crate::linear::ldl;

/// Columns at most: three joints of three freedoms.
pub(super) const MOST: usize = 9;
/// Rounds a column, in which one leaves or comes back.
const ROUNDS: usize = 4;

/// The step within the freedoms' bounds at which `|wanted - columns · step|² + damping |step|²` is least.
pub(super) fn bounded(columns: &[DVec3], freedoms: &[Freedom], wanted: DVec3, damping: f64) -> [f64; MOST] {
    let mut step = [0.0; MOST];
    let mut free = [true; MOST];
    for _ in 0..ROUNDS * columns.len() {
        let Some(dual) = dual(columns, &step, &free, wanted, damping) else { break };
        let ideal = |i: usize| columns[i].dot(dual);
        // As far towards the best step as the first bound in the way.
        let (mut share, mut stopped) = (1.0, None);
        for i in (0..columns.len()).filter(|&i| free[i]) {
            let (from, to) = (step[i], ideal(i));
            let bound = if to > freedoms[i].high { freedoms[i].high } else { freedoms[i].low };
            if (to > freedoms[i].high || to < freedoms[i].low) && (bound - from) / (to - from) < share {
                (share, stopped) = ((bound - from) / (to - from), Some((i, bound)));
            }
        }
        for i in (0..columns.len()).filter(|&i| free[i]) {
            step[i] += share * (ideal(i) - step[i]);
        }
        if let Some((i, bound)) = stopped {
            (step[i], free[i]) = (bound, false);
            continue;
        }
        // A bound from which the best step leads back inside lets go.
        let inwards = |i: usize| if step[i] >= freedoms[i].high { step[i] - ideal(i) } else { ideal(i) - step[i] };
        let held = (0..columns.len()).filter(|&i| !free[i] && freedoms[i].low < freedoms[i].high);
        let best = held.map(|i| (i, inwards(i))).fold((0, 0.0), |best, next| if next.1 > best.1 { next } else { best });
        if best.1 <= 1e-12 {
            break;
        }
        free[best.0] = true;
    }
    step
}

/// What is left of the rows after the best step of the free columns, over the damping: the best step of each
/// column is its product with it.
fn dual(columns: &[DVec3], step: &[f64; MOST], free: &[bool; MOST], wanted: DVec3, damping: f64) -> Option<DVec3> {
    let mut matrix = [damping, 0.0, 0.0, 0.0, damping, 0.0, 0.0, 0.0, damping];
    let mut rest = wanted;
    for (i, &column) in columns.iter().enumerate() {
        if !free[i] {
            rest -= column * step[i];
            continue;
        }
        for row in 0..3 {
            (0..=row).for_each(|k| matrix[3 * row + k] += column[row] * column[k]);
        }
    }
    let mut vector = rest.to_array();
    if !ldl::factor(&mut matrix, 3) {
        return None;
    }
    ldl::solve(&matrix, 3, &mut vector);
    Some(DVec3::from_array(vector)).filter(|dual| dual.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = DVec3> {
        (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(DVec3::from)
    }

    proptest! {
        /// No step inside the bounds is better: along every column the slope points out of the bounds.
        #[test]
        fn no_column_would_go_on(columns in prop::collection::vec(vector(), 2..9), bounds in prop::array::uniform9((0.0..0.5_f64, 0.0..0.5_f64)), wanted in vector(), exponent in -6..=0_i32) {
            let damping = libm::pow(10.0, f64::from(exponent));
            let freedoms = bounds.map(|(low, high)| Freedom { low: -low, high, ..Freedom::default() });
            let step = bounded(&columns, &freedoms[..columns.len()], wanted, damping);
            let left = columns.iter().zip(step).fold(wanted, |left, (&column, size)| left - column * size);
            for (i, column) in columns.iter().enumerate() {
                let slope = column.dot(left) - damping * step[i];
                prop_assert!(step[i] >= freedoms[i].low && step[i] <= freedoms[i].high);
                prop_assert!(step[i] >= freedoms[i].high || slope < 1e-9);
                prop_assert!(step[i] <= freedoms[i].low || slope > -1e-9);
            }
        }
    }
}
