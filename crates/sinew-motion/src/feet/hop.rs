//! The way of a foot over what lies between where it lifts and where it lands.

use crate::least_bent::Beam;
use crate::least_jerk::smooth;

/// Parts of the way, and their ends, between which it is bent.
const PARTS: usize = 24;
const ENDS: usize = PARTS + 1;
/// Moments of the way at which the ground is looked at: at the ends of each part and between.
pub(super) const MOMENTS: usize = 2 * PARTS + 1;
/// The whole way's share at its ends over which a foot comes to clear what is in its way.
const COMES_CLEAR: f64 = 0.25;
/// Seconds in which a foot comes back from over what was in its way, where nothing else holds it.
const FADES: f64 = 0.15;

/// How much higher than on its way a foot goes, at the ends of each part.
type Heights = [f64; ENDS];

/// How much higher a foot goes than on its way to where it lands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Hop {
    heights: Heights,
    /// So high it must go at least.
    lowest: Heights,
    /// Seconds since it began, and of the whole.
    pub(super) gone: f64,
    pub(super) length: f64,
}

impl Hop {
    /// What ways are bent in.
    pub(super) fn beam() -> Beam {
        Beam::of_length(ENDS)
    }

    /// The least bent way of so many seconds for a foot that would be so deep in the ground without it (negative over it), by `clear` over
    /// what is in its way; if it `stands` then, on the ground.
    pub(super) fn over(length: f64, clear: f64, depths: &[f64; MOMENTS], stands: bool, beam: &mut Beam) -> Self {
        let share = |at: usize| at as f64 / PARTS as f64;
        let mut lowest = [0.0; ENDS];
        for (at, lowest) in lowest.iter_mut().enumerate() {
            // What lies between two moments is as high as the higher one.
            let about = &depths[(2 * at).saturating_sub(2)..(2 * at + 3).min(MOMENTS)];
            let deep = about.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let nearer_end = share(at).min(1.0 - share(at));
            *lowest = deep + clear * smooth(deep / clear) * smooth(nearer_end / COMES_CLEAR);
        }
        let mut heights = [0.0; ENDS];
        if lowest.iter().any(|lowest| *lowest > 0.0) {
            let times: Heights = std::array::from_fn(|at| share(at) * length);
            if !stands {
                heights[PARTS - 1..].fill(lowest[PARTS].max(0.0));
            }
            // An edge just ahead throws no foot up higher than what it must go over: its leg would fold at once.
            let highest = lowest.iter().copied().fold(0.0, f64::max) + 0.5 * clear;
            beam.bend(&times, &mut heights, [&lowest, &[highest; ENDS]], [2, 2], FADES);
        }
        Self { heights, lowest, gone: 0.0, length }
    }

    /// The same, with no room under it.
    pub(super) fn without_room(self) -> Self {
        Self { lowest: self.heights, ..self }
    }

    /// How much higher the foot is now.
    pub(super) fn height(&self) -> f64 {
        self.along(&self.heights)
    }

    /// The same in so many seconds.
    pub(super) fn later(&self, seconds: f64) -> Self {
        Self { gone: self.gone + seconds, ..*self }
    }

    /// How far under that it is still out of the ground.
    pub(super) fn room(&self) -> f64 {
        (self.height() - self.along(&self.lowest)).max(0.0)
    }

    /// What heights are now: a uniform cubic spline whose corners they are, so that the way neither jumps nor bends at once, and is
    /// nowhere lower than the lowest four about it.
    fn along(&self, heights: &Heights) -> f64 {
        if self.length <= 0.0 {
            return 0.0;
        }
        let at = (self.gone / self.length).clamp(0.0, 1.0) * PARTS as f64;
        #[allow(clippy::cast_sign_loss, reason = "shares count from 0")]
        let part = (at as usize).min(PARTS - 1);
        let (x, y) = (at - part as f64, 1.0 - (at - part as f64));
        let [before, begin, end, after] =
            [part.saturating_sub(1), part, part + 1, (part + 2).min(PARTS)].map(|at| heights[at]);
        let sum = y * y * y * before + (4.0 - 3.0 * x * x * (1.0 + y)) * begin;
        (sum + (4.0 - 3.0 * y * y * (1.0 + x)) * end + x * x * x * after) / 6.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hops_clear_what_is_in_the_way_and_leave_level_ways_alone() {
        let over = |depth: &dyn Fn(f64) -> f64| -> Vec<Hop> {
            let depths = std::array::from_fn(|at| depth(at as f64 / (2 * PARTS) as f64));
            let mut hops = vec![Hop::over(0.5, 0.02, &depths, true, &mut Beam::default()); 97];
            hops.iter_mut().enumerate().for_each(|(part, hop)| hop.gone = 0.5 * part as f64 / 96.0);
            hops
        };
        assert!(over(&|_| 0.0).iter().all(|hop| hop.height() == 0.0));
        assert!(over(&|share| -share).iter().all(|hop| hop.height() == 0.0));
        // A step up that begins early, one that begins late, and a wall.
        for (begin, end, high, to) in [(0.3, 2.0, 0.2, 0.2), (0.7, 2.0, 0.2, 0.2), (0.4, 0.6, 0.3, 0.0)] {
            let depth =
                |share: f64| (if share > begin && share < end { high } else { 0.0 }) - to * smooth(share) - 1e-9;
            let heights: Vec<f64> = over(&depth).iter().map(Hop::height).collect();
            assert!(heights[0] == 0.0 && heights[96] == 0.0);
            for (part, hop) in over(&depth).iter().enumerate() {
                let share = part as f64 / 96.0;
                assert!(hop.height() - hop.room() >= depth(share) - 1e-12, "{begin} {share} {}", hop.height());
                assert!(hop.height() < high + 0.031, "{begin} {share} {}", hop.height());
            }
            // It neither jumps nor turns at once.
            let bends = heights.windows(3).map(|three| (three[0] - 2.0 * three[1] + three[2]).abs());
            let most = bends.fold(0.0, f64::max) * (96.0_f64 / 0.5).powi(2);
            assert!(most < 60.0 * high / 0.25, "{begin} {most}");
        }
    }
}
