//! Promises about what is reported: finite numbers, honest residuals and statuses.

use sinew::glam::DQuat;
use sinew::{Goal, Outcome, Residual, Status};

use super::linear::{Affine, length, sub};
use super::{Answer, Check, Findings};
use crate::make::Problem;

/// Rounding of a residual, as a share of the sizes in it.
const ROUNDING: f64 = 1e-9;
/// What no solver's default tolerance is above, as a share of the skeleton's size, goals' points that lie beside their joints among it.
const NEAR: f64 = 1e-5;
/// Squares of lengths above this overflow, and no residual is compared.
const LARGEST: f64 = 1e140;

pub(super) fn check(problem: &Problem, answer: &Answer, maps: &[Affine], size: f64, found: &mut Findings) {
    found.require(is_finite(&answer.outcome), Check::NotFinite, "the outcome");
    let beside = |goal: &Goal| {
        let place = |point: [f64; 3]| maps[goal.joint.index()].point(point);
        length(sub(place(goal.offset.to_array()), place([0.0; 3])))
    };
    let size = problem.goals.iter().map(beside).filter(|far| far.is_finite()).fold(size, f64::max);
    for (goal, residual) in problem.goals.iter().zip(&answer.residuals) {
        if !is_finite_residual(residual) {
            found.add(Check::NotFinite, 0.0, "a residual");
        }
        if goal.weight == 0.0 {
            found.require(residual.status == Status::Ignored, Check::WeightZeroStatus, residual.status.name());
        }
        if residual.status != Status::Ignored {
            position(goal, residual, maps, size, found);
        }
    }
}

/// A place's residual against this program's own, and whether what is called reached is.
fn position(goal: &Goal, residual: &Residual, maps: &[Affine], size: f64, found: &mut Findings) {
    let Some(target) = goal.target.position() else { return };
    let target = target.to_array();
    let target = goal.relative_to.map_or(target, |frame| maps[frame.index()].point(target));
    let point = maps[goal.joint.index()].point(goal.offset.to_array());
    let (way, slack) = (sub(target, point), goal.slack.position.to_array());
    let asked = [goal.mask.position.x, goal.mask.position.y, goal.mask.position.z];
    let left =
        [0, 1, 2].map(|axis| if asked[axis] { way[axis] - way[axis].clamp(-slack[axis], slack[axis]) } else { 0.0 });
    let sizes = length(target) + length(point) + size;
    if sizes > LARGEST {
        return;
    }
    let off = length(sub(residual.position.to_array(), left));
    if off > ROUNDING * sizes {
        found.add(Check::Residual, off / sizes, "");
    }
    let tolerance = goal.tolerance.map_or(NEAR * size, |tolerance| tolerance.position.max(ROUNDING * size));
    // A weight below 1 asks for less than the target.
    let counts = residual.status == Status::Reached && goal.weight >= 1.0;
    if counts && length(left) > tolerance + ROUNDING * sizes {
        found.add(Check::FalseReached, length(left) / size, "");
    }
}

fn is_finite(outcome: &Outcome) -> bool {
    outcome.position_error.is_finite() && outcome.rotation_error.is_finite() && outcome.scale_error.is_finite()
}

fn is_finite_residual(residual: &Residual) -> bool {
    let swivel = residual.swivel.is_none_or(|swivel| {
        swivel.target.is_finite() && swivel.bend.is_finite() && swivel.mid.is_finite() && swivel.turn.is_finite()
    });
    let rotation = residual.rotation.is_none_or(DQuat::is_finite);
    residual.position.is_finite() && rotation && residual.scale.is_finite() && swivel
}
