//! The rotation that a short rotation vector is, without a root or a quotient.

use glam::{DQuat, DVec3};
use sinew::math::arc;

/// Square of half the angle up to which the series are exact to rounding (half a radian).
const SHORT: f64 = 0.0625;

/// Series of the cosine and of the sine over its angle, by the angle's square: the reciprocal factorials.
const COSINE: [f64; 7] =
    [1.0, -1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0];
const SINE: [f64; 7] =
    [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0, 1.0 / 6_227_020_800.0];

/// As [`arc::turn_by`], but for rounding; quick where the vector is no longer than half a radian.
pub(super) fn turn_by(vector: DVec3) -> DQuat {
    let half = vector * 0.5;
    let square = half.dot(half);
    if square > SHORT {
        return arc::turn_by(vector);
    }
    let sum = |series: &[f64; 7]| series.iter().rev().fold(0.0, |sum, term| sum * square + term);
    let along = half * sum(&SINE);
    DQuat::from_xyzw(along.x, along.y, along.z, sum(&COSINE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_rotation_of_the_vector() {
        for step in 0..=120 {
            for axis in [DVec3::X, DVec3::new(0.6, 0.0, -0.8), DVec3::new(2.0, -1.0, 2.0) / 3.0] {
                let vector = axis * (0.005 * f64::from(step));
                let (now, other) = (turn_by(vector), arc::turn_by(vector));
                assert!((now - other).length() < 4e-16, "{vector}: {now} is not {other}");
            }
        }
        assert_eq!(turn_by(DVec3::ZERO), DQuat::IDENTITY);
    }
}
