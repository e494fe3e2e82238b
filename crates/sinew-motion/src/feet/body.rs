//! How the body goes along with its feet, frame by frame.

use glam::{DAffine3, DQuat, DVec3};
use sinew::Pose;
use sinew::math::arc;

use super::foot::{FootState, Footing};
use super::leg::{Measured, room};
use super::spread::Spread;
use super::{Feet, FeetState};
use crate::least_jerk::smooth;
use crate::spring::{Pull, Spring};

/// Seconds before a landing over which the body comes down for it.
const FORESEES: f64 = 0.4;
/// Share of its bones to which a leg lands that the clip has shorter then: the knee of one that lands straight jerks.
const LANDS: f64 = 0.95;
/// Times as slow as it moves that the body tilts.
pub(super) const SLOWER: f64 = 2.0;
/// Share of a leg's length by which feet must lie apart for a body to tilt with them.
const APART: f64 = 0.1;
/// Fewest feet with which a body tilts: on two it stays upright.
const TILTS: usize = 3;

/// How a body is moved from where the clip has it: turned about the middle of its hips, and moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) way: DVec3,
    turn: DQuat,
    about: DVec3,
}

impl Body {
    pub(super) fn motion(&self) -> DAffine3 {
        DAffine3::from_rotation_translation(self.turn, self.about + self.way - self.turn * self.about)
    }

    /// How far the hip of a leg is moved that the clip has in this pose.
    pub(super) fn way_of(&self, leg: &Measured, pose: &Pose) -> DVec3 {
        let arm = pose.position(leg.hip()) - self.about;
        self.way + self.turn * arm - arm
    }
}

impl Feet {
    /// A body that is moved so far and tilts with feet that are spread so.
    pub(super) fn body(&self, pose: &Pose, way: DVec3, spread: &Spread) -> Body {
        let up = self.settings.up;
        let lengths = self.legs.iter().map(|leg| leg.length * leg.length).sum::<f64>();
        let slope = spread.slope(up, APART * APART * lengths);
        let normal = arc::unit(up - slope).filter(|_| self.legs.len() >= TILTS);
        let turn = normal.map_or(DQuat::IDENTITY, |normal| DQuat::from_rotation_arc(up, normal));
        let about = self.legs.iter().map(|leg| pose.position(leg.hip())).sum::<DVec3>() / self.legs.len() as f64;
        Body { way, turn, about }
    }

    /// What the body goes along with: the mean of what feet are moved by.
    pub(super) fn mean_offset(&self, feet: &[Footing]) -> DVec3 {
        feet.iter().map(|foot| foot.offset).sum::<DVec3>() / self.legs.len() as f64
    }

    /// Brings the body on: it follows the mean of its feet on a critically damped spring and tilts with them on a slower one. It comes down
    /// to where legs that bear reach, and in time for feet that are about to land.
    pub(super) fn go_along(&self, pose: &Pose, dt: f64, state: &mut FeetState) -> Body {
        let up = self.settings.up;
        let wanted = self.mean_offset(&state.asked);
        let pull = Pull::halving(self.settings.body, dt);
        let spread = Spread::of(&state.asked, up);
        let slower = Pull::halving(SLOWER * self.settings.body, dt);
        for (spring, now) in state.spread.iter_mut().zip([spread.shape, spread.rise]) {
            if dt > 0.0 {
                spring.follow(now, DVec3::ZERO, &slower);
            } else {
                *spring = Spring::at(now);
            }
        }
        let [shape, rise] = state.spread.map(|spring| spring.value);
        let level = state.body.value.reject_from_normalized(up);
        let body = self.body(pose, level, &Spread { shape, rise });
        let high = |seconds: f64| {
            let ahead = |(leg, foot): (&Measured, &FootState)| foot.offset_in(seconds, pose.position(leg.ankle));
            self.legs.iter().zip(&state.feet).map(ahead).sum::<DVec3>().dot(up) / self.legs.len() as f64
        };
        let need = |(leg, foot)| self.need(leg, foot, pose, (&high, &body), pull.delay());
        let deep = self.legs.iter().zip(&state.feet).map(need).fold(0.0, f64::max);
        let high = Body { way: level + up * wanted.dot(up), ..body };
        let most = |(leg, foot): (&Measured, &Footing)| leg.most_deep(pose, foot, high.way_of(leg, pose), up);
        let deep = deep.min(self.legs.iter().zip(&state.asked).map(most).fold(f64::INFINITY, f64::min));
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
        Body { way: state.body.value, ..body }
    }

    /// How far under `high`, which is told for so many seconds from now, a body that is moved so otherwise must be for a leg: as
    /// far as it bears, and the nearer it is to landing, whose moment the body must be ahead of by so many seconds.
    fn need(
        &self,
        leg: &Measured,
        foot: &FootState,
        pose: &Pose,
        (high, body): (&impl Fn(f64) -> f64, &Body),
        delay: f64,
    ) -> f64 {
        let (up, level) = (self.settings.up, body.way_of(leg, pose));
        let footing = foot.footing(pose.position(leg.ankle), up);
        let span = leg.span(pose, self.settings.reach);
        let stands = footing.load * (high(0.0) - room(leg.longest(pose, &footing, level, up), up, span));
        let known = foot.stances().map(|(time, line, motion)| {
            let tip = leg.tip(pose);
            let span = leg.span_of(line, LANDS);
            // What the clip's own leg does not reach either, the body does not come down for beforehand.
            let own = room(line, up, span).min(0.0);
            let line = line + motion.transform_point3(tip) - tip - level;
            smooth(1.0 - (time - delay) / FORESEES) * (high(time) - room(line, up, span) + own)
        });
        known.fold(stands, f64::max)
    }
}
