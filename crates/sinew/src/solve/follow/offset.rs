//! How far joints are from where the animation has them.

use glam::{DQuat, DVec3};

use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::transform::Transform;

/// Angle (radians), and share of a joint's distance from its parent, below which it is where the animation has it.
const NONE: f64 = 1e-9;

/// What leads from one pose to another, joint by joint.
#[derive(Clone, Copy)]
pub(super) struct Offsets<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) from: &'a Pose,
    pub(super) to: &'a Pose,
}

/// What leads from one local transform to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offset {
    /// In the joint's own frame.
    pub(super) turn: DQuat,
    /// In the parent's frame (metres).
    pub(super) way: DVec3,
    growth: DVec3,
}

impl Offsets<'_> {
    /// Of a joint.
    pub(super) fn of(&self, joint: Joint) -> Offset {
        let (from, to) = (self.from.local(joint), self.to.local(joint));
        let turn = if from.rotation == to.rotation {
            DQuat::IDENTITY
        } else {
            arc::normalize(from.rotation.conjugate() * to.rotation)
        };
        Offset { turn, way: to.translation - from.translation, growth: to.scale - from.scale }
    }

    /// Of a coordinate.
    pub(super) fn coordinate(&self, coordinate: usize) -> f64 {
        self.to.coordinates()[coordinate] - self.from.coordinates()[coordinate]
    }

    /// Adds a share of the offsets to a pose, inside the limits; joints without one stay, bit for bit.
    pub(super) fn add_to(&self, pose: &mut Pose, share: f64) {
        let skeleton = self.skeleton;
        let mut edit = pose.edit(skeleton);
        for coordinate in 0..self.to.coordinates().len() {
            let offset = share * self.coordinate(coordinate);
            if offset.abs() > NONE {
                let q = edit.pose().coordinates()[coordinate] + offset;
                edit.coordinate(coordinate, skeleton.coordinates()[coordinate].range.clamp(q));
            }
        }
        for joint in skeleton.iter().filter(|&joint| skeleton.drive(joint).is_none()) {
            let here = *edit.pose().local(joint);
            if let Some(local) = self.of(joint).added_to(&here, share) {
                edit.local(joint, skeleton.nearest_allowed(joint, &local, 0.0));
            }
        }
    }
}

impl Offset {
    /// A transform with a share of the offset; `None` where that is nothing.
    fn added_to(&self, here: &Transform, share: f64) -> Option<Transform> {
        let turn = arc::rotation_vector(self.turn) * share;
        let (way, growth) = (self.way * share, self.growth * share);
        let turns = arc::length(turn) > NONE;
        let moves = arc::length(way) > NONE * arc::length(here.translation);
        let grows = arc::length(growth) > NONE * arc::length(here.scale);
        (turns || moves || grows).then(|| Transform {
            rotation: arc::normalize(here.rotation * arc::turn_by(turn)),
            translation: here.translation + way,
            scale: here.scale + growth,
        })
    }
}
