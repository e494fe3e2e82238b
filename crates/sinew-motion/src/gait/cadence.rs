//! How legs take turns at a speed: stride lengths as animals have them (Alexander 1976: 2.3 hip heights times the 0.6th power
//! of the speed over `sqrt(g h)`), one leg after another when slow, opposite groups when quick.

use sinew::math::ops;

use crate::least_jerk::smooth;

/// The turns that legs take.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cadence {
    /// Seconds of a stride; none while nothing moves.
    pub(super) period: f64,
    /// Share of a stride that a foot stands.
    pub(super) duty: f64,
    /// By which share of a stride a leg follows the one behind it.
    pub(super) lag: f64,
}

/// `speed` is that of the fastest place at which a foot rests under the body, `height` the hips', `travel` how far a foot may
/// stay behind from landing to lifting, `legs` how many there are.
pub(super) fn cadence(speed: f64, turning: f64, height: f64, gravity: f64, travel: f64, legs: usize) -> Cadence {
    let own = ops::sqrt(gravity * height);
    let u = speed / own;
    let run = smooth((u - 0.75) / 0.7);
    let (lag, walking) = if legs == 2 {
        (0.5, 0.66 - 0.12 * smooth(u / 0.75))
    } else {
        let wave = 1.0 / legs as f64;
        let lag = wave + (0.5 - wave) * smooth((u - 0.08) / 0.4);
        (lag, (1.0 - lag).max(0.52))
    };
    let mut duty = walking + (0.38 - walking) * if legs <= 4 { run } else { 0.0 };
    let natural = 2.3 * height * ops::pow(u.max(0.02), 0.6);
    let stride = natural.min(travel / duty).max(0.05 * height);
    let mut period = stride / speed.max(0.02 * own);
    // A foot turns by forty degrees at most while it stands.
    period = period.min(0.7 / (duty * turning.abs()).max(1e-9));
    // A foot in the air does not dawdle.
    let slowest = 1.6 * ops::sqrt(height / gravity);
    duty = duty.max(1.0 - slowest / period);
    Cadence { period, duty, lag }
}
