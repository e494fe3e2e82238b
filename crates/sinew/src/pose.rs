//! One configuration of a skeleton: local transforms, model transforms and coordinates, which
//! always agree, because changes go through a guard that updates what hangs on them when it drops.

mod blend;
mod carry;
mod difference;
mod mass;

use alloc::vec;
use alloc::vec::Vec;

use glam::{DAffine3, DQuat, DVec3};

use crate::math::{arc, ops};
use crate::skeleton::{Joint, Kind, Skeleton, hinge_rotation, slide_value};
use crate::transform::{Rotation, Transform};
pub use difference::Difference;

/// Fingerprints by which a pose knows its skeleton.
fn of(skeleton: &Skeleton) -> (u32, u32) {
    let fingerprints = skeleton.fingerprints();
    (fingerprints.handles, fingerprints.poses)
}

/// Half a turn's sine, or share of a slide's distance from its parent, that lies off by rounding.
const OFF_VALUE: f64 = 1e-12;

/// The position and rotation of every joint of one skeleton. `clone_from` and [`reset`](Self::reset) do not allocate
/// between poses of skeletons of the same size. The default is an empty buffer for them.
#[derive(Debug, Default)]
pub struct Pose {
    /// Fingerprints of handles and poses.
    skeleton: (u32, u32),
    local: Vec<Transform>,
    model: Vec<DAffine3>,
    coordinates: Vec<f64>,
    /// Joints whose local changed since the last forward kinematics.
    changed: Vec<bool>,
}

impl Clone for Pose {
    fn clone(&self) -> Self {
        Self {
            skeleton: self.skeleton,
            local: self.local.clone(),
            model: self.model.clone(),
            coordinates: self.coordinates.clone(),
            changed: self.changed.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.skeleton = source.skeleton;
        self.local.clone_from(&source.local);
        self.model.clone_from(&source.model);
        self.coordinates.clone_from(&source.coordinates);
        self.changed.clone_from(&source.changed);
    }
}

/// Equal where every local, model transform and coordinate is.
impl PartialEq for Pose {
    fn eq(&self, other: &Self) -> bool {
        self.skeleton == other.skeleton
            && self.local == other.local
            && self.model == other.model
            && self.coordinates == other.coordinates
    }
}

impl Pose {
    pub(crate) fn at_rest(skeleton: &Skeleton) -> Self {
        let n = skeleton.len();
        let mut pose = Self {
            skeleton: of(skeleton),
            local: vec![Transform::IDENTITY; n],
            model: vec![DAffine3::IDENTITY; n],
            coordinates: vec![0.0; skeleton.coordinates().len()],
            changed: vec![false; n],
        };
        pose.reset(skeleton);
        pose
    }

    /// Returns to the rest pose of `skeleton`, whichever skeleton the pose belonged to before.
    pub fn reset(&mut self, skeleton: &Skeleton) {
        self.skeleton = of(skeleton);
        self.local.clear();
        self.local.extend(skeleton.iter().map(|joint| *skeleton.rest(joint)));
        self.model.resize(skeleton.len(), DAffine3::IDENTITY);
        self.changed.clear();
        self.changed.resize(skeleton.len(), false);
        self.coordinates.clear();
        self.coordinates.resize(skeleton.coordinates().len(), 0.0);
        for coordinate in 0..self.coordinates.len() {
            if let Some(first) = skeleton.driven(coordinate).next() {
                self.coordinates[coordinate] = self.coordinate_of_local(skeleton, first);
            }
        }
        for index in 0..self.local.len() {
            self.update_model(skeleton, index);
        }
    }

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.local.len()
    }

    /// Whether the pose has no joints.
    pub fn is_empty(&self) -> bool {
        self.local.is_empty()
    }

    /// Whether this is a pose of `skeleton`.
    pub fn fits(&self, skeleton: &Skeleton) -> bool {
        self.skeleton == of(skeleton) && self.local.len() == skeleton.len()
    }

    /// Transform relative to the parent.
    ///
    /// # Panics
    /// This and the other accessors panic when the joint belongs to another skeleton: with debug assertions always, without
    /// them when its index is out of range.
    pub fn local(&self, joint: Joint) -> &Transform {
        &self.local[self.place(joint)]
    }

    /// Affine map from the joint's frame to model space.
    pub fn model(&self, joint: Joint) -> &DAffine3 {
        &self.model[self.place(joint)]
    }

    /// The joint's origin in model space.
    pub fn position(&self, joint: Joint) -> DVec3 {
        self.model(joint).translation
    }

    /// The joint's rotation in model space. Below a mirror the x axis carries the mirror, as in engines that decompose
    /// matrices; shear is removed. Identity when a scale of zero leaves no rotation.
    pub fn rotation(&self, joint: Joint) -> DQuat {
        arc::rotation_of(&self.model(joint).matrix3).unwrap_or(DQuat::IDENTITY)
    }

    /// Coordinates of hinges (radians) and slides (metres), in the order of
    /// [`Skeleton::coordinates`].
    pub fn coordinates(&self) -> &[f64] {
        &self.coordinates
    }

    /// Present value of a hinge (radians) or slide (metres): its coordinate through its drive; 0 for
    /// joints of other kinds.
    pub fn value(&self, skeleton: &Skeleton, joint: Joint) -> f64 {
        skeleton.drive(joint).map_or(0.0, |drive| drive.multiplier * self.coordinates[drive.coordinate] + drive.offset)
    }

    /// Starts changing the pose; forward kinematics of what changed runs when the guard drops.
    ///
    /// # Panics
    /// Where the pose is another skeleton's.
    pub fn edit<'a>(&'a mut self, skeleton: &'a Skeleton) -> Edit<'a> {
        assert!(self.fits(skeleton), "the pose belongs to another skeleton");
        Edit { pose: self, skeleton, first: usize::MAX, end: 0 }
    }

    /// How far outside its limit a joint would be at `local`: the chord of half the angle to the nearest allowed.
    pub(crate) fn excess(&self, skeleton: &Skeleton, joint: Joint, local: &Transform) -> f64 {
        let nearest = skeleton.nearest_allowed(joint, local, self.value(skeleton, joint)).rotation;
        let difference =
            if nearest.dot(local.rotation) < 0.0 { nearest + local.rotation } else { nearest - local.rotation };
        ops::sqrt(difference.dot(difference))
    }

    /// Moves every joint to the nearest that its limit allows.
    pub(crate) fn project_on_limits(&mut self, skeleton: &Skeleton) {
        let mut edit = self.edit(skeleton);
        for coordinate in 0..skeleton.coordinates().len() {
            let (range, q) = (skeleton.coordinates()[coordinate].range, edit.pose.coordinates[coordinate]);
            let off = skeleton.driven(coordinate).any(|joint| edit.pose.is_off_value(skeleton, joint));
            if off || !range.contains(q) {
                let mut driven = skeleton.driven(coordinate);
                let alone = driven.next().filter(|_| driven.next().is_none());
                // Followers count turns otherwise: the line decides.
                let nearest = match alone.and_then(|joint| skeleton.hinge(joint)) {
                    Some((_, range)) => range.clamp_angle(q, q),
                    None => range.clamp(q),
                };
                edit.coordinate(coordinate, nearest);
            }
        }
        for joint in skeleton.iter().filter(|&j| matches!(skeleton.kind(j), Kind::Ball(_))) {
            let local = *edit.pose.local(joint);
            let nearest = skeleton.nearest_allowed(joint, &local, 0.0);
            if nearest != local {
                edit.local(joint, nearest);
            }
        }
    }

    /// Whether a hinge or slide is somewhere else than its [`value`](Self::value) says, by more than rounding: turned or
    /// moved beside its axis, as joints may rest and as [`Edit::local`] leaves them, or a follower that rests elsewhere.
    pub fn is_off_value(&self, skeleton: &Skeleton, joint: Joint) -> bool {
        let (local, zero) = (&self.local[joint.index()], skeleton.zero(joint));
        // A joint that shares its coordinate with no other has the value that it stands at.
        let drive = skeleton.drive(joint).filter(|drive| skeleton.coordinates()[drive.coordinate].joints.len() > 1);
        let value = drive.map(|drive| (self.value(skeleton, joint), drive.offset.abs()));
        let (off, size) = match (skeleton.kind(joint), value) {
            (Kind::Hinge { axis, .. }, None) => {
                let turn = zero.rotation.conjugate() * local.rotation;
                (arc::reject(DVec3::new(turn.x, turn.y, turn.z), axis), 1.0)
            }
            (Kind::Hinge { axis, .. }, Some((value, offset))) => {
                let turn = hinge_rotation(zero, axis, value).conjugate() * local.rotation;
                (DVec3::new(turn.x, turn.y, turn.z), 1.0 + value.abs() + offset)
            }
            (Kind::Slide { axis, .. }, value) => {
                let (from, to) = (zero.translation, local.translation);
                let (off, along) = (to - from, zero.rotation * axis);
                let beside = value.map_or_else(|| arc::reject(off, along), |(value, _)| off - along * value);
                let offset = value.map_or(0.0, |(_, offset)| offset);
                (beside, arc::length(from).max(arc::length(to)) + offset)
            }
            _ => return false,
        };
        arc::length(off) > OFF_VALUE * size
    }

    /// The coordinate that the joint's local transform stands for: of equal angles the turn inside the joint's
    /// range that is nearest to the present value, or the nearest of all where none is inside.
    fn coordinate_of_local(&self, skeleton: &Skeleton, joint: Joint) -> f64 {
        let Some(drive) = skeleton.drive(joint) else { return 0.0 };
        let local = &self.local[joint.index()];
        let zero = skeleton.zero(joint);
        let before = drive.multiplier * self.coordinates[drive.coordinate] + drive.offset;
        let value = match skeleton.kind(joint) {
            Kind::Hinge { axis, .. } => {
                let angle = arc::twist_angle(zero.rotation.conjugate() * local.rotation, axis);
                skeleton.range(joint).turn_of(angle, before)
            }
            Kind::Slide { axis, .. } => slide_value(zero, axis, local),
            _ => before,
        };
        skeleton.coordinate_at(joint, drive, value)
    }

    /// What is independent: fingerprints, local transforms and coordinates.
    #[cfg(feature = "serde")]
    pub(crate) fn parts(&self) -> ((u32, u32), &[Transform], &[f64]) {
        (self.skeleton, &self.local, &self.coordinates)
    }

    /// Takes local transforms and coordinates of as many joints as the skeleton's, and runs forward kinematics.
    #[cfg(feature = "serde")]
    pub(crate) fn set_parts(&mut self, skeleton: &Skeleton, local: &[Transform], coordinates: &[f64]) {
        self.local.copy_from_slice(local);
        self.coordinates.copy_from_slice(coordinates);
        (0..self.local.len()).for_each(|index| self.update_model(skeleton, index));
    }

    /// Whether one of a coordinate's joints stands where it says, but for rounding. Not all need to: a follower may rest elsewhere.
    #[cfg(feature = "serde")]
    pub(crate) fn stands_at(&self, skeleton: &Skeleton, coordinate: usize) -> bool {
        let q = self.coordinates[coordinate];
        let near = |joint: Joint| (self.coordinate_of_local(skeleton, joint) - q).abs() <= 1e-9 * (1.0 + q.abs());
        skeleton.driven(coordinate).any(near)
    }

    /// Where a joint of the pose's skeleton is in its arrays.
    fn place(&self, joint: Joint) -> usize {
        joint.assert_of(self.skeleton.0);
        joint.index()
    }

    #[inline(always)]
    fn update_model(&mut self, skeleton: &Skeleton, index: usize) {
        let local = self.local[index].to_affine();
        self.model[index] = match skeleton.parent_index(index) {
            Some(parent) => self.model[parent] * local,
            None => *skeleton.base_at(index) * local,
        };
    }

    /// Forward kinematics of changed joints in `first..end` and of all below them.
    fn update(&mut self, skeleton: &Skeleton, first: usize, end: usize) {
        for index in first..end {
            let above = skeleton.parent_index(index).is_some_and(|p| p >= first && self.changed[p]);
            if above || self.changed[index] {
                self.changed[index] = true;
                self.update_model(skeleton, index);
            }
        }
        self.changed[first..end].fill(false);
    }
}

/// A change of a pose in progress; dropping it brings model transforms up to date.
///
/// Values are taken as given, also outside limits. A rotation that is not one (zero, NaN) makes the joint's model transform
/// NaN, to which solvers answer [`Status::Invalid`](crate::Status).
#[derive(Debug)]
pub struct Edit<'a> {
    pose: &'a mut Pose,
    skeleton: &'a Skeleton,
    first: usize,
    end: usize,
}

impl Edit<'_> {
    /// The pose so far; model transforms are those from before the change.
    pub fn pose(&self) -> &Pose {
        self.pose
    }

    /// Sets a joint's local rotation, and with it a hinge's coordinate; see [`local`](Self::local).
    #[inline]
    pub fn rotation(&mut self, joint: Joint, rotation: impl Into<Rotation>) -> &mut Self {
        self.local_mut(joint).rotation = rotation.into().0;
        if matches!(self.skeleton.kind(joint), Kind::Hinge { .. }) {
            self.follow(joint);
        }
        self
    }

    /// Sets a joint's local translation, and with it a slide's coordinate; see [`local`](Self::local).
    pub fn translation(&mut self, joint: Joint, translation: impl Into<DVec3>) -> &mut Self {
        self.local_mut(joint).translation = translation.into();
        if matches!(self.skeleton.kind(joint), Kind::Slide { .. }) {
            self.follow(joint);
        }
        self
    }

    /// Sets a joint's local scale; no coordinate depends on it.
    pub fn scale(&mut self, joint: Joint, scale: impl Into<DVec3>) -> &mut Self {
        self.local_mut(joint).scale = scale.into();
        self
    }

    /// Sets a joint's local transform. If the joint has a coordinate, this becomes the turn about its axis (or the offset
    /// along it), and followers move with it. Of the turns of one angle it takes the one inside the joint's range that is
    /// nearest to the value before, or the nearest of all when none is inside. What lies off the axis stays until a solver
    /// moves the joint.
    pub fn local(&mut self, joint: Joint, local: Transform) -> &mut Self {
        *self.local_mut(joint) = local;
        self.follow(joint);
        self
    }

    /// Brings the joint's coordinate, if it has one, and its other joints after the joint's local transform.
    fn follow(&mut self, joint: Joint) {
        if let Some(drive) = self.skeleton.drive(joint) {
            let q = self.pose.coordinate_of_local(self.skeleton, joint);
            self.pose.coordinates[drive.coordinate] = q;
            self.drive(drive.coordinate, q, Some(joint));
        }
    }

    /// Sets the value of a hinge (radians) or slide (metres), and with it its coordinate and its followers; other joints
    /// have none.
    pub(crate) fn value(&mut self, joint: Joint, value: f64) -> &mut Self {
        match self.skeleton.drive(joint) {
            Some(drive) => self.coordinate(drive.coordinate, self.skeleton.coordinate_at(joint, drive, value)),
            None => self,
        }
    }

    /// Sets a coordinate (radians or metres) and with it every joint it drives. An index out of
    /// range does nothing.
    pub fn coordinate(&mut self, coordinate: usize, q: f64) -> &mut Self {
        if let Some(value) = self.pose.coordinates.get_mut(coordinate) {
            *value = q;
            self.drive(coordinate, q, None);
        }
        self
    }

    /// Places the joints of a coordinate, but for `except`.
    fn drive(&mut self, coordinate: usize, q: f64, except: Option<Joint>) {
        let skeleton = self.skeleton;
        for joint in skeleton.driven(coordinate).filter(|&j| Some(j) != except) {
            let Some(drive) = skeleton.drive(joint) else { continue };
            let (value, zero) = (drive.multiplier * q + drive.offset, skeleton.zero(joint));
            let local = &mut self.pose.local[joint.index()];
            match skeleton.kind(joint) {
                Kind::Hinge { axis, .. } => local.rotation = hinge_rotation(zero, axis, value),
                Kind::Slide { axis, .. } => local.translation = zero.translation + zero.rotation * (axis * value),
                _ => {}
            }
            self.mark(joint);
        }
    }

    /// A joint's local transform, marked as changed.
    fn local_mut(&mut self, joint: Joint) -> &mut Transform {
        self.mark(joint);
        &mut self.pose.local[joint.index()]
    }

    fn mark(&mut self, joint: Joint) {
        let index = self.pose.place(joint);
        self.pose.changed[index] = true;
        self.first = self.first.min(index);
        self.end = self.end.max(self.skeleton.subtree_end_at(index));
    }
}

impl Drop for Edit<'_> {
    fn drop(&mut self) {
        if self.first < self.end {
            self.pose.update(self.skeleton, self.first, self.end);
        }
    }
}
