//! `sinew reach`: where a robot's tip can be, as a cloud of cells, a picture and figures.

pub(crate) mod args;
mod cloud;
mod report;

use anyhow::{Result, anyhow, ensure};
use sinew::glam::DVec3;
use sinew_arm::{Directions, ReachError, ReachableWorkspace, Reached, WorkspaceOptions};

use crate::Ending;
use crate::output::{self, Written};
use crate::robot::arm::RobotArm;
use crate::robot::joints;
use crate::value::Use;
use crate::{input, picture, progress, spread, text};

use args::ReachArgs;
use cloud::Format;

/// Edge of a cell over the arm's length, where nothing was said.
const CELL_OF_ARM: f64 = 0.045;
/// Starts from elsewhere for a direction: three times as many find one in some thousand more.
const RESTARTS: u32 = 10;

/// What was found.
struct Found {
    robot: RobotArm,
    reach: ReachableWorkspace,
    /// The axis that points and, by cell, in how many of how many directions it can.
    pointing: Option<Pointing>,
}

struct Pointing {
    axis: DVec3,
    directions: usize,
    counts: Vec<usize>,
}

/// A cell as it is written and drawn.
#[derive(Clone, Copy, Debug)]
struct Cell {
    center: DVec3,
    is_center: bool,
    /// Of the directions asked for.
    share: Option<f64>,
}

impl Found {
    fn cells(&self) -> impl ExactSizeIterator<Item = Cell> + Clone + '_ {
        let share = |place: usize| {
            self.pointing.as_ref().map(|pointing| pointing.counts[place] as f64 / pointing.directions as f64)
        };
        let cell = move |(place, cell): (usize, Reached<'_>)| {
            let Reached { center, is_center, .. } = cell;
            Cell { center, is_center, share: share(place) }
        };
        self.reach.cells().enumerate().map(cell)
    }
}

/// Runs the verb.
pub(crate) fn run(args: &ReachArgs) -> Result<Ending> {
    picture::check(args.picture.as_deref())?;
    let format = args.output.as_deref().map(Format::of_path).transpose()?;
    let axis = axis(&args.axis)?;
    input::check_robot("reach", &args.robot)?;
    let robot = RobotArm::load(&args.robot, args.base.as_deref(), "TIP", args.tip.as_deref())?;
    let reach = look(&robot, args)?;
    let pointing = args.directions.map(|count| point(&robot, &reach, axis, count, args.json));
    let found = Found { robot, reach, pointing };
    let mut written = Written::noting(found.robot.machine.notes());
    if let (Some(path), Some(format)) = (&args.output, format) {
        output::save(path, &format.bytes(&found)?)?;
        written.files.push(output::whole_path(path));
    }
    if let Some(path) = &args.picture {
        let slices = report::slices(&found);
        written.files.push(picture::save_as(path, || slices.png(), || slices.svg())?);
    }
    output::tell(
        args.json,
        &found.robot.machine.title,
        &written,
        || report::Figures::of(&found),
        || report::page(&found),
    )?;
    Ok(Ending::Fine)
}

fn axis(text: &str) -> Result<DVec3> {
    let axis = Use { option: "--axis", value: text }.vector()?;
    ensure!(axis.length() > 0.0, "--axis {text}: an axis has a length; write --axis 0,0,1");
    Ok(axis.normalize())
}

/// Looks for the cells on all cores.
fn look(robot: &RobotArm, args: &ReachArgs) -> Result<ReachableWorkspace> {
    let bar = progress::bar("looking", 0, "cells", args.json);
    let cell = args.cell.unwrap_or_else(|| suiting(joints::longest(&robot.machine, &robot.arm, robot.tip)));
    let settings = WorkspaceOptions { cell, ..WorkspaceOptions::default() };
    let reach = robot.arm.reach_by(&settings, |cells, done, decide| {
        bar.set_length((done + cells.len()) as u64);
        spread::over_cores(cells.len(), |number| {
            bar.inc(1);
            decide(cells[number])
        })
    });
    bar.finish_and_clear();
    reach.map_err(|error| match error {
        ReachError::Endless { coordinate } => {
            let name = text::short_name(robot.machine.coordinate_name(coordinate));
            anyhow!("{name} slides without end; give it a <limit> in the file")
        }
        ReachError::TooFine { cell: coarser } => {
            let enough = text::round_up(coarser);
            anyhow!("--cell {cell:?}: more than ten million cells around the arm; write --cell {enough}")
        }
        error => anyhow!("--cell {cell:?}: {error}; write --cell 0.05"),
    })
}

/// The edge of a cell that suits an arm of a length: 1, 2 or 5 times a power of ten, so that some ten thousand are in reach.
fn suiting(length: f64) -> f64 {
    let wanted = (CELL_OF_ARM * length).clamp(1e-4, 10.0);
    let power = 10.0_f64.powf(wanted.log10().floor());
    // Written out, so that it reads as it would be typed.
    let of = |factor: f64| format!("{:.6}", factor * power).parse().unwrap_or(factor * power);
    let steps = [1.0, 2.0, 5.0, 10.0].map(of);
    steps.into_iter().min_by(|a, b| (a / wanted).ln().abs().total_cmp(&(b / wanted).ln().abs())).unwrap_or(0.05)
}

/// Counts directions on all cores.
fn point(robot: &RobotArm, reach: &ReachableWorkspace, axis: DVec3, count: u32, hidden: bool) -> Pointing {
    let directions = Directions::new(axis, count);
    let cells = reach.cells().len();
    let bar = progress::bar("pointing", 0, "cells", hidden);
    bar.set_length(cells as u64);
    let counts = spread::over_cores(cells, |place| {
        bar.inc(1);
        directions.count(&robot.arm, reach, place, RESTARTS)
    });
    bar.finish_and_clear();
    Pointing { axis, directions: directions.all().len(), counts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_suit_the_arm() {
        let lengths = [0.08, 0.5, 1.0, 1.3, 3.5, 12.0, f64::INFINITY];
        assert_eq!(lengths.map(suiting), [0.005, 0.02, 0.05, 0.05, 0.2, 0.5, 10.0]);
    }
}
