//! A critically damped spring after a target that moves evenly, advanced exactly: any number of steps make the same way.

use glam::DVec3;
use sinew::math::ops;

/// A value on a spring and how fast it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spring {
    pub(crate) value: DVec3,
    pub(crate) speed: DVec3,
}

/// How far a spring of a rate (1/s) comes in a time: worked out once for all springs of one rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull {
    rate: f64,
    time: f64,
    decay: f64,
}

impl Pull {
    /// Of a spring that goes half its way from rest in the time `half`: `(1 + ωt) exp(-ωt)` is a half at ωt = 1.678.
    pub(crate) fn halving(half: f64, time: f64) -> Self {
        Self::new(1.678_346_990_016_661 / half.max(1e-9), time)
    }

    pub(crate) fn new(rate: f64, time: f64) -> Self {
        Self { rate, time, decay: ops::pow(std::f64::consts::E, -rate * time) }
    }
}

impl Spring {
    pub(crate) fn at(value: DVec3) -> Self {
        Self { value, speed: DVec3::ZERO }
    }

    /// Where the spring is after the pull's time, with the target where it is then and moving at `drift`: the error obeys
    /// `e'' + 2ωe' + ω²e = 0`, whose solution is `(e₀ + (e₀' + ωe₀)t) exp(-ωt)`.
    pub(crate) fn follow(&mut self, target: DVec3, drift: DVec3, pull: &Pull) {
        let (error, speed) = (self.value - (target - drift * pull.time), self.speed - drift);
        let lead = speed + error * pull.rate;
        self.value = target + (error + lead * pull.time) * pull.decay;
        self.speed = drift + (speed - lead * (pull.rate * pull.time)) * pull.decay;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_any_length_make_the_same_way() {
        let (target, drift) = (DVec3::new(1.0, 2.0, 0.0), DVec3::X * 0.3);
        let start = Spring { value: DVec3::ZERO, speed: DVec3::Y };
        let mut one = start;
        one.follow(target + drift * 0.5, drift, &Pull::new(8.0, 0.5));
        let mut many = start;
        for step in 1..=50 {
            many.follow(target + drift * (0.01 * f64::from(step)), drift, &Pull::new(8.0, 0.01));
        }
        assert!(one.value.distance(many.value) < 1e-12 && one.speed.distance(many.speed) < 1e-11);
        // Even motion of the target is followed without delay in the end.
        one.follow(target + drift * 10.5, drift, &Pull::new(8.0, 10.0));
        assert!(one.value.distance(target + drift * 10.5) < 1e-12);
    }

    #[test]
    fn half_the_way_is_gone_in_the_time_that_is_said() {
        let start = Spring { value: DVec3::new(1.0, 2.0, -1.0), speed: DVec3::new(-3.0, 0.5, 9.0) };
        let (mut whole, mut parts) = (start, start);
        whole.follow(DVec3::X, DVec3::ZERO, &Pull::halving(0.1, 0.08));
        (0..8).for_each(|_| parts.follow(DVec3::X, DVec3::ZERO, &Pull::halving(0.1, 0.01)));
        assert!(whole.value.distance(parts.value) < 1e-14 && whole.speed.distance(parts.speed) < 1e-12);
        let mut still = Spring::at(DVec3::ZERO);
        still.follow(DVec3::X, DVec3::ZERO, &Pull::halving(0.1, 0.1));
        assert!((still.value.x - 0.5).abs() < 1e-9, "{still:?}");
    }
}
