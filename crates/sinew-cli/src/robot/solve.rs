//! `sinew solve` of a robot: goals in, coordinates, a picture and a report out.

use anyhow::Result;
use sinew::{Goal, Pose};

use super::{Machine, picture, posed, report, request, seed};
use crate::args::SolveArgs;
use crate::run::Run;
use crate::solve::Written;
use crate::{Ending, output};

/// A solve of a robot.
pub(crate) struct Solved {
    pub(crate) run: Run,
    /// The pose that it started from.
    pub(crate) start: Pose,
    /// The coordinates that the goals' arms move, in the file's order.
    pub(crate) moving: Vec<usize>,
}

/// Runs the verb.
pub(crate) fn run(machine: Machine, args: &SolveArgs) -> Result<Ending> {
    posed::check(args.output.as_deref())?;
    request::refuse_foreign(args)?;
    let machine = machine.rooted(args.root.as_deref())?;
    let goals = request::read(&machine, &args.wanted)?;
    let moving = moving(&machine, &goals);
    let (start, notes) = seed::read(&machine, args.seed.as_deref(), &moving)?;
    let (name, settings) = request::settings(&machine, &goals, args.solver, args.restarts)?;
    let asked = request::asked(&machine, &goals, name);
    let run = Run::from(machine.skeleton(), start.clone(), &asked, request::solver(&machine, settings, &asked));
    let run = run.within(|goal| request::near(&machine, goal));
    let solved = Solved { run, start, moving };
    let mut written = write(&machine, &solved, args)?;
    written.notes.extend(machine.notes());
    written.notes.extend(notes);
    if args.json {
        output::print(&format!("{}\n", report::object(&machine, &solved, &written)))?;
    } else {
        output::print(&(report::page(&machine, &solved) + &written.to_text()))?;
    }
    Ok(solved.run.ending(args.strict))
}

/// The coordinates that the goals move; all where there are no goals.
pub(crate) fn moving(machine: &Machine, goals: &[Goal]) -> Vec<usize> {
    let arms = goals.iter().flat_map(|goal| machine.coordinates_between(goal.relative_to, goal.joint));
    let mut moving: Vec<usize> = arms.collect();
    if goals.is_empty() {
        moving.extend(0..machine.skeleton().coordinates().len());
    }
    moving.sort_unstable();
    moving.dedup();
    moving
}

fn write(machine: &Machine, solved: &Solved, args: &SolveArgs) -> Result<Written> {
    let mut written = Written::default();
    if let Some(path) = &args.output {
        written.files.push(posed::save(machine, &solved.run.pose, path)?);
    }
    if let Some(path) = &args.picture {
        written.files.push(picture::draw_solved(machine, solved, path)?);
    }
    Ok(written)
}
