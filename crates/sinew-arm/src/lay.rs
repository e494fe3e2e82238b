//! Lays an arm's frames along a path of joints.
//!
//! Every frame's x axis is square to its own joint's axis and to the next one's, so that the way from joint to joint is a
//! tilt about x: Denavit and Hartenberg's angles, with plain offsets in place of their lengths, which nearly parallel
//! axes would make huge.

use sinew::glam::{DMat3, DVec3};
use sinew::limit::Range;
use sinew::math::{arc, ops};
use sinew::{Joint, Kind, Pose, Skeleton, Transform, Workspace};

use crate::arm::{Arm, ArmError, Link, MOST, Slot};
use crate::frames::SIZES;

/// Sine below which two axes count as parallel.
const PARALLEL: f64 = 1e-13;
/// How unequal scales may be that count as one.
const UNEQUAL: f64 = 1e-9;
/// Metres that count as one radian, as a share of the chain's length. HEURISTIC: between 0.35 and 1 there is little to
/// choose.
const UNIT: f64 = 0.5;

/// A moving joint at the value 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    joint: Joint,
    position: DVec3,
    axis: DVec3,
    scale: f64,
}

/// A frame on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    rotation: DMat3,
    position: DVec3,
    scale: f64,
}

impl Default for At {
    fn default() -> Self {
        Self { rotation: DMat3::IDENTITY, position: DVec3::ZERO, scale: 1.0 }
    }
}

/// The part of a goal that says which joints move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) base: Option<Joint>,
    pub(crate) tip: Joint,
    pub(crate) offset: DVec3,
    pub(crate) relative_to: Option<Joint>,
}

impl Span {
    /// The joint above on the way up, if the arm goes on there.
    pub(crate) fn above(&self, skeleton: &Skeleton, joint: Joint) -> Option<Joint> {
        let next = if self.base == Some(joint) { None } else { skeleton.parent(joint) };
        next.filter(|&next| self.admits(skeleton, next))
    }

    /// Whether the arm may have the joint: not a ball, and not above what the target is measured from.
    pub(crate) fn admits(&self, skeleton: &Skeleton, joint: Joint) -> bool {
        let is_serial = matches!(skeleton.kind(joint), Kind::Fixed | Kind::Hinge { .. } | Kind::Slide { .. });
        is_serial && self.relative_to.is_none_or(|from| !skeleton.is_below(from, joint))
    }
}

impl Arm {
    /// Makes this the arm of a goal, in model space. Fixed joints, and those that an earlier goal owns, are where the
    /// pose has them.
    pub(crate) fn follow(
        &mut self,
        skeleton: &Skeleton,
        pose: &Pose,
        span: &Span,
        work: &Workspace,
    ) -> Result<(), ArmError> {
        self.path.clear();
        let mut next = Some(span.tip).filter(|&tip| span.admits(skeleton, tip));
        while let Some(joint) = next {
            self.path.push(joint);
            next = span.above(skeleton, joint);
        }
        self.path.reverse();
        let Some(&first) = self.path.first() else { return Err(ArmError::NotSerial { joint: span.tip }) };
        let above = skeleton.parent(first).map_or(*skeleton.base(first), |above| *pose.model(above));
        let scale = arc::length(above.matrix3.x_axis);
        let turn = above.matrix3 * (1.0 / scale);
        if !(turn * turn.transpose()).abs_diff_eq(DMat3::IDENTITY, UNEQUAL) {
            return Err(ArmError::Scaled { joint: first });
        }
        self.lay(skeleton, At::default(), span.offset, |joint| {
            let owned = work.is_owned(skeleton, joint, span.tip);
            (*pose.local(joint), if owned { Kind::Fixed } else { skeleton.kind(joint) })
        })?;
        self.start = above.transform_point3(self.start * self.unit) / (self.unit * scale);
        self.stand = turn * self.stand;
        self.handed = if turn.determinant() < 0.0 { -1.0 } else { 1.0 };
        self.unit *= scale;
        Ok(())
    }

    /// Walks down the path with every value at 0; a joint's local transform, and what it may do, are as told.
    pub(crate) fn lay(
        &mut self,
        skeleton: &Skeleton,
        mut at: At,
        offset: DVec3,
        told: impl Fn(Joint) -> (Transform, Kind),
    ) -> Result<(), ArmError> {
        self.places.clear();
        for &joint in &self.path {
            let ((local, kind), zero) = (told(joint), skeleton.zero(joint));
            let (translation, rotation, axis) = match kind {
                Kind::Fixed => (local.translation, local.rotation, None),
                Kind::Hinge { axis, .. } => (local.translation, zero.rotation, Some(axis)),
                Kind::Slide { axis, .. } => (zero.translation, local.rotation, Some(axis)),
                _ => return Err(ArmError::NotSerial { joint }),
            };
            at.position += at.rotation * (translation * at.scale);
            if let Some(axis) = axis {
                let axis = arc::unit(at.rotation * (zero.rotation * axis)).ok_or(ArmError::Scaled { joint })?;
                self.places.push(Place { joint, position: at.position, axis, scale: at.scale });
            }
            at.rotation *= DMat3::from_quat(rotation);
            let size = local.scale;
            if !(size.x > 0.0 && (size - DVec3::splat(size.x)).abs().max_element() <= UNEQUAL * size.x) {
                return Err(ArmError::Scaled { joint });
            }
            at.scale *= size.x;
        }
        let end = at.position + at.rotation * (offset * at.scale);
        self.measure(end)?;
        self.fold(end, at.rotation);
        self.drive(skeleton);
        Ok(())
    }

    /// Sizes of everything.
    fn measure(&mut self, end: DVec3) -> Result<(), ArmError> {
        self.joints = self.places.len();
        let Some(first) = self.places.first() else { return Err(ArmError::Stiff) };
        if self.joints > MOST {
            return Err(ArmError::TooLong);
        }
        let mut length = 0.0;
        let mut last = first.position;
        for place in self.places.iter().map(|place| place.position).chain([end]) {
            length += arc::length(place - last);
            last = place;
        }
        self.unit = if length > 0.0 { UNIT * length } else { 1.0 };
        self.length = length / self.unit;
        Ok(())
    }

    /// Frames from axis to axis.
    fn fold(&mut self, end: DVec3, rotation: DMat3) {
        let size = SIZES.into_iter().find(|&size| size >= self.joints).unwrap_or(MOST);
        self.links.clear();
        self.links.resize(size, Link::STILL);
        let mut x = arc::any_perpendicular(self.places[0].axis);
        self.start = self.places[0].position / self.unit;
        self.stand = DMat3::from_cols(x, self.places[0].axis.cross(x), self.places[0].axis);
        self.handed = 1.0;
        for i in 0..self.joints {
            let (place, next) = (self.places[i], self.places.get(i + 1));
            let axis = place.axis;
            let wanted = next.map_or(axis, |next| next.axis);
            let across = axis.cross(wanted);
            let turned = if arc::length(across) < PARALLEL { x } else { across / arc::length(across) };
            // Square to the axis to the last bit that counts.
            let turned = arc::unit(arc::reject(turned, axis)).unwrap_or(turned);
            let y = axis.cross(turned);
            let way = (next.map_or(end, |next| next.position) - place.position) / self.unit;
            let link = &mut self.links[i];
            link.angle = ops::atan2(x.cross(turned).dot(axis), x.dot(turned));
            link.offset = DVec3::new(way.dot(turned), way.dot(y), way.dot(axis));
            link.tilt = (-wanted.dot(y), wanted.dot(axis));
            x = turned;
            if next.is_none() {
                self.tip = DMat3::from_cols(x, y, axis).transpose() * rotation;
            }
        }
    }

    /// Which coordinate moves which joint.
    fn drive(&mut self, skeleton: &Skeleton) {
        self.coordinates.clear();
        self.slots.clear();
        (self.is_shared, self.is_rigid) = (false, true);
        for (place, link) in self.places.iter().zip(&mut self.links) {
            let Some(drive) = skeleton.drive(place.joint) else { continue };
            let is_hinge = matches!(skeleton.kind(place.joint), Kind::Hinge { .. });
            let known = self.coordinates.iter().position(|&coordinate| coordinate == drive.coordinate);
            self.is_shared |= known.is_some();
            self.is_rigid &= is_hinge;
            let gain = if is_hinge { 1.0 } else { place.scale / self.unit };
            let slot = known.unwrap_or(self.slots.len());
            if known.is_none() {
                let limit = skeleton.coordinates()[drive.coordinate].range;
                self.coordinates.push(drive.coordinate);
                self.slots.push(Slot::of(limit, if is_hinge { 1.0 } else { 1.0 / (gain * drive.multiplier.abs()) }));
            }
            let slots = &mut self.slots[slot];
            slots.is_round &= is_hinge && drive.multiplier.abs() == 1.0;
            (link.slot, link.rate) = (slot, drive.multiplier * slots.scale * gain);
            (link.turns, link.slides) = if is_hinge { (1.0, 0.0) } else { (0.0, 1.0) };
            if is_hinge {
                link.angle += drive.offset;
            } else {
                link.way = drive.offset * gain;
            }
        }
        self.slots.resize(self.links.len(), Slot::of(Range::new(0.0, 0.0), 1.0));
    }
}

impl Link {
    /// A joint that does not move, and leads nowhere.
    const STILL: Self = Self {
        slot: 0,
        rate: 0.0,
        turns: 0.0,
        slides: 0.0,
        angle: 0.0,
        way: 0.0,
        offset: DVec3::ZERO,
        tilt: (0.0, 1.0),
    };
}

impl Slot {
    fn of(limit: Range, scale: f64) -> Self {
        let range = Range::new(limit.min / scale, limit.max / scale);
        Self { scale, limit, range, is_round: range.max - range.min >= core::f64::consts::TAU }
    }
}
