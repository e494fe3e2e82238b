//! Part of the way from one pose to another.

use glam::{DQuat, DVec3};

use super::Pose;
use crate::math::arc;
use crate::skeleton::{Joint, Kind, Skeleton, hinge_rotation};
use crate::transform::Transform;

impl Pose {
    /// Moves the pose a share of the way to another of the same skeleton: coordinates, translations and scales along
    /// a line, rotations along the shortest turn at even speed. A hinge turns as its coordinate does, through whole
    /// turns too. At 0 and below the pose stays, at 1 and above it is the other, bit for bit; between, a joint that
    /// is alike in both stays. Two rotations half a turn apart have two shortest turns: it is always the same one.
    /// Does not allocate. Limits are not looked at: hinges and slides stay between their two values, but balls may leave
    /// their limits.
    ///
    /// ```
    /// use sinew::{Rotation, Skeleton, glam::DVec3};
    ///
    /// let arm = Skeleton::from_lengths(&[0.3, 0.2])?;
    /// let elbow = arm.joint("joint_1")?;
    /// let (rest, mut bent) = (arm.rest_pose(), arm.rest_pose());
    /// bent.edit(&arm).rotation(elbow, Rotation::about(DVec3::X, 0.8));
    /// let mut pose = rest.clone();
    /// pose.blend(&arm, &bent, 0.25);
    /// assert!((pose.difference(&rest).angle - 0.2).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Where one of the poses is another skeleton's.
    pub fn blend(&mut self, skeleton: &Skeleton, to: &Self, share: f64) {
        assert!(self.fits(skeleton), "the pose belongs to another skeleton");
        self.assert_alike(to);
        if share >= 1.0 {
            self.clone_from(to);
        } else if share > 0.0 {
            for joint in skeleton.iter() {
                self.local[joint.index()] = self.blended(skeleton, joint, to, share);
            }
            for (own, other) in self.coordinates.iter_mut().zip(&to.coordinates) {
                *own += (other - *own) * share;
            }
            for index in 0..self.len() {
                self.update_model(skeleton, index);
            }
        }
    }

    /// A joint's local transform part of the way.
    fn blended(&self, skeleton: &Skeleton, joint: Joint, to: &Self, share: f64) -> Transform {
        let (a, b) = (&self.local[joint.index()], &to.local[joint.index()]);
        let rotation = match skeleton.kind(joint) {
            Kind::Hinge { axis, .. } => self.hinge_between(skeleton, (joint, axis), to, share),
            _ if a.rotation == b.rotation => a.rotation,
            _ => arc::part_of_turn(a.rotation, b.rotation, share),
        };
        Transform {
            translation: a.translation + (b.translation - a.translation) * share,
            rotation,
            scale: a.scale + (b.scale - a.scale) * share,
        }
    }

    /// A hinge's rotation part of the way; what lies off its axis goes along.
    fn hinge_between(&self, skeleton: &Skeleton, (joint, axis): (Joint, DVec3), to: &Self, share: f64) -> DQuat {
        let [(a, from), (b, until)] = [self, to].map(|pose| (pose.local(joint).rotation, pose.value(skeleton, joint)));
        if (a, from) == (b, until) {
            return a;
        }
        let turn = |value: f64| hinge_rotation(skeleton.zero(joint), axis, value);
        let between = turn(from + (until - from) * share);
        if [self, to].iter().any(|pose| pose.is_off_value(skeleton, joint)) {
            let off = |rotation: DQuat, value: f64| turn(value).conjugate() * rotation;
            return arc::normalize(between * arc::part_of_turn(off(a, from), off(b, until), share));
        }
        between
    }
}
