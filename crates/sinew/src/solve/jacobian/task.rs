//! What the Jacobian solver brings to zero: rows of errors and how the joints' motions shrink them.
//!
//! The kinds of goal are tasks ([`GoalTask`](super::GoalTask)), and so are a user's own: a hand kept
//! level, two feet kept apart, a weight kept over a line.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use glam::DVec3;

use super::motion::Motion;
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};

/// An objective of your own: some numbers of a pose that should be zero, and their derivative.
///
/// Rows should be of size one: radians, or lengths divided by the size of what moves.
pub trait Task: fmt::Debug + Send + Sync {
    /// How many numbers; always the same.
    fn rows(&self) -> usize;

    /// Writes what is left: target minus value, row by row. NaN counts as zero.
    fn error(&self, skeleton: &Skeleton, pose: &Pose, error: &mut [f64]);

    /// Writes how fast each motion shrinks the error: `columns.each(|motion, column| …)`.
    fn derivative(&self, skeleton: &Skeleton, pose: &Pose, columns: &mut Columns<'_>);

    /// Whether the joint may move for this task; every joint by default.
    fn uses(&self, skeleton: &Skeleton, joint: Joint) -> bool {
        let _ = (skeleton, joint);
        true
    }

    /// Tasks and goals of a lower number come strictly first; 0 by default.
    fn priority(&self) -> u8 {
        0
    }

    /// Relative strength against competing tasks and goals of one priority; 1 by default, not negative.
    fn pull(&self) -> f64 {
        1.0
    }

    /// Largest error, as a length over all rows, that counts as met; 1e-9 by default.
    fn tolerance(&self) -> f64 {
        1e-9
    }
}

/// The columns of a task's rows, one for each degree of freedom, to be filled motion by motion.
#[derive(Debug)]
pub struct Columns<'a> {
    pub(super) motions: &'a [Motion],
    /// Places of the motions that the task may use.
    pub(super) used: &'a [u32],
    /// Column after column of the whole system, each `height` numbers; the task's rows within.
    pub(super) matrix: &'a mut [f64],
    pub(super) height: usize,
    pub(super) rows: Range<usize>,
    pub(super) weight: f64,
    pub(super) buffer: &'a mut Vec<f64>,
    /// Masses and their moments of all joints before each one below a joint.
    pub(super) masses: &'a mut Vec<(f64, DVec3)>,
}

impl Columns<'_> {
    /// Calls `derive` with each motion and its column, which is zero so far. Write into it the rate at which the
    /// motion, per radian or metre, shrinks the error of each row.
    pub fn each(&mut self, mut derive: impl FnMut(&Motion, &mut [f64])) {
        self.buffer.clear();
        self.buffer.resize(self.rows.len(), 0.0);
        for &place in self.used {
            let motion = &self.motions[place as usize];
            self.buffer.fill(0.0);
            derive(motion, self.buffer);
            let start = motion.freedom * self.height;
            let column = &mut self.matrix[start + self.rows.start..start + self.rows.end];
            let scale = motion.factor * self.weight;
            for (entry, &rate) in column.iter_mut().zip(&*self.buffer) {
                // Followers of one coordinate add up.
                *entry += if rate.is_finite() { rate * scale } else { 0.0 };
            }
        }
    }
}

/// The motions of one joint alone: one of a hinge or slide, three turns of a ball about its parent's
/// axes, three shifts more of a free joint.
pub(super) fn motions_of(skeleton: &Skeleton, pose: &Pose, joint: Joint, motions: &mut Vec<Motion>) {
    let mut add = |turns: bool, axis: DVec3| motions.push(Motion::new(skeleton, pose, joint, turns, axis));
    let zero = skeleton.zero(joint).rotation;
    match skeleton.kind(joint) {
        Kind::Hinge { axis, .. } => add(true, zero * axis),
        Kind::Slide { axis, .. } => add(false, zero * axis),
        Kind::Ball(_) => DVec3::AXES.into_iter().for_each(|axis| add(true, axis)),
        Kind::Free => [true, false].into_iter().for_each(|turns| DVec3::AXES.into_iter().for_each(|a| add(turns, a))),
        Kind::Fixed => {}
    }
}

/// A task's derivative by the motions of one joint, column after column, to compare a task of your own with finite
/// differences. A hinge or slide has one column (by its value). A ball has three: turns about its parent's axes
/// (radians). A free joint has three more: shifts along these axes (metres).
pub fn derivative(task: &dyn Task, skeleton: &Skeleton, pose: &Pose, joint: Joint) -> Vec<Vec<f64>> {
    let mut motions = Vec::new();
    motions_of(skeleton, pose, joint, &mut motions);
    let used: Vec<u32> = (0..motions.len() as u32).collect();
    for (freedom, motion) in motions.iter_mut().enumerate() {
        motion.freedom = freedom;
    }
    let height = task.rows();
    let mut matrix = vec![0.0; motions.len() * height];
    let mut columns = Columns {
        motions: &motions,
        used: &used,
        matrix: &mut matrix,
        height,
        rows: 0..height,
        weight: 1.0,
        buffer: &mut Vec::new(),
        masses: &mut Vec::new(),
    };
    task.derivative(skeleton, pose, &mut columns);
    matrix.chunks(height.max(1)).map(<[f64]>::to_vec).collect()
}
