//! What a limb is: its joints, and how it is asked to bend.

use super::reach::Reach;
use super::rest::{RestBend, bends, rest_bend};
use crate::chain::{Chain, ChainError};
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::Bend;

/// The tip's rotation when no goal sets it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum End {
    /// It follows the second bone; the default, as for a hand.
    #[default]
    Local,
    /// It keeps its rotation in model space, as for a foot that stays flat.
    Model,
}

/// How joints between root and mid, and between mid and tip, rotate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum TwistBones {
    /// They keep their local rotations.
    #[default]
    Rigid,
    /// Those on the line of their bone take equal shares of the twist about it: of the root's turn above, of the tip's
    /// below. Hinges do so when their axis lies along the bone. What a limit keeps from one, the others take. Joints
    /// that follow another, or are followed, stay as they are.
    Shared,
}

/// A limb of three joints, which need not be adjacent: arm, leg, finger, crane.
///
/// Serves position, rotation and frame goals of its tip whose base, if any, is not below its root.
/// Of several position targets it takes the mean by `pull`, of several rotations the first in
/// solving order. Without a pole it bends as in the pose given, or as at rest: see [`Bend`].
#[doc(alias = "two bone IK")]
#[doc(alias = "limb IK")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct TwoBone {
    /// Shoulder or hip.
    pub root: Joint,
    /// Elbow or knee.
    pub mid: Joint,
    /// Wrist or ankle.
    pub tip: Joint,
    /// What to do out of reach; [`Reach::Clamp`] by default.
    pub reach: Reach,
    /// The tip's rotation without a rotation goal; [`End::Local`] by default.
    pub end: End,
    /// How far a rotation goal turns the tip from the rotation it has in model space, 0 to 1; 1 by
    /// default.
    pub match_rotation: f64,
    /// Turn of the bend direction about the line from root to target (radians); 0 by default. It does not apply to the
    /// bend of the pose given, since each solve would turn that further.
    pub pole_angle: f64,
    /// How joints between rotate; [`TwistBones::Rigid`] by default.
    pub twist_bones: TwistBones,
    /// Which bend a goal without a pole keeps: that of the pose given by default.
    pub bend: Bend,
    /// The bend of the limb at rest; the constructors take it from the rest pose.
    pub rest: RestBend,
}

impl TwoBone {
    /// A limb of three joints, each below the one before; root and mid must be able to turn.
    pub fn new(skeleton: &Skeleton, root: Joint, mid: Joint, tip: Joint) -> Result<Self, ChainError> {
        for (base, tip) in [(root, mid), (mid, tip)] {
            if Chain::new(skeleton, base, tip)?.joints().len() < 2 {
                return Err(ChainError::not_below(skeleton, base, tip));
            }
        }
        if let Some(&joint) = [root, mid].iter().find(|&&joint| !skeleton.kind(joint).turns()) {
            return Err(ChainError::stiff(skeleton, joint));
        }
        Ok(Self {
            root,
            mid,
            tip,
            reach: Reach::Clamp,
            end: End::Local,
            match_rotation: 1.0,
            pole_angle: 0.0,
            twist_bones: TwistBones::Rigid,
            bend: Bend::Given,
            rest: rest_bend(skeleton, root, mid, tip),
        })
    }

    /// The limb that ends at `tip`: up to the nearest two joints above that can turn and have a bone
    /// of some length. Joints called twist or roll that lie along their bone are passed over.
    pub fn ending_at(skeleton: &Skeleton, tip: Joint) -> Result<Self, ChainError> {
        let path = Chain::to_root(skeleton, tip)?;
        let mut bends = bends(skeleton, &path);
        match (bends.next(), bends.next()) {
            (Some(mid), Some(root)) => Self::new(skeleton, root, mid, tip),
            _ => Err(ChainError::too_short(skeleton, tip)),
        }
    }

    /// The limb from `base` to `tip`, bending at the joint between that gives it the widest reach.
    pub fn between(skeleton: &Skeleton, base: Joint, tip: Joint) -> Result<Self, ChainError> {
        let path = Chain::new(skeleton, base, tip)?;
        let rest = skeleton.rest_pose();
        let inner = path.joints().iter().skip(1).rev().skip(1);
        let shorter = |joint: Joint| {
            let place = rest.position(joint);
            place.distance(rest.position(base)).min(place.distance(rest.position(tip)))
        };
        let able = inner.copied().filter(|&joint| skeleton.kind(joint).turns() && shorter(joint) > 0.0);
        let best = able.max_by(|&a, &b| shorter(a).total_cmp(&shorter(b)));
        let mid = best.ok_or_else(|| ChainError::too_short(skeleton, tip))?;
        Self::new(skeleton, base, mid, tip)
    }

    /// The joints below the root down to the tip.
    pub(in crate::solve) fn below_root<'a>(&self, skeleton: &'a Skeleton) -> impl Iterator<Item = Joint> + use<'a> {
        let root = self.root;
        core::iter::successors(Some(self.tip), |&joint| skeleton.parent(joint)).take_while(move |&joint| joint != root)
    }

    /// The limb's reach on a skeleton: with a slide among its bones it keeps their lengths.
    pub(in crate::solve) fn reach_on(&self, skeleton: &Skeleton) -> Reach {
        let is_slide = |joint: Joint| matches!(skeleton.kind(joint), Kind::Slide { .. });
        let is_rigid = self.reach.stretches() && self.below_root(skeleton).any(is_slide);
        if is_rigid { self.reach.rigid() } else { self.reach }
    }
}
