//! What moves: one character's swinging bones between two steps. The caller owns it.

use alloc::vec::Vec;

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::anchor::Anchor;
use super::collider::Shape;
use super::net::Net;
use super::plan::SpringPlan;
use super::settings::Springs;
use crate::math::fit::Pair;
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// The moving bones of one character; `SpringState::default()` is at rest. It belongs to one skeleton and one set of bones,
/// and begins anew with others. Steps allocate nothing after the first.
#[derive(Clone, Debug, Default)]
pub struct SpringState {
    pub(super) plan: SpringPlan,
    pub(super) net: Net,
    /// Ends of bones, a part of the plan each.
    pub(super) ends: Vec<End>,
    /// Frames' rotations.
    pub(super) turns: Vec<JointState>,
    /// Where the anchors, the anchored ends and the colliders were after the last step, are, and are now in a sub-step.
    pub(super) before: Surroundings,
    pub(super) after: Surroundings,
    pub(super) now: Surroundings,
    /// Carriers in the sub-step before.
    pub(super) ridden: Vec<Anchor>,
    /// Whether something hit a group of trees in this sub-step.
    pub(super) hits: Vec<bool>,
    /// Multipliers of the links.
    pub(super) tied: Vec<Tied>,
    pub(super) pairs: Vec<Pair>,
    pub(super) written: Vec<Written>,
    /// Time not yet stepped (seconds).
    pub(super) left: f64,
    /// Whether the bones are somewhere.
    pub(super) begun: bool,
    /// Whether the next step is a jump, whatever its size.
    pub(super) jumps: bool,
}

/// The end of a bone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct End {
    /// Place now, a sub-step before and, while stepping, two before; velocity likewise.
    pub(super) place: DVec3,
    pub(super) place_before: DVec3,
    pub(super) place_older: DVec3,
    pub(super) velocity: DVec3,
    pub(super) velocity_before: DVec3,
    /// Place now where its bone is on its joint and as long as it may be, bones above it likewise.
    pub(super) hung: DVec3,
    /// Place without constraints at the end of this sub-step, and mass with the air's grip.
    pub(super) free: DVec3,
    pub(super) mass: f64,
    /// How much longer than its shape (metres), now and before.
    pub(super) stretch: f64,
    pub(super) stretch_before: f64,
    /// What its attachment pushes (multiplier), and in this round: stiffness and push.
    pub(super) pushed: DVec3,
    pub(super) stiffness: DMat3,
    pub(super) push: DVec3,
    /// How much its bone pulled it in the last round, as a multiplier; 0 where it pushed.
    pub(super) tension: f64,
    /// Whether its length gives way, and at which end of its range it stands (1 upper, -1 lower, 0 neither).
    pub(super) springs: bool,
    pub(super) stop: f64,
    /// Colliders on which it lies, a bit each.
    pub(super) touching: u64,
    /// How deep in colliders it ended the last sub-step (metres).
    pub(super) depth: f64,
    /// In its anchor, at the last sub-step and the one before.
    pub(super) shown: DVec3,
    pub(super) shown_before: DVec3,
    /// In model space, as written into the pose.
    pub(super) written: DVec3,
    /// Whether the sub-step before does not count: after a start, contact or jump.
    pub(super) fresh: bool,
    /// Whether something hit it in this sub-step.
    pub(super) hit: bool,
}

/// A joint that turns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JointState {
    pub(super) rotation: DQuat,
    /// The same where bones hang.
    pub(super) hung: DQuat,
    /// Its bend, in the frame above, now and a sub-step before.
    pub(super) bend: DVec3,
    pub(super) bend_before: DVec3,
    /// How far beyond its limits it ended the last sub-step (radians).
    pub(super) depth: f64,
}

/// A frame as written into the pose: its model transform, and the scale that its children take back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) model: DAffine3,
    pub(super) squash: DVec3,
    /// Whether one above it is squashed, which may shear it.
    pub(super) sheared: bool,
}

/// A link in one round: what it pushes, how stiffly, along which direction; and where in its range it is stopped.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tied {
    pub(super) push: f64,
    pub(super) hold: f64,
    pub(super) direction: DVec3,
    pub(super) stop: f64,
}

/// What the caller moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Surroundings {
    pub(super) anchors: Vec<Anchor>,
    /// What carries each tree's inertia.
    pub(super) carriers: Vec<Anchor>,
    /// Where the pose given has the ends of bones; only those of anchored ones are used.
    pub(super) held: Vec<DVec3>,
    pub(super) colliders: Vec<Shape>,
}

/// One bone's end, for forces and pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    /// Index of the bone in [`Springs::bones`].
    pub bone: usize,
    /// In model space (metres), at the last sub-step.
    pub position: DVec3,
    /// Metres a second.
    pub velocity: DVec3,
    /// Kilograms, as it is counted.
    pub mass: f64,
}

impl SpringState {
    /// The ends of the bones, in depth-first order; none before the first step.
    pub fn particles(&self) -> impl ExactSizeIterator<Item = Particle> + '_ {
        self.plan.parts.iter().zip(&self.ends).map(|(part, end)| Particle {
            bone: part.bone,
            position: end.hung,
            velocity: end.velocity,
            mass: part.mass,
        })
    }

    /// Makes the next step a jump: the bones are carried along with their anchors, however far they move.
    pub fn teleport(&mut self) {
        self.jumps = true;
    }

    /// Puts the bones back into their shape, at rest, in the next step.
    pub fn reset(&mut self) {
        self.begun = false;
    }

    /// Makes the plan fit the settings.
    pub(super) fn prepare(&mut self, springs: &Springs, skeleton: &Skeleton) {
        if self.plan.adopt(springs, skeleton) {
            return;
        }
        let mut pairs = Vec::new();
        self.plan.make(springs, skeleton, &mut pairs);
        self.net.shape(self.plan.size, &pairs);
        self.ends.clear();
        self.ends.resize(self.plan.parts.len(), End::default());
        self.turns.clear();
        self.turns.resize(self.plan.frames.len(), JointState::default());
        self.tied.clear();
        self.tied.resize(self.plan.links.len(), Tied::default());
        self.hits.clear();
        self.hits.resize(self.plan.roots.len(), false);
        let most = self.plan.frames.iter().map(|frame| frame.parts.len()).max().unwrap_or(0);
        self.pairs.reserve(most);
        self.begun = false;
    }

    /// Puts every bone into its shape, at rest.
    pub(super) fn begin(&mut self) {
        let Self { plan, ends, turns, after, .. } = self;
        for (place, frame) in plan.frames.iter().enumerate() {
            let anchor = &after.anchors[frame.anchor];
            let above = frame.above.map_or(anchor.turn, |hang| turns[hang.frame].rotation);
            let start = plan.start(place, &after.anchors, |part| ends[part].place, |frame| turns[frame].rotation);
            let rotation = above * frame.turned;
            turns[place] = JointState { rotation, ..JointState::default() };
            for part in frame.parts.clone() {
                let held = plan.parts[part].end.is_none();
                let way = rotation * plan.parts[part].arm;
                let at = if held { after.held[part] } else { start + way * plan.share(part, way.dot(way)) };
                let shown = anchor.local(at);
                ends[part] = End { place: at, hung: at, shown, shown_before: shown, fresh: true, ..End::default() };
            }
        }
        self.ridden.clone_from(&self.before.carriers);
        self.tied.fill(Tied::default());
        self.left = 0.0;
        self.begun = true;
    }

    /// Carries every bone with its anchor from where the surroundings were before to where they are now, as if nothing had
    /// happened meanwhile.
    pub(super) fn leap(&mut self) {
        for place in 0..self.plan.frames.len() {
            let anchor = self.plan.frames[place].anchor;
            let (from, to) = (self.before.anchors[anchor], self.now.anchors[anchor]);
            self.carry_frame(place, &from, &to);
            self.plan.frames[place].parts.clone().for_each(|part| self.ends[part].fresh = true);
        }
        core::mem::swap(&mut self.before, &mut self.now);
        self.ridden.clone_from(&self.before.carriers);
    }

    /// Carries the trees that have a carrier to where it is in this sub-step.
    pub(super) fn ride(&mut self) {
        for place in 0..self.plan.frames.len() {
            let anchor = self.plan.frames[place].anchor;
            if self.plan.carrier(self.plan.roots[anchor]).is_some() {
                let (from, to) = (self.ridden[anchor], self.now.carriers[anchor]);
                self.carry_frame(place, &from, &to);
            }
        }
        self.ridden.clone_from(&self.now.carriers);
    }

    /// Carries one frame's bones from one place to another, as they move.
    fn carry_frame(&mut self, place: usize, from: &Anchor, to: &Anchor) {
        let turn = to.turn * from.turn.conjugate();
        self.turns[place].rotation = turn * self.turns[place].rotation;
        for end in &mut self.ends[self.plan.frames[place].parts.clone()] {
            let (point, speed) = (|at| to.point(from.local(at)), |v| turn * v * (to.size / from.size));
            (end.place, end.place_before) = (point(end.place), point(end.place_before));
            end.hung = point(end.hung);
            (end.velocity, end.velocity_before) = (speed(end.velocity), speed(end.velocity_before));
        }
    }
}

impl Surroundings {
    /// Reads anchors, anchored ends and colliders off a pose. `false` where an anchor has no place.
    pub(super) fn read(&mut self, springs: &Springs, plan: &SpringPlan, skeleton: &Skeleton, pose: &Pose) -> bool {
        self.held.clear();
        self.held.extend(plan.parts.iter().map(|part| {
            let bone = &springs.bones[part.bone];
            let place = || pose.model(bone.joint).transform_point3(bone.arm(skeleton, pose));
            if bone.anchored { place() } else { DVec3::ZERO }
        }));
        self.colliders.clear();
        self.colliders.extend(springs.colliders.iter().map(|collider| match collider.joint {
            Some(joint) => collider.shape.carried(pose.model(joint)),
            None => collider.shape,
        }));
        let anchored = plan.read_anchors(skeleton, pose, &mut self.anchors);
        plan.read_carriers(pose, &self.anchors, &mut self.carriers);
        anchored && self.held.iter().all(|place| place.is_finite())
    }

    /// Sets this to another.
    pub(super) fn copy(&mut self, other: &Self) {
        self.anchors.clone_from(&other.anchors);
        self.carriers.clone_from(&other.carriers);
        self.held.clone_from(&other.held);
        self.colliders.clone_from(&other.colliders);
    }

    /// Sets this to a share of the way between two others.
    pub(super) fn mix(&mut self, from: &Self, to: &Self, share: f64) {
        self.carriers.clear();
        self.carriers.extend(from.carriers.iter().zip(&to.carriers).map(|(from, to)| from.toward(to, share)));
        self.anchors.clear();
        for (place, carrier) in self.carriers.iter().enumerate() {
            // On a carrier that turns an anchor goes round with it.
            let [before, after] = [from, to].map(|end| end.anchors[place].within(&end.carriers[place]));
            self.anchors.push(before.toward(&after, share).on(carrier));
        }
        self.held.clear();
        self.held.extend(from.held.iter().zip(&to.held).map(|(from, to)| *from + (*to - *from) * share));
        self.colliders.clear();
        self.colliders.extend(from.colliders.iter().zip(&to.colliders).map(|(from, to)| from.toward(to, share)));
    }
}
