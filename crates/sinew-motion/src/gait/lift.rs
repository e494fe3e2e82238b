//! Feet that stand: which of them steps, and where to.

use glam::DVec3;
use sinew::math::{arc, ops};

use super::body::Frame;
use super::cadence::Cadence;
use super::foothold::BAD;
use super::leg::REACH;
use super::state::{Foot, GaitState};
use super::swing::Swing;
use super::{Gait, Near, PathPoint, TICK};

/// How far a foot may stand from where it rests before a body at rest takes it back (shares of the hips' height; tangent of half the angle).
const LOOSE: f64 = 0.03;
const ASKEW: f64 = 0.06;
/// How far the body yields to legs that can reach no further before they step, whoever is in the air.
const YIELDS: f64 = 0.04;
/// Share of a stride after a landing in which legs should not come to cross, either.
pub(super) const AFTER: f64 = 0.15;
/// Share of a stride beyond which a leg that had to step takes its next turn for done.
const EARLY: f64 = 0.5;
/// How much farther behind than its stride has it a foot stands before it steps without its turn, and what a stride more counts beside
/// a leg that is too short by the hips' height.
const LATE: f64 = 1.1;
const URGES: f64 = 0.04;
/// Ticks that a leg waits for others in whose way it would stand, and how far behind those stand that step for its sake.
const LETS_GO: u8 = 6;
const IN_THE_WAY: f64 = 0.3;

/// Why a leg steps.
#[derive(Clone, Copy, Debug)]
struct Need {
    /// It is out of reach; and so far that it steps whoever is in the air.
    strained: bool,
    torn: bool,
    /// It steps while a leg beside it is in the air.
    forced: bool,
}

impl Gait {
    /// Whether a foot stands too far from where it rests, or too askew, for a body that stands.
    pub(super) fn is_loose(&self, leg: usize, path: &PathPoint, foot: &Foot) -> bool {
        let off = arc::reject(foot.place - self.home(leg, path), self.axes.up);
        let turn = foot.turn * self.heading(path.forward).conjugate();
        let about = DVec3::new(turn.x, turn.y, turn.z).dot(self.axes.up);
        arc::length(off) > LOOSE * self.height * if self.legs.len() > 2 { 2.0 } else { 1.0 }
            || about.abs() > ASKEW * turn.w.abs()
    }

    /// How far behind a foot stands (1: as far as its stride asks).
    fn lag(&self, leg: usize, path: &PathPoint, state: &GaitState) -> f64 {
        let stride = &state.strides[leg];
        let along = arc::unit(stride.speed).unwrap_or(DVec3::ZERO);
        (self.home(leg, path) - state.feet[leg].place).dot(along) / stride.behind.max(0.05 * self.height)
    }

    /// How much a standing leg needs a step: how far it is out of reach (shares of the hips' height), or late.
    fn urgency(&self, leg: usize, path: &PathPoint, frame: &Frame, state: &GaitState) -> f64 {
        let foot = &state.feet[leg];
        if foot.waits > 0 {
            return 0.0;
        }
        let over = self.over(leg, foot, frame) / self.height;
        let lag = if self.few() { self.lag(leg, path, state) - LATE } else { 0.0 };
        over.max(0.0).max(URGES * lag)
    }

    /// Legs so few that each finds its own time; more go in their groups.
    fn few(&self) -> bool {
        self.legs.len() <= 4
    }

    /// Whether feet beside each other may be in the air at once.
    fn runs(&self, cadence: &Cadence) -> bool {
        cadence.duty < 0.5 && self.few()
    }

    /// Lifts a foot if it should step now.
    pub(super) fn maybe_lift(
        &self,
        leg: usize,
        path: &PathPoint,
        cadence: &Cadence,
        frame: &Frame,
        ground: Near<'_>,
        state: &mut GaitState,
    ) {
        if state.feet[leg].swing.is_some() {
            return;
        }
        if let Some(need) = self.need(leg, path, cadence, frame, state) {
            self.lift(leg, need, path, cadence, frame, ground, state);
        }
    }

    /// Whether a standing leg steps now, and why.
    fn need(
        &self,
        leg: usize,
        path: &PathPoint,
        cadence: &Cadence,
        frame: &Frame,
        state: &mut GaitState,
    ) -> Option<Need> {
        let foot = state.feet[leg];
        // As it will be in the next tick.
        let line = self.line(leg, &foot, frame);
        let leaves = -arc::unit(line).unwrap_or(DVec3::ZERO).dot(self.home_speed(leg, path));
        let over = (arc::length(line) - REACH * self.legs[leg].reach + leaves.max(0.0) * TICK) / self.height;
        let (strained, torn) = (over > 0.0, over > YIELDS);
        if foot.waits > 0 && !torn {
            state.feet[leg].waits -= 1;
            return None;
        }
        let beside = || self.legs[leg].neighbours.iter().copied();
        let stands = |&next: &usize| state.feet[next].swing.is_none();
        let free = beside().all(|next| stands(&next));
        let runs = self.runs(cadence);
        let late = !runs && self.few() && self.lag(leg, path, state) > LATE;
        if !(((foot.due || strained || late) && (free || runs)) || torn) {
            return None;
        }
        // The one goes first that is stretched most, or else farthest behind; of many legs the one whose turn it is.
        let own = self.urgency(leg, path, frame, state).max(over);
        let worse = |next: usize| self.urgency(next, path, frame, state) > own;
        let in_turn = |next: usize| state.feet[next].due && state.feet[next].waits == 0;
        let yields = !runs && beside().filter(stands).any(worse)
            || !self.few() && !foot.due && !torn && beside().filter(stands).any(in_turn);
        (!yields).then_some(Need { strained, torn, forced: torn && !free && !runs })
    }

    /// Lifts a foot, unless it would land across another leg.
    #[expect(clippy::too_many_arguments, reason = "all that a step depends on")]
    fn lift(
        &self,
        leg: usize,
        need: Need,
        path: &PathPoint,
        cadence: &Cadence,
        frame: &Frame,
        ground: Near<'_>,
        state: &mut GaitState,
    ) {
        let foot = state.feet[leg];
        let duration =
            ((1.0 - cadence.duty) * cadence.period).clamp(4.0 * TICK, 1.6 * ops::sqrt(self.height / self.gravity));
        let duration = if foot.due || !need.strained { duration } else { 0.8 * duration };
        let later = self.later(path, &state.quicken, duration);
        let later_frame = self.later_frame(&later, duration, state);
        let wish = self.wish(leg, &later, cadence, state.steep);
        let then = [later, self.later(path, &state.quicken, duration + AFTER * cadence.period)];
        let beside = |place: DVec3| self.hindrance(leg, place, &then, &later_frame, &state.feet, ground);
        let ways = [foot.place, wish, later.forward];
        let (to, turn) = self.landing(leg, ways, self.stood(leg, wish, state), &beside, ground);
        // Rather than across another leg, it steps when that one is gone.
        let crosses = |path: &PathPoint| self.crossing(leg, (to, turn), &later_frame.moved_to(self, path), &state.feet);
        if !need.torn && !self.runs(cadence) && then.iter().any(|path| crosses(path) >= BAD) {
            state.feet[leg].waits = LETS_GO;
            for &next in &self.legs[leg].neighbours {
                state.feet[next].due |= self.lag(next, path, state) > IN_THE_WAY;
            }
            return;
        }
        let heel = self.heel(leg, &foot, frame);
        let mut swing = Swing::new(foot.place, to, duration, [foot.turn, turn], heel);
        let half = frame.moved_to(self, &self.later(path, &state.quicken, 0.5 * duration));
        self.around(leg, &mut swing, &half, &state.feet);
        self.clear(leg, &mut swing, ground);
        // What is stepped now need not be once more when its turn comes soon.
        let turn = state.clock + self.offset(leg, cadence.lag);
        let early = !foot.due && !self.runs(cadence) && self.few() && turn - turn.floor() > EARLY;
        state.feet[leg] = Foot {
            swing: Some(swing),
            due: false,
            turns: foot.turns + f64::from(u8::from(early)),
            steps: foot.steps + 1,
            forced: foot.forced + u32::from(need.forced),
            ..foot
        };
    }

    /// How high the nearest to a wish of a foot's own place and those beside it is, where they stand or land: what it steps up or down from.
    fn stood(&self, leg: usize, wish: DVec3, state: &GaitState) -> f64 {
        let place = |foot: &Foot| foot.swing.map_or(foot.place, |swing| swing.to);
        let near = self.legs[leg].neighbours.iter().map(|&next| place(&state.feet[next]));
        let far = |at: &DVec3| arc::reject(*at - wish, self.axes.up).length_squared();
        let own = state.feet[leg].place;
        near.fold(own, |best, at| if far(&at) < far(&best) { at } else { best }).dot(self.axes.up)
    }
}
