//! Feet in the air: where they land, and when.

use glam::{DQuat, DVec3};
use sinew::math::{arc, ops};

use super::cadence::Cadence;
use super::foothold::BAD;
use super::lift::AFTER;
use super::state::{Foot, GaitState};
use super::swing::Swing;
use super::{Gait, Near, PathPoint, TICK};

/// How far out of reach a foot may land (share of the hips' height), and how long it waits in the air for the body (in `sqrt(h / g)`).
const TOUCHES: f64 = 0.0005;
const WAITS: f64 = 1.0;
/// After how long it goes on to where the body is by now, and how long that takes (the same).
const PATIENCE: f64 = 0.2;

impl Gait {
    /// Advances a foot in the air; looks at its landing again half-way; lands it.
    pub(super) fn swing_on(
        &self,
        leg: usize,
        path: &PathPoint,
        cadence: &Cadence,
        ground: Near<'_>,
        state: &mut GaitState,
    ) {
        let Some(mut swing) = state.feet[leg].swing else { return };
        swing.time += TICK;
        if !swing.revised && swing.share(0.0) >= 0.5 {
            swing.revised = true;
            if let Some((to, turn)) = self.elsewhere(leg, path, cadence, &swing, ground, state) {
                swing.redirect(to, turn);
                self.clear(leg, &mut swing, ground);
            }
        }
        if swing.time >= swing.duration {
            // A body that is still too high comes down before the foot stands; or the foot goes on to where it can.
            let mut frame = self.frame(path, [&state.floor, &state.slope, &state.sway].map(|spring| spring.value));
            frame.pivot += state.pulled.value;
            let natural = ops::sqrt(self.height / self.gravity);
            let landed = Foot { place: swing.to, turn: swing.turns[1], swing: None, ..state.feet[leg] };
            if self.over(leg, &landed, &frame) <= TOUCHES * self.height
                || swing.time >= swing.duration + WAITS * natural
            {
                state.feet[leg] = landed;
                return;
            }
            if swing.time >= swing.duration + PATIENCE * natural
                && let Some((to, turn)) = self.elsewhere(leg, path, cadence, &swing, ground, state)
            {
                swing = Swing::new(swing.to, to, PATIENCE * natural, [swing.turns[1], turn], 0.0);
                swing.revised = true;
                self.clear(leg, &mut swing, ground);
            }
        }
        state.feet[leg].swing = Some(swing);
    }

    /// Where a foot in the air should land instead, if that is worth it.
    fn elsewhere(
        &self,
        leg: usize,
        path: &PathPoint,
        cadence: &Cadence,
        swing: &Swing,
        ground: Near<'_>,
        state: &GaitState,
    ) -> Option<(DVec3, DQuat)> {
        let left = (swing.duration - swing.time).max(0.0);
        let later = self.later(path, &state.quicken, left);
        let wish = self.wish(leg, &later, cadence);
        if arc::length(arc::reject(wish - swing.to, self.axes.up)) <= 0.06 * self.height {
            return None;
        }
        let frame = self.later_frame(&later, left, state);
        let then = [later, self.later(path, &state.quicken, left + AFTER * cadence.period)];
        let beside = |place: DVec3| self.hindrance(leg, place, &then, &frame, &state.feet, ground);
        let ways = [swing.to, wish, later.forward];
        let found = self.landing(leg, ways, swing.to.dot(self.axes.up), &beside, ground);
        (beside(found.0) < BAD || beside(found.0) < beside(swing.to)).then_some(found)
    }
}
