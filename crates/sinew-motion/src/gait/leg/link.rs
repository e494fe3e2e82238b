//! The joints of a leg that bend, and how they fold together.

use glam::{DAffine3, DQuat, DVec3};
use sinew::math::{arc, ops};
use sinew::{Joint, Pose, Skeleton, Transform};

/// A joint of the chain that bends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) joint: Joint,
    /// From the joint before (the hip's parent for the first) to the parent of this one; joints between stay at rest.
    pub(super) between: DAffine3,
    pub(super) rest: Transform,
    /// Rest bend of a lower joint, in its own frame.
    pub(super) axis: DVec3,
    pub(super) angle: f64,
}

/// Links of a leg at most, coxa and foot's first joint included.
pub(super) const MOST_LINKS: usize = 12;

impl Link {
    /// The local rotation with so much of the rest bend.
    pub(super) fn at(&self, share: f64) -> DQuat {
        if self.angle == 0.0 || share == 1.0 {
            return self.rest.rotation;
        }
        self.rest.rotation * arc::axis_angle(self.axis, (share - 1.0) * self.angle)
    }
}

pub(super) fn turn_of(map: &DAffine3) -> DQuat {
    if map.matrix3 == glam::DMat3::IDENTITY {
        DQuat::IDENTITY
    } else {
        arc::rotation_of(&map.matrix3).unwrap_or(DQuat::IDENTITY)
    }
}

/// Rotation of a joint's parent in the rest pose.
pub(super) fn above(skeleton: &Skeleton, rest: &Pose, joint: Joint) -> DQuat {
    skeleton.parent(joint).map_or(DQuat::IDENTITY, |parent| rest.rotation(parent))
}

pub(super) fn link(skeleton: &Skeleton, rest: &Pose, kept: &[Joint], i: usize, end: usize) -> Option<Link> {
    let joint = kept[i];
    let frame = |joint: Joint| skeleton.parent(joint).map_or(*skeleton.base(joint), |parent| *rest.model(parent));
    let between = if i == 0 || skeleton.parent(joint) == Some(kept[i - 1]) {
        DAffine3::IDENTITY
    } else {
        rest.model(kept[i - 1]).inverse() * frame(joint)
    };
    if i > MOST_LINKS - 1 || !between.is_finite() {
        return None;
    }
    let (mut axis, mut angle) = (DVec3::X, 0.0);
    if i > 1 && i < end {
        let inside = rest.model(joint).inverse();
        let seen = |other: Joint| arc::unit(inside.transform_point3(rest.position(other)));
        let (from, to) = (-seen(kept[i - 1])?, seen(kept[i + 1])?);
        if let Some(normal) = arc::unit(from.cross(to)).filter(|_| from.cross(to).length() > 1e-3) {
            (axis, angle) = (normal, ops::atan2(arc::length(from.cross(to)), from.dot(to)));
        }
    }
    Some(Link { joint, between, rest: *skeleton.rest(joint), axis, angle })
}
