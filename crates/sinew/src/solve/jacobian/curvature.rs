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
use crate::goal::Slack;
use crate::pose::Pose;

/// Adds to `Jᵀ J` what points and rotations bend (`freedoms × freedoms`, symmetric), from the weighted error.
pub(super) fn write(plan: &Plan, pose: &Pose, error: &[f64], matrix: &mut Vec<f64>) {
    matrix.clear();
    matrix.resize(plan.freedoms * plan.freedoms, 0.0);
    for block in &plan.blocks {
        let RowsFor::Goal(task @ GoalTask { goal, part }) = &block.asked else { continue };
        let left = || DVec3::from_slice(&error[block.rows.clone()]);
        let moves = |motion: &Motion| motion.moves(goal.joint);
        match part {
            GoalPart::Point => {
                let (left, point) = (left() * block.weight, task.point(pose));
                add_block(
                    plan,
                    block,
                    moves,
                    matrix,
                    |motion| motion.velocity(point),
                    |upper, lower, velocity, other| {
                        let mut bent = upper.carry(velocity);
                        if upper.joint() == lower.joint() {
                            // Turns about one place: half of each order.
                            bent = (bent + lower.carry(other)) * 0.5;
                        }
                        -left.dot(bent)
                    },
                );
            }
            GoalPart::Rotation
                if goal.relative_to.is_none() && goal.mask.rotation.all() && goal.slack == Slack::NONE =>
            {
                let (left, weight) = (left() / block.weight, block.weight * block.weight);
                let (square, cotangent) = (left.dot(left), half_cotangent(left.dot(left)));
                let across = cotangent - cotangent * cotangent - 0.25 * square;
                let along = if square > 0.0 { across / square } else { 0.0 };
                add_block(plan, block, moves, matrix, Motion::angular, |upper, lower, turn, other| {
                    let even = turn.dot(other) * across - turn.dot(left) * other.dot(left) * along;
                    let order = if upper.joint() == lower.joint() { 0.0 } else { 0.5 * left.dot(other.cross(turn)) };
                    weight * (even - order)
                });
            }
            _ => {}
        }
    }
}

/// Adds a block's entries: of two motions, and how the lower and the upper one move what is asked.
fn add_block(
    plan: &Plan,
    block: &Block,
    moves: impl Fn(&Motion) -> bool,
    matrix: &mut [f64],
    rate: impl Fn(&Motion) -> DVec3,
    entry: impl Fn(&Motion, &Motion, DVec3, DVec3) -> f64,
) {
    let used = &plan.used[block.used.clone()];
    let motion = |place: u32| &plan.motions[place as usize];
    for (rank, &lower) in used.iter().enumerate().filter(|&(_, &place)| moves(motion(place))) {
        let lower = motion(lower);
        let turn = rate(lower);
        for &upper in used[..=rank].iter().filter(|&&place| moves(motion(place))) {
            let upper = motion(upper);
            let entry = entry(upper, lower, turn, rate(upper)) * upper.factor * lower.factor;
            let (i, j) = (upper.freedom, lower.freedom);
            matrix[i * plan.freedoms + j] += entry;
            if core::ptr::from_ref(upper) != core::ptr::from_ref(lower) {
                matrix[j * plan.freedoms + i] += entry;
            }
        }
    }
}
