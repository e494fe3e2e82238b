//! Where trees of bones are held, and what carries their inertia.

use alloc::vec::Vec;

use glam::{DAffine3, DQuat, DVec3};

use super::plan::SpringPlan;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};

/// Where the first joint of a tree of bones is held, without shear: the bones' space, in which a mirror above them is
/// one of theirs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Anchor {
    pub(super) place: DVec3,
    pub(super) turn: DQuat,
    pub(super) size: f64,
    pub(super) mirrored: bool,
}

impl Anchor {
    /// The frame at `place` as an affine map turns, mirrors and, evened out, scales it; `None` where that is no frame.
    fn of(map: &DAffine3, place: DVec3) -> Option<Self> {
        let columns = [map.matrix3.x_axis, map.matrix3.y_axis, map.matrix3.z_axis];
        let squared: f64 = columns.iter().map(|column| column.dot(*column)).sum();
        let turn = arc::rotation_of(&map.matrix3)?;
        let size = ops::sqrt(squared / 3.0);
        let usable = place.is_finite() && size > 0.0 && size.is_finite();
        usable.then(|| Self { place, turn, size, mirrored: map.matrix3.determinant() < 0.0 })
    }

    /// A vector of the skeleton in the bones' space, or back.
    pub(super) fn mirror(&self, v: DVec3) -> DVec3 {
        if self.mirrored { DVec3::new(-v.x, v.y, v.z) } else { v }
    }

    /// A rotation of the skeleton in the bones' space, or back.
    pub(super) fn mirror_turn(&self, q: DQuat) -> DQuat {
        if self.mirrored { DQuat::from_xyzw(q.x, -q.y, -q.z, q.w) } else { q }
    }

    /// A point of the anchor in model space.
    pub(super) fn point(&self, local: DVec3) -> DVec3 {
        self.place + self.turn * (local * self.size)
    }

    /// A point of model space in the anchor.
    pub(super) fn local(&self, point: DVec3) -> DVec3 {
        self.turn.conjugate() * (point - self.place) / self.size
    }

    /// This anchor as another has it.
    pub(super) fn within(&self, other: &Self) -> Self {
        let turn = arc::normalize(other.turn.conjugate() * self.turn);
        Self { place: other.local(self.place), turn, size: self.size / other.size, mirrored: self.mirrored }
    }

    /// What another has so, in model space.
    pub(super) fn on(&self, other: &Self) -> Self {
        let turn = arc::normalize(other.turn * self.turn);
        Self { place: other.point(self.place), turn, size: self.size * other.size, mirrored: self.mirrored }
    }

    /// Part of the way to another, 0 to 1.
    pub(super) fn toward(&self, other: &Self, share: f64) -> Self {
        Self {
            place: self.place + (other.place - self.place) * share,
            turn: arc::nlerp(self.turn, other.turn, share),
            size: self.size + (other.size - self.size) * share,
            mirrored: other.mirrored,
        }
    }
}

impl SpringPlan {
    /// Where each tree is held in a pose, into `anchors`. `false` where a scale of zero or a number that is none leaves
    /// no place.
    pub(super) fn read_anchors(&self, skeleton: &Skeleton, pose: &Pose, anchors: &mut Vec<Anchor>) -> bool {
        anchors.clear();
        anchors.extend(self.roots.iter().map_while(|&root| {
            let joint = self.frames[root].joint;
            let above = skeleton.parent(joint).map_or(*skeleton.base(joint), |parent| *pose.model(parent));
            Anchor::of(&above, pose.position(joint))
        }));
        anchors.len() == self.roots.len()
    }

    /// What carries each tree's inertia in a pose; the tree's own anchor where nothing does, for want of another.
    pub(super) fn read_carriers(&self, pose: &Pose, anchors: &[Anchor], carriers: &mut Vec<Anchor>) {
        carriers.clear();
        carriers.extend(self.roots.iter().zip(anchors).map(|(&root, anchor)| {
            let carrier = self.carrier(root);
            carrier.and_then(|joint| Anchor::of(pose.model(joint), pose.position(joint))).unwrap_or(*anchor)
        }));
    }

    /// The joint that carries a tree's inertia.
    pub(super) fn carrier(&self, root: usize) -> Option<Joint> {
        self.bones[self.parts[self.frames[root].parts.start].bone].carrier
    }
}
