//! The bodies and effectors of one solve, their state, and how it is written back.

use alloc::vec::Vec;

use glam::{DQuat, DVec3};

use super::body::{Body, Frame};
use super::effector::Effector;
use super::price::Prices;
use super::space::Space;
use super::system::System;
use crate::goal::{Goal, Target};
use crate::math::fit::Pair;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::seen::{Seen, make_room};

/// What is known of a joint while bodies are gathered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// On the way of some goal, and whether it may turn for one.
    pub(super) needed: bool,
    pub(super) turns: bool,
    pub(super) frame: Option<Frame>,
    pub(super) space: usize,
    /// The body that carries it.
    pub(super) body: usize,
}

/// Local rotations, hinge values and offsets of all bodies.
pub(super) type Kept = Vec<(DQuat, f64, DVec3)>;

/// Bodies in depth-first order, goals as effectors, and the passes' scratch.
#[derive(Debug, Default)]
pub(super) struct BodyTree {
    pub(super) bodies: Vec<Body>,
    pub(super) effectors: Vec<Effector>,
    pub(super) spaces: Vec<Space>,
    /// Whether an effector moves a body: `acts[body * effectors + effector]`.
    pub(super) acts: Vec<bool>,
    pub(super) slots: Vec<Slot>,
    pub(super) pairs: Vec<Pair>,
    /// The state that a step goes back to, and the best so far.
    pub(super) kept: Kept,
    pub(super) best: Kept,
    /// Whether lengths depend on angles, so that the bodies are an approximation.
    pub(super) is_sheared: bool,
    /// Whether free limbs bend as a whole.
    pub(super) whole: bool,
    /// Scratch of the closing: bodies of a limb, their places and bones.
    pub(super) path: Vec<usize>,
    pub(super) points: Vec<DVec3>,
    pub(super) lengths: Vec<f64>,
    pub(super) system: System,
    pub(super) seen: Seen,
    pub(super) prices: Prices,
}

impl BodyTree {
    /// The effector of a goal: its own, or one for the same point.
    pub(super) fn effector_of(&self, goals: &[Goal], place: usize) -> Option<usize> {
        let is_for = |effector: &Effector| effector.goal == place || are_one(&goals[effector.goal], &goals[place]);
        self.effectors.iter().position(is_for)
    }

    /// Whether an effector moves a body.
    pub(super) fn acts(&self, body: usize, effector: usize) -> bool {
        self.acts[body * self.effectors.len() + effector]
    }

    /// The rotation of the body above, or none.
    pub(super) fn above(&self, body: usize) -> DQuat {
        self.bodies.get(self.bodies[body].above).map_or(DQuat::IDENTITY, |above| above.turn)
    }

    /// Where a body is, below those above as they are now.
    pub(super) fn placed(&self, body: usize) -> DVec3 {
        let offset = self.bodies[body].offset;
        self.bodies.get(self.bodies[body].above).map_or(offset, |above| above.place + above.turn * offset)
    }

    /// Forward kinematics of the bodies from `first` on, then fresh targets.
    pub(super) fn update(&mut self, goals: &[Goal], first: usize) {
        for i in first..self.bodies.len() {
            let (above, place) = (self.above(i), self.placed(i));
            let body = &mut self.bodies[i];
            body.place = place;
            body.turn = body.carried(above, body.local);
        }
        self.refresh(goals);
    }

    /// Brings the effectors up to date with the bodies.
    pub(super) fn refresh(&mut self, goals: &[Goal]) {
        for effector in &mut self.effectors {
            effector.refresh(&goals[effector.goal], &self.bodies, &self.spaces);
        }
    }

    /// What is left of all goals, squared.
    pub(super) fn cost(&self) -> f64 {
        self.effectors.iter().map(Effector::cost).sum()
    }

    /// Whether every goal is met.
    pub(super) fn is_met(&self) -> bool {
        self.effectors.iter().all(Effector::is_met)
    }

    /// Whether no goal can be brought nearer.
    pub(super) fn is_done(&self) -> bool {
        self.effectors.iter().all(|effector| effector.is_done(&self.bodies))
    }

    /// Grows the buffers at once, so that a later solve that needs more of them does not allocate.
    pub(super) fn fit(&mut self) {
        make_room(&mut self.kept, self.bodies.len());
        make_room(&mut self.best, self.bodies.len());
        self.system.fit(self.bodies.len(), self.effectors.len());
    }

    /// Remembers the present state, to which [`go_back`](Self::go_back) goes back.
    pub(super) fn keep(&mut self) {
        let mut kept = core::mem::take(&mut self.kept);
        self.save(&mut kept);
        self.kept = kept;
    }

    pub(super) fn go_back(&mut self, goals: &[Goal]) {
        let kept = core::mem::take(&mut self.kept);
        self.restore(&kept, goals);
        self.kept = kept;
    }

    pub(super) fn save(&self, kept: &mut Kept) {
        kept.clear();
        kept.extend(self.bodies.iter().map(|body| (body.local, body.value, body.offset)));
    }

    pub(super) fn restore(&mut self, kept: &Kept, goals: &[Goal]) {
        for (body, &(local, value, offset)) in self.bodies.iter_mut().zip(kept) {
            (body.local, body.value, body.offset) = (local, value, offset);
        }
        self.update(goals, 0);
    }

    /// Writes what changed into the pose. Of joints that share a coordinate, the lowest that turned says where all go.
    pub(super) fn write(&mut self, skeleton: &Skeleton, pose: &mut Pose) {
        for body in &mut self.bodies {
            body.turned = pose.local(body.joint).rotation != body.local;
        }
        let mut edit = pose.edit(skeleton);
        for (i, body) in self.bodies.iter().enumerate() {
            match skeleton.drive(body.joint) {
                _ if !body.turned => {}
                None => {
                    edit.rotation(body.joint, body.local);
                }
                Some(drive) => {
                    let shares =
                        |joint| skeleton.drive(joint).is_some_and(|other| other.coordinate == drive.coordinate);
                    if !self.bodies[i + 1..].iter().any(|below| below.turned && shares(below.joint)) {
                        edit.value(body.joint, body.value);
                    }
                }
            }
            if body.travels {
                edit.translation(body.joint, body.offset);
            }
        }
    }
}

/// Whether two goals ask for places of one point, and nothing else.
fn are_one(a: &Goal, b: &Goal) -> bool {
    let place = |goal: &Goal| matches!(goal.target, Target::Position(_)) && goal.mask.position.all();
    place(a) && place(b) && (a.joint, a.offset, a.base, a.relative_to) == (b.joint, b.offset, b.base, b.relative_to)
}
