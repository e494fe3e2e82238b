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

/// The turn of least size at which `excess` is none, if there is any: from a grid, else from the
/// grid's local minima, refined. Turns less than `away` times an excess from where it is found are passed over; 0 passes
/// over none.
pub(in crate::solve) fn nearest_allowed(excess: impl Fn(f64) -> f64, away: f64) -> Option<f64> {
    let step = PI / f64::from(STEPS);
    let angle = |i: i32| f64::from(i) * step;
    let ahead = |excess: f64| 1 + (away * excess / step) as i32;
    let here = excess(0.0);
    let mut next = [ahead(here), ahead(here)];
    // Grid angles beside which something may be allowed.
    let mut close = u128::from(ahead(here) == 1) << STEPS;
    for size in 1..=STEPS {
        for (next, sign) in next.iter_mut().zip([1, -1]) {
            if *next > size {
                continue;
            }
            let here = excess(angle(size * sign));
            if here < ALLOWED {
                let found = angle(size * sign);
                return Some(rim(&excess, found - step * found.signum(), found));
            }
            *next = size + ahead(here);
            close |= u128::from(*next == size + 1) << (STEPS + size * sign);
        }
    }
    let outward = (1..=STEPS).flat_map(|i| [i, -i]).chain([0]);
    let lowest = outward.filter(|&i| close >> (STEPS + i) & 1 == 1).filter(|&i| {
        let (before, here, after) = (excess(angle(i - 1)), excess(angle(i)), excess(angle(i + 1)));
        // Where it is the same on both sides, as where a limit holds all round, nothing is lower in between.
        here <= before.min(after) && here < before.max(after)
    });
    // Between two angles tried: up to the rim that faces the pole.
    let refined = lowest.filter_map(|i| {
        let lowest = dip(&excess, away, angle(i - 1), angle(i + 1))?;
        Some(rim(&excess, angle(i - i.signum()), lowest))
    });
    refined.min_by(|a, b| a.abs().total_cmp(&b.abs()))
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
