//! What a pose asks: the errors of its goals as rows, and how every freedom shrinks them.

use alloc::vec::Vec;

use glam::DMat3;

use super::curvature;
use super::held::Held;
use super::level::add;
use super::mover::MoverKind;
use super::plan::Plan;
use super::settings::Jacobian;
use super::system::System;
use super::task::Columns;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::budget::Budget;

/// Price of the columns of a pose, and of each motion's part in a block.
const COLUMNS: usize = 200;
const COLUMN: usize = 11;

impl System {
    /// Writes the weighted errors of the pose.
    pub(super) fn measure(&mut self, plan: &Plan, solver: &Jacobian, skeleton: &Skeleton, pose: &Pose) {
        self.error.clear();
        self.error.resize(plan.rows, 0.0);
        for block in &plan.blocks {
            let rows = &mut self.error[block.rows.clone()];
            block.task(solver).error(skeleton, pose, rows);
            for row in rows {
                *row = if row.is_nan() { 0.0 } else { *row * block.weight };
            }
        }
    }

    /// Writes the columns at the pose; every freedom is free again.
    pub(super) fn derive(&mut self, plan: &mut Plan, solver: &Jacobian, skeleton: &Skeleton, pose: &Pose) {
        self.scratch.budget.spend(COLUMNS + COLUMN * plan.used.len());
        for motion in &mut plan.motions {
            motion.refresh(skeleton, pose);
        }
        self.held.clear();
        for mover in &mut plan.movers {
            if let MoverKind::Ball { axes, held, scale } = &mut mover.kind {
                *axes = DMat3::IDENTITY;
                if held.is_some() {
                    self.held.push(Held::new(mover.joint, mover.first, *scale));
                }
            }
        }
        self.gram.forget();
        self.spans.clone_from(&plan.spans);
        self.height = plan.rows;
        self.matrix.clear();
        self.matrix.resize(plan.rows * plan.freedoms, 0.0);
        self.owner.clear();
        for (place, block) in plan.blocks.iter().enumerate() {
            self.owner.resize(block.rows.end, place as u32);
            let mut columns = Columns {
                motions: &plan.motions,
                used: &plan.used[block.used.clone()],
                matrix: &mut self.matrix,
                height: plan.rows,
                rows: block.rows.clone(),
                weight: block.weight,
                buffer: &mut self.buffer,
                masses: &mut self.masses,
            };
            block.task(solver).derivative(skeleton, pose, &mut columns);
        }
        self.derive_twice(plan, pose);
    }

    /// Writes the second derivative at the pose of the columns, where steps count with it.
    pub(super) fn derive_twice(&mut self, plan: &Plan, pose: &Pose) {
        if let Some(curvature) = &mut self.curvature {
            curvature::write(plan, pose, &self.error, &mut self.bends, curvature, &mut self.scratch.budget);
            add_normal((&self.matrix, self.height), &mut self.rows, curvature, &mut self.scratch.budget);
        }
    }
}

/// Adds `Jᵀ J` to a matrix of the freedoms, row by row of `J`: most rows move by few freedoms.
fn add_normal((matrix, height): (&[f64], usize), rows: &mut Vec<f64>, to: &mut [f64], budget: &mut Budget) {
    let width = matrix.len().checked_div(height).unwrap_or(0);
    rows.clear();
    for row in 0..height {
        rows.extend((0..width).map(|place| matrix[place * height + row]));
    }
    for row in rows.chunks_exact(width.max(1)) {
        for (i, &x) in row.iter().enumerate().filter(|&(_, &x)| x != 0.0) {
            budget.spend(width / 5);
            add(&mut to[i * width..][..width], row, x);
        }
    }
}
