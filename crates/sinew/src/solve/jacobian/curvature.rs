//! How the columns of points turn with the step: what Gauss and Newton's matrix leaves out, and what
//! counts where a goal stays out of reach.
//!
//! Half the square of `e = t - p` has the second derivative `Jᵀ J - Σ e·p''`, and for a motion `i` above
//! `j` the point's `p''` is the turn of `j`'s column by `i`. Of a rotation's vector `e`, of length `θ`, half the square bends
//! by `(θ/2) cot(θ/2)` across `e` and by one along it, and by half of `e·(ωⱼ × ωᵢ)` for the order of two turns. Other kinds of
//! rows, masked rotations and relative ones are taken as straight.

use alloc::vec::Vec;

use glam::DVec3;

use super::angles::half_cotangent;
use super::goal_task::{GoalPart, GoalTask};
use super::motion::Motion;
use super::plan::{Block, Plan, RowsFor};
use crate::goal::{Goal, Slack};
use crate::pose::Pose;
use crate::solve::budget::Budget;

/// A motion's rate of what a block asks, and what of the error its turn brings to the rates of those below; both by one unit of
/// its freedom.
type Bend = (DVec3, DVec3);

/// Adds to `Jᵀ J` what points and rotations bend (`freedoms × freedoms`, symmetric), from the weighted error.
pub(super) fn write(
    plan: &Plan,
    pose: &Pose,
    error: &[f64],
    bends: &mut Vec<Bend>,
    matrix: &mut Vec<f64>,
    budget: &mut Budget,
) {
    matrix.clear();
    matrix.resize(plan.freedoms * plan.freedoms, 0.0);
    for block in &plan.blocks {
        let RowsFor::Goal(task @ GoalTask { goal, part }) = &block.asked else { continue };
        budget.spend(block.used.len() * block.used.len() * 2 / 3);
        let left = || DVec3::from_slice(&error[block.rows.clone()]);
        match part {
            GoalPart::Point => {
                let (left, point) = (left() * block.weight, task.point(pose));
                add_block(plan, block, goal, bends, matrix, |motion| (motion.velocity(point), -motion.gather(left)));
            }
            GoalPart::Rotation
                if goal.relative_to.is_none() && goal.mask.rotation.all() && goal.slack == Slack::NONE =>
            {
                let (left, weight) = (left() / block.weight, block.weight * block.weight);
                let (square, cotangent) = (left.dot(left), half_cotangent(left.dot(left)));
                let across = cotangent - cotangent * cotangent - 0.25 * square;
                let along = if square > 0.0 { across / square } else { 0.0 };
                add_block(plan, block, goal, bends, matrix, |motion| {
                    let turn = motion.angular();
                    let even = turn * across - left * (along * turn.dot(left));
                    (turn, (even - left.cross(turn) * 0.5) * weight)
                });
            }
            _ => {}
        }
    }
}

/// Adds a block's entries: of a lower motion's rate with what an upper one brings to it; of one joint, half of each order.
fn add_block(
    plan: &Plan,
    block: &Block,
    goal: &Goal,
    bends: &mut Vec<Bend>,
    matrix: &mut [f64],
    bend: impl Fn(&Motion) -> Bend,
) {
    let used = &plan.used[block.used.clone()];
    let motion = |place: u32| &plan.motions[place as usize];
    bends.clear();
    bends.extend(used.iter().map(|&place| {
        let motion = motion(place);
        let factor = if motion.moves(goal.joint) { motion.factor } else { 0.0 };
        let (rate, brought) = bend(motion);
        (rate * factor, brought * factor)
    }));
    for (rank, &lower) in used.iter().enumerate() {
        let ((rate, brought), lower) = (bends[rank], motion(lower));
        for (&(other, from_above), &upper) in bends.iter().zip(&used[..rank]) {
            let upper = motion(upper);
            let mut entry = rate.dot(from_above);
            if upper.joint() == lower.joint() {
                entry = (entry + other.dot(brought)) * 0.5;
            }
            let (i, j) = (upper.freedom, lower.freedom);
            matrix[i * plan.freedoms + j] += entry;
            matrix[j * plan.freedoms + i] += entry;
        }
        matrix[lower.freedom * (plan.freedoms + 1)] += rate.dot(brought);
    }
}
