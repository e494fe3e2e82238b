//! The even bend: joints on a circle, the target the other end of their arc.
//!
//! On a circle of diameter `1/k` a bone `l` subtends the half angle `asin(l k)`; the arc's half angle
//! `F(k) = Σ asin(l k)` must have `sin F = d k` for a chord `d`: below a half circle `F = asin(d k)`,
//! beyond it `F = π - asin(d k)`. Half angles are added as products of unit complex numbers, so that only
//! the bracketed Newton step needs an angle.

use glam::DVec3;

use super::bones::Bones;
use crate::math::ops;

/// Newton steps at most, and the angle (radians) at which they end.
const STEPS: u32 = 60;
const ARRIVED: f64 = 1e-15;

/// Places the points on an arc from the first one, along `way` and bulging to `side` (both unit);
/// `false`, and untouched, where no arc of at most one turn has the chord.
pub(super) fn place(points: &mut [DVec3], bones: &Bones<'_>, chord: f64, way: DVec3, side: DVec3) -> bool {
    let Some(curvature) = curvature(bones, chord) else { return false };
    let Some((half, _)) = half_angle(bones, curvature) else { return false };
    let (mut sine, mut cosine) = ops::sin_cos(half);
    for (i, &length) in bones.lengths.iter().enumerate() {
        let (s, c) = sin_cos_of(length, curvature);
        // Half of the bone's turn before it, half after.
        (sine, cosine) = (sine * c - cosine * s, cosine * c + sine * s);
        points[i + 1] = points[i] + (way * cosine + side * sine) * length;
        (sine, cosine) = (sine * c - cosine * s, cosine * c + sine * s);
    }
    true
}

/// The inverse diameter at which the arc has the chord.
fn curvature(bones: &Bones<'_>, chord: f64) -> Option<f64> {
    let longest = bones.lengths[bones.longest].max(chord);
    let most = 1.0 / longest;
    // Below a half circle, if on the chord as diameter the bones do not fill one.
    let open = longest == chord && half_angle(bones, most).is_some_and(|(half, _)| half < core::f64::consts::FRAC_PI_2);
    let value = |k: f64| -> (f64, f64) {
        let Some((half, slope)) = half_angle(bones, k) else { return (core::f64::consts::PI, 0.0) };
        let (s, c) = sin_cos_of(chord, k);
        let (angle, bend) = (ops::atan2(s, c), if c > 0.0 { chord / c } else { 0.0 });
        if open { (angle - half, bend - slope) } else { (half + angle - core::f64::consts::PI, slope + bend) }
    };
    if value(most).0 < 0.0 {
        return None;
    }
    let (mut low, mut high) = (0.0, most);
    // Small arcs: L - d = (d³ - Σ l³) k² / 6.
    let cubes: f64 = bones.lengths.iter().map(|l| l * l * l).sum();
    let guess = ops::sqrt_clamped(6.0 * (bones.total - chord) / (chord * chord * chord - cubes).max(1e-300));
    let mut k = if open && guess < most { guess } else { 0.5 * most };
    for _ in 0..STEPS {
        let (off, slope) = value(k);
        if off.abs() <= ARRIVED || high - low <= 1e-16 * most {
            break;
        }
        if off < 0.0 {
            low = k;
        } else {
            high = k;
        }
        let next = if slope > 0.0 { k - off / slope } else { low };
        k = if next > low && next < high { next } else { 0.5 * (low + high) };
    }
    Some(k)
}

/// The arc's half angle (radians) and its derivative; `None` beyond a whole turn.
fn half_angle(bones: &Bones<'_>, k: f64) -> Option<(f64, f64)> {
    let (mut sine, mut cosine, mut slope) = (0.0_f64, 1.0_f64, 0.0);
    for &length in bones.lengths {
        let (s, c) = sin_cos_of(length, k);
        let before = sine;
        (sine, cosine) = (sine * c + cosine * s, cosine * c - sine * s);
        if before > 0.0 && sine < 0.0 {
            return None;
        }
        slope += if c > 0.0 { length / c } else { 0.0 };
    }
    Some((ops::atan2(sine, cosine), slope))
}

/// Sine and cosine of the half angle that a bone subtends.
fn sin_cos_of(length: f64, k: f64) -> (f64, f64) {
    let sine = (length * k).min(1.0);
    (sine, ops::sqrt_clamped(1.0 - sine * sine))
}
