//! `sinew compare`: every solver that can on the same goals, as a table and a picture of all side by side.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use sinew::glam::DVec3;
use sinew::solve::mass_spring::Root;
use sinew::{Joint, Pose};
use sinew_draw::{Look, Picture, Strip};

use crate::Ending;
use crate::args::{CompareArgs, Method};
use crate::request::Names;
use crate::rig::Rig;
use crate::robot::Machine;
use crate::run::Run;
use crate::served::Settings;
use crate::{json, output, picture, request, text};

/// What solvers are compared on: a character, or a robot.
pub(crate) trait Subject: Names {
    /// The path as it was given.
    fn title(&self) -> &str;

    /// What is to be said of it whatever is done with it.
    fn notes(&self) -> Vec<String>;

    /// From where it is to be seen, where that was said.
    fn look(&self) -> Option<Look> {
        None
    }

    /// The methods, with what the table calls them.
    fn methods(&self) -> Vec<(&'static str, Method)>;

    /// The pose that all start from.
    fn start(&self) -> Pose;

    /// A solve of what the options ask for by a method, to be run as often as one likes.
    fn solve<'a>(&'a self, args: &CompareArgs, method: Method) -> Result<Box<dyn Fn() -> Run + 'a>>;

    /// The object of `sinew solve`.
    fn solved(&self, run: &Run) -> Value;

    /// A picture of an answer.
    fn picture<'a>(&'a self, run: &'a Run) -> Picture<'a>;
}

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
    /// Median time of a solve.
    time: Duration,
    moved: Moved,
}

/// How far joints turned from the rest pose (radians).
#[derive(Clone, Copy, Debug)]
struct Moved {
    total: f64,
    /// Mean turn of the joints on the goals' chains over the largest: 1 where all turned alike.
    evenness: f64,
}

/// Runs the verb.
pub(crate) fn run(args: &CompareArgs) -> Result<Ending> {
    picture::check(args.picture.as_deref())?;
    match Machine::given(&args.rig)? {
        Some(machine) => compare(&machine, args),
        None => compare(&Rig::load(&args.rig)?, args),
    }
}

impl Subject for Rig {
    fn title(&self) -> &str {
        &self.title
    }

    fn notes(&self) -> Vec<String> {
        self.notes()
    }

    fn look(&self) -> Option<Look> {
        self.looks.first().copied()
    }

    fn methods(&self) -> Vec<(&'static str, Method)> {
        [("limb by limb", Method::Limbs), ("body", Method::Body)].into_iter().chain(TOGETHER).collect()
    }

    fn start(&self) -> Pose {
        self.start().clone()
    }

    fn solve<'a>(&'a self, args: &CompareArgs, method: Method) -> Result<Box<dyn Fn() -> Run + 'a>> {
        // The root stays for all, so that they can be compared.
        let restarts = args.restarts;
        let settings = Settings { method, restarts, root: Root::Pinned, ..Settings::plain() };
        let asked = request::read(self, &args.wanted, settings)?;
        let human = settings.human(self)?;
        Ok(Box::new(move || Run::of(self, &asked, settings.body_by(human.as_ref()))))
    }

    fn solved(&self, run: &Run) -> Value {
        json::solved(self, run)
    }

    fn picture<'a>(&'a self, run: &'a Run) -> Picture<'a> {
        let marks = run.ends.iter().filter_map(|end| picture::mark(self, run, end)).collect();
        Picture { marks, ..picture::of(self, &run.pose, "") }
    }
}

fn compare(subject: &dyn Subject, args: &CompareArgs) -> Result<Ending> {
    let of = |(name, method)| Row { name, ran: ran(subject, args, method) };
    let mut rows: Vec<Row> = subject.methods().into_iter().map(of).collect();
    if rows.iter().all(|row| row.ran.is_err()) {
        rows.swap_remove(0).ran?;
    }
    let written = args.picture.as_deref().map(|path| draw(subject, &rows, path)).transpose()?;
    let text = if args.json {
        let object = json!({
            "rig": subject.title(),
            "solvers": rows.iter().map(|row| object(subject, row)).collect::<Vec<_>>(),
            "written": written.into_iter().collect::<Vec<_>>(),
            "notes": subject.notes(),
        });
        format!("{object}\n")
    } else {
        let line = written.map(|file| format!("wrote {}\n", text::one_line(&file)));
        let notes = subject.notes().into_iter().map(|note| note + "\n");
        table(subject, &rows) + &line.unwrap_or_default() + &notes.collect::<String>()
    };
    output::print(&text)?;
    Ok(Ending::Fine)
}

fn ran(subject: &dyn Subject, args: &CompareArgs, method: Method) -> Result<Ran> {
    let solve = subject.solve(args, method)?;
    let run = solve();
    let mut times = vec![run.time];
    while times.len() < RUNS || times.iter().sum::<Duration>() < SPENT {
        times.push(solve().time);
    }
    times.sort();
    let moved = moved(subject, &run);
    Ok(Ran { time: times[times.len() / 2], run, moved })
}

fn moved(subject: &dyn Subject, run: &Run) -> Moved {
    let (skeleton, start) = (subject.skeleton(), subject.start());
    let turn = |joint: Joint| start.local(joint).rotation.angle_between(run.pose.local(joint).rotation);
    let mut chains: Vec<Joint> = run.ends.iter().flat_map(|end| end.asked.served.joints()).collect();
    chains.sort();
    chains.dedup();
    let bends: Vec<f64> = chains.into_iter().filter(|&joint| skeleton.kind(joint).turns()).map(turn).collect();
    let largest = bends.iter().copied().fold(0.0, f64::max);
    let mean = bends.iter().sum::<f64>() / bends.len().max(1) as f64;
    let evenness = if largest > 0.0 { mean / largest } else { 1.0 };
    Moved { total: skeleton.iter().map(turn).sum(), evenness }
}

/// The largest errors over all goals: metres and radians.
fn errors(run: &Run) -> (f64, f64) {
    let largest = |of: &dyn Fn(&crate::run::GoalEnd) -> f64| run.ends.iter().map(of).fold(0.0, f64::max);
    (largest(&|end| end.residual.position_error()), largest(&|end| end.residual.rotation_error()))
}

fn table(subject: &dyn Subject, rows: &[Row]) -> String {
    let mut page = format!("{}\n", text::one_line(subject.title()));
    let _ = writeln!(
        page,
        "  {:<12}  {:<17}  {:>10}  {:>9}  {:>10}  {:>10}  {:>7}  {:>8}",
        "solver", "status", "off", "turned", "iterations", "time", "moved", "evenness"
    );
    for Row { name, ran } in rows {
        let Ran { run, time, moved } = match ran {
            Ok(ran) => ran,
            Err(error) => {
                let _ = writeln!(page, "  {name:<12}  cannot: {}", text::one_line(&format!("{error:#}")));
                continue;
            }
        };
        let (off, turned) = errors(run);
        let _ = writeln!(
            page,
            "  {name:<12}  {:<17}  {:>10}  {:>9}  {:>10}  {:>7.1} µs  {:>6.0}°  {:>8.2}",
            run.outcome.status.name(),
            subject.length(off),
            text::angle(turned),
            run.outcome.iterations,
            time.as_nanos() as f64 * 1e-3,
            moved.total.to_degrees(),
            moved.evenness,
        );
    }
    page + "moved: turns of all joints from rest together; evenness: their mean over their largest on the goals' chains\n"
}

fn object(subject: &dyn Subject, Row { name, ran }: &Row) -> Value {
    match ran {
        Err(error) => json!({ "solver": name, "cannot": format!("{error:#}") }),
        Ok(Ran { run, time, moved }) => {
            let (position_error, rotation_error) = errors(run);
            let mut object = subject.solved(run);
            object["solver"] = json!(name);
            object["outcome"]["time_us"] = json!(time.as_nanos() as f64 * 1e-3);
            object["position_error"] = json!(position_error);
            object["rotation_error"] = json!(rotation_error);
            object["moved_degrees"] = json!(moved.total.to_degrees());
            object["evenness"] = json!(moved.evenness);
            object
        }
    }
}

/// All answers side by side, from the side from which more of the goals' way is seen.
fn draw<'a>(subject: &'a dyn Subject, rows: &'a [Row], path: &Path) -> Result<String> {
    let start = subject.start();
    let ran: Vec<(&str, &Run)> = rows.iter().filter_map(|row| Some((row.name, &row.ran.as_ref().ok()?.run))).collect();
    let frame = |&(name, run): &(&str, &'a Run)| {
        let title = format!("{name}: {}", run.outcome.status);
        Picture { rest: Some(&start), title, ..subject.picture(run) }
    };
    let frames: Vec<Picture<'_>> = ran.iter().map(frame).collect();
    let ways = ran.first().map_or(DVec3::ZERO, |(_, run)| way(&start, run));
    let from_front = frames
        .first()
        .is_some_and(|frame| ways.dot(frame.up.cross(frame.forward)).abs() > ways.dot(frame.forward).abs());
    let name = Path::new(subject.title()).file_stem().and_then(|stem| stem.to_str()).unwrap_or(subject.title());
    let title = format!("{}: the same goals by every solver", text::short_name(name));
    let look = subject.look().unwrap_or(if from_front { Look::Front } else { Look::Side });
    let strip = Strip { frames, title, look, ..Strip::default() };
    picture::save_strip(&strip, path)
}

/// From where the goals' joints rest to where they should be.
fn way(rest: &Pose, run: &Run) -> DVec3 {
    let of = |end: &crate::run::GoalEnd| {
        let goal = &end.asked.goal;
        Some((goal.target.position()? - rest.position(goal.joint)).abs())
    };
    run.ends.iter().filter_map(of).sum()
}
