//! A tick of the walk.

use glam::DVec3;
use sinew::math::{arc, ops};

use super::cadence::Cadence;
use super::leg::Measured;
use super::state::{Foot, GaitState, Quicken};
use super::{Gait, Near, PathPoint, TICK};
use crate::least_jerk::smooth;
use crate::spring::{Pull, Spring};

/// Steepest way (rise over distance) on which the body foresees how its floor goes on.
const STEEPEST_WAY: f64 = 0.5;
/// First strides after standing, and how much quicker they are: all feet leave from under the body at once.
const FIRST: f64 = 1.0;
const HASTE: f64 = 1.7;
/// Strides after the first in which legs come from groups to the turns of their speed.
const SETTLES: f64 = 2.0;
/// How quickly the body takes up how steep its way is, and how its goal moves (times its stiffness).
const FORESEES: f64 = 1.0;
const TAKES_UP: f64 = 1.0 / 0.3;

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
            self.legs[ring[place]].apart = near.iter().map(|&next| self.apart_at_rest(ring[place], next)).collect();
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
            state.feet.push(Foot { place, turn, swing: None, turns: 0.0, due: false, waits: 0, steps: 0, forced: 0 });
        }
        (state.clock, state.since, state.resting) = (0.0, 0.0, true);
        state.steep = self.steep(path, floor, ground);
        let cadence = self.cadence(path, state.steep, &mut state.strides);
        for leg in 0..self.legs.len() {
            state.feet[leg].turns = self.offset(leg, cadence.lag).floor();
        }
        state.last = Some(*path);
        state.goal = self.goal(path, &cadence, state);
        [state.floor, state.slope, state.sway] = state.goal.map(Spring::at);
        (state.pulled, state.drift) = (Spring::default(), DVec3::ZERO);
        (state.quicken, state.ticked) = (Quicken::default(), None);
        state.turned.clear();
        state.turned.reserve(self.legs.iter().map(Measured::turned).sum());
    }

    /// Advances by a tick, to a point of the path.
    pub(super) fn tick(&self, path: &PathPoint, ground: Near<'_>, state: &mut GaitState) {
        self.quicken(path, state);
        let steep = self.steep(path, state.floor.value.dot(self.axes.up), ground);
        state.steep += (steep - state.steep) * self.part(FORESEES);
        let mut cadence = self.cadence(path, state.steep, &mut state.strides);
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
        state.goal = self.goal(path, &cadence, state);
        let pull = Pull::new(self.stiffness, TICK);
        // It climbs as fast as the ground, and beyond that goes along with its goal. What leaps, as a foot that held the body down lifts,
        // is no way that the body goes along with.
        let fast = arc::length(path.velocity);
        let climbs = self.axes.up * (state.steep * fast);
        let drift =
            climbs + ((state.goal[0] - before[0]) * (0.7 / TICK) - climbs).clamp_length_max(STEEPEST_WAY * fast);
        state.drift += (drift - state.drift) * self.part(TAKES_UP);
        state.floor.follow(state.goal[0], state.drift, &pull);
        state.slope.follow(state.goal[1], DVec3::ZERO, &pull);
        state.sway.follow(state.goal[2], DVec3::ZERO, &pull);
        self.be_pulled(path, &pull, state);
    }

    /// The part of the way to what it follows that something so much quicker than the body goes in a tick.
    fn part(&self, quicker: f64) -> f64 {
        let ticks = TICK * self.stiffness * quicker;
        ticks / (1.0 + ticks)
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
}
