//! The way of a foot to its landing: over the ground, and around other legs.

use glam::DVec3;
use sinew::math::arc;

use super::body::Frame;
use super::state::Foot;
use super::swing::Swing;
use super::{Gait, Near};
use crate::least_jerk::bump;

/// Shares of the rest of a way at which it is looked at.
const SAMPLES: usize = 16;
/// Where a higher top lifts the way by less than this share, it is not lifted by more.
const LIFTS: f64 = 0.15;
/// How high the top of a way may be (share of the hips' height), and how early: only where the way is so much lower then.
const MOST_LIFT: f64 = 0.8;
const SKEWS: [f64; 4] = [0.6, 1.7, 0.36, 2.8];
const EARLIER: f64 = 0.8;
/// How far feet go around other legs (shares of the hips' height).
const ASIDE: [f64; 4] = [0.04, 0.08, 0.12, 0.18];

impl Gait {
    /// Lifts a foot over what lies on the rest of its way: how high, and before it moves where how early.
    pub(super) fn clear(&self, leg: usize, swing: &mut Swing, ground: Near<'_>) {
        let (up, one, high) = (self.axes.up, &self.legs[leg], self.height);
        let sole = one.contact.dot(up) - self.floor;
        let moves = swing.time > 0.0;
        if !moves {
            let length = arc::length(swing.to - swing.ahead(up, 0.0).0);
            swing.lift = self.clearance * (0.5 + 0.5 * (length / (0.5 * high)).min(1.0));
        }
        // How high the ball must be for the ground under ball, heel and toes, as the foot is turned then.
        let [heel, tip] = one.ends(&self.axes);
        let highest = |part: usize| {
            let part = part as f64 / SAMPLES as f64;
            let (at, turn) = (swing.ahead(up, part).0, swing.turn(part * (swing.duration - swing.time)));
            let under = |end: DVec3| {
                let end = turn * end;
                ground(at + end).map_or(f64::NEG_INFINITY, |(place, _)| (place - end).dot(up))
            };
            [DVec3::ZERO, heel, tip].map(under).into_iter().fold(f64::NEG_INFINITY, f64::max)
        };
        let heights: [f64; SAMPLES + 1] = std::array::from_fn(highest);
        let more = |skew: f64| {
            let mut low = *swing;
            low.skew = skew;
            let mut raised = low;
            raised.lift_to(up, swing.lift + high);
            let over = |part: usize| {
                let [(at, share), (top, _)] =
                    [&low, &raised].map(|swing| swing.ahead(up, part as f64 / SAMPLES as f64));
                let gain = (top - at).dot(up) / high;
                let ground = heights[part - 1].max(heights[part]).max(heights[part + 1]);
                (ground + sole + 0.5 * self.clearance * bump(share) - at.dot(up)) / gain.max(LIFTS)
            };
            (1..SAMPLES).map(over).fold(0.0, f64::max)
        };
        let (mut best, mut skew) = (more(swing.skew), swing.skew);
        if !moves {
            for other in SKEWS {
                let more = more(other);
                if swing.lift + more < EARLIER * (swing.lift + best) {
                    (best, skew) = (more, other);
                }
            }
            swing.skew = skew;
        }
        swing.lift_to(up, (swing.lift + best).min(MOST_LIFT * high));
    }

    /// How far a foot goes around other legs on its way, to its own side, with the body half-way where it will be then.
    pub(super) fn around(&self, leg: usize, swing: &mut Swing, half: &Frame, feet: &[Foot]) {
        let up = self.axes.up;
        let own = (self.legs[leg].contact - self.pivot).dot(self.axes.left);
        let out = half.turn * self.axes.left * own.signum() * self.height;
        let cost = |far: f64| {
            let at = |part: f64| {
                let (place, share) = swing.ahead(up, part);
                (place + out * (far * bump(share)), swing.turn(part * swing.duration))
            };
            [0.4, 0.5, 0.6].map(|part| self.crossing(leg, at(part), half, feet)).into_iter().sum::<f64>()
        };
        let mut best = (cost(0.0), 0.0);
        for far in ASIDE {
            if best.0 <= 0.0 {
                break;
            }
            let cost = cost(far);
            if cost < best.0 - 1e-6 {
                best = (cost, far);
            }
        }
        swing.aside = out * best.1;
    }
}
