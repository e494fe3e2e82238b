//! Poses as data: what is independent of them, for a skeleton to be put on again.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::pose::Pose;
use crate::skeleton::{NamedJoint, Skeleton};
use crate::transform::Transform;

/// How far the square of a rotation's length may be from 1.
const UNIT: f64 = 1e-6;

/// A [`Pose`] as data (feature `serde`), to be written and read. [`Pose::saved`] makes it, and [`restore`](Self::restore)
/// puts it on its skeleton again: bit for bit if the format keeps numbers exactly (`serde_json` with its feature
/// `float_roundtrip`). Model transforms are not stored, since they follow from the rest.
///
/// ```
/// use sinew::{SavedPose, Skeleton};
///
/// let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
/// let text = serde_json::to_string(&arm.rest_pose().saved())?;
/// let pose = serde_json::from_str::<SavedPose>(&text)?.restore(&arm)?;
/// assert_eq!(pose, arm.rest_pose());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedPose {
    /// Fingerprints of the skeleton.
    skeleton: (u32, u32),
    /// Local transforms, in the skeleton's order of joints.
    joints: Vec<Transform>,
    /// Values of hinges (radians) and slides (metres).
    coordinates: Vec<f64>,
}

/// Why a [`SavedPose`] does not fit a skeleton: the first reason that holds, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SavedPoseError {
    /// It was saved with another skeleton: other joints, names, rest transforms, or axes.
    OtherSkeleton,
    /// It has another number of joints or coordinates.
    Length,
    /// A joint has a number that is not finite, or a rotation whose length is not 1.
    Joint(NamedJoint),
    /// A coordinate is not finite, or differs from where its joints are.
    Coordinate {
        /// Its index.
        index: usize,
        /// Its name.
        name: Option<String>,
    },
}

impl fmt::Display for SavedPoseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherSkeleton => f.write_str("the pose was saved with another skeleton"),
            Self::Length => f.write_str("the pose has another number of joints or coordinates than the skeleton"),
            Self::Joint(joint) => {
                write!(f, "{joint} has a number that is not finite, or a rotation whose length is not 1")
            }
            Self::Coordinate { index, name } => {
                let name = name.as_deref().unwrap_or("without a name");
                write!(f, "coordinate {index} ({name}) is not finite, or its joints are elsewhere")
            }
        }
    }
}

impl core::error::Error for SavedPoseError {}

impl Pose {
    /// The pose as data, to be written (feature `serde`).
    pub fn saved(&self) -> SavedPose {
        let (skeleton, joints, coordinates) = self.parts();
        SavedPose { skeleton, joints: joints.to_vec(), coordinates: coordinates.to_vec() }
    }
}

impl SavedPose {
    /// The pose on the skeleton that it was saved with, or one built from the same input. What does not fit is refused.
    pub fn restore(&self, skeleton: &Skeleton) -> Result<Pose, SavedPoseError> {
        let mut pose = skeleton.rest_pose();
        if pose.parts().0 != self.skeleton {
            return Err(SavedPoseError::OtherSkeleton);
        }
        if self.joints.len() != pose.len() || self.coordinates.len() != pose.coordinates().len() {
            return Err(SavedPoseError::Length);
        }
        let is_whole = |local: &Transform| local.is_finite() && (local.rotation.length_squared() - 1.0).abs() < UNIT;
        if let Some(joint) = self.joints.iter().position(|local| !is_whole(local)) {
            let joint = skeleton.at(joint).ok_or(SavedPoseError::Length)?;
            return Err(SavedPoseError::Joint(NamedJoint::of(skeleton, joint)));
        }
        pose.set_parts(skeleton, &self.joints, &self.coordinates);
        let stands =
            |coordinate: usize| pose.coordinates()[coordinate].is_finite() && pose.stands_at(skeleton, coordinate);
        match (0..self.coordinates.len()).find(|&coordinate| !stands(coordinate)) {
            Some(index) => {
                let name = skeleton.coordinates().get(index).and_then(|coordinate| coordinate.name.clone());
                Err(SavedPoseError::Coordinate { index, name })
            }
            None => Ok(pose),
        }
    }
}
