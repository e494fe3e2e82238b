//! How the columns of points turn with the step: what Gauss and Newton's matrix leaves out, and what
//! counts where a goal stays out of reach.
//!
//! Half the square of `e = t - p` has the second derivative `Jᵀ J - Σ e·p''`, and for a motion `i` above
//! `j` the point's `p''` is the turn of `j`'s column by `i`. Other kinds of rows are taken as straight.

use alloc::vec::Vec;

use glam::DVec3;

use super::goal_task::{GoalTask, Part};
use super::motion::Motion;
use super::plan::{Asked, Block, Plan};
use crate::pose::Pose;

/// Writes `-Σ e·p''` of all points (`freedoms × freedoms`, symmetric), from the weighted error.
pub(super) fn write(plan: &Plan, pose: &Pose, error: &[f64], matrix: &mut Vec<f64>) {
    matrix.clear();
    matrix.resize(plan.freedoms * plan.freedoms, 0.0);
    for block in &plan.blocks {
        if let Asked::Goal(GoalTask { goal, part: Part::Point }) = &block.asked {
            let left = DVec3::from_slice(&error[block.rows.clone()]) * block.weight;
            let point = pose.model(goal.joint).transform_point3(goal.offset);
            let moves = |motion: &Motion| motion.moves(goal.joint);
            add_block(plan, block, (left, point), moves, matrix);
        }
    }
}

fn add_block(
    plan: &Plan,
    block: &Block,
    (left, point): (DVec3, DVec3),
    moves: impl Fn(&Motion) -> bool,
    matrix: &mut [f64],
) {
    let used = &plan.used[block.used.clone()];
    let motion = |place: u32| &plan.motions[place as usize];
    for (rank, &lower) in used.iter().enumerate().filter(|&(_, &place)| moves(motion(place))) {
        let lower = motion(lower);
        let velocity = lower.velocity(point);
        for &upper in used[..=rank].iter().filter(|&&place| moves(motion(place))) {
            let upper = motion(upper);
            let mut bent = upper.carry(velocity);
            if upper.joint() == lower.joint() {
                // Turns about one place: half of each order.
                bent = (bent + lower.carry(upper.velocity(point))) * 0.5;
            }
            let entry = left.dot(bent) * upper.factor * lower.factor;
            let (i, j) = (upper.freedom, lower.freedom);
            matrix[i * plan.freedoms + j] -= entry;
            if core::ptr::from_ref(upper) != core::ptr::from_ref(lower) {
                matrix[j * plan.freedoms + i] -= entry;
            }
        }
    }
}
