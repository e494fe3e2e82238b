//! In how many directions a tip can point at a place: what is only just in reach can be come at from one side alone.
//!
//! Source: Zacharias, Borst & Hirzinger, *Capturing Robot Workspace Structure: Representing Robot Capabilities* (2007).
//! Departure: turning about the direction is free, and not looked at.

use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::{PI, TAU};

use sinew::glam::DVec3;
use sinew::math::{arc, ops};
use sinew::{Slack, Status, Tolerance};

use super::ReachableWorkspace;
use crate::arm::Arm;
use crate::pose_target::PoseTarget;
use crate::solver::Serial;

/// Angle that counts as pointing along the direction (radians), and share of half a cell that counts as its faces.
const NEAR: f64 = 1e-3;

/// Directions spread evenly over the sphere, for an axis of the tip.
#[derive(Clone, Debug, PartialEq)]
pub struct Directions {
    axis: DVec3,
    directions: Vec<DVec3>,
}

impl Directions {
    /// `count` directions for `axis` (of the tip's frame; any length, Z where it has none).
    pub fn new(axis: DVec3, count: u32) -> Self {
        let directions = (0..count).map(|number| even(number, count)).collect();
        Self { axis: arc::unit(axis).unwrap_or(DVec3::Z), directions }
    }

    /// The directions, unit vectors in the base's frame.
    pub fn all(&self) -> &[DVec3] {
        &self.directions
    }

    /// In how many of them the tip can point from anywhere in a cell. Cells are by their place in [`ReachableWorkspace::cells`].
    ///
    /// # Panics
    /// Where there are fewer cells, or the reach is another arm's.
    pub fn count(&self, arm: &Arm, reach: &ReachableWorkspace, cell: usize, restarts: u32) -> usize {
        let (center, first, half) = (reach.grid.center(reach.cells[cell]), reach.coordinates(cell), 0.5 * reach.cell());
        let slack = Slack { position: DVec3::splat(half * (1.0 - NEAR)), ..Slack::NONE };
        let tolerance = Tolerance { position: half * NEAR, rotation: NEAR };
        let settings = Serial { restarts, ..Serial::default() };
        let mut answer = vec![0.0; first.len()];
        let can = |direction: &&DVec3| {
            let asked = PoseTarget::five_axes(center, self.axis, **direction).slack(slack).tolerance(tolerance);
            arm.solve(&asked, first, &settings, &mut answer).status == Status::Reached
        };
        self.directions.iter().filter(can).count()
    }
}

/// The `number`-th of so many points on the sphere: a spiral of equal areas, by the golden angle.
fn even(number: u32, count: u32) -> DVec3 {
    let height = 1.0 - (2.0 * f64::from(number) + 1.0) / f64::from(count);
    let turns = f64::from(number) * (3.0 - ops::sqrt(5.0)) / 2.0;
    let (s, c) = ops::sin_cos(TAU * (turns - libm::floor(turns)) - PI);
    let radius = ops::sqrt_clamped(1.0 - height * height);
    DVec3::new(radius * c, radius * s, height)
}
