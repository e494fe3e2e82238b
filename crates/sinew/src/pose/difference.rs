//! How far two poses of one skeleton are apart.

use glam::DVec3;

use super::Pose;
use crate::math::arc;
use crate::skeleton::Joint;

/// How far joints are apart in two poses. NaN where a pose is not finite.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// Between the origins in model space (metres).
    pub distance: f64,
    /// Of the shortest turn from one rotation relative to the parent to the other (radians, at most π).
    pub angle: f64,
}

impl Pose {
    /// The largest distance and the largest angle of all joints, perhaps of two of them; zero for equal poses.
    /// Whole turns of a hinge are not seen, nor are scales but by where they put the joints below.
    ///
    /// ```
    /// use sinew::{Rotation, Skeleton, glam::DVec3};
    ///
    /// let arm = Skeleton::from_lengths(&[0.3, 0.2])?;
    /// let [elbow, hand] = arm.joints(["joint_1", "joint_2"])?;
    /// let (rest, mut bent) = (arm.rest_pose(), arm.rest_pose());
    /// bent.edit(&arm).rotation(elbow, Rotation::about(DVec3::X, 0.5));
    /// // The elbow turned, and the hand is what moved farthest.
    /// let apart = rest.difference(&bent);
    /// assert!((apart.angle - 0.5).abs() < 1e-12);
    /// assert_eq!(apart.distance, rest.joint_difference(&bent, hand).distance);
    /// assert_eq!(rest.joint_difference(&bent, hand).angle, 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Where the poses are of different skeletons.
    pub fn difference(&self, other: &Self) -> Difference {
        self.assert_alike(other);
        let larger = |a: f64, b: f64| if b > a || b.is_nan() { b } else { a };
        (0..self.len()).fold(Difference::default(), |most, index| {
            let own = self.difference_at(other, index);
            Difference { distance: larger(most.distance, own.distance), angle: larger(most.angle, own.angle) }
        })
    }

    /// The same for one joint.
    ///
    /// # Panics
    /// As [`difference`](Self::difference), and where the joint is another skeleton's and out of range.
    pub fn joint_difference(&self, other: &Self, joint: Joint) -> Difference {
        self.assert_alike(other);
        self.difference_at(other, self.place(joint))
    }

    fn difference_at(&self, other: &Self, index: usize) -> Difference {
        let (a, b) = (self.local[index].rotation, other.local[index].rotation);
        let turn = if a == b { DVec3::ZERO } else { arc::rotation_vector(a * b.conjugate()) };
        let distance = arc::length(self.model[index].translation - other.model[index].translation);
        Difference { distance, angle: arc::length(turn) }
    }

    pub(super) fn assert_alike(&self, other: &Self) {
        let alike = self.skeleton == other.skeleton && self.len() == other.len();
        assert!(alike, "the poses belong to different skeletons");
    }
}
