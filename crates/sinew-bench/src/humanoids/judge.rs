//! What an answer is worth, by a forward kinematics of its own: only local transforms are believed.

use sinew::glam::{DMat4, DQuat, DVec3};
use sinew::{Joint, Kind, Pose, Skeleton};

use super::body::Humanoid;

/// Misses that count as reached, as a share of the height.
pub const NEAR: f64 = 1e-4;
/// Turn (radians) beyond a limit that is rounding.
pub const ROUNDING: f64 = 1e-9;
/// How far elbows and knees stretch beyond straight (radians): 15 degrees. Healthy people have up to 10 (Soucie et al. 2011, Haemophilia
/// 17:500), and in the motion capture that a human's limits are widened by elbows are seen at 14. What bends back further is bent
/// backwards, whatever the skeleton's limits say.
pub const BEYOND_STRAIGHT: f64 = 15.0 * core::f64::consts::PI / 180.0;

/// What was found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The largest miss of a goal, as a share of the height.
    pub miss: f64,
    /// Joints outside their limit.
    pub outside: usize,
    /// Elbows and knees that bend backwards by more than [`BEYOND_STRAIGHT`].
    pub backwards: usize,
    /// Whether a joint has left its place in its parent.
    pub moved: bool,
}

impl Verdict {
    /// Whether every goal is met, every joint inside its limit, and no elbow or knee backwards.
    pub fn is_reached(&self) -> bool {
        self.miss <= NEAR && self.is_allowed()
    }

    /// Whether the pose is one that the body may take, wherever it is.
    pub fn is_allowed(&self) -> bool {
        self.outside == 0 && self.backwards == 0 && !self.moved
    }
}

/// Judges a pose as an answer to five positions.
pub fn judge(body: &Humanoid, targets: &[DVec3; 5], pose: &Pose) -> Verdict {
    let skeleton = &body.skeleton;
    let misses = body.goals.iter().zip(targets).map(|(&joint, target)| place(skeleton, pose, joint).distance(*target));
    // A number that is none must not pass.
    let miss = misses.fold(0.0, |most: f64, miss| if miss.is_nan() { f64::INFINITY } else { most.max(miss) });
    let moved = |joint: Joint| {
        let (local, rest) = (pose.local(joint), skeleton.rest(joint));
        local.translation != rest.translation || local.scale != rest.scale
    };
    Verdict {
        miss: miss / body.height,
        outside: skeleton.iter().filter(|&joint| is_outside(skeleton, pose, joint)).count(),
        backwards: body
            .folds
            .iter()
            .filter(|&&joint| fold(skeleton, pose, joint) < -(BEYOND_STRAIGHT + ROUNDING))
            .count(),
        moved: skeleton.iter().any(moved),
    }
}

/// The joint's origin in model space.
fn place(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> DVec3 {
    let (mut place, mut at) = (DVec3::ZERO, Some(joint));
    while let Some(joint) = at {
        let local = pose.local(joint);
        let map = DMat4::from_scale_rotation_translation(local.scale, local.rotation, local.translation);
        place = map.transform_point3(place);
        at = skeleton.parent(joint);
    }
    skeleton.base(joint).transform_point3(place)
}

fn is_outside(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> bool {
    let local = pose.local(joint);
    let allowed = skeleton.nearest_allowed(joint, local, pose.value(skeleton, joint));
    let turn = allowed.rotation.conjugate() * local.rotation;
    let angle = 2.0 * DVec3::new(turn.x, turn.y, turn.z).length();
    // A rotation that is none is outside.
    !(angle <= ROUNDING && (local.rotation.length() - 1.0).abs() <= ROUNDING)
}

/// A hinge's value in (-π, π], read off its rotation.
fn fold(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> f64 {
    let Kind::Hinge { axis, .. } = skeleton.kind(joint) else { return 0.0 };
    let turn: DQuat = skeleton.zero(joint).rotation.conjugate() * pose.local(joint).rotation;
    let turn = if turn.w < 0.0 { -turn } else { turn };
    2.0 * axis.dot(DVec3::new(turn.x, turn.y, turn.z)).atan2(turn.w)
}
