//! What stops bones in a round of a sub-step: joints' limits, ranges of length, and colliders. A collider or range once
//! met stays for the rounds that follow, until it would have to pull. What of a limit is left is cut off in the pose.

use core::f64::consts::PI;

use glam::DVec3;

use super::bone::Bone;
use super::collider::Shape;
use super::net::{self, RIGID};
use super::settings::Springs;
use super::state::SpringState;
use crate::math::arc;
use crate::skeleton::{Kind, Skeleton};

/// How firmly colliders and limits push, in masses of the end and inertias of what turns. Rigidly, a chain between two of
/// them that cannot make way at once would be flung; so it dips in for a sub-step.
const FIRM: f64 = 10.0;
/// Share of a depth at the end of a sub-step that the next one leaves.
const KEPT: f64 = 0.9;
/// Speed (rad/s) at which bones come back inside a limit at most: what is deep beyond it would else be flung back.
const RETURN: f64 = 1.0;
/// Angle (radians) by which a limit must stop a bone in a sub-step to count as a blow.
const BLOW: f64 = 1e-3;
/// Angle (radians) that is none but for rounding.
const NO_ANGLE: f64 = 1e-12;
/// Share of a bone's length by which its end may be off when a sub-step ends.
const SETTLED: f64 = 1e-5;
/// Share of the skeleton's size below which lengths count as so long, since none is right to a share of nothing.
const TINY: f64 = 1e-3;

impl Springs {
    /// By how much a frame is turned beyond its limits (twice the sine of half the angle, along its axis), and the axis of
    /// a hinge; `None` where the joint has no limit.
    fn off_limit(&self, skeleton: &Skeleton, state: &SpringState, place: usize) -> Option<(DVec3, Option<DVec3>)> {
        let frame = &state.plan.frames[place];
        let kind = skeleton.kind(frame.joint);
        let swings = |part: usize| self.bones[state.plan.parts[part].bone].swing < PI;
        if matches!(kind, Kind::BALL | Kind::Free) && !frame.parts.clone().any(swings) {
            return None;
        }
        let (above, rotation) = (state.above(frame) * frame.led, state.turns[place].rotation);
        let anchor = &state.now.anchors[frame.anchor];
        let local = self.allowed(skeleton, &state.plan, frame, anchor.mirror_turn(above.conjugate() * rotation));
        let axis = |axis| above * anchor.mirror(skeleton.zero(frame.joint).rotation * axis);
        let hinge = match kind {
            Kind::Hinge { axis: own, .. } if !frame.held => Some(axis(own)),
            _ => None,
        };
        Some((net::bend_between(above * anchor.mirror_turn(local), rotation), hinge))
    }

    /// Keeps a frame on its hinge, or where it is fixed, and inside its limits.
    pub(super) fn limit(&self, skeleton: &Skeleton, state: &mut SpringState, place: usize) {
        let Some((off, hinge)) = self.off_limit(skeleton, state, place) else { return };
        let SpringState { plan, ends, turns, net, .. } = state;
        let frame = &plan.frames[place];
        let tied = frame.above.map(|hang| plan.frames[hang.frame].turn);
        let lock = RIGID * frame.inertia;
        let (locked, beyond) = match hinge {
            Some(axis) => (Some(net::stiffness_along(axis, 0.0, lock)), axis * axis.dot(off)),
            None if frame.held => (Some(net::stiffness(lock)), DVec3::ZERO),
            None => (None, off),
        };
        if let Some(locked) = locked {
            net.tie(frame.turn, tied, locked, locked * (beyond - off));
        }
        let depth = arc::length(beyond);
        if depth > NO_ANGLE {
            let (hold, axis) = (FIRM * frame.inertia, beyond / depth);
            let kept = (KEPT * turns[place].depth).max(turns[place].depth - RETURN * self.step);
            let push = hold * (depth - kept).max(0.0);
            net.tie(frame.turn, tied, net::stiffness_along(axis, hold, 0.0), axis * -push);
            frame.parts.clone().for_each(|part| ends[part].hit |= depth > turns[place].depth + BLOW);
        }
    }

    /// Notes how far beyond its limits and inside colliders everything ends up: that much is taken back slowly, since
    /// what is pushed out at once flies off.
    pub(super) fn note_depths(&self, skeleton: &Skeleton, state: &mut SpringState) {
        for place in 0..state.plan.frames.len() {
            if let Some((off, hinge)) = self.off_limit(skeleton, state, place) {
                let beyond = hinge.map_or_else(|| arc::length(off), |axis| axis.dot(off).abs());
                state.turns[place].depth = if state.plan.frames[place].held { 0.0 } else { beyond };
            }
        }
        for place in 0..if self.colliders.is_empty() { 0 } else { state.ends.len() } {
            let (one, direction, _) = state.attachment(place);
            let SpringState { plan, ends, now, .. } = state;
            let (bone, end) = (&self.bones[plan.parts[place].bone], &mut ends[place]);
            let out = arc::unit(one.arm).unwrap_or(direction);
            let depths =
                self.colliding(bone, &now.colliders).map(|(_, shape)| shape.depth(end.place, bone.radius, out).0);
            end.depth = depths.fold(0.0, f64::max);
        }
    }

    /// Pushes a bone's end out of the colliders it is in, and holds it on those it has touched.
    pub(super) fn collide(&self, state: &mut SpringState, place: usize) {
        let (one, direction, _) = state.attachment(place);
        let SpringState { plan, ends, now, net, .. } = state;
        let (part, end) = (&plan.parts[place], &mut ends[place]);
        let Some(variable) = part.end else { return };
        let bone = &self.bones[part.bone];
        let out = arc::unit(one.arm).unwrap_or(direction);
        for (bit, shape) in self.colliding(bone, &now.colliders) {
            let (depth, out) = shape.depth(end.place, bone.radius, out);
            if depth > 0.0 {
                end.touching |= bit;
                end.hit |= depth > end.depth + BLOW * part.length;
            }
            if depth > 0.0 || end.touching & bit != 0 {
                let hold = FIRM * end.mass;
                let push = hold * (depth - KEPT * end.depth.min(depth.max(0.0)));
                net.hold(variable, net::stiffness_along(out, hold, 0.0), out * push);
            }
        }
    }

    /// Lets go of stops that would have to pull; whether there were any.
    pub(super) fn release(&self, state: &mut SpringState) -> bool {
        let mut released = false;
        for place in 0..state.ends.len() {
            let (one, direction, _) = state.attachment(place);
            let SpringState { plan, ends, now, net, .. } = state;
            let (part, end) = (&plan.parts[place], &mut ends[place]);
            let bone = &self.bones[part.bone];
            let moved = net.step(part.end);
            let out = arc::unit(one.arm).unwrap_or(direction);
            for (bit, shape) in self.colliding(bone, &now.colliders) {
                let (depth, out) = shape.depth(end.place, bone.radius, out);
                let depth = depth - KEPT * end.depth.min(depth.max(0.0));
                if end.touching & bit != 0 && depth < out.dot(moved) {
                    end.touching &= !bit;
                    released = true;
                }
            }
            if end.stop * direction.dot(end.push - end.stiffness * net.step_of(&one)) > 0.0 {
                end.stop = 0.0;
                released = true;
            }
        }
        for (tied, parts) in state.tied.iter_mut().zip(&state.plan.links) {
            let [a, b] = parts.map(|part| state.net.step(state.plan.parts[part].end));
            if tied.stop * (tied.push - tied.hold * tied.direction.dot(a - b)) > 0.0 {
                tied.stop = 0.0;
                released = true;
            }
        }
        released
    }

    /// Whether every end is where its bone and colliders allow.
    pub(super) fn is_settled(&self, state: &SpringState) -> bool {
        let SpringState { plan, ends, now, .. } = state;
        (0..ends.len()).all(|place| {
            let (_, direction, off) = state.attachment(place);
            let (part, end) = (&plan.parts[place], &ends[place]);
            let (bone, most) = (&self.bones[part.bone], SETTLED * part.length.max(TINY * plan.extent));
            let longer = direction.dot(off);
            let off = off - direction * part.offsets().clamp(if end.springs { longer } else { 0.0 });
            let mut shapes = self.colliding(bone, &now.colliders);
            let new = |(bit, shape): (u64, &Shape)| {
                end.touching & bit == 0 && shape.depth(end.place, bone.radius, direction).0 > most + end.depth
            };
            let free = part.end.is_none() || !shapes.any(new);
            free && off.dot(off) <= most * most
        })
    }

    /// The colliders that stop a bone, each with the bit by which a touch is remembered (none beyond the 64th).
    fn colliding<'a>(&'a self, bone: &Bone, shapes: &'a [Shape]) -> impl Iterator<Item = (u64, &'a Shape)> {
        let layers = bone.layers;
        let pairs = self.colliders.iter().zip(shapes).enumerate();
        let pairs = pairs.filter(move |(_, (collider, _))| collider.layers & layers != 0);
        pairs.map(|(place, (_, shape))| (if place < 64 { 1 << place } else { 0 }, shape))
    }
}
