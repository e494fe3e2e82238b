//! How one freedom of a joint carries what hangs on it: a velocity field in model space.
//!
//! A hinge about the axis `a` through `o` moves a point `x` by `a × (x - o)` and turns it by `a`; a
//! slide moves it by `a`. With `L` the linear part above the joint and `â` the axis in its parent's
//! space `a = L â`; where `L` is no similarity, points move by `L (â × L⁻¹ (x - o))` instead, and
//! rotations by the axial vector of `L`, which is a good guess.

use glam::{DMat3, DVec3};

use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};

/// Deviation from a similarity, relative, that counts as shear.
const SHEAR: f64 = 1e-9;

/// One degree of freedom of one joint, in the pose in which the rows were last derived.
#[derive(Clone, Debug)]
pub struct Motion {
    joint: Joint,
    end: usize,
    turns: bool,
    /// Axis in the parent's space (in the space above a root).
    pub(super) in_parent: DVec3,
    above: Above,
    /// In model space: a unit axis of turns, metres a unit of shifts.
    axis: DVec3,
    origin: DVec3,
    sheared: Option<DMat3>,
    /// Place of the freedom in the step, and the joint's own motion for one unit of it.
    pub(super) freedom: usize,
    pub(super) factor: f64,
}

/// What lies above a joint, as far as no pose changes it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Above {
    /// A similarity of this size, negative where it mirrors.
    Similar(f64),
    Sheared,
    /// A scale of zero: nothing moves.
    Flat,
}

impl Motion {
    /// A turn (`turns`) or shift of `joint` along an axis in its parent's space.
    pub(super) fn new(skeleton: &Skeleton, pose: &Pose, joint: Joint, turns: bool, in_parent: DVec3) -> Self {
        let above = Above::of(&linear_above(skeleton, pose, joint));
        let end = skeleton.subtree(joint).end;
        let mut motion = Self {
            joint,
            end,
            turns,
            in_parent,
            above,
            axis: DVec3::ZERO,
            origin: DVec3::ZERO,
            sheared: None,
            freedom: 0,
            factor: 1.0,
        };
        motion.refresh(skeleton, pose);
        motion
    }

    /// The joint that moves.
    pub fn joint(&self) -> Joint {
        self.joint
    }

    /// Whether `joint` is the one that moves, or below it.
    pub fn moves(&self, joint: Joint) -> bool {
        (self.joint.index()..self.end).contains(&joint.index())
    }

    /// Velocity, in model space, of a point (model space) that moves with the joint: metres per radian, or metres per metre
    /// of a slide in its parent's units.
    pub fn velocity(&self, point: DVec3) -> DVec3 {
        match (&self.sheared, self.turns) {
            (Some(map), _) => *map * (point - self.origin),
            (None, true) => self.axis.cross(point - self.origin),
            (None, false) => self.axis,
        }
    }

    /// Angular velocity of what moves with the joint; zero for slides.
    pub fn angular(&self) -> DVec3 {
        if self.turns { self.axis } else { DVec3::ZERO }
    }

    /// Rate of a unit direction that moves with the joint, perpendicular to it.
    pub fn swing(&self, direction: DVec3) -> DVec3 {
        match &self.sheared {
            Some(map) => arc::reject(*map * direction, direction),
            None => self.angular().cross(direction),
        }
    }

    /// The vector whose product with any other is the product of `vector` with that one's rate as it turns with what hangs on
    /// the joint.
    pub(super) fn gather(&self, vector: DVec3) -> DVec3 {
        match &self.sheared {
            Some(map) => map.transpose() * vector,
            None => vector.cross(self.angular()),
        }
    }

    /// Brings the field up to date with the pose.
    pub(super) fn refresh(&mut self, skeleton: &Skeleton, pose: &Pose) {
        let map = linear_above(skeleton, pose, self.joint);
        self.origin = pose.position(self.joint);
        let axis = map * self.in_parent;
        self.sheared = None;
        self.axis = match self.above {
            Above::Flat => DVec3::ZERO,
            Above::Similar(_) | Above::Sheared if !self.turns => axis,
            Above::Similar(size) => axis / size,
            Above::Sheared => {
                let inverse = map.inverse();
                self.sheared = Some(map * cross_matrix(self.in_parent) * inverse);
                let axial = inverse.transpose() * self.in_parent * map.determinant();
                arc::unit(axial).unwrap_or(DVec3::ZERO)
            }
        };
    }

    /// Metres in model space for one unit of a shift, in the present pose.
    pub(super) fn shift_size(&self) -> f64 {
        arc::length(self.axis)
    }
}

impl Above {
    fn of(map: &DMat3) -> Self {
        let (x, y, z) = (map.x_axis, map.y_axis, map.z_axis);
        let square = (x.dot(x) + y.dot(y) + z.dot(z)) / 3.0;
        let volume = map.determinant();
        if !(square > 0.0 && square.is_finite() && volume.abs() > 1e-12 * square * ops::sqrt(square)) {
            return Self::Flat;
        }
        let skew = x.dot(y).abs() + y.dot(z).abs() + z.dot(x).abs();
        let uneven = (x.dot(x) - square).abs() + (y.dot(y) - square).abs();
        if skew + uneven > SHEAR * square {
            return Self::Sheared;
        }
        let size = ops::sqrt(square);
        Self::Similar(if volume < 0.0 { -size } else { size })
    }
}

/// Linear part of what lies above a joint.
fn linear_above(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> DMat3 {
    skeleton.parent(joint).map_or(skeleton.base(joint).matrix3, |parent| pose.model(parent).matrix3)
}

/// The matrix of `v ×`.
pub(super) fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}
