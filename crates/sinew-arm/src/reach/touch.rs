//! Whether an arm's tip can be in a cell, and at its center.

use alloc::vec;
use alloc::vec::Vec;

use sinew::glam::DVec3;
use sinew::math::arc;
use sinew::{Slack, Status, Tolerance};

use super::ReachableWorkspace;
use crate::arm::Arm;
use crate::pose_target::PoseTarget;
use crate::solver::Serial;

/// Share of half a cell within which its center counts as reached, and its faces.
const NEAR: f64 = 1e-3;
/// Share by which the tip may be beyond the arm's length: rounding.
const ROUNDING: f64 = 1e-9;

/// What brings the tip into a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Of the arm's.
    pub(super) coordinates: Vec<f64>,
    pub(super) tip: DVec3,
    pub(super) is_center: bool,
}

impl ReachableWorkspace {
    /// What brings the tip to the cell's center, or else into it, if anything does.
    pub(super) fn decide(&self, arm: &Arm, cell: usize, restarts: u32) -> Option<Sample> {
        let (center, half) = (self.grid.center(cell), 0.5 * self.grid.cell);
        let beyond = ((self.from - center).abs() - half).max(DVec3::ZERO);
        if arc::length(beyond) > self.radius * (1.0 + ROUNDING) {
            return None;
        }
        let tolerance = Tolerance { position: NEAR * half, rotation: 0.0 };
        let middle = PoseTarget::position(center).tolerance(tolerance);
        let anywhere = middle.slack(Slack { position: DVec3::splat(half * (1.0 - NEAR)), ..Slack::NONE });
        let inside = match self.sample_of(cell) {
            Some(place) => self.coordinates(place).to_vec(),
            None => self.enter(arm, cell, &anywhere, restarts)?,
        };
        let mut answer = inside.clone();
        let settings = Serial { restarts, ..Serial::default() };
        let is_center = arm.solve(&middle, &inside, &settings, &mut answer).status == Status::Reached;
        let coordinates = if is_center { answer } else { inside };
        Some(Sample { tip: arm.forward(&coordinates).0, coordinates, is_center })
    }

    /// Coordinates with which the tip is in a cell, from those of the cells around, then from elsewhere.
    fn enter(&self, arm: &Arm, cell: usize, anywhere: &PoseTarget, restarts: u32) -> Option<Vec<f64>> {
        let mut answer = vec![0.0; arm.coordinates.len()];
        let mut last = 0;
        for place in self.grid.beside(cell).filter_map(|beside| self.sample_of(beside)) {
            if arm.solve(anywhere, self.coordinates(place), &Serial::default(), &mut answer).status == Status::Reached {
                return Some(answer);
            }
            last = place;
        }
        let settings = Serial { restarts, ..Serial::default() };
        let found = arm.solve(anywhere, self.coordinates(last), &settings, &mut answer);
        (found.status == Status::Reached).then_some(answer)
    }
}
