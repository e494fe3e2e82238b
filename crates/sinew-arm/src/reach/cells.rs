//! The cells in reach, with what brings the tip into each.

use alloc::vec::Vec;

use sinew::glam::DVec3;
use sinew::math::arc;

use super::grid::Grid;
use super::touch::Sample;

/// A cell in reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached<'a> {
    /// Its middle, in the frame of the arm's base (metres).
    pub center: DVec3,
    /// Whether the middle itself is reached, to a thousandth of the cell; else a part of the cell is.
    pub is_center: bool,
    /// Coordinates that bring the tip into the cell, and to its middle where that is reached.
    pub coordinates: &'a [f64],
}

/// The cells in reach of an arm's tip: cubes whose centers are whole multiples of their edge in the base's frame.
#[doc(alias = "workspace")]
#[doc(alias = "reachability map")]
#[derive(Clone, Debug)]
pub struct ReachableWorkspace {
    pub(super) grid: Grid,
    /// The first joint, its axis, and how far from it the tip may be at most.
    pub(super) from: DVec3,
    pub(super) axis: DVec3,
    pub(super) radius: f64,
    /// By cell: [`UNKNOWN`], [`OUTSIDE`], or the place of its sample and two.
    pub(super) states: Vec<u32>,
    /// By place: the cell, and whether it is decided whether its center is reached, and whether it is.
    pub(super) cells: Vec<usize>,
    pub(super) is_decided: Vec<bool>,
    pub(super) is_center: Vec<bool>,
    pub(super) tips: Vec<DVec3>,
    pub(super) coordinates: Vec<f64>,
}

pub(super) const UNKNOWN: u32 = 0;
pub(super) const OUTSIDE: u32 = 1;
pub(super) const FIRST: u32 = 2;

impl ReachableWorkspace {
    pub(super) fn add(&mut self, cell: usize, sample: &Sample) {
        self.states[cell] = FIRST + self.cells.len() as u32;
        self.cells.push(cell);
        self.is_decided.push(false);
        self.is_center.push(sample.is_center);
        self.tips.push(sample.tip);
        self.coordinates.extend_from_slice(&sample.coordinates);
    }

    pub(super) fn keep(&mut self, place: usize, sample: &Sample) {
        let count = sample.coordinates.len();
        (self.is_decided[place], self.is_center[place], self.tips[place]) = (true, sample.is_center, sample.tip);
        self.coordinates[place * count..][..count].copy_from_slice(&sample.coordinates);
    }

    /// Puts the cells in the order of the grid, whatever way they were found.
    pub(super) fn sort(&mut self) {
        let count = self.coordinates.len() / self.cells.len().max(1);
        let mut order: Vec<usize> = (0..self.cells.len()).collect();
        order.sort_unstable_by_key(|&place| self.cells[place]);
        self.coordinates =
            order.iter().flat_map(|&place| &self.coordinates[place * count..][..count]).copied().collect();
        self.is_center = order.iter().map(|&place| self.is_center[place]).collect();
        self.tips = order.iter().map(|&place| self.tips[place]).collect();
        self.cells.sort_unstable();
        for (place, &cell) in self.cells.iter().enumerate() {
            self.states[cell] = FIRST + place as u32;
        }
    }

    /// What is known to bring the tip into a cell.
    pub(super) fn sample_of(&self, cell: usize) -> Option<usize> {
        self.states[cell].checked_sub(FIRST).map(|place| place as usize)
    }

    pub(super) fn coordinates(&self, place: usize) -> &[f64] {
        let count = self.coordinates.len() / self.cells.len();
        &self.coordinates[place * count..][..count]
    }
}

impl ReachableWorkspace {
    /// Edge of a cell (metres).
    pub fn cell(&self) -> f64 {
        self.grid.cell
    }

    /// The first joint, in the base's frame (metres).
    pub fn from(&self) -> DVec3 {
        self.from
    }

    /// The cells that the tip can be in, in the order of their centers' x, then y, then z.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Reached<'_>> + Clone {
        self.cells.iter().enumerate().map(|(place, &cell)| Reached {
            center: self.grid.center(cell),
            is_center: self.is_center[place],
            coordinates: self.coordinates(place),
        })
    }

    /// Whether the tip can be in the cell that this point (metres, in the base's frame) lies in.
    pub fn contains(&self, point: DVec3) -> bool {
        self.grid.at(point).is_some_and(|cell| self.sample_of(cell).is_some())
    }

    /// Volume in reach (cubic metres): the cells whose centers are in reach, so that cells cut off at the surface
    /// balance those added. 0 when the tip stays on a surface that passes between centers.
    pub fn volume(&self) -> f64 {
        let cell = self.grid.cell;
        self.is_center.iter().filter(|&&is| is).count() as f64 * cell * cell * cell
    }

    /// Least and largest corner of all cells (metres).
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let half = 0.5 * self.grid.cell;
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &cell in &self.cells {
            let center = self.grid.center(cell);
            (low, high) = (low.min(center - half), high.max(center + half));
        }
        (low, high)
    }

    /// Nearest and farthest that the tip was from the first joint's axis (metres): to about a cell's edge.
    pub fn distances(&self) -> (f64, f64) {
        let ways = self.tips.iter().map(|&tip| arc::length(arc::reject(tip - self.from, self.axis)));
        ways.fold((f64::INFINITY, 0.0), |(near, far), way| (near.min(way), far.max(way)))
    }
}
