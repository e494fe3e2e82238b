//! Turning the bend about the line from root to target, away from the pole, until the root's limit
//! allows it.

use core::f64::consts::PI;

/// Excess (chord of half the angle) that counts as none.
pub(in crate::solve) const ALLOWED: f64 = 1e-11;
/// Width (radians) to which a lowest value is narrowed down: rounding of the value hides turns less than its root.
pub(in crate::solve) const NARROW: f64 = 1e-9;
/// Share that golden-section search keeps.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// Places that a search looks at, at most.
const MOST: u32 = 60;
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
    let (least, angle) = narrowed(excess, low, high, ends);
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

/// The lowest value between two angles: the lowest place of the parabola through the three lowest found, or by golden section where
/// that does not narrow it down fast, to a width of `narrow` (Brent, Algorithms for Minimization without Derivatives, 1973, chapter 5).
pub(in crate::solve) fn minimum(value: impl Fn(f64) -> f64, mut low: f64, mut high: f64, narrow: f64) -> f64 {
    let start = low + (1.0 - GOLDEN) * (high - low);
    let lowest = (start, value(start));
    let [mut best, mut second, mut third] = [lowest; 3];
    let (mut step, mut before): (f64, f64) = (0.0, 0.0);
    for _ in 0..MOST {
        let middle = 0.5 * (low + high);
        if (best.0 - middle).abs() + 0.5 * (high - low) <= 2.0 * narrow {
            break;
        }
        let (r, q) = ((best.0 - second.0) * (best.1 - third.1), (best.0 - third.0) * (best.1 - second.1));
        let (above, below) = ((best.0 - third.0) * q - (best.0 - second.0) * r, 2.0 * (r - q));
        let parabolic = above / below;
        let place = best.0 + parabolic;
        if before.abs() > narrow && parabolic.abs() < 0.5 * before.abs() && place > low && place < high {
            (before, step) = (step, parabolic);
        } else {
            before = if best.0 >= middle { low - best.0 } else { high - best.0 };
            step = (1.0 - GOLDEN) * before;
        }
        let angle = best.0 + if step.abs() < narrow { narrow.copysign(step) } else { step };
        let here = (angle, value(angle));
        if here.1 <= best.1 {
            *(if angle >= best.0 { &mut low } else { &mut high }) = best.0;
            (third, second, best) = (second, best, here);
        } else {
            *(if angle < best.0 { &mut low } else { &mut high }) = angle;
            if here.1 <= second.1 || second.0 == best.0 {
                (third, second) = (second, here);
            } else if here.1 <= third.1 || third.0 == best.0 || third.0 == second.0 {
                third = here;
            }
        }
    }
    best.0
}

/// Golden-section search, until the least value found and the width left end it: that value and its angle.
fn narrowed(value: impl Fn(f64) -> f64, mut low: f64, mut high: f64, ends: impl Fn(f64, f64) -> bool) -> (f64, f64) {
    let (mut a, mut b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut at_a, mut at_b) = (value(a), value(b));
    loop {
        let (least, angle) = if at_a <= at_b { (at_a, a) } else { (at_b, b) };
        if ends(least, high - low) {
            return (least, angle);
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

    /// Golden section alone looks at forty places. At a corner it takes over.
    #[test]
    fn a_lowest_place_is_found_in_few_looks() {
        let looks = core::cell::Cell::new(0);
        let counted = |value: fn(f64) -> f64| {
            looks.set(0);
            let found = minimum(
                |angle| {
                    looks.set(looks.get() + 1);
                    value(angle)
                },
                -0.08,
                0.08,
                NARROW,
            );
            (found, looks.get())
        };
        let (found, looks) = counted(|angle| 1.0 - libm::cos(angle - 0.03));
        assert!((found - 0.03).abs() < 2e-8 && looks < 15, "{found} {looks}");
        let (found, looks) = counted(|angle| (angle - 0.03).abs() + angle * angle);
        assert!((found - 0.03).abs() < 2.0 * NARROW && looks < 45, "{found} {looks}");
        // The lowest value may be at an end.
        assert!((counted(|angle| angle).0 + 0.08).abs() < 4.0 * NARROW);
    }
}
