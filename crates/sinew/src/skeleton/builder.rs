//! Any order in, depth-first order out, all validation here: after [`SkeletonBuilder::build`]
//! nothing about a skeleton can be wrong. Nothing recurses, so depth is no danger.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use glam::{DAffine3, DVec3};

use super::{Coordinate, Drive, JointData, Kind, Mass, NONE, Skeleton};
use crate::limit::Range;
use crate::math::arc;
use crate::transform::{Rotation, Transform};

/// Which joint is meant by "parent": one already or later added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParentRef {
    /// By place in the order of [`SkeletonBuilder::add`].
    Index(usize),
    /// By a name that exactly one joint has.
    Name(String),
}

impl From<usize> for ParentRef {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl From<&str> for ParentRef {
    fn from(name: &str) -> Self {
        Self::Name(name.to_string())
    }
}

/// A hinge or slide that follows another's coordinate: `multiplier · q + offset`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mimic {
    /// Name of the coordinate followed (which may itself belong to a follower).
    pub of: String,
    /// Not zero.
    pub multiplier: f64,
    /// Radians or metres.
    pub offset: f64,
}

/// One joint for the builder. All fields are public; the methods are shorthand.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSpec {
    /// May be missing or repeated.
    pub name: Option<String>,
    /// `None` makes a root.
    pub parent: Option<ParentRef>,
    /// Rest transform relative to the parent; identity by default.
    pub rest: Transform,
    /// What the kind is measured from; the rest transform by default.
    pub zero: Option<Transform>,
    /// [`Kind::BALL`] by default.
    pub kind: Kind,
    /// Constant affine map above a root; ignored elsewhere. Identity by default.
    pub base: DAffine3,
    /// Name of the coordinate of a hinge or slide; the joint's name by default.
    pub coordinate: Option<String>,
    /// Follow another coordinate instead of having one.
    pub mimic: Option<Mimic>,
    /// Relative reluctance to move, greater than 0; 1 by default.
    pub stiffness: f64,
    /// Preferred bend axis in the rest frame, any length; none by default.
    pub bend: Option<DVec3>,
    /// Mass of the joint's body; none by default.
    pub mass: Mass,
}

impl Default for JointSpec {
    fn default() -> Self {
        Self {
            name: None,
            parent: None,
            rest: Transform::IDENTITY,
            zero: None,
            kind: Kind::BALL,
            base: DAffine3::IDENTITY,
            coordinate: None,
            mimic: None,
            stiffness: 1.0,
            bend: None,
            mass: Mass::default(),
        }
    }
}

impl JointSpec {
    /// A joint with a name and every default.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..Self::default() }
    }

    /// Sets the parent, by place in the order added or by name.
    pub fn child_of(self, parent: impl Into<ParentRef>) -> Self {
        Self { parent: Some(parent.into()), ..self }
    }

    /// Sets the rest transform.
    pub fn rest(self, rest: Transform) -> Self {
        Self { rest, ..self }
    }

    /// Sets the rest translation.
    pub fn translation(mut self, translation: impl Into<DVec3>) -> Self {
        self.rest.translation = translation.into();
        self
    }

    /// Sets the rest rotation.
    pub fn rotation(mut self, rotation: impl Into<Rotation>) -> Self {
        self.rest.rotation = rotation.into().0;
        self
    }

    /// Sets the kind.
    pub fn kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    /// Sets the preferred bend axis.
    pub fn bend(self, axis: impl Into<DVec3>) -> Self {
        Self { bend: Some(axis.into()), ..self }
    }

    /// Follows the coordinate `of`: value = `multiplier · q + offset`.
    pub fn mimic(self, of: impl Into<String>, multiplier: f64, offset: f64) -> Self {
        Self { mimic: Some(Mimic { of: of.into(), multiplier, offset }), ..self }
    }
}

/// Why joints make no skeleton. `joint` is the place in the order added.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkeletonError {
    /// No joint was added.
    Empty,
    /// More joints than a 32-bit index can tell apart.
    TooMany,
    /// A parent that does not exist.
    UnknownParent {
        /// The child.
        joint: usize,
        /// The parent asked for.
        parent: ParentRef,
    },
    /// A parent's name that several joints have.
    AmbiguousParent {
        /// The child.
        joint: usize,
        /// The name.
        name: String,
    },
    /// Parents that lead back to the joint.
    Cycle {
        /// One joint of the cycle.
        joint: usize,
    },
    /// NaN, infinity, a zero quaternion, or an axis without direction.
    Invalid {
        /// The joint.
        joint: usize,
        /// What is wrong, in a few words.
        what: &'static str,
    },
    /// A mimic whose coordinate does not exist, is ambiguous, or leads back to itself.
    Mimic {
        /// The follower.
        joint: usize,
        /// The coordinate asked for.
        of: String,
    },
    /// Joints that share a coordinate whose ranges exclude one another.
    EmptyRange {
        /// A joint of the coordinate.
        joint: usize,
    },
}

impl fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "a skeleton needs at least one joint"),
            Self::TooMany => write!(f, "a skeleton holds at most {} joints", NONE - 1),
            Self::UnknownParent { joint, parent: ParentRef::Index(i) } => {
                write!(f, "joint {joint}: its parent {i} does not exist")
            }
            Self::UnknownParent { joint, parent: ParentRef::Name(name) } => {
                write!(f, "joint {joint}: no joint is called '{name}', its parent")
            }
            Self::AmbiguousParent { joint, name } => {
                write!(f, "joint {joint}: several joints are called '{name}'; give its parent by index")
            }
            Self::Cycle { joint } => write!(f, "joint {joint} is its own ancestor"),
            Self::Invalid { joint, what } => write!(f, "joint {joint}: {what}"),
            Self::Mimic { joint, of } => {
                write!(f, "joint {joint} mimics '{of}', which is missing, ambiguous or mimics it in turn")
            }
            Self::EmptyRange { joint } => write!(f, "joint {joint}: its range holds no value"),
        }
    }
}

impl core::error::Error for SkeletonError {}

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

    /// Adds a joint and returns its place in the caller's order.
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
        let mut tree = Tree::new(&parents)?;
        let spine = self.spine.map(|tip| resolve(&specs, &by_name, 0, &tip)).transpose()?;
        tree.sort_children(&parents, &specs, spine);
        let order = tree.depth_first();
        assemble(specs, &parents, &order)
    }
}

/// Normalises axes and rotations, and refuses what is no number.
fn validated(mut specs: Vec<JointSpec>) -> Result<Vec<JointSpec>, SkeletonError> {
    for (joint, spec) in specs.iter_mut().enumerate() {
        let invalid = |what| SkeletonError::Invalid { joint, what };
        let unit = |axis: DVec3, what| arc::unit(axis).ok_or(invalid(what));
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
                return Err(SkeletonError::EmptyRange { joint });
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
    let unknown = || SkeletonError::UnknownParent { joint, parent: parent.clone() };
    match parent {
        ParentRef::Index(i) => (*i < specs.len()).then_some(*i).ok_or_else(unknown),
        ParentRef::Name(name) => {
            let name_of = |i: u32| specs[i as usize].name.as_deref().unwrap_or_default();
            let start = by_name.partition_point(|&i| name_of(i) < name.as_str());
            let mut fits = by_name[start..].iter().take_while(|&&i| name_of(i) == name);
            match (fits.next(), fits.next()) {
                (Some(&one), None) => Ok(one as usize),
                (Some(_), Some(_)) => Err(SkeletonError::AmbiguousParent { joint, name: name.clone() }),
                _ => Err(unknown()),
            }
        }
    }
}

/// Children in compressed rows, and an order in which parents precede children.
struct Tree {
    start: Vec<u32>,
    children: Vec<u32>,
    roots: Vec<u32>,
    top_down: Vec<u32>,
}

impl Tree {
    fn new(parents: &[u32]) -> Result<Self, SkeletonError> {
        let n = parents.len();
        let mut start = vec![0_u32; n + 1];
        for &parent in parents.iter().filter(|&&p| p != NONE) {
            start[parent as usize + 1] += 1;
        }
        for i in 0..n {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut children = vec![0; start[n] as usize];
        let mut roots = Vec::new();
        for (joint, &parent) in parents.iter().enumerate() {
            if parent == NONE {
                roots.push(joint as u32);
            } else {
                children[next[parent as usize] as usize] = joint as u32;
                next[parent as usize] += 1;
            }
        }
        let mut top_down = roots.clone();
        let mut at = 0;
        while at < top_down.len() {
            let joint = top_down[at] as usize;
            top_down.extend_from_slice(&children[start[joint] as usize..start[joint + 1] as usize]);
            at += 1;
        }
        if top_down.len() < n {
            let mut reached = vec![false; n];
            top_down.iter().for_each(|&i| reached[i as usize] = true);
            let joint = reached.iter().position(|&r| !r).unwrap_or_default();
            return Err(SkeletonError::Cycle { joint });
        }
        Ok(Self { start, children, roots, top_down })
    }

    /// The spine first, then by length of the longest chain below, then in the caller's order.
    fn sort_children(&mut self, parents: &[u32], specs: &[JointSpec], spine: Option<usize>) {
        let mut reach = vec![0.0_f64; parents.len()];
        for &joint in self.top_down.iter().rev() {
            let joint = joint as usize;
            let t = specs[joint].rest.translation;
            if parents[joint] != NONE {
                let parent = parents[joint] as usize;
                reach[parent] = reach[parent].max(reach[joint] + crate::math::ops::sqrt(t.dot(t)));
            }
        }
        let mut at = spine;
        while let Some(joint) = at {
            reach[joint] = f64::INFINITY;
            at = (parents[joint] != NONE).then_some(parents[joint] as usize);
        }
        // A chain includes the bone that leads to it.
        let length = |&joint: &u32| {
            let t = specs[joint as usize].rest.translation;
            reach[joint as usize] + crate::math::ops::sqrt(t.dot(t))
        };
        let by_length = |a: &u32, b: &u32| length(b).total_cmp(&length(a)).then(a.cmp(b));
        self.roots.sort_by(|a, b| reach[*b as usize].total_cmp(&reach[*a as usize]).then(a.cmp(b)));
        for joint in 0..parents.len() {
            self.children[self.start[joint] as usize..self.start[joint + 1] as usize].sort_by(by_length);
        }
    }

    fn depth_first(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.top_down.len());
        let mut stack: Vec<u32> = self.roots.iter().rev().copied().collect();
        while let Some(joint) = stack.pop() {
            order.push(joint);
            let joint = joint as usize;
            stack.extend(self.children[self.start[joint] as usize..self.start[joint + 1] as usize].iter().rev());
        }
        order
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
            drive: drives[caller as usize],
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
    let fingerprint = fingerprint(&joints, &bases);
    let skeleton = Skeleton { joints, from_caller: place, roots, bases, coordinates, by_name, fingerprint };
    check_rest(&skeleton)?;
    Ok(skeleton)
}

/// Finite transforms may still multiply to infinity.
fn check_rest(skeleton: &Skeleton) -> Result<(), SkeletonError> {
    let pose = skeleton.rest_pose();
    match skeleton.iter().find(|&joint| !pose.model(joint).is_finite()) {
        None => Ok(()),
        Some(joint) => Err(SkeletonError::Invalid {
            joint: skeleton.caller_index(joint),
            what: "its rest transform in model space overflows",
        }),
    }
}

type Drives = Vec<Option<Drive>>;

/// Coordinates in the caller's order of the joints that have one, and each joint's drive.
fn coordinates(specs: &[JointSpec], place: &[u32]) -> Result<(Vec<Coordinate>, Drives), SkeletonError> {
    let moves = |spec: &JointSpec| matches!(spec.kind, Kind::Hinge { .. } | Kind::Slide { .. });
    let name = |i: usize| specs[i].coordinate.as_ref().or(specs[i].name.as_ref());
    let mut named: Vec<u32> = (0..specs.len()).filter(|&i| moves(&specs[i])).map(|i| i as u32).collect();
    let mut coordinates = Vec::new();
    let mut drives: Drives = vec![None; specs.len()];
    for &joint in named.iter().filter(|&&i| specs[i as usize].mimic.is_none()) {
        let joint = joint as usize;
        drives[joint] = Some(Drive { coordinate: coordinates.len(), multiplier: 1.0, offset: 0.0 });
        coordinates.push(Coordinate { name: name(joint).cloned(), range: Range::FREE, joints: Vec::new() });
    }
    named.sort_by(|&a, &b| name(a as usize).cmp(&name(b as usize)).then(a.cmp(&b)));
    for joint in 0..specs.len() {
        if moves(&specs[joint]) {
            drives[joint] = Some(followed(specs, &named, &drives, joint)?);
        }
    }
    for joint in 0..specs.len() {
        let (Some(drive), Kind::Hinge { range, .. } | Kind::Slide { range, .. }) = (drives[joint], specs[joint].kind)
        else {
            continue;
        };
        let coordinate: &mut Coordinate = &mut coordinates[drive.coordinate];
        coordinate.range = coordinate.range.intersect(range.through(drive.multiplier, drive.offset));
        coordinate.joints.push(place[joint]);
        if !coordinate.range.is_valid() {
            return Err(SkeletonError::EmptyRange { joint });
        }
    }
    coordinates.iter_mut().for_each(|c| c.joints.sort_unstable());
    Ok((coordinates, drives))
}

/// The drive of a joint through any chain of mimics.
fn followed(specs: &[JointSpec], named: &[u32], drives: &Drives, joint: usize) -> Result<Drive, SkeletonError> {
    let name = |i: u32| specs[i as usize].coordinate.as_ref().or(specs[i as usize].name.as_ref());
    let (mut at, mut multiplier, mut offset) = (joint, 1.0, 0.0);
    for _ in 0..=named.len() {
        if let Some(drive) = drives[at] {
            return Ok(Drive {
                coordinate: drive.coordinate,
                multiplier: multiplier * drive.multiplier,
                offset: multiplier * drive.offset + offset,
            });
        }
        let Some(mimic) = &specs[at].mimic else { break };
        (offset, multiplier) = (multiplier * mimic.offset + offset, multiplier * mimic.multiplier);
        let start = named.partition_point(|&i| name(i) < Some(&mimic.of));
        let mut fits = named[start..].iter().take_while(|&&i| name(i) == Some(&mimic.of));
        let (Some(&one), None) = (fits.next(), fits.next()) else { break };
        at = one as usize;
    }
    let of = specs[joint].mimic.as_ref().map(|m| m.of.clone()).unwrap_or_default();
    Err(SkeletonError::Mimic { joint, of })
}

/// FNV-1a over what makes handles and poses interchangeable: the tree, names and rest transforms.
fn fingerprint(joints: &[JointData], bases: &[DAffine3]) -> u32 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for joint in joints {
        eat(&joint.parent.to_le_bytes());
        eat(joint.name.as_deref().unwrap_or("\0").as_bytes());
        eat(joint.kind.name().as_bytes());
        let rest = &joint.rest;
        for x in rest.translation.to_array().iter().chain(&rest.rotation.to_array()).chain(&rest.scale.to_array()) {
            eat(&x.to_bits().to_le_bytes());
        }
    }
    bases.iter().flat_map(|b| b.to_cols_array()).for_each(|x| eat(&x.to_bits().to_le_bytes()));
    (hash ^ (hash >> 32)) as u32
}
