//! What became of each goal: the one place where what is left is measured, on the final pose, and where a status follows.
//!
//! A goal is [`Reached`](Status::Reached) where what is left is within its own tolerance, else the solver's. Why it was
//! missed is the first that holds of: [`Singular`](Status::Singular); [`TooClose`](Status::TooClose),
//! [`OutOfReach`](Status::OutOfReach) or [`Held`](Status::Held), shown by lengths alone; [`Softened`](Status::Softened);
//! [`Limited`](Status::Limited); [`OutOfIterations`](Status::OutOfIterations), still gaining; [`Stalled`](Status::Stalled).

use glam::DVec3;

use super::extent::Extent;
use super::scale::{has_ratio, is_scaled, scale_left};
use super::{Residual, Status, Workspace, carried, in_model, size};
use crate::goal::{Goal, Target, Tolerance};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};

/// Rounding: of a point as a share of its coordinates, and of a rotation (radians).
const ROUNDING: f64 = 1e-14;
const ROUNDING_ANGLE: f64 = 1e-12;

/// What a solver knows of a goal that was missed. It notes blocking joints in the workspace.
#[derive(Clone, Copy, Debug, Default)]
pub struct Miss {
    /// What the chain alone shows: `Singular` when it has no answer; `TooClose`, `OutOfReach` or `Held` by its lengths.
    pub shown: Option<Status>,
    /// Whether the goal was left short on purpose.
    pub softened: bool,
    /// Whether limits were in the way, even if no joint is named.
    pub limited: bool,
    /// Whether the iterations ran out while there was still progress.
    pub spent: bool,
}

impl Miss {
    /// What a closed form says of its answer.
    pub fn of(status: Status) -> Self {
        Self {
            shown: is_shown(status).then_some(status),
            softened: status == Status::Softened,
            limited: status == Status::Limited,
            spent: false,
        }
    }

    fn status(self) -> Status {
        match self.shown {
            Some(shown) => shown,
            None if self.softened => Status::Softened,
            None if self.limited => Status::Limited,
            None if self.spent => Status::OutOfIterations,
            None => Status::Stalled,
        }
    }
}

/// Of what two steps of one answer say, the reason why it misses.
pub(super) fn first_reason(a: Status, b: Status) -> Status {
    match (is_shown(a), is_shown(b)) {
        (true, false) => a,
        (false, true) => b,
        _ => a.max(b),
    }
}

fn is_shown(status: Status) -> bool {
    matches!(status, Status::Singular | Status::TooClose | Status::OutOfReach | Status::Held)
}

/// What counts as met of a goal: its own tolerance, else the solver's, which is nothing where lengths are not finite.
pub(super) fn tolerance(goal: &Goal, own: Tolerance) -> Tolerance {
    let position = if own.position.is_finite() { own.position } else { 0.0 };
    goal.tolerance.unwrap_or(Tolerance { position, ..own })
}

/// The same as a solver may ask for it: not less than rounding, which is [met](is_met).
pub(super) fn near(goal: &Goal, own: Tolerance, pose: &Pose) -> Tolerance {
    let Tolerance { position, rotation } = tolerance(goal, own);
    Tolerance { position: position.max(rounding(goal, pose)), rotation: rotation.max(ROUNDING_ANGLE) }
}

/// Writes the residual of a goal that was served, measured in the final pose. `own` is the solver's tolerance. `miss` is
/// called only when the goal is not met, and may note blocking joints.
pub fn report(
    skeleton: &Skeleton,
    (place, goal): (usize, &Goal),
    pose: &Pose,
    own: Tolerance,
    work: &mut Workspace,
    miss: impl FnOnce(&mut Workspace) -> Miss,
) {
    let near = tolerance(goal, own);
    let mut residual = measured(skeleton, goal, pose);
    residual.status = match undefined(skeleton, goal, pose, &residual) {
        Some(status) => status,
        None if is_met(goal, pose, &residual, near) => {
            work.unblock(place);
            Status::Reached
        }
        None => {
            let miss = miss(work);
            Miss { limited: miss.limited || work.blocking(place).next().is_some(), ..miss }.status()
        }
    };
    residual.tolerance = Some(near);
    work.residuals_mut()[place] = residual;
}

/// What a goal is left with after other solvers have moved the pose on.
pub(super) fn again(skeleton: &Skeleton, goal: &Goal, pose: &Pose, before: &Residual) -> Residual {
    let now = Residual { swivel: before.swivel, tolerance: before.tolerance, ..measured(skeleton, goal, pose) };
    // A solver that says nothing of its tolerance had what it left.
    let left = || Tolerance { position: before.position_error(), rotation: before.rotation_error() };
    let near = before.tolerance.unwrap_or_else(left);
    let status = match before.status {
        Status::Ignored | Status::Invalid => before.status,
        status => match undefined(skeleton, goal, pose, &now) {
            Some(undefined) => undefined,
            None if is_met(goal, pose, &now, near) => Status::Reached,
            None if status == Status::Reached => Status::Stalled,
            None => status,
        },
    };
    Residual { status, ..now }
}

/// The residual, with no status yet: of a scale and of a centre of mass, too.
#[inline]
pub(crate) fn measured(skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> Residual {
    let mut residual = Residual::measured(goal, pose, Status::Ignored);
    match goal.target {
        Target::CenterOfMass(place) => {
            let now = pose.center_of_mass(skeleton, goal.joint);
            residual.position = now.map_or(DVec3::ZERO, |now| goal.way_left(carried(goal, place, pose) - now));
        }
        Target::Scale(_) => residual.scale = scale_left(skeleton, goal, pose),
        _ => {}
    }
    residual
}

/// Whether what is left is near enough, up to rounding.
pub(super) fn is_met(goal: &Goal, pose: &Pose, residual: &Residual, near: Tolerance) -> bool {
    is_there(goal, pose, residual.position, near)
        && residual.rotation_error() <= near.rotation + ROUNDING_ANGLE
        && is_scaled(goal, residual.scale)
}

/// Whether the way left to a place is.
#[inline(always)]
pub(super) fn is_there(goal: &Goal, pose: &Pose, left: DVec3, near: Tolerance) -> bool {
    let error = size(left);
    error <= near.position || error <= near.position + rounding(goal, pose)
}

/// What is rounding of the goal's point (metres).
fn rounding(goal: &Goal, pose: &Pose) -> f64 {
    ROUNDING * pose.model(goal.joint).transform_point3(goal.offset).abs().max_element()
}

/// Whether the geometry leaves nothing to measure.
pub(super) fn is_undefined(skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> bool {
    undefined(skeleton, goal, pose, &measured(skeleton, goal, pose)).is_some()
}

/// The status where the geometry leaves nothing to measure.
fn undefined(skeleton: &Skeleton, goal: &Goal, pose: &Pose, residual: &Residual) -> Option<Status> {
    let defined = match goal.target {
        Target::Position(_) => true,
        Target::Rotation(_) | Target::Frame { .. } => residual.rotation.is_some() || !goal.mask.rotation.any(),
        Target::Axis { .. } => residual.rotation.is_some(),
        Target::Aim { axis, point, .. } => {
            let model = pose.model(goal.joint);
            let looks = || arc::unit(model.transform_vector3(axis)).is_some();
            let at_mark = || in_model(goal, point, pose) == model.transform_point3(goal.offset);
            if residual.rotation.is_none() && looks() && at_mark() {
                return Some(Status::TooClose);
            }
            residual.rotation.is_some()
        }
        Target::CenterOfMass(_) => pose.center_of_mass(skeleton, goal.joint).is_some(),
        Target::Scale(_) => has_ratio(skeleton, goal, pose),
    };
    (!defined).then_some(Status::Singular)
}

/// `TooClose` or `OutOfReach` where no posture of the joints that move for a goal brings its point to its target: shown
/// by the lengths between them alone.
pub(super) fn out_of_reach(
    skeleton: &Skeleton,
    goal: &Goal,
    pose: &Pose,
    moves: &dyn Fn(Joint) -> bool,
) -> Option<Status> {
    let extent = Extent::of(skeleton, goal, pose, moves)?;
    if extent.is_too_far() {
        return Some(Status::OutOfReach);
    }
    extent.is_too_near().then_some(Status::TooClose)
}
