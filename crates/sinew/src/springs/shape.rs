//! The shape that bones pull back to: what they look like when nothing moves them.

use glam::{DAffine3, DQuat, DVec3};

use super::anchor::Anchor;
use super::bone::Tail;
use super::plan::{Hang, SpringPlan, TurningJoint, slides};
use super::settings::Springs;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::Start;
use crate::transform::Transform;

impl SpringPlan {
    /// Reads the shape: what the bones look like when nothing moves them.
    pub(super) fn read_shape(&mut self, springs: &Springs, skeleton: &Skeleton, pose: &Pose, anchors: &[Anchor]) {
        // What the bones write must not come back: turns of those that swing, places that are a bone's own, squash.
        let ours = springs.shape == Start::Rest;
        let squashed = ours && self.squashes(springs);
        let local = |joint, swings: bool, own: bool| {
            let place = (ours && own) || (squashed && !slides(skeleton, joint));
            shape_of(skeleton.rest(joint), pose.local(joint), [ours && swings, place, squashed])
        };
        let between = |top, bottom| between(skeleton, top, bottom, &|joint| local(joint, false, false));
        for place in 0..self.frames.len() {
            let TurningJoint { joint, above, anchor, ref parts, .. } = self.frames[place];
            let (parts, anchor) = (parts.clone(), &anchors[anchor]);
            let own = above.is_some_and(|hang| hang.part.is_some_and(|part| self.parts[part].free));
            let shape = local(joint, !self.frames[place].held, own);
            let lead =
                above.map_or(DAffine3::IDENTITY, |hang| between(self.frames[hang.frame].joint, skeleton.parent(joint)));
            let scale = above.map_or(DVec3::ONE, |hang| self.frames[hang.frame].scale);
            let aside = lead.transform_point3(shape.translation) * scale;
            let led = arc::rotation_of(&lead.matrix3).unwrap_or(DQuat::IDENTITY);
            let frame = &mut self.frames[place];
            frame.shape = shape;
            if let Some(hang) = &mut frame.above {
                hang.offset = anchor.mirror(aside) * anchor.size;
            }
            (frame.led, frame.turned) = (anchor.mirror_turn(led), anchor.mirror_turn(led * shape.rotation));
            frame.scale = scale * shape.scale;
            let scale = frame.scale;
            for part in &mut self.parts[parts] {
                part.offset = match self.bones[part.bone].tail {
                    Tail::Point(point) => point,
                    Tail::Joint(tail) if part.free => local(tail, false, true).translation,
                    Tail::Joint(tail) => between(joint, Some(tail)).translation,
                };
                part.arm = anchor.mirror(part.offset * scale) * anchor.size;
                part.length = arc::length(part.arm);
            }
        }
        self.measure_inertia();
        self.measure_links(anchors);
    }

    /// Places and rotations in the shape.
    pub(super) fn lay_out(&mut self, anchors: &[Anchor]) {
        for place in 0..self.frames.len() {
            let frame = &self.frames[place];
            let above = frame.above.map_or(anchors[frame.anchor].turn, |hang| self.frames[hang.frame].shaped);
            let start = self.start(place, anchors, |part| self.parts[part].shaped, |frame| self.frames[frame].shaped);
            let shaped = above * frame.turned;
            let frame = &mut self.frames[place];
            (frame.shaped, frame.shaped_start) = (shaped, start);
            for part in &mut self.parts[frame.parts.clone()] {
                part.shaped = start + shaped * part.arm;
            }
        }
    }

    /// Where a frame's joint is, the places of bones' ends and the rotations of frames being those given.
    pub(super) fn start(
        &self,
        frame: usize,
        anchors: &[Anchor],
        end: impl Fn(usize) -> DVec3,
        turn: impl Fn(usize) -> DQuat,
    ) -> DVec3 {
        let (mut at, mut aside) = (frame, DVec3::ZERO);
        loop {
            match self.frames[at].above {
                None => return anchors[self.frames[at].anchor].place + aside,
                Some(Hang { part: Some(part), .. }) => return end(part) + aside,
                Some(Hang { frame, offset, .. }) => (at, aside) = (frame, aside + turn(frame) * offset),
            }
        }
    }

    /// Inertias, from the ends up: mass, first and second moment about each joint.
    fn measure_inertia(&mut self) {
        self.parts.iter_mut().for_each(|part| part.hung = [0.0; 3]);
        for place in (0..self.frames.len()).rev() {
            let mut sum = [0.0; 3];
            for part in &self.parts[self.frames[place].parts.clone()] {
                let (length, [hung, first, second]) = (part.length, part.hung);
                let mass = part.mass + hung;
                let moments = [mass, first + mass * length, second + (2.0 * first + mass * length) * length];
                sum.iter_mut().zip(moments).for_each(|(sum, moment)| *sum += moment);
            }
            self.frames[place].inertia = sum[2];
            if let Some(above) = self.frames[place].above.and_then(|hang| hang.part) {
                self.parts[above].hung.iter_mut().zip(sum).for_each(|(hung, moment)| *hung += moment);
            }
        }
    }

    /// Distances of the links' ends in the shape.
    fn measure_links(&mut self, anchors: &[Anchor]) {
        if self.links.is_empty() {
            return;
        }
        self.lay_out(anchors);
        for (distance, [a, b]) in self.distances.iter_mut().zip(&self.links) {
            *distance = arc::length(self.parts[*a].shaped - self.parts[*b].shaped);
        }
    }
}

/// A transform whose rotation, translation and scale are each the skeleton's at rest or the pose's.
fn shape_of(rest: &Transform, given: &Transform, [rotation, translation, scale]: [bool; 3]) -> Transform {
    Transform {
        rotation: if rotation { rest.rotation } else { given.rotation },
        translation: if translation { rest.translation } else { given.translation },
        scale: if scale { rest.scale } else { given.scale },
    }
}

/// From the frame of `top` to that of `bottom` below it, both ends as they are: the joints under `top` down to `bottom`.
pub(super) fn between(
    skeleton: &Skeleton,
    top: Joint,
    bottom: Option<Joint>,
    local: &impl Fn(Joint) -> Transform,
) -> DAffine3 {
    let mut map = DAffine3::IDENTITY;
    let mut at = bottom;
    while let Some(joint) = at.filter(|&joint| joint != top) {
        map = local(joint).to_affine() * map;
        at = skeleton.parent(joint);
    }
    map
}
