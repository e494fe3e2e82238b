//! How fast something may move.

use glam::DVec3;

use crate::math::{arc, ops};

/// Share of the acceleration with which a joint brakes; the rest is for a goal that gains or loses speed meanwhile. With all of
/// it a joint would pass such a goal and come back.
const BRAKING: f64 = 0.5;
/// Share of a step that is rounding.
const ROUNDING: f64 = 1e-12;

/// The largest speed and acceleration.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Pace {
    /// Radians or metres per second; at 0 nothing moves.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde::number"))]
    pub speed: f64,
    /// Radians or metres per second squared; joints brake with half of it.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde::number"))]
    pub acceleration: f64,
}

impl Pace {
    /// Without bounds.
    pub const ANY: Self = Self { speed: f64::INFINITY, acceleration: f64::INFINITY };

    pub(super) fn is_valid(self) -> bool {
        self.speed >= 0.0 && self.acceleration >= 0.0
    }

    /// The step of `dt` seconds towards what is `left`, of which the goal itself has moved by `moved` in that time; the
    /// velocity becomes the new one. It comes to the goal with the goal's velocity: the distance that steps of `dt` need to lose
    /// a speed v is `v² / 2a + v dt / 2`.
    pub(super) fn step(self, left: DVec3, moved: DVec3, velocity: &mut DVec3, dt: f64) -> DVec3 {
        if dt <= 0.0 {
            return DVec3::ZERO;
        }
        let behind = left - moved;
        let distance = arc::length(behind);
        let gain = self.acceleration * dt;
        let half = 0.5 * BRAKING * gain;
        let braking = if half.is_finite() {
            ops::sqrt(2.0 * BRAKING * self.acceleration * distance + half * half) - half
        } else {
            f64::INFINITY
        };
        let speed = braking.min(distance / dt);
        let wanted = moved / dt + if distance > 0.0 { behind * (speed / distance) } else { DVec3::ZERO };
        let wanted = shortened(wanted, self.speed);
        *velocity += shortened(wanted - *velocity, gain);
        let step = *velocity * dt;
        if arc::length(step - left) <= ROUNDING * arc::length(left) { left } else { step }
    }
}

/// A vector of at most this length.
fn shortened(v: DVec3, most: f64) -> DVec3 {
    let length = arc::length(v);
    if length > most { v * (most / length) } else { v }
}
