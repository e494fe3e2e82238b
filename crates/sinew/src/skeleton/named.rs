//! Joints as errors speak of them.

use alloc::string::String;
use core::fmt;

use super::{Joint, JointSpec, Skeleton};

/// A joint in an error message: `joint 5 'LeftHand'`, or `joint 5` when it has no name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedJoint {
    /// Its index in the skeleton ([`Skeleton::at`] gives the handle), or in the order added when there is no skeleton yet.
    pub index: usize,
    /// Its name; `None` also of a joint of another skeleton.
    pub name: Option<String>,
}

impl NamedJoint {
    /// A joint of a skeleton.
    pub fn of(skeleton: &Skeleton, joint: Joint) -> Self {
        let name = skeleton.contains(joint).then(|| skeleton.name(joint)).flatten();
        Self { index: joint.index(), name: name.map(String::from) }
    }

    /// A joint that was added at this place.
    pub(super) fn added(specs: &[JointSpec], index: usize) -> Self {
        Self { index, name: specs.get(index).and_then(|spec| spec.name.clone()) }
    }
}

impl fmt::Display for NamedJoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "joint {} '{name}'", self.index),
            None => write!(f, "joint {}", self.index),
        }
    }
}
