//! A step without a corner.

/// From 0 to 1 with the speed and its change 0 at both ends.
pub(crate) fn smooth(share: f64) -> f64 {
    let x = share.clamp(0.0, 1.0);
    x * x * x * (x * (6.0 * x - 15.0) + 10.0)
}
