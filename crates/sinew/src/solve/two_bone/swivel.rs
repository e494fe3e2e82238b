//! Turning the bend about the line from root to target, away from the pole, until the root's limit
//! allows it.

use core::f64::consts::PI;

/// Excess (chord of half the angle) that counts as none.
pub(in crate::solve) const ALLOWED: f64 = 1e-11;
/// Angles tried to either side of the pole.
const STEPS: i32 = 36;

/// The turn of least size at which `excess` is none, if there is any: from a grid, else from the
/// grid's local minima, refined.
pub(in crate::solve) fn nearest_allowed(excess: impl Fn(f64) -> f64) -> Option<f64> {
    let step = PI / f64::from(STEPS);
    let angle = |i: i32| f64::from(i) * step;
    let outward = || (1..=STEPS).flat_map(|i| [i, -i]);
    let found = outward().map(angle).find(|&a| excess(a) < ALLOWED);
    if let Some(found) = found {
        return Some(rim(&excess, found - step * found.signum(), found));
    }
    let lowest = outward().chain([0]).filter(|&i| {
        let here = excess(angle(i));
        here <= excess(angle(i - 1)) && here <= excess(angle(i + 1))
    });
    // Between two angles tried: up to the rim that faces the pole.
    let refined = lowest.filter_map(|i| {
        let lowest = minimum(&excess, angle(i - 1), angle(i + 1));
        (excess(lowest) < ALLOWED).then(|| rim(&excess, angle(i - i.signum()), lowest))
    });
    refined.min_by(|a, b| a.abs().total_cmp(&b.abs()))
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
pub(in crate::solve) fn minimum(value: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    for _ in 0..70 {
        let (a, b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        if value(a) <= value(b) { high = b } else { low = a }
    }
    0.5 * (low + high)
}
