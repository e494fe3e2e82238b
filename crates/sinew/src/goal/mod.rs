//! What a joint should do.

mod error;
mod order;
mod pole;
#[cfg(feature = "serde")]
mod read;
mod target;

pub use error::GoalError;
pub use pole::{Pole, Swivel};
pub use target::Target;

use glam::{BVec3, DVec3};

use crate::skeleton::Joint;
use crate::transform::Rotation;

/// A target for one joint, with its weight, priority and pull.
///
/// Targets and poles are in model space, or measured from another joint with [`relative_to`](Self::relative_to); world space is
/// the caller's business. Lengths are metres, angles radians. A position farther than 1e50 m from the model's origin counts as that
/// far in its direction. [`check`](Self::check) says why a goal is refused.
///
/// ```
/// # use sinew::{Goal, Skeleton, glam::DVec3};
/// # let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
/// let hand = arm.joint("joint_2")?;
/// let goal = Goal::position(hand, DVec3::new(0.2, 0.3, 0.0)).pole(DVec3::Z).weight(0.5);
/// # assert_eq!(goal.weight, 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Order, ownership, weight and pull
///
/// These mean the same in every solver.
///
/// | | what it does |
/// |---|---|
/// | [`priority`](Self::priority) | Goals of a lower number come strictly first. A later one never makes an earlier one worse by more than its tolerance. |
/// | order | Goals of one priority are solved depth-first by joint, then by kind of target, then by value. The caller's order does not count. |
/// | [`base`](Self::base) | A goal with a base owns the joints from there to its own joint. They move for no other goal. The first goal in that order owns them. |
/// | no base | The goal may move all joints above its own that no other goal owns. |
/// | [`weight`](Self::weight) | How far the target stands from the pose given (0) to what was asked (1). |
/// | [`pull`](Self::pull) | Who wins where goals compete, and nothing else. |
/// | [`mask`](Self::mask) | Which components count at all. |
/// | [`slack`](Self::slack) | How far a component may stay from the target and still be met exactly. |
/// | [`tolerance`](Self::tolerance) | How near is near enough: there the report says [`Reached`](crate::Status::Reached), and a pose that is as near stays. |
///
/// Only what a solver [`serves`](crate::Solver::serves) is acted on; other goals are [`Ignored`](crate::Status::Ignored), never
/// dropped in silence.
#[doc(alias = "effector")]
#[doc(alias = "end effector")]
#[doc(alias = "IK target")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(remote = "Self", deny_unknown_fields))]
#[non_exhaustive]
pub struct Goal {
    /// The joint that should do it.
    pub joint: Joint,
    /// What it should do.
    pub target: Target,
    /// The point that is brought to a position target, or from which an axis is aimed (a muzzle), in
    /// the joint's frame (metres); the origin by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub offset: DVec3,
    /// Where the limb's middle joint should point; none by default.
    ///
    /// A longer chain that shares no joint with another goal is turned to its pole after it has reached its target. It
    /// turns about the line from its uppermost ball to its tip, until its first joint off that line points to the pole or
    /// the limit of that ball stops it. A chain of hinges and slides alone does not turn.
    #[cfg_attr(feature = "serde", serde(default))]
    pub pole: Option<Pole>,
    /// The joint whose frame the pole is given in, where that is another than the target's.
    #[cfg_attr(feature = "serde", serde(default))]
    pub pole_relative_to: Option<Joint>,
    /// The bend plane of an earlier solve, from its [`Residual`](crate::Residual).
    #[cfg_attr(feature = "serde", serde(default))]
    pub swivel: Option<Swivel>,
    /// The uppermost joint that may move for this goal, which then owns the joints from there on.
    #[cfg_attr(feature = "serde", serde(default))]
    pub base: Option<Joint>,
    /// The joint whose frame the target and pole are given in; model space by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub relative_to: Option<Joint>,
    /// Which components of the position, the rotation vector and the scale count; all by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub mask: Mask,
    /// How far each component of a position, a rotation or a centre of mass may stay from the target; zero by default. Only
    /// [`Jacobian`](crate::Jacobian) and `sinew_arm::Serial` serve goals with slack.
    #[cfg_attr(feature = "serde", serde(default))]
    pub slack: Slack,
    /// How near is near enough; the solver's own setting by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub tolerance: Option<Tolerance>,
    /// Goals of a lower number come strictly first, in every solver: a goal of a higher number never makes one of a lower
    /// number worse by more than its tolerance. 0 by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub priority: u8,
    /// How far the target moves from what the pose given has (0: the goal is ignored) to what is asked (1): positions along
    /// the line, rotations, aims and poles along the shortest turn, at even speed. For a scale, each joint's ratio moves
    /// that far. Residuals are measured against the full target, with [`Status::Softened`](crate::Status::Softened) below
    /// 1.
    #[cfg_attr(feature = "serde", serde(default = "crate::serde::one"))]
    pub weight: f64,
    /// Relative strength against competing goals, and nothing else; 1 by default, not negative. At 0 the goal yields to all
    /// others, but a goal without competitors is met at any pull.
    #[cfg_attr(feature = "serde", serde(default = "crate::serde::one"))]
    pub pull: f64,
    /// The target that was asked for, where `target` is part of the way there.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) asked: Option<Target>,
}

/// Components that count: of positions along model axes, of rotations about them, of scales along joints' own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Mask {
    /// x, y, z of the position.
    pub position: BVec3,
    /// x, y, z of the rotation vector.
    pub rotation: BVec3,
    /// x, y, z of the scale.
    pub scale: BVec3,
}

impl Default for Mask {
    fn default() -> Self {
        Self { position: BVec3::TRUE, rotation: BVec3::TRUE, scale: BVec3::TRUE }
    }
}

/// How far a target may be missed. Every place inside counts as exact, and what is left is measured from the edge. The axes
/// are those of [`Mask`]; a component of infinity does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Slack {
    /// x, y, z of the position (metres), to either side.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde::vector"))]
    pub position: DVec3,
    /// x, y, z of the rotation vector (radians), to either side.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde::vector"))]
    pub rotation: DVec3,
}

impl Slack {
    /// No slack.
    pub const NONE: Self = Self { position: DVec3::ZERO, rotation: DVec3::ZERO };

    /// Whether no component is negative or not a number.
    pub fn is_valid(&self) -> bool {
        self.position.cmpge(DVec3::ZERO).all() && self.rotation.cmpge(DVec3::ZERO).all()
    }
}

/// How near is near enough.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Tolerance {
    /// Metres.
    pub position: f64,
    /// Radians.
    pub rotation: f64,
}

impl Goal {
    fn new(joint: Joint, target: Target) -> Self {
        Self {
            joint,
            target,
            offset: DVec3::ZERO,
            pole: None,
            pole_relative_to: None,
            swivel: None,
            base: None,
            relative_to: None,
            mask: Mask::default(),
            slack: Slack::NONE,
            tolerance: None,
            priority: 0,
            weight: 1.0,
            pull: 1.0,
            asked: None,
        }
    }

    /// The joint at a position.
    pub fn position(joint: Joint, position: impl Into<DVec3>) -> Self {
        Self::new(joint, Target::Position(position.into()))
    }

    /// The joint turned so.
    pub fn rotation(joint: Joint, rotation: impl Into<Rotation>) -> Self {
        Self::new(joint, Target::Rotation(rotation.into().0))
    }

    /// The joint at a position with a rotation.
    pub fn frame(joint: Joint, position: impl Into<DVec3>, rotation: impl Into<Rotation>) -> Self {
        Self::new(joint, Target::Frame { position: position.into(), rotation: rotation.into().0 })
    }

    /// An axis of the joint (in its own frame) at a point.
    pub fn aim(joint: Joint, axis: impl Into<DVec3>, point: impl Into<DVec3>) -> Self {
        Self::new(joint, Target::Aim { axis: axis.into(), point: point.into(), up: None })
    }

    /// An axis of the joint (in its own frame) along a direction.
    pub fn axis(joint: Joint, axis: impl Into<DVec3>, direction: impl Into<DVec3>) -> Self {
        Self::new(joint, Target::Axis { axis: axis.into(), direction: direction.into(), up: None })
    }

    /// The joint's scale as a ratio to its rest.
    pub fn scale(joint: Joint, ratio: impl Into<DVec3>) -> Self {
        Self::new(joint, Target::Scale(ratio.into()))
    }

    /// The centre of mass of the joint and all below it at a position.
    pub fn center_of_mass(joint: Joint, position: impl Into<DVec3>) -> Self {
        Self::new(joint, Target::CenterOfMass(position.into()))
    }

    /// Sets the direction toward which the up side of an aimed joint turns; other targets have none.
    pub fn up(mut self, direction: impl Into<DVec3>) -> Self {
        if let Target::Aim { up, .. } | Target::Axis { up, .. } = &mut self.target {
            *up = Some(direction.into());
        }
        self
    }

    /// Sets the pole: a point, or `Pole::Direction`.
    pub fn pole(self, pole: impl Into<Pole>) -> Self {
        Self { pole: Some(pole.into()), ..self }
    }

    /// Sets the pole in the frame of `joint`, whatever the target is measured from: an elbow that
    /// keeps pointing down from the chest.
    pub fn pole_of(self, joint: Joint, pole: impl Into<Pole>) -> Self {
        Self { pole_relative_to: Some(joint), ..self.pole(pole) }
    }

    /// Sets the point, in the joint's frame, that is brought to the target.
    pub fn offset(self, offset: impl Into<DVec3>) -> Self {
        Self { offset: offset.into(), ..self }
    }

    /// Carries the bend plane of an earlier solve along.
    pub fn swivel(self, swivel: Option<Swivel>) -> Self {
        Self { swivel, ..self }
    }

    /// Sets the uppermost joint that may move.
    pub fn base(self, base: Joint) -> Self {
        Self { base: Some(base), ..self }
    }

    /// Measures target and pole from `joint` instead of the model.
    pub fn relative_to(self, joint: Joint) -> Self {
        Self { relative_to: Some(joint), ..self }
    }

    /// Sets which components count.
    pub fn mask(self, mask: Mask) -> Self {
        Self { mask, ..self }
    }

    /// Sets how far each component may stay from the target.
    pub fn slack(self, slack: Slack) -> Self {
        Self { slack, ..self }
    }

    /// Sets how near is near enough.
    pub fn tolerance(self, tolerance: Tolerance) -> Self {
        Self { tolerance: Some(tolerance), ..self }
    }

    /// Sets the priority; lower comes first.
    pub fn priority(self, priority: u8) -> Self {
        Self { priority, ..self }
    }

    /// Sets how far the target stands from the pose given, 0, to what is asked, 1.
    pub fn weight(self, weight: f64) -> Self {
        Self { weight, ..self }
    }

    /// Sets the strength against competing goals.
    pub fn pull(self, pull: f64) -> Self {
        Self { pull, ..self }
    }

    /// What counts of the way left to a place.
    pub(crate) fn way_left(&self, left: DVec3) -> DVec3 {
        if self.mask.position.all() && self.slack.position == DVec3::ZERO {
            return left;
        }
        DVec3::select(self.mask.position, beyond(left, self.slack.position), DVec3::ZERO)
    }

    /// What counts of the rotation vector left.
    pub(crate) fn turn_left(&self, left: DVec3) -> DVec3 {
        DVec3::select(self.mask.rotation, beyond(left, self.slack.rotation), DVec3::ZERO)
    }

    /// Which components of the way left a step should look at: inside the slack the next one may leave from where this
    /// one stands.
    pub(crate) fn way_counts(&self, left: DVec3) -> BVec3 {
        self.mask.position & is_beyond(left, self.slack.position)
    }

    /// Which components of the rotation vector left a step should look at.
    pub(crate) fn turn_counts(&self, left: DVec3) -> BVec3 {
        self.mask.rotation & is_beyond(left, self.slack.rotation)
    }
}

fn beyond(left: DVec3, slack: DVec3) -> DVec3 {
    left - left.clamp(-slack, slack)
}

fn is_beyond(left: DVec3, slack: DVec3) -> BVec3 {
    left.abs().cmpgt(slack) | slack.cmpeq(DVec3::ZERO)
}
