//! The way of a foot through the air: least jerk from where it lifts to where it lands (Flash and Hogan 1985), under a
//! bump that clears what lies between. A new landing place while it is under way bends the rest of the way smoothly, under a bump of its own.

use glam::{DQuat, DVec3};
use sinew::math::{arc, ops};

use crate::least_jerk::{bump, quintic, smooth};

/// Share of a swing by which its speed is measured.
const INSTANT: f64 = 1e-3;

/// A foot in the air.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Swing {
    /// Place, speed and acceleration at the start of the present way.
    from: [DVec3; 3],
    /// Where it lands.
    pub(super) to: DVec3,
    /// When the present way began, and all ends (seconds since the lift).
    began: f64,
    pub(super) duration: f64,
    /// Seconds since the lift.
    pub(super) time: f64,
    /// Height of the bump of the present way, and how early its top is: 1 in the middle, less is earlier.
    pub(super) lift: f64,
    pub(super) skew: f64,
    /// How far it goes aside half-way on that.
    pub(super) aside: DVec3,
    /// How the foot is turned when it lifts and when it lands: from its rest, in the model.
    pub(super) turns: [DQuat; 2],
    /// How far the heel is raised when it lifts (radians).
    pub(super) heel: f64,
    /// Whether its landing was looked at again.
    pub(super) revised: bool,
}

impl Swing {
    pub(super) fn new(from: DVec3, to: DVec3, duration: f64, turns: [DQuat; 2], heel: f64) -> Self {
        let from = [from, DVec3::ZERO, DVec3::ZERO];
        Self {
            from,
            to,
            began: 0.0,
            duration,
            time: 0.0,
            lift: 0.0,
            skew: 1.0,
            aside: DVec3::ZERO,
            turns,
            heel,
            revised: false,
        }
    }

    /// The share of the whole way that has passed, `later` seconds from now.
    pub(super) fn share(&self, later: f64) -> f64 {
        ((self.time + later) / self.duration).clamp(0.0, 1.0)
    }

    /// Where the foot is `later` seconds from now.
    pub(super) fn place(&self, up: DVec3, later: f64) -> DVec3 {
        let length = self.duration - self.began;
        let passed = ((self.time + later).min(self.duration) - self.began).max(0.0);
        let (level, share) = (quintic(self.from, self.to, length, passed)[0], passed / length);
        // A foot sets out at once, but turns to another landing without a jolt.
        let top = bump(share / (share + self.skew * (1.0 - share)));
        let top = if self.began > 0.0 { top * ops::sqrt(top) } else { top };
        level + self.aside * bump(share) + up * (self.lift * top)
    }

    /// Where the foot is when so much of the way that is left has passed.
    pub(super) fn ahead(&self, up: DVec3, part: f64) -> DVec3 {
        self.place(up, part * (self.duration - self.time))
    }

    /// How the foot is turned `later` seconds from now.
    pub(super) fn turn(&self, later: f64) -> DQuat {
        arc::nlerp(self.turns[0], self.turns[1], smooth(self.share(later)))
    }

    /// Lands elsewhere, from where the foot is now on, as it moves now and without a bump.
    pub(super) fn redirect(&mut self, up: DVec3, to: DVec3, turn: DQuat) {
        let step = INSTANT * self.duration;
        let [before, now, after] = [-step, 0.0, step].map(|later| self.place(up, later));
        self.from = [now, (after - before) / (2.0 * step), (after - now * 2.0 + before) / (step * step)];
        self.began = self.time;
        (self.lift, self.skew, self.aside) = (0.0, 1.0, DVec3::ZERO);
        (self.to, self.turns) = (to, [self.turns[0], turn]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_landing_bends_the_way_smoothly() {
        let turns = [DQuat::IDENTITY; 2];
        let mut swing = Swing { lift: 0.2, ..Swing::new(DVec3::ZERO, DVec3::X, 0.4, turns, 0.0) };
        let step = 1e-4;
        let mut places = Vec::new();
        for tick in 0..4000 {
            swing.time = step * f64::from(tick);
            if tick == 2000 {
                swing.redirect(DVec3::Y, DVec3::new(0.8, 0.1, 0.2), DQuat::IDENTITY);
                (swing.lift, swing.skew) = (0.05, 1.5);
            }
            places.push(swing.place(DVec3::Y, 0.0));
        }
        let second = |i: usize| (places[i + 2] - places[i + 1] * 2.0 + places[i]) / (step * step);
        let jumps = (0..3996).map(|i| second(i + 1).distance(second(i))).fold(0.0, f64::max);
        assert!(jumps < 1.0, "{jumps}");
        assert!(swing.place(DVec3::Y, 1.0).distance(DVec3::new(0.8, 0.1, 0.2)) < 1e-12);
        assert!((places[2000].y - 0.2).abs() < 1e-9);
    }
}
