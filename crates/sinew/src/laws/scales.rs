//! Goals of solvers that scale the chain from the limb's root to the tip, and what is left of them.

use alloc::format;

use fastrand::Rng;
use glam::DVec3;

use super::rigs::Rig;
use super::{Case, SIZES, Verdict, ensure};
use crate::goal::{Goal, Target};
use crate::math::ops;
use crate::pose::Pose;
use crate::skeleton::Joint;
use crate::solve::{Outcome, Status};

/// How far from a goal, as a share of it, its product may be.
const MET: f64 = 1e-12;

impl Case<'_> {
    /// Any scale of the tip without a mirror (whose sizes on the way limits forbid), in reach of [`SIZES`] or not.
    pub(super) fn any_scale(&self, rng: &mut Rng) -> Goal {
        let mut any = || ops::pow(SIZES.max, 8.0 * rng.f64() - 4.0);
        Goal::scale(self.rig.tip, DVec3::new(any(), any(), any())).base(self.rig.root)
    }

    /// The product of random ratios within [`SIZES`].
    pub(super) fn allowed_scale(&self, rng: &mut Rng) -> Goal {
        let mut any = || SIZES.min + (SIZES.max - SIZES.min) * rng.f64();
        let wanted = chain(self.rig).fold(DVec3::ONE, |product, _| product * DVec3::new(any(), any(), any()));
        Goal::scale(self.rig.tip, wanted).base(self.rig.root)
    }

    pub(super) fn scale_is_met(&self, goal: &Goal, pose: &Pose, outcome: &Outcome) -> Verdict {
        let left = self.scale_left(goal, pose);
        let exact = left.iter().all(|&left| left <= MET);
        ensure(outcome.status == Status::Reached && exact, || format!("{outcome:?}, off by {left:?}, {goal:?}"))?;
        let within = |joint| {
            let ratio = (pose.local(joint).scale / self.rig.skeleton.rest(joint).scale).abs();
            ratio.min_element() >= SIZES.min * (1.0 - MET) && ratio.max_element() <= SIZES.max * (1.0 + MET)
        };
        ensure(chain(self.rig).all(within), || "a joint is outside its sizes".into())
    }

    /// A scale that limits forbid ends at the nearest product: all joints as large, or as small, as they may be.
    pub(super) fn limited_scale_is_nearest(&self, rng: &mut Rng) -> Verdict {
        let count = chain(self.rig).count() as f64;
        let beyond = 1.0 + 3.0 * rng.f64();
        let (end, wanted) = if rng.bool() {
            (ops::pow(SIZES.max, count), ops::pow(SIZES.max, count) * beyond)
        } else {
            (ops::pow(SIZES.min, count), ops::pow(SIZES.min, count) / beyond)
        };
        let goal = Goal::scale(self.rig.tip, DVec3::splat(wanted)).base(self.rig.root);
        let (pose, outcome) = self.solved(&[goal]);
        ensure(outcome.status == Status::Limited, || format!("it says {}", outcome.status))?;
        let miss = (wanted - end).abs();
        ensure((outcome.scale_error - miss).abs() < 1e-9 * wanted, || "the error reported is wrong".into())?;
        let left = self.scale_left(&goal, &pose);
        ensure(left.iter().all(|left| left * wanted <= miss + 1e-9 * wanted), || format!("it misses by {left:?}"))
    }

    /// No size at all, mirrors, and sizes at the ends of what numbers are.
    pub(super) fn degenerate_scales(&self) -> [Goal; 6] {
        let (root, tip) = (self.rig.root, self.rig.tip);
        let all = |ratio: f64| Goal::scale(tip, DVec3::splat(ratio));
        let below = Goal::scale(root, DVec3::ONE).base(tip);
        [all(0.0), all(-1.0), all(1e300), all(1e-300), all(f64::MAX), below]
    }

    /// What is left of a goal, as a share of it.
    fn scale_left(&self, goal: &Goal, pose: &Pose) -> [f64; 3] {
        let Target::Scale(wanted) = goal.target else { return [0.0; 3] };
        let ratio = |joint| pose.local(joint).scale / self.rig.skeleton.rest(joint).scale;
        let product = chain(self.rig).map(ratio).fold(DVec3::ONE, |product, ratio| product * ratio);
        ((wanted - product) / wanted).abs().to_array()
    }
}

/// The joints from the limb's tip up to its root.
fn chain(rig: &Rig) -> impl Iterator<Item = Joint> + '_ {
    let next = |&joint: &Joint| if joint == rig.root { None } else { rig.skeleton.parent(joint) };
    core::iter::successors(Some(rig.tip), next)
}

/// A scale goal for a carried rig, which changes no ratio; `None` for other goals.
pub(super) fn carried(goal: &Goal, rig: &Rig) -> Option<Goal> {
    match goal.target {
        Target::Scale(ratio) => Some(Goal::scale(rig.tip, ratio).base(rig.root)),
        _ => None,
    }
}
