//! Limbs laid last, where a descent has brought several goals together.
//!
//! On which side a limb folds and how its root rolls is nothing to a descent: one that opens a free limb too far closes it on the other
//! side, and of two poses nearby one may do so and the other not. So the limb of each goal is laid by its closed form from the pose given,
//! below where the descent has left its root: it comes as near, and near poses and targets leave it on one side.

use alloc::vec::Vec;

use glam::DVec3;

use super::settings::acts;
use crate::goal::{Goal, Slack, Target};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::problem::scope::{length, may_use};
use crate::solve::report::again;
use crate::solve::two_bone::limb_target::LimbTarget;
use crate::solve::{Residual, Status, TargetInModel, TwoBone, Workspace};
use crate::transform::Transform;

/// Limbs remembered from call to call.
const REMEMBERED: usize = 64;
/// Share of the chain's length by which a limb may be farther from its target than the descent left it: at full stretch both come as near,
/// but for rounding.
const ROUNDING: f64 = 1e-6;

/// Limbs found before: by skeleton and tip; `None` where there is none that can be laid.
#[derive(Debug, Default)]
pub(super) struct Limbs(Vec<(u32, Joint, Option<TwoBone>)>);

impl Limbs {
    /// The limb that ends at a joint, if it can be laid; remembered, so that only the first look for it allocates.
    pub(super) fn ending_at(&mut self, skeleton: &Skeleton, tip: Joint) -> Option<TwoBone> {
        let id = skeleton.fingerprints().all;
        if let Some((.., known)) = self.0.iter().find(|(of, at, _)| (*of, *at) == (id, tip)) {
            return *known;
        }
        let still = |joint: Joint| matches!(skeleton.kind(joint), Kind::Fixed);
        let alone = |coordinate: usize| skeleton.driven(coordinate).count() == 1;
        let bends = |limb: &TwoBone| match (skeleton.kind(limb.root), skeleton.kind(limb.mid)) {
            (Kind::Ball(_) | Kind::Free, Kind::Hinge { .. }) => {
                skeleton.drive(limb.mid).is_some_and(|drive| alone(drive.coordinate))
            }
            // Where limits may be in the way, a ball in the middle folds from rest.
            _ => [limb.root, limb.mid].into_iter().all(|joint| skeleton.is_free_ball(joint)),
        };
        let can_be_laid = |limb: &TwoBone| {
            bends(limb) && limb.below_root(skeleton).all(|joint| joint == limb.mid || joint == tip || still(joint))
        };
        let limb = TwoBone::ending_at(skeleton, tip).ok().filter(can_be_laid);
        if self.0.len() >= REMEMBERED {
            self.0.clear();
        }
        self.0.push((id, tip, limb));
        limb
    }

    /// Lays the limbs on which one goal alone hangs, as they are in `start`. Of an answer `near` that pose which misses only those whose root is free: inside
    /// limits continuous steps fold to one side by themselves, and a limb at full stretch may be laid to either.
    pub(super) fn lay(
        &mut self,
        skeleton: &Skeleton,
        goals: &[Goal],
        (start, near): (&Pose, bool),
        pose: &mut Pose,
        work: &mut Workspace,
    ) {
        for (place, goal) in goals.iter().enumerate().filter(|(_, goal)| acts(goal) && is_plain(skeleton, goal)) {
            let owned = |joint: Joint| work.is_owned(skeleton, joint, goal.joint);
            let own = |limb: &TwoBone| {
                let may = |joint: Joint| may_use(skeleton, goal, joint) && !owned(joint);
                let carries =
                    |(other, goal): (usize, &Goal)| other != place && acts(goal) && hangs(skeleton, goal, limb);
                let lies = !near || skeleton.is_free_ball(limb.root);
                lies && may(limb.root) && may(limb.mid) && !goals.iter().enumerate().any(carries)
            };
            let Some(limb) = self.ending_at(skeleton, goal.joint).filter(own) else { continue };
            let told = work.residuals()[place];
            work.residuals_mut()[place] = laid(&limb, skeleton, goal, (start, &told), pose);
        }
    }
}

/// Whether what is left of a goal changes as a limb is laid.
fn hangs(skeleton: &Skeleton, goal: &Goal, limb: &TwoBone) -> bool {
    [Some(goal.joint), goal.relative_to].into_iter().flatten().any(|joint| skeleton.is_below(joint, limb.root))
}

/// Whether a goal asks for a place, and for a rotation that its joint can take by itself; no more.
fn is_plain(skeleton: &Skeleton, goal: &Goal) -> bool {
    let plain = goal.mask.position.all() && goal.mask.rotation.all() && goal.slack == Slack::NONE;
    let alone = goal.relative_to.is_none() && goal.pole.is_none() && goal.swivel.is_none();
    let turns = match goal.target {
        Target::Position(_) => true,
        Target::Frame { .. } => skeleton.is_free_ball(goal.joint),
        _ => false,
    };
    plain && alone && turns
}

/// Lays a limb from where it was given, unless its descent came nearer; what is left of its goal.
fn laid(
    limb: &TwoBone,
    skeleton: &Skeleton,
    goal: &Goal,
    (start, told): (&Pose, &Residual),
    pose: &mut Pose,
) -> Residual {
    let joints = [limb.root, limb.mid, limb.tip];
    let of = |pose: &Pose| joints.map(|joint| (joint, *pose.local(joint), pose.value(skeleton, joint)));
    let set = |pose: &mut Pose, to: &[(Joint, Transform, f64)]| {
        let mut edit = pose.edit(skeleton);
        for &(joint, local, value) in to {
            edit.local(joint, local).value(joint, value);
        }
    };
    let found = of(pose);
    set(pose, &of(start)[..2]);
    let target = TargetInModel::of(goal, pose);
    let asked = LimbTarget {
        position: target.position,
        rotation: target.rotation,
        offset: goal.offset,
        pole: None,
        swivel: None,
        weight: 1.0,
        left_out: DVec3::ZERO,
    };
    let _ = limb.place(skeleton, &asked, pose, &mut |_| {});
    let now = again(skeleton, goal, pose, told);
    let is_as_near = now.position_error() <= told.position_error() + ROUNDING * length(skeleton, goal, pose);
    if now.status <= told.status && (now.status == Status::Reached || is_as_near) {
        return now;
    }
    set(pose, &found);
    *told
}
