//! One joint as the builder takes it.

use alloc::string::{String, ToString};

use glam::{DAffine3, DVec3};

use super::{Kind, Mass};
use crate::transform::{Rotation, Transform};

/// Which joint is meant by "parent": one already or later added.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParentRef {
    /// By index in the order of [`SkeletonBuilder::add`](super::SkeletonBuilder::add).
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
    /// Relative resistance to moving, greater than 0; 1 by default. A joint ten times as stiff as others takes about a
    /// tenth of their turns, in every solver but the closed forms.
    pub stiffness: f64,
    /// Preferred bend axis in the rest frame, any length: a straight limb or chain folds about it. None by default.
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

    /// Sets the parent, by index in the order added or by name.
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
