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
    /// Lifts a foot over what lies on the rest of its way: how high, and how early.
    pub(super) fn clear(&self, leg: usize, swing: &mut Swing, ground: Near<'_>) {
        let (up, one, high) = (self.axes.up, &self.legs[leg], self.height);
        let sole = one.contact.dot(up) - self.floor;
        if swing.time <= 0.0 {
            let length = arc::length(swing.to - swing.ahead(up, 0.0));
            swing.lift = self.clearance * (0.5 + 0.5 * (length / (0.5 * high)).min(1.0));
        }
        // How high the ball must be for the ground under ball, heel and toes, as the foot is turned then.
        let [heel, tip] = one.ends(&self.axes);
        let highest = |part: usize| {
            let part = part as f64 / SAMPLES as f64;
            let (at, turn) = (swing.ahead(up, part), swing.turn(part * (swing.duration - swing.time)));
            let under = |end: DVec3| {
                let end = turn * end;
                ground(at + end).map_or(f64::NEG_INFINITY, |(place, _)| (place - end).dot(up))
            };
            [DVec3::ZERO, heel, tip].map(under).into_iter().fold(f64::NEG_INFINITY, f64::max)
        };
        let heights: [f64; SAMPLES + 1] = std::array::from_fn(highest);
        let more = |skew: f64| {
            let (mut low, mut raised) = (*swing, *swing);
            (low.skew, raised.skew, raised.lift) = (skew, skew, swing.lift + high);
            let over = |part: usize| {
                let share = part as f64 / SAMPLES as f64;
                let [at, top] = [&low, &raised].map(|swing| swing.ahead(up, share).dot(up));
                let ground = heights[part - 1].max(heights[part]).max(heights[part + 1]);
                (ground + sole + 0.5 * self.clearance * bump(share) - at) / ((top - at) / high).max(LIFTS)
            };
            (1..SAMPLES).map(over).fold(0.0, f64::max)
        };
        let (mut best, mut skew) = (more(swing.skew), swing.skew);
        for other in SKEWS {
            let more = more(other);
            if swing.lift + more < EARLIER * (swing.lift + best) {
                (best, skew) = (more, other);
            }
        }
        (swing.lift, swing.skew) = ((swing.lift + best).min(MOST_LIFT * high), skew);
    }

    /// How far a foot goes around other legs on its way, to its own side, with the body half-way where it will be then.
    pub(super) fn around(&self, leg: usize, swing: &mut Swing, half: &Frame, feet: &[Foot]) {
        let up = self.axes.up;
        let own = (self.legs[leg].contact - self.pivot).dot(self.axes.left);
        let out = half.turn * self.axes.left * own.signum() * self.height;
        let cost = |far: f64| {
            let at = |part: f64| (swing.ahead(up, part) + out * (far * bump(part)), swing.turn(part * swing.duration));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gait::aloft::tests::walker;
    use glam::DQuat;

    /// A foot that lands on a step instead of before it goes over the step's edge, wherever that is, and little higher.
    #[test]
    fn a_new_landing_is_reached_over_what_lies_before_it() {
        let gait = walker();
        for edge in [0.3, 0.35, 0.4, 0.45] {
            let ground = |at: DVec3| Some((DVec3::new(at.x, if at.z < edge { 0.0 } else { 0.15 }, at.z), DVec3::Y));
            let from = DVec3::new(0.2, 0.0, -0.3);
            let mut swing = Swing::new(from, from + DVec3::Z * 0.5, 0.3, [DQuat::IDENTITY; 2], 0.0);
            gait.clear(0, &mut swing, &ground);
            // Its top was early, so what is left of the old bump would not do.
            swing.skew = 0.36;
            swing.time = 0.2;
            swing.redirect(DVec3::Y, DVec3::new(0.2, 0.15, 0.5), DQuat::IDENTITY);
            gait.clear(0, &mut swing, &ground);
            let (mut deep, mut top) = (0.0_f64, 0.0_f64);
            for part in 0..=100 {
                let at = swing.ahead(DVec3::Y, f64::from(part) / 100.0);
                top = top.max(at.y);
                deep = deep.max(if at.z < edge { -at.y } else { (0.15 - at.y).min(at.z - edge) });
            }
            println!("edge at {edge}: {deep} m deep, {top} m up");
            assert!(deep < 1e-9 && top < 0.3, "edge at {edge}: {deep} m deep, {top} m up");
        }
    }
}
