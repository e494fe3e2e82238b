//! How the body goes along with its feet, frame by frame.

use glam::{DAffine3, DQuat, DVec3};
use sinew::Pose;
use sinew::math::arc;

use super::ahead::{Bounds, SOON};
use super::foot::swing::along;
use super::foot::{FootState, Footing, LOADS};
use super::leg::{FLAT, Measured, room};
use super::spread::Spread;
use super::{Feet, FeetState, FootHint};
use crate::spring::{Pull, Spring};

/// Share of its bones to which a leg lands that the clip has shorter then: the knee of one that lands straight jerks.
const LANDS: f64 = 0.95;
/// Half-lives of the body in which it comes to the height of its feet.
const COMES: f64 = 1.2;
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
    pub(super) fn go_along(&self, pose: &Pose, dt: f64, hints: &[FootHint], state: &mut FeetState) -> Body {
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
        let ahead = |seconds: f64| {
            let ahead = |(leg, foot): (&Measured, &FootState)| foot.offset_in(seconds, pose.position(leg.ankle));
            self.legs.iter().zip(&state.feet).map(ahead).sum::<DVec3>().dot(up) / self.legs.len() as f64
        };
        let longest = self.legs.iter().map(|leg| leg.length).fold(0.0, f64::max);
        let mut bounds = Bounds::new(longest, dt, ahead);
        for (index, leg) in self.legs.iter().enumerate() {
            let (foot, asked) = (&state.feet[index], &state.asked[index]);
            self.bound(leg, (foot, asked), pose, (wanted.dot(up), &body), &mut bounds);
            if let Some(hint) = hints.get(index) {
                self.bound_swing(leg, (foot, hint), pose, &body, &mut bounds);
            }
        }
        if dt > 0.0 {
            state.height.go(&bounds, COMES * self.settings.body, dt);
            state.body.follow(wanted, DVec3::ZERO, &pull);
        } else {
            state.height.begin(&bounds);
            state.body = Spring::at(wanted);
        }
        Body { way: state.body.value.reject_from_normalized(up) + up * state.height.value, ..body }
    }

    /// Bounds a body that is moved so otherwise for a leg: no higher than where it reaches, as far as it bears, and from where it lands to
    /// where it lifts; no lower than it folds.
    fn bound(
        &self,
        leg: &Measured,
        (foot, asked): (&FootState, &Footing),
        pose: &Pose,
        (wanted, body): (f64, &Body),
        bounds: &mut Bounds,
    ) {
        let (up, level) = (self.settings.up, body.way_of(leg, pose));
        let reach = room(leg.longest(pose, asked, level, up), up, leg.span(pose, self.settings.longest));
        let tip = leg.tip(pose);
        let mut last = (asked.load > 0.0).then(|| (0.0, highest(wanted, reach, asked.load)));
        for (time, line, motion) in foot.stances() {
            let span = leg.span_of(line, LANDS);
            let line = line + motion.transform_point3(tip) - tip - level;
            let next = (time, room(line, up, span));
            bounds.below([last.unwrap_or(next), next]);
            last = Some(next);
        }
        if let Some((_, height)) = last.filter(|last| last.0 == 0.0) {
            bounds.below([(0.0, height), (SOON, height)]);
        }
        let lowest = leg.lowest(pose, asked, level, up, (asked.room, FLAT));
        bounds.above([(0.0, lowest), (SOON, lowest)]);
        bounds.firmly_above(wanted - leg.most_deep(pose, asked, level + up * wanted, up));
    }

    /// Bounds it for a leg in the air whose way is known: no lower than it folds, and before it lands no higher than it reaches.
    fn bound_swing(
        &self,
        leg: &Measured,
        (foot, hint): (&FootState, &FootHint),
        pose: &Pose,
        body: &Body,
        bounds: &mut Bounds,
    ) {
        let (Some(lands), Some(swing)) = (foot.lands_in(), &hint.swing) else { return };
        let (up, level, ankle) = (self.settings.up, body.way_of(leg, pose), pose.position(leg.ankle));
        bounds.between(lands, |seconds| {
            let share = (hint.lifted + seconds) / (hint.lifted + lands).max(f64::MIN_POSITIVE);
            let own = along(swing, share)[3];
            let (moved, down) = foot.swing_in(seconds, ankle, up);
            let line = own + moved - level;
            let span = leg.span_of(own, LANDS);
            let high = if lands - seconds < LOADS { room(line, up, span) } else { f64::INFINITY };
            [leg.least(line - up * down, arc::length(own), up, FLAT), high]
        });
    }
}

/// How high a body that would be at a height may be now for a leg that reaches so high: as high as that, or lower as far as the leg bears.
fn highest(wanted: f64, reach: f64, load: f64) -> f64 {
    wanted + (reach - wanted).max(load * (reach - wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A leg that reaches higher than the body would be holds it no lower than it reaches, for other legs that fold.
    #[test]
    fn legs_hold_bodies_no_lower_than_they_reach() {
        for load in [0.1, 0.5, 1.0] {
            assert!((highest(0.1, 0.3, load) - 0.3).abs() < 1e-12);
            assert!((highest(0.1, -0.1, load) - (0.1 - 0.2 * load)).abs() < 1e-12);
        }
    }
}
