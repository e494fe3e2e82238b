//! The same joints with other names, kinds, limits or masses: what presets and sidecar files change.

use alloc::vec::Vec;

use super::builder::rebuild;
use super::{Joint, JointSpec, Mimic, ParentRef, Skeleton, SkeletonError};

impl Skeleton {
    /// A skeleton with the same joints in the same order, each with its description changed by `edit`, which gets the
    /// present one. Parents cannot be changed: they are put back.
    ///
    /// Handles of the old skeleton are valid for the new one. So are poses, as long as coordinates and bases stay: no
    /// joint became or ceased to be a hinge or slide, and none has another axis, zero or drive.
    /// [`Pose::revised`](crate::Pose::revised) converts other poses.
    ///
    /// # Errors
    /// What [`SkeletonBuilder::build`](super::SkeletonBuilder::build) refuses; joints are counted in the order in
    /// which they were added.
    pub fn revised(&self, mut edit: impl FnMut(Joint, &mut JointSpec)) -> Result<Self, SkeletonError> {
        let mut specs = Vec::with_capacity(self.len());
        let (mut parents, mut order) = (Vec::with_capacity(self.len()), Vec::with_capacity(self.len()));
        let mut owned = alloc::vec![false; self.coordinates.len()];
        for &index in &self.from_caller {
            let joint = self.handle(index);
            let parent = self.parent(joint).map(|parent| self.caller_index(parent));
            let mut spec = self.spec(joint, &mut owned);
            edit(joint, &mut spec);
            spec.parent = parent.map(ParentRef::Index);
            specs.push(spec);
            parents.push(parent.map_or(super::joint::NONE, |parent| parent as u32));
        }
        order.extend(self.iter().map(|joint| self.caller_index(joint) as u32));
        let mut revised = rebuild(specs, &parents, &order)?;
        revised.fingerprints.handles = self.fingerprints.handles;
        Ok(revised)
    }

    /// The description from which the joint could have been built; `owned` marks coordinates that an earlier joint
    /// has for its own.
    fn spec(&self, joint: Joint, owned: &mut [bool]) -> JointSpec {
        let data = self.joint_data(joint);
        let coordinate = data.drive.and_then(|drive| self.coordinates[drive.coordinate].name.clone());
        let mimic = data.drive.and_then(|drive| {
            let plain = drive.multiplier == 1.0 && drive.offset == 0.0;
            let own = plain && !core::mem::replace(&mut owned[drive.coordinate], true);
            let of = coordinate.clone().filter(|_| !own)?;
            Some(Mimic { of, multiplier: drive.multiplier, offset: drive.offset })
        });
        JointSpec {
            name: data.name.clone(),
            parent: None,
            rest: data.rest,
            zero: Some(data.zero),
            kind: data.kind,
            base: *self.base(joint),
            coordinate: coordinate.filter(|_| mimic.is_none()),
            mimic,
            stiffness: data.stiffness,
            bend: data.bend,
            mass: data.mass,
        }
    }
}
