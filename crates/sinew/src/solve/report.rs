//! What became of each goal: the one place where what is left is measured, on the final pose, and where a status follows.
//!
//! A goal is [`Reached`](Status::Reached) where what is left is within its own tolerance, else the solver's. Why it was
//! missed is the first that holds of: [`Singular`](Status::Singular); [`TooClose`](Status::TooClose),
//! [`OutOfReach`](Status::OutOfReach) or [`Held`](Status::Held), shown by lengths alone; [`Softened`](Status::Softened);
//! [`Limited`](Status::Limited); [`OutOfIterations`](Status::OutOfIterations), still gaining; [`Stalled`](Status::Stalled).

use glam::{DMat3, DVec3};

use super::jacobian::mass::center_of_mass;
use super::scale::{has_ratio, is_scaled, scale_left};
use super::two_bone::measure::inverse;
use super::{Residual, Status, TargetInModel, Workspace, in_model, size};
use crate::goal::{Goal, Slack, Target, Tolerance};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};

/// Rounding: of a point as a share of its coordinates, and of a rotation (radians).
const ROUNDING: f64 = 1e-14;
const ROUNDING_ANGLE: f64 = 1e-12;
/// Share of a chain's length by which a target must be out of its reach.
const BEYOND: f64 = 1e-12;
/// Deviation from a similarity, relative, at which lengths depend on angles.
const SHEAR: f64 = 1e-9;

/// What a solver knows of a goal that was missed. It notes blocking joints in the workspace.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Miss {
    /// What the chain alone shows: `Singular`, where it leaves no answer; `TooClose`, `OutOfReach` or `Held` by its lengths.
    pub(super) shown: Option<Status>,
    /// Whether the goal was left short on purpose.
    pub(super) softened: bool,
    /// Whether limits were in the way, also where no joint is noted.
    pub(super) limited: bool,
    /// Whether the allowed iterations were spent while there still was progress.
    pub(super) spent: bool,
}

impl Miss {
    /// What a closed form says of its answer.
    pub(super) fn of(status: Status) -> Self {
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

/// Writes what a goal that was served is left with in the final pose. `own` is the solver's tolerance; `miss` is asked,
/// and may note blocking joints, only where the goal is not met.
pub(super) fn report(
    skeleton: &Skeleton,
    (place, goal): (usize, &Goal),
    pose: &Pose,
    own: Tolerance,
    work: &mut Workspace,
    miss: impl FnOnce(&mut Workspace) -> Miss,
) {
    let near = goal.tolerance.unwrap_or(own);
    let residual = measured(skeleton, goal, pose);
    let status = match undefined(skeleton, goal, pose, &residual) {
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
    work.residuals_mut()[place] = Residual { status, tolerance: Some(near), ..residual };
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
pub(crate) fn measured(skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> Residual {
    let mut residual = Residual::measured(goal, pose, Status::Ignored);
    match goal.target {
        Target::CenterOfMass(place) => {
            let now = center_of_mass(skeleton, pose, goal.joint);
            let target = goal.relative_to.map_or(place, |from| pose.model(from).transform_point3(place));
            residual.position = now.map_or(DVec3::ZERO, |now| goal.way_left(target - now));
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
pub(super) fn is_there(goal: &Goal, pose: &Pose, left: DVec3, near: Tolerance) -> bool {
    let error = size(left);
    let rounding = || ROUNDING * pose.model(goal.joint).transform_point3(goal.offset).abs().max_element();
    error <= near.position || error <= near.position + rounding()
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
        Target::CenterOfMass(_) => center_of_mass(skeleton, pose, goal.joint).is_some(),
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
    moves: impl Fn(Joint) -> bool,
) -> Option<Status> {
    let target = TargetInModel::of(goal, pose).position?;
    let carries = |joint: Joint| goal.relative_to.is_some_and(|from| skeleton.is_below(from, joint));
    let path = || way_up(skeleton, goal.joint).filter(|&joint| moves(joint) && !carries(joint));
    let mut measured_from = goal.relative_to.into_iter().flat_map(|from| way_up(skeleton, from));
    let moves_target = measured_from.any(|joint| moves(joint) && !skeleton.is_below(goal.joint, joint));
    if moves_target || !goal.mask.position.all() || goal.slack != Slack::NONE {
        return None;
    }
    // In the space of the uppermost one's parent, where shear above does not count.
    let above = |joint| skeleton.parent(joint).map_or(*skeleton.base(joint), |parent| *pose.model(parent));
    let into = inverse(&above(path().last()?))?;
    let mut last = into.transform_point3(pose.model(goal.joint).transform_point3(goal.offset));
    let (mut length, mut longest, mut slides) = (0.0, 0.0_f64, 0.0);
    for joint in path() {
        let scale = even_scale(&(into.matrix3 * above(joint).matrix3))?;
        match skeleton.kind(joint) {
            Kind::Free => return None,
            Kind::Slide { .. } => {
                let range = skeleton.range(joint);
                let value = pose.value(skeleton, joint);
                slides += (range.max - value).max(value - range.min).max(0.0) * scale;
            }
            _ => {
                let here = into.transform_point3(pose.position(joint));
                let link = arc::length(here - last);
                (length, longest, last) = (length + link, longest.max(link), here);
            }
        }
    }
    let target = into.transform_point3(target);
    let distance = arc::length(target - last);
    let rounding = BEYOND * length + ROUNDING * last.abs().max_element().max(target.abs().max_element());
    if distance > length + slides + rounding {
        return Some(Status::OutOfReach);
    }
    (distance < 2.0 * longest - length - slides - rounding).then_some(Status::TooClose)
}

/// From a joint up to its root.
fn way_up(skeleton: &Skeleton, joint: Joint) -> impl Iterator<Item = Joint> {
    core::iter::successors(Some(joint), |&joint| skeleton.parent(joint))
}

/// Factor by which a map scales every direction; `None` where that differs.
pub(super) fn even_scale(map: &DMat3) -> Option<f64> {
    let (x, y, z) = (map.x_axis, map.y_axis, map.z_axis);
    let square = x.dot(x);
    let uneven = (square - y.dot(y)).abs() + (square - z.dot(z)).abs();
    let skew = x.dot(y).abs() + y.dot(z).abs() + z.dot(x).abs();
    (uneven + skew <= SHEAR * square).then(|| arc::length(x))
}
