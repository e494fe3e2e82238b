//! Poses brought along: to a revision of their skeleton, and from an engine's matrices.

use glam::{DAffine3, DMat3, DVec3};

use super::Pose;
use crate::math::{affine, arc};
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::transform::Transform;

impl Pose {
    /// The pose for a [revision](Skeleton::revised) of its skeleton: every joint's local transform stays. A hinge or slide
    /// that is one in both skeletons keeps its turns; a new one has the coordinate that its transform stands for, and what
    /// lies off its axis stays until a solver moves the joint. `None` where one of the skeletons is another one.
    pub fn revised(&self, from: &Skeleton, to: &Skeleton) -> Option<Self> {
        let handles = |skeleton: &Skeleton| skeleton.fingerprints().handles;
        if !self.fits(from) || handles(from) != handles(to) {
            return None;
        }
        let mut pose = to.rest_pose();
        pose.local.clone_from(&self.local);
        for coordinate in 0..pose.coordinates.len() {
            let Some(first) = to.driven(coordinate).next() else { continue };
            let drive = to.drive(first)?;
            pose.coordinates[coordinate] = to.coordinate_at(first, drive, self.value(from, first));
            if axis(from, first) != axis(to, first) || from.zero(first) != to.zero(first) {
                pose.coordinates[coordinate] = pose.coordinate_of_local(to, first);
            }
        }
        for index in 0..pose.len() {
            pose.update_model(to, index);
        }
        Some(pose)
    }

    /// Puts every joint where an engine's matrices have it: an affine map from each joint's frame to model space, in
    /// depth-first order ([`Skeleton::iter`]). Each becomes a translation, rotation and scale below its parent. Shear,
    /// which these cannot hold, is lost. A scale has the signs that it has at rest; where a mirror is added or missing, the
    /// sign along x is the opposite. Hinges and slides get the coordinate that their transform stands for. What lies off
    /// their axes stays, and limits are ignored. Does not allocate.
    ///
    /// `false`, and the pose stays, when the number of maps is not that of the joints, or one is not finite or flattens
    /// space: such a joint has no rotation, and what is below it no position.
    ///
    /// ```
    /// use sinew::{Skeleton, glam::{DAffine3, DQuat}};
    ///
    /// let arm = Skeleton::from_lengths(&[0.3, 0.2])?;
    /// let (mut pose, turned) = (arm.rest_pose(), DAffine3::from_quat(DQuat::from_rotation_x(0.5)));
    /// let models: Vec<_> = arm.iter().map(|joint| turned * *arm.rest_pose().model(joint)).collect();
    /// assert!(pose.set_models(&arm, &models));
    /// assert!(arm.iter().all(|joint| pose.model(joint).abs_diff_eq(models[joint.index()], 1e-15)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Where the pose is another skeleton's.
    pub fn set_models(&mut self, skeleton: &Skeleton, models: &[DAffine3]) -> bool {
        let sound = |map: &DAffine3| map.is_finite() && affine::is_regular(&map.matrix3);
        let local = |index: usize| {
            let above = skeleton.parent_index(index).map_or(skeleton.base_at(index), |parent| &models[parent]);
            let signs = skeleton.at(index).map_or(DVec3::ONE, |joint| skeleton.rest(joint).scale.signum());
            parts(&(affine::inverse(above)? * models[index]), signs)
        };
        let fit = models.len() == skeleton.len() && models.iter().all(sound);
        if !fit || !(0..models.len()).all(|index| local(index).is_some()) {
            return false;
        }
        let mut edit = self.edit(skeleton);
        for joint in skeleton.iter() {
            if let Some(local) = local(joint.index()) {
                edit.local(joint, local);
            }
        }
        true
    }
}

/// The axis of a hinge (`false`) or slide (`true`).
fn axis(skeleton: &Skeleton, joint: Joint) -> Option<(bool, DVec3)> {
    match skeleton.kind(joint) {
        Kind::Hinge { axis, .. } => Some((false, axis)),
        Kind::Slide { axis, .. } => Some((true, axis)),
        _ => None,
    }
}

/// Translation, rotation and scale that make a map, without its shear. The scale has these signs, or the opposite one
/// along x.
fn parts(map: &DAffine3, signs: DVec3) -> Option<Transform> {
    let unsigned = map.matrix3 * DMat3::from_diagonal(signs);
    let rotation = arc::rotation_of(&unsigned)?;
    let left = DMat3::from_quat(rotation.conjugate()) * map.matrix3;
    let scale = DVec3::new(left.x_axis.x, left.y_axis.y, left.z_axis.z);
    Some(Transform { translation: map.translation, rotation, scale })
}
