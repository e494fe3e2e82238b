//! Feet in the air that come down in time for their legs, in a game loop.
//!
//! A foot that goes over a step under a body that is still low would fold its leg too far. What is known of the swing tells when, and so
//! the foot comes down on the least bent way under the heights to which its leg folds well, over the ground. Frame by frame it would be
//! stopped at once where its leg is folded: a knee then jerks.

use glam::DVec3;
use sinew::Pose;
use sinew::math::arc;

use super::ahead::{Bounds, Height};
use super::body::Body;
use super::foot::swing::along;
use super::foot::{FootState, Footing};
use super::leg::Measured;
use super::{Feet, FootHint, SWING_MOMENTS};
use crate::ground::Ground;

/// With how much a foot comes back that is outside its bounds (legs a second squared), and in how many seconds to its way.
const HURRIES: f64 = 200.0;
const FADES: f64 = 0.08;

/// A leg in a frame, under a body that is where it is to be.
pub(super) struct Swinging<'a> {
    pub(super) leg: &'a Measured,
    pub(super) foot: &'a FootState,
    pub(super) hint: &'a FootHint,
    pub(super) pose: &'a Pose,
    pub(super) body: &'a Body,
    /// The body's, now and as planned.
    pub(super) height: &'a Height,
    /// Seconds since the last frame.
    pub(super) dt: f64,
}

impl Swinging<'_> {
    /// Of a swing to a landing in `lands` seconds: how far the foot must come down in so many, and how far it may.
    fn down_in(&self, seconds: f64, (swing, lands): (&[[DVec3; 4]; SWING_MOMENTS], f64), up: DVec3) -> [f64; 2] {
        let seconds = seconds.clamp(0.0, lands);
        let share = (self.hint.lifted + seconds) / (self.hint.lifted + lands).max(f64::MIN_POSITIVE);
        let own = along(swing, share)[3];
        let (moved, room) = self.foot.swing_in(seconds, self.pose.position(self.leg.ankle), up);
        let higher = self.height.later(self.dt + seconds) - self.height.value;
        let line = own + moved - self.body.way_of(self.leg, self.pose) - up * higher;
        let load = self.foot.load_in(seconds, self.hint.lifted);
        [(1.0 - load) * self.leg.near_of(line, arc::length(own), up), room]
    }
}

impl Feet {
    /// Brings `fold`, by how much a foot is raised for its leg (down where negative), on by a frame, and the foot with it.
    pub(super) fn unfold_ahead(
        &self,
        of: &Swinging<'_>,
        asked: &mut Footing,
        fold: &mut Height,
        ground: &(impl Ground + ?Sized),
    ) {
        let (leg, up) = (of.leg, self.settings.up);
        let known = of.foot.lands_in().zip(of.hint.swing.as_ref()).filter(|_| asked.swings && of.dt > 0.0);
        let down = if let Some((lands, swing)) = known {
            let mut bounds = Bounds::new(leg.length, of.dt, |_| 0.0).hurrying(HURRIES);
            bounds.between(lands, |seconds| {
                let [must, may] = of.down_in(seconds, (swing, lands), up);
                [-may, if must > 0.0 { -must.min(may) } else { f64::INFINITY }]
            });
            bounds.below([(lands, 0.0); 2]);
            bounds.above([(lands, 0.0); 2]);
            fold.go(&bounds, FADES, of.dt);
            let down = -fold.value;
            if down > 0.0 { down.min(self.over_ground(leg, of.pose, asked, ground, down).max(0.0)) } else { down }
        } else {
            fold.rest_at(0.0);
            self.unfolds(leg, of.pose, ground, asked, of.body.way_of(leg, of.pose))
        };
        fold.value = -down;
        asked.motion.translation -= up * down;
    }
}
