//! What the solver is asked to be.

use super::body::Shift;
use super::support::Balance;
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::Start;
use crate::solve::two_bone::Reach;

/// What the joint that carries the body does.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Root {
    /// It stays where it is, and rotates as its kind allows.
    Pinned,
    /// It travels against a spring that draws it back to where the solve began.
    Pulled {
        /// Relative to the joints' stiffness: at 1, to travel by the length of the longest chain costs as much as
        /// to bend a joint of stiffness 1 by a radian. Greater than 0.
        stiffness: f64,
    },
    /// It travels and turns at no cost.
    Free,
}

/// Whole bodies in balance: joints are springs that bend as little as the goals let them.
///
/// Serves every goal but scales, any number at once: positions, rotations, frames, aims with up, axes, centres of mass,
/// masked, relative to joints. A goal may move the joints from its base (or [`hips`](Self::hips), or the root) to its own;
/// a centre of mass may move all joints below that weigh. What the goals leave open, the springs decide: the sum of
/// [stiffness](Skeleton::stiffness) times angle squared is least. Competing goals are balanced by their pull, and goals of
/// a lower priority number come strictly first. An up comes after everything else. Goals with a base come after those
/// without, and own their joints.
///
/// With three or more positions that some steps do not meet, since many limits hold joints, [`Jacobian`](crate::Jacobian)
/// brings them there from the pose given, else from the middle of their limits, and the springs settle from there. A
/// [`balance`](Self::balance) does without.
///
/// Several goals of one priority that are not all met are approached by continuous steps from the pose given, too, as
/// [`Jacobian`](crate::Jacobian) does; their answer is taken unless the springs' is nearer by 0.003 of the longest chain. Not with a
/// balance or fewer than 48 [`iterations`](Self::iterations).
///
/// Where no pose meets the goals, the best one found is left; a limit that stands in the way is named.
#[doc(alias = "full body IK")]
#[doc(alias = "XPBD")]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct MassSpring {
    /// Largest number of steps for the goals of one base; 200 by default. Fifteen are usual.
    pub iterations: u32,
    /// Distance that counts as met, as a share of the longest chain's length, where a goal has no tolerance of its
    /// own; 1e-10 by default, since the last steps double the digits.
    pub position_tolerance: f64,
    /// Angle (radians) that counts as met; 1e-10 by default.
    pub rotation_tolerance: f64,
    /// The pose to start from; [`Start::Given`] by default.
    pub start: Start,
    /// The pose in which all springs are at rest, such as the animation of this frame: what goals leave free returns to it.
    /// `None` by default, for the pose at the start. A pose of another skeleton makes the settings invalid. The feature
    /// `serde` leaves it out, since a pose is read with its skeleton.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub rest: Option<Pose>,
    /// What a chain does with a target near and beyond its full stretch; [`Reach::Clamp`] by default.
    pub reach: Reach,
    /// The joint that carries the body: no joint above it moves, and it does what `root` says. By default each root.
    pub hips: Option<Joint>,
    /// What that joint does. By default its kind decides: a [`Kind::Free`] moves against a spring of its own stiffness, any
    /// other stays where it is. The motion is written as the joint's translation, so a slide only slides.
    pub root: Option<Root>,
    /// Keeps the centre of mass over what the body stands on; `None` by default. When that is not possible the outcome's
    /// status says so, and [`Balance::offset`] how far it is off.
    pub balance: Option<Balance>,
}

impl Default for MassSpring {
    fn default() -> Self {
        Self {
            iterations: 200,
            position_tolerance: 1e-10,
            rotation_tolerance: 1e-10,
            start: Start::Given,
            rest: None,
            reach: Reach::Clamp,
            hips: None,
            root: None,
            balance: None,
        }
    }
}

impl MassSpring {
    /// How a joint travels, where that is another way than its kind's.
    pub(super) fn travel(&self, skeleton: &Skeleton, joint: Joint) -> Option<Shift> {
        let carries = self.hips.map_or(skeleton.parent(joint).is_none(), |hips| hips == joint);
        // A slide has its own way.
        let travels = !matches!(skeleton.kind(joint), Kind::Slide { .. });
        self.root.filter(|_| carries && travels).map(|root| match root {
            Root::Pinned => Shift::Held,
            Root::Pulled { stiffness } => Shift::Anywhere { stiffness, pulls: true },
            Root::Free => Shift::Anywhere { stiffness: 0.0, pulls: false },
        })
    }
}
