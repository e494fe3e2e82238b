//! An aim as one joint of the chain sees it, in the space of its parent, where the joint turns
//! everything below it rigidly: mirrors, scale and shear above and below cost nothing, since a ray
//! through a point, and a half-plane through a hint, stay what they are under affine maps.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::kernel::{AimSource, AimTarget};
use crate::goal::{Goal, Target};
use crate::math::affine::inverse;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::in_model;
use crate::solve::problem::ease::eased;
use crate::transform::Transform;

/// What the chain is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct AimTask<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) goal: &'a Goal,
    /// Uppermost joint of the chain, and the last one that may turn: the line of sight starts there.
    pub(super) first: Joint,
    pub(super) tail: Joint,
    pub(super) axis: DVec3,
    pub(super) roll: Wanted,
}

/// The roll that is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted {
    Any,
    /// An axis in the aimed joint's frame near a direction given as the goal's target is.
    Up {
        axis: DVec3,
        direction: DVec3,
        twist: f64,
    },
    /// The shortest turn from the chain at rest, twisted.
    Rest {
        twist: f64,
    },
}

/// The aim in the space of a joint's parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// The aimed ray, about the joint's own place.
    pub(super) source: AimSource,
    /// From the joint's place to the tail's, in the joint's frame.
    tail: DVec3,
    pub(super) mark: AimTarget,
    /// An axis in the joint's frame, and where it should lean to.
    pub(super) up: Option<(DVec3, DVec3)>,
    /// From the parent's space to model space, and back.
    pub(super) parent: DMat3,
    into_parent: DMat3,
}

impl<'a> AimTask<'a> {
    /// `None` unless the goal is an aim or axis. An `up_axis` of `None` is the direction of the joint
    /// that lies along the hint at rest.
    pub(super) fn new(
        skeleton: &'a Skeleton,
        goal: &'a Goal,
        (first, tail): (Joint, Joint),
        up_axis: Option<DVec3>,
        twist: Option<f64>,
    ) -> Option<Self> {
        let (Target::Aim { axis, up, .. } | Target::Axis { axis, up, .. }) = goal.target else { return None };
        let roll = match (up, twist) {
            (Some(direction), twist) => {
                let axis = up_axis.unwrap_or_else(|| {
                    let model = rest_model(skeleton, goal.joint).matrix3;
                    let hint =
                        goal.relative_to.map_or(direction, |from| rest_model(skeleton, from).matrix3 * direction);
                    model.inverse() * hint
                });
                Wanted::Up { axis, direction, twist: twist.unwrap_or(0.0) }
            }
            (None, Some(twist)) => Wanted::Rest { twist },
            (None, None) => Wanted::Any,
        };
        Some(Self { skeleton, goal, first, tail, axis, roll })
    }

    /// At a weight below one, with that part of the roll that the shortest turn from `entry` leaves. The sight is eased
    /// already.
    pub(super) fn eased(mut self, entry: &Pose) -> Self {
        let Some(target) = self.goal.asked else { return self };
        let weight = self.goal.weight;
        let asked = Goal { target, asked: None, ..*self.goal };
        let now = eased(self.skeleton, &asked.weight(0.0), None, entry);
        let left = |goal: &Goal| AimTask { goal, ..self }.roll_left(entry).unwrap_or(0.0);
        // Of the turns that are the same roll, the one between those of the whole way and of none.
        let (first, last) = (left(&now), left(&asked));
        let roll = ops::nearest_turn(left(self.goal), first + (last - first) * weight);
        if let Wanted::Up { twist, .. } | Wanted::Rest { twist } = &mut self.roll {
            *twist -= roll * (1.0 - weight);
        }
        self
    }

    /// The roll about the line of sight (radians) that the shortest turn of the tail leaves.
    fn roll_left(&self, pose: &Pose) -> Option<f64> {
        let view = self.view(self.tail, pose)?;
        view.up?;
        let (sight, rotation) = (view.source.sight(view.mark).ok()?, view.source.rotation);
        let [whole, shortest] = [view.up, None].map(|up| sight.turn(rotation, up));
        Some(arc::twist_angle(arc::normalize(whole * shortest.conjugate()), sight.to))
    }

    /// The mark in model space.
    fn mark(&self, pose: &Pose) -> AimTarget {
        let from = self.goal.relative_to.map(|joint| pose.model(joint));
        match self.goal.target {
            Target::Aim { point, .. } => AimTarget::Point(in_model(self.goal, point, pose)),
            Target::Axis { direction, .. } => {
                AimTarget::Direction(from.map_or(direction, |map| map.transform_vector3(direction)))
            }
            _ => AimTarget::Direction(DVec3::ZERO),
        }
    }

    /// The aim as `joint` sees it; `None` where a scale of zero leaves no way into its parent's space.
    pub(super) fn view(&self, joint: Joint, pose: &Pose) -> Option<View> {
        let mut view = self.unrolled(joint, pose)?;
        let up = match self.roll {
            Wanted::Any => None,
            Wanted::Up { axis, direction, twist } => {
                let axis = pose.model(self.goal.joint).transform_vector3(axis);
                let from = self.goal.relative_to.map(|joint| pose.model(joint));
                let hint = from.map_or(direction, |map| map.transform_vector3(direction));
                self.untwisted(axis, twist, pose).map(|axis| (axis, hint))
            }
            Wanted::Rest { twist } => {
                self.carried(pose).and_then(|(axis, hint)| Some((self.untwisted(axis, twist, pose)?, hint)))
            }
        };
        let into_joint = view.source.rotation.conjugate();
        view.up = up.map(|(axis, hint)| (into_joint * (view.into_parent * axis), view.into_parent * hint));
        Some(view)
    }

    /// The view without an up.
    fn unrolled(&self, joint: Joint, pose: &Pose) -> Option<View> {
        let parent = self.skeleton.parent(joint).map_or(*self.skeleton.base(joint), |parent| *pose.model(parent));
        let into_parent = inverse(&parent)?;
        let (Transform { translation, rotation, .. }, aimed) = (*pose.local(joint), *pose.model(self.goal.joint));
        let point = |point: DVec3| rotation.conjugate() * (into_parent.transform_point3(point) - translation);
        let source = AimSource {
            origin: translation,
            rotation,
            axis: rotation.conjugate() * (into_parent.matrix3 * (aimed.matrix3 * self.axis)),
            offset: point(aimed.transform_point3(self.goal.offset)),
        };
        let mark = match self.mark(pose) {
            AimTarget::Point(v) => AimTarget::Point(into_parent.transform_point3(v)),
            AimTarget::Direction(v) => AimTarget::Direction(into_parent.transform_vector3(v)),
        };
        Some(View {
            source,
            tail: point(pose.position(self.tail)),
            mark,
            up: None,
            parent: parent.matrix3,
            into_parent: into_parent.matrix3,
        })
    }

    /// An up axis in model space with the twist about the tail's line of sight taken out.
    fn untwisted(&self, axis: DVec3, twist: f64, pose: &Pose) -> Option<DVec3> {
        if twist == 0.0 {
            return Some(axis);
        }
        let view = self.unrolled(self.tail, pose)?;
        let Ok(sight) = view.source.sight(view.mark) else { return Some(axis) };
        let rotation = view.source.rotation;
        let in_joint = rotation.conjugate() * (view.into_parent * axis);
        Some(view.parent * (rotation * sight.untwisted(in_joint, twist)))
    }

    /// A perpendicular of the aimed joint, and where the shortest turn of the chain at rest, as a whole,
    /// takes it: both in model space.
    fn carried(&self, pose: &Pose) -> Option<(DVec3, DVec3)> {
        let view = self.unrolled(self.first, pose)?;
        let rest = rest_below(self.skeleton, self.goal.joint, Some(self.first));
        let pivot = rest_below(self.skeleton, self.tail, Some(self.first)).translation;
        let at_rest = AimSource {
            origin: view.source.origin + view.source.rotation * view.tail,
            rotation: DQuat::IDENTITY,
            axis: rest.matrix3 * self.axis,
            offset: rest.transform_point3(self.goal.offset) - pivot,
        };
        let sight = at_rest.sight(view.mark).ok()?;
        let into_joint = inverse(&rest)?.matrix3;
        let across = arc::any_perpendicular(arc::unit(into_joint * sight.held)?);
        let turn = arc::arc(sight.held, sight.to, rest.matrix3 * across);
        let now = pose.model(self.goal.joint).transform_vector3(across);
        Some((now, view.parent * (turn * (rest.matrix3 * across))))
    }
}

impl View {
    /// The ray about the tail's place instead of the joint's own.
    pub(super) fn about_tail(&self) -> AimSource {
        let AimSource { origin, rotation, axis, offset } = self.source;
        AimSource { origin: origin + rotation * self.tail, rotation, axis, offset: offset - self.tail }
    }
}

/// The joint's model transform at rest, without building a rest pose.
fn rest_model(skeleton: &Skeleton, joint: Joint) -> DAffine3 {
    *skeleton.base(joint) * rest_below(skeleton, joint, None)
}

/// The joint at rest in the space of the parent of `first`, or of the skeleton's base.
fn rest_below(skeleton: &Skeleton, joint: Joint, first: Option<Joint>) -> DAffine3 {
    let (mut map, mut at) = (DAffine3::IDENTITY, Some(joint));
    while let Some(joint) = at {
        map = skeleton.rest(joint).to_affine() * map;
        at = if first == Some(joint) { None } else { skeleton.parent(joint) };
    }
    map
}
