//! Gathers the bodies and effectors of a solve from skeleton, goals and pose.

use glam::{DAffine3, DQuat, DVec3};

use super::body::{Body, BodyMotion, Frame, NONE};
use super::effector::{Effector, conjugated};
use super::price::Prices;
use super::ray::Ray;
use super::settings::Fabrik;
use super::space::Space;
use super::tree::{BodyTree, Slot};
use crate::goal::Goal;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::problem::Engine as _;
use crate::solve::pulls::Pulls;
use crate::solve::report::near;
use crate::solve::{Start, TargetInModel, Workspace, not_too_far};

impl BodyTree {
    /// Gathers what the goals may move.
    pub(super) fn gather(
        &mut self,
        settings: &Fabrik,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &Pose,
        work: &Workspace,
    ) {
        self.mark(settings, skeleton, goals, work);
        self.place_bodies(skeleton, pose);
        self.ease_bodies(skeleton);
        self.link();
        self.whole = settings.start == Start::Rest;
        self.effectors.clear();
        let served = || work.order().filter(|&i| settings.acts_on(skeleton, &goals[i]));
        let pulls = Pulls::of(served().map(|i| goals[i].pull));
        for i in served() {
            self.hang(settings, skeleton, (i, goals, pulls), pose);
        }
        self.let_act(settings, skeleton, goals, work);
        self.prices = Prices::of(self, goals);
        // Room is counted from what is in them.
        self.pairs.clear();
        self.path.clear();
        self.points.clear();
        self.lengths.clear();
        self.pairs.reserve(self.bodies.len() + 4 * self.effectors.len());
        self.path.reserve(self.bodies.len());
        self.points.reserve(self.bodies.len() + 2);
        self.lengths.reserve(self.bodies.len() + 2);
    }

    /// Marks the joints on the way from every goal's joint to the uppermost that may move for it.
    fn mark(&mut self, settings: &Fabrik, skeleton: &Skeleton, goals: &[Goal], work: &Workspace) {
        self.slots.clear();
        self.slots.resize(skeleton.len(), Slot { needed: false, turns: false, frame: None, space: 0, body: NONE });
        for goal in work.order().map(|i| &goals[i]).filter(|goal| settings.acts_on(skeleton, goal)) {
            let mut at = Some(goal.joint);
            while let Some(joint) = at.filter(|&joint| settings.reaches(skeleton, goal, joint)) {
                let slot = &mut self.slots[joint.index()];
                slot.needed = true;
                slot.turns |= Fabrik::turns(skeleton, goal, joint, work);
                at = skeleton.parent(joint);
            }
        }
    }

    /// A body for every marked joint that may turn, with its place and frame.
    fn place_bodies(&mut self, skeleton: &Skeleton, pose: &Pose) {
        self.bodies.clear();
        self.spaces.clear();
        self.is_sheared = false;
        for joint in skeleton.iter() {
            let Slot { needed: true, turns, .. } = self.slots[joint.index()] else { continue };
            let parent = self.slot_above(skeleton, pose, joint);
            let into = self.spaces[parent.space].into;
            let frame = parent.frame.and_then(|from| from.below(pose.local(joint), pose.model(joint), &into));
            self.is_sheared |= frame.is_some_and(|frame| !frame.plain);
            let mut slot = Slot { needed: true, turns, frame, ..parent };
            if let (Some(from), Some(frame), true) = (parent.frame, frame, turns) {
                let above = self.bodies.get(parent.body).map_or((DQuat::IDENTITY, DVec3::ZERO), |b| (b.turn, b.place));
                slot.body = self.bodies.len();
                self.bodies.push(Body::new(skeleton, pose, joint, frame, from, above.0));
                let body = &mut self.bodies[slot.body];
                (body.space, body.above) = (parent.space, parent.body);
                body.travels = parent.body == NONE && matches!(skeleton.kind(joint), Kind::Free);
                body.place = into.transform_point3(pose.position(joint));
                body.offset = above.0.conjugate() * (body.place - above.1);
            }
            self.slots[joint.index()] = slot;
        }
    }

    /// Says which share of its turns each body takes; a stiff one needs the passes that a limited one needs.
    fn ease_bodies(&mut self, skeleton: &Skeleton) {
        let least = self.bodies.iter().map(|body| skeleton.stiffness(body.joint)).fold(f64::INFINITY, f64::min);
        for body in &mut self.bodies {
            body.ease = least / skeleton.stiffness(body.joint);
            if body.ease < 1.0 && body.motion == BodyMotion::Free {
                body.motion = BodyMotion::Limited;
            }
        }
    }

    /// What is known of a joint's parent; of one that is not marked, a space of its own.
    fn slot_above(&mut self, skeleton: &Skeleton, pose: &Pose, joint: Joint) -> Slot {
        let parent = skeleton.parent(joint).map(|parent| self.slots[parent.index()]);
        if let Some(slot) = parent.filter(|slot| slot.needed) {
            return slot;
        }
        let out = skeleton.parent(joint).map_or(*skeleton.base(joint), |parent| *pose.model(parent));
        let into = out.inverse();
        self.spaces.push(Space { into, out });
        let frame = into.is_finite().then_some(Frame::SPACE);
        Slot { needed: false, turns: false, frame, space: self.spaces.len() - 1, body: NONE }
    }

    /// Whether a scale of zero leaves a goal's joint no frame.
    pub(super) fn is_singular(&self, goal: &Goal) -> bool {
        self.slots.get(goal.joint.index()).is_some_and(|slot| slot.needed && slot.frame.is_none())
    }

    /// Links every body to the one above.
    fn link(&mut self) {
        for i in (0..self.bodies.len()).rev() {
            let above = self.bodies[i].above;
            if above != NONE {
                self.bodies[i].beside = self.bodies[above].below;
                self.bodies[above].below = i;
            }
        }
    }

    /// Makes an effector of a goal, where a body carries its joint.
    fn hang(
        &mut self,
        settings: &Fabrik,
        skeleton: &Skeleton,
        (i, goals, pulls): (usize, &[Goal], Pulls),
        pose: &Pose,
    ) {
        let goal = &goals[i];
        let slot = self.slots[goal.joint.index()];
        let Some(body) = self.bodies.get(slot.body) else { return };
        let space = self.spaces[slot.space];
        let place = space.into.transform_point3(pose.model(goal.joint).transform_point3(goal.offset));
        let in_model = TargetInModel::of(goal, pose);
        let turn_to = |to: DQuat| {
            let now = arc::rotation_of(&pose.model(goal.joint).matrix3)?;
            Some(arc::normalize(conjugated(&space.into, &space.out, to * now.conjugate()) * body.turn))
        };
        let wants_turn = goal.mask.rotation.any();
        let mut given = (
            in_model.position.map(|target| space.into.transform_point3(target)),
            in_model.rotation.filter(|_| wants_turn).and_then(turn_to),
        );
        let mut measured_from = None;
        if let Some((carrier, frame)) = goal.relative_to.and_then(|from| self.carrier(skeleton, from, pose)) {
            measured_from = Some((carrier, frame));
            let rotation = self.bodies[carrier].turn.conjugate();
            given = (goal.target.position().map(not_too_far), given.1.map(|turn| rotation * turn));
        }
        let ray = Ray::of(goal, pose, &space, body.turn, measured_from.is_some());
        if ray.is_none() && Fabrik::is_aim(goal) {
            return;
        }
        let near = near(goal, settings.tolerance(skeleton, goals, goal, pose), pose);
        let pull = pulls.share(goal.pull);
        if let (Some(twin), Some(target)) = (self.effector_of(goals, i), given.0) {
            return self.effectors[twin].share(target, pull);
        }
        self.effectors.push(Effector {
            goal: i,
            body: slot.body,
            point: body.turn.conjugate() * (place - body.place),
            target: None,
            turn: None,
            ray,
            pull,
            reach: 0.0,
            fold: -1.0,
            top: NONE,
            near: (near.position / most_stretch(&space.out), near.rotation),
            place,
            now: body.turn,
            measured_from,
            given,
            space: slot.space,
        });
    }

    /// The body that carries a joint, if any moves it, and the joint's frame in the body's.
    fn carrier(&self, skeleton: &Skeleton, joint: Joint, pose: &Pose) -> Option<(usize, DAffine3)> {
        let mut at = Some(joint);
        while let Some(above) = at {
            let slot = self.slots[above.index()];
            if let Some(body) = self.bodies.get(slot.body) {
                let here = DAffine3::from_rotation_translation(body.turn, body.place);
                return Some((slot.body, here.inverse() * self.spaces[slot.space].into * *pose.model(joint)));
            }
            at = skeleton.parent(above);
        }
        None
    }

    /// Decides which effector moves which body, and what that makes of lengths and pulls.
    fn let_act(&mut self, settings: &Fabrik, skeleton: &Skeleton, goals: &[Goal], work: &Workspace) {
        let count = self.effectors.len();
        self.acts.clear();
        self.acts.resize(self.bodies.len() * count, false);
        for e in 0..count {
            let goal = &goals[self.effectors[e].goal];
            let mut at = self.effectors[e].body;
            let point = arc::length(self.effectors[e].point);
            let (mut length, mut longest, mut reach, mut fold, mut top) = (point, point, 0.0, -1.0, NONE);
            while at != NONE {
                let joint = self.bodies[at].joint;
                if settings.moves(skeleton, goal, joint, work) {
                    self.acts[at * count + e] = true;
                    (reach, fold, top) = (length, 2.0 * longest - length, at);
                }
                let bone = if self.bodies[at].above == NONE { 0.0 } else { arc::length(self.bodies[at].offset) };
                length += bone;
                longest = longest.max(bone);
                at = self.bodies[at].above;
            }
            let effector = &mut self.effectors[e];
            effector.reach = if reach > 0.0 { reach } else { 1.0 };
            (effector.fold, effector.top) = (fold, top);
            let mut at = if effector.ray.is_some() { NONE } else { effector.body };
            while at != NONE {
                let above = self.bodies[at].above;
                if above != NONE && self.acts[above * count + e] && self.acts[at * count + e] {
                    self.bodies[at].lift += self.effectors[e].pull;
                }
                at = above;
            }
        }
    }
}

/// No direction is stretched more by a map than this.
fn most_stretch(map: &DAffine3) -> f64 {
    let m = &map.matrix3;
    ops::sqrt(m.x_axis.dot(m.x_axis) + m.y_axis.dot(m.y_axis) + m.z_axis.dot(m.z_axis))
}
