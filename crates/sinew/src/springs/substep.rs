//! One sub-step: where every end would fly to, then what holds it, all constraints at once.
//!
//! Prediction and velocity are those of the second-order backward differences (BDF2), `x̂ = (4x - x₋)/3 + h̃ v̂` with
//! `h̃ = 2h/3`, so that springs keep their period and decay whatever the sub-step; implicit Euler (`h̃ = h`) after a start,
//! contact or jump. The air's grip is implicit, and so makes an end heavier to move. Constraints are XPBD's
//! ([`net`](super::net)).

use glam::{DQuat, DVec3};

use super::bone::Bone;
use super::collider::Shape;
use super::net::{self, Attachment, RIGID, Spring};
use super::plan::Frame;
use super::settings::Springs;
use super::state::{Particle, SpringState, Tied};
use crate::limit::Range;
use crate::math::{arc, ops};
use crate::skeleton::{Kind, Skeleton};
use crate::solve::fabrik::fit::{self, Pair};

/// A frame's own reluctance to turn, as a share of its bones': what settles the twist of loose ones.
const INERTIA: f64 = 1e-4;
/// Angle (radians) by which a limit must stop a bone in a sub-step to count as a blow.
const BLOW: f64 = 1e-3;
/// Share of a bone's length by which its end may lie off its line when a sub-step ends.
const SETTLED: f64 = 1e-5;

impl Springs {
    /// Moves the bones on by one sub-step, with the surroundings as they are `now`.
    pub(super) fn substep(&self, skeleton: &Skeleton, state: &mut SpringState, force: &mut dyn FnMut(&Particle) -> DVec3) {
        state.ride();
        self.predict(state, force);
        state.orient();
        for _ in 0..self.iterations.max(1) {
            self.assemble(skeleton, state);
            if !state.net.solve() {
                break;
            }
            state.apply();
            if self.is_settled(skeleton, state) {
                break;
            }
        }
        state.finish(self.step);
    }

    /// Lets every end fly as if nothing held it.
    fn predict(&self, state: &mut SpringState, force: &mut dyn FnMut(&Particle) -> DVec3) {
        let h = self.step;
        state.tied.fill(Tied::default());
        for ((place, part), end) in state.plan.parts.iter().enumerate().zip(&mut state.ends) {
            let bone = &self.bones[part.bone];
            (end.pushed, end.hit) = (DVec3::ZERO, false);
            let particle =
                Particle { bone: part.bone, position: end.place, velocity: end.velocity, mass: part.mass };
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
            end.velocity_before = end.velocity;
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

    /// The springs by which a frame's bones return to their shape.
    fn bend(&self, state: &mut SpringState, place: usize) {
        let frame = &state.plan.frames[place];
        let (mut stiff, mut damping, mut inertia, mut fresh) = (0.0, 0.0, 0.0, false);
        for part in frame.parts.clone() {
            let (bone, part, end) = (&self.bones[state.plan.parts[part].bone], &state.plan.parts[part], &state.ends[part]);
            stiff += 1.0 / bone.bend;
            damping += bone.bend_damping;
            inertia += end.mass * (part.length * part.length).max(1e-12 * state.plan.extent * state.plan.extent);
            fresh |= end.fresh;
        }
        let inertia = inertia.max(f64::MIN_POSITIVE);
        state.net.hold(frame.turn, net::stiffness(INERTIA * inertia), DVec3::ZERO);
        let spring = Spring::new(1.0 / stiff, damping, span(self.step, fresh));
        let most = RIGID * inertia;
        let hold = spring.stiffness(most);
        if hold <= 0.0 {
            return;
        }
        let above = state.above(frame);
        let turn = &state.turns[place];
        let now = net::bend_between(above * frame.turned, turn.rotation);
        let before = above * history(turn.bend, turn.bend_before, fresh);
        let tied = frame.above.map(|(frame, _)| state.plan.frames[frame].turn);
        // At half a turn the spring no longer knows which way back is.
        let grip = 1.0 - 0.25 * now.dot(now);
        let push = spring.wanted(now, before, DVec3::ZERO) * hold * ops::sqrt_clamped(grip);
        state.net.tie(frame.turn, tied, net::stiffness(hold), push);
    }

    /// By how much a frame is turned beyond its limits; `None` where it is not.
    fn off_limit(&self, skeleton: &Skeleton, state: &SpringState, place: usize) -> Option<DVec3> {
        let frame = &state.plan.frames[place];
        let swings = |part: usize| self.bones[state.plan.parts[part].bone].swing < core::f64::consts::PI;
        if skeleton.kind(frame.joint) == Kind::BALL && !frame.parts.clone().any(swings) {
            return None;
        }
        let (above, rotation) = (state.above(frame) * frame.led, state.turns[place].rotation);
        let anchor = &state.now.anchors[frame.anchor];
        let local = self.allowed(skeleton, &state.plan, frame, anchor.mirror_turn(above.conjugate() * rotation));
        let off = net::bend_between(above * anchor.mirror_turn(local), rotation);
        (off.dot(off) > 1e-24).then_some(off)
    }

    /// Stops a frame at its limits.
    fn limit(&self, skeleton: &Skeleton, state: &mut SpringState, place: usize) {
        let Some(off) = self.off_limit(skeleton, state, place) else { return };
        let frame = &state.plan.frames[place];
        let squared = off.dot(off);
        let mut hold = 0.0;
        for part in frame.parts.clone() {
            let length = state.plan.parts[part].length;
            hold += RIGID * state.ends[part].mass * length * length;
            state.ends[part].hit |= squared > BLOW * BLOW;
        }
        let tied = frame.above.map(|(frame, _)| state.plan.frames[frame].turn);
        state.net.tie(frame.turn, tied, net::stiffness(hold), -off * hold);
    }

    /// Whether every end is where its bone, limits and colliders allow.
    fn is_settled(&self, skeleton: &Skeleton, state: &SpringState) -> bool {
        let SpringState { plan, ends, now, .. } = state;
        let placed = (0..ends.len()).all(|place| {
            let (one, start) = state.attachment(place);
            let (part, end) = (&plan.parts[place], &ends[place]);
            let (bone, most) = (&self.bones[part.bone], SETTLED * part.length);
            let off = end.place - start - one.arm;
            let direction = arc::unit(one.arm).unwrap_or(DVec3::ZERO);
            let longer = direction.dot(off);
            let allowed = if end.springs { offsets(bone.lengths, part.length).clamp(longer) } else { 0.0 };
            let off = off - direction * allowed;
            let stopped = |shape: &Shape| shape.depth(end.place, bone.radius, direction).is_some_and(|hit| hit.0 > most);
            off.dot(off) <= most * most && !(part.end.is_some() && self.stops(bone, &now.colliders).any(stopped))
        });
        placed && (0..plan.frames.len()).all(|place| {
            let off = self.off_limit(skeleton, state, place).unwrap_or(DVec3::ZERO);
            off.dot(off) <= SETTLED * SETTLED
        })
    }

    /// The colliders that stop a bone.
    fn stops<'a>(&'a self, bone: &Bone, shapes: &'a [Shape]) -> impl Iterator<Item = &'a Shape> {
        let layers = bone.layers;
        let pairs = self.colliders.iter().zip(shapes);
        pairs.filter(move |(collider, _)| collider.layers & layers != 0).map(|(_, shape)| shape)
    }

    /// Holds a bone's end to its frame: rigidly across, along as it stretches.
    fn attach(&self, state: &mut SpringState, place: usize) {
        let (one, start) = state.attachment(place);
        let (part, end) = (&state.plan.parts[place], &mut state.ends[place]);
        let bone = &self.bones[part.bone];
        let off = end.place - start - one.arm;
        let direction = arc::unit(one.arm).unwrap_or(DVec3::ZERO);
        let most = RIGID * end.mass;
        let length = Length {
            direction,
            rest: part.length,
            now: direction.dot(off),
            before: history(end.stretch, end.stretch_before, end.fresh),
            pushed: direction.dot(end.pushed),
            lengths: bone.lengths,
            spring: Spring::new(bone.stretch, bone.stretch_damping, span(self.step, end.fresh)),
            most,
        };
        let (along, push) = length.hold();
        let across = (end.pushed - off * most) - direction * direction.dot(end.pushed - off * most);
        end.springs = along < most || bone.lengths != Range::FREE;
        end.stiffness = if along < most { net::stiffness_along(direction, along, most) } else { net::stiffness(most) };
        end.push = across + direction * push;
        let (stiffness, push) = (end.stiffness, end.push);
        if let Some(variable) = part.end {
            state.net.hold(variable, net::stiffness(end.mass), (end.free - end.place) * end.mass);
        }
        state.net.attach(&one, stiffness, push);
    }

    /// Pushes a bone's end out of the colliders it is in.
    fn collide(&self, state: &mut SpringState, place: usize) {
        let (one, start) = state.attachment(place);
        let SpringState { plan, ends, now, net, .. } = state;
        let (part, end) = (&plan.parts[place], &mut ends[place]);
        let Some(variable) = part.end else { return };
        let bone = &self.bones[part.bone];
        let out = arc::unit(end.place - start).or(arc::unit(one.arm)).unwrap_or(DVec3::X);
        for shape in self.stops(bone, &now.colliders) {
            if let Some((depth, out)) = shape.depth(end.place, bone.radius, out) {
                let most = RIGID * end.mass;
                net.hold(variable, net::stiffness_along(out, most, 0.0), out * (most * depth));
                end.hit = true;
            }
        }
    }

    /// Keeps two ends at their distance.
    fn link(&self, state: &mut SpringState, place: usize) {
        let SpringState { plan, ends, net, tied, .. } = state;
        let (link, parts, tied) = (&self.links[place], plan.links[place], &mut tied[place]);
        let [a, b] = parts.map(|part| ends[part]);
        let Some(direction) = arc::unit(a.place - b.place) else { return };
        let distance = |from: DVec3, to: DVec3| arc::length(from - to) - plan.distances[place];
        let fresh = a.fresh || b.fresh;
        let last = distance(a.place_before, b.place_before);
        let length = Length {
            direction,
            rest: plan.distances[place],
            now: distance(a.place, b.place),
            before: history(last, distance(a.place_older, b.place_older), fresh),
            pushed: tied.push,
            lengths: link.lengths,
            spring: Spring::new(link.compliance, link.damping, span(self.step, fresh)),
            most: RIGID * a.mass.min(b.mass),
        };
        let (hold, push) = length.hold();
        *tied = Tied { push, hold, direction };
        let stiffness = net::stiffness_along(direction, hold, 0.0);
        match parts.map(|part| plan.parts[part].end) {
            [Some(a), b] => net.tie(a, b, stiffness, direction * push),
            [None, Some(b)] => net.hold(b, stiffness, direction * -push),
            [None, None] => {}
        }
    }
}

/// A length in one round.
struct Length {
    /// Along which it grows.
    direction: DVec3,
    /// Its length in the shape.
    rest: f64,
    /// How much longer it is, and was when the sub-step began.
    now: f64,
    before: f64,
    /// What it pushes so far.
    pushed: f64,
    /// Lengths allowed, as shares of the rest.
    lengths: Range,
    spring: Spring,
    most: f64,
}

impl Length {
    /// Stiffness and push: a spring, rigid at the ends of its range.
    fn hold(&self) -> (f64, f64) {
        let range = offsets(self.lengths, self.rest);
        let stiffness = self.spring.stiffness(self.most);
        let target = range.clamp(if stiffness < self.most { self.now } else { 0.0 });
        if stiffness >= self.most || target != self.now {
            return (self.most, self.pushed - (self.now - target) * self.most);
        }
        let along = |length: f64| self.direction * length;
        let wanted = self.spring.wanted(along(self.now), along(self.before), along(self.pushed));
        (stiffness, self.pushed + self.direction.dot(wanted) * stiffness)
    }
}

/// By how much a length may differ from its rest.
fn offsets(lengths: Range, rest: f64) -> Range {
    Range::new((lengths.min - 1.0) * rest, (lengths.max - 1.0) * rest)
}

impl SpringState {
    /// Turns every frame to where its bones fly.
    fn orient(&mut self) {
        let Self { plan, ends, turns, now, pairs, .. } = self;
        for (place, frame) in plan.frames.iter().enumerate() {
            let start = frame.above.map_or(now.anchors[frame.anchor].place, |(_, part)| ends[part].place);
            pairs.clear();
            pairs.extend(frame.parts.clone().map(|part| Pair {
                arm: plan.parts[part].arm,
                to: ends[part].place - start,
                weight: ends[part].mass,
            }));
            turns[place].rotation = fit::fitted(turns[place].rotation, pairs);
        }
    }

    /// Rotation of what a frame hangs on.
    pub(super) fn above(&self, frame: &Frame) -> DQuat {
        frame.above.map_or(self.now.anchors[frame.anchor].turn, |(above, _)| self.turns[above].rotation)
    }

    /// A bone as it lies now, and where it starts.
    fn attachment(&self, place: usize) -> (Attachment, DVec3) {
        let part = &self.plan.parts[place];
        let frame = &self.plan.frames[part.frame];
        let above = frame.above.map(|(_, part)| part);
        let start = above.map_or(self.now.anchors[frame.anchor].place, |part| self.ends[part].place);
        let one = Attachment {
            end: part.end,
            start: above.and_then(|part| self.plan.parts[part].end),
            turn: Some(frame.turn),
            arm: self.turns[part.frame].rotation * part.arm,
        };
        (one, start)
    }

    /// Moves what the round has found.
    fn apply(&mut self) {
        for place in 0..self.ends.len() {
            let (one, _) = self.attachment(place);
            let moved = self.net.step_of(&one);
            let end = &mut self.ends[place];
            end.pushed = end.push - end.stiffness * moved;
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
            let (one, start) = self.attachment(place);
            let anchor = &self.now.anchors[self.plan.frames[self.plan.parts[place].frame].anchor];
            let end = &mut self.ends[place];
            end.velocity = if end.fresh {
                (end.place - end.place_before) / h
            } else {
                (end.place * 3.0 - end.place_before * 4.0 + end.place_older) / (2.0 * h)
            };
            let longer = arc::unit(one.arm).map_or(0.0, |direction| direction.dot(end.place - start - one.arm));
            (end.stretch_before, end.stretch) = (end.stretch, longer);
            (end.shown_before, end.shown) = (end.shown, anchor.local(end.place));
            end.fresh = end.hit;
        }
    }
}

/// What counts as the time of a sub-step of `h` seconds.
fn span(h: f64, fresh: bool) -> f64 {
    if fresh { h } else { h * (2.0 / 3.0) }
}

/// Where a value counts as having begun, from what it was one sub-step ago and two.
fn history<T>(last: T, older: T, fresh: bool) -> T
where
    T: Copy + core::ops::Mul<f64, Output = T> + core::ops::Sub<Output = T>,
{
    if fresh { last } else { last * (4.0 / 3.0) - older * (1.0 / 3.0) }
}
