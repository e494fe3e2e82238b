//! The swing of a foot to a landing that is known: beside edges, over what lies between.

use glam::DVec3;
use sinew::math::{arc, ops};

use super::super::hop::{Hop, MOMENTS};
use super::super::{FeetSettings, FootHint, Landing, SWING_MOMENTS};
use super::locked::Lock;
use super::{AHEAD, EVEN, FootState, Frame, LOADS, LOWER, bears_about};
use crate::ground::Ground;
use crate::least_bent::Beam;
use crate::least_jerk::smooth;
use crate::spring::{Pull, Spring};

/// What uneven ground below a foot costs, in lengths of the foot that it may go
/// aside: toes in a riser, a foot over an edge, and besides that the end that it lands on. So many steps to each side are tried.
const BLOCKED: f64 = 10.0;
const OVERHANGS: f64 = 0.5;
const LANDS_OVER: f64 = 0.5;
/// What a riser costs that is nearer ahead of the toes or behind the heel than these shares of the leg: toes lift before they come to it,
/// heels come over it before they come down.
const CROWDED: f64 = 0.4;
const ROOM: f64 = 0.08;
const BEHIND: f64 = 0.12;
const STEPS: u32 = 8;
/// How much higher than a step ground may be where a foot lands, as a share of its way there.
const CLIMB: f64 = 0.5;
/// Share of the leg by which a foot clears what lies on its way.
const CLEAR: f64 = 0.02;
/// How quickly a foot takes up the speed at which the clip's comes down (1/s): within a twelfth of a second.
const ARRIVES: f64 = 32.0;
/// Seconds before a foot lifts in which it rises for what is in its way just then.
const EARLY: f64 = 0.1;

impl FootState {
    /// Swings for `dt` to a landing that is known.
    pub(super) fn swing<G: Ground + ?Sized>(
        &mut self,
        landing: &Landing,
        dt: f64,
        frame: &Frame<'_, G>,
        beam: &mut Beam,
    ) {
        let FeetSettings { up, floor, .. } = *frame.settings;
        let middle = (landing.soles[0] + landing.soles[1]) * 0.5;
        let yaw = arc::axis_angle(up, landing.turn);
        let starts = self.hop.length == 0.0;
        // The ground is looked for above the ground that the foot left, however high that is over the clip's floor, and higher where the way
        // is long; then above what was found.
        let far = (middle + landing.shift - self.soles[self.pivot] - self.offset.value).reject_from_normalized(up);
        let climb = if starts { CLIMB * far.length() } else { 0.0 };
        let shift = landing.shift + up * (self.base.value.dot(up) - floor + climb);
        let level = |nudge: DVec3| landing.soles.map(|sole| middle + yaw * (sole - middle) + shift + nudge);
        let lower = usize::from(landing.soles[1].dot(up) < landing.soles[0].dot(up));
        if starts && landing.height <= 0.0 {
            self.nudge = self.beside_edges(level(DVec3::ZERO), (lower, overshoots(landing, frame)), frame);
        }
        let flat = level(self.nudge);
        let Some(support) = frame.support(flat) else { return self.follow(DVec3::ZERO, frame) };
        let hangs = |end: usize| {
            let under = support.under(flat[end], up);
            frame.below(under).is_none_or(|at| (under - at.position).dot(up) > EVEN * frame.length)
        };
        let lower = if hangs(lower) && !hangs(1 - lower) { 1 - lower } else { lower };
        self.lands = lower;
        let turn = support.turn(up) * yaw;
        let bears = support.under(flat[lower], up) + up * landing.height;
        if starts {
            self.base = Spring::at(up * support.under(flat[lower], up).dot(up));
        }
        // Where the present pivot is then, by the motion that brings the lower point to the ground.
        let place = bears + turn * (landing.soles[self.pivot] - landing.soles[lower]);
        let turn = arc::rotation_vector(turn);
        let goal = place - landing.soles[self.pivot];
        let left = landing.time + dt;
        if starts {
            self.offset.shift(-arrival(landing.velocity, left));
            let depths = self.depths_ahead(landing, (goal, turn), dt, frame);
            let stands = landing.height <= 0.0;
            let hop = self.hop.over(frame.stands + left, CLEAR * frame.length, &depths, stands, beam);
            self.hop = if frame.hint.swing.is_some() { hop } else { hop.without_room() };
        }
        self.hop.gone += dt;
        (self.aim, self.goal) = (Some(*landing), [goal, turn]);
        self.go_to(landing.velocity, (goal, turn), left, dt);
    }

    /// Has a foot that is about to lift rise already, where it would have to lift at once over what is just ahead.
    pub(super) fn rise_ahead<G: Ground + ?Sized>(&mut self, lock: &Lock, frame: &Frame<'_, G>, beam: &mut Beam) {
        let FootHint { landing, leaving, swing, .. } = frame.hint;
        let (Some(landing), Some(leaving), Some(swing)) = (landing, leaving, swing) else { return };
        self.hop.gone += frame.dt;
        if self.hop.length > 0.0 || leaving.time > EARLY {
            return;
        }
        let [heel, ball, tip, _] = swing[0];
        let mut then = Self { touches: false, hop: Hop::default(), ..*self };
        let lower = usize::from(ball.dot(frame.settings.up) < heel.dot(frame.settings.up));
        if lower != self.pivot {
            then.switch(lower, self.soles, frame);
        }
        let lock = then.lock.unwrap_or(*lock);
        let stands = leaving.time.max(0.0);
        // It lifts as fast as its swing begins.
        let moment = (landing.time - stands) / (SWING_MOMENTS - 1) as f64;
        let before = [0, 1].map(|sole: usize| swing[0][sole] * 2.5 - swing[1][sole] * 2.0 + swing[2][sole] * 0.5);
        then.soles = before;
        then.stand(&lock, moment, frame);
        (then.soles, then.tip) = ([heel, ball], self.tip.map(|_| tip));
        let lifts = Frame { dt: moment, stands, hint: FootHint { lifted: 0.0, ..frame.hint }, ..*frame };
        then.lift_off(&lock, (before, self.facing), &lifts);
        then.swing(&Landing { time: landing.time - stands, ..landing }, 0.0, &lifts, beam);
        self.hop = then.hop;
    }

    /// Goes on for `dt` towards where its pivot is moved by so much and it is turned so, in `left` seconds.
    fn go_to(&mut self, velocity: DVec3, (goal, turn): (DVec3, DVec3), left: f64, dt: f64) {
        self.offset.lead(goal, left, dt);
        self.turn.lead(turn, left, dt);
        self.arrival = arrival(velocity, left - dt);
    }

    /// How deep the foot would be in the ground at moments evenly on its way, if it went straight through what is in it.
    fn depths_ahead<G: Ground + ?Sized>(
        &self,
        landing: &Landing,
        goal: (DVec3, DVec3),
        dt: f64,
        frame: &Frame<'_, G>,
    ) -> [f64; MOMENTS] {
        let left = landing.time + dt;
        let lifted = (frame.hint.lifted - dt).max(0.0);
        let [heel, ball] = landing.soles;
        let lands = [heel, ball, ball + self.tip.map_or(DVec3::ZERO, |tip| tip - self.soles[1])];
        let mut ahead = *self;
        std::array::from_fn(|moment| {
            let gone = (frame.stands + left) * moment as f64 / (MOMENTS - 1) as f64 - frame.stands;
            if gone < 0.0 {
                return 0.0;
            }
            let [heel, ball, tip] = if let Some(swing) = &frame.hint.swing {
                let [heel, ball, tip, _] = along(swing, (lifted + gone) / (lifted + left).max(f64::MIN_POSITIVE));
                [heel, ball, tip]
            } else {
                let share = smooth(gone / left.max(f64::MIN_POSITIVE));
                let now = [self.soles[0], self.soles[1], self.tip.unwrap_or(self.soles[1])];
                [0, 1, 2].map(|point| now[point].lerp(lands[point], share))
            };
            (ahead.soles, ahead.tip) = ([heel, ball], self.tip.map(|_| tip));
            (ahead.offset, ahead.turn, ahead.rest) = (self.offset, self.turn, self.rest);
            ahead.go_to(landing.velocity, goal, left, gone);
            let pull = Pull::halving(frame.settings.fade, gone);
            ahead.rest.iter_mut().for_each(|rest| rest.follow(DVec3::ZERO, DVec3::ZERO, &pull));
            let lands = if landing.height <= 0.0 { left - gone } else { f64::INFINITY };
            ahead.load = bears_about(lifted + gone, lands);
            ahead.depth(frame)
        })
    }

    /// The shortest way along a foot, that lands on its `lower` end and comes to lie flat, to where it lies on even ground: not with its
    /// toes in a riser, also as it comes back to there from so far ahead, and if there is such a place not over an edge. No farther than the foot is long; zero where nothing is better.
    fn beside_edges<G: Ground + ?Sized>(
        &self,
        lands: [DVec3; 2],
        (lower, overshoots): (usize, f64),
        frame: &Frame<'_, G>,
    ) -> DVec3 {
        let up = frame.settings.up;
        let Some(along) = arc::unit(arc::reject(lands[1] - lands[0], up)) else { return DVec3::ZERO };
        // As long as they are, however the foot is pitched now and as it lands.
        let sole = arc::length(self.soles[1] - self.soles[0]);
        let toes = self.tip.map_or(0.0, |tip| arc::length(tip - self.soles[1]));
        let ahead = 1.1 * toes + overshoots;
        let long = sole + toes;
        let pitched = (lands[1] - lands[0]).dot(up).abs() > LOWER * frame.length;
        let flat = [0.0, 1.0].map(|end| lands[lower] + along * (sole * (end - lower as f64)));
        let cost = |nudge: DVec3| {
            let soles = flat.map(|sole| sole + nudge);
            let support = frame.support(soles)?;
            let over =
                |point: DVec3| frame.below(point).map_or(0.0, |at| (at.position - support.under(point, up)).dot(up));
            let heights = [
                soles[0] - along * (0.1 * long),
                soles[0],
                soles[1],
                soles[1] + along * (ahead + CLEAR * frame.length),
            ]
            .map(over);
            let deep = heights.into_iter().fold(0.0, f64::max);
            let hangs = heights.into_iter().fold(0.0, |hangs: f64, over| hangs.max(-over));
            let even = EVEN * frame.length;
            let crowded = over(soles[1] + along * (ahead + ROOM * frame.length)) > even
                || over(soles[0] - along * (BEHIND * frame.length)) > even;
            let lands_over = pitched && heights[1 + lower] < -even;
            let cost = if deep > even { BLOCKED } else { 0.0 }
                + if crowded { CROWDED } else { 0.0 }
                + if hangs > even { OVERHANGS } else { 0.0 }
                + if lands_over { LANDS_OVER } else { 0.0 };
            Some(cost + nudge.length() / long)
        };
        let steps = (0..=STEPS)
            .flat_map(|step| [-1.0, 1.0].map(|sign| along * (sign * long * f64::from(step) / f64::from(STEPS))));
        let costs = steps.filter_map(|nudge| cost(nudge).map(|cost| (cost, nudge)));
        costs.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(DVec3::ZERO, |best| best.1)
    }
}

/// How far ahead of where it lands a foot that goes ahead is just before, in the clip.
fn overshoots<G: ?Sized>(landing: &Landing, frame: &Frame<'_, G>) -> f64 {
    let Some(swing) = &frame.hint.swing else { return 0.0 };
    let [heel, ball] = landing.soles;
    let Some(way) = arc::unit(arc::reject(ball - heel, frame.settings.up)) else { return 0.0 };
    let ahead = |share: f64| (along(swing, share)[1] - ball).dot(way);
    if ahead(0.0) > 0.0 {
        return 0.0;
    }
    let near = LOADS / (landing.time + frame.hint.lifted).max(LOADS);
    let last = (1..AHEAD).map(|step| ahead(1.0 - near * f64::from(step) / f64::from(AHEAD)));
    last.fold(0.0, f64::max)
}

/// From a way that stands still where it lands to one that comes down at the clip's speed, so many seconds before.
pub(super) fn arrival(velocity: DVec3, left: f64) -> DVec3 {
    let near = ARRIVES * left;
    velocity * (left * (1.0 + near) * ops::pow(std::f64::consts::E, -near))
}

/// Vectors at a share of the time in which they are told evenly: on a cubic through four about it (Catmull and Rom, 1974).
pub(in crate::feet) fn along(points: &[[DVec3; 4]; SWING_MOMENTS], share: f64) -> [DVec3; 4] {
    let last = points.len() - 1;
    let at = last as f64 * share.clamp(0.0, 1.0);
    #[allow(clippy::cast_sign_loss, reason = "shares count from 0")]
    let first = (at as usize).min(last - 1);
    let x = at - first as f64;
    [0, 1, 2, 3].map(|point| {
        let near = |moment: usize| points[moment.min(last)][point];
        let (from, to) = (near(first), near(first + 1));
        let [begin, end] = [to - near(first.saturating_sub(1)), near(first + 2) - from].map(|both| both * 0.5);
        let (d, sum) = (to - from, begin + end);
        from + (begin + (d * 3.0 - sum - begin + (sum - d * 2.0) * x) * x) * x
    })
}
