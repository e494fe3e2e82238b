//! The bones' places written into a pose: rotations from their shape by the shortest arc, inside the joints' limits;
//! stretch as a longer way to the child or, squashed, as a scale along the bone and its root across, whose inverse the
//! children carry. A child turned askew cannot carry it whole: what is left is shear, and its way down makes up for it.

use core::f64::consts::PI;

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::plan::{BoneEnd, Hang, SpringPlan, TurningJoint, slides};
use super::settings::Springs;
use super::shape::between;
use super::state::{SpringState, Written};
use crate::math::fit::{self, Pair};
use crate::math::{arc, ops};
use crate::pose::{Edit, Pose};
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::Start;
use crate::transform::Transform;

/// Share of a bone's way that must lie along one axis of its joint to be squashed.
const ALONG: f64 = 0.999;

impl Springs {
    /// Writes the motion at its present time, between the last two sub-steps.
    pub(super) fn write(&self, skeleton: &Skeleton, pose: &mut Pose, state: &mut SpringState) {
        let share = (state.left / self.step).clamp(0.0, 1.0);
        let SpringState { plan, ends, after, .. } = state;
        for (place, end) in ends.iter_mut().enumerate() {
            let part = &plan.parts[place];
            let between = end.shown_before + (end.shown - end.shown_before) * share;
            let anchor = &after.anchors[plan.frames[part.frame].anchor];
            end.written = if part.end.is_some() { anchor.point(between) } else { after.held[place] };
        }
        state.written.clear();
        let squashes = state.plan.squashes(self);
        let mut edit = pose.edit(skeleton);
        for place in 0..state.plan.frames.len() {
            let written = self.write_frame(skeleton, &mut edit, state, (place, squashes));
            state.written.push(written);
        }
    }

    /// Writes one frame, those above it being written.
    fn write_frame(
        &self,
        skeleton: &Skeleton,
        edit: &mut Edit<'_>,
        state: &mut SpringState,
        (place, squashes): (usize, bool),
    ) -> Written {
        let SpringState { plan, ends, pairs, written, .. } = state;
        let frame = &plan.frames[place];
        let hung = frame.above.map(|hang| (plan.frames[hang.frame].joint, written[hang.frame]));
        let above =
            model_above(skeleton, edit.pose(), frame.joint, hung.map(|(joint, written)| (joint, written.model)));
        let squash = hung.map_or(DVec3::ONE, |(_, written)| written.squash);
        // A joint between has taken it back.
        let is_child = skeleton.parent(frame.joint) == hung.map(|(joint, _)| joint);
        let carried = if is_child { squash } else { DVec3::ONE };
        let mut local = frame.shape;
        // Below a squash frames may be sheared, and ways to children make up for it.
        let sheared = hung.is_some_and(|(_, written)| written.sheared) || squash != DVec3::ONE;
        let moved = |hang: Hang| hang.part.is_some_and(|part| sheared || plan.parts[part].lengthens());
        if carried != DVec3::ONE || frame.above.is_none_or(moved) {
            local.translation = edit.pose().local(frame.joint).translation;
        }
        let start = above.transform_point3(local.translation);
        local.scale = frame.shape.scale * carried_inverse(carried, local.rotation);
        // Directions in the joint's parent, where the map above may mirror or shear.
        let down = above.matrix3.inverse();
        pairs.clear();
        pairs.extend(frame.parts.clone().map(|part| Pair {
            arm: plan.parts[part].offset * local.scale,
            to: down * (ends[part].written - start),
            weight: plan.parts[part].mass,
        }));
        pairs.retain(|pair| pair.to.is_finite());
        let turned = fit::fitted(frame.shape.rotation, pairs);
        local.rotation = self.allowed(skeleton, plan, frame, turned);
        local.scale = frame.shape.scale * carried_inverse(carried, local.rotation);
        let squash = if squashes {
            plan.squash(frame, |part| plan.parts[part].shown(ends[part].written - start))
        } else {
            DVec3::ONE
        };
        local.scale *= squash;
        let model = above * local.to_affine();
        edit.scale(frame.joint, local.scale);
        if !slides(skeleton, frame.joint) {
            edit.translation(frame.joint, local.translation);
        }
        if !frame.held {
            edit.rotation(frame.joint, local.rotation);
        }
        for part in frame.parts.clone() {
            let BoneEnd { offset, tail, free, .. } = plan.parts[part];
            let wanted = plan.parts[part].shown(ends[part].written - start);
            let now = arc::length(model.transform_vector3(offset));
            let stretched = plan.parts[part].lengthens() || sheared;
            let offset = if stretched && now > 0.0 { offset * (wanted / now) } else { offset };
            ends[part].written = model.transform_point3(offset);
            if let Some(tail) = tail.filter(|_| free) {
                edit.translation(tail, offset);
            }
        }
        if squashes {
            self.keep_children(skeleton, edit, (plan, frame), squash);
        }
        Written { model, squash, sheared }
    }

    /// The local rotation nearest to `rotation` that the bones' swing and the joint's kind allow.
    pub(super) fn allowed(
        &self,
        skeleton: &Skeleton,
        plan: &SpringPlan,
        frame: &TurningJoint,
        rotation: DQuat,
    ) -> DQuat {
        let mut rotation = rotation;
        for part in &plan.parts[frame.parts.clone()] {
            let (sine, cosine) = part.swing;
            let Some(arm) = arc::unit(part.offset * frame.shape.scale) else { continue };
            let (now, shape) = (rotation * arm, frame.shape.rotation * arm);
            if self.bones[part.bone].swing >= PI || now.dot(shape) >= cosine {
                continue;
            }
            let aside = arc::unit_reject(now, shape, 0.0).unwrap_or_else(|| arc::any_perpendicular(shape));
            rotation = arc::normalize(arc::arc(now, shape * cosine + aside * sine, aside) * rotation);
        }
        match skeleton.kind(frame.joint) {
            _ if frame.held => frame.shape.rotation,
            Kind::BALL | Kind::Free => rotation,
            _ => skeleton.nearest_allowed(frame.joint, &Transform { rotation, ..frame.shape }, 0.0).rotation,
        }
    }

    /// Keeps the children of a squashed joint that do not swing where and as large as they would be.
    fn keep_children(
        &self,
        skeleton: &Skeleton,
        edit: &mut Edit<'_>,
        (plan, frame): (&SpringPlan, &TurningJoint),
        squash: DVec3,
    ) {
        for child in skeleton.children(frame.joint) {
            let is_tail = plan.parts[frame.parts.clone()].iter().any(|part| part.tail == Some(child));
            let given = *edit.pose().local(child);
            // What is written must not come back.
            let shape = if self.shape == Start::Given { given } else { *skeleton.rest(child) };
            edit.scale(child, shape.scale * carried_inverse(squash, given.rotation));
            if !is_tail && !slides(skeleton, child) {
                edit.translation(child, shape.translation / squash);
            }
        }
    }
}

impl BoneEnd {
    /// How long a bone is shown whose end is so far from its joint: between two sub-steps it may be less than it is in both.
    fn shown(&self, way: DVec3) -> f64 {
        self.length + self.longer(arc::length(way) - self.length)
    }
}

impl SpringPlan {
    /// Whether bones that stretch are squashed: not where one is as long as the body has it, which could not make up for
    /// the shear of those above it.
    pub(super) fn squashes(&self, springs: &Springs) -> bool {
        springs.squash && self.parts.iter().all(|part| part.free)
    }

    /// Scale of a frame whose one bone lengthens along an axis of its joint: by as much along, by the root across.
    fn squash(&self, frame: &TurningJoint, length: impl Fn(usize) -> f64) -> DVec3 {
        let (part, one) = (frame.parts.start, frame.parts.len() == 1);
        let BoneEnd { offset, length: rest, .. } = self.parts[part];
        let size = arc::length(offset);
        let ratio = length(part) / rest;
        let usable = one && self.parts[part].lengthens() && ratio > 0.0 && ratio.is_finite();
        let axis = offset.abs().to_array().iter().position(|&along| along >= ALONG * size);
        let (true, Some(axis)) = (usable, axis) else { return DVec3::ONE };
        let mut scale = DVec3::splat(1.0 / ops::sqrt(ratio));
        scale[axis] = ratio;
        scale
    }
}

/// What lies above a joint, in model space; below a joint that is being written, by that one's map.
fn model_above(skeleton: &Skeleton, pose: &Pose, joint: Joint, hung: Option<(Joint, DAffine3)>) -> DAffine3 {
    let parent = skeleton.parent(joint);
    let Some((top, model)) = hung else { return parent.map_or(*skeleton.base(joint), |parent| *pose.model(parent)) };
    model * between(skeleton, top, parent, &|joint| *pose.local(joint))
}

/// The scale by which a joint, turned so, takes back that of its parent, as far as a scale can; its volume whole.
fn carried_inverse(squash: DVec3, rotation: DQuat) -> DVec3 {
    if squash == DVec3::ONE {
        return DVec3::ONE;
    }
    let turn = DMat3::from_quat(rotation);
    let along = |axis: DVec3| axis.dot(axis / squash);
    let scale = DVec3::new(along(turn.x_axis), along(turn.y_axis), along(turn.z_axis));
    let volume = scale.x * scale.y * scale.z * squash.x * squash.y * squash.z;
    scale / ops::cbrt(volume)
}
