//! Every function that is not `+ - * /`, in one place, so that the same input gives the same bits
//! on every machine: transcendental ones are always the `libm` crate's, and a square root is
//! rounded exactly by IEEE 754 wherever it comes from.

/// Square root, exactly rounded; NaN below zero.
#[inline(always)]
#[allow(clippy::disallowed_methods, reason = "exactly rounded on every platform")]
pub fn sqrt(x: f64) -> f64 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    return libm::sqrt(x);
}

/// Square root of `max(x, 0)`: for radicands that rounding may have pushed below zero.
#[inline(always)]
pub fn sqrt_clamped(x: f64) -> f64 {
    sqrt(x.max(0.0))
}

/// Sine and cosine of an angle in radians.
pub fn sin_cos(angle: f64) -> (f64, f64) {
    libm::sincos(angle)
}

/// Angle of the point `(x, y)` from the x axis, in radians, in `[-π, π]`; 0 at the origin.
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Cube root.
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// Natural logarithm; NaN below zero, -∞ at it.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// `x` to the power of `y`; NaN where `x` is negative and `y` no whole number.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// The representative of `angle` (plus whole turns) that is nearest to `near`, in radians.
pub fn nearest_turn(angle: f64, near: f64) -> f64 {
    let turns = (near - angle) / core::f64::consts::TAU;
    // Most angles are the nearest already; a zero keeps its sign.
    if turns.abs() < 0.5 {
        return angle + 0.0_f64.copysign(turns);
    }
    let turns = libm::round(turns);
    if turns.is_finite() { angle + turns * core::f64::consts::TAU } else { angle }
}
