//! What is remembered from frame to frame: how far the answer was from the animation.

use alloc::vec::Vec;
use core::mem::swap;

use glam::{DQuat, DVec3};

use super::coming::Coming;
use super::offset::Offsets;
use super::pace::Pace;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::transform::Transform;

/// What a [`Follow`](super::Follow) remembers from frame to frame, about four poses in size. `FollowState::default()`
/// remembers nothing, so its next step arrives at once.
#[derive(Clone, Debug, Default)]
pub struct FollowState {
    /// Those of the frame before.
    pub(super) animation: Pose,
    pub(super) answer: Pose,
    /// The solver's answer before joints were held to their pace, and that of the frame before.
    wanted: Pose,
    wanted_before: Pose,
    velocities: Vec<Velocity>,
    pub(super) coming: Coming,
}

/// How fast a joint's offset from the animation changes.
#[derive(Clone, Copy, Debug, Default)]
struct Velocity {
    /// About axes of the joint's own frame, or, of a hinge's coordinate, along x (radians a second).
    turn: DVec3,
    /// In the parent's frame, or, of a slide's coordinate, along x (metres a second).
    travel: DVec3,
}

impl FollowState {
    /// Forgets all: the next step arrives at once.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// How far from the animation the solver wanted the joints in the frame before. What their pace left of it is of no account:
    /// solves that started there would each want something else, and joints would chase it.
    pub(super) fn offsets<'a>(&'a self, skeleton: &'a Skeleton) -> Offsets<'a> {
        Offsets { skeleton, from: &self.animation, to: &self.wanted }
    }

    /// After the first solve: all rests.
    pub(super) fn begin(&mut self, skeleton: &Skeleton, wanted: &Pose) {
        self.wanted.clone_from(wanted);
        self.wanted_before.clone_from(wanted);
        self.velocities.clear();
        self.velocities.resize(skeleton.len(), Velocity::default());
    }

    /// After another solve.
    pub(super) fn want(&mut self, wanted: &Pose) {
        swap(&mut self.wanted, &mut self.wanted_before);
        self.wanted.clone_from(wanted);
    }

    /// Lets the joints of `pose`, which the solver wants, go no faster than they may from their offsets of the frame before.
    pub(super) fn pace(
        &mut self,
        skeleton: &Skeleton,
        animation: &Pose,
        pose: &mut Pose,
        (turns, travels): (Pace, Pace),
        dt: f64,
    ) {
        let offsets = |from, to| Offsets { skeleton, from, to };
        let way = Way {
            now: offsets(&self.animation, &self.answer),
            before: offsets(&self.animation, &self.wanted_before),
            wanted: offsets(animation, &self.wanted),
            paces: (turns, travels),
            dt,
        };
        let mut edit = pose.edit(skeleton);
        for (joint, velocity) in skeleton.iter().zip(&mut self.velocities) {
            match skeleton.drive(joint) {
                None => {
                    if let Some(local) = way.joint(joint, velocity) {
                        edit.local(joint, local);
                    }
                }
                // The first joint of a coordinate stands for all.
                Some(drive) if skeleton.driven(drive.coordinate).next() == Some(joint) => {
                    if let Some(q) = way.coordinate(drive.coordinate, joint, velocity) {
                        edit.coordinate(drive.coordinate, q);
                    }
                }
                Some(_) => {}
            }
        }
    }
}

/// From the answer of the frame before to what the solver wants.
struct Way<'a> {
    now: Offsets<'a>,
    /// What the solver wanted in the frame before.
    before: Offsets<'a>,
    /// From the animation of this frame.
    wanted: Offsets<'a>,
    /// Of turns and of travels.
    paces: (Pace, Pace),
    dt: f64,
}

impl Way<'_> {
    /// Where a hinge or slide gets; `None` where it arrives.
    fn coordinate(&self, coordinate: usize, joint: Joint, velocity: &mut Velocity) -> Option<f64> {
        let skeleton = self.wanted.skeleton;
        let (pace, velocity) = match skeleton.kind(joint) {
            Kind::Slide { .. } => (self.paces.1, &mut velocity.travel),
            _ => (self.paces.0, &mut velocity.turn),
        };
        let [now, before, wanted] =
            [&self.now, &self.before, &self.wanted].map(|offsets| DVec3::X * offsets.coordinate(coordinate));
        let step = pace.step(wanted - now, wanted - before, velocity, self.dt);
        let q = self.wanted.from.coordinates()[coordinate] + now.x + step.x;
        (step != wanted - now).then(|| skeleton.coordinates()[coordinate].range.clamp(q))
    }

    /// Where any other joint gets, inside its limit; `None` where it arrives.
    fn joint(&self, joint: Joint, velocity: &mut Velocity) -> Option<Transform> {
        let [now, before, wanted] = [&self.now, &self.before, &self.wanted].map(|offsets| offsets.of(joint));
        let between = |from: DQuat, to: DQuat| arc::rotation_vector(arc::normalize(from.conjugate() * to));
        let (turn_left, way_left) = (between(now.turn, wanted.turn), wanted.way - now.way);
        let turn = self.paces.0.step(turn_left, between(before.turn, wanted.turn), &mut velocity.turn, self.dt);
        let way = self.paces.1.step(way_left, wanted.way - before.way, &mut velocity.travel, self.dt);
        if turn == turn_left && way == way_left {
            return None;
        }
        let (here, mut local) = (self.wanted.from.local(joint), *self.wanted.to.local(joint));
        if turn != turn_left {
            local.rotation = arc::normalize(here.rotation * now.turn * arc::turn_by(turn));
        }
        if way != way_left {
            local.translation = here.translation + now.way + way;
        }
        Some(self.wanted.skeleton.nearest_allowed(joint, &local, 0.0))
    }
}
