//! The linear system of a step of least turn, and what limits have stopped.

use alloc::vec::Vec;

use glam::DVec3;

use crate::math::arc;
use crate::solve::seen::make_room;

/// The system of a step, its right side, and the rows of each effector.
#[derive(Debug, Default)]
pub(super) struct System {
    /// Lower triangle of a symmetric matrix, row after row.
    pub(super) matrix: Vec<f64>,
    pub(super) right: Vec<f64>,
    /// First row of each effector, and the end.
    pub(super) rows: Vec<usize>,
    /// Columns of one body, one after another.
    pub(super) columns: Vec<f64>,
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
        make_room(&mut self.columns, 3 * rows);
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
