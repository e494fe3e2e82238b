//! What a solve of a robot came to, for people and as an object.

use serde_json::{Value, json};
use sinew::glam::DVec3;
use sinew::{Status, Target};

use super::solve::Solved;
use super::{Machine, posed};
use crate::run::{GoalEnd, Run};
use crate::solve::Written;
use crate::{report, text};

/// Share of a range, or radians and metres without one, within which a value stands at its limit.
const AT_LIMIT: f64 = 1e-9;

/// The report.
pub(crate) fn page(machine: &Machine, solved: &Solved) -> String {
    let (title, run) = (text::one_line(&machine.title), &solved.run);
    if run.ends.is_empty() {
        return format!("{title}: no goals, so nothing moved; add --goal LINK=X,Y,Z\n") + &coordinates(machine, solved);
    }
    let (goals, solvers) = (text::count(run.ends.len(), "goal"), run.solvers());
    let time = run.time.as_nanos() as f64 * 1e-3;
    let head = format!("{title}: {goals}, {solvers}, {time:.1} µs: {}\n", run.outcome.status);
    let rows: Vec<[String; 4]> = run.ends.iter().map(|end| row(machine, end)).collect();
    head + &text::columns(&rows) + &coordinates(machine, solved)
}

fn row(machine: &Machine, end: &GoalEnd) -> [String; 4] {
    let goal = &end.asked.goal;
    let from = goal.relative_to.map(|base| format!(" from {}", machine.label(base)));
    let name = machine.label(goal.joint) + &from.unwrap_or_default();
    let kind = match goal.target {
        Target::Position(_) => "place",
        Target::Rotation(_) => "turn",
        Target::Frame { .. } => "place and turn",
        Target::Aim { .. } => "aim",
        _ => "axis",
    };
    [name, kind.to_owned(), end.residual.status.name().to_owned(), left(machine, end)]
}

/// How far off the goal is, which way, and why.
fn left(machine: &Machine, end: &GoalEnd) -> String {
    let (error, way) = (report::error(machine, end), way(end));
    match end.residual.status {
        Status::Reached => error,
        Status::Ignored => "left out, its weight is 0".to_owned(),
        Status::Softened => format!("{error}, on purpose: its weight is {}", end.asked.goal.weight),
        Status::OutOfReach => format!("{error}{way}: the arm is too short"),
        Status::TooClose => format!("{error}{way}: the arm folds no nearer"),
        Status::Limited => {
            let blocking = text::list(blocking(machine, end).into_iter());
            format!("{error}{way}: the limits of {blocking} stand in the way")
        }
        Status::Stalled | Status::OutOfIterations => {
            format!("{error}{way}: nothing nearer was found; more --restarts or another --seed may find it")
        }
        _ => format!("{error}{way}"),
    }
}

/// Which way a missed place lies.
fn way(end: &GoalEnd) -> String {
    let left = end.residual.position;
    if left == DVec3::ZERO {
        return String::new();
    }
    let [x, y, z] = left.to_array().map(text::length);
    format!(" (the target lies {x}, {y}, {z} from there)")
}

/// Joints whose limits stood in the way.
fn blocking(machine: &Machine, end: &GoalEnd) -> Vec<String> {
    let drives = end.blocking.iter().filter_map(|&link| machine.skeleton().drive(link));
    drives.map(|drive| text::short_name(machine.coordinate_name(drive.coordinate))).collect()
}

/// A line for each coordinate that may move for the goals, then one for the others.
fn coordinates(machine: &Machine, solved: &Solved) -> String {
    let values = solved.run.pose.coordinates();
    let rows: Vec<[String; 3]> = solved.moving.iter().map(|&one| coordinate(machine, one, values[one])).collect();
    let others = values.len() - solved.moving.len();
    let others = match others {
        0 => String::new(),
        _ => format!("  {} elsewhere did not move\n", text::count(others, "coordinate")),
    };
    let floating: Vec<[String; 2]> = posed::values(machine, &solved.run.pose)
        .into_iter()
        .skip(values.len())
        .map(|(name, value)| [text::short_name(&name), format!("= {}", text::decimals(value, 6))])
        .collect();
    text::columns(&rows) + &text::columns(&floating) + &others
}

fn coordinate(machine: &Machine, coordinate: usize, value: f64) -> [String; 3] {
    let name = text::short_name(machine.coordinate_name(coordinate));
    let amount = if machine.turns(coordinate) {
        format!("{}°", text::decimals(value.to_degrees(), 4))
    } else {
        format!("{} m", text::decimals(value, 6))
    };
    [name, format!("= {amount}"), margin_text(machine, coordinate, value)]
}

/// How far a value is from the nearer end of its range, negative outside; none without a range.
fn margin(machine: &Machine, coordinate: usize, value: f64) -> Option<f64> {
    let range = machine.range(coordinate);
    Some((value - range.min).min(range.max - value)).filter(|margin| margin.is_finite())
}

fn margin_text(machine: &Machine, coordinate: usize, value: f64) -> String {
    let range = machine.range(coordinate);
    let near = AT_LIMIT * if range.max - range.min < f64::INFINITY { range.max - range.min } else { 1.0 };
    match margin(machine, coordinate, value) {
        None => "no limit".to_owned(),
        Some(margin) if margin < -near => format!("{} outside its limits", machine.amount(coordinate, -margin)),
        Some(margin) if margin <= near => {
            format!("at its {} limit", if value - range.min < range.max - value { "lower" } else { "upper" })
        }
        Some(margin) => format!("{} from its limit", machine.amount(coordinate, margin)),
    }
}

/// The object of `--json`.
pub(crate) fn object(machine: &Machine, solved: &Solved, written: &Written) -> Value {
    let (skeleton, Run { pose, outcome, time, ends, .. }) = (machine.skeleton(), &solved.run);
    let coordinate = |(place, &value): (usize, &f64)| {
        let range = machine.range(place);
        json!({
            "name": machine.coordinate_name(place),
            "value": value,
            "unit": machine.unit(place),
            "min": finite(range.min),
            "max": finite(range.max),
            "margin": margin(machine, place, value),
            "moved": value - solved.start.coordinates()[place],
        })
    };
    let links = skeleton.iter().filter(|&link| skeleton.name(link).is_some()).map(|link| {
        let (position, rotation) = (pose.position(link).to_array(), pose.rotation(link).to_array());
        json!({ "name": skeleton.name(link), "translation": position, "rotation": rotation })
    });
    json!({
        "rig": machine.title,
        "robot": machine.robot.name,
        "solver": solved.run.solvers(),
        "outcome": {
            "status": outcome.status.name(),
            "iterations": outcome.iterations,
            "time_us": time.as_nanos() as f64 * 1e-3,
        },
        "goals": ends.iter().map(|end| goal(machine, end)).collect::<Vec<_>>(),
        "coordinates": pose.coordinates().iter().enumerate().map(coordinate).collect::<Vec<_>>(),
        "links": links.collect::<Vec<_>>(),
        "written": written.files,
        "notes": written.notes,
    })
}

fn goal(machine: &Machine, end: &GoalEnd) -> Value {
    let (goal, residual) = (&end.asked.goal, &end.residual);
    let points = matches!(goal.target, Target::Aim { .. } | Target::Axis { .. });
    let turns = points || goal.target.rotation().is_some();
    json!({
        "link": machine.label(goal.joint),
        "base": goal.relative_to.map(|base| machine.label(base)),
        "solver": end.asked.served.name(),
        "status": residual.status.name(),
        "position_error": residual.position_error(),
        "rotation_error": residual.rotation_error(),
        "position_left": goal.target.position().map(|_| residual.position.to_array()),
        "rotation_left": turns.then(|| residual.rotation_vector().to_array()),
        "blocking": blocking(machine, end),
    })
}

/// A number that JSON can hold.
pub(crate) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
