//! The inverse: from a pose to the goals that would make it.
//!
//! What switching between forward and inverse kinematics, keyed goals and baking stand on. A pose tells where a goal's
//! target would have to be to be met already ([`Goal::met_by`]), and to which side a limb bends ([`TwoBone::pole_of`]). Solved
//! from another pose, those goals give back what the solver has in hand: of a limb the positions of its joints and the rotation
//! of its tip, and of root and middle joint the rotations too where these are turned as the solver itself turns them, the
//! middle joint about the limb's fold axis alone. To rounding, but for a limb at full reach: there the bend that it ends with
//! is the root of rounding.

use glam::DVec3;

use super::aim::Aim;
use super::orient::Orient;
use super::scale::scale_left;
use super::three_link::ThreeLink;
use super::two_bone::TwoBone;
use super::two_bone::rest::STRAIGHT;
use super::{Sight, in_model};
use crate::goal::{Goal, Mask, Pole, Target};
use crate::math::{affine, arc};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};

impl Goal {
    /// The same goal with the target that the pose already meets: the position of its point, the joint's rotation, the
    /// product of scale ratios, the centre of mass. The point of an aim moves along the axis to the distance of the old
    /// point; the direction of an axis keeps its length. All are relative to what the goal is relative to.
    ///
    /// Ups, poles and swivels stay: they belong to solvers ([`TwoBone::goal_of`], [`Aim::goal_of`]). The target also stays
    /// when the pose cannot define it: relative to a joint of scale zero, no mass, an axis of length zero, a ratio to a
    /// scale of zero, or a target that is not finite.
    ///
    /// # Panics
    /// Where goal or pose is another skeleton's.
    pub fn met_by(self, skeleton: &Skeleton, pose: &Pose) -> Self {
        let target = self.target_met(skeleton, pose).filter(Target::is_finite);
        Self { target: target.unwrap_or(self.target), ..self }
    }

    fn target_met(&self, skeleton: &Skeleton, pose: &Pose) -> Option<Target> {
        let into = match self.relative_to {
            Some(from) => Some(affine::inverse(pose.model(from))?),
            None => None,
        };
        let place = |at: DVec3| into.map_or(at, |into| into.transform_point3(at));
        let way = |way: DVec3| into.map_or(way, |into| into.transform_vector3(way));
        let rotation = || {
            let own = arc::rotation_of(&pose.model(self.joint).matrix3)?;
            Some(self.relative_to.map_or(own, |from| arc::normalize(pose.rotation(from).conjugate() * own)))
        };
        let point = pose.model(self.joint).transform_point3(self.offset);
        Some(match self.target {
            Target::Position(_) => Target::Position(place(point)),
            Target::Rotation(_) => Target::Rotation(rotation()?),
            Target::Frame { .. } => Target::Frame { position: place(point), rotation: rotation()? },
            Target::Aim { axis, point: old, up } => {
                let now = arc::unit(pose.model(self.joint).transform_vector3(axis))?;
                let far = arc::length(in_model(self, old, pose) - point);
                Target::Aim { axis, point: place(point + now * far), up }
            }
            Target::Axis { axis, direction, up } => {
                let now = Sight::of(self, pose)?.now;
                let old = self.relative_to.map_or(direction, |from| pose.model(from).transform_vector3(direction));
                Target::Axis { axis, direction: way(now * arc::length(old)), up }
            }
            Target::Scale(_) => {
                // What is left of zero is the product itself, the other way.
                let none = Self { target: Target::Scale(DVec3::ZERO), mask: Mask::default(), ..*self };
                let product = -scale_left(skeleton, &none, pose);
                Target::Scale(DVec3::select(product.cmpeq(DVec3::ZERO), DVec3::ONE, product))
            }
            Target::CenterOfMass(_) => Target::CenterOfMass(place(pose.center_of_mass(skeleton, self.joint)?)),
        })
    }
}

impl TwoBone {
    /// The goal that makes the limb what it is in the pose: its tip's position and rotation, and the [pole](Self::pole_of).
    ///
    /// # Panics
    /// Where the pose is another skeleton's than the limb.
    pub fn goal_of(&self, skeleton: &Skeleton, pose: &Pose) -> Goal {
        let tip = Goal::frame(self.tip, DVec3::ZERO, glam::DQuat::IDENTITY).met_by(skeleton, pose);
        Goal { pole: self.pole_of(pose), ..tip }
    }

    /// The direction (model space) to which the limb bends in the pose; of a straight one, to which it would if it folded
    /// about its own axis. The limb's [`pole_angle`](Self::pole_angle) is taken out. `None` without any length.
    ///
    /// # Panics
    /// Where the pose is another skeleton's than the limb.
    pub fn pole_of(&self, pose: &Pose) -> Option<Pole> {
        let [root, mid, tip] = [self.root, self.mid, self.tip].map(|joint| pose.position(joint));
        let line = arc::unit(tip - root).or_else(|| arc::unit(mid - root))?;
        // In a mirror turns go the other way round.
        let side = if pose.model(self.root).matrix3.determinant() < 0.0 { -1.0 } else { 1.0 };
        let bend = arc::unit_reject(mid - root, line, STRAIGHT).or_else(|| {
            let axis = pose.model(self.root).transform_vector3(self.rest.axis);
            arc::unit_reject(line.cross(axis) * side, line, STRAIGHT)
        })?;
        let angle = -side * self.pole_angle;
        let turned = if angle == 0.0 { bend } else { arc::axis_angle(line, angle) * bend };
        Some(Pole::Direction(turned))
    }
}

impl ThreeLink {
    /// The goals that make the limb what it is in the pose: its tip's position and rotation with the pole of the first two
    /// links, and the direction of the last link.
    ///
    /// # Panics
    /// Where the pose is another skeleton's than the limb.
    pub fn goals_of(&self, skeleton: &Skeleton, pose: &Pose) -> [Goal; 2] {
        let tip = Goal::frame(self.tip, DVec3::ZERO, glam::DQuat::IDENTITY).met_by(skeleton, pose);
        let last = pose.position(self.tip) - pose.position(self.low);
        [Goal { pole: self.upper().pole_of(pose), ..tip }, self.direction(skeleton, last)]
    }
}

impl Aim {
    /// The goal that makes the chain's last joint point its `axis` as it does in the pose, at a point `distance` metres
    /// along it. If [`up_axis`](Self::up_axis) is set, the goal's up keeps the roll; else the roll is left to the shortest
    /// turn. `None` for a chain without joints, and when `axis` or `distance` is zero or not finite.
    ///
    /// # Panics
    /// Where the pose is another skeleton's than the chain.
    pub fn goal_of(&self, pose: &Pose, axis: DVec3, distance: f64) -> Option<Goal> {
        let joint = self.joints.last()?.joint;
        let model = pose.model(joint);
        let sight = arc::unit(model.transform_vector3(axis))?;
        if !(distance > 0.0 && distance.is_finite()) {
            return None;
        }
        let goal = Goal::aim(joint, axis, model.translation + sight * distance);
        Some(self.up_axis.map_or(goal, |up| goal.up(model.transform_vector3(up))))
    }
}

impl Orient {
    /// The goal that makes the joint turned as it is in the pose.
    ///
    /// # Panics
    /// Where the pose is another skeleton's than the joint.
    pub fn goal_of(&self, skeleton: &Skeleton, pose: &Pose) -> Goal {
        Goal::rotation(self.joint, glam::DQuat::IDENTITY).met_by(skeleton, pose)
    }
}

impl super::ScaleTarget {
    /// The goals that make each of these joints as large as it is in the pose, by itself alone.
    ///
    /// # Panics
    /// Where the pose is another skeleton's than the joints.
    pub fn goals_of<'a>(
        skeleton: &'a Skeleton,
        pose: &'a Pose,
        joints: impl IntoIterator<Item = Joint> + 'a,
    ) -> impl Iterator<Item = Goal> + 'a {
        let goal = |joint| Goal::scale(joint, DVec3::ONE).base(joint).met_by(skeleton, pose);
        joints.into_iter().map(goal)
    }
}
