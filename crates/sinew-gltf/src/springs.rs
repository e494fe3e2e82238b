//! Springs of a VRM: joints of hair, clothes and tails that swing by themselves, and what they bump into.
//!
//! VRM 1 lists chains of joints (`VRMC_springBone`), VRM 0 roots with everything below them
//! (`secondaryAnimation`); both become the same description here, nodes resolved to joints. A node that is no joint
//! stands where it stands at rest below the nearest joint above: colliders and tails hang on that joint instead,
//! and what should swing there does not. A joint that two springs would move belongs to the first of them.
//!
//! Source: VRM Consortium, `VRMC_springBone` 1.0, and its extension `VRMC_springBone_extended_collider`.

use glam::{DAffine3, DVec3};
use sinew::Joint;
use sinew::springs::{Collider, Shape};

use crate::character::Character;
use crate::document::Object;
use crate::error::Fault;
use crate::{springs_vrm0, springs_vrm1};

/// A tail nearer to its joint than this part of its distance from the origin lies there but for rounding.
const ZERO_LENGTH: f64 = 1e-9;

/// Everything that swings on a character.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpringBones {
    /// In the file's order. A spring may begin at a joint of another, so a simulation goes through the joints of all of
    /// them in the order of the skeleton.
    pub springs: Vec<Spring>,
    /// What springs collide with; radii grow with the joints that carry them.
    pub colliders: Vec<Collider>,
    /// Groups of colliders, by their index in `colliders`.
    pub collider_groups: Vec<Vec<usize>>,
}

/// Joints that swing together: a chain in VRM 1, whole subtrees in VRM 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// As the file has it; empty without.
    pub name: String,
    /// Parents before their children; no joint is in two springs.
    pub joints: Vec<SpringJoint>,
    /// Where motion counts as motion.
    pub space: SpringSpace,
    /// Places among [`SpringBones::collider_groups`].
    pub collider_groups: Vec<usize>,
}

/// A joint that turns so that its tail swings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringJoint {
    /// The joint that turns.
    pub joint: Joint,
    /// The joint that is the tail, below the first but not always its child; `None` when the tail is not a joint.
    pub tail: Option<Joint>,
    /// Where the tail is at rest, in the joint's frame; never zero.
    pub offset: DVec3,
    /// Radius of the tail (metres, not scaled by the joint); not negative.
    pub hit_radius: f64,
    /// How fast the tail is drawn back to where it rests (metres per second); not negative.
    pub stiffness: f64,
    /// How fast the tail is drawn in a direction of model space (metres per second), whatever the space of the spring.
    pub gravity: DVec3,
    /// The share of its motion that the tail loses in each step, from 0 to 1.
    pub drag: f64,
}

/// The space in which the inertia of a spring is measured: `center` in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum SpringSpace {
    /// The world that the character moves through: its way swings too.
    #[default]
    World,
    /// Model space: only what moves inside the character swings.
    Model,
    /// The frame of a joint: what moves along with it does not swing.
    Joint(Joint),
}

/// Settings of a joint as the file has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) hit_radius: f64,
    pub(crate) stiffness: f64,
    pub(crate) gravity: DVec3,
    pub(crate) drag: f64,
}

/// The springs of a file.
pub(crate) fn read(character: &Character) -> Result<SpringBones, Fault> {
    let root = Object::of(&character.file().document)?;
    let old = if root.extension("VRMC_vrm")?.is_none() { root.extension("VRM")? } else { None };
    match (root.extension("VRMC_springBone")?, old) {
        (Some(springs), _) => springs_vrm1::read(springs, &mut Places::of(character))
            .map_err(|fault| fault.at("extensions.VRMC_springBone")),
        (None, Some(vrm)) => {
            springs_vrm0::read(vrm, &mut Places::of(character)).map_err(|fault| fault.at("extensions.VRM"))
        }
        (None, None) => Ok(SpringBones::default()),
    }
}

/// Where nodes stand at rest, which joints they hang on, and which of them swing already.
#[derive(Debug)]
pub(crate) struct Places<'a> {
    pub(crate) character: &'a Character,
    in_scene: Vec<DAffine3>,
    /// The joint that a node is, else the nearest above it.
    holders: Vec<Option<Joint>>,
    swinging: Vec<bool>,
}

impl<'a> Places<'a> {
    fn of(character: &'a Character) -> Self {
        let nodes = &character.file().nodes;
        let mut holders = vec![None; nodes.len()];
        for (index, node) in nodes.parents_first() {
            holders[index] = character.joint_of_node(index).or_else(|| node.parent.and_then(|above| holders[above]));
        }
        Self { character, in_scene: nodes.in_scene(), holders, swinging: vec![false; nodes.len()] }
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.holders.len()
    }

    /// Where a node is at rest, as a map to the scene.
    pub(crate) fn map(&self, node: usize) -> DAffine3 {
        self.in_scene[node]
    }

    /// Claims a node for a spring; false where it swings already.
    pub(crate) fn claim(&mut self, node: usize) -> bool {
        !std::mem::replace(&mut self.swinging[node], true)
    }

    /// Whether a node lies below the joint.
    pub(crate) fn is_below(&self, node: usize, joint: Joint) -> bool {
        let below = |holder| self.character.skeleton.is_below(holder, joint);
        self.holders[node].is_some_and(below) && self.character.joint_of_node(node) != Some(joint)
    }

    /// A node that swings a tail at a point of the scene; `None` where the node is no joint or the tail no way off.
    pub(crate) fn swing(
        &self,
        node: usize,
        tail: Option<Joint>,
        place: DVec3,
        settings: Settings,
    ) -> Option<SpringJoint> {
        let joint = self.character.joint_of_node(node)?;
        let map = self.map(node);
        let offset = map.inverse().transform_point3(place);
        let apart = place.distance(map.translation) > ZERO_LENGTH * place.length();
        (apart && offset.is_finite()).then_some(SpringJoint {
            joint,
            tail,
            offset,
            hit_radius: settings.hit_radius.max(0.0),
            stiffness: settings.stiffness.max(0.0),
            gravity: settings.gravity,
            drag: settings.drag.clamp(0.0, 1.0),
        })
    }

    /// The space that a node's frame is.
    pub(crate) fn space(&self, center: Option<usize>) -> SpringSpace {
        match center.map(|node| self.holders[node]) {
            None => SpringSpace::World,
            Some(None) => SpringSpace::Model,
            Some(Some(joint)) => SpringSpace::Joint(joint),
        }
    }

    /// A shape in a node's frame; `None` where it cannot be expressed.
    pub(crate) fn collider(&self, node: usize, shape: Shape) -> Option<Collider> {
        let joint = self.holders[node];
        let map = match joint.and_then(|joint| self.character.node(joint)) {
            // Not by way of the scene, which would round.
            Some(holder) if holder == node => return Some(Collider { joint, ..Collider::new(shape) }),
            Some(holder) => self.map(holder).inverse() * self.map(node),
            None => self.map(node),
        };
        let shape = match shape {
            Shape::Sphere { center, radius, inside } => {
                Shape::Sphere { center: map.transform_point3(center), radius, inside }
            }
            Shape::Capsule { ends, radius, inside } => {
                Shape::Capsule { ends: ends.map(|end| map.transform_point3(end)), radius, inside }
            }
            Shape::Plane { point, normal } => Shape::Plane {
                point: map.transform_point3(point),
                normal: (map.matrix3.inverse().transpose() * normal).try_normalize()?,
            },
            _ => return None,
        };
        is_finite(&shape).then_some(Collider { joint, ..Collider::new(shape) })
    }
}

fn is_finite(shape: &Shape) -> bool {
    match shape {
        Shape::Sphere { center, .. } => center.is_finite(),
        Shape::Capsule { ends, .. } => ends.iter().all(|end| end.is_finite()),
        Shape::Plane { point, .. } => point.is_finite(),
        _ => false,
    }
}

/// The pull that a direction and a strength make together.
pub(crate) fn gravity(direction: DVec3, power: f64) -> Result<DVec3, Fault> {
    let gravity = direction * power;
    if gravity.is_finite() { Ok(gravity) } else { Err(Fault::new("with gravityDir infinite").at("gravityPower")) }
}
