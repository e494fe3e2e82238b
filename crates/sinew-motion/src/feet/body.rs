//! How the body goes along with its feet, frame by frame.

use glam::DVec3;
use sinew::Pose;

use super::foot::FootState;
use super::leg::{Measured, room};
use super::{Feet, FeetState};
use crate::least_jerk::smooth;
use crate::spring::{Pull, Spring};

/// Seconds before a landing over which the body comes down for it.
const FORESEES: f64 = 0.4;

impl Feet {
    /// Brings the body on: it follows the mean of its feet on a critically damped spring, and comes down on the same spring to where
    /// legs that bear reach, and in time for feet that are about to land.
    pub(super) fn go_along(&self, pose: &Pose, dt: f64, state: &mut FeetState) {
        let up = self.settings.up;
        let wanted = self.mean_offset(&state.feet);
        let pull = Pull::halving(self.settings.body, dt);
        let level = state.body.value.reject_from_normalized(up);
        let need = |(leg, foot)| self.need(leg, foot, pose, (wanted.dot(up), level), pull.delay());
        let deep = self.legs.iter().zip(&state.feet).map(need).fold(0.0, f64::max);
        // What is needed no longer fades.
        state.deep.follow(DVec3::ZERO, DVec3::ZERO, &pull);
        if dt <= 0.0 || state.deep.value.dot(up) < deep {
            state.deep = Spring::at(up * deep);
        }
        let target = wanted - state.deep.value;
        if dt > 0.0 {
            state.body.follow(target, DVec3::ZERO, &pull);
        } else {
            state.body = Spring::at(target);
        }
    }

    /// How far under `high` a body that is moved so along the ground must be for a leg: as far as it bears, and the nearer it is to
    /// landing, whose moment the body must be ahead of by so many seconds.
    fn need(&self, leg: &Measured, foot: &FootState, pose: &Pose, (high, level): (f64, DVec3), delay: f64) -> f64 {
        let (up, footing) = (self.settings.up, foot.footing(self.settings.up));
        let span = leg.span(pose, self.settings.reach);
        let stands = footing.load * (high - room(leg.longest(pose, &footing, level, up), up, span));
        let lands = foot.landing().map_or(0.0, |(time, line, offset)| {
            // What the clip's own leg does not reach either, the body does not come down for beforehand.
            let own = room(line, up, span).min(0.0);
            smooth(1.0 - (time - delay) / FORESEES) * (high - room(line + offset - level, up, span) + own)
        });
        stands.max(lands)
    }
}
