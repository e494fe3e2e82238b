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
/// Serves every goal but scales: positions, rotations, frames, aims with up, axes and centres of mass. There may be any
/// number of them, several on one joint, masked, and relative to joints. Goals of one priority compete by their pull; goals
/// of a lower number come strictly first. An up comes after its aim. A goal may move the joints from its base (or the root)
/// to its own joint. A goal with a base owns these joints. A chain with one goal is turned to its pole.
///
/// A lone position for three or more links of balls moves the chain as a whole first, the more, the more it is stretched, so that all
/// joints share the bends.
///
/// With three or more positions inside limits, joints start nearer to the middle of their limits, the farther their goals are: all
/// of the way from half the longest chain on, none up to a tenth of it. Joints that still miss their goals try once more from the
/// middle.
///
/// Where limits keep one or two positions from their places, and the answer is far from the pose given, a few other starts look for a
/// nearer one. A pose that already is an answer keeps to where it is. Goals that are solved apart from others, as those of
/// many legs are, have no other starts.
///
/// Where several goals of one priority are not all met, and the answer turns a joint by more than 0.1 radians from the pose given, up to
/// 48 more steps of [`Method::Continuous`] go from that pose. Their answer is taken unless another is nearer by 0.003 of the longest
/// chain (by less, the farther the goals are): so nearby targets get nearby answers. Where lengths show a goal out of reach these steps
/// come first, and are all that is made where they come to a minimum within 0.1 radians. Those that come last are not counted. There are
/// none with restarts, a posture, tasks, another method or fewer [`iterations`](Self::iterations).
///
/// Several goals that are all within a fifth of the longest chain are gone to by steps that are taken as far as they help, up to 16, before
/// one may be taken back: so nearby targets are reached by nearby poses.
///
/// When no pose meets the goals, the best one found is left, but for that, and the limits that stand in the way are named.
#[doc(alias = "damped least squares")]
#[doc(alias = "DLS")]
#[doc(alias = "Levenberg-Marquardt")]
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Jacobian {
    /// How steps are made; [`Method::LevenbergMarquardt`] by default: fewest steps, hardly ever stuck.
    pub method: Method,
    /// Largest number of steps, of all passes together, for each start; 200 by default. A dozen are usual.
    /// With 50 or fewer, a body that no start brings near is left to a solver after this one: the steps left count as made.
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
    /// How many other poses to start from when goals are missed; 0 by default, since the answer may jump from frame to
    /// frame. Each gets a few steps before any gets all. On limited legs one descent misses up to 8 in 100 reachable goals,
    /// eight restarts miss 1 in 1000.
    pub restarts: u32,
    /// A posture toward which joints move in what the goals leave free; `None` by default. Each solve takes one step toward
    /// it, of at most 0.3 radians for each freedom, as far as the goals allow; the following steps are for the goals alone.
    /// So the pose approaches the posture frame by frame, at about the price of a solve without one.
    pub posture: Option<Posture>,
    /// Whether one solve continues until nothing that the goals leave free brings the pose nearer to the posture; `false`
    /// by default. It costs ten times as much and more.
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
