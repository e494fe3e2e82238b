//! What holds bones together in a round of a sub-step: bends, bones themselves, and links.

use glam::DVec3;

use super::net::{self, RIGID, Spring};
use super::plan::BoneEnd;
use super::settings::Springs;
use super::state::{SpringState, Tied};
use crate::limit::Range;
use crate::math::{arc, ops};

/// A frame's own reluctance to turn, as a share of its bones': what settles the twist of loose ones.
const INERTIA: f64 = 1e-4;
/// The same of what hangs on its bones, which counts where these have next to none.
const LENT: f64 = 1e-2;
/// Shares of its length to which a bone may be pressed and drawn, lest it turn inside out or fly away.
const SHORTEST: f64 = 0.05;
const LONGEST: f64 = 20.0;

impl Springs {
    /// The springs by which a frame's bones return to their shape.
    pub(super) fn bend(&self, state: &mut SpringState, place: usize) {
        let frame = &state.plan.frames[place];
        let (mut stiff, mut damping, mut inertia, mut fresh) = (0.0, 0.0, 0.0, false);
        for part in frame.parts.clone() {
            let (bone, part, end) =
                (&self.bones[state.plan.parts[part].bone], &state.plan.parts[part], &state.ends[part]);
            stiff += 1.0 / bone.bend;
            damping += bone.bend_damping;
            inertia += end.mass * (part.length * part.length).max(1e-12 * state.plan.extent * state.plan.extent);
            fresh |= end.fresh;
        }
        // What hangs on a bone of no length still gives its joint something to turn.
        let inertia = inertia.max(LENT * frame.inertia).max(f64::MIN_POSITIVE);
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
        let tied = frame.above.map(|hang| state.plan.frames[hang.frame].turn);
        // At half a turn the spring no longer knows which way back is.
        let grip = 1.0 - 0.25 * now.dot(now);
        let push = spring.wanted(now, before, DVec3::ZERO) * hold * ops::sqrt_clamped(grip);
        state.net.tie(frame.turn, tied, net::stiffness(hold), push);
    }

    /// Holds a bone's end to its frame: rigidly across, along as it stretches.
    pub(super) fn attach(&self, state: &mut SpringState, place: usize) {
        let (one, direction, off) = state.attachment(place);
        let (part, end) = (&state.plan.parts[place], &mut state.ends[place]);
        let bone = &self.bones[part.bone];
        let most = RIGID * end.mass;
        let length = Length {
            direction,
            now: direction.dot(off),
            before: history(end.stretch, end.stretch_before, end.fresh),
            pushed: direction.dot(end.pushed),
            range: part.offsets(),
            spring: Spring::new(part.stretch, bone.stretch_damping, span(self.step, end.fresh)),
            most,
        };
        let (along, push) = length.hold(&mut end.stop);
        let across = (end.pushed - off * most) - direction * direction.dot(end.pushed - off * most);
        end.stiffness = if along < most { net::stiffness_along(direction, along, most) } else { net::stiffness(most) };
        end.push = across + direction * push;
        let (stiffness, push) = (end.stiffness, end.push);
        if let Some(variable) = part.end {
            state.net.hold(variable, net::stiffness(end.mass), (end.free - end.place) * end.mass);
        }
        // A bone under tension resists being turned, as a string does: without this a light end between heavy ones flutters.
        let taut = net::stiffness_along(direction, 0.0, end.tension * arc::length(one.arm));
        state.net.hold(state.plan.frames[part.frame].turn, taut, DVec3::ZERO);
        state.net.attach(&one, stiffness, push);
    }

    /// Keeps two ends at their distance.
    pub(super) fn link(&self, state: &mut SpringState, place: usize) {
        let SpringState { plan, ends, net, tied, .. } = state;
        let (link, parts, tied) = (&self.links[place], plan.links[place], &mut tied[place]);
        let [a, b] = parts.map(|part| ends[part]);
        let Some(direction) = arc::unit(a.place - b.place) else { return };
        let distance = |from: DVec3, to: DVec3| arc::length(from - to) - plan.distances[place];
        let fresh = a.fresh || b.fresh;
        let last = distance(a.place_before, b.place_before);
        let length = Length {
            direction,
            now: distance(a.place, b.place),
            before: history(last, distance(a.place_older, b.place_older), fresh),
            pushed: tied.push,
            range: link_offsets(link.lengths, plan.distances[place]),
            spring: Spring::new(link.compliance, link.damping, span(self.step, fresh)),
            most: RIGID * a.mass.min(b.mass),
        };
        let mut stop = tied.stop;
        let (hold, push) = length.hold(&mut stop);
        *tied = Tied { push, hold, direction, stop };
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
    /// How much longer it is, and was when the sub-step began.
    now: f64,
    before: f64,
    /// What it pushes so far.
    pushed: f64,
    /// By how much it may be longer.
    range: Range,
    spring: Spring,
    most: f64,
}

impl Length {
    /// Stiffness and push: a spring, rigid at the end of its range where it is stopped (1 at the upper, -1 at the lower).
    fn hold(&self, stop: &mut f64) -> (f64, f64) {
        let range = self.range;
        let stiffness = self.spring.stiffness(self.most);
        if stiffness >= self.most {
            return (self.most, self.pushed - (self.now - range.clamp(0.0)) * self.most);
        }
        if !range.contains(self.now) {
            *stop = if self.now > range.max { 1.0 } else { -1.0 };
        }
        if *stop != 0.0 {
            let target = if *stop > 0.0 { range.max } else { range.min };
            return (self.most, self.pushed - (self.now - target) * self.most);
        }
        let along = |length: f64| self.direction * length;
        let wanted = self.spring.wanted(along(self.now), along(self.before), along(self.pushed));
        (stiffness, self.pushed + self.direction.dot(wanted) * stiffness)
    }
}

impl BoneEnd {
    /// By how much its length may differ from its rest.
    pub(super) fn offsets(&self) -> Range {
        let least = self.lengths.min.clamp(SHORTEST, LONGEST);
        Range::new((least - 1.0) * self.length, (self.lengths.max.clamp(least, LONGEST) - 1.0) * self.length)
    }

    /// How much longer it is than at rest that would be longer by so much (metres).
    pub(super) fn longer(&self, longer: f64) -> f64 {
        self.offsets().clamp(if self.stretch > 0.0 && !longer.is_nan() { longer } else { 0.0 })
    }

    /// Whether its length differs from its rest, or may.
    pub(super) fn lengthens(&self) -> bool {
        self.stretch > 0.0 || !self.lengths.contains(1.0)
    }
}

/// By how much a link's length may differ from its rest.
fn link_offsets(lengths: Range, rest: f64) -> Range {
    let least = lengths.min.max(SHORTEST);
    let most = lengths.max.max(least) - 1.0;
    Range::new((least - 1.0) * rest, if most < f64::INFINITY { most * rest } else { most })
}

/// What counts as the time of a sub-step of `h` seconds.
pub(super) fn span(h: f64, fresh: bool) -> f64 {
    if fresh { h } else { h * (2.0 / 3.0) }
}

/// Where a value counts as having begun, from what it was one sub-step ago and two.
fn history<T>(last: T, older: T, fresh: bool) -> T
where
    T: Copy + core::ops::Mul<f64, Output = T> + core::ops::Sub<Output = T>,
{
    if fresh { last } else { last * (4.0 / 3.0) - older * (1.0 / 3.0) }
}
