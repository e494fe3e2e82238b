//! Bones on their joints: whatever the rounds of a sub-step leave, from the anchors down every bone is put where its joint
//! is, as long as it may be, and hinges on their axes. Lengths and hinges so hold by construction, not by convergence.

use glam::{DQuat, DVec3};

use super::anchor::Anchor;
use super::bone::Bone;
use super::hold::offsets;
use super::plan::{Frame, Part, Plan};
use super::settings::Springs;
use super::state::SpringState;
use crate::limit::Range;
use crate::math::arc;
use crate::skeleton::{Kind, Skeleton};
use crate::solve::fabrik::fit::{self, Pair};

/// Squared sine below which a rotation has no turn about a hinge's axis: it is half a turn across.
const NO_TURN: f64 = 1e-12;

impl Springs {
    /// Turns every frame to where its bones' ends are, as far as its joint's kind lets it.
    pub(super) fn orient(&self, skeleton: &Skeleton, state: &mut SpringState) {
        for place in 0..state.plan.frames.len() {
            self.orient_frame(skeleton, state, place);
        }
    }

    /// The same, and puts the ends on their frames.
    pub(super) fn hang(&self, skeleton: &Skeleton, state: &mut SpringState) {
        for place in 0..state.plan.frames.len() {
            let start = self.orient_frame(skeleton, state, place);
            let SpringState { plan, ends, turns, .. } = state;
            for part in plan.frames[place].parts.clone().filter(|&part| plan.parts[part].end.is_some()) {
                let way = turns[place].rotation * plan.parts[part].arm;
                ends[part].place = start + way * plan.share(part, way.dot(ends[part].place - start));
            }
        }
    }

    /// Turns one frame, those above it being turned; gives where its joint is.
    fn orient_frame(&self, skeleton: &Skeleton, state: &mut SpringState, place: usize) -> DVec3 {
        let SpringState { plan, ends, turns, now, pairs, .. } = state;
        let frame = &plan.frames[place];
        let start = plan.start(place, &now.anchors, |part| ends[part].place, |frame| turns[frame].rotation);
        pairs.clear();
        pairs.extend(frame.parts.clone().map(|part| Pair {
            arm: plan.parts[part].arm,
            to: ends[part].place - start,
            weight: ends[part].mass,
        }));
        let anchor = &now.anchors[frame.anchor];
        let above = frame.above.map_or(anchor.turn, |hang| turns[hang.frame].rotation) * frame.led;
        let fitted = fit::fitted(turns[place].rotation, pairs);
        let rotation = if fitted.is_finite() { fitted } else { turns[place].rotation };
        turns[place].rotation = self.on_joint(skeleton, plan, (frame, anchor), above, rotation);
        start
    }

    /// The rotation nearest to one given that a frame's joint has at all, its ranges aside.
    fn on_joint(
        &self,
        skeleton: &Skeleton,
        plan: &Plan,
        (frame, anchor): (&Frame, &Anchor),
        above: DQuat,
        rotation: DQuat,
    ) -> DQuat {
        match skeleton.kind(frame.joint) {
            Kind::Fixed | Kind::Slide { .. } => {
                above * anchor.mirror_turn(self.allowed(skeleton, plan, frame, frame.shape.rotation))
            }
            Kind::Hinge { axis, .. } => {
                let zero = skeleton.zero(frame.joint).rotation;
                let turn = zero.conjugate() * anchor.mirror_turn(above.conjugate() * rotation);
                let along = axis * axis.dot(DVec3::new(turn.x, turn.y, turn.z));
                let turn = DQuat::from_xyzw(along.x, along.y, along.z, turn.w);
                let turn = if turn.dot(turn) > NO_TURN {
                    arc::normalize(turn)
                } else {
                    zero.conjugate() * frame.shape.rotation
                };
                arc::normalize(above * anchor.mirror_turn(zero * turn))
            }
            _ => rotation,
        }
    }
}

impl Plan {
    /// A bone's length, as a share of that at rest, where the dot product of its way with that at rest is the one given.
    pub(super) fn share(&self, part: usize, dot: f64) -> f64 {
        let Part { length, bone, .. } = self.parts[part];
        if length > 0.0 { 1.0 + self.bones[bone].longer(length, dot / length - length) / length } else { 1.0 }
    }
}

impl Bone {
    /// How much longer a bone is than at rest that would be longer by so much (metres).
    pub(super) fn longer(&self, rest: f64, longer: f64) -> f64 {
        let wanted = if self.stretch > 0.0 && !longer.is_nan() { longer } else { 0.0 };
        offsets(self.lengths, rest).clamp(wanted)
    }
}
