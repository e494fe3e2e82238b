//! Where a goal's target is in model space, and how far the pose is from it.

use glam::{DQuat, DVec3};

use crate::goal::{Goal, Target};
use crate::math::arc;
use crate::pose::Pose;

/// Length of a vector of any size.
pub(crate) fn size(v: DVec3) -> f64 {
    let length = arc::length(v);
    let largest = v.abs().max_element();
    // Squares of very far targets overflow, those of very near ones vanish.
    let overflows = length > 1e150 && largest > 1e150;
    let vanishes = length < 1e-150 && largest > 0.0;
    if overflows || vanishes { arc::length(v / largest) * largest } else { length }
}

/// Target of a place minus the goal's point, in model space; zero without one.
#[inline]
pub(crate) fn place_left(goal: &Goal, pose: &Pose) -> DVec3 {
    goal.target.position().map_or(DVec3::ZERO, |place| {
        goal.way_left(carried(goal, place, pose) - pose.model(goal.joint).transform_point3(goal.offset))
    })
}

/// A place of a goal's target in model space; where that is farther than numbers are, as solvers are to see it.
#[inline]
pub(crate) fn carried(goal: &Goal, place: DVec3, pose: &Pose) -> DVec3 {
    let Some(from) = goal.relative_to else { return place };
    let there = pose.model(from).transform_point3(place);
    if there.is_finite() { there } else { in_model(goal, place, pose) }
}

/// An aimed axis and where it should point, unit directions in model space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    pub(crate) now: DVec3,
    pub(crate) wanted: DVec3,
    /// A perpendicular of `now` that is the joint's own, for half turns.
    pub(crate) across: DVec3,
}

impl Sight {
    /// `None` unless the goal is an aim or axis with both directions defined.
    pub(crate) fn of(goal: &Goal, pose: &Pose) -> Option<Self> {
        let model = pose.model(goal.joint);
        let (axis, wanted) = match goal.target {
            Target::Aim { axis, point, .. } => {
                (axis, in_model(goal, point, pose) - model.transform_point3(goal.offset))
            }
            Target::Axis { axis, direction, .. } => {
                (axis, goal.relative_to.map_or(direction, |from| pose.model(from).transform_vector3(direction)))
            }
            _ => return None,
        };
        let across = model.transform_vector3(arc::any_perpendicular(arc::unit(axis)?));
        Some(Self { now: arc::unit(model.transform_vector3(axis))?, wanted: arc::unit(wanted)?, across })
    }
}

/// A goal's target carried from the joint it is relative to into model space.
#[derive(Clone, Copy, Debug)]
pub struct TargetInModel {
    /// Where the goal's point should be (metres, at most 1e50 along any axis); `None` where no position is asked for.
    pub position: Option<DVec3>,
    /// How the goal's joint should stand; `None` where no rotation is asked for.
    pub rotation: Option<DQuat>,
}

impl TargetInModel {
    /// The goal's, where the joint it is relative to is in this pose.
    pub fn of(goal: &Goal, pose: &Pose) -> Self {
        let position = goal.target.position().map(|place| in_model(goal, place, pose));
        Self { position, rotation: Self::rotation_of(goal, pose) }
    }

    #[inline]
    pub(super) fn rotation_of(goal: &Goal, pose: &Pose) -> Option<DQuat> {
        let rotation = goal.target.rotation()?;
        Some(goal.relative_to.map_or(rotation, |from| pose.rotation(from) * rotation))
    }
}

/// Distance (metres, along any axis of the model) at which farther targets count as being, in the same direction: no
/// limb's answer depends on the rest, and the squares of squares are numbers.
const FARTHEST: f64 = 1e50;

/// A place of a goal's target as solvers are to see it, in model space.
pub(crate) fn in_model(goal: &Goal, place: DVec3, pose: &Pose) -> DVec3 {
    let place = not_too_far(place);
    goal.relative_to.map_or(place, |from| not_too_far(pose.model(from).transform_point3(place)))
}

#[inline(always)]
pub(crate) fn not_too_far(place: DVec3) -> DVec3 {
    let largest = place.abs().max_element();
    if largest > FARTHEST { place * (FARTHEST / largest) } else { place }
}
