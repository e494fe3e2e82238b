//! Turning the bend about the line from root to target, away from the pole, until the root's limit
//! allows it.

use core::f64::consts::PI;

/// Excess (chord of half the angle) that counts as none.
pub(in crate::solve) const ALLOWED: f64 = 1e-11;
/// Width (radians) to which the lowest value is narrowed down.
const NARROW: f64 = 1e-9;
/// Share that golden-section search keeps.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// Angles tried to either side of the pole.
const STEPS: i32 = 36;
const STEP: f64 = PI / STEPS as f64;

/// What a measure of turns is on a grid all round, each place found once.
pub(in crate::solve) struct Scan<F> {
    excess: F,
    /// `NaN` where it was not asked for.
    found: [f64; 2 * STEPS as usize + 3],
}

impl<F: Fn(f64) -> f64> Scan<F> {
    pub(in crate::solve) fn of(excess: F) -> Self {
        Self { excess, found: [f64::NAN; 2 * STEPS as usize + 3] }
    }

    fn angle(i: i32) -> f64 {
        f64::from(i) * STEP
    }

    fn at(&mut self, i: i32) -> f64 {
        let found = &mut self.found[(i + STEPS + 1).unsigned_abs() as usize];
        if found.is_nan() {
            *found = (self.excess)(Self::angle(i));
        }
        *found
    }

    /// Whether nothing beside a place is lower, and not all is the same, as where a limit holds all round.
    fn is_dip(&mut self, i: i32) -> bool {
        let (before, here, after) = (self.at(i - 1), self.at(i), self.at(i + 1));
        here <= before.min(after) && here < before.max(after)
    }

    /// The angles beside each dip, from the middle outwards.
    pub(in crate::solve) fn dips(&mut self) -> impl Iterator<Item = [f64; 2]> {
        let outward = core::iter::once(0).chain((1..=STEPS).flat_map(|i| [i, -i]));
        outward.filter(|&i| self.is_dip(i)).map(|i| [Self::angle(i - 1), Self::angle(i + 1)])
    }

    /// The turn of least size at which the measure is none, if there is any: from a grid, else from the
    /// grid's local minima, refined. Turns less than `away` times an excess from where it is found are passed over; 0 passes
    /// over none.
    pub(in crate::solve) fn nearest_allowed(&mut self, away: f64) -> Option<f64> {
        let ahead = |excess: f64| 1 + (away * excess / STEP).min(f64::from(2 * STEPS)) as i32;
        let here = self.at(0);
        let mut next = [ahead(here), ahead(here)];
        // Grid angles beside which something may be allowed.
        let mut close = u128::from(ahead(here) == 1) << STEPS;
        for size in 1..=STEPS {
            for (next, sign) in next.iter_mut().zip([1, -1]) {
                if *next > size {
                    continue;
                }
                let here = self.at(size * sign);
                if here < ALLOWED {
                    let found = Self::angle(size * sign);
                    return Some(rim(&self.excess, found - STEP * found.signum(), found));
                }
                *next = size + ahead(here);
                close |= u128::from(*next == size + 1) << (STEPS + size * sign);
            }
        }
        let outward = (1..=STEPS).flat_map(|i| [i, -i]).chain([0]);
        let mut least: Option<f64> = None;
        for i in outward.filter(|&i| close >> (STEPS + i) & 1 == 1) {
            // Between two angles tried: up to the rim that faces the pole.
            if self.is_dip(i)
                && let Some(lowest) = dip(&self.excess, away, Self::angle(i - 1), Self::angle(i + 1))
            {
                let turn = rim(&self.excess, Self::angle(i - i.signum()), lowest);
                least = Some(least.filter(|least| least.abs() <= turn.abs()).unwrap_or(turn));
            }
        }
        least
    }
}

/// Golden-section search for an angle at which `excess` is none, given up where none can be left.
fn dip(excess: impl Fn(f64) -> f64, away: f64, low: f64, high: f64) -> Option<f64> {
    let ends = |least: f64, width: f64| least < ALLOWED || least * away > width || width < ALLOWED;
    let (least, angle, _) = narrowed(excess, low, high, ends);
    (least < ALLOWED).then_some(angle)
}

/// The allowed angle nearest to `outside`, between it and `inside`.
pub(super) fn rim(excess: impl Fn(f64) -> f64, mut outside: f64, mut inside: f64) -> f64 {
    for _ in 0..40 {
        let middle = 0.5 * (inside + outside);
        if excess(middle) < ALLOWED { inside = middle } else { outside = middle }
    }
    inside
}

/// Golden-section search for the lowest value.
pub(in crate::solve) fn minimum(value: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    // Rounding of a value hides turns less than its root.
    narrowed(value, low, high, |_, width| width.is_nan() || width <= NARROW).2
}

/// Golden-section search, until the least value found and the width left end it: that value, its angle, and the middle of
/// what is left.
fn narrowed(
    value: impl Fn(f64) -> f64,
    mut low: f64,
    mut high: f64,
    ends: impl Fn(f64, f64) -> bool,
) -> (f64, f64, f64) {
    let (mut a, mut b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut at_a, mut at_b) = (value(a), value(b));
    loop {
        let (least, angle) = if at_a <= at_b { (at_a, a) } else { (at_b, b) };
        if ends(least, high - low) {
            return (least, angle, 0.5 * (low + high));
        }
        if at_a <= at_b {
            (high, b, at_b) = (b, a, at_a);
            a = high - GOLDEN * (high - low);
            at_a = value(a);
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = low + GOLDEN * (high - low);
            at_b = value(b);
        }
    }
}

#[cfg(test)]
mod tests {
    use core::cell::RefCell;
    use std::vec::Vec;

    use super::*;

    /// Where nothing is allowed, all places are looked at, and their neighbours; each once.
    #[test]
    fn no_place_is_measured_twice() {
        let asked = RefCell::new(Vec::new());
        let mut scan = Scan::of(|angle: f64| {
            asked.borrow_mut().push(angle.to_bits());
            1.5 - libm::cos(3.0 * (angle - 0.2))
        });
        assert_eq!(scan.nearest_allowed(0.0), None);
        assert_eq!(scan.dips().count(), 3);
        let mut asked = asked.into_inner();
        let count = asked.len();
        asked.sort_unstable();
        asked.dedup();
        assert_eq!(asked.len(), count);
    }
}
