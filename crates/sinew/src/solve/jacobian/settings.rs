//! What the solver is asked to be.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::method::Method;
use super::posture::Posture;
use super::task::Task;
use crate::skeleton::Joint;
use crate::solve::Start;
use crate::solve::two_bone::Reach;

/// Moves all joints at once, down the gradient of every goal's error.
///
/// Serves every goal but scales: positions, rotations, frames, aims with up, axes, centres of mass, any
/// number of them, several on one joint, masked, relative to joints. Goals of one priority compete by
/// their pull; those of a lower number come strictly first, and an up yields to the aims. A goal may move
/// the joints from its base (or root) to its own joint; where a goal with a base owns joints, goals
/// after it leave them alone. A lone goal's chain is turned to its pole.
///
/// Three positions or more inside limits are a body's: where they are far, they are approached before rotations count, and joints
/// that miss their goals try once from the middle of their limits.
///
/// Where no pose meets the goals, the best one found is left; a limit that stands in the way is named.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Jacobian {
    /// How steps are made; [`Method::LevenbergMarquardt`] by default: fewest steps, hardly ever stuck.
    pub method: Method,
    /// Steps at most, of all passes together, each start's own; 200 by default: a dozen are usual.
    pub iterations: u32,
    /// Distance that counts as met, as a share of the longest chain's length, where a goal has no
    /// tolerance of its own; 1e-6 by default. Steps that double the digits go on, to 1e-10.
    pub position_tolerance: f64,
    /// Angle (radians) that counts as met; 1e-6 by default; steps go on as for positions.
    pub rotation_tolerance: f64,
    /// The pose to start from; [`Start::Given`] by default, which is near in an animation.
    pub start: Start,
    /// What a chain does with a target near and beyond its full stretch; [`Reach::Clamp`] by default.
    pub reach: Reach,
    /// Other poses to start from where the first leaves goals unmet, each with few steps before any has all; 0 by
    /// default, since the answer may jump from frame to frame. Of limited legs one descent misses up to 8 in 100
    /// reachable goals, with eight restarts 1 in 1000.
    pub restarts: u32,
    /// What joints do with the freedom that goals leave them; nothing by default. Each solve leans once: one step, of at most
    /// 0.3 radians a freedom, goes as near to the posture as the goals let it, and the steps after it are the goals' alone. So
    /// frame by frame the pose comes to the posture, at about the price of a solve without.
    pub posture: Option<Posture>,
    /// Whether one solve goes on until nothing that the goals leave free brings it nearer to the posture, at ten times the price
    /// and more; `false` by default.
    pub exact_posture: bool,
    /// The joints that may move; by default all that goals and tasks use.
    pub joints: Option<Vec<Joint>>,
    /// Tasks of your own, beside the goals; one that is not met shows in the outcome's status.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub tasks: Vec<Arc<dyn Task>>,
}

impl Default for Jacobian {
    fn default() -> Self {
        Self {
            method: Method::default(),
            iterations: 200,
            position_tolerance: 1e-6,
            rotation_tolerance: 1e-6,
            start: Start::Given,
            reach: Reach::Clamp,
            restarts: 0,
            posture: None,
            exact_posture: false,
            joints: None,
            tasks: Vec::new(),
        }
    }
}

impl Jacobian {
    pub(super) fn may_move(&self, joint: Joint) -> bool {
        self.joints.as_ref().is_none_or(|joints| joints.contains(&joint))
    }
}
