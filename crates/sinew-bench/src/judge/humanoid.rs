//! Hands, feet and head of humanoids: besides goals and limits, no elbow and knee may bend backwards.

use sinew::glam::{DQuat, DVec3};
use sinew::{Joint, Kind, Pose, Skeleton, Target, Tolerance};

use super::{ROUNDING, Verdict};
use crate::humanoids::Humanoid;

/// Misses that count as reached, as a share of the height.
pub const NEAR: f64 = 1e-4;
/// The same of turns (radians).
pub const NEAR_TURN: f64 = 1e-3;
/// How far elbows and knees stretch beyond straight (radians): 15 degrees. Healthy people have up to 10 (Soucie et al. 2011, Haemophilia
/// 17:500), and in the motion capture that a human's limits are widened by elbows are seen at 14. What bends back further is bent
/// backwards, whatever the skeleton's limits say.
pub const BEYOND_STRAIGHT: f64 = 15.0 * core::f64::consts::PI / 180.0;

/// What an answer is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judged {
    /// Its goals and joints; misses are shares of the height.
    pub verdict: Verdict,
    /// Elbows and knees that bend backwards by more than [`BEYOND_STRAIGHT`].
    pub backwards: usize,
}

impl Judged {
    /// Whether every goal is met, every joint inside its limit, and no elbow or knee backwards.
    pub fn is_reached(&self) -> bool {
        self.verdict.miss <= NEAR && self.verdict.turn <= NEAR_TURN && self.is_allowed()
    }

    /// Whether the pose is one that the body may take, wherever it is.
    pub fn is_allowed(&self) -> bool {
        self.is_inside() && self.backwards == 0
    }

    /// Whether every joint is inside its limit, and at its place in its parent.
    pub fn is_inside(&self) -> bool {
        self.verdict.beyond <= ROUNDING && self.verdict.stretch == 0.0
    }
}

/// Judges a pose as an answer to five targets.
pub fn judge(body: &Humanoid, targets: &[Target; 5], pose: &Pose) -> Judged {
    let skeleton = &body.skeleton;
    let verdict = Verdict::of(
        skeleton,
        pose,
        body.goals_at(targets, Tolerance { position: 0.0, rotation: 0.0 }),
        skeleton.iter(),
    );
    let is_back = |&&joint: &&Joint| fold(skeleton, pose, joint) < -(BEYOND_STRAIGHT + ROUNDING);
    Judged {
        verdict: Verdict { miss: verdict.miss / body.height, ..verdict },
        backwards: body.folds.iter().filter(is_back).count(),
    }
}

/// A hinge's value in (-π, π], read off its rotation.
fn fold(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> f64 {
    let Kind::Hinge { axis, .. } = skeleton.kind(joint) else { return 0.0 };
    let turn: DQuat = skeleton.zero(joint).rotation.conjugate() * pose.local(joint).rotation;
    let turn = if turn.w < 0.0 { -turn } else { turn };
    2.0 * axis.dot(DVec3::new(turn.x, turn.y, turn.z)).atan2(turn.w)
}
