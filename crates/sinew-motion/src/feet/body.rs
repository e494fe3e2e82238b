//! How the body goes along with its feet, frame by frame.

use glam::DVec3;
use sinew::Pose;

use super::foot::FootState;
use super::leg::Measured;
use super::{Feet, FeetState};
use crate::least_jerk::smooth;
use crate::spring::{Pull, Spring};

/// Seconds before a landing over which the body comes down for it.
const FORESEES: f64 = 0.4;
/// Seconds in which half of a change of a hip's speed is seen.
const SEES: f64 = 0.03;

impl Feet {
    /// Brings the body on: it follows the mean of its feet on a critically damped spring, and comes down on the same spring to where
    /// legs that bear will need it once the spring gets there: its delay, of `2 / rate`, ahead in the way of their hips, and for feet that
    /// are about to land where they land.
    pub(super) fn go_along(&self, pose: &Pose, dt: f64, state: &mut FeetState) {
        let up = self.settings.up;
        let wanted = self.mean_offset(&state.feet);
        let pull = Pull::halving(self.settings.body, dt);
        let seen = Pull::halving(SEES, dt);
        let level = state.body.value.reject_from_normalized(up);
        let mut deep: f64 = 0.0;
        for (leg, foot) in self.legs.iter().zip(&mut state.feet) {
            let hip = pose.position(leg.hip());
            if dt > 0.0 {
                foot.hip.follow(hip, DVec3::ZERO, &seen);
            } else {
                foot.hip = Spring::at(hip);
            }
            let lead = foot.hip.speed * pull.delay();
            let (stands, lands) = self.needs(leg, foot, pose, wanted.dot(up), (level, lead), pull.delay());
            deep = deep.max(stands).max(lands);
        }
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

    /// How far under `high` the body must be for a leg: one that bears, and one that is about to land.
    fn needs(
        &self,
        leg: &Measured,
        foot: &FootState,
        pose: &Pose,
        high: f64,
        (level, lead): (DVec3, DVec3),
        delay: f64,
    ) -> (f64, f64) {
        let (up, reach) = (self.settings.up, self.settings.reach);
        let footing = foot.footing(up);
        let span = leg.span(pose, reach);
        let now = leg.room(leg.longest(pose, &footing, level, up), up, span);
        // What the clip's own leg will not reach either, the body does not come down for beforehand.
        let ahead = |line: DVec3, own: DVec3| leg.room(line, up, span) - leg.room(own, up, span).min(0.0);
        let soon = ahead(leg.longest(pose, &footing, level + lead, up), leg.line(pose) - lead);
        let stands = footing.load * (high - now.min(soon));
        let lands = foot.landing().map_or(0.0, |(time, line, offset)| {
            let soon = smooth(1.0 - (time - delay) / FORESEES);
            soon * (high - ahead(line + offset - level, line))
        });
        (stands, lands)
    }
}
