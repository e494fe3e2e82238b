//! One sub-step: where every end would fly to, then what holds it, all constraints at once.
//!
//! Prediction and velocity are those of the second-order backward differences (BDF2), `x̂ = (4x - x₋)/3 + h̃ v̂` with
//! `h̃ = 2h/3`, so that springs keep their period and decay whatever the sub-step; implicit Euler (`h̃ = h`) after a start,
//! contact or jump. The air's grip is implicit, and so makes an end heavier to move. Constraints are XPBD's
//! ([`net`](super::net)).

use glam::{DQuat, DVec3};

use super::hold::span;
use super::net::{self, Attachment};
use super::plan::{BoneEnd, SpringPlan, TurningJoint};
use super::settings::Springs;
use super::state::{Particle, SpringState, Tied};
use crate::limit::Range;
use crate::math::arc;
use crate::skeleton::Skeleton;

impl Springs {
    /// Moves the bones on by one sub-step, with the surroundings as they are `now`; finds what of it can be seen if it
    /// `shows`.
    pub(super) fn substep(
        &self,
        skeleton: &Skeleton,
        state: &mut SpringState,
        force: &mut dyn FnMut(&Particle) -> DVec3,
        shows: bool,
    ) {
        state.ride();
        let mut settled = self.advance(skeleton, state, force);
        if state.rewind() {
            settled = self.advance(skeleton, state, force);
        }
        if shows || !settled {
            state.hang(skeleton);
        }
        if !settled {
            state.settle_down();
        }
        self.note_depths(skeleton, state);
        state.finish(self.step);
        if !settled {
            state.calm(self.step);
        }
    }

    /// Flies, and rounds of constraints; whether they were enough.
    fn advance(&self, skeleton: &Skeleton, state: &mut SpringState, force: &mut dyn FnMut(&Particle) -> DVec3) -> bool {
        self.predict(state, force);
        state.orient();
        for _ in 0..self.iterations.max(1) {
            self.assemble(skeleton, state);
            if !state.net.solve() {
                break;
            }
            let released = self.release(state);
            state.apply();
            if !released && self.is_settled(state) {
                return true;
            }
        }
        false
    }

    /// Lets every end fly as if nothing held it.
    fn predict(&self, state: &mut SpringState, force: &mut dyn FnMut(&Particle) -> DVec3) {
        let h = self.step;
        state.tied.iter_mut().for_each(|tied| *tied = Tied { stop: tied.stop, ..Tied::default() });
        for ((place, part), end) in state.plan.parts.iter().enumerate().zip(&mut state.ends) {
            let bone = &self.bones[part.bone];
            (end.pushed, end.hit) = (DVec3::ZERO, false);
            end.springs = part.stretch > 0.0 || part.lengths != Range::FREE;
            let particle = Particle { bone: part.bone, position: end.place, velocity: end.velocity, mass: part.mass };
            let pull = if part.end.is_some() { force(&particle) } else { DVec3::ZERO };
            let pull = if pull.is_finite() { pull / part.mass } else { DVec3::ZERO };
            let rate = self.gravity * bone.gravity + bone.pull + pull + self.wind * bone.drag;
            let (from, speed) = if end.fresh {
                (end.place, end.velocity)
            } else {
                ((end.place * 4.0 - end.place_before) / 3.0, (end.velocity * 4.0 - end.velocity_before) / 3.0)
            };
            let time = span(h, end.fresh);
            let grip = 1.0 + time * bone.drag;
            end.mass = part.mass * grip;
            end.free = from + (speed + rate * time) * (time / grip);
            (end.place_older, end.place_before) = (end.place_before, end.place);
            // The search begins where the end goes without a push, which is where it stays at rest.
            end.place = if part.end.is_some() { from + speed * time } else { state.now.held[place] };
        }
    }

    /// Puts the round's constraints together.
    fn assemble(&self, skeleton: &Skeleton, state: &mut SpringState) {
        state.net.clear();
        for place in 0..state.plan.frames.len() {
            self.bend(state, place);
            self.limit(skeleton, state, place);
            for part in state.plan.frames[place].parts.clone() {
                self.attach(state, part);
                self.collide(state, part);
            }
        }
        for place in 0..self.links.len() {
            self.link(state, place);
        }
    }
}

impl SpringState {
    /// Rotation of what a frame hangs on.
    pub(super) fn above(&self, frame: &TurningJoint) -> DQuat {
        frame.above.map_or(self.now.anchors[frame.anchor].turn, |hang| self.turns[hang.frame].rotation)
    }

    /// A bone as it lies now, its direction, and how far its end is off where its frame and length at rest put it.
    pub(super) fn attachment(&self, place: usize) -> (Attachment, DVec3, DVec3) {
        let part = &self.plan.parts[place];
        let frame = &self.plan.frames[part.frame];
        let (end, turn) = (|part: usize| self.ends[part].place, |frame: usize| self.turns[frame].rotation);
        let start = self.plan.start(part.frame, &self.now.anchors, end, turn);
        let arm = self.turns[part.frame].rotation * part.arm;
        let direction = arc::unit(arm).unwrap_or(DVec3::ZERO);
        let off = self.ends[place].place - start - arm;
        // What turns a longer bone has the longer lever.
        let longer = if self.ends[place].springs { direction * direction.dot(off) } else { DVec3::ZERO };
        let start = frame.above.and_then(|hang| self.plan.parts[hang.part?].end);
        (Attachment { end: part.end, start, turn: Some(frame.turn), arm: arm + longer }, direction, off)
    }

    /// Moves what the round has found.
    fn apply(&mut self) {
        for place in 0..self.ends.len() {
            let (one, direction, _) = self.attachment(place);
            let moved = self.net.step_of(&one);
            let end = &mut self.ends[place];
            end.pushed = end.push - end.stiffness * moved;
            end.tension = (-direction.dot(end.pushed)).max(0.0);
        }
        for (tied, parts) in self.tied.iter_mut().zip(&self.plan.links) {
            let [a, b] = parts.map(|part| self.net.step(self.plan.parts[part].end));
            tied.push -= tied.hold * tied.direction.dot(a - b);
        }
        for (end, part) in self.ends.iter_mut().zip(&self.plan.parts) {
            end.place += self.net.step(part.end);
        }
        for (turn, frame) in self.turns.iter_mut().zip(&self.plan.frames) {
            turn.rotation = net::turned(turn.rotation, self.net.step(Some(frame.turn)));
        }
    }

    /// Takes the sub-step back where a blow fell, which second-order steps would answer with a bounce: to be done again to
    /// first order. All that hangs together counts time alike, so that what one bone loses another gains. Whether any.
    fn rewind(&mut self) -> bool {
        let group = |plan: &SpringPlan, part: &BoneEnd| plan.groups[plan.frames[part.frame].anchor];
        self.hits.fill(false);
        let mut any = false;
        for (end, part) in self.ends.iter().zip(&self.plan.parts) {
            self.hits[group(&self.plan, part)] |= end.hit;
            any |= end.hit && !end.fresh;
        }
        if any {
            for (end, part) in self.ends.iter_mut().zip(&self.plan.parts) {
                end.fresh |= self.hits[group(&self.plan, part)];
                (end.place, end.place_before) = (end.place_before, end.place_older);
            }
        }
        any
    }

    /// Where constraints were at odds: lets no end leave faster than the quickest one came, or its anchor moves.
    fn calm(&mut self, h: f64) {
        let came = self.ends.iter().map(|end| arc::length(end.free - end.place_before) / h).fold(0.0, f64::max);
        for end in &mut self.ends {
            let speed = arc::length(end.velocity);
            if speed > came {
                end.velocity *= came / speed;
            }
            end.fresh = true;
        }
    }

    /// Velocities, and what the next sub-step must know.
    fn finish(&mut self, h: f64) {
        for place in 0..self.turns.len() {
            let frame = &self.plan.frames[place];
            let above = self.above(frame);
            let bend = net::bend_between(above * frame.turned, self.turns[place].rotation);
            let turn = &mut self.turns[place];
            (turn.bend_before, turn.bend) = (turn.bend, above.conjugate() * bend);
        }
        for place in 0..self.ends.len() {
            let (_, direction, off) = self.attachment(place);
            let part = &self.plan.parts[place];
            let anchor = &self.now.anchors[self.plan.frames[part.frame].anchor];
            let end = &mut self.ends[place];
            end.velocity_before = end.velocity;
            end.velocity = if end.fresh {
                (end.place - end.place_before) / h
            } else {
                (end.place * 3.0 - end.place_before * 4.0 + end.place_older) / (2.0 * h)
            };
            (end.stretch_before, end.stretch) = (end.stretch, direction.dot(off));
            (end.shown_before, end.shown) = (end.shown, anchor.local(end.hung));
            end.fresh = self.hits[self.plan.groups[self.plan.frames[part.frame].anchor]];
        }
    }
}
