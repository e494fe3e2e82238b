//! A tick of the walk: who steps and where to.

use glam::DVec3;
use sinew::math::{arc, ops};

use super::body::Frame;
use super::cadence::Cadence;
use super::leg::{Measured, REACH};
use super::state::{Foot, GaitState, Quicken};
use super::swing::Swing;
use super::{Gait, Near, PathPoint, TICK};
use crate::least_jerk::smooth;
use crate::spring::{Pull, Spring};

/// How far a foot may stand from where it rests before a body at rest takes it back (shares of the hips' height; tangent of half the angle).
const LOOSE: f64 = 0.03;
const ASKEW: f64 = 0.06;
/// How far the body yields to legs that can reach no further before they step, whoever is in the air.
const YIELDS: f64 = 0.04;
/// Steepest way (rise over distance) on which the body foresees how its floor goes on.
const STEEPEST_WAY: f64 = 0.5;
/// How far out of reach a foot may land (share of the hips' height), and how long it waits in the air for the body (seconds).
const TOUCHES: f64 = 0.005;
const WAITS: f64 = 0.25;
/// Share of a stride after a landing in which legs should not come to cross, either.
const AFTER: f64 = 0.15;
/// First strides after standing, and how much quicker they are: all feet leave from under the body at once.
const FIRST: f64 = 1.0;
const HASTE: f64 = 1.7;
/// Strides after the first in which legs come from groups to the turns of their speed.
const SETTLES: f64 = 2.0;

impl Gait {
    /// Sorts legs around the body; those next to each other are neighbours.
    pub(super) fn find_neighbours(&mut self) {
        let angle = |leg: usize| {
            let out = self.legs[leg].contact - self.pivot;
            ops::atan2(out.dot(self.axes.left), out.dot(self.axes.forward))
        };
        let mut ring: Vec<usize> = (0..self.legs.len()).collect();
        ring.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)));
        let count = ring.len();
        for place in 0..count {
            let mut near = vec![ring[(place + 1) % count], ring[(place + count - 1) % count]];
            near.dedup();
            self.legs[ring[place]].neighbours = near;
        }
    }

    /// Stands all feet under the body at a point of the path.
    pub(super) fn stand(&self, path: &PathPoint, ground: Near<'_>, state: &mut GaitState) {
        let up = self.axes.up;
        let floor = ground(path.position).map_or(self.floor, |(place, _)| place.dot(up));
        state.feet.clear();
        for leg in 0..self.legs.len() {
            let home = self.home(leg, path);
            let (place, turn) = self.landing(leg, [home, home, path.forward], floor, &|_| 0.0, ground);
            state.feet.push(Foot { place, turn, swing: None, turns: 0.0, due: false, steps: 0, forced: 0 });
        }
        (state.clock, state.since, state.resting) = (0.0, 0.0, true);
        let cadence = self.cadence(path, &mut state.strides);
        for leg in 0..self.legs.len() {
            state.feet[leg].turns = self.offset(leg, cadence.lag).floor();
        }
        state.last = Some(*path);
        state.goal = self.goal(path, &cadence, state, DVec3::ZERO);
        state.slope = Spring::at(state.goal[1]);
        state.goal = self.goal(path, &cadence, state, state.goal[1]);
        [state.floor, state.slope, state.sway] = state.goal.map(Spring::at);
        state.pulled = Spring::default();
        (state.quicken, state.ticked) = (Quicken::default(), None);
        state.turned.clear();
        state.turned.reserve(self.legs.iter().map(Measured::turned).sum());
    }

    /// Advances by a tick, to a point of the path.
    pub(super) fn tick(&self, path: &PathPoint, ground: Near<'_>, state: &mut GaitState) {
        self.quicken(path, state);
        let mut cadence = self.cadence(path, &mut state.strides);
        // Two groups set out; then legs find their own turns.
        let gone = if state.resting { 0.0 } else { state.clock - state.begun };
        if gone < FIRST {
            cadence.period /= HASTE;
        }
        if self.legs.len() > 2 {
            cadence.lag = 0.5 + (cadence.lag - 0.5) * smooth((gone - FIRST) / SETTLES);
        }
        let fastest = state.strides.iter().map(|stride| arc::length(stride.speed)).fold(0.0, f64::max);
        let moving = fastest > 0.02 * self.easy_speed();
        let loose = || (0..self.legs.len()).any(|leg| self.is_loose(leg, path, &state.feet[leg]));
        let going = moving || state.feet.iter().any(|foot| foot.swing.is_some()) || loose();
        let stride = if moving { cadence.period } else { 3.0 * ops::sqrt(self.height / self.gravity) };
        if going {
            if state.resting {
                self.begin(&cadence, state);
            }
            state.clock += TICK / stride;
        }
        state.resting = !going;
        for leg in 0..self.legs.len() {
            self.swing_on(leg, path, &cadence, ground, state);
        }
        let frame = self.frame(path, [&state.floor, &state.slope, &state.sway].map(|spring| spring.value));
        for leg in 0..self.legs.len() {
            let turns = (state.clock + self.offset(leg, cadence.lag) + 1e-9).floor();
            if turns > state.feet[leg].turns {
                state.feet[leg].turns = turns;
                state.feet[leg].due = moving || self.is_loose(leg, path, &state.feet[leg]);
            }
            self.maybe_lift(leg, path, &cadence, &frame, ground, state);
        }
        let before = state.goal;
        state.goal = self.goal(path, &cadence, state, state.slope.value);
        let pull = Pull::new(self.stiffness, TICK);
        // What leaps, as a foot that held the body down lifts, is no way that the body goes along with.
        let most = STEEPEST_WAY * arc::length(path.velocity);
        let drift = ((state.goal[0] - before[0]) * (0.7 / TICK)).clamp_length_max(most);
        state.floor.follow(state.goal[0], drift, &pull);
        state.slope.follow(state.goal[1], DVec3::ZERO, &pull);
        state.sway.follow(state.goal[2], DVec3::ZERO, &pull);
        self.be_pulled(path, &pull, state);
    }

    /// Turns the clock to where the next leg's turn comes at once.
    fn begin(&self, cadence: &Cadence, state: &mut GaitState) {
        let wait = |leg: usize| {
            let at = state.clock + self.offset(leg, cadence.lag);
            at.ceil() - at
        };
        let soonest = (0..self.legs.len()).map(wait).fold(1.0, f64::min);
        state.clock += soonest;
        state.begun = state.clock;
        for leg in 0..self.legs.len() {
            let turns = (state.clock + self.offset(leg, cadence.lag) + 1e-9).floor();
            let own = (state.clock + self.offset(leg, cadence.lag)) - turns;
            state.feet[leg].turns = if own < 1e-6 { turns - 1.0 } else { turns };
        }
    }

    /// Whether a foot stands too far from where it rests, or too askew, for a body that stands.
    fn is_loose(&self, leg: usize, path: &PathPoint, foot: &Foot) -> bool {
        let off = arc::reject(foot.place - self.home(leg, path), self.axes.up);
        let turn = foot.turn * self.heading(path.forward).conjugate();
        let about = DVec3::new(turn.x, turn.y, turn.z).dot(self.axes.up);
        arc::length(off) > LOOSE * self.height * if self.legs.len() > 2 { 2.0 } else { 1.0 }
            || about.abs() > ASKEW * turn.w.abs()
    }

    /// Advances a foot in the air; looks at its landing again half-way; lands it.
    fn swing_on(&self, leg: usize, path: &PathPoint, cadence: &Cadence, ground: Near<'_>, state: &mut GaitState) {
        let Some(mut swing) = state.feet[leg].swing else { return };
        swing.time += TICK;
        if !swing.revised && swing.share(0.0) >= 0.5 {
            swing.revised = true;
            let left = swing.duration - swing.time;
            let later = self.later(path, &state.quicken, left);
            let wish = self.wish(leg, &later, cadence);
            if arc::length(arc::reject(wish - swing.to, self.axes.up)) > 0.06 * self.height {
                let frame = self.later_frame(&later, left, state);
                let then = [later, self.later(path, &state.quicken, left + AFTER * cadence.period)];
                let beside = |place: DVec3| self.hindrance(leg, place, &then, &frame, &state.feet, ground);
                let ways = [swing.to, wish, later.forward];
                let (to, turn) = self.landing(leg, ways, swing.to.dot(self.axes.up), &beside, ground);
                swing.redirect(to, turn);
                self.clear(leg, &mut swing, ground);
            }
        }
        let foot = &mut state.feet[leg];
        foot.swing = Some(swing);
        if swing.time >= swing.duration {
            // A body that is still too high comes down before the foot stands.
            let mut frame = self.frame(path, [&state.floor, &state.slope, &state.sway].map(|spring| spring.value));
            frame.pivot += state.pulled.value;
            let landed = Foot { place: swing.to, turn: swing.turns[1], swing: None, ..*foot };
            if self.over(leg, &landed, &frame) > TOUCHES * self.height && swing.time < swing.duration + WAITS {
                return;
            }
            *foot = landed;
        }
    }

    fn maybe_lift(
        &self,
        leg: usize,
        path: &PathPoint,
        cadence: &Cadence,
        frame: &Frame,
        ground: Near<'_>,
        state: &mut GaitState,
    ) {
        let foot = state.feet[leg];
        if foot.swing.is_some() {
            return;
        }
        // As it will be in the next tick.
        let line = self.line(leg, &foot, frame);
        let leaves = -arc::unit(line).unwrap_or(DVec3::ZERO).dot(self.home_speed(leg, path));
        let over = arc::length(line) - REACH * self.legs[leg].reach + leaves.max(0.0) * TICK;
        let free = self.legs[leg].neighbours.iter().all(|&next| state.feet[next].swing.is_none());
        let runs = cadence.duty < 0.5 && self.legs.len() <= 4;
        let strained = over > 0.0;
        let torn = over > YIELDS * self.height;
        if !(((foot.due || strained) && (free || runs)) || torn) {
            return;
        }
        // The one goes first that is stretched most.
        let stands = |&&next: &&usize| state.feet[next].swing.is_none();
        let worse = |&next: &usize| self.over(next, &state.feet[next], frame) > over.max(0.0);
        if !runs && self.legs[leg].neighbours.iter().filter(stands).any(worse) {
            return;
        }
        let forced = torn && !free && !runs;
        let duration =
            ((1.0 - cadence.duty) * cadence.period).clamp(4.0 * TICK, 1.6 * ops::sqrt(self.height / self.gravity));
        let duration = if foot.due || !strained { duration } else { 0.8 * duration };
        let later = self.later(path, &state.quicken, duration);
        let later_frame = self.later_frame(&later, duration, state);
        let wish = self.wish(leg, &later, cadence);
        let then = [later, self.later(path, &state.quicken, duration + AFTER * cadence.period)];
        let beside = |place: DVec3| self.hindrance(leg, place, &then, &later_frame, &state.feet, ground);
        let ways = [foot.place, wish, later.forward];
        let (to, turn) = self.landing(leg, ways, self.stood(leg, wish, state), &beside, ground);
        let heel = self.heel(leg, &foot, frame);
        let mut swing = Swing::new(foot.place, to, duration, [foot.turn, turn], heel);
        self.around(leg, &mut swing, &self.later(path, &state.quicken, 0.5 * duration), &state.feet);
        self.clear(leg, &mut swing, ground);
        state.feet[leg] = Foot {
            swing: Some(swing),
            due: false,
            steps: foot.steps + 1,
            forced: foot.forced + u32::from(forced),
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
