//! The kinds of goal as tasks: a point, a rotation, a line of sight, its up, a centre of mass.

use glam::{DAffine3, DVec3};

use super::angles::{AxisTurn, inverse_jacobians};
use super::motion::Motion;
use super::task::{Columns, Task};
use crate::goal::{Goal, Target};
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::problem::scope::may_use;
use crate::solve::{Sight, TargetInModel, in_model};

/// Square of the sine below which a hint lies along the axis and says nothing about up.
const ALONG: f64 = 1e-8;

/// One part of a goal as a task. Rows are metres in model space or radians, masked rows zero; the
/// solver divides metres by the length of the chain.
#[derive(Clone, Debug)]
pub struct GoalTask {
    pub(in crate::solve) goal: Goal,
    pub(in crate::solve) part: GoalPart,
}

/// The parts that goals are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::solve) enum GoalPart {
    /// The offset point: three rows along the model's axes.
    Point,
    /// The rotation vector left, in model space: three rows.
    Rotation,
    /// The shortest turn of an aimed axis: three rows, two at a time.
    Sight,
    /// The turn about the aimed axis that leans an axis of the joint to the hint: one row.
    Up {
        /// In the joint's frame.
        axis: DVec3,
    },
    /// The centre of mass: three rows.
    Mass,
}

impl GoalTask {
    /// The parts of a goal: a frame is a point and a rotation, an aim a line of sight and perhaps an up;
    /// a scale has none.
    pub fn parts(skeleton: &Skeleton, goal: &Goal) -> impl Iterator<Item = Self> {
        let parts = match goal.target {
            Target::Position(_) => [Some(GoalPart::Point), None],
            Target::Rotation(_) => [Some(GoalPart::Rotation), None],
            Target::Frame { .. } => [Some(GoalPart::Point), Some(GoalPart::Rotation)],
            Target::Aim { up, .. } | Target::Axis { up, .. } => {
                [Some(GoalPart::Sight), up.and_then(|up| up_axis(skeleton, goal, up)).map(|axis| GoalPart::Up { axis })]
            }
            Target::CenterOfMass(_) => [Some(GoalPart::Mass), None],
            Target::Scale(_) => [None, None],
        };
        let goal = *goal;
        parts.into_iter().flatten().map(move |part| Self { goal, part })
    }

    /// Whether rows are metres, which the solver divides by a length.
    pub(in crate::solve) fn is_in_metres(&self) -> bool {
        matches!(self.part, GoalPart::Point | GoalPart::Mass)
    }

    /// How a motion carries the goal's own joint, and the joint that it is relative to.
    pub(super) fn carries(&self, motion: &Motion) -> (bool, bool) {
        (motion.moves(self.goal.joint), self.goal.relative_to.is_some_and(|from| motion.moves(from)))
    }

    pub(in crate::solve) fn point(&self, pose: &Pose) -> DVec3 {
        pose.model(self.goal.joint).transform_point3(self.goal.offset)
    }

    /// A place of the target in model space.
    fn in_model(&self, pose: &Pose, place: DVec3) -> DVec3 {
        in_model(&self.goal, place, pose)
    }

    fn derive_point(&self, pose: &Pose, columns: &mut Columns<'_>) {
        let point = self.point(pose);
        let target = TargetInModel::of(&self.goal, pose).position.unwrap_or(point);
        let counts = self.goal.way_counts(target - point);
        columns.each(|motion, column| {
            let (own, from) = self.carries(motion);
            let mut rate = DVec3::ZERO;
            if own {
                rate += motion.velocity(point);
            }
            if from {
                rate -= motion.velocity(target);
            }
            write(column, DVec3::select(counts, rate, DVec3::ZERO));
        });
    }

    fn rotation_left(&self, pose: &Pose) -> DVec3 {
        let target = TargetInModel::of(&self.goal, pose).rotation;
        target.map_or(DVec3::ZERO, |target| {
            arc::rotation_vector(arc::normalize(target * pose.rotation(self.goal.joint).conjugate()))
        })
    }

    fn derive_rotation(&self, pose: &Pose, columns: &mut Columns<'_>) {
        let turn = self.rotation_left(pose);
        let counts = self.goal.turn_counts(turn);
        let (right, left) = inverse_jacobians(turn);
        columns.each(|motion, column| {
            let (own, from) = self.carries(motion);
            let mut rate = DVec3::ZERO;
            if own {
                rate += right * motion.angular();
            }
            if from {
                rate -= left * motion.angular();
            }
            write(column, DVec3::select(counts, rate, DVec3::ZERO));
        });
    }

    fn turn(&self, pose: &Pose) -> Option<AxisTurn> {
        let sight = Sight::of(&self.goal, pose)?;
        Some(AxisTurn::new(sight.now, sight.wanted, arc::unit(sight.across)?))
    }

    fn derive_sight(&self, pose: &Pose, columns: &mut Columns<'_>) {
        let Some(turn) = self.turn(pose) else { return };
        let muzzle = self.point(pose);
        // Aims: the point, and one over its distance.
        let mark = match self.goal.target {
            Target::Aim { point, .. } => {
                let point = self.in_model(pose, point);
                Some((point, 1.0 / arc::length(point - muzzle)))
            }
            _ => None,
        };
        columns.each(|motion, column| {
            let (own, from) = self.carries(motion);
            let now = if own { motion.swing(turn.now) } else { DVec3::ZERO };
            let wanted = if let Some((point, nearness)) = mark {
                let mut rate = DVec3::ZERO;
                if from {
                    rate += motion.velocity(point);
                }
                if own {
                    rate -= motion.velocity(muzzle);
                }
                arc::reject(rate, turn.wanted) * nearness
            } else if from {
                motion.swing(turn.wanted)
            } else {
                DVec3::ZERO
            };
            write(column, turn.shrinks(now, wanted));
        });
    }

    /// Aimed axis, up axis and hint in model space; `None` where up is undefined.
    pub(in crate::solve) fn up(&self, pose: &Pose, up: DVec3) -> Option<(DVec3, DVec3, DVec3)> {
        let model = pose.model(self.goal.joint);
        let (Target::Aim { axis, up: Some(hint), .. } | Target::Axis { axis, up: Some(hint), .. }) = self.goal.target
        else {
            return None;
        };
        let axis = arc::unit(model.transform_vector3(axis))?;
        let hint = self.goal.relative_to.map_or(hint, |from| pose.model(from).transform_vector3(hint));
        let (up, hint) = (arc::unit(model.transform_vector3(up))?, arc::unit(hint)?);
        let across = |v: DVec3| axis.cross(v).dot(axis.cross(v)) > ALONG;
        (across(up) && across(hint)).then_some((axis, up, hint))
    }

    /// The turn about the aimed axis from the up to the hint (radians).
    fn up_left(&self, pose: &Pose, up: DVec3) -> Option<f64> {
        let (axis, up, hint) = self.up(pose, up)?;
        Some(ops::atan2(axis.dot(up.cross(hint)), up.dot(hint) - axis.dot(up) * axis.dot(hint)))
    }

    fn derive_up(&self, pose: &Pose, up: DVec3, columns: &mut Columns<'_>) {
        let Some((axis, _, hint)) = self.up(pose, up) else { return };
        let across = axis.cross(hint);
        let across = across / across.dot(across);
        columns.each(|motion, column| {
            let (own, from) = self.carries(motion);
            let rate = motion.angular().cross(hint).dot(across);
            column[0] = match (own, from) {
                (true, false) => rate,
                (false, true) => -rate,
                _ => 0.0,
            };
        });
    }

    pub(super) fn target_of_mass(&self, pose: &Pose) -> DVec3 {
        match self.goal.target {
            Target::CenterOfMass(place) => self.in_model(pose, place),
            _ => DVec3::ZERO,
        }
    }
}

impl Task for GoalTask {
    fn rows(&self) -> usize {
        if matches!(self.part, GoalPart::Up { .. }) { 1 } else { 3 }
    }

    fn error(&self, skeleton: &Skeleton, pose: &Pose, error: &mut [f64]) {
        let left = match self.part {
            GoalPart::Point => {
                let target = TargetInModel::of(&self.goal, pose).position.unwrap_or_default();
                self.goal.way_left(target - self.point(pose))
            }
            GoalPart::Rotation => self.goal.turn_left(self.rotation_left(pose)),
            GoalPart::Sight => self.turn(pose).map_or(DVec3::ZERO, |turn| turn.vector()),
            GoalPart::Up { axis } => {
                error[0] = self.up_left(pose, axis).unwrap_or(0.0);
                return;
            }
            GoalPart::Mass => {
                let left = pose.center_of_mass(skeleton, self.goal.joint).map(|now| self.target_of_mass(pose) - now);
                left.map_or(DVec3::ZERO, |left| self.goal.way_left(left))
            }
        };
        write(error, left);
    }

    fn derivative(&self, skeleton: &Skeleton, pose: &Pose, columns: &mut Columns<'_>) {
        match self.part {
            GoalPart::Point => self.derive_point(pose, columns),
            GoalPart::Rotation => self.derive_rotation(pose, columns),
            GoalPart::Sight => self.derive_sight(pose, columns),
            GoalPart::Up { axis } => self.derive_up(pose, axis, columns),
            GoalPart::Mass => self.derive_mass(skeleton, pose, columns),
        }
    }

    fn uses(&self, skeleton: &Skeleton, joint: Joint) -> bool {
        may_use(skeleton, &self.goal, joint)
    }

    fn priority(&self) -> u8 {
        self.goal.priority
    }

    fn pull(&self) -> f64 {
        self.goal.pull
    }
}

pub(super) fn write(rows: &mut [f64], vector: DVec3) {
    rows.copy_from_slice(&vector.to_array());
}

/// The axis of the aimed joint that lies along the goal's up at rest; `None` where a scale of zero
/// leaves none.
pub(in crate::solve) fn up_axis(skeleton: &Skeleton, goal: &Goal, up: DVec3) -> Option<DVec3> {
    let up = match goal.asked {
        Some(Target::Aim { up: Some(up), .. } | Target::Axis { up: Some(up), .. }) => up,
        _ => up,
    };
    let hint = goal.relative_to.map_or(up, |from| rest_model(skeleton, from).matrix3 * up);
    arc::unit(rest_model(skeleton, goal.joint).matrix3.inverse() * hint)
}

/// The joint's model transform at rest.
fn rest_model(skeleton: &Skeleton, joint: Joint) -> DAffine3 {
    let (mut map, mut at) = (DAffine3::IDENTITY, Some(joint));
    while let Some(joint) = at {
        map = skeleton.rest(joint).to_affine() * map;
        at = skeleton.parent(joint);
    }
    *skeleton.base(joint) * map
}
