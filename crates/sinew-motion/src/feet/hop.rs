//! The way of a foot over what lies between where it lifts and where it lands.

use crate::least_jerk::smooth;

/// Moments of the way at which the ground is looked at, its ends among them.
const MOMENTS: u32 = 12;
/// How much higher than straight something goes, at the moments between its ends.
pub(super) type Rises = [f64; MOMENTS as usize - 1];

/// The share of the way at each of those moments.
pub(super) fn shares() -> impl Iterator<Item = f64> {
    (1..MOMENTS).map(|moment| f64::from(moment) / f64::from(MOMENTS))
}
/// Shares of the way at which a foot may be highest.
const PEAKS: [f64; 3] = [0.5, 0.35, 0.65];
/// Nearer to its ends than this share of the height, the way is what it is: there the foot comes from above.
const LEAST: f64 = 0.12;

/// How much higher a foot goes than straight from one height to the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Hop {
    /// Where it lifts and lands, and the height between (along up).
    ends: [f64; 2],
    top: f64,
    /// When it is highest: a share of the way.
    peak: f64,
    /// Seconds since it began, and of the whole.
    pub(super) gone: f64,
    pub(super) length: f64,
}

impl Hop {
    /// The lowest way over a ground whose height at a share of the way is told, by `clear` in the middle, for a foot that rises so
    /// much of itself.
    pub(super) fn over(
        ends: [f64; 2],
        length: f64,
        clear: f64,
        rises: &Rises,
        ground: impl Fn(f64) -> Option<f64>,
    ) -> Self {
        let mut found: [f64; MOMENTS as usize] = [f64::NEG_INFINITY; MOMENTS as usize];
        for ((found, share), rise) in found[1..].iter_mut().zip(shares()).zip(rises) {
            *found = ground(share).map_or(f64::NEG_INFINITY, |high| high - rise);
        }
        let higher = ends[0].max(ends[1]);
        let top = |peak: f64| {
            let need = |moment: usize| {
                let share = moment as f64 / f64::from(MOMENTS);
                let (rise, fall) = (smooth(share / peak), smooth((share - peak) / (1.0 - peak)));
                let own = ends[0] * (1.0 - rise) + ends[1] * fall;
                // What the straight way clears needs nothing.
                let straight = ends[0] + (ends[1] - ends[0]) * share;
                let high = found[moment];
                let blocked = high > straight + 0.5 * clear && rise - fall > LEAST;
                if blocked { (high + clear - own) / (rise - fall) } else { f64::NEG_INFINITY }
            };
            (1..MOMENTS as usize).map(need).fold(higher, f64::max)
        };
        let lowest = PEAKS.into_iter().map(|peak| (top(peak), peak)).min_by(|a, b| a.0.total_cmp(&b.0));
        let (top, peak) = lowest.unwrap_or((higher, PEAKS[0]));
        // Over nothing it goes straight.
        let blocked = found.iter().enumerate().any(|(moment, high)| {
            let share = moment as f64 / f64::from(MOMENTS);
            *high > ends[0] + (ends[1] - ends[0]) * share + 0.5 * clear
        });
        if blocked {
            Self { ends, top, peak, gone: 0.0, length }
        } else {
            Self { ends: [0.0; 2], top: 0.0, peak, gone: 0.0, length }
        }
    }

    /// How much higher than straight the foot is now.
    pub(super) fn height(&self) -> f64 {
        if self.length <= 0.0 {
            return 0.0;
        }
        let share = (self.gone / self.length).min(1.0);
        let [from, to] = self.ends;
        (self.top - from) * smooth(share / self.peak)
            - (self.top - to) * smooth((share - self.peak) / (1.0 - self.peak))
            - (to - from) * smooth(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hops_clear_steps_and_leave_level_ways_alone() {
        let way = |hop: Hop| (0..=24u8).map(move |part| Hop { gone: f64::from(part) / 24.0, ..hop }.height());
        let level = Hop::over([0.0, 0.0], 1.0, 0.02, &[0.0; 11], |_| Some(0.0));
        assert!(way(level).all(|height| height == 0.0));
        let slope = Hop::over([0.0, 0.3], 1.0, 0.02, &[0.0; 11], |share| Some(0.3 * share));
        assert!(way(slope).all(|height| height == 0.0));
        // A step that rises early, one that rises late, and a wall.
        for (begin, end, high, to) in [(0.3, 2.0, 0.2, 0.2), (0.7, 2.0, 0.2, 0.2), (0.4, 0.6, 0.3, 0.0)] {
            let ground = |share: f64| Some(if share > begin && share < end { high } else { 0.0 });
            let hop = Hop::over([0.0, to], 1.0, 0.02, &[0.0; 11], ground);
            // What the foot rises of itself it need not hop.
            let less = way(Hop::over([0.0, to], 1.0, 0.02, &[0.05; 11], ground)).fold(0.0, f64::max);
            assert!(less < way(hop).fold(0.0, f64::max) - 0.03, "{begin} {less}");
            let heights: Vec<f64> = way(hop).collect();
            assert!(heights[0].abs() < 1e-12 && heights[24].abs() < 1e-12);
            for (part, height) in heights.iter().enumerate().filter(|(part, _)| part % 2 == 0) {
                let share = part as f64 / 24.0;
                let ground = if share > begin && share < end { high } else { 0.0 };
                assert!(height + to * smooth(share) >= ground - 1e-9, "{begin} {share} {height}");
            }
        }
    }
}
