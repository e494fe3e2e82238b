//! How high a body goes in a game loop: on the least bent way through what is known to come.

use crate::least_bent::Beam;

/// Moments ahead that are planned, and the seconds between them.
const MOMENTS: usize = 16;
const STEP: f64 = 0.04;
/// With one just before now, so many seconds, that tells of the speed.
const ALL: usize = MOMENTS + 2;
const BEFORE: f64 = 1e-3 * STEP;
/// Bounds hold at one time. Beside it they are wider, by a way of this acceleration (legs a second squared): so they do not jump from one
/// moment that is planned to the next.
const WIDENS: f64 = 16.0;
/// Seconds for which what is known only of now holds.
pub(super) const SOON: f64 = 0.15;
/// With how much a body outside its bounds comes back, where nothing else is said.
const HURRIES: f64 = 5.0;

/// Heights along up, relative to where the clip has the body, in the moments that are planned.
pub(super) struct Bounds {
    size: f64,
    /// Seconds since the height was brought on.
    dt: f64,
    /// Where the body would go.
    wanted: [f64; ALL],
    lowest: [f64; ALL],
    highest: [f64; ALL],
    firm: f64,
    /// With how much a body outside them comes back (legs a second squared).
    hurries: f64,
}

impl Bounds {
    /// None; the body goes where `wanted` has it in so many seconds, `dt` after the last frame. `size` is the length of a leg.
    pub(super) fn new(size: f64, dt: f64, wanted: impl Fn(f64) -> f64) -> Self {
        let wanted = std::array::from_fn(|at| wanted((time(at) - dt).max(0.0)));
        let [lowest, highest] = [f64::NEG_INFINITY, f64::INFINITY].map(|bound| [bound; ALL]);
        Self { size, dt, wanted, lowest, highest, firm: f64::NEG_INFINITY, hurries: HURRIES }
    }

    /// The same for what comes back with so much.
    pub(super) fn hurrying(self, hurries: f64) -> Self {
        Self { hurries, ..self }
    }

    /// No higher than from one height to another between two times.
    pub(super) fn below(&mut self, [from, to]: [(f64, f64); 2]) {
        let dt = self.dt;
        let limit = |seconds: f64| between([from, to], seconds) + self.size * widens([from.0, to.0], seconds);
        self.highest.iter_mut().enumerate().for_each(|(at, highest)| *highest = highest.min(limit(time(at) - dt)));
    }

    /// No lower than from one height to another between two times, where no bound from above asks for it.
    pub(super) fn above(&mut self, [from, to]: [(f64, f64); 2]) {
        let dt = self.dt;
        let limit = |seconds: f64| between([from, to], seconds) - self.size * widens([from.0, to.0], seconds);
        self.lowest.iter_mut().enumerate().for_each(|(at, lowest)| *lowest = lowest.max(limit(time(at) - dt)));
    }

    /// No lower and no higher than so, before a time.
    pub(super) fn between(&mut self, until: f64, bound: impl Fn(f64) -> [f64; 2]) {
        let dt = self.dt;
        for at in (2..ALL).filter(|at| (0.0..until).contains(&(time(*at) - dt))) {
            let [low, high] = bound(time(at) - dt);
            (self.lowest[at], self.highest[at]) = (self.lowest[at].max(low), self.highest[at].min(high));
        }
    }

    /// No lower than a height, whatever other bounds ask for.
    pub(super) fn firmly_above(&mut self, height: f64) {
        self.firm = self.firm.max(height);
    }
}

/// Seconds from the last frame.
fn time(at: usize) -> f64 {
    at.checked_sub(1).map_or(-BEFORE, |at| at as f64 * STEP)
}

fn between([from, to]: [(f64, f64); 2], seconds: f64) -> f64 {
    let share = (seconds - from.0) / (to.0 - from.0).max(f64::MIN_POSITIVE);
    from.1 + (to.1 - from.1) * share.clamp(0.0, 1.0)
}

fn widens([from, to]: [f64; 2], seconds: f64) -> f64 {
    let beside = (from - seconds).max(seconds - to).max(0.0);
    0.5 * WIDENS * beside * beside
}

/// A height and its speed.
#[derive(Debug, Default)]
pub(super) struct Height {
    pub(super) value: f64,
    speed: f64,
    /// As planned last, at the moments that are planned.
    plan: [f64; ALL],
    beam: Beam,
}

impl Height {
    /// One that allocates no more.
    pub(super) fn new() -> Self {
        Self { beam: Beam::of_length(ALL), ..Self::default() }
    }

    /// At rest at a height.
    pub(super) fn rest_at(&mut self, value: f64) {
        (self.value, self.speed) = (value, 0.0);
    }

    /// How high it is planned to be so many seconds after the last frame; after the last moment as high as then.
    pub(super) fn later(&self, seconds: f64) -> f64 {
        let at = (seconds / STEP).clamp(0.0, (MOMENTS - 1) as f64);
        #[allow(clippy::cast_sign_loss, reason = "not negative")]
        let first = (at as usize).min(MOMENTS - 2);
        let [from, to] = [first + 1, first + 2].map(|at| self.plan[at]);
        from + (to - from) * (at - first as f64)
    }

    /// At rest where it is wanted, as far as it may.
    pub(super) fn begin(&mut self, bounds: &Bounds) {
        *self = Self {
            value: bounds.wanted[1].max(bounds.lowest[1]).min(bounds.highest[1]).max(bounds.firm),
            beam: Beam::of_length(ALL),
            ..*self
        };
    }

    /// Goes on for `dt` on the least bent way that comes to where it is wanted as in `fades` seconds.
    pub(super) fn go(&mut self, bounds: &Bounds, fades: f64, dt: f64) {
        let even = |seconds: f64| self.value + self.speed * seconds;
        let mut heights = bounds.wanted;
        [heights[0], heights[1]] = [even(-BEFORE), self.value];
        let times: [f64; ALL] = std::array::from_fn(time);
        let hurried = |at: usize| 0.5 * bounds.hurries * bounds.size * times[at] * times[at];
        let highest: [f64; ALL] =
            std::array::from_fn(|at| bounds.highest[at].max(bounds.firm).max(even(times[at]) - hurried(at)));
        let lowest: [f64; ALL] = std::array::from_fn(|at| {
            bounds.lowest[at].max(bounds.firm).min(highest[at]).min(even(times[at]) + hurried(at))
        });
        self.beam.bend(&times, &mut heights, [&lowest, &highest], [2, 0], fades);
        self.plan = heights;
        let bent = |at: usize| {
            let speeds = [at, at + 1].map(|at| (heights[at] - heights[at - 1]) / (times[at] - times[at - 1]));
            (speeds[1] - speeds[0]) / (0.5 * (times[at + 1] - times[at - 1]))
        };
        let mut left = dt;
        for at in 1..ALL - 2 {
            let (gone, [from, to]) = (left.min(STEP), [bent(at), bent(at + 1)]);
            let jerk = (to - from) / STEP;
            self.value += (self.speed + (0.5 * from + jerk * gone / 6.0) * gone) * gone;
            self.speed += (from + 0.5 * jerk * gone) * gone;
            left -= gone;
            if left <= 0.0 {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Brings a body that is wanted at 0 on for a second, so many frames of it, under a bound of −0.1 half a second from the start.
    fn under_a_bound(frames: u32) -> Vec<f64> {
        let mut height = Height::default();
        height.begin(&Bounds::new(0.9, 0.0, |_| 0.0));
        let dt = 1.0 / f64::from(frames);
        let one = |frame: u32| {
            let mut bounds = Bounds::new(0.9, dt, |_| 0.0);
            let left = 0.5 - f64::from(frame) * dt;
            if left >= 0.0 {
                bounds.below([(left, -0.1); 2]);
            }
            height.go(&bounds, 0.12, dt);
            height.value
        };
        (1..=frames).map(one).collect()
    }

    #[test]
    fn bodies_are_low_in_time_and_come_back_at_any_frame_rate() {
        let fine = under_a_bound(240);
        for frames in [240, 120, 60, 30] {
            let heights = under_a_bound(frames);
            let [middle, end] = [heights.len() / 2, heights.len()].map(|frame| heights[frame - 1]);
            assert!((middle + 0.1).abs() < 0.012 && end.abs() < 0.02, "{frames}: {middle} {end}");
            let every = fine.len() / heights.len();
            let apart = heights.iter().zip(fine.iter().skip(every - 1).step_by(every)).map(|(a, b)| (a - b).abs());
            let most = apart.fold(0.0, f64::max);
            assert!(most < 6e-3, "{frames}: {most}");
            let bends = heights.windows(3).map(|three| (three[0] - 2.0 * three[1] + three[2]).abs());
            let most = bends.fold(0.0, f64::max) * f64::from(frames * frames);
            assert!(most < 8.0, "{frames}: {most} m/s²");
        }
    }

    #[test]
    fn legs_that_fold_count_more_than_legs_that_reach() {
        let mut bounds = Bounds::new(0.9, 0.0, |_| 0.0);
        bounds.below([(0.0, -0.3), (SOON, -0.3)]);
        bounds.above([(0.0, -0.1), (SOON, -0.1)]);
        let mut height = Height::default();
        height.begin(&bounds);
        assert_eq!(height.value, -0.3);
        bounds.firmly_above(-0.2);
        height.begin(&bounds);
        assert_eq!(height.value, -0.2);
    }
}
