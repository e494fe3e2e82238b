//! A robot in `solve` and `compare`: what is asked of it, and what became of it.

use std::path::Path;

use anyhow::Result;
use sinew::{Goal, Joint, Pose, Skeleton};

use super::{Machine, coordinates, picture, posed, request, seed};
use crate::args::{CompareArgs, SolveArgs};
use crate::choices::Method;
use crate::compare::TOGETHER;
use crate::json::{Coordinate, GoalName, Link, Placed, Posed, finite};
use crate::run::{GoalEnd, Run, Task};
use crate::subject::Subject;
use crate::text;

impl Subject for Machine {
    fn skeleton(&self) -> &Skeleton {
        self.skeleton()
    }

    fn find(&self, wanted: &str) -> Result<Joint> {
        self.link(wanted)
    }

    fn label(&self, link: Joint) -> String {
        self.label(link)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn robot(&self) -> Option<&str> {
        Some(&self.robot.name)
    }

    fn notes(&self) -> Vec<String> {
        self.notes()
    }

    fn methods(&self) -> Vec<(&'static str, Method)> {
        [("serial", Method::Serial)].into_iter().chain(TOGETHER).collect()
    }

    fn task(&self, args: &SolveArgs) -> Result<Task> {
        request::refuse_foreign(args)?;
        let goals = request::read(self, &args.wanted)?;
        let (start, notes) = seed::read(self, args.seed.as_deref(), &moving(self, goals.iter()))?;
        Ok(task(self, start, &goals, args.solver, args.restarts)?.noting(notes))
    }

    fn task_by(&self, args: &CompareArgs, method: Method) -> Result<Task> {
        task(self, self.home(), &request::read(self, &args.wanted)?, method, args.restarts)
    }

    fn check_output(&self, path: Option<&Path>) -> Result<()> {
        posed::check(path)
    }

    fn write_pose(&self, run: &Run, path: &Path, _still: bool) -> Result<Vec<String>> {
        posed::save(self, &run.pose, path)?;
        Ok(Vec::new())
    }

    fn draw(&self, run: &Run, path: &Path) -> Result<String> {
        picture::draw_solved(self, run, path)
    }

    fn draw_all(&self, title: String, runs: &[(String, &Run)], path: &Path) -> Result<String> {
        picture::draw_all(self, title, runs, path)
    }

    fn goal_name(&self, end: &GoalEnd, _pose: &Pose) -> GoalName {
        GoalName::Link { link: self.label(end.asked.goal.joint) }
    }

    fn blocking(&self, end: &GoalEnd) -> Vec<String> {
        let drives = end.blocking.iter().filter_map(|&link| self.skeleton().drive(link));
        drives.map(|drive| text::short_name(self.coordinate_name(drive.coordinate))).collect()
    }

    fn posed(&self, run: &Run) -> Posed {
        let skeleton = self.skeleton();
        let coordinate = |(number, &value): (usize, &f64)| {
            let range = self.range(number);
            Coordinate {
                name: self.coordinate_name(number).to_owned(),
                value,
                unit: self.unit(number),
                min: finite(range.min),
                max: finite(range.max),
                margin: coordinates::margin(self, number, value),
                moved: value - run.start.coordinates()[number],
            }
        };
        let link =
            |link: Joint| Some(Link { name: skeleton.name(link)?.to_owned(), placed: Placed::of(&run.pose, link) });
        Posed::Robot {
            coordinates: run.pose.coordinates().iter().enumerate().map(coordinate).collect(),
            links: skeleton.iter().filter_map(link).collect(),
        }
    }

    fn pose_page(&self, run: &Run) -> String {
        coordinates::page(self, run, &moving(self, run.ends.iter().map(|end| &end.asked.goal)))
    }
}

/// The goals by the solver that a method names or that suits them.
fn task(machine: &Machine, start: Pose, goals: &[Goal], method: Method, restarts: Option<u32>) -> Result<Task> {
    let (name, settings) = request::settings(machine, goals, method, restarts)?;
    let asked = request::asked(machine, goals, name);
    let solver = request::solver(machine, settings, &asked);
    Ok(Task::new(start, asked, solver).within(|goal| request::near(machine, goal)))
}

/// The coordinates that the goals move, in the file's order; all where there are no goals.
fn moving<'a>(machine: &Machine, goals: impl ExactSizeIterator<Item = &'a Goal>) -> Vec<usize> {
    if goals.len() == 0 {
        return (0..machine.skeleton().coordinates().len()).collect();
    }
    let mut moving: Vec<usize> =
        goals.flat_map(|goal| machine.coordinates_between(goal.relative_to, goal.joint)).collect();
    moving.sort_unstable();
    moving.dedup();
    moving
}
