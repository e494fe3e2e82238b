//! What joints do with the freedom that the goals leave them: lean to a posture, never at a goal's cost.
//!
//! By default a solve leans once, so a pose comes to its posture frame by frame, behind targets that move. An exact posture
//! makes the answer nearly independent of where the solve began: warm-started on a closed loop of
//! targets, a second lap repeats the first within 0.05 degrees (`tests/loops.rs`), at many times the steps.
//! Where two postures are as near, the pose may still jump from one to the other.

use alloc::vec::Vec;

use glam::{DQuat, DVec3};

use super::mover::{Mover, MoverKind};
use super::plan::Plan;
use crate::limit::Range;
use crate::math::arc;
use crate::pose::{Edit, Pose};
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};
use crate::transform::Transform;

/// The posture that joints move toward in what the goals leave free.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Posture {
    /// The rest pose.
    Rest,
    /// The middle of every limit; joints without a limit are left alone.
    LimitCentre,
    /// A pose of the same skeleton. One of another makes the settings invalid.
    #[cfg_attr(feature = "serde", serde(skip))]
    Pose(Pose),
}

impl Posture {
    pub(super) fn fits(&self, skeleton: &Skeleton) -> bool {
        match self {
            Self::Pose(pose) => pose.fits(skeleton) && skeleton.iter().all(|joint| pose.local(joint).is_finite()),
            _ => true,
        }
    }

    /// Whether it asks anything of what moves: the middle of limits does not where there are none.
    pub(super) fn asks(&self, plan: &Plan, skeleton: &Skeleton) -> bool {
        !matches!(self, Self::LimitCentre) || plan.movers.iter().any(|mover| has_middle(skeleton, mover))
    }

    /// Writes the step from `pose` to the posture, without regard to goals.
    pub(super) fn step(&self, plan: &Plan, skeleton: &Skeleton, rest: &Pose, pose: &Pose, step: &mut Vec<f64>) {
        step.clear();
        step.resize(plan.freedoms, 0.0);
        let wanted = match self {
            Self::Rest => Some(rest),
            Self::Pose(pose) => Some(pose),
            Self::LimitCentre => None,
        };
        for mover in &plan.movers {
            let (step, local) = (&mut step[mover.first..], pose.local(mover.joint));
            let turn = |to: DQuat| turn(local.rotation, to);
            match mover.kind {
                MoverKind::Coordinate { index, scale, range, .. } => {
                    let to = wanted.map_or(middle(range), |wanted| Some(range.clamp(wanted.coordinates()[index])));
                    step[0] = to.map_or(0.0, |to| (to - pose.coordinates()[index]) / scale);
                }
                MoverKind::Ball { scale, .. } => {
                    let centre = || limit_centre(skeleton, mover.joint);
                    let to = wanted.map_or_else(centre, |wanted| Some(wanted.local(mover.joint).rotation));
                    write(step, to.map_or(DVec3::ZERO, |to| turn(to) / scale));
                }
                MoverKind::Free { scale, shift } => {
                    let Some(to) = wanted.map(|wanted| wanted.local(mover.joint)) else { continue };
                    write(step, turn(to.rotation) / scale);
                    if shift > 0.0 {
                        write(&mut step[3..], (to.translation - local.translation) / shift);
                    }
                }
            }
        }
    }
}

/// Whether its limit has a middle.
pub(super) fn has_middle(skeleton: &Skeleton, mover: &Mover) -> bool {
    let centred = || limit_centre(skeleton, mover.joint).is_some();
    mover.coordinate().map_or_else(centred, |(_, range)| middle(range).is_some())
}

/// Brings a coordinate, else a ball, this share of the way to the middle of its limit; whether it has one.
pub(in crate::solve) fn to_middle(
    skeleton: &Skeleton,
    joint: Joint,
    coordinate: Option<(usize, Range)>,
    share: f64,
    edit: &mut Edit<'_>,
) -> bool {
    if let Some((index, range)) = coordinate {
        let Some(middle) = middle(range) else { return false };
        let q = edit.pose().coordinates()[index];
        edit.coordinate(index, if share < 1.0 { q + (middle - q) * share } else { middle });
        return true;
    }
    let Some(centre) = limit_centre(skeleton, joint) else { return false };
    let local = *edit.pose().local(joint);
    let rotation = if share < 1.0 { arc::part_of_turn(local.rotation, centre, share) } else { centre };
    edit.local(joint, Transform { rotation, ..local });
    true
}

/// The local rotation in the middle of a ball's limit.
pub(in crate::solve) fn limit_centre(skeleton: &Skeleton, joint: Joint) -> Option<DQuat> {
    let turned = |axis, range| arc::axis_angle(axis, middle(range).unwrap_or(0.0));
    let Kind::Ball(limit) = skeleton.kind(joint) else { return None };
    let turn = match limit {
        BallLimit::Free => return None,
        BallLimit::SwingTwist(limit) => turned(limit.axis(), limit.twist()),
        BallLimit::EllipticSwing(limit) => turned(limit.axis(), limit.twist()),
        BallLimit::Euler(limit) => {
            limit.turns().iter().fold(DQuat::IDENTITY, |turn, &(axis, range)| turn * turned(axis, range))
        }
    };
    Some(skeleton.zero(joint).rotation * turn)
}

/// The middle of a range that ends on both sides.
pub(in crate::solve) fn middle(range: Range) -> Option<f64> {
    let middle = 0.5 * (range.min + range.max);
    middle.is_finite().then_some(middle)
}

/// Rotation vector, in the parent's space, from one local rotation to another.
fn turn(from: DQuat, to: DQuat) -> DVec3 {
    arc::rotation_vector(arc::normalize(to * from.conjugate()))
}

fn write(step: &mut [f64], vector: DVec3) {
    step[..3].copy_from_slice(&vector.to_array());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::{EllipticSwing, EulerOrder, EulerRanges, SwingTwist};
    use crate::math::ops;
    use crate::skeleton::{JointSpec, SkeletonBuilder};

    #[test]
    fn every_limit_has_its_middle() {
        let twist = Range::new(-0.2, 0.6);
        let cone = SwingTwist::new(DVec3::Y, 0.5, twist).expect("a cone");
        let ellipse = EllipticSwing::new(DVec3::Y, DVec3::X, [0.5, 0.3], twist).expect("an ellipse");
        let ranges = [Range::new(0.1, 0.5), Range::new(-0.6, 0.2), Range::new(0.0, 1.0)];
        let euler = EulerRanges::new(EulerOrder::Zxy, ranges[0], ranges[1], ranges[2]).expect("three ranges");
        let about = |axis: DVec3, angle: f64| arc::axis_angle(axis, angle);
        let wanted = [
            Some(about(DVec3::Y, 0.2)),
            Some(about(DVec3::Y, 0.2)),
            Some(about(DVec3::Z, 0.5) * about(DVec3::X, 0.3) * about(DVec3::Y, -0.2)),
            None,
        ];
        let limits =
            [BallLimit::SwingTwist(cone), BallLimit::EllipticSwing(ellipse), BallLimit::Euler(euler), BallLimit::Free];
        for (limit, wanted) in limits.into_iter().zip(wanted) {
            let mut builder = SkeletonBuilder::new();
            builder.add(JointSpec::named("a").kind(Kind::Ball(limit)));
            let skeleton = builder.build().expect("one joint");
            let middle = limit_centre(&skeleton, skeleton.at(0).expect("one joint"));
            assert_eq!(middle.is_some(), wanted.is_some());
            let off = middle.zip(wanted).map_or(0.0, |(middle, wanted)| 1.0 - middle.dot(wanted).abs());
            assert!(ops::sqrt(off.max(0.0)) < 1e-7, "{limit:?}");
        }
    }
}
