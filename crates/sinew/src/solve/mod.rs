//! Solvers: what they take, what they leave and what they say.

pub mod aim;
pub mod author;
mod auto;
mod bend;
pub mod ccd;
mod extent;
pub mod fabrik;
pub mod follow;
mod invalid;
mod inverse;
pub mod jacobian;
mod limited;
pub mod mass_spring;
mod orient;
mod point;
mod problem;
mod pulls;
pub(crate) mod report;
pub mod scale;
mod seen;
mod sequence;
mod start;
pub mod three_link;
pub mod two_bone;
mod workspace;

use core::fmt;

use glam::{DQuat, DVec3};

use crate::goal::{Goal, Slack, Swivel, Target, Tolerance};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
pub use aim::Aim;
pub use auto::Auto;
pub use bend::Bend;
pub use ccd::Ccd;
pub use fabrik::Fabrik;
pub use follow::{Follow, FollowState};
pub use jacobian::Jacobian;
pub use mass_spring::MassSpring;
pub use orient::Orient;
pub use scale::ScaleTarget;
pub use sequence::Sequence;
pub use start::Start;
pub use three_link::ThreeLink;
pub use two_bone::TwoBone;
pub use workspace::Workspace;

/// Anything that moves a pose towards goals. Solvers are plain settings: cloneable, shareable,
/// without state of their own.
pub trait Solver: fmt::Debug + Send + Sync {
    /// Moves `pose` as close to `goals` as the skeleton allows, and leaves it up to date.
    ///
    /// Never fails: it leaves the best pose found and says how far off it is. One invalid goal
    /// (NaN, infinity, a weight outside 0 to 1, a joint or pose of another skeleton) refuses the
    /// call: the pose is untouched and the status is [`Status::Invalid`]; see [`Workspace::skip_invalid`].
    ///
    /// A pose that meets all goals comes back bit for bit. Where a goal was missed, solving again may gain more, or end at another
    /// answer: a search goes on from where it stopped, a target measured from a joint that moves is elsewhere then, and what
    /// one solver of a [`Sequence`] brings to its place another may move every time. `sinew-fuzz` lists these by solver.
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome;

    /// Whether this solver would act on the goal at all.
    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        let _ = (skeleton, goal);
        true
    }

    /// Makes room in the workspace for goals of these joints, bases and kinds, so that no later solve of them
    /// allocates, wherever their targets are and whatever they weigh. `solve` does so in its first frame.
    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        let _ = (skeleton, goals, pose, work);
    }
}

/// How a goal ended in the pose left, best to worst.
///
/// Of several reasons why it was missed the first is told of: singular; too close, out of reach or held, shown by lengths
/// alone; softened; limited; out of iterations; stalled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Status {
    /// Met, within the goal's tolerance or the solver's. The solver's is a share of the chain's length (of the longest chain's,
    /// where the solver says so), in the pose given or in the answer: where it is the shorter.
    #[default]
    Reached,
    /// Not this solver's goal, or of weight zero, or left alone since another goal is [`Invalid`](Self::Invalid).
    Ignored,
    /// Short of a reachable goal on purpose (soft reach, weight below one).
    Softened,
    /// Out of reach, and the pose was left as it was on purpose.
    Held,
    /// Nearer than the limb can fold.
    TooClose,
    /// Farther than the limb can stretch.
    OutOfReach,
    /// A joint's limit stands in the way.
    Limited,
    /// The geometry leaves no answer (a scale of zero, no length).
    Singular,
    /// No further progress.
    Stalled,
    /// The allowed iterations are spent.
    OutOfIterations,
    /// Not a goal of this skeleton, or not made of numbers: [`Goal::check`] says why. All goals are, where the pose is
    /// another skeleton's or the solver's settings are no settings.
    Invalid,
}

impl Status {
    /// The word used in reports: `reached`, `out_of_reach`, …
    pub fn name(self) -> &'static str {
        match self {
            Self::Reached => "reached",
            Self::Ignored => "ignored",
            Self::Softened => "softened",
            Self::Held => "held",
            Self::TooClose => "too_close",
            Self::OutOfReach => "out_of_reach",
            Self::Limited => "limited",
            Self::Singular => "singular",
            Self::Stalled => "stalled",
            Self::OutOfIterations => "out_of_iterations",
            Self::Invalid => "invalid",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a solve achieved as a whole.
#[must_use = "the outcome says whether the goals were reached"]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The worst status of any goal.
    pub status: Status,
    /// Passes over the skeleton; 1 for a closed form that moved something, 0 where nothing was done.
    pub iterations: u32,
    /// Largest distance of a goal's point from its target (metres, model space).
    pub position_error: f64,
    /// Largest angle of a goal's rotation from its target (radians).
    pub rotation_error: f64,
    /// Largest difference of a goal's scale ratio from its target.
    pub scale_error: f64,
}

/// How one goal ended. [`Workspace::residuals`] lends them in the caller's order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// How it ended.
    pub status: Status,
    /// Target minus the goal's point, in model space (metres); zero without a position target.
    pub position: DVec3,
    /// Rotation left to the target, applied in model space; `None` without a rotation target, or where a scale of zero
    /// leaves the joint none. Of an aim or axis, the shortest turn of the axis, whatever its up.
    pub rotation: Option<DQuat>,
    /// Target minus the product of scale ratios from the goal's base (or the root) to its joint, along their own
    /// axes; zero without a scale target.
    pub scale: DVec3,
    /// The limb's bend plane, for [`Goal::swivel`]; `None` unless a limb solver served the goal.
    pub swivel: Option<Swivel>,
    /// What counted as met: the goal's tolerance, else the solver's in metres and radians. `None` where no solver
    /// served the goal, or one that does not say.
    pub tolerance: Option<Tolerance>,
}

impl Residual {
    /// Distance left (metres).
    pub fn position_error(&self) -> f64 {
        size(self.position)
    }

    /// Rotation left as a rotation vector in model space (radians).
    pub fn rotation_vector(&self) -> DVec3 {
        self.rotation.map_or(DVec3::ZERO, arc::rotation_vector)
    }

    /// Angle left (radians).
    pub fn rotation_error(&self) -> f64 {
        self.rotation.map_or(0.0, |left| arc::length(arc::rotation_vector(left)))
    }

    /// Largest difference of scale ratios left.
    pub fn scale_error(&self) -> f64 {
        self.scale.abs().max_element()
    }

    /// Measures what is left of `goal` in `pose`, with the given status; what is measured from the rest pose or by
    /// masses (scales, centres of mass) is not, and zero here.
    #[inline]
    pub fn measured(goal: &Goal, pose: &Pose, status: Status) -> Self {
        Self {
            status,
            position: place_left(goal, pose),
            rotation: TargetInModel::rotation_of(goal, pose).map_or_else(
                || Sight::of(goal, pose).map(|sight| arc::arc(sight.now, sight.wanted, sight.across)),
                |target| {
                    let now = arc::rotation_of(&pose.model(goal.joint).matrix3)?;
                    let left = arc::normalize(target * now.conjugate());
                    if goal.mask.rotation.all() && goal.slack == Slack::NONE {
                        return Some(left);
                    }
                    let v = goal.turn_left(arc::rotation_vector(left));
                    Some(arc::unit(v).map_or(DQuat::IDENTITY, |axis| arc::axis_angle(axis, arc::length(v))))
                },
            ),
            scale: DVec3::ZERO,
            swivel: None,
            tolerance: goal.tolerance,
        }
    }
}

/// Length of a vector of any size.
pub(crate) fn size(v: DVec3) -> f64 {
    let length = arc::length(v);
    let largest = v.abs().max_element();
    // Squares of very far targets overflow.
    if length > 1e150 && largest > 1e150 { arc::length(v / largest) * largest } else { length }
}

/// Target of a place minus the goal's point, in model space; zero without one.
#[inline]
pub(crate) fn place_left(goal: &Goal, pose: &Pose) -> DVec3 {
    goal.target.position().map_or(DVec3::ZERO, |place| {
        let place = goal.relative_to.map_or(place, |from| pose.model(from).transform_point3(place));
        goal.way_left(place - pose.model(goal.joint).transform_point3(goal.offset))
    })
}

/// An aimed axis and where it should point, unit directions in model space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    pub(crate) now: DVec3,
    pub(crate) wanted: DVec3,
    /// A perpendicular of `now` that is the joint's own, for half turns.
    pub(crate) across: DVec3,
}

impl Sight {
    /// `None` unless the goal is an aim or axis with both directions defined.
    pub(crate) fn of(goal: &Goal, pose: &Pose) -> Option<Self> {
        let model = pose.model(goal.joint);
        let (axis, wanted) = match goal.target {
            Target::Aim { axis, point, .. } => {
                (axis, in_model(goal, point, pose) - model.transform_point3(goal.offset))
            }
            Target::Axis { axis, direction, .. } => {
                (axis, goal.relative_to.map_or(direction, |from| pose.model(from).transform_vector3(direction)))
            }
            _ => return None,
        };
        let across = model.transform_vector3(arc::any_perpendicular(arc::unit(axis)?));
        Some(Self { now: arc::unit(model.transform_vector3(axis))?, wanted: arc::unit(wanted)?, across })
    }
}

/// A goal's target carried from the joint it is relative to into model space.
#[derive(Clone, Copy, Debug)]
pub struct TargetInModel {
    /// Where the goal's point should be (metres, at most 1e50 along any axis); `None` where no place is asked for.
    pub position: Option<DVec3>,
    /// How the goal's joint should stand; `None` where no rotation is asked for.
    pub rotation: Option<DQuat>,
}

impl TargetInModel {
    /// The goal's, where the joint it is relative to is in this pose.
    pub fn of(goal: &Goal, pose: &Pose) -> Self {
        let position = goal.target.position().map(|place| in_model(goal, place, pose));
        Self { position, rotation: Self::rotation_of(goal, pose) }
    }

    #[inline]
    fn rotation_of(goal: &Goal, pose: &Pose) -> Option<DQuat> {
        let rotation = goal.target.rotation()?;
        Some(goal.relative_to.map_or(rotation, |from| pose.rotation(from) * rotation))
    }
}

/// Distance (metres, along any axis of the model) at which farther targets count as being, in the same direction: no
/// limb's answer depends on the rest, and the squares of squares are numbers.
const FARTHEST: f64 = 1e50;

/// A place of a goal's target as solvers are to see it, in model space.
pub(crate) fn in_model(goal: &Goal, place: DVec3, pose: &Pose) -> DVec3 {
    let place = not_too_far(place);
    goal.relative_to.map_or(place, |from| not_too_far(pose.model(from).transform_point3(place)))
}

#[inline(always)]
pub(crate) fn not_too_far(place: DVec3) -> DVec3 {
    let largest = place.abs().max_element();
    if largest > FARTHEST { place * (FARTHEST / largest) } else { place }
}
