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
        let high = |seconds: f64| {
            state.feet.iter().map(|foot| foot.offset_in(seconds).dot(up)).sum::<f64>() / self.legs.len() as f64
        };
        let need = |(leg, foot)| self.need(leg, foot, pose, (&high, level), pull.delay());
        let deep = self.legs.iter().zip(&state.feet).map(need).fold(0.0, f64::max);
        let way = level + up * wanted.dot(up);
        let most = |(leg, foot): (&Measured, &FootState)| leg.most_deep(pose, &foot.footing(up), way, up);
        let deep = deep.min(self.legs.iter().zip(&state.feet).map(most).fold(f64::INFINITY, f64::min));
        // What is needed no longer fades.
        state.deep.follow(DVec3::ZERO, DVec3::ZERO, &pull);
        if dt <= 0.0 || state.deep.value.dot(up) < deep {
            state.deep = Spring::at(up * deep);
        }
        let target = wanted - state.deep.value;
        if dt > 0.0 {
            let drift = state.feet.iter().map(FootState::speed).sum::<DVec3>() / self.legs.len() as f64;
            state.body.follow(target, up * drift.dot(up), &pull);
        } else {
            state.body = Spring::at(target);
        }
    }

    /// How far under `high`, which is told for so many seconds from now, a body that is moved so along the ground must be for a leg: as
    /// far as it bears, and the nearer it is to landing, whose moment the body must be ahead of by so many seconds.
    fn need(
        &self,
        leg: &Measured,
        foot: &FootState,
        pose: &Pose,
        (high, level): (&impl Fn(f64) -> f64, DVec3),
        delay: f64,
    ) -> f64 {
        let (up, footing) = (self.settings.up, foot.footing(self.settings.up));
        let span = leg.span(pose, self.settings.reach);
        let stands = footing.load * (high(0.0) - room(leg.longest(pose, &footing, level, up), up, span));
        let known = foot.stances().map(|(time, line, motion)| {
            let tip = leg.tip(pose);
            let span = leg.span_of(line, self.settings.reach);
            // What the clip's own leg does not reach either, the body does not come down for beforehand.
            let own = room(line, up, span).min(0.0);
            let line = line + motion.transform_point3(tip) - tip - level;
            smooth(1.0 - (time - delay) / FORESEES) * (high(time) - room(line, up, span) + own)
        });
        known.fold(stands, f64::max)
    }
}
