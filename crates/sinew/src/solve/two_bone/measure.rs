//! A limb as it stands in a pose, in the space of the root's parent: everything above the root is
//! one affine map, whose inverse carries targets down, so mirrors, scale and shear above cost nothing.
//!
//! With the root's rotation undone, the tip is at `a + link · R_mid · b`: `a` the middle joint,
//! `link` the linear map of the root's scale and the joints between, `b` the tip seen from the
//! middle joint. Joints between keep their rotations (where twist is shared: their rest rotations, or the nearest
//! that their limits allow).

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::geometry::Reference;
use super::rest::STRAIGHT;
use super::settings::{TwistBones, TwoBone};
use super::twist;
use crate::math::affine::{inverse, is_regular};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::transform::Transform;

/// Relative distance of the middle joint from the line below which a limb is straight, or folded flat: the
/// root of rounding.
pub(super) const FLAT: f64 = 1e-7;
/// Angle (radians) below which a solved limb stays as it is.
pub(in crate::solve) const STILL_ANGLE: f64 = 1e-10;

#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Measured {
    /// From model space to the space of the root's parent.
    pub(in crate::solve) into_parent: DAffine3,
    /// The root joint in its parent.
    pub(in crate::solve) origin: DVec3,
    pub(in crate::solve) a: DVec3,
    pub(in crate::solve) b: DVec3,
    pub(in crate::solve) link: DMat3,
    /// Local rotations as they stand.
    pub(in crate::solve) root: DQuat,
    pub(in crate::solve) mid: DQuat,
    /// Rotation of a ball in the middle from which it folds.
    pub(in crate::solve) folds_from: DQuat,
    /// Whether root and middle joint are balls without limits.
    pub(in crate::solve) is_free: bool,
    /// Length of the limb, the unit of tolerances.
    pub(in crate::solve) length: f64,
}

impl Measured {
    /// `None` where a scale of zero or a number that is none leaves no way into the parent's space.
    /// `offset` is the point of the tip joint that is to arrive, in its frame.
    pub(in crate::solve) fn of(limb: &TwoBone, skeleton: &Skeleton, pose: &Pose, offset: DVec3) -> Option<Self> {
        let parent = match skeleton.parent(limb.root) {
            Some(joint) => *pose.model(joint),
            None => *skeleton.base(limb.root),
        };
        let into_parent = inverse(&parent)?;
        let root = pose.local(limb.root);
        let upper = below(root.scale, path(limb, skeleton, pose, limb.root, limb.mid));
        let mid = chain_local(limb, skeleton, pose, limb.mid);
        let lower = below(mid.scale, path(limb, skeleton, pose, limb.mid, limb.tip));
        let tip = chain_local(limb, skeleton, pose, limb.tip);
        let a = upper.transform_point3(mid.translation);
        let own = offset == DVec3::ZERO;
        let b = lower.transform_point3(if own { tip.translation } else { tip.to_affine().transform_point3(offset) });
        let length = arc::length(a) + arc::length(upper.matrix3 * (mid.rotation * b));
        // Where a limit may forbid the fold, a ball folds from rest, so that answers do not depend on the pose given: the
        // next frame would start from another. Else as it stands, so that it turns no more than it must.
        let is_free = [limb.root, limb.mid].into_iter().all(|joint| skeleton.is_free_ball(joint));
        let finite = length.is_finite() && root.is_finite() && mid.is_finite();
        if !finite || !is_regular(&upper.matrix3) {
            return None;
        }
        Some(Self {
            into_parent,
            origin: root.translation,
            a,
            b,
            link: upper.matrix3,
            root: root.rotation,
            mid: mid.rotation,
            folds_from: if is_free { mid.rotation } else { skeleton.rest(limb.mid).rotation },
            is_free,
            length,
        })
    }

    /// The tip with the root's rotation undone.
    pub(in crate::solve) fn tip(&self, mid: DQuat) -> DVec3 {
        self.a + self.link * (mid * self.b)
    }

    /// The axis in the root's frame about which the limb is folded with its middle joint at `mid`; `None`
    /// where it is straight there.
    pub(in crate::solve) fn folds_about(&self, mid: &Transform) -> Option<DVec3> {
        let first = arc::unit(self.a)?;
        let across = arc::unit_reject(self.link * (mid.rotation * self.b), first, STRAIGHT)?;
        Some(first.cross(across))
    }

    /// Line and bend as they stand; `None` where the limb is straight or has no length.
    pub(super) fn stance(&self) -> Option<Reference> {
        let line = arc::unit(self.tip(self.mid))?;
        let bend = arc::unit_reject(self.a, line, STRAIGHT)?;
        Some(Reference { line: self.root * line, bend: self.root * bend })
    }
}

/// Local transform of a chain joint below the root: with rest translations under stretch, so that
/// stretched bones do not grow further.
fn chain_local(limb: &TwoBone, skeleton: &Skeleton, pose: &Pose, joint: Joint) -> Transform {
    let mut local = *pose.local(joint);
    if limb.reach.stretches() {
        local.translation = skeleton.rest(joint).translation;
    }
    local
}

/// A joint's scale, and what is between it and the next one.
fn below(scale: DVec3, path: Option<DAffine3>) -> DAffine3 {
    let scale = DAffine3::from_scale(scale);
    path.map_or(scale, |path| scale * path)
}

/// The joints strictly between two of the limb's, as one affine map; reset where they share twist. `None` where there
/// are none.
fn path(limb: &TwoBone, skeleton: &Skeleton, pose: &Pose, above: Joint, below: Joint) -> Option<DAffine3> {
    let mut map = None;
    let mut at = skeleton.parent(below);
    while let Some(joint) = at.filter(|&joint| joint != above) {
        let mut local = chain_local(limb, skeleton, pose, joint);
        if limb.twist_bones == TwistBones::Shared && twist::is_reset(skeleton, joint) {
            local.rotation = twist::reset(skeleton, joint);
        }
        map = Some(local.to_affine() * map.unwrap_or(DAffine3::IDENTITY));
        at = skeleton.parent(joint);
    }
    map
}
