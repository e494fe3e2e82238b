//! The tree of joints itself, and what it answers.

use alloc::vec::Vec;

use glam::{DAffine3, DQuat, DVec3};

use super::fingerprint::Fingerprints;
use super::joint::{Joint, JointData, Mass, NONE, hinge_rotation, slide_value};
use super::kind::{BallLimit, Coordinate, Drive, Kind};
use crate::limit::Range;
use crate::pose::Pose;
use crate::transform::Transform;

/// The immutable description of a character or robot: joints in strict depth-first order in flat arrays, a parent before
/// its children. The subtree of a joint is a range of indices ([`subtree`](Self::subtree)). The spine, or else the longest
/// chain, comes first among siblings. [`SkeletonBuilder`](crate::SkeletonBuilder) takes joints in any order and keeps a map
/// back to the caller's.
#[doc(alias = "armature")]
#[doc(alias = "kinematic tree")]
#[doc(alias = "rig")]
#[derive(Clone, Debug)]
pub struct Skeleton {
    pub(super) joints: Vec<JointData>,
    pub(super) from_caller: Vec<u32>,
    pub(super) roots: Vec<u32>,
    pub(super) bases: Vec<DAffine3>,
    pub(super) coordinates: Vec<Coordinate>,
    /// Joints sorted by name, for look-ups.
    pub(super) by_name: Vec<u32>,
    pub(super) fingerprints: Fingerprints,
}

impl Skeleton {
    /// Number of joints; at least one.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Never: a skeleton has at least one joint.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// All joints in depth-first order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Joint> + DoubleEndedIterator + use<> {
        let skeleton = self.fingerprints.handles;
        (0..self.joints.len() as u32).map(move |index| Joint { index, skeleton })
    }

    /// The joint at a depth-first index.
    pub fn at(&self, index: usize) -> Option<Joint> {
        (index < self.joints.len()).then_some(Joint { index: index as u32, skeleton: self.fingerprints.handles })
    }

    /// Whether the handle is one of this skeleton's.
    pub fn contains(&self, joint: Joint) -> bool {
        joint.skeleton == self.fingerprints.handles && (joint.index as usize) < self.joints.len()
    }

    /// The roots in depth-first order.
    pub fn roots(&self) -> impl ExactSizeIterator<Item = Joint> + '_ {
        self.roots.iter().map(|&index| self.handle(index))
    }

    /// The constant affine map from above the root of this joint's tree to model space.
    ///
    /// # Panics
    /// All accessors that take a [`Joint`] panic when it belongs to another skeleton: with debug assertions always, without
    /// them when its index is out of range.
    pub fn base(&self, joint: Joint) -> &DAffine3 {
        &self.bases[self.joint_data(joint).root as usize]
    }

    /// The joint's parent; `None` for a root.
    #[inline]
    pub fn parent(&self, joint: Joint) -> Option<Joint> {
        let parent = self.joint_data(joint).parent;
        (parent != NONE).then(|| self.handle(parent))
    }

    /// The joint's children, spine or longest chain first.
    pub fn children(&self, joint: Joint) -> impl Iterator<Item = Joint> + '_ {
        let end = self.joint_data(joint).subtree_end;
        let mut next = joint.index + 1;
        core::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.joints[child as usize].subtree_end;
            Some(self.handle(child))
        })
    }

    /// Depth-first indices of the joint and everything below it.
    pub fn subtree(&self, joint: Joint) -> core::ops::Range<usize> {
        joint.index()..self.joint_data(joint).subtree_end as usize
    }

    /// Whether `joint` is `above` or below it.
    pub fn is_below(&self, joint: Joint, above: Joint) -> bool {
        self.subtree(above).contains(&joint.index())
    }

    /// Rest transform relative to the parent.
    #[inline]
    pub fn rest(&self, joint: Joint) -> &Transform {
        &self.joint_data(joint).rest
    }

    /// The transform from which the joint's kind and limit are measured; by default its rest.
    #[inline]
    pub fn zero(&self, joint: Joint) -> &Transform {
        &self.joint_data(joint).zero
    }

    /// What the joint may do.
    #[inline]
    pub fn kind(&self, joint: Joint) -> Kind {
        self.joint_data(joint).kind
    }

    /// How its coordinate drives the joint; `None` unless it is a hinge or slide.
    pub fn drive(&self, joint: Joint) -> Option<Drive> {
        self.joint_data(joint).drive
    }

    /// The range of a hinge (radians) or slide (metres) in which every joint on its coordinate is inside its own range: the
    /// joint's range, or what its followers leave of it. [`Range::FREE`] for other kinds.
    pub fn range(&self, joint: Joint) -> Range {
        self.joint_data(joint).range
    }

    /// The coordinate at which a joint has a value: inside its range where the value is, although a small multiplier makes
    /// the rounding of one more than that of the other.
    pub(crate) fn coordinate_at(&self, joint: Joint, drive: Drive, value: f64) -> f64 {
        let q = (value - drive.offset) / drive.multiplier;
        if self.range(joint).contains(value) { self.coordinates[drive.coordinate].range.clamp(q) } else { q }
    }

    /// Resistance to moving, relative to other joints; 1 by default, greater than 0.
    pub fn stiffness(&self, joint: Joint) -> f64 {
        self.joint_data(joint).stiffness
    }

    /// Unit axis in the joint's rest frame about which a straight limb prefers to bend (a positive turn folds it); `None`
    /// when none is known.
    pub fn bend(&self, joint: Joint) -> Option<DVec3> {
        self.joint_data(joint).bend
    }

    /// Mass of the joint's rigid body; none by default.
    pub fn mass(&self, joint: Joint) -> Mass {
        self.joint_data(joint).mass
    }

    /// The joint's name, where it has one.
    pub fn name(&self, joint: Joint) -> Option<&str> {
        self.joint_data(joint).name.as_deref()
    }

    /// Index of the joint in the order in which the caller added joints.
    pub fn caller_index(&self, joint: Joint) -> usize {
        self.joint_data(joint).caller as usize
    }

    /// The joint that the caller added with this index.
    pub fn from_caller(&self, index: usize) -> Option<Joint> {
        self.from_caller.get(index).map(|&i| self.handle(i))
    }

    /// The coordinates in the caller's order.
    pub fn coordinates(&self) -> &[Coordinate] {
        &self.coordinates
    }

    /// Index of the coordinate with exactly this name, the first when several have it.
    pub fn coordinate(&self, name: &str) -> Option<usize> {
        self.coordinates.iter().position(|coordinate| coordinate.name.as_deref() == Some(name))
    }

    /// The joints that a coordinate drives, in depth-first order; none for an index out of range.
    pub fn driven(&self, coordinate: usize) -> impl Iterator<Item = Joint> + '_ {
        let joints = self.coordinates.get(coordinate).map_or(&[][..], |c| &c.joints);
        joints.iter().map(|&index| self.handle(index))
    }

    /// The pose that the file or builder gave, even where it breaks limits.
    pub fn rest_pose(&self) -> Pose {
        Pose::at_rest(self)
    }

    /// The rest pose projected on every joint's limits.
    pub fn neutral_pose(&self) -> Pose {
        let mut pose = Pose::at_rest(self);
        pose.project_on_limits(self);
        pose
    }

    /// The transform nearest to `local` (relative to the parent) that the kind and limit of the joint allow, and those of
    /// the joints that follow it. A ball that is allowed comes back bit for bit. A hinge loses what lies off its axis, and
    /// of equal angles takes the turn nearest to `near` (radians), its present value.
    pub fn nearest_allowed(&self, joint: Joint, local: &Transform, near: f64) -> Transform {
        let data = self.joint_data(joint);
        let mut result = *local;
        match &data.kind {
            Kind::Fixed => result = data.rest,
            &Kind::Hinge { axis, .. } => {
                let turn = data.zero.rotation.conjugate() * local.rotation;
                let value = data.range.clamp_angle(crate::math::arc::twist_angle(turn, axis), near);
                result.rotation = hinge_rotation(&data.zero, axis, value);
            }
            &Kind::Slide { axis, .. } => {
                let value = slide_value(&data.zero, axis, local);
                result.translation = data.zero.translation + data.zero.rotation * (axis * data.range.clamp(value));
                result.rotation = data.zero.rotation;
            }
            Kind::Ball(_) | Kind::Free => result.rotation = self.nearest_turn(joint, local.rotation),
        }
        result
    }

    /// The same of the rotation of a joint that turns about all axes.
    pub(crate) fn nearest_turn(&self, joint: Joint, rotation: DQuat) -> DQuat {
        let data = self.joint_data(joint);
        let (Kind::Ball(limit), false) = (&data.kind, self.is_free_ball(joint)) else { return rotation };
        let turn = data.zero.rotation.conjugate() * rotation;
        let nearest = limit.project(turn);
        if nearest == turn { rotation } else { data.zero.rotation * nearest }
    }

    /// Whether a joint turns about all axes and nothing limits it.
    pub(crate) fn is_free_ball(&self, joint: Joint) -> bool {
        matches!(self.joint_data(joint).kind, Kind::Ball(BallLimit::Free) | Kind::Free)
    }

    /// A hinge's axis, and the range that it and its followers may use; `None` for other kinds.
    pub(crate) fn hinge(&self, joint: Joint) -> Option<(DVec3, Range)> {
        let data = self.joint_data(joint);
        match data.kind {
            Kind::Hinge { axis, .. } => Some((axis, data.range)),
            _ => None,
        }
    }

    pub(crate) fn fingerprints(&self) -> Fingerprints {
        self.fingerprints
    }

    pub(crate) fn handle(&self, index: u32) -> Joint {
        Joint { index, skeleton: self.fingerprints.handles }
    }

    /// Parent's depth-first index.
    pub(crate) fn parent_index(&self, index: usize) -> Option<usize> {
        let parent = self.joints[index].parent;
        (parent != NONE).then_some(parent as usize)
    }

    /// Root's base by depth-first index.
    pub(crate) fn base_at(&self, index: usize) -> &DAffine3 {
        &self.bases[self.joints[index].root as usize]
    }

    pub(crate) fn subtree_end_at(&self, index: usize) -> usize {
        self.joints[index].subtree_end as usize
    }

    #[inline]
    pub(super) fn joint_data(&self, joint: Joint) -> &JointData {
        joint.assert_of(self.fingerprints.handles);
        &self.joints[joint.index as usize]
    }
}
