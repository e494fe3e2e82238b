//! One joint takes a rotation in model space.

use glam::{DMat3, DQuat, DVec3};

use super::problem::{self, Engine};
use super::report::{Miss, report};
use super::{Outcome, Solver, Status, TargetInModel, Workspace};
use crate::goal::{Goal, Slack, Target, Tolerance};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::transform::Transform;

/// Angle (radians) below which a rotation is met.
const MET: f64 = 1e-9;
/// Angle below which it is left as it is.
const STILL: f64 = 1e-10;

/// Turns one joint to a rotation in model space, as far as its limit allows; the joints below move with it.
///
/// For hips that face the ball, a head held level, a hand whose arm another solver places. Take [`Aim`](crate::Aim) for a
/// direction of sight, and [`Auto`](crate::Auto) for a rotation that joints above should help with.
///
/// It serves rotation goals of the joint, the first in solving order where there are several. The idea: the turn that is left in
/// model space is brought into the parent's space, and the limit is asked for what is nearest. One round is exact, unless scale
/// above is uneven.
///
/// ```
/// use sinew::{Goal, Orient, Skeleton, Solver, Status, Workspace, glam::DQuat};
///
/// let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
/// let hand = arm.joint("joint_2")?;
/// let (mut pose, mut work) = (arm.rest_pose(), Workspace::default());
/// let level = DQuat::from_rotation_y(0.5);
/// let outcome = Orient { joint: hand }.solve(&arm, &[Goal::rotation(hand, level)], &mut pose, &mut work);
/// assert_eq!(outcome.status, Status::Reached);
/// assert!(pose.rotation(hand).angle_between(level) < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Orient {
    /// The joint.
    pub joint: Joint,
}

impl Solver for Orient {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        problem::solve(self, skeleton, goals, pose, work)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        let ours = goal.joint == self.joint && skeleton.kind(self.joint).turns();
        ours && goal.slack == Slack::NONE && matches!(goal.target, Target::Rotation(_))
    }
}

impl Engine for Orient {
    fn acts_on(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        goal.weight > 0.0 && self.serves(skeleton, goal)
    }

    fn is_usable(&self, skeleton: &Skeleton, _: &[Goal], pose: &Pose) -> bool {
        skeleton.contains(self.joint) && pose.model(self.joint).is_finite()
    }

    fn tolerance(&self, _: &Skeleton, _: &[Goal], _: &Goal, _: &Pose) -> Tolerance {
        Tolerance { position: 0.0, rotation: MET }
    }

    fn in_scope(&self, _: &Skeleton, _: &Goal, joint: Joint) -> bool {
        joint == self.joint
    }

    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let acts = |goal: &&Goal| self.acts_on(skeleton, goal);
        let Some(goal) = work.order().map(|i| &goals[i]).find(acts) else { return work.outcome(0) };
        let owned = work.is_owned(skeleton, self.joint, self.joint);
        let (mut blocked, mut status) = (false, Status::Stalled);
        if !owned {
            let target = TargetInModel::of(goal, pose).rotation;
            status = turn(skeleton, pose, self.joint, target, &mut |_| blocked = true);
        }
        for (i, goal) in goals.iter().enumerate().filter(|(_, goal)| acts(goal)) {
            let own = self.tolerance(skeleton, goals, goal, pose);
            report(skeleton, (i, goal), pose, own, work, |work| {
                if blocked {
                    work.block(i, self.joint);
                }
                Miss::of(status)
            });
        }
        work.outcome(u32::from(!owned))
    }
}

/// The local transform of a joint turned about its origin by a rotation in model space: what hangs on the joint goes round as the
/// rotation says, also below a mirror, where `above⁻¹ · turn · now` of [`Pose::rotation`]s turns it elsewhere. Below uneven scale,
/// where the joint cannot turn exactly so, its nearest rotation. Limits are left out: pass the transform to
/// [`Skeleton::nearest_allowed`]. `None` where scale above is zero or not finite.
///
/// ```
/// use sinew::{Skeleton, glam::DQuat, solve::author};
///
/// let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
/// let ([elbow, hand], mut pose) = (arm.joints(["joint_1", "joint_2"])?, arm.rest_pose());
/// let turn = DQuat::from_rotation_x(0.5);
/// let wanted = pose.position(elbow) + turn * (pose.position(hand) - pose.position(elbow));
/// if let Some(local) = author::turned(&arm, &pose, elbow, turn) {
///     pose.edit(&arm).local(elbow, local);
/// }
/// assert!(pose.position(hand).distance(wanted) < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn turned(skeleton: &Skeleton, pose: &Pose, joint: Joint, turn: DQuat) -> Option<Transform> {
    let above = skeleton.parent(joint).map_or(skeleton.base(joint), |parent| pose.model(parent)).matrix3;
    let in_parent = arc::rotation_of(&(above.inverse() * DMat3::from_quat(turn) * above))?;
    let local = pose.local(joint);
    Some(Transform { rotation: arc::normalize(in_parent * local.rotation), ..*local })
}

/// Turns a joint to a rotation in model space, as far as its limit allows.
pub(crate) fn turn(
    skeleton: &Skeleton,
    pose: &mut Pose,
    joint: Joint,
    to: Option<DQuat>,
    blocked: &mut dyn FnMut(Joint),
) -> Status {
    let Some(to) = to else { return Status::Reached };
    let turns = skeleton.kind(joint).turns();
    // One round is exact unless scale above is not uniform.
    for _ in 0..8 {
        let Some(now) = arc::rotation_of(&pose.model(joint).matrix3) else { return Status::Singular };
        let turn = to * now.conjugate();
        if arc::length(DVec3::new(turn.x, turn.y, turn.z)) < 0.5 * STILL {
            break;
        }
        if !turns {
            blocked(joint);
            return Status::Limited;
        }
        let Some(wanted) = turned(skeleton, pose, joint, turn) else { return Status::Singular };
        let allowed = skeleton.nearest_allowed(joint, &wanted, pose.value(skeleton, joint));
        pose.edit(skeleton).local(joint, allowed);
        if allowed != wanted {
            let left = arc::rotation_vector(wanted.rotation * allowed.rotation.conjugate());
            if arc::length(left) > MET {
                blocked(joint);
                return Status::Limited;
            }
        }
    }
    Status::Reached
}
