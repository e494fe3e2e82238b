//! The joint of the last link, and the axis about which it opens and folds.

use glam::{DQuat, DVec3};

use super::last_link::link_of;
use super::settings::ThreeLink;
use crate::limit::Range;
use crate::math::affine::inverse;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};
use crate::solve::two_bone::limb_target::LimbTarget;
use crate::solve::two_bone::measure::Measured;
use crate::solve::two_bone::rest::STRAIGHT;
use crate::solve::{Bend, point};
use crate::transform::Transform;

/// Whether the limb keeps the bend of the pose given.
pub(super) fn keeps(limb: &ThreeLink, limb_target: &LimbTarget) -> bool {
    limb.bend == Bend::Given && limb_target.pole.is_none()
}

/// The last link's joint about the axis on which the limb folds; vectors in the frame of its parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heel {
    pub(super) joint: Joint,
    /// As it was given, at the angle that is wanted, and the joint's value now.
    pub(super) given: Transform,
    pub(super) start: Transform,
    value: f64,
    /// Unit axis about which it opens, and about which the limb folds.
    pub(super) axis: DVec3,
    fold: DVec3,
    /// Whether that is the plane of the pose given.
    folded: bool,
    /// From the middle joint to the root, from there to the heel, and from there to the tip at the start.
    pub(super) first: DVec3,
    pub(super) second: DVec3,
    pub(super) last: DVec3,
    /// From root to target.
    pub(super) distance: f64,
    pub(super) middle: Middle,
}

/// What the middle joint may do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Middle {
    Free,
    /// A hinge's unit axis in the heel's parent, its range and its value now.
    Hinge {
        axis: DVec3,
        range: Range,
        value: f64,
    },
    Cone,
}

impl Heel {
    pub(super) fn of(
        limb: &ThreeLink,
        skeleton: &Skeleton,
        limb_target: &LimbTarget,
        pose: &Pose,
        (target, offset): (DVec3, DVec3),
        start: Transform,
        given: Transform,
    ) -> Option<Self> {
        let (joint, parent) = (limb.low, skeleton.parent(limb.low)?);
        let (link, value) = (link_of(limb, skeleton, pose, offset)?, pose.value(skeleton, limb.low));
        let into = inverse(pose.model(parent))?;
        let place = |joint: Joint| into.transform_point3(pose.position(joint));
        let (first, second) = (place(limb.root) - place(limb.mid), place(joint) - place(limb.mid));
        let line = arc::unit(second)?;
        let own = arc::unit_reject(first, line, STRAIGHT)
            .filter(|_| keeps(limb, limb_target))
            .map(|across| line.cross(across));
        let fold = own
            .or_else(|| arc::unit_reject(fold_axis(limb, skeleton), line, 1e-6))
            .unwrap_or_else(|| arc::any_perpendicular(line));
        let flat = line.cross(start.rotation * (start.scale * link));
        let axis = match skeleton.kind(joint) {
            Kind::Hinge { axis, .. } => skeleton.zero(joint).rotation * axis,
            // The plane of the two links, where they have one.
            _ => arc::unit(flat).filter(|_| arc::length(flat) > 1e-6 * arc::length(link)).unwrap_or(fold),
        };
        let axis = if axis.dot(fold) < 0.0 { -axis } else { axis };
        let middle = match skeleton.kind(limb.mid) {
            Kind::Hinge { axis, .. } => {
                let map = into.matrix3 * pose.model(limb.mid).matrix3;
                let axis = arc::unit(map * axis)? * if map.determinant() < 0.0 { -1.0 } else { 1.0 };
                Middle::Hinge { axis, range: skeleton.range(limb.mid), value: pose.value(skeleton, limb.mid) }
            }
            Kind::Ball(BallLimit::Free) | Kind::Free => Middle::Free,
            _ => Middle::Cone,
        };
        let last = start.rotation * (start.scale * link);
        let distance = arc::length(into.transform_point3(target) - place(limb.root));
        let folded = own.is_some();
        Some(Self { joint, given, start, value, axis, fold, folded, first, second, last, distance, middle })
    }

    /// Starts at an angle to the second link, positive in the sense in which the limb folds. A ball in the
    /// middle is folded that way first, from its rest, unless its plane is kept.
    pub(super) fn fold(&mut self, limb: &ThreeLink, skeleton: &Skeleton, pose: &mut Pose, angle: f64) {
        let Some(line) = arc::unit(self.second) else { return };
        self.axis = if matches!(skeleton.kind(self.joint), Kind::Hinge { .. }) { self.axis } else { self.fold };
        let link = self.start.rotation.conjugate() * self.last;
        let wanted = arc::axis_angle(self.axis, angle) * line;
        self.start = point::toward(skeleton, self.joint, &self.start, self.value, link, wanted);
        self.last = self.start.rotation * link;
        if self.folded || matches!(self.middle, Middle::Hinge { .. }) {
            return;
        }
        let mid = limb.mid;
        let rest = Transform { rotation: skeleton.rest(mid).rotation, ..*pose.local(mid) };
        let rest = skeleton.nearest_allowed(mid, &rest, 0.0);
        pose.edit(skeleton).local(limb.low, self.start).local(mid, rest);
        let Some(measured) = Measured::of(&limb.whole(), skeleton, pose, DVec3::ZERO) else { return };
        let Some(first) = arc::unit(measured.a) else { return };
        let across = measured.link.inverse() * limb.rest[0].axis.cross(first);
        let folded = point::toward(skeleton, mid, &rest, 0.0, measured.b, across);
        pose.edit(skeleton).local(mid, folded);
    }

    /// With the target at a share of its distance.
    pub(super) fn at_share(&self, share: f64) -> Self {
        Self { distance: self.distance * share, ..*self }
    }

    /// The joint turned about the fold axis from its start, within its limit.
    pub(super) fn turned(&self, skeleton: &Skeleton, turn: f64) -> Transform {
        if turn == 0.0 {
            return skeleton.nearest_allowed(self.joint, &self.start, self.value);
        }
        let rotation = arc::normalize(arc::axis_angle(self.axis, turn) * self.start.rotation);
        skeleton.nearest_allowed(self.joint, &Transform { rotation, ..self.start }, self.value)
    }
}

/// The limb's fold axis, carried at rest from the root's frame into that of the heel's parent.
fn fold_axis(limb: &ThreeLink, skeleton: &Skeleton) -> DVec3 {
    let mut turn = DQuat::IDENTITY;
    let mut at = skeleton.parent(limb.low);
    while let Some(joint) = at.filter(|&joint| joint != limb.root) {
        turn = skeleton.rest(joint).rotation * turn;
        at = skeleton.parent(joint);
    }
    turn.conjugate() * limb.rest[0].axis
}
