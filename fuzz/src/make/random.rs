//! Random numbers, directions and rotations.

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3, DVec4};

/// A number between -1 and 1.
pub(super) fn signed(rng: &mut Rng) -> f64 {
    2.0 * rng.f64() - 1.0
}

/// A unit vector.
pub(super) fn direction(rng: &mut Rng) -> DVec3 {
    loop {
        let v = DVec3::new(signed(rng), signed(rng), signed(rng));
        if v.dot(v) > 0.01 && v.dot(v) < 1.0 {
            return v / v.length();
        }
    }
}

/// A rotation, all alike probable.
pub(super) fn rotation(rng: &mut Rng) -> DQuat {
    loop {
        let v = DVec4::new(signed(rng), signed(rng), signed(rng), signed(rng));
        if v.dot(v) > 0.01 && v.dot(v) < 1.0 {
            return DQuat::from_vec4(v / v.length());
        }
    }
}

/// One of several.
pub(super) fn pick<T: Clone>(rng: &mut Rng, of: &[T]) -> T {
    of[rng.u64(0..of.len() as u64) as usize].clone()
}

/// True once in `count` times.
pub(super) fn one_in(rng: &mut Rng, count: u8) -> bool {
    rng.u8(0..count) == 0
}
