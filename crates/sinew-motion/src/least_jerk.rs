//! Ways of least jerk (Flash and Hogan, "The coordination of arm movements", 1985), and the smooth steps that come of them.

use glam::DVec3;

/// The way of fifth degree from a place with speed and acceleration to another at rest, in `length`
/// seconds: place, speed, acceleration after `t`. A way of no length is at its end.
pub(crate) fn quintic([p, v, a]: [DVec3; 3], to: DVec3, length: f64, t: f64) -> [DVec3; 3] {
    if length <= 0.0 {
        return [to, DVec3::ZERO, DVec3::ZERO];
    }
    let s = t / length;
    let (v, a) = (v * length, a * (length * length));
    let d = to - p;
    let c3 = d * 10.0 - v * 6.0 - a * 1.5;
    let c4 = d * -15.0 + v * 8.0 + a * 1.5;
    let c5 = d * 6.0 - v * 3.0 - a * 0.5;
    let place = p + (v + (a * 0.5 + (c3 + (c4 + c5 * s) * s) * s) * s) * s;
    let speed = (v + (a + (c3 * 3.0 + (c4 * 4.0 + c5 * (5.0 * s)) * s) * s) * s) / length;
    let acceleration = (a + (c3 * 6.0 + (c4 * 12.0 + c5 * (20.0 * s)) * s) * s) / (length * length);
    [place, speed, acceleration]
}

/// 0 at both ends without slope, 1 in the middle.
pub(crate) fn bump(share: f64) -> f64 {
    let half = 4.0 * share * (1.0 - share);
    half * half
}

/// From 0 to 1 with speed and acceleration 0 at both ends.
pub(crate) fn smooth(share: f64) -> f64 {
    let x = share.clamp(0.0, 1.0);
    x * x * x * (x * (6.0 * x - 15.0) + 10.0)
}

/// The larger of `x` and 0 with the corner rounded: never less, and more by half the band at 0.
pub(crate) fn rounded(x: f64, band: f64) -> f64 {
    0.5 * (x + sinew::math::ops::sqrt(x * x + band * band))
}

/// 0 up to 0, then `x` with the corner rounded over the band: never more, and less by half the band beyond it.
pub(crate) fn eased(x: f64, band: f64) -> f64 {
    let x = x.max(0.0);
    if x < band { 0.5 * x * x / band } else { x - 0.5 * band }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_keeps_its_ends_and_goes_on_as_it_began() {
        let from = [DVec3::X, DVec3::Y, DVec3::new(3.0, -1.0, 0.5)];
        let to = DVec3::new(2.0, 1.0, 4.0);
        let close = |a: [DVec3; 3], b: [DVec3; 3]| a.iter().zip(b).all(|(a, b)| a.distance(b) < 1e-9);
        assert!(close(quintic(from, to, 0.7, 0.0), from));
        assert!(close(quintic(from, to, 0.7, 0.7), [to, DVec3::ZERO, DVec3::ZERO]));
        // Taken up anew half-way, it is the same way.
        let half = quintic(from, to, 0.7, 0.3);
        assert!(close(quintic(half, to, 0.4, 0.2), quintic(from, to, 0.7, 0.5)));
    }
}
