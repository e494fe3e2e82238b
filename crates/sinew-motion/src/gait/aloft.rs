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
                swing.redirect(self.axes.up, to, turn);
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
        let wish = self.wish(leg, &later, cadence, state.steep);
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::feet::Leg;
    use sinew::{Joint, JointSpec, SkeletonBuilder};

    /// A walker of two legs, 1 m high.
    pub(in crate::gait) fn walker() -> Gait {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("body").translation([0.0, 1.0, 0.0]));
        let sides = [("l", 0.2), ("r", -0.2)];
        for (side, x) in sides {
            let name = |part: &str| format!("{part}.{side}");
            builder.add(JointSpec::named(name("hip")).child_of("body").translation([x, 0.0, 0.0]));
            let [hip, knee] = ["hip", "knee"].map(name);
            builder.add(JointSpec::named(&knee).child_of(hip.as_str()).translation([0.0, -0.5, 0.2]));
            builder.add(JointSpec::named(name("foot")).child_of(knee.as_str()).translation([0.0, -0.5, -0.2]));
        }
        let skeleton = builder.build().unwrap();
        let joints = |side: &str| -> Vec<Joint> {
            ["hip", "knee", "foot"].map(|part| skeleton.joint(&format!("{part}.{side}")).unwrap()).to_vec()
        };
        let legs = sides.map(|(side, _)| Leg::from(joints(side)));
        Gait::new(&skeleton, &legs, DVec3::Y, DVec3::Z, Some(0.0)).unwrap()
    }

    /// Swings a foot of a body that stands at the origin, on ground that is `floor` high, to a place: how many seconds after it was to land
    /// there it stands, if ever, and where.
    fn land(to: DVec3, floor: f64) -> Option<(f64, DVec3)> {
        const SECONDS: f64 = 0.3;
        let gait = walker();
        let path = PathPoint { position: DVec3::ZERO, forward: DVec3::Z, velocity: DVec3::ZERO, turning: 0.0 };
        let mut state = GaitState::default();
        gait.stand(&path, &|at: DVec3| Some((DVec3::new(at.x, 0.0, at.z), DVec3::Y)), &mut state);
        let cadence = gait.cadence(&path, 0.0, &mut state.strides);
        let foot = state.feet[0];
        let mut swing = Swing::new(foot.place, to, SECONDS, [foot.turn; 2], 0.0);
        swing.revised = true;
        state.feet[0].swing = Some(swing);
        let ground = |at: DVec3| Some((DVec3::new(at.x, floor, at.z), DVec3::Y));
        for tick in 1..600_u32 {
            gait.swing_on(0, &path, &cadence, &ground, &mut state);
            if state.feet[0].swing.is_none() {
                return Some((f64::from(tick) * TICK - SECONDS, state.feet[0].place));
            }
        }
        None
    }

    #[test]
    fn feet_wait_in_the_air_where_they_would_land_out_of_reach() {
        let natural = (1.0 / 9.81_f64).sqrt();
        let near = DVec3::new(0.2, 0.0, 0.2);
        // Within reach it lands when it is there.
        let (late, place) = land(near, 0.0).unwrap();
        assert!(late.abs() < 1.5 * TICK && place == near, "{late} {place}");
        // Farther away it waits for a body that does not come, and then goes on to under that.
        let (late, place) = land(DVec3::new(0.2, 0.0, 1.2), 0.0).unwrap();
        let patient = 2.0 * PATIENCE * natural;
        assert!((late - patient).abs() < 2.5 * TICK && place.z.abs() < 0.1, "{late} {place}");
        // Where nothing is in reach it stands at last, where it was to.
        let deep = DVec3::new(0.2, -0.6, 0.0);
        let (late, place) = land(deep, -0.6).unwrap();
        assert!((late - WAITS * natural).abs() < 2.5 * TICK && place == deep, "{late} {place}");
    }
}
