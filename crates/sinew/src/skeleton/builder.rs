//! Any order in, depth-first order out, all validation here: after [`SkeletonBuilder::build`]
//! nothing about a skeleton can be wrong. Nothing recurses, so depth is no danger.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use super::coordinate::{coordinates, usable};
use super::fingerprint::Fingerprints;
use super::joint::{JointData, NONE};
use super::order::Links;
use super::{JointSpec, Kind, NamedJoint, ParentRef, Skeleton, SkeletonError};
use crate::math::arc;
use crate::transform::Rotation;

/// Collects joints in any order; parents may be added after their children.
#[derive(Clone, Debug, Default)]
pub struct SkeletonBuilder {
    specs: Vec<JointSpec>,
    spine: Option<ParentRef>,
}

impl SkeletonBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a joint and returns its index in the caller's order.
    pub fn add(&mut self, spec: JointSpec) -> usize {
        self.specs.push(spec);
        self.specs.len() - 1
    }

    /// Names the tip of the spine (the head, say): its chain comes first among siblings. Without
    /// one the longest chain does.
    pub fn spine(&mut self, tip: impl Into<ParentRef>) -> &mut Self {
        self.spine = Some(tip.into());
        self
    }

    /// Checks everything and puts the joints in depth-first order.
    pub fn build(self) -> Result<Skeleton, SkeletonError> {
        let n = self.specs.len();
        if n == 0 {
            return Err(SkeletonError::Empty);
        }
        if n >= NONE as usize {
            return Err(SkeletonError::TooMany);
        }
        let specs = validated(self.specs)?;
        let by_name = sorted_by_name(&specs, |i| i);
        let mut parents = vec![NONE; n];
        for (joint, spec) in specs.iter().enumerate() {
            if let Some(parent) = &spec.parent {
                parents[joint] = resolve(&specs, &by_name, joint, parent)? as u32;
            }
        }
        let mut tree =
            Links::new(&parents).map_err(|joint| SkeletonError::Cycle { joint: NamedJoint::added(&specs, joint) })?;
        let spine = self.spine.map(|tip| resolve(&specs, &by_name, 0, &tip)).transpose()?;
        tree.sort_children(&parents, &specs, spine);
        let order = tree.depth_first();
        assemble(specs, &parents, &order)
    }
}

/// A skeleton from descriptions whose tree and order are known to be sound.
pub(super) fn rebuild(specs: Vec<JointSpec>, parents: &[u32], order: &[u32]) -> Result<Skeleton, SkeletonError> {
    assemble(validated(specs)?, parents, order)
}

/// Normalises axes and rotations, and refuses what is not finite.
fn validated(mut specs: Vec<JointSpec>) -> Result<Vec<JointSpec>, SkeletonError> {
    for (index, spec) in specs.iter_mut().enumerate() {
        let named = || NamedJoint { index, name: spec.name.clone() };
        let invalid = |what| SkeletonError::Invalid { joint: named(), what };
        let unit = |axis: DVec3, what| arc::unit(axis).ok_or_else(|| invalid(what));
        spec.rest.rotation = Rotation::from(spec.rest.rotation).0;
        if !spec.rest.is_finite() {
            return Err(invalid("its rest transform is not finite, or its rotation is zero"));
        }
        if let Some(zero) = &mut spec.zero {
            zero.rotation = Rotation::from(zero.rotation).0;
            if !zero.is_finite() {
                return Err(invalid("its zero is not finite, or its rotation is zero"));
            }
        }
        if !spec.base.is_finite() {
            return Err(invalid("the transform above it is not finite"));
        }
        if !(spec.stiffness > 0.0 && spec.stiffness.is_finite()) {
            return Err(invalid("its stiffness must be a number greater than zero"));
        }
        if !(spec.mass.mass >= 0.0 && spec.mass.mass.is_finite() && spec.mass.center.is_finite()) {
            return Err(invalid("its mass must be a number, not negative, with a finite centre"));
        }
        if let Some(axis) = &mut spec.bend {
            *axis = unit(*axis, "its bend axis has no direction")?;
        }
        if let Kind::Hinge { axis, range } | Kind::Slide { axis, range } = &mut spec.kind {
            *axis = unit(*axis, "its axis has no direction")?;
            if !range.is_valid() {
                return Err(SkeletonError::EmptyRange { joint: named() });
            }
        }
        let mimic = spec.mimic.as_ref().map_or((1.0, 0.0), |m| (m.multiplier, m.offset));
        if mimic.0 == 0.0 || !mimic.0.is_finite() || !mimic.1.is_finite() {
            return Err(invalid("it mimics with a multiplier of zero or a number that is not finite"));
        }
    }
    Ok(specs)
}

fn sorted_by_name(specs: &[JointSpec], key: impl Fn(usize) -> usize) -> Vec<u32> {
    let mut named: Vec<u32> = (0..specs.len()).filter(|&i| specs[i].name.is_some()).map(|i| i as u32).collect();
    named.sort_by(|&a, &b| {
        let (a, b) = (a as usize, b as usize);
        specs[a].name.cmp(&specs[b].name).then(key(a).cmp(&key(b)))
    });
    named
}

fn resolve(specs: &[JointSpec], by_name: &[u32], joint: usize, parent: &ParentRef) -> Result<usize, SkeletonError> {
    let joint = || NamedJoint::added(specs, joint);
    let unknown = || SkeletonError::UnknownParent { joint: joint(), parent: parent.clone() };
    match parent {
        ParentRef::Index(i) => (*i < specs.len()).then_some(*i).ok_or_else(unknown),
        ParentRef::Name(name) => {
            let name_of = |i: u32| specs[i as usize].name.as_deref().unwrap_or_default();
            let start = by_name.partition_point(|&i| name_of(i) < name.as_str());
            let mut fits = by_name[start..].iter().take_while(|&&i| name_of(i) == name);
            match (fits.next(), fits.next()) {
                (Some(&one), None) => Ok(one as usize),
                (Some(_), Some(_)) => Err(SkeletonError::AmbiguousParent { joint: joint(), name: name.clone() }),
                _ => Err(unknown()),
            }
        }
    }
}

fn assemble(mut specs: Vec<JointSpec>, parents: &[u32], order: &[u32]) -> Result<Skeleton, SkeletonError> {
    let mut place = vec![0_u32; order.len()];
    for (index, &caller) in order.iter().enumerate() {
        place[caller as usize] = index as u32;
    }
    let (coordinates, drives) = coordinates(&specs, &place)?;
    let by_name = sorted_by_name(&specs, |i| place[i] as usize).iter().map(|&i| place[i as usize]).collect();
    let mut joints: Vec<JointData> = Vec::with_capacity(order.len());
    let (mut roots, mut bases) = (Vec::new(), Vec::new());
    for (index, &caller) in order.iter().enumerate() {
        let spec = core::mem::take(&mut specs[caller as usize]);
        let parent = parents[caller as usize];
        let drive = drives[caller as usize];
        if parent == NONE {
            roots.push(index as u32);
            bases.push(spec.base);
        }
        joints.push(JointData {
            parent: if parent == NONE { NONE } else { place[parent as usize] },
            subtree_end: index as u32 + 1,
            root: roots.len() as u32 - 1,
            caller,
            rest: spec.rest,
            zero: spec.zero.unwrap_or(spec.rest),
            kind: spec.kind,
            drive,
            range: usable(spec.kind, drive, &coordinates),
            stiffness: spec.stiffness,
            bend: spec.bend,
            mass: spec.mass,
            name: spec.name,
        });
    }
    for index in (0..joints.len()).rev() {
        let (parent, end) = (joints[index].parent, joints[index].subtree_end);
        if parent != NONE {
            let above = &mut joints[parent as usize].subtree_end;
            *above = end.max(*above);
        }
    }
    let fingerprints = Fingerprints::of(&joints, &bases, &coordinates);
    let skeleton = Skeleton { joints, from_caller: place, roots, bases, coordinates, by_name, fingerprints };
    check_rest(&skeleton)?;
    Ok(skeleton)
}

/// Finite transforms may still multiply to infinity.
fn check_rest(skeleton: &Skeleton) -> Result<(), SkeletonError> {
    let pose = skeleton.rest_pose();
    match skeleton.iter().find(|&joint| !pose.model(joint).is_finite()) {
        None => Ok(()),
        Some(joint) => Err(SkeletonError::Invalid {
            joint: NamedJoint { index: skeleton.caller_index(joint), ..NamedJoint::of(skeleton, joint) },
            what: "its rest transform in model space overflows",
        }),
    }
}

impl Skeleton {
    /// A chain from bone lengths alone (metres): `lengths.len() + 1` balls named `joint_0`,
    /// `joint_1`, …, straight along +Y, each inner joint preferring to bend about its X axis.
    pub fn from_lengths(lengths: &[f64]) -> Result<Self, SkeletonError> {
        let mut builder = SkeletonBuilder::new();
        let mut parent = builder.add(JointSpec::named("joint_0").bend(DVec3::X));
        for (i, &length) in lengths.iter().enumerate() {
            let spec = JointSpec::named(alloc::format!("joint_{}", i + 1)).bend(DVec3::X);
            parent = builder.add(spec.child_of(parent).translation(DVec3::Y * length));
        }
        builder.build()
    }
}
