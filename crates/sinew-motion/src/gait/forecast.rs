//! What comes: where the path goes on, where the body will be, where a foot should land.

use glam::DVec3;
use sinew::math::arc;

use super::body::Frame;
use super::cadence::Cadence;
use super::state::{GaitState, Quicken};
use super::{Gait, PathPoint, TICK};

/// Seconds over which it is averaged how the path quickens, and the most that is believed (shares of gravity).
const QUICKENS: f64 = 0.05;
const MOST_QUICKENING: f64 = 0.5;
/// Share of its rest's distance from the middle that a foot lands on its own side at least.
const OWN_SIDE: f64 = 0.4;

impl Gait {
    /// The path as it would go on; a body that slows down does not go back.
    pub(super) fn later(&self, path: &PathPoint, quicken: &Quicken, time: f64) -> PathPoint {
        let ends = |speed: f64, more: f64| if speed * more < 0.0 { time.min(-speed / more) } else { time };
        let along = arc::unit(path.velocity).unwrap_or(path.forward);
        let lasts = ends(arc::length(path.velocity), quicken.velocity.dot(along));
        let way = path.velocity * lasts + quicken.velocity * (0.5 * lasts * lasts);
        let turns = ends(path.turning, quicken.turning);
        let angle = (path.turning + 0.5 * quicken.turning * turns) * turns;
        let turn = arc::axis_angle(self.axes.up, angle);
        PathPoint {
            position: path.position + arc::axis_angle(self.axes.up, 0.5 * angle) * way,
            forward: turn * path.forward,
            velocity: turn * (path.velocity + quicken.velocity * lasts),
            turning: path.turning + quicken.turning * turns,
        }
    }

    /// Follows how the path quickens.
    pub(super) fn quicken(&self, path: &PathPoint, state: &mut GaitState) {
        let was = state.ticked.unwrap_or(*path);
        let share = TICK / (TICK + QUICKENS);
        let most = MOST_QUICKENING * self.gravity;
        // Beside what the turn makes of it.
        let turned = arc::axis_angle(self.axes.up, 0.5 * (was.turning + path.turning) * TICK) * was.velocity;
        let velocity = ((path.velocity - turned) / TICK).clamp_length_max(most);
        let turning = ((path.turning - was.turning) / TICK).clamp(-most / self.height, most / self.height);
        state.quicken.velocity += (velocity - state.quicken.velocity) * share;
        state.quicken.turning += (turning - state.quicken.turning) * share;
        state.ticked = Some(*path);
    }

    /// Where a foot should land in a body at a point of the path.
    pub(super) fn wish(&self, leg: usize, later: &PathPoint, cadence: &Cadence, steep: f64) -> DVec3 {
        let mut wish = self.home(leg, later);
        let stride = self.stride(leg, later, steep);
        let lead = stride.lead(cadence);
        wish += lead * (stride.ahead / arc::length(lead).max(1e-9)).min(1.0);
        // On its own side.
        let left = self.heading(later.forward) * self.axes.left;
        let own = (self.legs[leg].contact - self.pivot).dot(self.axes.left);
        let aside = (wish - later.position).dot(left);
        let least = OWN_SIDE * own;
        wish += left * if own > 0.0 { (least - aside).max(0.0) } else { (least - aside).min(0.0) };
        wish
    }

    /// Where the body would be then, its height going on as it does.
    pub(super) fn later_frame(&self, later: &PathPoint, time: f64, state: &GaitState) -> Frame {
        let floor = state.floor.value + state.floor.speed * time;
        self.frame(later, [floor, state.slope.value, state.sway.value])
    }
}
