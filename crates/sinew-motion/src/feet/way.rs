//! How far a foot is off the clip, over time: held while it stands, on a way of least
//! jerk to a landing that is known, else fading.

use glam::DVec3;

use crate::least_jerk::quintic;
use crate::spring::{Pull, Spring};

/// A vector, its speed and its acceleration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Way {
    pub(super) value: DVec3,
    pub(super) speed: DVec3,
    acceleration: DVec3,
}

impl Way {
    pub(super) fn at(value: DVec3) -> Self {
        Self { value, ..Self::default() }
    }

    /// Held at a value by what is outside; `dt` 0 has no speed.
    pub(super) fn hold(&mut self, value: DVec3, dt: f64) {
        self.speed = if dt > 0.0 { (value - self.value) / dt } else { DVec3::ZERO };
        (self.value, self.acceleration) = (value, DVec3::ZERO);
    }

    /// Goes on towards a value at which it is to stand still in `left` seconds.
    pub(super) fn lead(&mut self, value: DVec3, left: f64, dt: f64) {
        let from = [self.value, self.speed, self.acceleration];
        [self.value, self.speed, self.acceleration] = quintic(from, value, left, dt.min(left));
    }

    /// Stands still; the speed that it had.
    pub(super) fn stop(&mut self) -> DVec3 {
        self.acceleration = DVec3::ZERO;
        std::mem::take(&mut self.speed)
    }

    /// Goes on towards a value as a spring.
    pub(super) fn fade(&mut self, value: DVec3, pull: &Pull) {
        let mut spring = Spring { value: self.value, speed: self.speed };
        spring.follow(value, DVec3::ZERO, pull);
        (self.value, self.speed, self.acceleration) = (spring.value, spring.speed, DVec3::ZERO);
    }

    /// The same way for another point: as much farther.
    pub(super) fn shift(&mut self, by: DVec3) {
        self.value += by;
    }
}
