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
    /// As `heights`, one part before it begins.
    before: f64,
    /// So high it must go at least.
    lowest: Heights,
    /// Seconds since it began, and of the whole.
    pub(super) gone: f64,
    pub(super) length: f64,
    /// How high it begins, how fast it rises then, and its acceleration.
    from: [f64; 3],
}

impl Hop {
    /// What ways are bent in.
    pub(super) fn beam() -> Beam {
        Beam::of_length(ENDS)
    }

    /// The least bent way of so many seconds for a foot that would be so deep in the ground without it (negative over it), by `clear` over
    /// what is in its way; if it `stands` then, on the ground. It goes on from how this one is to begin.
    pub(super) fn over(self, length: f64, clear: f64, depths: &[f64; MOMENTS], stands: bool, beam: &mut Beam) -> Self {
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
        let (part, [value, speed, acceleration]) = (length / PARTS as f64, self.from);
        let (evenly, bend) = (part * speed, part * part * acceleration);
        heights[0] = value - bend / 6.0;
        heights[1] = heights[0] + evenly + 0.5 * bend;
        let before = heights[0] - evenly + 0.5 * bend;
        if lowest.iter().any(|lowest| *lowest > 0.0) || heights[..2] != [0.0; 2] {
            let times: Heights = std::array::from_fn(|at| share(at) * length);
            if !stands {
                heights[PARTS - 1..].fill(lowest[PARTS].max(0.0));
            }
            // An edge just ahead throws no foot up higher than what it must go over: its leg would fold at once.
            let highest = lowest.iter().chain(&heights[..2]).copied().fold(0.0, f64::max) + 0.5 * clear;
            beam.bend(&times, &mut heights, [&lowest, &[highest; ENDS]], [2, 2], FADES);
        }
        Self { heights, before, lowest, gone: 0.0, length, from: self.from }
    }

    /// The same, with no room under it.
    pub(super) fn without_room(self) -> Self {
        Self { lowest: self.heights, ..self }
    }

    /// How much higher the foot is now.
    pub(super) fn height(&self) -> f64 {
        self.along(&self.heights, self.before)[0]
    }

    /// The same in so many seconds.
    pub(super) fn later(&self, seconds: f64) -> Self {
        Self { gone: self.gone + seconds, ..*self }
    }

    /// How far under that it is still out of the ground.
    pub(super) fn room(&self) -> f64 {
        (self.height() - self.along(&self.lowest, self.lowest[0])[0]).max(0.0)
    }

    /// One that is to begin so high, to rise so fast then and with such an acceleration.
    pub(super) fn to_go_on(from: [f64; 3]) -> Self {
        Self { from, ..Self::default() }
    }

    /// How high it is now, how fast it rises and its acceleration.
    pub(super) fn motion(&self) -> [f64; 3] {
        self.along(&self.heights, self.before)
    }

    /// What heights are now, their speed and acceleration: a uniform cubic spline whose corners they are, so that the way neither jumps nor
    /// bends at once, and is nowhere lower than the lowest four about it.
    fn along(&self, heights: &Heights, before: f64) -> [f64; 3] {
        if self.length <= 0.0 {
            return [0.0; 3];
        }
        let at = (self.gone / self.length).clamp(0.0, 1.0) * PARTS as f64;
        #[allow(clippy::cast_sign_loss, reason = "shares count from 0")]
        let part = (at as usize).min(PARTS - 1);
        let (x, y) = (at - part as f64, 1.0 - (at - part as f64));
        let before = part.checked_sub(1).map_or(before, |part| heights[part]);
        let [begin, end, after] = [part, part + 1, (part + 2).min(PARTS)].map(|at| heights[at]);
        let sum = y * y * y * before + (4.0 - 3.0 * x * x * (1.0 + y)) * begin;
        let value = (sum + (4.0 - 3.0 * y * y * (1.0 + x)) * end + x * x * x * after) / 6.0;
        let slope = y * y * (begin - before) + (1.0 + 2.0 * x * y) * (end - begin) + x * x * (after - end);
        let bend = y * (before - 2.0 * begin + end) + x * (begin - 2.0 * end + after);
        let per_second = PARTS as f64 / self.length;
        [value, 0.5 * slope * per_second, bend * per_second * per_second]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hop_that_is_planned_anew_goes_on_as_it_was() {
        let deep = |share: f64| if share > 0.3 { 0.2 } else { -0.1 };
        let depths = |from: f64| std::array::from_fn(|at| deep(from + (1.0 - from) * at as f64 / (2 * PARTS) as f64));
        let mut hop = Hop::default().over(0.5, 0.02, &depths(0.0), true, &mut Beam::default());
        for gone in [0.1, 0.123, 0.3] {
            hop.gone = gone;
            let motion = hop.motion();
            let step = |by: f64| hop.later(by).height();
            let numeric = [step(0.0), (step(1e-5) - step(-1e-5)) / 2e-5];
            assert!((motion[0] - numeric[0]).abs() < 1e-12 && (motion[1] - numeric[1]).abs() < 1e-5, "{motion:?}");
            let goes_on = Hop::to_go_on(motion).over(0.5 - gone, 0.02, &depths(gone / 0.5), true, &mut Beam::default());
            let apart = motion.iter().zip(goes_on.motion()).map(|(a, b)| (a - b).abs());
            assert!(apart.fold(0.0, f64::max) < 1e-9, "{gone}: {motion:?} {:?}", goes_on.motion());
            assert!(goes_on.later(0.5 - gone).height().abs() < 1e-9);
        }
    }

    #[test]
    fn hops_clear_what_is_in_the_way_and_leave_level_ways_alone() {
        let over = |depth: &dyn Fn(f64) -> f64| -> Vec<Hop> {
            let depths = std::array::from_fn(|at| depth(at as f64 / (2 * PARTS) as f64));
            let mut hops = vec![Hop::default().over(0.5, 0.02, &depths, true, &mut Beam::default()); 97];
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
