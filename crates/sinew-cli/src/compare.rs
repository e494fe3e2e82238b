//! `sinew compare`: every solver that can on the same goals, as a table and a picture of all side by side.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use sinew::Joint;

use crate::Ending;
use crate::args::CompareArgs;
use crate::choices::Method;
use crate::json::Solved;
use crate::output::{self, Written};
use crate::rig::Rig;
use crate::robot::Machine;
use crate::run::Run;
use crate::subject::Subject;
use crate::{picture, text};

/// Solvers that take all goals together, with what the table calls them.
pub(crate) const TOGETHER: [(&str, Method); 8] = [
    ("whole", Method::Whole),
    ("fabrik", Method::Fabrik),
    ("ccd", Method::Ccd),
    ("jacobian", Method::Jacobian),
    ("transpose", Method::Transpose),
    ("damped", Method::Damped),
    ("selective", Method::Selective),
    ("mass-spring", Method::MassSpring),
];

/// Solves for each time, and time spent on them at least.
const RUNS: usize = 5;
const SPENT: Duration = Duration::from_millis(30);

/// How a method fared.
#[derive(Debug)]
struct Row {
    name: &'static str,
    ran: Result<Ran>,
}

#[derive(Debug)]
struct Ran {
    run: Run,
    /// What is to be said of what was asked.
    notes: Vec<String>,
    /// Median time of a solve.
    time: Duration,
    moved: Moved,
}

/// How far joints rotated from the start (radians).
#[derive(Clone, Copy, Debug)]
struct Moved {
    /// All together.
    total: f64,
    /// The one that rotated most.
    most: f64,
}

/// Runs the verb.
pub(crate) fn run(args: &CompareArgs) -> Result<Ending> {
    picture::check(args.picture.as_deref())?;
    match Machine::given(&args.rig)? {
        Some(machine) => compare(&machine, args),
        None => compare(&Rig::load(&args.rig)?, args),
    }
}

fn compare(subject: &dyn Subject, args: &CompareArgs) -> Result<Ending> {
    let of = |(name, method)| Row { name, ran: ran(subject, args, method) };
    let mut rows: Vec<Row> = subject.methods().into_iter().map(of).collect();
    if rows.iter().all(|row| row.ran.is_err()) {
        rows.swap_remove(0).ran?;
    }
    let written = args.picture.as_deref().map(|path| draw(subject, &rows, path)).transpose()?;
    let notes = subject.notes().into_iter().chain(notes(&rows)).collect();
    let written = Written { files: written.into_iter().collect(), notes };
    let object = || Compared { solvers: rows.iter().map(|row| Compared::row(subject, row)).collect() };
    output::tell(args.json, subject.title(), &written, object, || table(subject, &rows))?;
    Ok(Ending::Fine)
}

fn ran(subject: &dyn Subject, args: &CompareArgs, method: Method) -> Result<Ran> {
    let task = subject.task_by(args, method)?;
    let mut run = task.run(subject.skeleton());
    subject.bring_along(&mut run);
    let mut times = vec![run.time];
    while times.len() < RUNS || times.iter().sum::<Duration>() < SPENT {
        times.push(task.run(subject.skeleton()).time);
    }
    times.sort();
    let moved = moved(subject, &run);
    Ok(Ran { time: times[times.len() / 2], run, notes: task.notes, moved })
}

/// What is to be said of the goals of some solvers: each note once, with the solvers that it is for.
fn notes(rows: &[Row]) -> Vec<String> {
    let mut notes: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, ran) in rows.iter().filter_map(|row| Some((row.name, row.ran.as_ref().ok()?))) {
        for note in &ran.notes {
            match notes.iter_mut().find(|(known, _)| known == note) {
                Some((_, names)) => names.push(name),
                None => notes.push((note, vec![name])),
            }
        }
    }
    notes.into_iter().map(|(note, names)| format!("{}: {note}", names.join(", "))).collect()
}

fn moved(subject: &dyn Subject, run: &Run) -> Moved {
    let (skeleton, start) = (subject.skeleton(), &run.start);
    let turn = |joint: Joint| start.local(joint).rotation.angle_between(run.pose.local(joint).rotation);
    Moved { total: skeleton.iter().map(turn).sum(), most: skeleton.iter().map(turn).fold(0.0, f64::max) }
}

/// The largest errors over all goals: metres and radians.
fn errors(run: &Run) -> (f64, f64) {
    let largest = |of: &dyn Fn(&crate::run::GoalEnd) -> f64| run.ends.iter().map(of).fold(0.0, f64::max);
    (largest(&|end| end.residual.position_error()), largest(&|end| end.residual.rotation_error()))
}

fn table(subject: &dyn Subject, rows: &[Row]) -> String {
    let head = ["solver", "status", "off", "turned", "iterations", "time", "moved", "most"].map(str::to_owned);
    let line = |row: &Row| {
        let Ran { run, time, moved, .. } = row.ran.as_ref().ok()?;
        let (off, turned) = errors(run);
        Some([
            row.name.to_owned(),
            run.outcome.status.name().to_owned(),
            subject.length(off),
            text::angle(turned),
            run.outcome.iterations.to_string(),
            format!("{:.1} µs", time.as_nanos() as f64 * 1e-3),
            format!("{:.0}°", moved.total.to_degrees()),
            format!("{:.0}°", moved.most.to_degrees()),
        ])
    };
    let lines: Vec<_> = std::iter::once(head).chain(rows.iter().filter_map(line)).collect();
    let mut page = format!("{}\n{}", text::one_line(subject.title()), text::columns(&lines));
    for (name, error) in rows.iter().filter_map(|row| Some((row.name, row.ran.as_ref().err()?))) {
        let _ = writeln!(page, "  {name} cannot: {}", text::one_line(&format!("{error:#}")));
    }
    page + "off, turned: the largest error of position and of rotation; moved: the rotations of all joints from the start, added up; most: the largest of them\n"
}

/// The object of the verb.
#[derive(Serialize)]
struct Compared {
    solvers: Vec<SolverObject>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum SolverObject {
    Cannot {
        solver: &'static str,
        cannot: String,
    },
    Ran {
        #[serde(flatten)]
        solved: Box<Solved>,
        position_error: f64,
        rotation_error: f64,
        moved_degrees: f64,
        most_degrees: f64,
    },
}

impl Compared {
    fn row(subject: &dyn Subject, Row { name, ran }: &Row) -> SolverObject {
        match ran {
            Err(error) => SolverObject::Cannot { solver: name, cannot: format!("{error:#}") },
            Ok(Ran { run, time, moved, .. }) => {
                let (position_error, rotation_error) = errors(run);
                let mut solved = Box::new(Solved::of(subject, run));
                (*name).clone_into(&mut solved.solver);
                solved.outcome.time_us = time.as_nanos() as f64 * 1e-3;
                let (moved_degrees, most_degrees) = (moved.total.to_degrees(), moved.most.to_degrees());
                SolverObject::Ran { solved, position_error, rotation_error, moved_degrees, most_degrees }
            }
        }
    }
}

/// All answers side by side.
fn draw(subject: &dyn Subject, rows: &[Row], path: &Path) -> Result<String> {
    let ran = rows.iter().filter_map(|row| Some((row.name, &row.ran.as_ref().ok()?.run)));
    let runs: Vec<(String, &Run)> = ran.map(|(name, run)| (format!("{name}: {}", run.outcome.status), run)).collect();
    let name = Path::new(subject.title()).file_stem().and_then(|stem| stem.to_str()).unwrap_or(subject.title());
    let title = format!("{}: the same goals by every solver", text::short_name(name));
    subject.draw_all(title, &runs, path)
}
