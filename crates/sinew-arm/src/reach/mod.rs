//! Where a tip can be inside the joints' limits: space in cells, each reached or not.
//!
//! A cell counts as reached where values are known whose tip is in it, so no answer is a guess. Tips of evenly spread
//! values mark the first ones; inverse kinematics decides on each cell beside a reached one, and so on outwards. Limits
//! make a box and the tip moves continuously over it, so what it reaches hangs together: a flood stops nowhere early. What is
//! not reached is what no descent brought the tip into, from the values of all cells around and from elsewhere.

mod cells;
mod directions;
mod grid;
mod touch;

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use cells::{FIRST, OUTSIDE, UNKNOWN};
use grid::Grid;
use sinew::math::ops;

use super::arm::Arm;

pub use cells::{ReachableWorkspace, Reached};
pub use directions::Directions;
pub use touch::Sample;

/// How fine the search for reach is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkspaceOptions {
    /// Edge of a cell (metres); 0.05 by default.
    pub cell: f64,
    /// Evenly spread values whose tips mark the first cells; 100 000 by default. They save time, and show branches.
    pub samples: u32,
    /// How many other starts are tried before a cell counts as out of reach; 30 by default.
    pub restarts: u32,
}

impl Default for WorkspaceOptions {
    fn default() -> Self {
        Self { cell: 0.05, samples: 100_000, restarts: 30 }
    }
}

/// Why reach cannot be searched.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReachError {
    /// A slide has no limit.
    Endless {
        /// The skeleton's coordinate.
        coordinate: usize,
    },
    /// The cell's edge is not a positive length.
    Cell {
        /// As given (metres).
        cell: f64,
    },
    /// More than ten million cells lie around the arm.
    TooFine {
        /// Edge with which there would be few enough (metres).
        cell: f64,
    },
}

impl fmt::Display for ReachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Endless { coordinate } => {
                write!(f, "coordinate {coordinate} slides without end; set its limits")
            }
            Self::Cell { cell } => write!(f, "the edge of a cell is {cell:?} m, and must be longer than 0"),
            Self::TooFine { cell } => write!(f, "too many cells; make them {cell:.2e} m or larger"),
        }
    }
}

impl core::error::Error for ReachError {}

impl Arm {
    /// Where the tip can be. `progress` is called with the number of cells that are decided, and of those known to be left.
    ///
    /// ```
    /// # use sinew_arm::{Arm, WorkspaceOptions};
    /// # use sinew::{JointSpec, Kind, SkeletonBuilder, glam::DVec3};
    /// # let mut builder = SkeletonBuilder::new();
    /// # builder.add(JointSpec::named("base"));
    /// # builder.add(JointSpec::named("elbow").child_of(0).kind(Kind::hinge(DVec3::Z)));
    /// # builder.add(JointSpec::named("wrist").child_of(1).kind(Kind::hinge(DVec3::Z)).translation(DVec3::X * 0.5));
    /// # builder.add(JointSpec::named("tip").child_of(2).kind(Kind::Fixed).translation(DVec3::X * 0.3));
    /// # let skeleton = builder.build()?;
    /// // Two links in a plane, 0.5 m and 0.3 m: a ring from 0.2 m to 0.8 m.
    /// let arm = Arm::new(&skeleton, skeleton.joint("base")?, skeleton.joint("tip")?)?;
    /// let reach = arm.reach(&WorkspaceOptions { cell: 0.1, restarts: 3, ..WorkspaceOptions::default() }, |_, _| {})?;
    /// assert!(reach.contains(DVec3::X * 0.79) && reach.contains(DVec3::Y * 0.21));
    /// assert!(!reach.contains(DVec3::X * 0.1) && !reach.contains(DVec3::X * 0.9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reach(
        &self,
        settings: &WorkspaceOptions,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<ReachableWorkspace, ReachError> {
        self.reach_by(settings, |cells, done, decide| {
            let decide = |(i, &cell)| {
                progress(done + i, cells.len() - i);
                decide(cell)
            };
            cells.iter().enumerate().map(decide).collect()
        })
    }

    /// The same, for callers with threads: `each` gets some cells, the number decided before, and the function that decides
    /// a cell; it returns the function's results in the order of the cells.
    pub fn reach_by(
        &self,
        settings: &WorkspaceOptions,
        mut each: impl FnMut(&[usize], usize, &(dyn Fn(usize) -> Option<Sample> + Sync)) -> Vec<Option<Sample>>,
    ) -> Result<ReachableWorkspace, ReachError> {
        let mut reach = ReachableWorkspace::new(self, settings)?;
        reach.sample(self, settings.samples);
        let mut done = 0;
        loop {
            let front = reach.front();
            if front.is_empty() {
                reach.sort();
                return Ok(reach);
            }
            let found = each(&front, done, &|cell| reach.decide(self, cell, settings.restarts));
            done += front.len();
            for (&cell, sample) in front.iter().zip(found) {
                reach.settle(cell, sample);
            }
        }
    }
}

impl ReachableWorkspace {
    fn new(arm: &Arm, settings: &WorkspaceOptions) -> Result<Self, ReachError> {
        let cell = settings.cell;
        if !(cell > 0.0 && cell.is_finite()) {
            return Err(ReachError::Cell { cell });
        }
        let mut radius = arm.length;
        for link in &arm.links[..arm.joints] {
            let range = arm.slots[link.slot].range;
            radius += link.way.abs();
            if link.slides > 0.0 && link.rate != 0.0 {
                radius += link.rate.abs() * range.min.abs().max(range.max.abs());
            }
            if !radius.is_finite() {
                return Err(ReachError::Endless { coordinate: arm.coordinates[link.slot] });
            }
        }
        let (from, radius) = (arm.start * arm.unit, radius * arm.unit);
        let grid = Grid::around(from, radius, cell);
        let grid = grid.map_err(|cells| ReachError::TooFine { cell: 1.1 * cell * ops::cbrt(cells / 1e7) })?;
        Ok(Self {
            grid,
            from,
            axis: arm.stand.z_axis,
            radius,
            states: vec![UNKNOWN; grid.len()],
            cells: Vec::new(),
            is_decided: Vec::new(),
            is_center: Vec::new(),
            tips: Vec::new(),
            coordinates: Vec::new(),
        })
    }

    /// Marks the cells that tips of evenly spread values are in.
    fn sample(&mut self, arm: &Arm, samples: u32) {
        let seed = vec![0.0; arm.coordinates.len()];
        // One at least: the flood begins somewhere.
        for number in 1..=samples.max(1) {
            let coordinates = arm.start(number, &seed);
            let (tip, _) = arm.forward(&coordinates);
            let cell = self.grid.at(tip).expect("the grid is around the arm");
            if self.states[cell] == UNKNOWN {
                self.add(cell, &Sample { coordinates, tip, is_center: false });
            }
        }
    }

    /// The cells to be decided next: reached ones of which the center is not known, and all beside reached ones.
    fn front(&self) -> Vec<usize> {
        let mut front = Vec::new();
        let mut is_in = vec![false; self.states.len()];
        for (place, &cell) in self.cells.iter().enumerate() {
            let own = Some(cell).filter(|_| !self.is_decided[place]);
            let beside = self.grid.beside(cell).filter(|&beside| self.states[beside] == UNKNOWN);
            for next in own.into_iter().chain(beside) {
                if !core::mem::replace(&mut is_in[next], true) {
                    front.push(next);
                }
            }
        }
        front
    }

    fn settle(&mut self, cell: usize, sample: Option<Sample>) {
        match (sample, self.states[cell]) {
            (Some(sample), UNKNOWN | OUTSIDE) => {
                self.add(cell, &sample);
                *self.is_decided.last_mut().expect("just added") = true;
            }
            (Some(sample), state) => self.keep((state - FIRST) as usize, &sample),
            (None, UNKNOWN) => self.states[cell] = OUTSIDE,
            (None, _) => {}
        }
    }
}
