//! Bones on their joints: whatever the rounds of a sub-step leave, from the anchors down every bone hangs where its joint
//! is, as long as it may be, and hinges on their axes. Lengths and hinges so hold by construction, not by convergence. That
//! is what is shown; motion goes on from it only where the rounds were not enough, since the little that enough rounds
//! leave, put right bone after bone, would add energy.

use alloc::vec::Vec;

use glam::{DQuat, DVec3};

use super::anchor::Anchor;
use super::plan::{SpringPlan, TurningJoint};
use super::state::{End, SpringState};
use crate::math::arc;
use crate::math::fit::{self, Pair};
use crate::skeleton::{Kind, Skeleton};

/// Squared sine below which a rotation has no turn about a hinge's axis: it is half a turn across.
const NO_TURN: f64 = 1e-12;

impl SpringState {
    /// Finds where every bone hangs, from where the rounds have left its end.
    pub(super) fn hang(&mut self, skeleton: &Skeleton) {
        for place in 0..self.plan.frames.len() {
            let start = self.hang_frame(skeleton, place);
            let Self { plan, ends, turns, .. } = self;
            for part in plan.frames[place].parts.clone() {
                let (way, end) = (turns[place].hung * plan.parts[part].arm, &mut ends[part]);
                let hung = start + way * plan.share(part, way.dot(end.place - start));
                end.hung = if plan.parts[part].end.is_some() { hung } else { end.place };
            }
        }
    }

    /// Turns one frame to where its bones' ends are, as far as its joint's kind lets it, those above it hanging; gives
    /// where its joint is.
    fn hang_frame(&mut self, skeleton: &Skeleton, place: usize) -> DVec3 {
        let Self { plan, ends, turns, now, pairs, .. } = self;
        let frame = &plan.frames[place];
        let start = plan.start(place, &now.anchors, |part| ends[part].hung, |frame| turns[frame].hung);
        let fitted = plan.fitted(place, start, turns[place].rotation, ends, pairs);
        let rotation = if fitted.is_finite() { fitted } else { turns[place].rotation };
        let anchor = &now.anchors[frame.anchor];
        let above = frame.above.map_or(anchor.turn, |hang| turns[hang.frame].hung) * frame.led;
        turns[place].hung = on_joint(skeleton, (frame, anchor), above, rotation);
        start
    }
}

/// The rotation nearest to one given that a frame's joint has at all, its ranges aside.
fn on_joint(skeleton: &Skeleton, (frame, anchor): (&TurningJoint, &Anchor), above: DQuat, rotation: DQuat) -> DQuat {
    match skeleton.kind(frame.joint) {
        _ if frame.held => above * anchor.mirror_turn(frame.shape.rotation),
        Kind::Hinge { axis, .. } => {
            let zero = skeleton.zero(frame.joint).rotation;
            let turn = zero.conjugate() * anchor.mirror_turn(above.conjugate() * rotation);
            let along = axis * axis.dot(DVec3::new(turn.x, turn.y, turn.z));
            let turn = DQuat::from_xyzw(along.x, along.y, along.z, turn.w);
            let turn =
                if turn.dot(turn) > NO_TURN { arc::normalize(turn) } else { zero.conjugate() * frame.shape.rotation };
            arc::normalize(above * anchor.mirror_turn(zero * turn))
        }
        _ => rotation,
    }
}

impl SpringState {
    /// Turns every frame to where its bones fly.
    pub(super) fn orient(&mut self) {
        let Self { plan, ends, turns, now, pairs, .. } = self;
        for place in 0..plan.frames.len() {
            let start = plan.start(place, &now.anchors, |part| ends[part].place, |frame| turns[frame].rotation);
            turns[place].rotation = plan.fitted(place, start, turns[place].rotation, ends, pairs);
        }
    }

    /// Goes on from where the bones hang.
    pub(super) fn settle_down(&mut self) {
        self.ends.iter_mut().for_each(|end| end.place = end.hung);
        self.turns.iter_mut().for_each(|turn| turn.rotation = turn.hung);
    }
}

impl SpringPlan {
    /// The rotation nearest to one given that brings a frame's bones nearest to their ends, its joint being at `start`.
    fn fitted(&self, frame: usize, start: DVec3, turn: DQuat, ends: &[End], pairs: &mut Vec<Pair>) -> DQuat {
        pairs.clear();
        pairs.extend(self.frames[frame].parts.clone().map(|part| Pair {
            arm: self.parts[part].arm,
            to: ends[part].place - start,
            weight: ends[part].mass,
        }));
        fit::fitted(turn, pairs)
    }

    /// A bone's length, as a share of that at rest, where the dot product of its way with that at rest is the one given.
    pub(super) fn share(&self, part: usize, dot: f64) -> f64 {
        let part = &self.parts[part];
        let length = part.length;
        if length > 0.0 { 1.0 + part.longer(dot / length - length) / length } else { 1.0 }
    }
}
