//! What a limb of three links is: its joints, and how it is asked to bend.

use alloc::vec::Vec;

use glam::DVec3;

use super::direction::{Last, Plane, Yields};
use crate::chain::{Chain, ChainError};
use crate::goal::Goal;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::Bend;
use crate::solve::two_bone::rest::{bends, rest_bend};
use crate::solve::two_bone::{End, Reach, RestBend, TwistBones, TwoBone};

/// A limb of four joints, which need not be adjacent: a finger, the leg of an animal that walks on its toes, an
/// excavator.
///
/// Serves the goals of its tip that a [`TwoBone`] serves. Aim and axis goals of `low` whose axis lies along the last
/// link say where that link points; [`direction`](Self::direction) and [`toward`](Self::toward) make them. Without such
/// a goal `last` decides.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ThreeLink {
    /// Hip, or knuckle.
    pub root: Joint,
    /// Knee.
    pub mid: Joint,
    /// Heel: where the last link begins.
    pub low: Joint,
    /// Toes, or fingertip.
    pub tip: Joint,
    /// The direction or angle of the last link when no goal sets it, in model space. By default (`None`) it keeps its
    /// angle to the second link: that at rest, or that of the pose given when [`bend`](Self::bend) is `Given`.
    pub last: Option<Last>,
    /// What gives way when both cannot be met; by default the last link. While a direction gives way the middle joint may move
    /// faster than soft reach allows; while an angle does, or with [`Yields::Position`], it never does.
    pub yields: Yields,
    /// The plane in which the first two links bend; [`Plane::Pole`] by default. It has no effect when the last link has
    /// no direction of its own.
    pub plane: Plane,
    /// What to do out of reach; [`Reach::Clamp`] by default. When the last link has a direction of its own, stretch
    /// lengthens only the other two.
    pub reach: Reach,
    /// The tip's rotation without a rotation goal; [`End::Local`] by default.
    pub end: End,
    /// Which bend a goal without a pole keeps, and which angle of the last link; those of the pose given by default.
    pub bend: Bend,
    /// The bend of the limb at rest: of the first two links, and of the whole limb. The constructors take it from the
    /// rest pose.
    pub rest: [RestBend; 2],
}

impl ThreeLink {
    /// A limb of four joints, each below the one before; all but the tip must be able to turn.
    pub fn new(skeleton: &Skeleton, root: Joint, mid: Joint, low: Joint, tip: Joint) -> Result<Self, ChainError> {
        let upper = TwoBone::new(skeleton, root, mid, low)?;
        if Chain::new(skeleton, low, tip)?.joints().len() < 2 {
            return Err(ChainError::not_below(skeleton, low, tip));
        }
        if !skeleton.kind(low).turns() {
            return Err(ChainError::stiff(skeleton, low));
        }
        Ok(Self {
            root,
            mid,
            low,
            tip,
            last: None,
            yields: Yields::Direction,
            plane: Plane::Pole,
            reach: Reach::Clamp,
            end: End::Local,
            bend: Bend::Given,
            rest: [upper.rest, rest_bend(skeleton, root, mid, tip)],
        })
    }

    /// The limb that ends at `tip`: up to the nearest three joints above that can turn and have a bone of
    /// some length. Joints called twist or roll are passed over.
    pub fn ending_at(skeleton: &Skeleton, tip: Joint) -> Result<Self, ChainError> {
        let path = Chain::to_root(skeleton, tip)?;
        let mut bends = bends(skeleton, &path);
        match (bends.next(), bends.next(), bends.next()) {
            (Some(low), Some(mid), Some(root)) => Self::new(skeleton, root, mid, low, tip),
            _ => Err(ChainError::too_short(skeleton, tip)),
        }
    }

    /// The limb from `base` to `tip`, where exactly three joints of that path can bend, `base` the first.
    pub fn between(skeleton: &Skeleton, base: Joint, tip: Joint) -> Result<Self, ChainError> {
        let path = Chain::new(skeleton, base, tip)?;
        match bends(skeleton, &path).collect::<Vec<_>>()[..] {
            [low, mid, root] if root == base => Self::new(skeleton, root, mid, low, tip),
            _ => Err(ChainError::too_short(skeleton, tip)),
        }
    }

    /// The goal that the last link point along a direction (model space).
    pub fn direction(&self, skeleton: &Skeleton, direction: impl Into<DVec3>) -> Goal {
        Goal::axis(self.low, self.link(skeleton), direction)
    }

    /// The goal that the last link point at a position (model space).
    pub fn toward(&self, skeleton: &Skeleton, position: impl Into<DVec3>) -> Goal {
        Goal::aim(self.low, self.link(skeleton), position)
    }

    /// The tip at rest, in the frame of `low`.
    pub(super) fn link(&self, skeleton: &Skeleton) -> DVec3 {
        let mut place = DVec3::ZERO;
        let mut at = Some(self.tip);
        while let Some(joint) = at.filter(|&joint| joint != self.low) {
            place = skeleton.rest(joint).to_affine().transform_point3(place);
            at = skeleton.parent(joint);
        }
        place
    }

    /// The limb as two bones, the last link rigid with the second.
    pub(super) fn whole(&self) -> TwoBone {
        TwoBone {
            root: self.root,
            mid: self.mid,
            tip: self.tip,
            reach: self.reach,
            end: self.end,
            match_rotation: 1.0,
            pole_angle: 0.0,
            twist_bones: TwistBones::Rigid,
            bend: self.bend,
            rest: self.rest[1],
        }
    }

    /// The first two links.
    pub(in crate::solve) fn upper(&self) -> TwoBone {
        TwoBone { tip: self.low, end: End::Local, rest: self.rest[0], ..self.whole() }
    }
}
