//! The T-pose of a skeleton, whatever pose it rests in: where each joint's limits have their zero.
//!
//! From the hips outward every bone is turned onto the direction that it has in the T-pose by the shortest arc from
//! where the bones before it have brought it, so that no twist is invented. A bent elbow is thus straightened
//! about its own hinge. Spine, collar bones, thumbs and head keep the curve that they have at rest, and feet,
//! which stand flat in a rest pose, are only turned to point ahead.

use glam::{DQuat, DVec3};
use sinew::math::arc;
use sinew::{Joint, Pose, Skeleton};

use crate::human::motion::{self, Motion, Way};
use crate::limb::LimbKind;
use crate::recognize::Recognition;
use crate::role::{Digit, Part, Role, Side};

/// A rest bend by more than this (sine) shows where a hinge's axis lies: ten degrees.
const BENT: f64 = 0.17;
/// If it lies within this cosine of where a human's is: sixty degrees.
const HUMAN: f64 = 0.5;

/// Rotations and directions in the space of the roots' parents, where no mirror is.
#[derive(Debug)]
pub(crate) struct TPose {
    /// Rotation at rest.
    pub(crate) rest: Vec<DQuat>,
    /// Turn from rest to the T-pose.
    turn: Vec<DQuat>,
    /// Unit direction of each joint's bone at rest, where it has one.
    bone: Vec<Option<DVec3>>,
    /// Axis about which each joint folds, in its own frame, where the skeleton says so.
    bend: Vec<Option<DVec3>>,
    parent: Vec<Option<usize>>,
    /// Left, up and forward.
    axes: [DVec3; 3],
}

impl TPose {
    /// `None` where the root's base squeezes the body flat.
    pub(crate) fn of(skeleton: &Skeleton, found: &Recognition) -> Option<Self> {
        let root = skeleton.roots().next()?;
        let from_model = skeleton.base(root).matrix3.inverse();
        let place = |direction: DVec3| (from_model * direction).try_normalize();
        let (up, forward) = (place(found.up)?, place(found.forward)?);
        let (pose, n) = (skeleton.rest_pose(), skeleton.len());
        let left = up.cross(forward);
        // Names may have left and right the other way round.
        let named = from_model * named_left(skeleton, &pose, found);
        let axes = [if named.dot(left) < 0.0 { -left } else { left }, up, forward];
        let mut zeros = Self {
            rest: vec![DQuat::IDENTITY; n],
            turn: vec![DQuat::IDENTITY; n],
            bone: vec![None; n],
            bend: skeleton.iter().map(|joint| skeleton.bend(joint)).collect(),
            parent: vec![None; n],
            axes,
        };
        for joint in skeleton.iter() {
            let index = joint.index();
            zeros.parent[index] = skeleton.parent(joint).map(Joint::index);
            let above = zeros.parent[index].map_or(DQuat::IDENTITY, |parent| zeros.rest[parent]);
            zeros.rest[index] = above * skeleton.rest(joint).rotation;
            let next = next(skeleton, &pose, found, joint);
            // What hangs on a head lies anywhere.
            let is_head = found.role(joint).is_some_and(|guess| guess.role.part == Part::Head);
            let up = is_head.then_some(up);
            zeros.bone[index] = up.or_else(|| {
                next.and_then(|next| (from_model * (pose.position(next) - pose.position(joint))).try_normalize())
            });
        }
        for joint in skeleton.iter() {
            zeros.turn[joint.index()] = zeros.turn_of(skeleton, found, joint);
        }
        Some(zeros)
    }

    /// A direction of the body.
    pub(crate) fn way(&self, way: Way, side: Option<Side>) -> DVec3 {
        let [left, up, forward] = self.axes;
        match way {
            Way::Out => {
                if side == Some(Side::Right) {
                    -left
                } else {
                    left
                }
            }
            Way::Up => up,
            Way::Down => -up,
            Way::Forward => forward,
            Way::Back => -forward,
        }
    }

    fn turn_of(&self, skeleton: &Skeleton, found: &Recognition, joint: Joint) -> DQuat {
        let index = joint.index();
        let above = self.parent[index].map_or(DQuat::IDENTITY, |parent| self.turn[parent]);
        let (Some(guess), Some(bone)) = (found.role(joint), self.bone[index]) else { return above };
        let role = guess.role;
        match role.part {
            // At rest a head looks ahead and hips stand upright.
            Part::Head | Part::Hips => DQuat::IDENTITY,
            Part::Foot => self.turn_ahead(bone),
            part => match motion::points(part) {
                Some(way) => {
                    let (way, forward) = (self.way(way, role.side), self.way(Way::Forward, None));
                    let turn = arc::arc(above * bone, way, forward) * above;
                    self.rolled(skeleton, found, role, (way, turn))
                }
                None => above,
            },
        }
    }

    /// Turned about the bone so that the elbow or knee below folds as a human's does, where its fold is known.
    fn rolled(&self, skeleton: &Skeleton, found: &Recognition, role: Role, (bone, turn): (DVec3, DQuat)) -> DQuat {
        let rolled = || {
            let part = match role.part {
                Part::UpperArm => Part::LowerArm,
                Part::UpperLeg => Part::LowerLeg,
                _ => return None,
            };
            let below = found.joint(skeleton, Role { part, ..role })?.index();
            let Motion::Hinge(fold) = motion::of(part)? else { return None };
            let shown = arc::unit_reject(turn * self.rest[below] * self.bend[below]?, bone, 1e-3)?;
            let human = arc::unit_reject(bone.cross(self.way(fold.towards, role.side)), bone, 1e-3)?;
            Some(arc::arc(shown, human, bone) * turn)
        };
        rolled().unwrap_or(turn)
    }

    /// About up only.
    fn turn_ahead(&self, bone: DVec3) -> DQuat {
        let [_, up, forward] = self.axes;
        let level = bone - up * bone.dot(up);
        match level.try_normalize().filter(|_| level.length() > 0.1) {
            Some(level) => arc::arc(level, forward, up),
            None => DQuat::IDENTITY,
        }
    }

    /// Left (of the names), up and forward.
    pub(crate) fn axes(&self) -> [DVec3; 3] {
        self.axes
    }

    /// The joint's rotation in the T-pose.
    pub(crate) fn rotation(&self, joint: Joint) -> DQuat {
        self.in_t_pose(joint.index())
    }

    fn in_t_pose(&self, index: usize) -> DQuat {
        self.turn[index] * self.rest[index]
    }

    /// The joint's rotation in the T-pose, relative to its parent there.
    pub(crate) fn local(&self, index: usize) -> DQuat {
        let above = self.parent[index].map_or(DQuat::IDENTITY, |parent| self.in_t_pose(parent));
        arc::normalize(above.conjugate() * self.in_t_pose(index))
    }

    /// The joint's rotation at rest, relative to its parent.
    pub(crate) fn local_rest(&self, index: usize) -> DQuat {
        let above = self.parent[index].map_or(DQuat::IDENTITY, |parent| self.rest[parent]);
        arc::normalize(above.conjugate() * self.rest[index])
    }

    /// A direction of the T-pose in the joint's own frame.
    pub(crate) fn own(&self, index: usize, direction: DVec3) -> DVec3 {
        self.in_t_pose(index).conjugate() * direction
    }

    /// The bone's direction in the T-pose.
    pub(crate) fn bone(&self, index: usize) -> Option<DVec3> {
        Some(self.turn[index] * self.bone[index]?)
    }

    /// The axis about which a hinge folds, in the T-pose: what the skeleton says, or the rest pose shows by being bent, if
    /// it is near to a human's; else a human's.
    pub(crate) fn fold(&self, index: usize, axis: DVec3) -> DVec3 {
        let said = self.bend[index].map(|bend| self.in_t_pose(index) * bend).filter(|own| own.dot(axis) > HUMAN);
        let shown = || {
            self.parent[index].and_then(|parent| {
                let (before, after) = (self.bone[parent]?, self.bone[index]?);
                let above = self.turn[parent];
                let bend = (above * before).cross(above * after);
                bend.try_normalize().filter(|own| bend.length() > BENT && own.dot(axis) > HUMAN)
            })
        };
        said.or_else(shown).unwrap_or(axis)
    }
}

/// From right to left in model space, as the sides of roles have it; zero where there are no sides.
fn named_left(skeleton: &Skeleton, pose: &Pose, found: &Recognition) -> DVec3 {
    let place = |side, part| Some(pose.position(found.joint(skeleton, Role::on(side, part))?));
    let apart = |part: Part| Some(place(Side::Left, part)? - place(Side::Right, part)?);
    let parts = [Part::Shoulder, Part::UpperArm, Part::LowerArm, Part::UpperLeg, Part::LowerLeg];
    parts.into_iter().filter_map(apart).sum()
}

/// The joint to which a joint's bone leads: the next of its limb; for the last of a spine the first of the neck,
/// for a hand the middle finger's first; else what lies farthest.
pub(crate) fn next(skeleton: &Skeleton, rest: &Pose, found: &Recognition, joint: Joint) -> Option<Joint> {
    let of_limb = found.limbs.iter().find_map(|limb| {
        let place = limb.joints.iter().position(|&other| other == joint)?;
        limb.joints.get(place + 1).copied()
    });
    let first = |kind: LimbKind, fits: &dyn Fn(Joint) -> bool| {
        let firsts =
            found.limbs.iter().filter(|limb| limb.kind == kind).filter_map(|limb| limb.joints.first().copied());
        firsts.into_iter().find(|&first| fits(first))
    };
    let below = |first: Joint| first != joint && skeleton.is_below(first, joint);
    let beyond = || match found.role(joint)?.role.part {
        Part::Hand => first(LimbKind::Finger(Some(Digit::Middle)), &below),
        Part::Hips | Part::Spine | Part::Chest | Part::UpperChest => first(LimbKind::Head, &below),
        _ => None,
    };
    let apart = |&child: &Joint| rest.position(child).distance(rest.position(joint));
    let farthest = || skeleton.children(joint).max_by(|a, b| apart(a).total_cmp(&apart(b)));
    of_limb.or_else(beyond).or_else(farthest).filter(|next| apart(next) > 0.0)
}
