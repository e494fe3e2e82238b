//! The linear system of a step of least turn, what limits have stopped, and its solution.

use alloc::vec::Vec;

use glam::DVec3;

use crate::math::{arc, ops};
use crate::solve::seen::make_room;

/// The system of a step, its right side, and the rows of each effector.
#[derive(Debug, Default)]
pub(super) struct System {
    /// Lower triangle of a symmetric matrix, row after row.
    pub(super) matrix: Vec<f64>,
    pub(super) right: Vec<f64>,
    /// First row of each effector, and the end.
    pub(super) rows: Vec<usize>,
    pub(super) column: Vec<f64>,
    /// Rows that the body in hand moves.
    pub(super) active: Vec<usize>,
    /// Each body's turn in the solution.
    pub(super) shares: Vec<DVec3>,
    /// What limits have stopped: up to two directions a body, then all.
    pub(super) blocked: Vec<Blocked>,
}

impl System {
    /// Makes room for so many bodies and effectors, each with a place and a rotation.
    pub(super) fn fit(&mut self, bodies: usize, effectors: usize) {
        let rows = 6 * effectors;
        make_room(&mut self.matrix, rows * rows);
        make_room(&mut self.right, rows);
        make_room(&mut self.rows, effectors + 1);
        make_room(&mut self.column, rows);
        make_room(&mut self.active, rows);
        make_room(&mut self.shares, bodies);
        make_room(&mut self.blocked, bodies);
    }
}

/// Unit directions about which a limit lets a body turn no farther.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Blocked {
    pub(super) count: usize,
    pub(super) directions: [DVec3; 2],
}

impl Blocked {
    /// Adds a direction; the part of it that the others leave.
    pub(super) fn add(&mut self, direction: DVec3) {
        let rest = self.clear(direction);
        if let (Some(slot), Some(rest)) = (self.directions.get_mut(self.count), arc::unit(rest)) {
            *slot = rest;
        }
        self.count += 1;
    }

    /// What is left of a turn.
    fn clear(&self, turn: DVec3) -> DVec3 {
        if self.count > 2 {
            return DVec3::ZERO;
        }
        self.directions[..self.count].iter().fold(turn, |turn, &direction| arc::reject(turn, direction))
    }
}

/// Solves a symmetric positive system (lower triangle, row after row) by Cholesky's method, in place; `false`
/// where it is not positive.
pub(super) fn solve_in_place(matrix: &mut [f64], right: &mut [f64]) -> bool {
    let n = right.len();
    for i in 0..n {
        for j in 0..=i {
            let (above, own) = matrix.split_at(i * n);
            let row = if j < i { &above[j * n..j * n + j] } else { &own[..j] };
            let sum = own[j] - own[..j].iter().zip(row).map(|(a, b)| a * b).sum::<f64>();
            if i == j {
                if sum.is_nan() || sum <= 0.0 {
                    return false;
                }
                matrix[i * n + i] = ops::sqrt(sum);
            } else {
                matrix[i * n + j] = sum / matrix[j * n + j];
            }
        }
    }
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| matrix[i * n + k] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| matrix[k * n + i] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i * n + i];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_is_solved() {
        let mut matrix = [4.0, 0.0, 0.0, 2.0, 5.0, 0.0, 1.0, 3.0, 6.0];
        let mut right = [4.0 + 4.0 + 3.0, 2.0 + 10.0 + 9.0, 1.0 + 6.0 + 18.0];
        assert!(solve_in_place(&mut matrix, &mut right));
        assert!(right.iter().zip([1.0, 2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-14), "{right:?}");
        assert!(!solve_in_place(&mut [-1.0], &mut [1.0]));
    }
}
