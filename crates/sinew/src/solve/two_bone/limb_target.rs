//! What the limb is asked for: its goals as one.

use glam::{DQuat, DVec3};

use super::settings::TwoBone;
use crate::goal::{Goal, Pole, Swivel};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::pulls::Pulls;
use crate::solve::{Solver, TargetInModel, Workspace};

/// The limb's goals as one.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct LimbTarget {
    pub(in crate::solve) position: Option<DVec3>,
    pub(in crate::solve) rotation: Option<DQuat>,
    pub(in crate::solve) offset: DVec3,
    pub(in crate::solve) pole: Option<(Pole, Option<Joint>)>,
    /// The bend of an earlier solve.
    pub(in crate::solve) swivel: Option<Swivel>,
    /// How far the targets stand between the pose given and what was asked, and the way that is left out.
    pub(in crate::solve) weight: f64,
    pub(in crate::solve) left_out: DVec3,
}

/// What the tip is to do, in model space.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Arrival {
    pub(in crate::solve) rotation: Option<DQuat>,
    pub(in crate::solve) target: Option<DVec3>,
    /// The point to bring there, in the tip's frame.
    pub(in crate::solve) offset: DVec3,
}

impl LimbTarget {
    /// The goals that the limb serves; `None` without any of weight.
    pub(super) fn gather(
        limb: &TwoBone,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &Pose,
        work: &Workspace,
    ) -> Option<Self> {
        let mut limb_target = LimbTarget {
            position: None,
            rotation: None,
            offset: DVec3::ZERO,
            pole: None,
            swivel: None,
            weight: 0.0,
            left_out: DVec3::ZERO,
        };
        let served = || work.order().map(|i| &goals[i]).filter(|goal| goal.weight > 0.0 && limb.serves(skeleton, goal));
        let strengths = Pulls::of(served().map(|goal| goal.pull));
        let (mut sum, mut left_out, mut pulls) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for goal in served() {
            let target = TargetInModel::of(goal, pose);
            if let Some(position) = target.position {
                if limb_target.position.is_none() {
                    limb_target.offset = goal.offset;
                }
                let counted = |place: DVec3| {
                    if goal.mask.position.all() {
                        return place;
                    }
                    let now = pose.model(limb.tip).transform_point3(goal.offset);
                    DVec3::select(goal.mask.position, place, now)
                };
                let position = counted(position);
                let pull = strengths.share(goal.pull);
                sum += position * pull;
                pulls += pull;
                if let Some(asked) =
                    goal.asked.and_then(|target| TargetInModel::of(&Goal { target, ..*goal }, pose).position)
                {
                    left_out += (counted(asked) - position) * pull;
                }
                limb_target.position = Some(if pulls == pull { position } else { sum / pulls });
            }
            limb_target.rotation = limb_target.rotation.or(target.rotation);
            if limb_target.pole.is_none() {
                limb_target.pole = goal.pole.map(|pole| (pole, goal.pole_relative_to.or(goal.relative_to)));
            }
            if limb_target.swivel.is_none() {
                limb_target.swivel = goal.swivel;
            }
            limb_target.weight = limb_target.weight.max(goal.weight);
        }
        if left_out != DVec3::ZERO {
            limb_target.left_out = left_out / pulls;
        }
        if limb_target.weight > 0.0 { Some(limb_target) } else { None }
    }
}
