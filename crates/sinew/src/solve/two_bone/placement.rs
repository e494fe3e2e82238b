//! Where the limb goes: the middle joint's fold from the distance, the root's turn from line and
//! bend, and what gives way where a limit forbids that.

use glam::{DQuat, DVec3};

use super::carry::{Middle, carry, turned_about};
use super::fold::Fold;
use super::geometry::Reference;
use super::measure::Measured;
use super::solver::TwoBone;
use super::{give_way, swivel};
use crate::goal::Swivel;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::Status;
use crate::transform::Transform;

/// The limb's new rotations, in the space of the root's parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// Local rotations.
    pub(super) root: DQuat,
    pub(super) mid: DQuat,
    /// The hinge's value, where the middle joint is one.
    pub(super) mid_value: Option<f64>,
    /// Factor on rest translations.
    pub(super) stretch: f64,
    pub(super) status: Status,
    /// Line to the target, bend, middle joint: for the next solve.
    pub(super) swivel: Swivel,
}

impl Placement {
    /// Notes where limits have turned the bend.
    pub(super) fn bent(&mut self, measured: &Measured, bend: DVec3) {
        self.swivel.bend = bend;
        self.swivel.mid = self.root * measured.a * self.stretch;
    }
}

/// Where to go, in the space of the root's parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    /// Target from the root.
    pub(super) p: DVec3,
    /// The pole's direction from the root.
    pub(super) pole: Option<DVec3>,
    /// The bend to carry along.
    pub(super) last: Option<&'a Swivel>,
}

/// The placement of the limb. `None` where the limb has no length.
pub(super) fn place(
    limb: &TwoBone,
    skeleton: &Skeleton,
    pose: &Pose,
    measured: &Measured,
    Asked { p, pole, last }: Asked<'_>,
    blocked: &mut dyn FnMut(Joint),
) -> Option<Placement> {
    let rest = Reference { line: limb.rest.line, bend: limb.rest.bend };
    let stance = measured.stance().unwrap_or(rest);
    let line = arc::unit(p).unwrap_or(stance.line);
    let distance = line.dot(p).max(0.0);
    let bend = match pole {
        Some(pole) => arc::unit_reject(pole, line, 1e-10).unwrap_or_else(|| stance.carried(line)),
        None if p == DVec3::ZERO => stance.carried(line),
        None => rest.carried(line),
    };
    let bend = turned_about(line, bend, limb.pole_angle);
    let fold = Fold::new(limb, skeleton, pose, measured, distance)?;
    let reach = |v: DVec3| fold.stretch * measured.a.dot(v);
    let mid = Middle { along: reach(fold.line), across: reach(fold.bulge) };
    let swivel = carry(last, p, line, bend, mid, limb.reach.ratio());
    let bend = swivel.bend;
    let placed = |bend: DVec3| arc::between_frames(fold.line, fold.bulge, line, bend);
    let root = Transform { rotation: placed(bend), ..*pose.local(limb.root) };
    let mid = Transform { rotation: fold.mid, ..*pose.local(limb.mid) };
    let allowed = |joint: Joint, local: &Transform| excess(skeleton, pose, joint, local) < swivel::ALLOWED;
    let mut placement = Placement {
        root: root.rotation,
        mid: fold.mid,
        mid_value: fold.value,
        stretch: fold.stretch,
        status: fold.status,
        swivel,
    };
    let mid_free = allowed(limb.mid, &mid);
    if mid_free && allowed(limb.root, &root) {
        if fold.status == Status::Limited {
            blocked(limb.mid);
        }
        return Some(placement);
    }
    let turned = |angle: f64| Transform { rotation: placed(turned_about(line, bend, angle)), ..root };
    let excess = |angle: f64| excess(skeleton, pose, limb.root, &turned(angle));
    // Two hinges have no bend to turn aside.
    let hinged = [limb.root, limb.mid].iter().all(|&joint| matches!(skeleton.kind(joint), Kind::Hinge { .. }));
    if mid_free
        && !hinged
        && let Some(angle) = swivel::nearest_allowed(excess)
    {
        placement.root = turned(angle).rotation;
        placement.bent(measured, turned_about(line, bend, angle));
        return Some(placement);
    }
    give_way::give_way(&give_way::Stuck { limb, skeleton, pose, measured, p }, turned, &mut placement, blocked);
    Some(placement)
}

/// How far outside its limit a joint would be: the chord of half the angle to the nearest allowed.
pub(super) fn excess(skeleton: &Skeleton, pose: &Pose, joint: Joint, local: &Transform) -> f64 {
    let nearest = skeleton.nearest_allowed(joint, local, pose.value(skeleton, joint)).rotation;
    let difference =
        if nearest.dot(local.rotation) < 0.0 { nearest + local.rotation } else { nearest - local.rotation };
    ops::sqrt(difference.dot(difference))
}
