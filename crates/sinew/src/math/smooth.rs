//! The smooth step.

/// From 0 to 1 between two numbers, level at both ends and beyond them.
pub(crate) fn smooth(x: f64, (from, to): (f64, f64)) -> f64 {
    let along = ((x - from) / (to - from)).clamp(0.0, 1.0);
    along * along * (3.0 - 2.0 * along)
}
