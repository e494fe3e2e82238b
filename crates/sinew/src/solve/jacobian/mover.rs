//! What moves: coordinates with all they drive, balls, free joints.

use glam::{DMat3, DQuat, DVec3};

use crate::limit::Range;
use crate::math::arc;
use crate::pose::Edit;
use crate::skeleton::{Joint, Skeleton};
use crate::transform::Transform;

/// Difference of unit quaternions that is rounding.
const ROUNDING: f64 = 1e-14;

/// A coordinate, or a joint that turns and perhaps shifts freely.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    /// Of a coordinate the first joint it drives.
    pub(super) joint: Joint,
    pub(super) kind: MoverKind,
    /// Place of its first freedom in the step; one of a coordinate, three of a ball, six of a free joint.
    pub(super) first: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum MoverKind {
    Coordinate {
        index: usize,
        range: Range,
        /// Change for one unit of the step.
        scale: f64,
        turns: bool,
    },
    Ball {
        /// Axes of the turns in the parent's space; chosen anew where a limit blocks one.
        axes: DMat3,
        /// Place among the limited balls, of one that is.
        held: Option<usize>,
        /// Radians for one unit of the step.
        scale: f64,
    },
    /// A ball without limits that shifts too: metres along the parent's axes for one unit.
    Free { scale: f64, shift: f64 },
}

impl Mover {
    /// Whether a limit may stand in its way.
    pub(super) fn is_limited(&self) -> bool {
        match self.kind {
            MoverKind::Coordinate { range, .. } => range.min.is_finite() || range.max.is_finite(),
            MoverKind::Ball { held, .. } => held.is_some(),
            MoverKind::Free { .. } => false,
        }
    }

    /// Its coordinate and the range of that, if it has one.
    pub(super) fn coordinate(&self) -> Option<(usize, Range)> {
        match self.kind {
            MoverKind::Coordinate { index, range, .. } => Some((index, range)),
            MoverKind::Ball { .. } | MoverKind::Free { .. } => None,
        }
    }

    /// Places of its freedoms in the step.
    pub(super) fn freedoms(&self) -> core::ops::Range<usize> {
        let count = match self.kind {
            MoverKind::Coordinate { .. } => 1,
            MoverKind::Ball { .. } => 3,
            MoverKind::Free { .. } => 6,
        };
        self.first..self.first + count
    }

    /// Moves it inside its limit.
    pub(super) fn begin(&self, skeleton: &Skeleton, edit: &mut Edit<'_>) {
        match self.kind {
            MoverKind::Coordinate { index, range, .. } => {
                let now = edit.pose().coordinates()[index];
                let q = range.clamp(now);
                let off = skeleton.driven(index).any(|joint| edit.pose().is_off_value(skeleton, joint));
                if off || q != now {
                    edit.coordinate(index, q);
                }
            }
            MoverKind::Ball { .. } | MoverKind::Free { .. } => {
                let now = *edit.pose().local(self.joint);
                let allowed = skeleton.nearest_allowed(self.joint, &now, 0.0);
                // A projected rotation is projected again to its last digit only.
                let off = allowed.rotation - now.rotation;
                if off.dot(off) > ROUNDING * ROUNDING {
                    edit.local(self.joint, allowed);
                }
            }
        }
    }
}

/// A ball's turn, in its parent's space, by its three entries of the step.
pub(super) fn along(axes: &DMat3, step: &[f64]) -> DVec3 {
    axes.x_axis * step[0] + axes.y_axis * step[1] + axes.z_axis * step[2]
}

/// A local transform turned by a vector in its parent's space: by `2 atan(|v| / 2)` about it, which
/// needs no trigonometry and is `|v|` to second order.
pub(super) fn turned(local: &Transform, vector: DVec3) -> Transform {
    let half = vector * 0.5;
    let turn = arc::normalize(DQuat::from_xyzw(half.x, half.y, half.z, 1.0));
    Transform { rotation: arc::normalize(turn * local.rotation), ..*local }
}
